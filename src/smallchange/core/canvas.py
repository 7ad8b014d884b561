"""The canvas of a drawing: its grid, and the signs that an editor offers."""

from __future__ import annotations

from dataclasses import dataclass

from smallchange.i18n.text import Text


@dataclass(frozen=True)
class Sign:
    """A character of a drawing: its meaning, and the look of its spot, as in a scene."""

    character: str
    text: Text
    look: str


@dataclass(frozen=True)
class Canvas:
    """The grid of a drawing, with its greatest numbers of columns and rows.

    `blank` is the sign of an empty place. `drawings` are the boards to begin with, each a name and its drawing; the
    first is the default. In a grid of hexes, neighbours in a row are two characters apart, and each row is shifted by
    one against the next. `edges`: the rules may count empty places around a drawing. `other` names a letter that is
    not among the signs, in games that accept any letter.

    >>> region = Text("region {letter}")
    >>> known = Sign("a", region.fill(letter="a"), "hex"), Sign(".", Text("no space"), "")
    >>> hexes = Canvas(known[:1], known[1], 9, 9, (("pair", "a b"),), hexes=True, other=region)
    >>> [sign.text.en for sign in hexes.signs_for("x y")]
    ['region x', 'region y']
    """

    signs: tuple[Sign, ...]
    blank: Sign
    columns: int
    rows: int
    drawings: tuple[tuple[str, str], ...]
    hexes: bool = False
    edges: bool = False
    other: Text | None = None

    def signs_for(self, drawing: str) -> list[Sign]:
        """Return the signs to draw with: those of this drawing first, where it may have any letter."""
        if self.other is None:
            return list(self.signs)
        letters = dict.fromkeys(c for c in drawing if c.isascii() and c.isalpha())
        drawn = [Sign(c, self.other.fill(letter=c), self.signs[0].look) for c in letters]
        unused = [sign for sign in self.signs if sign.character not in letters]
        return drawn + unused[: max(0, len(self.signs) - len(drawn))]
