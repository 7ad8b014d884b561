"""Calls of the API for meeting others: profiles, finished games, challenges, the search for an opponent, events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from smallchange.server.meeting.account_events import AccountEvent
from smallchange.server.meeting.player_games import RESULT_NAMES, GameFilter, finished_games, visible_games
from smallchange.server.meeting.rows import Challenge as StoredChallenge
from smallchange.server.meeting.rows import StoredSeek
from smallchange.server.meeting.view import BOT_OFFERED_MS
from smallchange.server.ratings.api import HouseBot, house_shape
from smallchange.server.ratings.reviewed import play_ratings
from smallchange.server.table.http.api import Match, match_shape
from smallchange.server.table.model.clock import PRESETS, SPEEDS
from smallchange.server.table.model.commands import GameId, Id, Name
from smallchange.server.table.model.new_tables import Wish as StoredWish
from smallchange.server.table.model.outcome import Points
from smallchange.server.table.storage.store import PAGE_SIZE
from smallchange.server.web.api import ApiRequest, Calls
from smallchange.server.web.sessions import Account

MAX_PAGE = 999_999
TIMES = [str(preset) for preset in PRESETS]
calls = Calls()


class BoardRating(Struct):
    """The rating of an account in a game at a speed, after so many rated `matches`."""

    game: str
    speed: Annotated[str, Meta(extra_json_schema={"enum": list(SPEEDS)})]
    points: float
    deviation: float
    provisional: bool
    matches: int


class PlayRating(Struct):
    """The mean odds that a choice gave away, in this many reviewed matches, with its 95 % interval.

    `level` is the level of bots that gives away as much, from 1 to 5, between `level_low` and `level_high`; they are
    null where levels were not measured. `deal_points` and `deal_deviation` are the rating against deals in a game for
    one, where the best bot has 2000; they are null elsewhere.
    """

    game: str
    matches: int
    choices: int
    given: float
    given_low: float
    given_high: float
    level: float | None
    level_low: float | None
    level_high: float | None
    deal_points: float | None = None
    deal_deviation: float | None = None


class Profile(Struct):
    """An account, with its ratings. `owner` is that of a bot of a stranger; `house` describes a house bot.

    `play` has the play ratings, by game, from 10 reviewed matches on; null where the account does not show them.
    """

    name: str
    ratings: list[BoardRating]
    bot: bool = False
    owner: str | None = None
    house: HouseBot | None = None
    play: list[PlayRating] | None = None


class PlayedGame(Struct):
    """A finished game of an account.

    `at` is when it was begun, in milliseconds since 1970. `other` is the name of
    the other side, "" where there is none, and `bot` the bot there. `given` is the mean of the odds that a choice gave
    away, where the game was reviewed. `day` is the number of the day whose deal it was, counted from 1970.
    """

    match: str
    game: str
    at: int
    result: Annotated[str, Meta(extra_json_schema={"enum": list(RESULT_NAMES)})]
    rated: bool
    other: str
    bot: str
    given: float | None
    day: int | None


class PlayedQuery(Struct):
    """Which finished games to list."""

    game: Annotated[GameId, Meta(description="Those of this game.")] | None = None
    result: Annotated[Literal["won", "drawn", "lost"], Meta(description="Those that ended so.")] | None = None
    against: Annotated[Literal["people", "bots"], Meta(description="Those against these.")] | None = None
    rated: Annotated[Literal["1"], Meta(description="`1`: rated games alone.")] | None = None
    page: Annotated[
        int, Meta(ge=1, le=MAX_PAGE, description="From 1; `more` says whether another follows.")
    ] = 1


class Played(Struct):
    """Finished games of an account, the newest first. `more`: another page follows."""

    games: list[PlayedGame]
    more: bool


class Wish(Struct, forbid_unknown_fields=True):
    """A game for two and a time control, one of those that the site offers."""

    game: GameId
    time: Annotated[str, Meta(max_length=20, extra_json_schema={"enum": TIMES})]


class SeekOrder(Struct, forbid_unknown_fields=True):
    """Look for an opponent in any of these games."""

    wishes: list[Wish]
    rated: bool = True


class HouseOffer(Struct):
    """A rated game against a house bot, at this time."""

    bot: HouseBot
    time: str


class HouseAnswer(Struct, forbid_unknown_fields=True):
    """Play the house bot of this name, at one of the times of your search."""

    name: Name
    time: str


class Seeking(Struct):
    """Your search for an opponent, which has waited for so long. `wishes` is empty while there is none.

    `match` is your table once you are paired. `offer` is a game against a house bot, once you have waited for a while.
    """

    wishes: list[Wish]
    rated: bool
    waiting_ms: int
    match: str | None
    offer: HouseOffer | None = None


class NewChallenge(Wish):
    """Challenge an account to a match. Sides are drawn.

    In a game for one it is a duel. A game for two with luck and an empty `time` is a duplicate pair: you both play the
    same two deals against the same bot, one from each side.
    """

    time: Annotated[str, Meta(max_length=20, extra_json_schema={"enum": ["", *TIMES]})]
    rated: bool = True


class Yes(Struct, forbid_unknown_fields=True):
    """Answer a challenge. Its sender can only answer no, which withdraws it."""

    yes: bool


class Challenge(Struct):
    """A challenge by name. `match` is its table once it is accepted; without a `time`, `tournament` is the duel."""

    id: str
    challenger: str
    challenged: str
    game: str
    time: str
    rated: bool
    state: Literal["waiting", "accepted", "declined"]
    match: str | None
    tournament: str | None = None


class Challenges(Struct):
    """The challenges of yours and to you that wait for an answer."""

    challenges: list[Challenge]


class Event(Struct):
    """An event of your account: a `challenge` to you, or a `table` where it is your `turn` or an `offer` waits."""

    kind: Literal["challenge", "turn", "offer"]
    challenge: Challenge | None = None
    table: Match | None = None


@calls.get("/account/events", token=True)
async def account_events(request: ApiRequest) -> AsyncIterator[Event | None]:
    """Send events of your account: each challenge to you, and each table as often as it waits for you.

    First come those that wait already. While you follow it, you are present at all your tables.
    """
    account, services = request.known_account, request.services
    if account.is_bot:
        await services.bot_accounts.note_seen(request.session)

    async def events() -> AsyncIterator[Event | None]:
        async for found in services.events.follow(account):
            if (await services.accounts.identity(request.session)).account is None:
                return  # the token was revoked
            for event in found:
                yield _event_shape(request, event)
            if not found:
                yield None

    return events()


def _event_shape(request: ApiRequest, event: AccountEvent) -> Event:
    if event.challenge:
        return Event("challenge", challenge=_challenge_shape(request, event.challenge))
    assert event.live_table is not None
    table = match_shape(event.live_table, request.holder)
    return Event("turn" if table.legal else "offer", table=table)


@calls.get("/accounts/{name}")
async def profile(request: ApiRequest, name: Name) -> Profile:
    """Return an account, with its ratings."""
    accounts = request.services.accounts
    account = await accounts.by_name(name)
    ratings = [
        BoardRating(
            one.game,
            one.speed,
            one.standing.rating.points,
            one.standing.rating.deviation,
            one.standing.rating.provisional,
            one.standing.matches,
        )
        for one in await request.services.ratings.standings(account)
    ]
    owned = account.is_bot and not account.is_house
    owner = await request.services.bot_accounts.owner_name(account) if owned else None
    house = request.services.house_bots.find(account)
    about = house_shape(house) if house else None
    is_own = request.account is not None and request.account.id == account.id
    may_see = is_own or account.shows_results
    play = await _play_shapes(request, account) if may_see else None
    return Profile(account.name, ratings, account.is_bot, owner, about, play)


async def _play_shapes(request: ApiRequest, account: Account) -> list[PlayRating]:
    found = await play_ratings(request.services.tables.store, account.holder)
    return [
        PlayRating(
            one.game.id,
            one.matches,
            one.rating.cost.choices,
            one.rating.cost.mean,
            one.rating.cost.low,
            one.rating.cost.high,
            one.rating.level,
            one.rating.low,
            one.rating.high,
            one.against_deals.points if one.against_deals else None,
            one.against_deals.deviation if one.against_deals else None,
        )
        for one in found
        if one.rating
    ]


@calls.get("/played/{name}")
async def player_games(request: ApiRequest, name: Name, query: PlayedQuery) -> Played:
    """List the finished games of an account, the newest first, as on the page `/played/NAME`.

    All of yours are listed, and of an account that shows them those that everybody could find.
    """
    account = await request.services.accounts.by_name(name)
    visible = visible_games(request.holder, request.services, account)
    wanted = GameFilter(
        query.game or "", RESULT_NAMES.get(query.result or ""), query.against or "", query.rated == "1"
    )
    offset = PAGE_SIZE * (query.page - 1)
    found = await request.services.tables.store.read(
        lambda c: finished_games(c, visible, wanted, PAGE_SIZE + 1, offset)
    )
    results = {points: name for name, points in RESULT_NAMES.items()}
    games = [
        PlayedGame(
            one.match,
            one.game,
            one.created,
            results[Points(one.points)],
            one.rated,
            one.other,
            one.bot,
            one.cost,
            one.day,
        )
        for one in found[:PAGE_SIZE]
    ]
    return Played(games, len(found) > PAGE_SIZE)


@calls.post("/accounts/{name}/challenge", status=201, token=True)
async def challenge(request: ApiRequest, name: Name, body: NewChallenge) -> Challenge:
    """Challenge an account to a match."""
    other = await request.services.accounts.by_name(name)
    wish = StoredWish(body.game, body.time)
    sent = await request.services.challenges.challenge(
        request.known_account, other, wish, body.rated, request.address
    )
    return _challenge_shape(request, sent)


@calls.get("/challenges", token=True)
async def challenges(request: ApiRequest) -> Challenges:
    """List the challenges of yours and to you that wait for an answer."""
    found = await request.services.challenges.waiting(request.known_account)
    return Challenges([_challenge_shape(request, one) for one in found])


@calls.post("/challenges/{id}/answer", token=True)
async def answer_challenge(request: ApiRequest, id: Id, body: Yes) -> Challenge:
    """Accept or decline a challenge, or withdraw your own."""
    account = request.known_account
    found = await request.services.challenges.find(account, id)
    match = await request.services.challenges.answer(account, id, body.yes)
    return _challenge_shape(request, found._replace(match=match, declined=match is None))


def _challenge_shape(request: ApiRequest, found: StoredChallenge) -> Challenge:
    waits = found.is_waiting(request.services.tables.now())
    return Challenge(
        found.id,
        found.challenger,
        found.challenged,
        found.wish.game,
        found.wish.time,
        found.rated,
        "waiting" if waits else "accepted" if found.match else "declined",
        None if found.is_duel else found.match,
        found.match if found.is_duel else None,
    )


@calls.post("/seek", token=True)
async def seek(request: ApiRequest, body: SeekOrder) -> Seeking:
    """Look for an opponent with your account, in place of any earlier search.

    For live games, ask for it again within half a minute, or follow its stream.
    """
    wishes = [StoredWish(one.game, one.time) for one in body.wishes]
    return await _seek_shape(request, await request.services.seeks.begin(request.person, wishes, body.rated))


@calls.get("/seek", token=True)
async def current_seek(request: ApiRequest) -> Seeking:
    """Return your search for an opponent."""
    return await _seek_shape(request, await request.services.seeks.of(request.known_account))


@calls.post("/seek/bot", token=True)
async def play_house_bot(request: ApiRequest, body: HouseAnswer) -> Seeking:
    """Begin a rated game against a house bot, in answer to your search. The answer has the match."""
    bot = await request.services.accounts.by_name(body.name)
    await request.services.house_bots.answer_seek(request.person, bot, body.time)
    return await current_seek(request)


@calls.post("/seek/withdraw", token=True)
async def withdraw_seek(request: ApiRequest) -> Seeking:
    """Look for nobody any more. If you are paired already, the answer has the match."""
    await request.services.seeks.withdraw(request.known_account)
    return await _seek_shape(request, await request.services.seeks.of(request.known_account))


@calls.get("/seek/stream", token=True)
async def seek_stream(request: ApiRequest) -> AsyncIterator[Seeking]:
    """Send events while you look for an opponent.

    They have your search every few seconds, and at once when you are paired, which ends the stream.
    """
    account, seeks = request.known_account, request.services.seeks
    found = await seeks.of(account)

    async def events() -> AsyncIterator[Seeking]:
        async for now in seeks.follow(account, found.id if found else ""):
            yield await _seek_shape(request, now)

    return events()


async def _seek_shape(request: ApiRequest, seek: StoredSeek | None) -> Seeking:
    if seek is None:
        return Seeking([], False, 0, None)
    wishes, waited = [Wish(*wish) for wish in seek.wishes], request.services.tables.now() - seek.since
    shape = Seeking(wishes, seek.rated, waited, seek.match)
    if seek.match is None and waited >= BOT_OFFERED_MS:
        offer = await request.services.house_bots.offer(request.known_account, seek)
        shape.offer = HouseOffer(house_shape(offer.bot), offer.wish.time) if offer else None
    return shape
