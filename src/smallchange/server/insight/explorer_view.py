"""The explorer of a solved game: a board to step through, and the value of each move. It works by links alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from smallchange.bots.solved_values import SolvedValues
from smallchange.core.game import Game, Position
from smallchange.i18n.text import Text, capital
from smallchange.render.highlights import Link
from smallchange.render.svg import board_svg
from smallchange.server.table.view.board import link_touches
from smallchange.server.table.view.options import chosen_words
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page
from smallchange.server.web.paths import explorer_path
from smallchange.tablebase.table import Value, goodness

VALUES = {
    "win": (p.VALUE_WON, p.VALUE_WON_IN),
    "draw": (p.VALUE_DRAWN, p.VALUE_DRAWN),
    "loss": (p.VALUE_LOST, p.VALUE_LOST_IN),
}


class ExploredMove(NamedTuple):
    """A move: its words, the page after it, its value in words, and "win", "draw", "loss" or "" for its look."""

    words: Text
    path: str
    value: Text
    outcome: str


def explorer_page(
    game: Game, line: Sequence[str], position: Position, found: SolvedValues | None, visit: PageContext
) -> str:
    """Return the page of the position after the tokens of a line. `found` is None at the end of a match."""
    scene = game.layout.scene(game.board, position.s)
    marks = link_touches(
        position,
        visit,
        lambda token: Link(explorer_path(game, (*line, token)), position.describe(token)[visit.lang]),
        lambda pick: explorer_path(game, line, pick),
    )
    moves = [
        ExploredMove(
            capital(position.describe(token)),
            explorer_path(game, (*line, token)),
            value_text(value),
            value.outcome if value else "",
        )
        for token, value in sorted(found.moves.items() if found else (), key=_worst_last)
    ]
    value = found and found.value
    if found is None:
        summary = capital(game.words.ending(game.board, position.s))
    else:
        player = capital(game.words.PLAYERS[game.seats[position.s.turn]])
        summary = p.VALUE_OF_POSITION.fill(player=player, value=value_text(value))
    return render_page(
        "explorer.html",
        visit,
        p.EXPLORE_GAME.fill(game=game.words.TITLE),
        game=game,
        variant=capital(chosen_words(game)),
        board=Markup(board_svg(scene.areas[0], scene, visit.lang, marks)),
        moves=moves,
        summary=summary,
        outcome=value.outcome if value else "",
        unknown=found is not None and value is None,
        start=explorer_path(game, ()) if line else "",
        back=explorer_path(game, line[:-1]) if line else "",
    )


def being_solved_page(game: Game, visit: PageContext, query: str) -> str:
    """Return the page that says that a board is being solved, and asks again. `query` has the options of the form."""
    return render_page(
        "difficulty.html",
        visit,
        p.EXPLORE_GAME.fill(game=game.words.TITLE),
        game=game,
        options=capital(chosen_words(game)),
        said=[p.BEING_SOLVED],
        waits=True,
        query=query,
    )


def value_text(value: Value | None) -> Text:
    """Say a value in words."""
    if value is None:
        return p.VALUE_UNKNOWN
    plain, measured = VALUES[value.outcome]
    return measured.fill(n=value.plies) if value.plies else plain


def _worst_last(move: tuple[str, Value | None]) -> tuple[float, str]:
    token, value = move
    return (-goodness(value) if value else float("inf"), token)
