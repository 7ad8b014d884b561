"""Endpoints of the JSON API.

A program is identified by its bearer token alone. Cookies are ignored, so that no page of another site can
act for a visitor.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

import smallchange
from smallchange import bots as mind
from smallchange.bots.review import to_json
from smallchange.core import record
from smallchange.core.errors import BadRecord
from smallchange.server.accounts.account_events import AccountEvent
from smallchange.server.accounts.rows import Account
from smallchange.server.accounts.service import Browser
from smallchange.server.meeting.challenge_rows import Challenge as StoredChallenge
from smallchange.server.meeting.finished_games import finished_games
from smallchange.server.meeting.pairing import Wish
from smallchange.server.meeting.player_games_view import RESULT_NAMES
from smallchange.server.meeting.player_pages import read_filter, visible_games
from smallchange.server.meeting.seek_rows import StoredSeek
from smallchange.server.meeting.view import BOT_OFFERED_MS
from smallchange.server.ratings.house_bot_rows import HouseBot
from smallchange.server.ratings.play_ratings import play_ratings
from smallchange.server.services import Services
from smallchange.server.table import commands, messages
from smallchange.server.table import table_lists as lists
from smallchange.server.table.commands import MAX_PLY, Command, NewTable
from smallchange.server.table.days_off import days_left, take_days_off
from smallchange.server.table.live_table import LiveTable
from smallchange.server.table.protocol_page import page
from smallchange.server.table.store import PAGE_SIZE
from smallchange.server.table.subscription import (
    Subscription,
    clock_of,
    ending_of,
    in_all_languages,
    offer_of,
    told_message,
)
from smallchange.server.tournaments.api_shapes import tournament_head, tournament_shape
from smallchange.server.tournaments.service import TournamentOrder
from smallchange.server.web.api import shapes
from smallchange.server.web.api.openapi import description
from smallchange.server.web.compression import with_validator
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.event_stream import EventStream
from smallchange.server.web.sessions import (
    bearer_token,
    check_identity,
    client_address,
    new_token,
    token_hash,
)
from smallchange.server.web.view_model import DailyCard, WatchedTable

KEEPALIVE_S = 15.0  # between comments on a quiet stream


class ApiRequest:
    """A request of a program: the services, its body, and the holder of its token ("" without one).

    `account` is the one that is signed in by the token, if any: `identify` finds it.
    """

    def __init__(self, request: Request, body: Any) -> None:
        self.request = request
        self.body = body
        self.services: Services = request.app.state.services
        self.token = bearer_token(request)
        self.session = self.holder = token_hash(self.token) if self.token else ""
        self.address = client_address(request)
        self.account: Account | None = None

    async def identify(self) -> None:
        """Find the account of the token. Refuse a token that is no longer valid."""
        if self.token:
            identity = await self.services.accounts.identity(self.session)
            check_identity(self.token, identity)
            self.account = identity.account
            self.holder = identity.account.holder if identity.account else self.holder

    @property
    def known_account(self) -> Account:
        """The account of the token. Refuse a request without one."""
        if self.account is None:
            raise Refused(ErrorCode.NO_ACCOUNT)
        return self.account

    @property
    def person(self) -> Account:
        """The account of the token. Refuse a request without one, and a bot."""
        self.refuse_bot()
        return self.known_account

    def refuse_bot(self) -> None:
        """Refuse what bots of strangers cannot do: they play by challenges alone."""
        if self.account and self.account.is_bot:
            raise Refused(ErrorCode.BOT_ACCOUNT)

    @property
    def known_holder(self) -> str:
        """The holder of the token. Refuse a request without one."""
        if not self.holder:
            raise Refused(ErrorCode.BAD_TOKEN)
        return self.holder

    async def live_table(self) -> LiveTable:
        """Return the table that the path names."""
        return await self.services.tables.current(self.request.path_params["id"], self.holder)


async def games(call: ApiRequest) -> shapes.Games:
    """Return the games and the bots."""
    return shapes.Games([_game(smallchange.game(id)) for id in smallchange.games()], mind.names())


async def sign_up(call: ApiRequest) -> shapes.SignedIn:
    """Create an account. A guest's seats go with it."""
    if call.account:
        raise Refused(ErrorCode.SIGN_IN_FAILED)
    token, browser = _new_session(call)
    account, codes = await call.services.accounts.sign_up(browser, call.body.name, call.body.password)
    return shapes.SignedIn(account.name, token, codes)


async def sign_in(call: ApiRequest) -> shapes.SignedIn:
    """Sign in by password or recovery code. A guest's seats go to the account."""
    token, browser = _new_session(call)
    account = await call.services.accounts.sign_in(browser, call.body.name, call.body.password)
    return shapes.SignedIn(account.name, token)


def _new_session(call: ApiRequest) -> tuple[str, Browser]:
    """Return a new token, and the program as a browser that gets it in place of its present one."""
    token = new_token()
    present = token_hash(call.token or new_token())
    agent = call.request.headers.get("user-agent", "")
    return token, Browser(present, token_hash(token), call.address, agent)


async def account(call: ApiRequest) -> shapes.Me:
    """Return the account of the token."""
    account = call.known_account
    owner = await call.services.bot_accounts.owner_name(account) if account.is_bot else None
    return shapes.Me(account.name, account.is_bot, owner)


async def account_events(call: ApiRequest) -> Response:
    """Return a stream of server-sent events of the account."""
    account, services = call.known_account, call.services
    if call.request.method == "HEAD":
        return Response(media_type="text/event-stream")
    if account.is_bot:
        await services.bot_accounts.note_seen(call.session)

    async def events() -> AsyncIterator[bytes]:
        async for found in services.events.follow(account):
            if (await services.accounts.identity(call.session)).account is None:
                return  # the token was revoked
            for event in found:
                yield b"data: " + msgspec.json.encode(_event_shape(call, event)) + b"\n\n"
            if not found:
                yield b": here\n\n"

    return EventStream(services, call.address, events())


def _event_shape(call: ApiRequest, event: AccountEvent) -> shapes.Event:
    if event.challenge:
        return shapes.Event("challenge", challenge=_challenge_shape(call, event.challenge))
    assert event.live_table is not None
    table = match_shape(event.live_table, call.holder)
    return shapes.Event("turn" if table.legal else "offer", table=table)


async def profile(call: ApiRequest) -> shapes.Profile:
    """Return an account with its ratings."""
    accounts = call.services.accounts
    account = await accounts.by_name(call.request.path_params["name"])
    ratings = [
        shapes.BoardRating(
            one.game,
            one.speed,
            one.standing.rating.points,
            one.standing.rating.deviation,
            one.standing.rating.provisional,
            one.standing.matches,
        )
        for one in await accounts.standings(account)
    ]
    owned = account.is_bot and not account.is_house
    owner = await call.services.bot_accounts.owner_name(account) if owned else None
    house = call.services.house_bots.find(account)
    about = _house_shape(house) if house else None
    is_own = call.account is not None and call.account.id == account.id
    may_see = is_own or account.shows_results
    play = await _play_shapes(call, account) if may_see else None
    return shapes.Profile(account.name, ratings, account.is_bot, owner, about, play)


async def player_games(call: ApiRequest) -> shapes.Played:
    """Return a page of the finished games of an account that the program may see."""
    account = await call.services.accounts.by_name(call.request.path_params["name"])
    visible = visible_games(call.holder, call.services, account)
    wanted, number = read_filter(call.request.query_params)
    offset = PAGE_SIZE * (number - 1)
    found = await call.services.tables.store.read(
        lambda c: finished_games(c, visible, wanted, PAGE_SIZE + 1, offset)
    )
    results = {points: name for name, points in RESULT_NAMES.items()}
    games = [
        shapes.PlayedGame(
            one.match,
            one.game,
            one.created,
            results[one.points],
            one.rated,
            one.other,
            one.bot,
            one.cost,
            one.day,
        )
        for one in found[:PAGE_SIZE]
    ]
    return shapes.Played(games, len(found) > PAGE_SIZE)


async def _play_shapes(call: ApiRequest, account: Account) -> list[shapes.PlayRating]:
    found = await play_ratings(call.services.tables.store, account.holder)
    return [
        shapes.PlayRating(
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


def _house_shape(house: HouseBot) -> shapes.HouseBot:
    anchor = house.anchor
    return shapes.HouseBot(
        house.account.name, house.game, anchor.level, anchor.points, anchor.low, anchor.high
    )


async def leaders(call: ApiRequest) -> shapes.Leaders:
    """Return the leaderboards of a game."""
    game = call.request.path_params["game"]
    if game not in smallchange.games():
        raise Refused(ErrorCode.NO_PAGE)
    boards = await call.services.accounts.leaders(game)
    return shapes.Leaders(
        {
            speed: [
                shapes.Leader(
                    one.name,
                    one.standing.rating.points,
                    one.standing.rating.deviation,
                    one.standing.matches,
                )
                for one in board.leaders
            ]
            for speed, board in boards.items()
        },
        [_house_shape(bot) for bot in await call.services.house_bots.all() if bot.game == game],
    )


async def seek(call: ApiRequest) -> shapes.Seeking:
    """Look for an opponent."""
    call.services.count_message(call.person.holder, call.address)
    wishes = [Wish(one.game, one.time) for one in call.body.wishes]
    return await _seek_shape(call, await call.services.seeks.begin(call.person, wishes, call.body.rated))


async def current_seek(call: ApiRequest) -> shapes.Seeking:
    """Return the seek of the account, and keep it alive."""
    return await _seek_shape(call, await call.services.seeks.of(call.known_account))


async def withdraw_seek(call: ApiRequest) -> shapes.Seeking:
    """Look for nobody any more."""
    await call.services.seeks.withdraw(call.known_account)
    return await _seek_shape(call, await call.services.seeks.of(call.known_account))


async def seek_stream(call: ApiRequest) -> Response:
    """Return a stream of server-sent events of the account's seek."""
    account, seeks = call.known_account, call.services.seeks
    found = await seeks.of(account)
    if call.request.method == "HEAD":
        return Response(media_type="text/event-stream")

    async def events() -> AsyncIterator[bytes]:
        async for now in seeks.follow(account, found.id if found else ""):
            yield b"data: " + msgspec.json.encode(await _seek_shape(call, now)) + b"\n\n"

    return EventStream(call.services, call.address, events())


async def play_house_bot(call: ApiRequest) -> shapes.Seeking:
    """Begin a rated game against a house bot, in answer to the account's seek."""
    bot = await call.services.accounts.by_name(call.body.name)
    await call.services.house_bots.answer_seek(call.person, bot, call.body.time)
    return await current_seek(call)


async def _seek_shape(call: ApiRequest, seek: StoredSeek | None) -> shapes.Seeking:
    if seek is None:
        return shapes.Seeking([], False, 0, None)
    wishes, waited = [shapes.Wish(*wish) for wish in seek.wishes], call.services.tables.now() - seek.since
    shape = shapes.Seeking(wishes, seek.rated, waited, seek.match)
    if seek.match is None and waited >= BOT_OFFERED_MS:
        offer = await call.services.house_bots.offer(call.known_account, seek)
        shape.offer = shapes.HouseOffer(_house_shape(offer.bot), offer.wish.time) if offer else None
    return shape


async def tournaments(call: ApiRequest) -> shapes.Tournaments:
    """Return the tournaments."""
    public, own = await call.services.tournaments.lists_for(call.account)
    return shapes.Tournaments([tournament_head(one) for one in public], [tournament_head(one) for one in own])


async def open_tournament(call: ApiRequest) -> shapes.Tournament:
    """Open a tournament."""
    call.services.count_message(call.person.holder, call.address)
    order = TournamentOrder(**msgspec.structs.asdict(call.body))
    return await _tournament(call, await call.services.tournaments.open(call.person, order))


async def tournament(call: ApiRequest) -> shapes.Tournament:
    """Return a tournament."""
    return await _tournament(call, call.request.path_params["id"])


async def enter_tournament(call: ApiRequest) -> shapes.Tournament:
    """Enter a tournament."""
    await call.services.tournaments.enter(call.person, call.request.path_params["id"])
    return await tournament(call)


async def withdraw_from_tournament(call: ApiRequest) -> shapes.Tournament:
    """Withdraw from a tournament."""
    await call.services.tournaments.withdraw(call.known_account, call.request.path_params["id"])
    return await tournament(call)


async def enter_bots(call: ApiRequest) -> shapes.Tournament:
    """Enter bots in a tournament."""
    account, id = call.known_account, call.request.path_params["id"]
    await call.services.tournaments.enter_bots(account, id, call.body.bot, call.body.count)
    return await tournament(call)


async def play_league(call: ApiRequest) -> shapes.Seated:
    """Begin the deal of the open round of a league, or go on with it."""
    account, id = call.person, call.request.path_params["id"]
    return await _take_seat(call, lambda holder: call.services.tournaments.play(account, id))


async def begin_tournament(call: ApiRequest) -> shapes.Tournament:
    """Let a tournament begin."""
    await call.services.tournaments.begin(call.known_account, call.request.path_params["id"])
    return await tournament(call)


async def _tournament(call: ApiRequest, id: str) -> shapes.Tournament:
    found = await call.services.tournaments.find(id)
    now = call.services.tables.now()
    return tournament_shape(found, call.account.id if call.account else None, now)


async def challenge(call: ApiRequest) -> shapes.Challenge:
    """Challenge an account."""
    call.services.count_message(call.known_account.holder, call.address)
    other = await call.services.accounts.by_name(call.request.path_params["name"])
    wish = Wish(call.body.game, call.body.time)
    sent = await call.services.challenge(call.known_account, other, wish, call.body.rated, call.address)
    return _challenge_shape(call, sent)


async def challenges(call: ApiRequest) -> shapes.Challenges:
    """Return the challenges that wait."""
    found = await call.services.challenges.waiting(call.known_account)
    return shapes.Challenges([_challenge_shape(call, one) for one in found])


async def answer_challenge(call: ApiRequest) -> shapes.Challenge:
    """Accept, decline or withdraw a challenge."""
    account, id = call.known_account, call.request.path_params["id"]
    found = await call.services.challenges.find(account, id)
    match = await call.services.challenges.answer(account, id, call.body.yes)
    return _challenge_shape(call, found._replace(match=match, declined=match is None))


def _challenge_shape(call: ApiRequest, found: StoredChallenge) -> shapes.Challenge:
    waits = found.is_waiting(call.services.tables.now())
    return shapes.Challenge(
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


async def tables(call: ApiRequest) -> shapes.Opens:
    """Return the tables that are open to anyone."""
    opens = [
        shapes.Open(
            t.match,
            t.game,
            t.code,
            next((p.name for p in t.players if p.name), ""),
            str(t.control) if t.control else None,
            t.rated,
        )
        for t in await lists.open_tables(call.services.tables, call.holder)
        if t.code
    ]
    return shapes.Opens(opens)


async def watch(call: ApiRequest) -> shapes.Watched:
    """Return the running games that anybody may watch."""
    return shapes.Watched([_watched_shape(table) for table in await lists.watchable(call.services.tables)])


def _watched_shape(watched: WatchedTable) -> shapes.WatchedTable:
    table = watched.listed
    players = [
        shapes.Sitter(seat.player, seat.name, seat.rating.points if seat.rating else None)
        for seat in table.players
    ]
    time = str(table.control) if table.control else None
    return shapes.WatchedTable(
        table.match, table.game, players, time, table.rated, watched.spectators, watched.delay
    )


async def mine(call: ApiRequest) -> shapes.Owns:
    """Return the program's own matches."""
    found, _ = await lists.mine(call.services.tables, call.known_holder)
    owns = [shapes.Own(t.match, t.game, t.over, t.your_turn, await _end(call, t.match)) for t in found]
    return shapes.Owns(owns)


async def _end(call: ApiRequest, id: str) -> messages.Ended | None:
    """Return how a match ended; None while it goes on, or if its rules have changed."""
    try:
        return ending_of((await call.services.tables.live_table(id)).history)
    except Refused as wrong:
        if wrong.code != ErrorCode.RULES_CHANGED:
            raise
        return None


async def create(call: ApiRequest) -> shapes.Seated:
    """Open a table."""
    call.refuse_bot()
    order: NewTable = call.body
    return await _take_seat(call, lambda holder: call.services.tables.create(holder, order), order.open)


async def daily(call: ApiRequest) -> shapes.Dailies:
    """Return the deals of the day as the holder stands at them."""
    deals = call.services.daily
    cards = await deals.cards(call.holder)
    return shapes.Dailies(deals.today, deals.closes_in_ms, [_daily(card) for card in cards])


def _daily(card: DailyCard) -> shapes.Daily:
    matches = {played.player: played.match for played in card.games}
    options = dict(card.game.non_default_options)
    return shapes.Daily(
        card.game.id, options, card.next.match, card.place, card.entries, matches, card.opponent
    )


async def play_daily(call: ApiRequest) -> shapes.Seated:
    """Begin the deal of the day, or go on with it."""
    call.refuse_bot()
    game = call.request.path_params["game"]
    return await _take_seat(call, lambda holder: call.services.daily.play(holder, call.body.name, game))


async def join(call: ApiRequest) -> shapes.Seated:
    """Take a free seat."""
    call.refuse_bot()
    code = call.request.path_params["code"]
    return await _take_seat(call, lambda holder: call.services.tables.join(holder, code, call.body))


async def match(call: ApiRequest) -> shapes.Match:
    """Return a table."""
    live_table = await call.live_table()
    live_table.touch(live_table.history.seats_of(call.holder))
    return match_shape(live_table, call.holder)


async def act(call: ApiRequest) -> shapes.Done:
    """Take a step."""
    return await _execute(call, commands.Act)


async def undo(call: ApiRequest) -> shapes.Done:
    """Take the last decision back."""
    return await _execute(call, commands.Undo)


async def resign(call: ApiRequest) -> shapes.Done:
    """Resign the match."""
    return await _execute(call, commands.Resign)


async def offer(call: ApiRequest) -> shapes.Done:
    """Make an offer."""
    return await _execute(call, commands.Offer)


async def answer(call: ApiRequest) -> shapes.Done:
    """Answer an offer."""
    return await _execute(call, commands.Answer)


async def abort(call: ApiRequest) -> shapes.Done:
    """End a match without a result."""
    return await _execute(call, commands.Abort)


async def claim(call: ApiRequest) -> shapes.Done:
    """Claim the win or a draw from a player who has left."""
    return await _execute(call, commands.Claim)


async def days_off(call: ApiRequest) -> shapes.Off:
    """Take days off."""
    call.services.count_message(call.known_holder, call.address)
    await take_days_off(call.services.tables, call.known_holder, call.body.days)
    left = await days_left(call.services.tables, call.known_holder)
    return shapes.Off(left.days, left.until)


async def again(call: ApiRequest) -> shapes.Seated:
    """Open a rematch, or ask for one."""
    id = call.request.path_params["id"]
    return await _take_seat(call, lambda holder: call.services.tables.rematch(holder, id, call.body))


async def fork(call: ApiRequest) -> shapes.Seated:
    """Open a practice table."""
    id = call.request.path_params["id"]
    return await _take_seat(call, lambda holder: call.services.tables.fork(holder, id, call.body))


async def review(call: ApiRequest) -> shapes.Review:
    """Return the review of a match, or its progress."""
    review = call.services.review(call.known_holder, call.address, (await call.live_table()).history)
    judged = {} if review.running else to_json(review.match, review.choices)
    return msgspec.convert({"done": len(review.choices), "total": review.total} | judged, shapes.Review)


async def record_text(call: ApiRequest) -> Response:
    """Return the record of a match as text."""
    id = call.request.path_params["id"]
    answer = PlainTextResponse(await call.services.tables.record_text(id, call.holder))
    return with_validator(call.request, answer)


async def record_json(call: ApiRequest) -> Response:
    """Return the record of a match as JSON."""
    answer = Response((await call.live_table()).record_json, media_type="application/json")
    return with_validator(call.request, answer)


async def verify(call: ApiRequest) -> shapes.Verified:
    """Verify a record."""
    call.services.record_limit.take(call.address)
    try:
        match = await asyncio.to_thread(record.verify, call.body)
    except BadRecord as wrong:
        return shapes.Verified(False, str(wrong))
    return shapes.Verified(True, "", match.practice)


async def protocol(call: ApiRequest) -> Response:
    """Return the description of the WebSocket messages."""
    return PlainTextResponse(page(call.services.settings), media_type="text/markdown")


async def openapi(call: ApiRequest) -> Response:
    """Return the OpenAPI description."""
    body = msgspec.json.encode(description(smallchange.__version__, call.services.settings), order="sorted")
    return Response(body, media_type="application/json")


async def stream(call: ApiRequest) -> Response:
    """Return a stream of server-sent events of a table."""
    live_table = await call.live_table()
    known = call.request.query_params.get("ply", "-1")
    if not re.fullmatch(r"-1|[0-9]{1,6}", known):
        raise Refused(ErrorCode.BAD_MESSAGE, why=f"ply is a number from -1 to {MAX_PLY}, not {known[:20]!r}")
    ply = int(known)
    if call.request.method == "HEAD":
        return Response(media_type="text/event-stream")
    return EventStream(call.services, call.address, _events(call, live_table, ply))


async def _events(call: ApiRequest, live_table: LiveTable, ply: int) -> AsyncIterator[bytes]:
    """Yield an event for each change of a table, and comments while nothing changes."""
    news = asyncio.Event()
    seats = live_table.history.seats_of(call.holder)
    subscription = Subscription(
        live_table, seats, False, ply if ply <= live_table.history.ply else -1, news.set
    )
    call.services.streams.add(news)
    call.services.tables.watch(live_table, subscription.notify, seats)
    news.set()
    try:
        while not call.services.closing.is_set():
            try:
                await asyncio.wait_for(news.wait(), KEEPALIVE_S)
            except TimeoutError:
                yield b": here\n\n"
                continue
            news.clear()
            subscription.refresh_seats(call.holder)
            message = told_message(subscription)
            if message is not None:
                yield b"data: " + messages.encode(message) + b"\n\n"
            if subscription.live_table.history.ending:
                return
    finally:
        call.services.streams.discard(news)
        call.services.tables.leave(subscription.live_table, subscription.notify, subscription.seats)


async def _take_seat(call: ApiRequest, seat: Any, listed: bool = False) -> shapes.Seated:
    """Take a seat for the holder of the token or, without one, for a new holder."""
    token = call.token or new_token()
    holder = call.holder or token_hash(token)
    with call.services.opening_table(call.address, listed):
        id = await seat(holder)
    live_table = await call.services.tables.live_table(id)
    return shapes.Seated(id, None if call.token else token, match_shape(live_table, holder))


async def _execute(call: ApiRequest, kind: type[Command]) -> shapes.Done:
    """Execute a command of this kind, and return its event and the table."""
    call.services.count_message(call.known_holder, call.address)
    live_table = await call.live_table()
    values = {"is": kind.__name__.lower(), "match": live_table.history.head.id} | msgspec.to_builtins(
        call.body
    )
    done = await call.services.execute(call.known_holder, msgspec.convert(values, kind))
    return shapes.Done(done, match_shape(live_table, call.known_holder))


def match_shape(live_table: LiveTable, holder: str) -> shapes.Match:
    """Return the table as this holder sees it."""
    history = live_table.history
    view = live_table.view(history.seats_of(holder))
    control = history.head.control
    secret = view.envelope.secret
    return shapes.Match(
        match=view.match,
        game=view.game,
        version=history.head.version,
        options=dict(view.options),
        ply=view.ply,
        started=view.started,
        actor=history.actor,
        legal=sorted(choice.token for choice in view.choices),
        says=in_all_languages(view.prompt),
        position=str(history.match.position),
        tokens=[entry.token for entry in view.log],
        seats=[shapes.Seat(s.player, s.kind, s.name, s.you) for s in view.seats],
        undo=view.undo_text is not None,
        offered=offer_of(history),
        ended=ending_of(history),
        seal=view.envelope.seal,
        secret=secret.hex() if secret else None,
        code=history.head.code if view.invite_path else None,
        practice=view.parent,
        proven=view.proven,
        again=view.rematch,
        time=str(control) if control else None,
        clock=clock_of(live_table),
        rated=history.head.rated,
        ratings={
            s.player: shapes.SeatRating(
                s.rating.points, s.rating.deviation, s.rating.provisional, s.rating.gain
            )
            for s in view.seats
            if s.rating
        },
        delay=history.head.delay,
    )


def _game(game: Any) -> shapes.Game:
    """Return the description of a game."""
    options = [
        shapes.Option(o.name, o.default, o.accepts.en, in_all_languages(game.words.OPTIONS[o.name]))
        for o in game.offered
    ]
    title, tagline = in_all_languages(game.words.TITLE), in_all_languages(game.words.TAGLINE)
    return shapes.Game(game.id, title, tagline, game.version, list(game.seats), game.words.MINUTES, options)
