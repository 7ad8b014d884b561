"""A match in Portable Piecepack Notation (PPN), which the tools of piecepackr read, draw and animate.

The notation is that of the specification 0.14, with the moves of its default movetext parser: `cS@a1` puts a
piece down, `a1-b1` moves it, `*a1` takes it away, and `a1=dS4` turns it. `a1` means the topmost piece on a1,
`a1[2]` the second from the top. Places off the board are `(x,y)`, x to the right and y upwards; the lower left
square of the board is a1 or (1,1). One unit is a square of the board.

https://trevorldavis.com/piecepackr/portable-piecepack-notation.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from smallchange.render.piece_tracking import TrackedTable, follow
from smallchange.render.scene import LAYERS, SQUARE, Piece, Scene

from .errors import NoPiecepackGame
from .game import Game, Position
from .match import Match

__all__ = ["NoPiecepackGame", "portable_piecepack"]

TRAY_GAP_INCHES = 1.0  # between the board and a tray, and between two trays
COMMENT_BRACKETS = str.maketrans({"{": "(", "}": ")"})  # braces end a comment


def portable_piecepack(match: Match) -> str:
    """Return the match in Portable Piecepack Notation, a move for each step with its sentence as a comment.

    Pieces show the sides that the players see: a coin whose number is hidden is written by its suit alone. Raises
    NoPiecepackGame for a game that is not played with a piecepack.
    """
    if match.game.piecepack is None:
        raise NoPiecepackGame(
            f"{match.game.words.TITLE.en} is not played with a piecepack, so it has no Portable Piecepack Notation; "
            "its record and its pictures say the same"
        )
    table = _Table(match.game)
    position = match.game.start()
    moves = [" ".join(["Setup.", *table.show(position)])]
    for number, step in enumerate(match, 1):
        sentence = position.describe(step.token).en.translate(COMMENT_BRACKETS)
        position.play(step.token)
        moves.append(" ".join([f"{number}.", *table.show(position), f"{{ {sentence} [{step.token}] }}"]))
    return "\n".join([*_metadata(match, table), "...", *moves, ""])


def _metadata(match: Match, table: _Table) -> Iterator[str]:
    """Write the part in YAML; a JSON string is a YAML string too."""
    yield "---"
    yield f"Event: {_quote('Small Change')}"
    yield f"GameType: {_quote(match.game.words.TITLE.en)}"
    yield "SetUp: None"
    if table.inches != 1:
        yield f"MovetextParser:\n  Name: Default\n  ScaleFactor: {table.inches}"
    if match.game.non_default_options:
        yield "Options:"
        for name, value in match.game.non_default_options.items():
            yield f"  {name}: {_quote(str(value))}"
    if any(match.seats.values()):
        yield "Players:"
        for player, name in match.seats.items():
            yield f"  {player}: {_quote(name)}"
    if match.over:
        yield f"Result: {_quote(match.ending.en)}"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@dataclass
class _Lying:
    """A piece on the table: its piece in the layout, its name in PPN, and its place."""

    id: str
    spec: str
    place: str


@dataclass
class _Table:
    """The pieces as a reader of the notation has them, in the order in which they were put down."""

    game: Game
    lying: list[_Lying] = field(default_factory=list)
    followed: TrackedTable | None = None
    places: dict[str, str] = field(default_factory=dict)  # by spot

    @property
    def inches(self) -> int:
        """The width of a square of the board."""
        return self._square_inches("board")

    def _square_inches(self, area: str) -> int:
        assert self.game.piecepack is not None
        return self.game.piecepack.SQUARE_INCHES.get(area, 1)

    def show(self, position: Position) -> list[str]:
        """Return the moves that turn the table into this position, and make them."""
        scene = self.game.layout.scene(self.game.board, position.s)
        first = self.followed is None
        self.followed = follow(self.followed, scene)
        laid: list[str] = []
        if first:
            origins = self._lay_out(scene)
            laid = [
                self._place_piece(f"back-{i}", "t", place) for i, place in enumerate(self._backs(origins))
            ]
        return laid + self._change(self.followed.scene)

    def _lay_out(self, scene: Scene) -> dict[str, tuple[float, float]]:
        """Find a place for every spot, and return where the zero of each area lies.

        The board is at the lower left; the trays lie one below the other to the right of it.
        """
        board, *trays = scene.areas
        squares = [spot for spot in board.spots if SQUARE.fullmatch(spot.id)] or board.spots
        right = 1 - min(spot.x for spot in squares) / 100
        top = 1 + max(spot.y for spot in squares) / 100
        origins = {board.id: (right, top)}
        right += max(spot.x for spot in board.spots) / 100 + 0.5
        top += 0.5 - min(spot.y for spot in board.spots) / 100
        for tray in trays:
            scale, gap = self._square_inches(tray.id) / self.inches, TRAY_GAP_INCHES / self.inches
            left, high = min(spot.x for spot in tray.spots), min(spot.y for spot in tray.spots)
            origins[tray.id] = right + gap + scale * (0.5 - left / 100), top - scale * (0.5 - high / 100)
            top -= scale * (max(spot.y for spot in tray.spots) - high + 100) / 100 + gap
        for area in scene.areas:
            for spot in area.spots:
                self.places[spot.id] = self._place(area.id, origins, spot.x, spot.y)
        return origins

    def _place(self, area: str, origins: dict[str, tuple[float, float]], x: float, y: float) -> str:
        """Write a place of an area: as a1 where it is a square of the board, else as (x,y)."""
        scale = self._square_inches(area) / self.inches
        across = round(origins[area][0] + scale * x / 100, 2)
        up = round(origins[area][1] - scale * y / 100, 2)
        if across.is_integer() and up.is_integer() and 1 <= across <= 26 and up >= 1:
            return f"{chr(ord('a') + int(across) - 1)}{int(up)}"
        return f"({across:g},{up:g})"

    def _backs(self, origins: dict[str, tuple[float, float]]) -> Iterator[str]:
        """Return the middles of the tiles that lie grid up, as places."""
        assert self.game.piecepack is not None
        for area, x, y in self.game.piecepack.tile_backs(self.game.board):
            yield self._place(area, origins, x + 50, y + 50)

    def _change(self, scene: Scene) -> list[str]:
        """Take away, turn, move and put down the pieces that differ from the scene; then mend the order of stacks."""
        wanted = {p.id: p for p in sorted(scene.pieces, key=lambda p: (LAYERS[p.kind], p.level, p.id))}
        moves = [self._take(one) for one in list(self.lying) if one.id not in wanted and not _is_back(one)]
        known = {one.id: one for one in self.lying}
        for piece in wanted.values():
            spec, place = piece_spec(piece), self.places[piece.spot]
            lain = known.get(piece.id)
            if lain is None:
                moves.append(self._place_piece(piece.id, spec, place))
                continue
            if lain.spec != spec:
                moves.append(f"{self._name(lain)}={spec}")
                lain.spec = spec
            if lain.place != place:
                moves.append(self._move(lain, place))
        return moves + self._mend_stacks(wanted)

    def _mend_stacks(self, wanted: dict[str, Piece]) -> list[str]:
        """Lift the pieces that lie below a piece but belong on it, by a move to its own place."""
        moves = []
        order = {id: i for i, id in enumerate(wanted)}
        piles: dict[str, list[_Lying]] = {}
        for one in self.lying:
            if not _is_back(one):
                piles.setdefault(one.place, []).append(one)
        for pile in piles.values():
            right = sorted(pile, key=lambda one: order[one.id])
            if pile != right:
                first = next(
                    i for i, (have, want) in enumerate(zip(pile, right, strict=True)) if have is not want
                )
                moves += [self._move(one, one.place) for one in right[first:]]
        return moves

    def _name(self, one: _Lying) -> str:
        """Return how the notation means a piece: by its place, and by its depth unless it is the topmost."""
        pile = [other for other in self.lying if other.place == one.place]
        depth = len(pile) - pile.index(one)
        return one.place if depth == 1 else f"{one.place}[{depth}]"

    def _place_piece(self, id: str, spec: str, place: str) -> str:
        self.lying.append(_Lying(id, spec, place))
        return f"{spec}@{place}"

    def _take(self, one: _Lying) -> str:
        name = self._name(one)
        self.lying.remove(one)
        return f"*{name}"

    def _move(self, one: _Lying, place: str) -> str:
        name = self._name(one)
        self.lying.remove(one)
        one.place = place
        self.lying.append(one)
        return f"{name}-{place}"


def _is_back(one: _Lying) -> bool:
    return one.id.startswith("back-")


def piece_spec(piece: Piece) -> str:
    """Return the name that PPN gives to a piece of the piecepack.

    >>> from smallchange.i18n.text import plain
    >>> piece_spec(Piece("die-S", "a1", "die", plain("a die"), suit="S", value="4"))
    'dS4'
    """
    kinds = {"tile": "t", "back": "t", "coin": "c", "die": "d", "pawn": "p"}
    return f"{kinds[piece.kind]}{piece.suit}{piece.value}"
