"""The first page, lists of tables, and the invitation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache

from smallchange.core.game import Game, games
from smallchange.i18n.formats import day_at
from smallchange.i18n.text import Text
from smallchange.render.scene import Scene
from smallchange.server.table.view.board import describe_piece
from smallchange.server.table.view.board_pictures import scene_picture, whole_board
from smallchange.server.table.view.measured_odds import BEGINNERS, beginner_rates, odds_words
from smallchange.server.table.view.options import describe_options, gentle_seats, short_odds
from smallchange.server.table.view.seats import occupant
from smallchange.server.table.view.table_view import ListedTable, LobbyView, Tally, WatchedTable, control_text
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, escape, render_page

SQUARE = 100  # units of a picture
RADIO = '<input type="radio" form="" name="piece" aria-label="{}">'
DIFFICULTIES = ((0.5, p.GENTLE), (0.15, p.MEDIUM), (0.0, p.HARD))  # by the least share of games won


def lobby_page(lobby: LobbyView, visit: PageContext) -> str:
    """Return the first page: a board to touch, every game with a picture, and what is going on here."""
    games = sorted((Game(id) for id in lobby.games), key=lambda game: (game.words.MINUTES, game.id))
    return render_page(
        "lobby.html",
        visit,
        p.NAME,
        cards=[_game_card(game, visit.lang) for game in games],
        headline=p.HEADLINE.fill(n=len(games), count=p.COUNTS[len(games)]),
        returns=lobby.returns,
        start=None if lobby.returns else start_board(visit.lang),
        **_list_fields(lobby, visit.lang),
    )


@cache
def start_board(lang: str) -> dict[str, object] | None:
    """Return the board of the welcome: a short game without luck. A piece that is touched shows where it can go.

    It is None where no game for two is without luck.
    """
    found = next((game for game in map(Game, games()) if len(game.seats) == 2 and not game.sources), None)
    if found is None:
        return None
    game = Game(found.id, dict(found.presets.PRESETS[0].options)) if found.presets else found
    position = game.start()
    scene: Scene = game.layout.scene(game.board, position.s)
    at = {piece.id: piece.spot for piece in scene.pieces}
    steps: dict[str, str] = {}
    for action in position.legal_actions():
        piece, to = game.layout.touch(game.board, position.s, action).path
        text, token = escape(position.describe(game.tokens[action])[lang]), game.tokens[action]
        step = f'<button form="start" name="first" value="{token}" aria-label="{text}"></button>'
        steps[piece] = steps.get(piece, "") + _over(scene, to, step)
    chosen = {
        piece: escape(describe_piece(scene, piece, p.CHOOSE_WHERE, p.CHOOSE_FROM)[lang]) for piece in steps
    }
    rings = [
        f"<g>{_over(scene, at[piece], RADIO.format(chosen[piece]))}{step}</g>"
        for piece, step in steps.items()
    ]
    picture = scene_picture(scene, lang).replace('aria-hidden="true"', 'role="none"', 1)
    art = picture.removesuffix("</svg>") + "".join(rings) + "</svg>"
    return {"game": game, "art": art, "seats": gentle_seats(game)}


def _over(scene: Scene, spot: str, control: str) -> str:
    """Lay a control over a spot of the board."""
    at = scene.areas[0].by_id[spot]
    place = f'x="{at.x}" y="{at.y}" width="{SQUARE}" height="{SQUARE}"'
    return f"<foreignObject {place}>{control}</foreignObject>"


def lobby_lists(lobby: LobbyView, visit: PageContext) -> str:
    """Return the part of the first page that changes: open tables and the visitor's running games."""
    return render_page("lists.html", visit, p.OPEN_TABLES, **_list_fields(lobby, visit.lang))


def own_tables_page(
    listed: Sequence[ListedTable],
    visit: PageContext,
    results: Sequence[Tally] = (),
    number: int = 1,
    more: bool = False,
    days_off: tuple[int, int] = (0, 0),
    challenges: Sequence[dict[str, object]] = (),
) -> str:
    """Return a page of the visitor's running and finished games, with their results.

    `number` is that of the page; `more`: another page follows. `days_off`: the number of days off
    left, and the time until when the visitor is off, in milliseconds since 1970.
    """
    left, until = days_off
    has_clock = any(table.control and not table.control.live for table in listed if not table.over)
    running = [_table_row(table) for table in listed if not table.over]
    finished = [_table_row(table) for table in listed if table.over]
    return render_page(
        "mine.html",
        visit,
        p.YOUR_GAMES,
        challenges=challenges,
        running=running,
        finished=finished,
        results=list(map(_results_row, results)),
        number=number,
        more=more,
        days_left=left if has_clock and not until else 0,
        off_until=day_at(until) if until else None,
    )


def _results_row(tally: Tally) -> dict[str, object]:
    """Return one row of results: the game, the opponents, and how many matches were won."""
    n = tally.won + tally.drawn + tally.lost
    phrase = p.WON_OF_TWO if tally.against.en else p.WON_OF
    return {"tally": tally, "n": n, "said": phrase.fill(**tally._asdict(), n=n)}


def _list_fields(lobby: LobbyView, lang: str) -> dict[str, object]:
    """Return the open tables, and the visitor's running game to go on with: one where it is their turn comes first."""
    mine = [_table_row(table) for table in sorted(lobby.mine, key=lambda table: not table.your_turn)[:1]]
    return {
        "open": list(map(_table_row, lobby.open)),
        "mine": mine,
        "more": len(lobby.mine) > 1,
        "challenges": lobby.challenges,
        "best": lobby.on_now.best,
        "watched": _watched_fields(lobby.on_now.watched, lang) if lobby.on_now.watched else None,
    }


def _watched_fields(watched: WatchedTable, lang: str) -> dict[str, object]:
    """Return the small board of a running game, and who plays."""
    table = watched.listed
    names = [occupant(seat) for seat in table.players]
    return {
        "art": scene_picture(watched.scene, lang),
        "who": p.GAME_OF_TWO.fill(game=table.title, first=names[0], second=names[-1]),
    }


def _table_row(table: ListedTable) -> dict[str, object]:
    """Return a table for a list, with what distinguishes it from others: opponents, day (UTC) and time, variant."""
    practice = (p.IN_PRACTICE,) if table.practice else ()
    offline = (p.IN_OFFLINE_PLAY,) if table.offline else ()
    at = datetime.fromtimestamp(table.at // 1000, UTC)
    options = describe_options(table.game, table.options)
    rated = p.RATED if table.rated else None
    return {
        "table": table,
        "who": [text for text in (table.who, *practice, *offline) if text.en],
        "day": day_at(table.at),
        "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "options": [text for text in (options, table.control and control_text(table.control), rated) if text],
    }


def _game_card(game: Game, lang: str) -> dict[str, object]:
    """Return the card of a game on the first page."""
    return {
        "game": game,
        "art": whole_board(game.id, lang),
        "seats": gentle_seats(game),
        "difficulty": game_difficulty(game),
    }


def game_difficulty(game: Game) -> tuple[int, Text, Text] | None:
    """Return the difficulty of a game as a number of dots, a word, and how often players win.

    It is None for a game that has not been measured, and for one for two, which is as difficult as its bots.
    """
    measured = beginner_rates(game)
    if measured is None:
        return None
    (rate,) = measured.rates.values()
    level, (_, word) = next((i, found) for i, found in enumerate(DIFFICULTIES) if rate.p >= found[0])
    phrase, strong = odds_words(game, measured, BEGINNERS), short_odds(game)
    return level + 1, word, phrase + strong if strong else phrase
