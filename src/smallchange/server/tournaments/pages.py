"""Pages and forms of tournaments: the list, the form to open one, and one with its standings and pairings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange import bots
from smallchange.core.game import Game, complete_game, games
from smallchange.i18n.formats import quarters
from smallchange.i18n.text import Text, capital, join_texts, plain
from smallchange.server.accounts.pages import signed_in
from smallchange.server.table.model import clock
from smallchange.server.table.model.clock import PRESETS
from smallchange.server.table.view.options import describe_options
from smallchange.server.table.view.seats import bot_name, gain_digits
from smallchange.server.table.view.table_view import USUAL_TIME, control_text, duration_text
from smallchange.server.tournaments.kinds import KINDS, kind_of, offered_kinds
from smallchange.server.tournaments.kinds.arena import HOURLY_NAME, is_hourly
from smallchange.server.tournaments.kinds.kind import DAY_MIN, Kind
from smallchange.server.tournaments.model import (
    MAX_BOTS,
    DealGame,
    DealScore,
    Entry,
    Pairing,
    Phase,
    Points,
    Standing,
    Tournament,
    TournamentHead,
    TournamentOrder,
)
from smallchange.server.web import phrases as p
from smallchange.server.web.event_stream import EventStream
from smallchange.server.web.forms import Fields, field, form, number_field
from smallchange.server.web.frame import PageContext, render_page
from smallchange.server.web.pages import page
from smallchange.server.web.sessions import AccountRole, client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services

MAX_ROUNDS_SHOWN = 20  # of the newest rounds; an arena has hundreds
HOUR_MIN = 60
BEGINNINGS_MIN = (5, 15, 30, HOUR_MIN, 3 * HOUR_MIN, DAY_MIN, 7 * DAY_MIN)  # offered on the form


class PlayerLink(NamedTuple):
    """A participant on a page: the name in words, and the path of the profile, "" for a bot."""

    name: Text
    path: str


def tournaments_page(
    public: Sequence[TournamentHead],
    own: Sequence[TournamentHead],
    kind: Kind,
    is_keeper: bool,
    now: int,
    visit: PageContext,
) -> str:
    """Return the page of all tournaments, with the form to open one of a kind."""
    return render_page(
        "tournaments.html",
        visit,
        p.TOURNAMENTS,
        public=[_list_row(one, now) for one in public],
        own=[_list_row(one, now) for one in own],
        is_keeper=is_keeper,
        kind=kind,
        kinds=[(one.code, one.offer or one.name) for one in offered_kinds()],
        offered=list(map(Game, kind.games())),
        times=[(str(control), control_text(control)) for control in PRESETS],
        usual=USUAL_TIME,
        beginnings=[(minutes, _beginning_text(minutes)) for minutes in BEGINNINGS_MIN],
    )


def tournament_page(
    found: Tournament,
    account_id: str | None,
    now: int,
    visit: PageContext,
) -> str:
    """Return the page of a tournament as this account, if any, sees it."""
    kind, head, own = kind_of(found), found.head, found.entry_of(account_id)
    opens = account_id == head.opener_id and found.phase == Phase.OPEN
    players = _players(found)
    return render_page(
        "tournament.html",
        visit,
        _heading(found, players),
        head=head,
        facts=_facts(head),
        state=_state_text(found, now),
        version=version(found),
        first=_first_place(found, players, now),
        waits_for_opponent=own is not None and kind.max_entries == 2 and kind.has_room(found),
        deal=_own_deal(found, own, now),
        results=_results(found, players, now),
        running=found.phase in (Phase.OPEN, Phase.RUNNING),
        match=kind.running_match(found, own.number) if own else None,
        own=own,
        may_enter=kind.may_go_on(found, now) if own else kind.may_enter(found, now) and kind.has_room(found),
        opens=opens,
        bots=_quick_bots(head) if opens else [],
        most_bots=MAX_BOTS,
        ties=kind.tie_breaks,
        standings=_standings(found, own, players, now),
        rounds=_rounds(found, players),
        explained=[kind.about_of(head)],
    )


def _heading(found: Tournament, players: dict[int, PlayerLink]) -> Text:
    """Return the name of a tournament; a duel without one is named by its players."""
    if not (found.head.name or kind_of(found).is_timed) and players:
        return join_texts([one.name for one in players.values()], plain("{first} – {next}"))
    return _list_name(found.head)


def _list_name(head: TournamentHead) -> Text:
    """Return the name of a tournament in a list; one without a name has that of its kind."""
    if is_hourly(head):
        return HOURLY_NAME
    if head.name:
        return plain(head.name)
    return p.TOURNAMENT if kind_of(head).is_timed else kind_of(head).name_of(head)


def _first_place(found: Tournament, players: dict[int, PlayerLink], now: int) -> Text | None:
    """Return the sentence on the first place of a tournament that is over."""
    if found.phase != Phase.OVER:
        return None
    rows = kind_of(found).standings(found, now)
    best = [players[one.number].name for one in rows if one.place == 1]
    return p.FIRST_PLACE.fill(who=join_texts(best)) if best and rows[0].points else None


def _standings(
    found: Tournament, own: Entry | None, players: dict[int, PlayerLink], now: int
) -> list[dict[str, Any]]:
    """Return the rows of the standings."""
    kind, active = kind_of(found), {entry.number for entry in found.active}

    def row(one: Standing) -> dict[str, Any]:
        ties = zip(kind.tie_breaks, one.tie_breaks, strict=True)
        return {
            "place": one.place,
            "player": players[one.number],
            "own": own is not None and own.number == one.number,
            "withdrawn": one.number not in active,
            "points": kind.points_text(one.points),
            "ties": [tie.text(value) for tie, value in ties],
        }

    return list(map(row, kind.standings(found, now)))


def _own_deal(found: Tournament, own: Entry | None, now: int) -> dict[str, Any] | None:
    """Return how an entry stands at a deal that is open, and the word for its next game."""
    kind = kind_of(found)
    closes_at, finished = kind.closes_at(found.head), kind.find_finished(found)
    if closes_at is None or found.phase != Phase.RUNNING or now >= closes_at:
        return None
    games = found.games_of(own.number) if own else []
    word = p.PLAY_DEAL
    if games:
        word = p.PLAY_SECOND if all(one.is_over for one in games) else p.GO_ON
    return {
        "word": None if own is None or own.withdrawn else word,
        "over": own is not None and own.number in finished,
        "games": [(one.match, _game_name(found, one)) for one in games if one.is_over],
        "finished": p.DEAL_PLAYED.fill(n=len(finished), of=len(found.entries)),
        "closes": p.DEAL_CLOSES.fill(time=duration_text(closes_at - now)),
    }


def _results(found: Tournament, players: dict[int, PlayerLink], now: int) -> list[dict[str, Any]]:
    """Return the results of a deal that has closed."""
    kind = kind_of(found)
    return [
        {
            "place": one.place,
            "player": players[one.entry].name,
            "score": _score_text(one.score, len(found.games_of(one.entry))),
            "points": kind.points_text(one.points),
            "games": [(game.match, _game_name(found, game)) for game in found.games_of(one.entry)],
        }
        for one in kind.results(found, now)
    ]


def _game_name(found: Tournament, one: DealGame) -> Text:
    """Return the name of a game on a deal: in a pair that of the side."""
    game = Game(found.head.game)
    return capital(game.words.PLAYERS[game.seats[one.seat]]) if len(game.seats) == 2 else p.YOUR_GAME


def _score_text(score: DealScore, games: int) -> Text:
    """Return the score of a deal for a table; in a pair the points of both games, and their margins."""
    if games == 1:
        return plain(str(score.score))
    return p.PAIR_SCORE.fill(points=quarters(2 * score.points), margin=gain_digits(score.score))


def version(found: Tournament) -> str:
    """Return a text that changes whenever the page of a tournament does, or its players are notified."""
    ended = len(found.pairings) - len(found.open_pairings)
    over = sum(one.is_over for one in found.games)
    played = [len(found.pairings), ended, len(found.games), over, found.announced, found.reminded]
    return "-".join(map(str, [found.phase, len(found.entries), len(found.active), *map(int, played)]))


def _list_row(head: TournamentHead, now: int) -> dict[str, Any]:
    return {"id": head.id, "name": _list_name(head), "facts": _facts(head), "state": _phase_text(head, now)}


def _facts(head: TournamentHead) -> list[Text]:
    """Return the fixed facts of a tournament: kind, game, options, time, and those of its kind."""
    known, control, kind = head.game in games(), clock.read(head.control), kind_of(head)
    facts = [kind.name_of(head)]
    facts.append(Game(head.game).words.TITLE if known else plain(head.game))
    if known and (options := describe_options(head.game, head.options)):
        facts.append(options)
    if control:
        facts.append(control_text(control))
    return [*facts, *kind.facts(head)]


def _phase_text(head: TournamentHead, now: int) -> Text:
    """Return the phase of a tournament in a list."""
    if head.phase == Phase.OPEN:
        left = head.begins_at - now
        return p.BEGINS_IN.fill(time=duration_text(left)) if left > 0 else p.BEGINS_NOW
    texts = {Phase.OVER: p.TOURNAMENT_OVER, Phase.CANCELLED: p.TOURNAMENT_CANCELLED}
    return texts.get(head.phase, p.TOURNAMENT_RUNS)


def _state_text(found: Tournament, now: int) -> Text:
    """Return how far a tournament is, on its page."""
    is_running = found.phase == Phase.RUNNING
    return kind_of(found).state(found, now) if is_running else _phase_text(found.head, now)


def _beginning_text(minutes: int) -> Text:
    if minutes >= DAY_MIN:
        return p.IN_DAYS.fill(n=minutes // DAY_MIN)
    return p.IN_HOURS.fill(n=minutes // HOUR_MIN) if minutes >= HOUR_MIN else p.IN_MINUTES.fill(n=minutes)


def _quick_bots(head: TournamentHead) -> list[tuple[str, Text]]:
    """Return the bots that answer at once in the game of a tournament."""
    game = complete_game(head.game, head.options)
    names = (name for name in bots.names(game) if bots.level(name, game).instant)
    return [(name, bot_name(name)) for name in names]


def _players(found: Tournament) -> dict[int, PlayerLink]:
    """Return all participants by number. Bots of the same level are numbered."""
    players, counts = {}, dict[str, int]()
    for entry in found.entries:
        if entry.bot:
            counts[entry.bot] = counts.get(entry.bot, 0) + 1
            name = p.NUMBERED.fill(name=bot_name(entry.bot), n=counts[entry.bot])
            players[entry.number] = PlayerLink(name, "")
        else:
            path = f"/people/{quote(entry.name, safe='')}" if entry.name else ""
            players[entry.number] = PlayerLink(plain(entry.name) if entry.name else p.SOMEBODY, path)
    return players


def _rounds(found: Tournament, players: dict[int, PlayerLink]) -> list[dict[str, Any]]:
    """Return the newest rounds, the newest first, each with its pairings."""
    newest = sorted(found.pairings, key=lambda one: -one.round)
    rounds = [
        {
            "name": kind_of(found).round_name.fill(n=round),
            "pairings": [_pairing_row(one, players) for one in pairings],
        }
        for round, pairings in groupby(newest, lambda one: one.round)
    ]
    return rounds[:MAX_ROUNDS_SHOWN]


def _pairing_row(one: Pairing, players: dict[int, PlayerLink]) -> dict[str, Any]:
    return {
        "first": players[one.first].name,
        "second": players[one.second].name if one.second else None,
        "result": _result_text(one.points) if one.points and one.second else None,
        "walkover": one.walkover,
        "match": one.match,
    }


def _result_text(points: Points) -> str:
    """Return a result as a table of pairings has it.

    >>> _result_text((2, 0)), _result_text((1, 1))
    ('1–0', '½–½')
    """
    return "–".join(quarters(2 * half) for half in points)


PAGE = "/tournaments"


@page
async def tournaments(request: Request, services: Services, context: PageContext) -> Response:
    """Return the list of tournaments."""
    account = visitor(request).account
    await services.tournaments.open_hourly()
    public, own = await services.tournaments.lists_for(account)
    is_keeper = account is not None and account.role == AccountRole.KEEPER
    kind = KINDS.get(request.query_params.get("kind", ""), offered_kinds()[0])
    return HTMLResponse(tournaments_page(public, own, kind, is_keeper, services.tables.now(), context))


@page
async def tournament(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of a tournament."""
    found, account = await services.tournaments.find(_id(request)), visitor(request).account
    account_id = account.id if account else None
    if account:
        unread = await services.notifications.mark_read(account.holder, account, found.head.id)
        context = replace(context, unread=unread)
    return HTMLResponse(tournament_page(found, account_id, services.tables.now(), context))


@page
async def news(request: Request, services: Services, context: PageContext) -> Response:
    """Return a stream of events: the version of the page, and the path of the visitor's running match."""
    found, account = await services.tournaments.find(_id(request)), visitor(request).account
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")

    async def events() -> AsyncIterator[bytes]:
        async for now in services.tournaments.follow(found.head.id):
            path = _own_match(now, account.id) if account else ""
            event = {"version": version(now), "to": path}
            yield b"data: " + msgspec.json.encode(event) + b"\n\n"

    return EventStream(services, client_address(request), events())


@form
async def open_tournament(request: Request, services: Services, fields: Fields) -> Response:
    """Open a tournament."""
    account = signed_in(request)
    services.limits.count_message(account.holder, client_address(request))

    def number(name: str) -> int:
        return number_field(fields, name) if name in fields else TournamentOrder._field_defaults[name]

    order = TournamentOrder(
        field(fields, "name"),
        field(fields, "kind"),
        field(fields, "game"),
        field(fields, "time"),
        number("rounds"),
        number("minutes"),
        number("begins_in"),
        field(fields, "rated") == "1",
        field(fields, "public") == "1",
    )
    return RedirectResponse(f"{PAGE}/{await services.tournaments.open(account, order)}", 303)


@form
async def enter(request: Request, services: Services, fields: Fields) -> Response:
    """Enter a tournament, or come back to it."""
    await services.tournaments.enter(signed_in(request), _id(request))
    return _back(request)


@form
async def withdraw(request: Request, services: Services, fields: Fields) -> Response:
    """Withdraw from a tournament."""
    await services.tournaments.withdraw(signed_in(request), _id(request))
    return _back(request)


@form
async def begin(request: Request, services: Services, fields: Fields) -> Response:
    """Let a tournament begin."""
    await services.tournaments.begin(signed_in(request), _id(request))
    return _back(request)


@form
async def open_deal(request: Request, services: Services, fields: Fields) -> Response:
    """Begin the deal of a duel, or go on with it."""
    account = signed_in(request)
    with services.limits.opening_table(client_address(request)):
        return RedirectResponse(f"/m/{await services.tournaments.open_deal(account, _id(request))}", 303)


@form
async def enter_bots(request: Request, services: Services, fields: Fields) -> Response:
    """Enter some bots in a tournament."""
    account, count = signed_in(request), number_field(fields, "count")
    await services.tournaments.enter_bots(account, _id(request), field(fields, "bot"), count)
    return _back(request)


def _id(request: Request) -> str:
    id: str = request.path_params["tournament"]
    return id


def _back(request: Request) -> Response:
    return RedirectResponse(f"{PAGE}/{_id(request)}", 303)


def _own_match(found: Tournament, account_id: str) -> str:
    """Return the path of an account's running match, or ""."""
    own = found.entry_of(account_id)
    match = kind_of(found).running_match(found, own.number) if own else None
    return f"/m/{match}" if match else ""
