"""Planned moves in words: those that a player has left with the server, and those that can be planned."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from markupsafe import Markup

from smallchange.core.errors import IllegalMove, UnknownMove
from smallchange.core.game import Position
from smallchange.core.state import CHANCE
from smallchange.i18n.text import Text, capital, plain
from smallchange.render.scene import Scene, turn_area
from smallchange.render.svg import board_svg
from smallchange.server.table.model.commands import MAX_LINE_STEPS
from smallchange.server.table.model.plans import ANY, OWN, Future, Line, advance, futures, next_own
from smallchange.server.table.view.board import token_touch
from smallchange.server.table.view.table_view import PlannedMove, TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext, ahead_path, render_page

MAX_DESCRIBED = 3  # positions in which a move is put into words: the shortest stand for all


def describe_lines(position: Position, seat: int, lines: Sequence[Line]) -> tuple[PlannedMove, ...]:
    """Describe the next move of each line, and what it answers."""
    found: dict[Line, PlannedMove] = {}
    for future in futures(position, seat) if lines else ():
        legal = set(future.position.legal())
        for line in lines:
            left: tuple[Line, ...] = (line,)
            for step in future.steps:
                left = advance(left, step)
            token = next((one for one in map(next_own, left) if one in legal), None)
            if token is not None and line not in found:
                named = line[: line.index(OWN + token)]
                found[line] = _plan_move(position, future, token, line, [one for one in named if one != ANY])
        if len(found) == len(lines):
            break
    return tuple([found.get(line) or PlannedMove(line, plain(" ".join(line))) for line in lines])


def _plan_move(
    position: Position, future: Future, token: str, line: Line, named: Sequence[str] = ()
) -> PlannedMove:
    """Describe a move in a future, after the steps before it that its line names."""
    words, here, rest = capital(future.position.describe(token)), position.copy(), list(named)
    answered: list[Text] = []
    for i, step in enumerate(future.steps):
        if rest and rest[0] == step and len(future.steps) - i >= len(rest):
            answered.append(here.describe(rest.pop(0)))
        here.play(step)
    for what in reversed(answered):
        words = p.PLANNED_AFTER.fill(step=capital(what), move=words)
    return PlannedMove(line, words, token_touch(future.position, token).path)


def premoves(position: Position, seat: int) -> list[PlannedMove]:
    """Return every move that a seat may come to play next, whatever happens until then.

    A move that goes elsewhere after another throw is planned for its throw.
    """
    ways: dict[str, dict[tuple[str, ...], list[Future]]] = {}
    for future in futures(position, seat):
        for token in future.position.legal():
            path = token_touch(future.position, token).path
            ways.setdefault(token, {}).setdefault(path, []).append(future)
    found: list[PlannedMove] = []
    for token, by_path in ways.items():
        for there in by_path.values():
            throws = sorted({future.throw for future in there}) if len(by_path) > 1 else [""]
            for throw in throws:
                line = (ANY, throw, OWN + token) if throw else (ANY, OWN + token)
                fitting = (future for future in there if not throw or future.throw == throw)
                named = [throw] if throw else []
                words = [
                    _plan_move(position, one, token, line, named) for one in islice(fitting, MAX_DESCRIBED)
                ]
                found.append(min(words, key=lambda one: len(one.text.en)))
    return found


class Branch(NamedTuple):
    """A step that a plan may answer or go on with: its words, and the page after it."""

    words: Text
    path: str


def ahead_page(
    position: Position, view: TableView, after: Sequence[str], shows_board: bool, visit: PageContext
) -> str:
    """Return the page on which the holder of a seat plans moves, for when these steps are taken from a position."""
    (seat,), line = view.own_seats, Line()
    steps: list[Text] = []
    try:
        for token in after:
            steps.append(capital(position.describe(token)))
            line += (OWN + token if position.s.turn == seat else token,)
            position.play(token)
    except (IllegalMove, UnknownMove):
        raise Refused(ErrorCode.NO_PAGE) from None
    own = position.s.turn == seat
    if own:
        here = Future((), position)
        moves = [_plan_move(position, here, token, (OWN + token,)) for token in position.legal()]
    else:
        moves = premoves(position, seat)
    chance = position.s.turn == CHANCE
    deeper = [token for token, _ in position.weights()] if chance else position.legal()
    board = ""
    if after and shows_board:
        scene: Scene = position.game.layout.scene(position.game.board, position.s)
        board = Markup(board_svg(turn_area(scene.areas[0], view.turn), scene, visit.lang))
    return render_page(
        "ahead.html",
        visit,
        p.OF_GAME.fill(game=view.title, what=p.PLAN_AHEAD),
        view=view,
        steps=steps,
        board=board,
        own=own,
        moves=[move._replace(line=line + move.line) for move in moves],
        branches=[
            Branch(capital(position.describe(token)), ahead_path(view.match, (*after, token)))
            for token in (deeper if len(after) < MAX_LINE_STEPS - 3 else ())
        ],
        back=ahead_path(view.match, after[:-1]) if after else "",
    )
