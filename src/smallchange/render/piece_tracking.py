"""Which piece is which from step to step, so that a piece that moved slides instead of vanishing.

A face may name a piece after the place where it lies; once it has moved it has another name. `follow`
gives every piece the name under which it was first seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter

from .scene import Piece, Scene, Touch

NOTHING = Touch()


@dataclass(frozen=True, slots=True)
class TrackedTable:
    """A table whose ids stay with their pieces.

    `names` maps the layout's ids to these ids, where they differ. `laid` holds the pieces as the layout has
    them, by its ids; `shown` those of `table`, by their own.
    """

    scene: Scene
    names: Mapping[str, str]
    laid: Mapping[str, Piece]
    shown: Mapping[str, Piece]

    def touch(self, touch: Touch) -> Touch:
        """Return the same touch, in the ids of `table`."""
        names, (path, marks) = self.names, touch
        if names.keys().isdisjoint(path) and names.keys().isdisjoint(marks):
            return touch
        return Touch(tuple(map(names.get, path, path)), tuple(map(names.get, marks, marks)) if marks else ())

    def ids(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return the same pieces and spots, by the ids of `table`."""
        names = self.names
        return tuple([names.get(id, id) for id in ids])


def follow(before: TrackedTable | None, after: Scene, touch: Touch = NOTHING) -> TrackedTable:
    """`after` as the face laid it out, with the ids that its pieces had `before`.

    `touch` has the things touched for the step between them, in the face's ids, empty if not known.
    The first table of a match, or one to start anew from, is followed from None.
    """
    laid = {piece.id: piece for piece in after.pieces}
    if before is None:
        return TrackedTable(after, {}, laid, laid)
    lay = before.laid
    new = [piece for id, piece in laid.items() if (lain := lay.get(id)) is not piece and lain != piece]
    changed = {piece.id for piece in new}
    removed = [id for id in lay if id in changed or id not in laid]
    old = [before.shown[id] for id in before.ids(removed)]
    known = _match_pieces(old, new, before, touch)

    names = {id: stays for id, stays in before.names.items() if id in laid and id not in changed}
    names |= {id: stays for id, stays in known.items() if id != stays}
    was = {piece.id: piece for piece in old}
    put = {known[piece.id]: _with_lasting_id(piece, known[piece.id], was) for piece in new}
    if put.keys() == was.keys():
        shown = {**before.shown, **put}
    else:
        stayed = {id: piece for id, piece in before.shown.items() if id not in was}
        stayed |= put
        shown = {id: stayed[id] for id in sorted(stayed)}
    scene = Scene(after.areas, tuple(shown.values()), after.tallies, after.badges)
    return TrackedTable(scene, names, laid, shown)


def _match_pieces(old: list[Piece], new: list[Piece], before: TrackedTable, touch: Touch) -> dict[str, str]:
    """For each new piece, by the face's id: the id that it had, or one of its own."""
    if len(old) == len(new) == 1 and _turned(old[0]) == _turned(new[0]):  # mostly one piece has moved
        return {new[0].id: old[0].id}
    known: dict[str, str] = {}
    touched, goal = before.ids(touch.path[:1]), touch.path[-1:]
    rest, arrivals = sorted(old, key=attrgetter("id")), list(new)
    _pair(rest, arrivals, known, _there)  # what has not moved
    _pair(rest, arrivals, known, attrgetter("id", "kind"))  # what has a name of its own
    if rest and arrivals:
        rest.sort(
            key=lambda piece: (piece.id not in touched, piece.spot not in touched, piece.level, piece.id)
        )
        arrivals.sort(key=lambda piece: (piece.spot not in goal, piece.level, piece.id))
        _pair(rest, arrivals, known, _looks)  # what moved, the touched first
        _pair(rest, arrivals, known, _turned)  # .. and was turned over
    taken = (before.shown.keys() - {piece.id for piece in old}) | set(known.values()) if arrivals else set()
    for piece in sorted(arrivals, key=attrgetter("id")):  # what is new to the table
        known[piece.id] = _free(piece.id, taken)
        taken.add(known[piece.id])
    return known


def _with_lasting_id(piece: Piece, id: str, was: Mapping[str, Piece]) -> Piece:
    """Return the piece under its lasting id; the very same object if nothing about it has changed."""
    if piece.id == id:
        return piece
    old = was.get(id)
    if old and _same(old) == _same(piece):
        return old
    return _with_id(piece, id)


@lru_cache(maxsize=16384)
def _with_id(piece: Piece, id: str) -> Piece:
    return replace(piece, id=id)


_there = attrgetter("spot", "level", "kind", "suit", "value", "side")
_looks = attrgetter("kind", "suit", "value", "side")
_turned = attrgetter("kind", "suit", "value")
_same = attrgetter("spot", "level", "kind", "suit", "value", "side", "state", "text")


def _pair(old: list[Piece], new: list[Piece], known: dict[str, str], like: Callable[[Piece], object]) -> None:
    """Pieces with the same key become one, in the order of the lists, and leave both."""
    if not (old and new):
        return
    waiting: dict[object, list[Piece]] = {}
    for piece in reversed(new):
        waiting.setdefault(like(piece), []).append(piece)
    removed = set()
    for piece in old:
        if row := waiting.get(like(piece)):
            known[row.pop().id] = piece.id
            removed.add(piece.id)
    old[:] = [piece for piece in old if piece.id not in removed]
    new[:] = [piece for piece in new if piece.id not in known]


def _free(id: str, taken: set[str]) -> str:
    """Return the id, or the first like it that no other piece has."""
    free, n = id, 1
    while free in taken:
        n += 1
        free = f"{id}~{n}"
    return free
