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


def named_sign(line: str) -> tuple[str, str] | None:
    """Return the sign that a line below a drawing names, and the name; None for any other line.

    >>> named_sign(" a = Old Port "), named_sign("a b = c"), named_sign("a")
    (('a', 'Old Port'), None, None)
    """
    sign, equals, name = (part.strip(" ") for part in line.partition("="))
    return (sign, name) if equals and len(sign) == 1 and sign.isascii() and sign.isalpha() else None


@dataclass(frozen=True)
class Canvas:
    """The grid of a drawing, with its greatest numbers of columns and rows.

    `blank` is the sign of an empty place. `drawings` are the boards to begin with, each a name and its drawing; the
    first is the default. In a grid of hexes, neighbours in a row are two characters apart, and each row is shifted by
    one against the next. `edges`: the rules may count empty places around a drawing. `other` names a letter that is
    not among the signs, in games that accept any letter. Where `longest_name` is not 0, a line below the drawing such
    as `a = Old Port` names a sign, in at most so many characters.

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
    longest_name: int = 0

    def split(self, drawing: str) -> tuple[str, dict[str, str]]:
        r"""Return a drawing without the names of its signs, and these names.

        >>> blank = Sign(".", Text("no space"), "")
        >>> Canvas((), blank, 9, 9, (), longest_name=9).split("a b\na = Old Port")
        ('a b', {'a': 'Old Port'})
        """
        rows, names = [], {}
        for line in drawing.split("\n"):
            if self.longest_name and (found := named_sign(line)):
                names[found[0]] = found[1]
            else:
                rows.append(line)
        return "\n".join(rows), names

    def signs_for(self, drawing: str) -> list[Sign]:
        """Return the signs to draw with: those of this drawing first, where it may have any letter."""
        if self.other is None:
            return list(self.signs)
        drawn_rows, _ = self.split(drawing)
        letters = dict.fromkeys(c for c in drawn_rows if c.isascii() and c.isalpha())
        drawn = [Sign(c, self.other.fill(letter=c), self.signs[0].look) for c in letters]
        unused = [sign for sign in self.signs if sign.character not in letters]
        return drawn + unused[: max(0, len(self.signs) - len(drawn))]
