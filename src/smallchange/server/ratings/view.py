"""Ratings of results, of play and of house bots, in digits, words and a graph; and the statistics of a person."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from smallchange.bots.levels import load_bots, percentage, title
from smallchange.bots.mean_cost import MeanCost
from smallchange.bots.play_rating import MIN_MATCHES, PlayRating
from smallchange.core.game import Game, games
from smallchange.core.glicko2 import (
    MIN_DEVIATION,
    PROVISIONAL_DEVIATION,
    START_RATING,
    Rating,
    expected_score,
)
from smallchange.i18n.formats import decimal, number, percent
from smallchange.i18n.text import Text, capital, plain
from smallchange.server.ratings.anchors import ZERO_LEVEL, HouseBot
from smallchange.server.ratings.reviewed import BEST_BOT_POINTS, GamePlayRating
from smallchange.server.ratings.rows import BoardStanding, RatedPoint
from smallchange.server.table.model.clock import BLITZ, PRESETS, RAPID, SLOW
from smallchange.server.table.view.seats import bot_name
from smallchange.server.table.view.table_view import USUAL_TIME, control_text
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

STEP_POINTS = 100  # the scale of a graph begins and ends at a multiple
MIN_GRAPH_GAMES = 3  # with fewer there is nothing to see
KNOWN_START = Rating(START_RATING, MIN_DEVIATION)  # whom a chance to win is said against
SPEED_NAMES = {BLITZ: p.BLITZ, RAPID: p.RAPID, SLOW: p.BY_CORRESPONDENCE}


def rating_digits(points: float, deviation: float) -> str:
    """Return a rating, rounded. A question mark stands after a provisional one.

    >>> rating_digits(1500.0, 350.0), rating_digits(1612.4, 48.6)
    ('1500?', '1612')
    """
    mark = "?" if deviation > PROVISIONAL_DEVIATION else ""
    return f"{round(points)}{mark}"


def standing_rows(standings: Sequence[BoardStanding]) -> list[dict[str, object]]:
    """Return the ratings of an account as rows of a list."""
    return [
        {
            "game": Game(one.game).words.TITLE if one.game in games() else plain(one.game),
            "speed": SPEED_NAMES[one.speed],
            "digits": rating_digits(one.standing.rating.points, one.standing.rating.deviation),
            "matches": p.RATED_MATCHES.fill(n=one.standing.matches),
        }
        for one in standings
    ]


def profile_rows(
    standings: Sequence[BoardStanding],
    histories: Sequence[Sequence[RatedPoint]],
    visitors: Sequence[BoardStanding],
) -> list[dict[str, object]]:
    """Return the ratings of an account with their graphs, and what each means as an expected score.

    `visitors` are the ratings of the visitor: against them the score is said where there is one on the same board.
    """
    mine = {(one.game, one.speed): one.standing.rating for one in visitors}
    rows = standing_rows(standings)
    for row, one, history in zip(rows, standings, histories, strict=True):
        rating, own = one.standing.rating, mine.get((one.game, one.speed))
        row["meaning"] = (
            expected_text(own, rating)
            if own
            else p.EXPECTED_SCORE.fill(points=round(START_RATING), share=_score_text(rating, KNOWN_START))
        )
        if len(history) >= MIN_GRAPH_GAMES:
            shown = [round(point.points) for point in history]
            row["graph"] = rating_graph(history)
            row["course"] = p.RATING_GRAPH.fill(
                first=shown[0], last=shown[-1], n=len(shown), low=min(shown), high=max(shown)
            )
    return rows


def expected_text(own: Rating, other: Rating) -> Text:
    """Say which score the visitor can expect against another rating."""
    return p.YOUR_EXPECTED_SCORE.fill(share=_score_text(own, other))


def _score_text(first: Rating, second: Rating) -> Text:
    return percent(f"{100 * expected_score(first, second):.0f}")


def rating_graph(history: Sequence[RatedPoint]) -> Markup:
    """Return the ratings after these games as a picture, the oldest game on the left.

    The vertical scale covers every rating with its deviation, in whole hundreds of points.
    """
    low = min(one.points - one.deviation for one in history) // STEP_POINTS * STEP_POINTS
    high = -(-max(one.points + one.deviation for one in history) // STEP_POINTS) * STEP_POINTS
    spread = max(1, len(history) - 1)

    def place(n: int, points: float) -> str:
        return f"{100 * n / spread:.4g} {100 * (high - points) / (high - low):.4g}"

    upper = [place(n, one.points + one.deviation) for n, one in enumerate(history)]
    lower = [place(n, one.points - one.deviation) for n, one in enumerate(history)]
    line = ", ".join(place(n, one.points) for n, one in enumerate(history))
    return Markup(
        f'<span class="scale" aria-hidden="true"><span>{high:.0f}</span><span>{low:.0f}</span></span>'
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="grid" d="M0 0H100M0 100H100"/>'
        f'<polygon class="deviation" points="{", ".join(upper + lower[::-1])}"/>'
        f'<polyline class="rating" points="{line}"/></svg>'
    )


def play_rating_rows(ratings: Sequence[GamePlayRating]) -> list[dict[str, object]]:
    """Return the play ratings of a player as rows of a list; one that is not there yet says what it lacks."""
    return [
        {
            "game": one.game.words.TITLE,
            "level": _level_text(one.rating) if one.rating else None,
            "cost": cost_text(one.rating.cost)
            if one.rating
            else p.PLAY_RATING_LATER.fill(have=one.matches, n=MIN_MATCHES),
            "deals": _deals_text(one.against_deals) if one.against_deals else None,
        }
        for one in ratings
    ]


def _deals_text(rating: Rating) -> Text:
    """Say the rating against deals."""
    return p.AGAINST_DEALS.fill(rating=round(rating.points), best=round(BEST_BOT_POINTS))


def _level_text(rating: PlayRating) -> Text | None:
    """Return the level that gives away as much; None where levels were not measured."""
    return None if rating.level is None else p.LIKE_LEVEL.fill(level=decimal(f"{rating.level:.1f}"))


def cost_text(cost: MeanCost) -> Text:
    """Return the mean odds given away per choice, with their sample.

    >>> cost_text(MeanCost(12, 3773, 0.00198, 0.00162, 0.00233)).en
    'gives away 0.20% per choice (games: 12; choices: 3,773)'
    """
    share = percentage(cost.mean, cost.mean, fine=1)
    return p.GIVEN_PER_CHOICE.fill(share=share, choices=number(cost.choices), games=number(cost.matches))


def house_title(house: HouseBot) -> Text:
    """Return the name of a house bot with its game, as the reader's language has them."""
    return p.HOUSE_NAME.fill(name=bot_name(house.anchor.level), game=Game(house.game).words.TITLE)


def house_rows(bots: Sequence[HouseBot]) -> list[dict[str, object]]:
    """Return house bots as rows of a list."""
    return [
        {
            "name": one.account.name,
            "title": house_title(one),
            "points": round(one.anchor.points),
            "game": one.game,
            "time": USUAL_TIME,
        }
        for one in bots
    ]


def house_bot_page(
    name: str, house: HouseBot | None, visitors: Sequence[BoardStanding], blocked: bool, visit: PageContext
) -> str:
    """Return the page of a house bot: what it is, its rating and where that comes from, and the way to a game.

    `house` is None for one that does not play here now. `visitors` are the ratings of the visitor.
    """
    return render_page(
        "house_bot.html",
        visit,
        house_title(house) if house else plain(name),
        name=name,
        house=house,
        blocked=blocked,
        facts=_facts(house, visitors) if house else None,
        times=[(str(control), control_text(control)) for control in PRESETS],
        usual=USUAL_TIME,
    )


def _facts(house: HouseBot, visitors: Sequence[BoardStanding]) -> dict[str, object]:
    """Return what a house bot is, its rating, the measurements it follows from, and the visitor's chances."""
    game, anchor = Game(house.game), house.anchor
    own = [one for one in visitors if one.game == house.game]
    return {
        "what": p.HOUSE_BOT_OF.fill(level=title(anchor.level), game=game.words.TITLE),
        "rating": round(anchor.points),
        "origin": p.ABOUT_FIXED_RATING.fill(zero=title(ZERO_LEVEL), start=str(round(START_RATING))),
        "steps": [
            p.MEASURED_STEP.fill(
                better=title(level),
                share=percentage(found.share),
                n=number(found.n),
                other=title(found.against),
            )
            for level, found in anchor.steps
        ],
        "given": _given_text(game, anchor.level),
        "chances": [
            (SPEED_NAMES[one.speed], expected_text(one.standing.rating, anchor.rating)) for one in own
        ],
    }


def _given_text(game: Game, level: str) -> Text | None:
    """Return the odds that a level gives away per choice; None if they were not measured."""
    given = load_bots(game)[level].given
    if given is None or given.rules != game.version:
        return None
    cost = MeanCost(given.n, given.choices, given.mean, given.low, given.high)
    return capital(cost_text(cost))
