"""The finished games of a player: a list with filters, and the files of their records."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from smallchange.bots.levels import percentage, title
from smallchange.core.game import Game, games
from smallchange.i18n.formats import day_at
from smallchange.i18n.text import Text, plain
from smallchange.server.meeting.finished_games import BOTS, PEOPLE, FinishedGame, GameFilter
from smallchange.server.table.model.outcome import Points
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

RESULT_NAMES = {"won": Points.WIN, "drawn": Points.DRAW, "lost": Points.LOSS}  # as queries have them
RESULT_TEXTS = {Points.WIN: p.WON_HEADING, Points.DRAW: p.DRAWN_HEADING, Points.LOSS: p.LOST_HEADING}
TEXT, JSON, PPN = "txt", "json", "ppn"  # kinds of files
MAX_RECORDS = 500  # in a file


def games_page(
    name: str, found: Sequence[FinishedGame], wanted: GameFilter, place: tuple[int, bool], visit: PageContext
) -> str:
    """Return a page of the games of an account. `place` has the number of the page, and whether another follows."""
    number, more = place
    path, query = games_path(name), games_query(wanted)
    results = [(key, RESULT_TEXTS[points], wanted.points == points) for key, points in RESULT_NAMES.items()]
    against = [(PEOPLE, p.PEOPLE), (BOTS, p.BOTS_AS_OPPONENTS)]
    return render_page(
        "player_games.html",
        visit,
        p.GAMES_OF.fill(who=name),
        name=name,
        path=path,
        rows=[game_row(one) for one in found],
        wanted=wanted,
        offered=list(map(Game, games())),
        results=results,
        against=against,
        most=MAX_RECORDS,
        newer=_page_link(path, query, number - 1) if number > 1 else "",
        older=_page_link(path, query, number + 1) if more else "",
        files=[(kind, _page_link(path, query | {"file": kind}, number)) for kind in (TEXT, JSON, PPN)],
    )


def games_path(name: str) -> str:
    """Return the path of the page of an account's games."""
    return f"/played/{quote(name, safe='')}"


def game_row(one: FinishedGame) -> dict[str, object]:
    """Return a finished game as a row of a list."""
    who = title(one.bot) if one.bot and one.bot == one.other else plain(one.other)
    about: list[Text] = [p.AGAINST_WHOM.fill(who=who)] if one.other else []
    about += [p.RATED] if one.rated else []
    about += [p.GIVEN_IN_GAME.fill(share=percentage(one.cost))] if one.cost is not None else []
    return {
        "match": one.match,
        "game": Game(one.game).words.TITLE if one.game in games() else plain(one.game),
        "result": RESULT_TEXTS[Points(one.points)],
        "day": day_at(one.created),
        "about": about,
    }


def games_query(wanted: GameFilter) -> dict[str, str]:
    """Return a filter as the fields of a query.

    >>> games_query(GameFilter("", Points.WIN, "", True))
    {'result': 'won', 'rated': '1'}
    """
    result = next((key for key, points in RESULT_NAMES.items() if points == wanted.points), "")
    fields = {"game": wanted.game, "result": result, "against": wanted.against}
    return {key: value for key, value in fields.items() if value} | ({"rated": "1"} if wanted.rated else {})


def _page_link(path: str, query: dict[str, str], number: int) -> str:
    return f"{path}?{urlencode(query | {'page': str(number)})}"
