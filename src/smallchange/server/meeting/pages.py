"""Pages and forms by which people meet: quick pairing, challenges, and profiles."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.accounts.pages import signed_in
from smallchange.server.meeting import lobby as lobby_view
from smallchange.server.meeting.player_games import best_games, visible_games
from smallchange.server.meeting.view import (
    Ownership,
    ProfileRatings,
    ShownResults,
    challenge_page,
    challenge_row,
    leaders_page,
    play_page,
    profile_page,
    seek_page,
    watch_page,
)
from smallchange.server.ratings.reviewed import play_ratings, reviewed_games
from smallchange.server.ratings.view import house_bot_page
from smallchange.server.table.live import table_lists
from smallchange.server.table.live.table_lists import days_left
from smallchange.server.table.model.new_tables import Wish
from smallchange.server.table.view.table_view import LobbyView
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.event_stream import EventStream
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext, whole_number
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import game_of
from smallchange.server.web.sessions import Account, client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


MAX_BEST_GAMES = 5
PAIR_MARK = "pair:"  # before the id of a game, in the form of a profile


@page
async def lobby(request: Request, services: Services, context: PageContext) -> Response:
    await services.tournaments.open_hourly()
    return HTMLResponse(
        await services.heavy.do(lobby_view.lobby_page, await _lobby_view(request, services), context)
    )


async def _lobby_view(request: Request, services: Services) -> LobbyView:
    """Return the lists of the first page, with the challenges of the visitor's account."""
    found = await table_lists.lobby(services.tables, visitor(request).holder)
    challenges = await _challenge_rows(request, services)
    return replace(found, challenges=challenges, on_now=await services.signs_of_life.read())


async def _challenge_rows(request: Request, services: Services) -> tuple[dict[str, object], ...]:
    account = visitor(request).account
    waiting = await services.challenges.waiting(account) if account else []
    return tuple(challenge_row(one, account.id) for one in waiting if account)


@page
async def lobby_lists(request: Request, services: Services, context: PageContext) -> Response:
    """Return the lists of the lobby alone, for a page that stays open."""
    return HTMLResponse(lobby_view.lobby_lists(await _lobby_view(request, services), context))


@page
async def watch(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of running games that anybody may watch."""
    await services.tournaments.open_hourly()
    return HTMLResponse(
        await services.heavy.do(watch_page, await table_lists.watchable(services.tables), context)
    )


@page
async def mine(request: Request, services: Services, context: PageContext) -> Response:
    holder, number = visitor(request).holder, whole_number(request.query_params.get("page", "1"))
    if not number:
        raise Refused(ErrorCode.NO_PAGE)
    found, more = await table_lists.mine(services.tables, holder, number)
    results = await table_lists.tallies(services.tables.store, holder) if number == 1 else []
    off = await days_left(services.tables, holder) if number == 1 else (0, 0)
    challenges = await _challenge_rows(request, services) if number == 1 else ()
    return HTMLResponse(
        await services.heavy.do(
            lobby_view.own_tables_page, found, context, results, number, more, off, challenges
        )
    )


@page
async def play(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page to look for an opponent, or that of the search under way."""
    account = visitor(request).account
    bots = await services.bot_accounts.seen_lately(), await services.house_bots.all()
    if account is None:
        sought = await services.seeks.wishes_of_others(None)
        return HTMLResponse(await services.heavy.do(play_page, (), (), *bots, sought, context))
    seek = await services.seeks.of(account)
    if seek and seek.match is None:
        return RedirectResponse(f"/play/{seek.id}", 303)
    standings = await services.ratings.standings(account)
    followed = await services.challenges.followed_names(account)
    sought = await services.seeks.wishes_of_others(account)
    return HTMLResponse(await services.heavy.do(play_page, standings, followed, *bots, sought, context))


@page
async def seek(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of a search; once paired, that of the table."""
    account = visitor(request).account
    found = await services.seeks.of(account) if account else None
    if account is None or found is None or found.id != request.path_params["id"]:
        return RedirectResponse("/play", 303)
    if found.match:
        return RedirectResponse(f"/m/{found.match}", 303)
    offer = await services.house_bots.offer(account, found)
    return HTMLResponse(seek_page(found, offer, services.tables.now(), context))


@page
async def seek_news(request: Request, services: Services, context: PageContext) -> Response:
    """Return a stream of events: where the page of a search leads, once it leads anywhere."""
    account, id = signed_in(request), request.path_params["id"]

    async def events() -> AsyncIterator[bytes]:
        async for found in services.seeks.follow(account, id):
            yield _event("/play" if found is None else f"/m/{found.match}" if found.match else "")

    return _stream(request, services, events())


@page
async def challenge(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of a challenge; once accepted, that of its table."""
    account = signed_in(request)
    found = await services.challenges.find(account, request.path_params["id"])
    await services.notifications.mark_read(account.holder, account, found.id)
    if found.match:
        return RedirectResponse(found.path, 303)
    own, waiting = found.challenger_id == account.id, found.is_waiting(services.tables.now())
    return HTMLResponse(challenge_page(found, own, waiting, context))


@page
async def challenge_news(request: Request, services: Services, context: PageContext) -> Response:
    """Return a stream of events: where the page of a challenge leads, once it leads anywhere."""
    account, id = signed_in(request), request.path_params["id"]

    async def events() -> AsyncIterator[bytes]:
        async for found in services.challenges.follow(account, id):
            if found is not None and found.is_waiting(services.tables.now()):
                yield _event("")
            else:
                yield _event(f"/challenges/{id}" if found else "/play")

    return _stream(request, services, events())


@page
async def find_profile(request: Request, services: Services, context: PageContext) -> Response:
    """Lead to the profile of the account with the name in the query."""
    found = await services.accounts.by_name(request.query_params.get("name", "").strip())
    return RedirectResponse(f"/people/{quote(found.name, safe='')}", 303)


@page
async def profile_of_seat(request: Request, services: Services, context: PageContext) -> Response:
    """Lead to the profile of the account on a seat of a table, whatever its name is by now."""
    table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    seats, number = table.history.seats, request.path_params["seat"]
    found = await services.accounts.by_holder(seats[number].holder) if number < len(seats) else None
    if found is None:
        raise Refused(ErrorCode.NO_PAGE)
    return RedirectResponse(f"/people/{quote(found.name, safe='')}", 303)


@page
async def profile(request: Request, services: Services, context: PageContext) -> Response:
    """Return the profile of an account."""
    other = await services.accounts.by_name(request.path_params["name"])
    account = visitor(request).account
    own = account is not None and account.id == other.id
    blocked = await services.challenges.has_block(account, other) if account and not own else False
    visitors = await services.ratings.standings(account) if account and not own else []
    if other.is_house:
        house = services.house_bots.find(other)
        return HTMLResponse(house_bot_page(other.name, house, visitors, blocked, context))
    standings = await services.ratings.standings(other)
    histories = await services.ratings.histories(other)
    owner = await services.bot_accounts.owner_name(other) if other.is_bot else ""
    ownership = Ownership(owner, [one.account.name for one in await services.bot_accounts.of(other)])
    return HTMLResponse(
        profile_page(
            other.name,
            ProfileRatings(standings, histories, visitors),
            own,
            blocked,
            await services.challenges.has_follow(account, other) if account and not own else False,
            ownership,
            await _shown_results(request, services, other) if own or other.shows_results else None,
            context,
        )
    )


async def _shown_results(request: Request, services: Services, account: Account) -> ShownResults:
    """Return the results of an account, for those who may see them."""
    store, holder = services.tables.store, account.holder
    visible = visible_games(visitor(request).holder, services, account)
    return ShownResults(
        await table_lists.results_by_game(store, holder),
        await store.read(lambda c: reviewed_games(c, holder)),
        await play_ratings(store, holder),
        await store.read(lambda c: best_games(c, visible, MAX_BEST_GAMES)),
        account.shows_results,
    )


@page
async def leaders(request: Request, services: Services, context: PageContext) -> Response:
    """Return the leaderboards of a game for two."""
    game = game_of(request)
    if len(game.seats) != 2:
        raise Refused(ErrorCode.NO_PAGE)
    house = [bot for bot in await services.house_bots.all() if bot.game == game.id]
    return HTMLResponse(leaders_page(game, await services.ratings.leaders(game.id), house, context))


@form
async def begin_seek(request: Request, services: Services, fields: Fields) -> Response:
    """Look for an opponent in any of the games, at any of the times."""
    wishes = [Wish(game, time) for game in fields.get("game", []) for time in fields.get("time", [])]
    found = await services.seeks.begin(signed_in(request), wishes, field(fields, "rated") == "1")
    return RedirectResponse(f"/play/{found.id}", 303)


@form
async def withdraw_seek(request: Request, services: Services, fields: Fields) -> Response:
    """Look for nobody any more. The page leads to the table if it is paired already."""
    await services.seeks.withdraw(signed_in(request))
    return RedirectResponse(f"/play/{request.path_params['id']}", 303)


@form
async def play_house_bot(request: Request, services: Services, fields: Fields) -> Response:
    """Begin a rated game against a house bot, in answer to one's search."""
    account = signed_in(request)
    bot = await services.accounts.by_name(field(fields, "name"))
    match = await services.house_bots.answer_seek(account, bot, field(fields, "time"))
    return RedirectResponse(f"/m/{match}", 303)


@form
async def send_challenge(request: Request, services: Services, fields: Fields) -> Response:
    """Challenge an account to a match. A game marked by PAIR_MARK is a duplicate pair, which has no time."""
    account = signed_in(request)
    other = await services.accounts.by_name(request.path_params["name"])
    game = field(fields, "game")
    is_pair = game.startswith(PAIR_MARK)
    wish = Wish(game.removeprefix(PAIR_MARK), "" if is_pair else field(fields, "time"))
    sent = await services.challenges.challenge(
        account, other, wish, field(fields, "rated") == "1", client_address(request)
    )
    return RedirectResponse(f"/challenges/{sent.id}", 303)


@form
async def answer_challenge(request: Request, services: Services, fields: Fields) -> Response:
    """Accept, decline or withdraw a challenge."""
    yes, id = field(fields, "yes") == "1", request.path_params["id"]
    found = await services.challenges.find(signed_in(request), id)
    match = await services.challenges.answer(signed_in(request), id, yes)
    return RedirectResponse(found._replace(match=match).path or "/", 303)


@form
async def follow(request: Request, services: Services, fields: Fields) -> Response:
    """Follow an account, or no longer."""
    return await _set_contact(request, services, fields, services.challenges.set_follow)


@form
async def block(request: Request, services: Services, fields: Fields) -> Response:
    """Block an account, or no longer."""
    return await _set_contact(request, services, fields, services.challenges.set_block)


async def _set_contact(
    request: Request,
    services: Services,
    fields: Fields,
    change: Callable[[Account, Account, bool], Awaitable[None]],
) -> Response:
    """Switch on or off what an account has with the one that the address names, and show that one's page."""
    account = signed_in(request)
    other = await services.accounts.by_name(request.path_params["name"])
    if field(fields, "on") not in ("0", "1"):
        raise Refused(ErrorCode.BAD_MESSAGE, why="on must be 0 or 1")
    await change(account, other, field(fields, "on") == "1")
    return RedirectResponse(f"/people/{quote(other.name, safe='')}", 303)


def _event(path: str) -> bytes:
    """Return an event that leads a page to a path of ours, or keeps it waiting."""
    return b"data: " + msgspec.json.encode({"to": path}) + b"\n\n"


def _stream(request: Request, services: Services, events: AsyncIterator[bytes]) -> Response:
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")
    return EventStream(services, client_address(request), events)
