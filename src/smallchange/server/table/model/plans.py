"""Planned moves: what a seat is to play by itself once others and chance have moved, as lines of steps.

A line has the steps to come. `*` stands for any steps of others and of chance, `!TOKEN` for a move of one's own, and
a token alone for a step of others or of chance. `* !e2-d2` is a premove; `* heads:3 !enter` answers a throw of three.
Of several lines the first counts that fits what has happened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from smallchange.core.game import Position
from smallchange.core.state import CHANCE
from smallchange.server.table.model.events import Step, Undo

if TYPE_CHECKING:
    from smallchange.server.table.model.history import History

ANY, OWN = "*", "!"
MAX_FUTURES = 400  # positions that are looked at for what a seat may come to play
Line = tuple[str, ...]


class Plan(NamedTuple):
    """The lines of a seat, made when the table had `ply` events."""

    seat: int
    ply: int
    lines: tuple[Line, ...]


class Outlook(NamedTuple):
    """The rest of a plan: the lines that still fit, and the move to play now, None before it is due.

    `dropped`: the plan fits no longer, and its seat has not moved since.
    """

    lines: tuple[Line, ...] = ()
    move: str | None = None
    dropped: bool = False


def advance(lines: Sequence[Line], step: str) -> tuple[Line, ...]:
    """Return what is left of the lines that fit a step, which is spelt as in a line.

    >>> advance([("*", "3", "!a"), ("b", "!c")], "b")
    (('*', '3', '!a'), ('!c',))
    >>> advance([("*", "3", "!a")], "3")
    (('*', '3', '!a'), ('!a',))
    >>> advance([("*", "!a", "*", "!b")], "!a")
    (('*', '!b'),)
    """
    left: dict[Line, None] = {}
    for line in lines:
        waits = line[:1] == (ANY,)
        if waits and not step.startswith(OWN):
            left[line] = None
        rest = line[1:] if waits else line
        if rest[:1] == (step,) and rest[1:]:
            left[rest[1:]] = None
    return tuple(left)


def next_own(line: Line) -> str | None:
    """Return the token of the own move that comes next in a line; None if others come first."""
    ahead = line[1:] if line[:1] == (ANY,) else line
    return ahead[0].removeprefix(OWN) if ahead and ahead[0].startswith(OWN) else None


def outlook(history: History, plan: Plan) -> Outlook:
    """Return what is left of a plan after all that has happened since it was made."""
    game, lines, dropped = history.match.game, plan.lines, False
    for event in history.events[plan.ply :]:
        if isinstance(event, Undo):
            lines, dropped = (), bool(lines)
        elif isinstance(event, Step):
            own = event.seat == plan.seat
            had, lines = lines, advance(lines, f"{OWN if own else ''}{game.tokens[event.action]}")
            dropped = not own and (dropped or bool(had and not lines))
    if history.ending or not lines or history.turn != plan.seat:
        return Outlook(() if history.ending else lines, None, dropped and not history.ending)
    legal = set(history.match.legal())
    move = next((token for token in map(next_own, lines) if token in legal), None)
    return Outlook(lines, move) if move else Outlook((), None, True)


def merge_lines(old: Collection[Line], new: Collection[Line]) -> tuple[Line, ...]:
    """Return both, the longer first, without old lines that differ from a new one in their last move alone."""
    heads = {line[:-1] for line in new}
    kept = [line for line in old if line[:-1] not in heads]
    return tuple(sorted((*new, *kept), key=len, reverse=True))


def planning_seat(history: History, held: Sequence[int]) -> int | None:
    """Return the seat that may plan ahead: where somebody else plays, and nobody looks over both sides."""
    if len(held) != 1 or len(history.seats) < 2 or not history.started or history.ending:
        return None
    return held[0]


class Future(NamedTuple):
    """A position at which a seat is to move, and the steps of others and of chance that lead there.

    `throw` is the last of them where chance has taken it, else "".
    """

    steps: Line
    position: Position
    throw: str = ""


def futures(position: Position, seat: int) -> Iterator[Future]:
    """Yield the next turns of a seat, after at most one decision of others and whatever chance does."""
    queue, seen = deque([(Future((), position), 0)]), set[tuple[str, int]]()
    while queue and len(seen) < MAX_FUTURES:
        future, decided = queue.popleft()
        steps, here, _ = future
        key = here.key(), decided
        if key in seen:
            continue
        seen.add(key)
        turn = here.s.turn
        if turn == seat:
            yield future
        elif turn == CHANCE:
            for token, _ in here.weights():
                queue.append((Future((*steps, token), here.played(token), token), decided))
        elif turn >= 0 and not decided:
            queue.extend((Future((*steps, token), here.played(token)), 1) for token in here.legal())
