"""The numbers that players follow, such as coins won: in words, and as rows of coins."""

from __future__ import annotations

from functools import cache, lru_cache

from smallchange.core.game import Game
from smallchange.render.scene import Tally
from smallchange.server.table.view.board import with_signs
from smallchange.server.table.view.table_view import TableView
from smallchange.server.web.frame import escape

MAX_TALLY_DOTS = 30  # the most that a tally is drawn for
MAX_DOTTED_TALLIES = 2  # the most tallies that are drawn


def tally_section(view: TableView, lang: str) -> str:
    """Return the numbers that the players follow."""
    dotted = len(view.tallies) <= MAX_DOTTED_TALLIES
    drawn = "".join(_tally(tally, dotted, view.game, lang) for tally in view.tallies)
    return f'<div id="tally">{drawn}</div>'


@cache
def _seats(game: str) -> frozenset[str]:
    """Return the names of the seats of a game for two."""
    seats = Game(game).seats
    return frozenset(seats) if len(seats) > 1 else frozenset()


@lru_cache(maxsize=4096)
def _tally(tally: Tally, dotted: bool, game: str, lang: str) -> str:
    """Return a number in words, with signs and a row of dots if there are few tallies."""
    words = tally.text[lang]
    parts = f'<span class="parts">{tally.sum}</span>' if tally.sum else ""
    dots, text = (tally_dots(tally), with_signs(words, game, lang)) if dotted else ("", escape(words))
    look = "tally of-seat" if tally.id in _seats(game) else "tally"  # its player's plate has it too
    look = "visually-hidden" if tally.said else look
    return (
        f'<p class="{look}" id="tally-{tally.id}">{dots}<span>{text}</span> <b>{parts}{tally.figures}</b></p>'
    )


def tally_dots(tally: Tally) -> str:
    """Draw a number as a row of coins, of which some are won; "" without a maximum."""
    if not 0 < tally.most <= MAX_TALLY_DOTS:
        return ""
    rows = 2 if tally.most > 15 else 1
    across = -(-tally.most // rows)
    dots = "".join(
        f'<circle class="tally-dot{" on" if i < tally.number else ""}" cx="{10 + 20 * (i % across)}"'
        f' cy="{10 + 20 * (i // across)}" r="7.5"/>'
        for i in range(tally.most)
    )
    width, height = 20 * across, 20 * rows
    return (
        f'<svg class="tally-dots" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' aria-hidden="true">{dots}</svg>'
    )
