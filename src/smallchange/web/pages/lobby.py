"""The first page, lists of tables, and the invitation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from itertools import product
from random import Random

from smallchange import mind
from smallchange.draw.spaces import Box, box
from smallchange.draw.svg import board_svg
from smallchange.draw.table import Area, Spot, Table
from smallchange.draw.words import capital
from smallchange.game import Game
from smallchange.match import Match
from smallchange.mind.levels import LEVELS, bots, percent, title
from smallchange.text import Text
from smallchange.web.view import Listed, Lobby, Tally, View, Visit

from . import phrases as p
from .frame import page
from .measured import odds
from .options import varied

Spots = tuple[Spot, ...]

PLIES = 14  # decisions after which a game's picture is taken
NARROW, WIDE = (330, 155), (540, 165)  # units of a board that a card shows
EDGE = 14  # units of felt around a board, and units that a frame of another shape may cut
RIVAL = "greedy"  # the bot that sits opposite who just plays
NEAR = 3  # running games of one's own above the cards
SHARES = ((0.5, p.GENTLE), (0.15, p.MEDIUM), (0.0, p.HARD))  # by the least share of games won


def lobby(lobby: Lobby, visit: Visit) -> str:
    """The first page: every game as a picture, open tables, one's own running games."""
    games = sorted((Game(id) for id in lobby.games), key=lambda game: len(game.seats))
    first_wide = len(games) % 3 == 2
    cards = [_card(game, first_wide and i == 0, visit.lang) for i, game in enumerate(games)]
    return page(
        "lobby.html",
        visit,
        p.NAME,
        cards=cards,
        headline=p.HEADLINE.fill(n=p.COUNTS[len(cards)]),
        **_lists(lobby),
    )


def lists(lobby: Lobby, visit: Visit) -> str:
    """The part of the first page that changes: open tables, one's own running games."""
    return page("lists.html", visit, p.OPEN_TABLES, **_lists(lobby))


def mine(
    listed: Sequence[Listed], visit: Visit, results: Sequence[Tally] = (), number: int = 1, more: bool = False
) -> str:
    """One's running and finished games, page `number` of them, what they came to, and are there more?"""
    running = [_row(table) for table in listed if not table.over]
    finished = [_row(table) for table in listed if table.over]
    return page(
        "mine.html",
        visit,
        p.YOUR_GAMES,
        running=running,
        finished=finished,
        results=list(map(_result, results)),
        number=number,
        more=more,
    )


def _result(tally: Tally) -> dict[str, object]:
    """A row of results: of what game, against whom, and how many were won."""
    n = tally.won + tally.drawn + tally.lost
    said = p.WON_OF_TWO if tally.against.en else p.WON_OF
    return {"tally": tally, "n": n, "said": said.fill(**tally._asdict(), n=n)}


def _lists(lobby: Lobby) -> dict[str, object]:
    """Open tables, and a few of one's own running games: those that wait for one before others."""
    near = sorted(lobby.mine, key=lambda table: not table.your_turn)[:NEAR]
    mine = [_row(table) for table in lobby.mine if table in near]
    return {"open": list(map(_row, lobby.open)), "mine": mine, "more": len(lobby.mine) > NEAR}


def _row(table: Listed) -> dict[str, object]:
    """A table, and what tells it from others: whom one plays with, the day, the variant."""
    at = datetime.fromtimestamp(table.at / 1000, UTC)
    day = p.DAY.fill(day=at.day, month=p.MONTHS[at.month - 1], n=at.month, year=at.year)
    practice = (p.IN_PRACTICE,) if table.practice else ()
    about = (table.who, *practice, day, varied(table.game, table.options))
    return {"table": table, "about": [said for said in about if said and said.en]}


def join(view: View, visit: Visit) -> str:
    """What an invitation leads to, for somebody who has no seat there and may take one."""
    return page(
        "join.html",
        visit,
        p.INVITATION.fill(game=view.title),
        view=view,
        game=Game(view.game),
        picture=close_up(view.game, NARROW, visit.lang),
        said=_invited(view) + (varied(view.game, view.options) or p.BASE_GAME),
    )


def _invited(view: View) -> Text:
    """Who invites, and what is left for you."""
    host = next(seat for seat in view.seats if seat.kind == "person")
    free = next(seat for seat in view.seats if seat.kind == "open")
    who = p.CALLED.fill(name=host.name) if host.name else capital(p.A_PERSON)
    return p.INVITED_BY.fill(who=who, theirs=host.title, yours=free.title)


def _card(game: Game, wide: bool, lang: str) -> dict[str, object]:
    return {
        "game": game,
        "wide": wide,
        "art": close_up(game.id, WIDE if wide else NARROW, lang),
        "seats": {seat: "me" if i == 0 else f"bot:{RIVAL}" for i, seat in enumerate(game.seats)},
        "difficulty": difficulty(game),
    }


def difficulty(game: Game) -> tuple[int, Text, Text] | None:
    """Dots, a word and the figures behind them; None for what has not been measured. A game for two is as
    difficult as its bots, so it has no dots."""
    measured = odds(game.id)
    if measured is None:
        return _bots(game)
    share = measured.won / measured.n
    level, (_, word) = next((i, found) for i, found in enumerate(SHARES) if share >= found[0])
    said = p.MEASURED.fill(won=percent(share), n=f"{measured.n:,}")
    *_, best = bots(game).values()
    if best.measured and best.measured.rules == game.version:
        said += p.BEST_MEASURED.fill(won=percent(best.measured.share), n=f"{best.measured.n:,}")
    return level + 1, word, said


def _bots(game: Game) -> tuple[int, Text, Text] | None:
    """How many levels of bots a game has, and whom one meets without choosing, with what was measured."""
    found = bots(game)
    levels, said = len(found.keys() & set(LEVELS)), found[RIVAL].measured
    if not levels:
        return None
    meets = p.MEETS.fill(bot=title(RIVAL))
    if said and said.rules == game.version:
        share, other = percent(said.share), title(said.against)
        meets = p.MEETS_MEASURED.fill(bot=title(RIVAL), share=share, n=f"{said.n:,}", other=other)
    return 0, p.BOTS.fill(n=levels), meets + p.LEVELS.fill(n=levels)


@cache
def close_up(id: str, size: tuple[int, int], lang: str) -> str:
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
    """A close-up of the board where most lies, to fill a frame of about this shape: without ids, for there
    may be several on a page, and without coordinates."""
    board = table.areas[0]
    seen = max(_windows(board.spots, size), key=partial(_worth, table))
    part = tuple(spot for spot in board.spots if _overlap(spot, seen))
    kept = {spot.id for spot in part}
    near = Table((Area(board.id, board.text, part),), tuple(p for p in table.pieces if p.spot in kept))
    spaces = '<g class="spaces">'  # without the tray and its rim
    inside = spaces + board_svg(near.areas[0], near, lang).partition(spaces)[2]
    inside = re.sub(r' id="[^"]*"| role="img" aria-label="[^"]*"|<text.*?</text>', "", inside)
    view = f"{seen.left} {seen.top} {seen.size[0]} {seen.size[1]}"
    return f'<svg viewBox="{view}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">{inside}'


def _windows(spots: Spots, size: tuple[int, int]) -> Iterator[Box]:
    """Frames of this size, none larger than the board, around each square and between two."""
    edges = box(spots).grown(EDGE)
    width, height = min(size[0], edges.size[0]), min(size[1], edges.size[1])
    for spot, beside in product(spots, (0, 50)):
        left = min(max(spot.x + 50 + beside - width // 2, edges.left), edges.right - width)
        top = min(max(spot.y + 50 - height // 2, edges.top), edges.bottom - height)
        yield Box(left, top, left + width, top + height)


def _worth(table: Table, seen: Box) -> tuple[int, int]:
    """How much lies in this frame, thrice on squares well inside it, and how many those are."""
    spots = table.areas[0].spots
    part = {spot.id for spot in spots if _overlap(spot, seen)}
    whole = {spot.id for spot in spots if box((spot,)).within(seen.grown(-EDGE))}
    lain = {piece.spot for piece in table.pieces if piece.kind not in ("tile", "back")}
    return 2 * len(whole & lain) + len(part & lain), len(whole)


def _overlap(spot: Spot, seen: Box) -> bool:
    left, top, right, bottom = box((spot,))
    return left < seen.right and right > seen.left and top < seen.bottom and bottom > seen.top
