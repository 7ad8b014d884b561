"""Play ratings in words."""

from __future__ import annotations

from collections.abc import Sequence

from smallchange.bots.levels import percentage
from smallchange.bots.mean_cost import Z95, MeanCost
from smallchange.bots.play_rating import MIN_MATCHES, PlayRating
from smallchange.i18n.formats import decimal, number
from smallchange.i18n.text import Text
from smallchange.server.ratings.deals import BEST_BOT_POINTS
from smallchange.server.ratings.glicko2 import Rating
from smallchange.server.web import phrases as p
from smallchange.server.web.view_model import GamePlayRating


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
    """Say the rating against deals, with its 95 % interval."""
    doubt = round(Z95 * rating.deviation)
    return p.AGAINST_DEALS.fill(rating=round(rating.points), doubt=doubt, best=round(BEST_BOT_POINTS))


def _level_text(rating: PlayRating) -> Text | None:
    """Return the level that gives away as much; None where levels were not measured."""
    if rating.level is None or rating.low is None or rating.high is None:
        return None
    level, low, high = (decimal(f"{figure:.1f}") for figure in (rating.level, rating.low, rating.high))
    return p.LIKE_LEVEL.fill(level=level, low=low, high=high)


def cost_text(cost: MeanCost) -> Text:
    """Return the mean odds given away per choice, with their interval and sample.

    >>> cost_text(MeanCost(12, 3773, 0.00198, 0.00162, 0.00233)).en
    'gives away 0.20% (0.16% to 0.23%) per choice, in 3,773 choices of 12 games'
    """
    mean, low, high = (percentage(share, cost.mean, fine=1) for share in (cost.mean, cost.low, cost.high))
    return p.GIVEN_PER_CHOICE.fill(
        share=mean, low=low, high=high, choices=number(cost.choices), games=number(cost.matches)
    )
