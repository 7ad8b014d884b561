"""House bots: their page, and their fixed ratings in words."""

from __future__ import annotations

from collections.abc import Sequence

from smallchange.bots.levels import load_bots, percentage, title
from smallchange.bots.mean_cost import MeanCost
from smallchange.core.game import Game
from smallchange.core.glicko2 import START_RATING
from smallchange.i18n.formats import number
from smallchange.i18n.text import Text, capital, plain
from smallchange.server.ratings.anchors import ZERO_LEVEL
from smallchange.server.ratings.house_bot_rows import HouseBot
from smallchange.server.ratings.rows import BoardStanding
from smallchange.server.ratings.view import SPEED_NAMES, cost_text, expected_text
from smallchange.server.table.model.time_control import PRESETS
from smallchange.server.table.view.clock_view import USUAL_TIME, control_text
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page


def house_rows(bots: Sequence[HouseBot]) -> list[dict[str, object]]:
    """Return house bots as rows of a list."""
    return [
        {"name": one.account.name, "points": round(one.anchor.points), "game": one.game, "time": USUAL_TIME}
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
        plain(name),
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
