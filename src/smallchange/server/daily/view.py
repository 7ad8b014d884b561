"""The deal of the day: today's deals, the standings of a day that has closed, and the picture of a result to share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from importlib.util import find_spec

from smallchange.bots.levels import percentage
from smallchange.core.game import Game
from smallchange.i18n.formats import day as day_text
from smallchange.i18n.text import Text
from smallchange.render.theme import LIGHT
from smallchange.server.daily.days import DailyCard, DailyStandings
from smallchange.server.table.view.board_pictures import close_up, opening_board
from smallchange.server.table.view.ending import ResultCard, result_card, split_verdict
from smallchange.server.table.view.options import describe_options
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

EPOCH = date(1970, 1, 1)
MINUTE_MS, HOUR_MS = 60_000, 3_600_000


def date_of(day: int) -> date:
    """Return the date of a day, counted from 1 January 1970.

    >>> date_of(0), date_of(20782)
    (datetime.date(1970, 1, 1), datetime.date(2026, 11, 25))
    """
    return EPOCH + timedelta(days=day)


def day_of(text: str) -> int | None:
    """Return the number of a day that is written like 2026-11-25; None for anything else.

    >>> day_of("2026-11-25"), day_of("25.11.2026")
    (20782, None)
    """
    try:
        return (datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date() - EPOCH).days
    except ValueError:
        return None


def daily_page(
    cards: Sequence[DailyCard], closes_in_ms: int, streak: int, archive: Sequence[int], visit: PageContext
) -> str:
    """Return the page of today's deals, with links to days that have closed."""
    return render_page(
        "daily.html",
        visit,
        p.DAILY,
        cards=[_card(card, visit) for card in cards],
        closes=p.CLOSES_IN.fill(hours=closes_in_ms // HOUR_MS, minutes=closes_in_ms % HOUR_MS // MINUTE_MS),
        today=day_text(date_of(cards[0].day)) if cards else None,
        streak=streak,
        archive=[(date_of(day).isoformat(), day_text(date_of(day))) for day in archive],
    )


def standings_page(day: int, games: Sequence[DailyStandings], visit: PageContext) -> str:
    """Return the standings of a day that has closed."""
    listed = [
        {
            "game": one.game,
            "way": way_of_playing(one.game),
            "entries": one.entries,
            "places": [(row, split_verdict(row.verdict, visit.lang)[1]) for row in one.places],
            "par": split_verdict(one.par, visit.lang)[1] if one.par else "",
            "par_match": one.par_match,
        }
        for one in games
    ]
    heading = p.DAILY_OF.fill(day=day_text(date_of(day)))
    return render_page("standings.html", visit, heading, games=listed)


def way_of_playing(game: Game) -> Text | None:
    """Return the name of the preset that a game is played by; None for one without presets."""
    offered = game.presets.PRESETS if game.presets else ()
    return next(
        (preset.title for preset in offered if dict(preset.options) == game.non_default_options), None
    )


def placing_texts(card: DailyCard) -> list[Text]:
    """Return the sentences on the place of a result among all, [] where nothing counts."""
    if not (card.place or card.counts):
        return []
    found = [p.PLACE_OF.fill(place=card.place, n=card.entries) if card.place else p.NO_PLACE]
    if card.others > 0:
        found.append(p.BETTER_THAN.fill(share=percentage(card.worse / card.others)))
    return found


def _card(card: DailyCard, visit: PageContext) -> dict[str, object]:
    """Return what a card shows: how one stands, and a text to share that says nothing of the luck."""
    lang = visit.lang
    ranks = placing_texts(card)
    verdict = split_verdict(card.verdict, lang)[1] if card.verdict else ""
    shared = ""
    if verdict and ranks:
        day = day_text(date_of(card.day))
        share_text = p.SHARED.fill(site=p.NAME, game=card.game.words.TITLE, day=day)
        place = f" {ranks[0][lang]}" if card.place else ""
        shared = f"{share_text[lang]}\n{verdict}{place}\n{visit.origin}/daily"
    return {
        "game": card.game,
        "art": opening_board(card.game.id, tuple(card.game.non_default_options.items()), lang),
        "way": way_of_playing(card.game),
        "options": describe_options(card.game.id, card.game.non_default_options),
        "match": card.match,
        "verdict": verdict,
        "standing": ranks or [p.TOO_LATE],
        "entries": card.finished,
        "par": split_verdict(card.par, lang)[1] if card.par else "",
        "shared": shared,
        "pictures": ("svg", "png") if find_spec("cairosvg") else ("svg",),
    }


BOARD_UNITS = (210, 225)
MARKS = 10  # squares, filled for the share of players that one did better than


def daily_picture(card: DailyCard, origin: str, lang: str) -> str | None:
    """Return the picture as SVG; None before the end, and for a result that does not count."""
    if not card.verdict or not (card.place or card.counts):
        return None
    verdict = split_verdict(card.verdict, lang)[1]
    day = day_text(date_of(card.day))[lang]
    ranks = (text[lang] for text in placing_texts(card) if text is not p.NO_PLACE)
    address = f"{origin}/daily".partition("://")[2]
    board = close_up(card.game.id, BOARD_UNITS, lang)
    said = (verdict, *ranks)
    return result_card(ResultCard(card.game.words.TITLE[lang], day, said, board, address, _marks(card)), lang)


def _marks(card: DailyCard) -> str:
    """Draw MARKS squares, of which the share of the others that did worse is filled."""
    if card.others < 1:
        return ""
    filled = MARKS * card.worse // card.others
    squares = (
        f'<rect x="{28 + 24 * n}" y="216" width="18" height="18" rx="3" stroke="{LIGHT["accent"]}" stroke-width="1.5"'
        f' fill="{LIGHT["accent"] if n < filled else "none"}"/>'
        for n in range(MARKS)
    )
    return "".join(squares)
