"""The first page, lists of tables, and the invitation."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from random import Random

from smallchange import mind
from smallchange.draw.svg import board_svg
from smallchange.draw.table import Table
from smallchange.game import Game
from smallchange.match import Match
from smallchange.mind.levels import bots, percent
from smallchange.text import Text
from smallchange.web.view import Listed, Lobby, View, Visit

from . import phrases as p
from .frame import page

MEASURED = "odds.json"  # in a game's folder, written by `python -m smallchange.web.pages.odds`
PLIES = 14  # decisions after which a game's picture is taken
NARROW, WIDE = (430, 184), (640, 196)  # units of a board that a card shows
LEVELS = ((0.5, p.GENTLE), (0.15, p.MEDIUM), (0.0, p.HARD))  # by the least share of games won


def lobby(lobby: Lobby, visit: Visit) -> str:
    """The first page: every game as a picture, open tables, one's own running games."""
    games = [Game(id) for id in lobby.games]
    first_wide = len(games) % 3 == 2
    cards = [_card(game, first_wide and i == 0, visit.lang) for i, game in enumerate(games)]
    return page(
        "lobby.html",
        visit,
        p.NAME,
        cards=cards,
        headline=p.HEADLINE.fill(n=p.COUNTS[len(cards)]),
        open=lobby.open,
        mine=lobby.mine,
    )


def mine(listed: Sequence[Listed], visit: Visit) -> str:
    """One's running and finished games."""
    running = [table for table in listed if not table.over]
    finished = [table for table in listed if table.over]
    return page("mine.html", visit, p.YOUR_GAMES, running=running, finished=finished)


def join(view: View, visit: Visit) -> str:
    """What an invitation leads to, for somebody who has no seat there and may take one."""
    return page("join.html", visit, view.title, view=view, picture=_picture(view.game, WIDE, visit.lang))


def _card(game: Game, wide: bool, lang: str) -> dict[str, object]:
    return {
        "game": game,
        "wide": wide,
        "art": _picture(game.id, WIDE if wide else NARROW, lang),
        "seats": {seat: "me" if i == 0 else "bot:greedy" for i, seat in enumerate(game.seats)},
        "difficulty": difficulty(game),
    }


def difficulty(game: Game) -> tuple[int, Text, Text] | None:
    """Dots, a word and the figures behind them; None for what has not been measured."""
    measured = game.folder / MEASURED
    if not measured.exists():
        return None
    figures = json.loads(measured.read_text(encoding="utf-8"))
    share = figures["won"] / figures["n"]
    level, (_, word) = next((i, found) for i, found in enumerate(LEVELS) if share >= found[0])
    said = p.MEASURED.fill(won=percent(share), n=f"{figures['n']:,}")
    *_, best = bots(game).values()
    if best.measured and best.measured.rules == game.version:
        said += p.BEST_MEASURED.fill(won=percent(best.measured.share), n=f"{best.measured.n:,}")
    return level + 1, word, said


@cache
def _picture(id: str, size: tuple[int, int], lang: str) -> str:
    """A close-up from the middle of a game that a sensible player began."""
    game = Game(id)
    match = Match(game, bytes(15) + b"\x05")
    match.settle()
    player = mind.bot("greedy", luck=Random(5))
    for _ in range(PLIES):
        if not match.over:
            match.play(player(match.position))
            match.settle()
    return art(game.face.table(game.board, match.position.s), size, lang)


def art(table: Table, size: tuple[int, int], lang: str) -> str:
    """The middle of the board as a picture: without ids, for there may be several on a page."""
    board = table.areas[0]
    width, height = size
    spots = {spot.id: spot for spot in board.spots}
    lying = [spots[piece.spot] for piece in table.pieces if piece.spot in spots and piece.kind != "tile"]
    lying = lying or list(board.spots)
    left, right = min(s.x for s in board.spots), 100 + max(s.x for s in board.spots)
    top, bottom = min(s.y for s in board.spots), 100 + max(s.y for s in board.spots)
    x = _within(sum(s.x for s in lying) / len(lying) + 50 - width / 2, left, right - width)
    y = _within(sum(s.y for s in lying) / len(lying) + 50 - height / 2, top, bottom - height)
    spaces = '<g class="spaces">'  # without the tray and its rim
    inside = spaces + board_svg(board, table, lang).partition(spaces)[2]
    inside = re.sub(r' id="[^"]*"| role="img" aria-label="[^"]*"', "", inside)
    seen = f'viewBox="{x:.0f} {y:.0f} {width} {height}" preserveAspectRatio="xMidYMid slice"'
    return f'<svg {seen} aria-hidden="true">{inside}'


def _within(x: float, low: float, high: float) -> float:
    return (low + high) / 2 if high < low else min(max(x, low), high)
