"""The statistics of a person: results by game, with luck and mistakes from reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from smallchange.bots.play_rating import MIN_MATCHES
from smallchange.core.game import Game
from smallchange.i18n.formats import decimal
from smallchange.i18n.text import Text, plain
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page


class ReviewedGame(NamedTuple):
    """The sums of these over the reviewed matches of a game that one holder played."""

    game: str
    matches: int
    luck: float
    given: float


NOTHING = plain("\N{EN DASH}")
SIGNED = plain("{sign}{n}")


class GameStatistics(NamedTuple):
    """A row of the page: results of a game. `luck` and the loss by choices (`given`) are in wins."""

    title: Text
    won: int
    drawn: int | None  # None in a game without draws for one player
    lost: int
    reviewed: int
    luck: Text
    given: Text


def statistics_page(
    results: Mapping[str, tuple[int, int, int]],
    reviewed: Sequence[ReviewedGame],
    play: Sequence[Mapping[str, object]],
    visit: PageContext,
) -> str:
    """Return the page. `results` has by game how many matches were won, drawn and lost, `play` rows of play ratings."""
    return render_page(
        "statistics.html",
        visit,
        p.STATISTICS,
        rows=statistics_rows(results, reviewed),
        play=play,
        least=MIN_MATCHES,
    )


def statistics_rows(
    results: Mapping[str, tuple[int, int, int]], reviewed: Sequence[ReviewedGame]
) -> list[GameStatistics]:
    """Return the rows of the table of results and reviews, by game."""
    found = {one.game: one for one in reviewed}
    return [_row(Game(id), counts, found.get(id)) for id, counts in results.items()]


def _row(game: Game, counts: tuple[int, int, int], found: ReviewedGame | None) -> GameStatistics:
    won, drawn, lost = counts
    return GameStatistics(
        game.words.TITLE,
        won,
        drawn if len(game.seats) > 1 else None,
        lost,
        found.matches if found else 0,
        wins_text(found.luck, signed=True) if found and game.sources else NOTHING,
        wins_text(found.given) if found else NOTHING,
    )


def wins_text(wins: float, signed: bool = False) -> Text:
    """Return a number of wins with one digit after the point.

    >>> wins_text(1.26, signed=True).en, wins_text(-0.04, signed=True).en, wins_text(0.5).en
    ('+1.3', '0.0', '0.5')
    """
    tenths = round(10 * wins)
    sign = "\N{MINUS SIGN}" if tenths < 0 else "+" if signed and tenths > 0 else ""
    return SIGNED.fill(sign=sign, n=decimal(str(abs(tenths) / 10)))
