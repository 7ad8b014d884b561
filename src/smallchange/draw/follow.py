"""Which piece is which from step to step, so that a piece that moved slides instead of vanishing.

A face may name a piece after the place where it lies; once it has moved it has another name. `follow`
gives every piece the name under which it was first seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter

from .table import Piece, Table, Touch

NOTHING = Touch()


@dataclass(frozen=True, slots=True)
class Followed:
    """A table whose ids stay with their pieces. `names`: from the face's ids to those, where they differ."""

    table: Table
    names: Mapping[str, str] = field(default_factory=dict)

    def touch(self, touch: Touch) -> Touch:
        """The same touch, in the ids of `table`."""
        if not self.names:
            return touch
        return Touch(self.ids(touch.path), self.ids(touch.marks))

    def ids(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The same pieces and spots, by the ids of `table`."""
        names = self.names
        return tuple([names.get(id, id) for id in ids])


def follow(before: Followed | None, after: Table, touch: Touch = NOTHING) -> Followed:
    """`after` as the face laid it out, with the ids that its pieces had `before`.

    `touch` is what was touched for the step between them, in the face's ids, empty if not known.
    The first table of a match, or one to start anew from, is followed from None.
    """
    if before is None:
        return Followed(after)
    old, new = list(before.table.pieces), list(after.pieces)
    known: dict[str, str] = {}  # the face's id now: the id it had
    touched, goal = before.ids(touch.path[:1]), touch.path[-1:]

    _pair(old, new, known, _there)  # what has not moved
    _pair(old, new, known, attrgetter("id", "kind"))  # what has a name of its own
    old.sort(key=lambda piece: (piece.id not in touched, piece.spot not in touched, piece.level, piece.id))
    new.sort(key=lambda piece: (piece.spot not in goal, piece.level, piece.id))
    _pair(old, new, known, _alike)  # what moved, the touched first
    _pair(old, new, known, attrgetter("kind", "suit", "value"))  # .. and was turned over
    taken = set(known.values())
    for piece in sorted(new, key=lambda piece: piece.id):  # what is new to the table
        known[piece.id] = _free(piece.id, taken)
        taken.add(known[piece.id])

    was = {piece.id: piece for piece in before.table.pieces}
    pieces = [_renamed(piece, known[piece.id], was) for piece in after.pieces]
    pieces.sort(key=attrgetter("id"))
    table = Table(after.areas, tuple(pieces), after.tallies, after.details)
    return Followed(table, {id: stays for id, stays in known.items() if id != stays})


def _renamed(piece: Piece, id: str, was: Mapping[str, Piece]) -> Piece:
    """The piece by its lasting id; the very same object where nothing about it has changed."""
    if piece.id == id:
        return piece
    old = was.get(id)
    if old and _same(old) == _same(piece):
        return old
    return replace(piece, id=id)


_there = attrgetter("spot", "level", "kind", "suit", "value", "side")
_alike = attrgetter("kind", "suit", "value", "side")
_same = attrgetter("spot", "level", "kind", "suit", "value", "side", "state", "text")


def _pair(old: list[Piece], new: list[Piece], known: dict[str, str], like: Callable[[Piece], object]) -> None:
    """Pieces with the same key become one, in the order of the lists, and leave both."""
    if not (old and new):
        return
    waiting: dict[object, list[Piece]] = {}
    for piece in reversed(new):
        waiting.setdefault(like(piece), []).append(piece)
    gone = set()
    for piece in old:
        if row := waiting.get(like(piece)):
            known[row.pop().id] = piece.id
            gone.add(piece.id)
    old[:] = [piece for piece in old if piece.id not in gone]
    new[:] = [piece for piece in new if piece.id not in known]


def _free(id: str, taken: set[str]) -> str:
    """The id, or the first like it that no other piece has."""
    free, n = id, 1
    while free in taken:
        n += 1
        free = f"{id}~{n}"
    return free
