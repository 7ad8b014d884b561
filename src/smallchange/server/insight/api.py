"""The call of the API for the review of a match."""

from __future__ import annotations

import msgspec
from msgspec import Struct, field

from smallchange.bots.review import to_json
from smallchange.server.table.model.commands import TableId
from smallchange.server.web.api import ApiRequest, Calls

calls = Calls()


class Choice(Struct):
    """A choice of a review.

    `step` is the number of its step, from 1, and `move` that of the decision, as the log counts them. `chance` is
    that of winning after it, from 0 to 1, or null where the search did not look at it. `best` is the best
    move, `better` the chance after that. `cost` are the odds that the choice cost, or 0 where they are too few to
    tell. If `exact`, the odds are those of perfect play, not an estimate.
    """

    step: int
    move: int
    player: str
    token: str
    chance: float | None
    best: str
    better: float
    exact: bool
    cost: float


class Account(Struct):
    """A player's match in odds of winning.

    `promised` are the odds at the first choice. Less those `given` away by choices, plus the `rest`, which is
    luck and the opponent, they make the `result`: 1, 0.5 or 0. The last two are null in a match that was not
    played to its end. promised + `luck` - given + `others` + `doubt` = `end`, which is the result if there is
    one: `others` are the odds that the other side gave away, `doubt` is what the bot judged differently when it
    looked again. `accuracy`, from 0 to 1, is that of chess sites.
    """

    player: str
    promised: float
    given: float
    result: float | None
    rest: float | None
    luck: float
    others: float
    doubt: float
    end: float
    accuracy: float


class Review(Struct):
    """The best bot's judgement of an ended match: `done` of `total` choices are judged.

    The choices are sent once all are judged: ask again.
    """

    done: int
    total: int
    choices: list[Choice] = field(default_factory=list)
    accounts: list[Account] = field(default_factory=list)


@calls.get("/matches/{id}/review", token=True)
async def review(request: ApiRequest, id: TableId) -> Review:
    """Review every choice of an ended match by the best bot. To begin one counts as a hint."""
    history = (await request.services.tables.live.current(id, request.holder)).history
    review = request.services.insight.review(request.known_holder, request.address, history)
    judged = {} if review.running else to_json(review.match, review.choices)
    return msgspec.convert({"done": len(review.choices), "total": review.total} | judged, Review)
