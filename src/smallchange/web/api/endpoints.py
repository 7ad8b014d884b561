"""What the routes for programs do. Who asks is told by a bearer token alone: cookies count for nothing here,
so no page of another site can speak for anybody."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

import smallchange
from smallchange import mind, record
from smallchange.errors import BadRecord
from smallchange.mind.review import plainly
from smallchange.web import lists, records, wire
from smallchange.web.followed import Followed, ended, offered, spoken, told
from smallchange.web.guard import address, bearer, holder
from smallchange.web.hub import Hub
from smallchange.web.protocol import page
from smallchange.web.refused import Refused
from smallchange.web.room import Room
from smallchange.web.tables import Order

from . import shapes
from .openapi import description

PULSE = 15.0  # seconds between signs of life on a stream


class Asked:
    """One request: the hub, who asks (`mine` is the holder, "" for nobody), the posted body."""

    def __init__(self, request: Request, body: Any) -> None:
        self.request = request
        self.body = body
        self.hub: Hub = request.app.state.hub
        self.token = bearer(request)
        self.holder = holder(self.token) if self.token else ""
        self.address = address(request)

    @property
    def known(self) -> str:
        if not self.holder:
            raise Refused("bearer")
        return self.holder

    async def room(self) -> Room:
        return await self.hub.rooms.current(self.request.path_params["id"])


async def games(asked: Asked) -> shapes.Games:
    return shapes.Games([_game(smallchange.game(id)) for id in smallchange.games()], mind.names())


async def tables(asked: Asked) -> shapes.Opens:
    opens = [
        shapes.Open(t.match, t.game, t.code, next((p.name for p in t.players if p.name), ""))
        for t in await lists.opened(asked.hub.rooms, asked.holder)
        if t.code
    ]
    return shapes.Opens(opens)


async def mine(asked: Asked) -> shapes.Owns:
    found, _ = await lists.mine(asked.hub.rooms, asked.known)
    owns = [shapes.Own(t.match, t.game, t.over, t.your_turn, await _end(asked, t.match)) for t in found]
    return shapes.Owns(owns)


async def _end(asked: Asked, id: str) -> wire.Ended | None:
    """How a match ended; None where it goes on, or its rules are gone."""
    try:
        return ended((await asked.hub.rooms.room(id)).story)
    except Refused as wrong:
        if wrong.code != "rules":
            raise
        return None


async def create(asked: Asked) -> shapes.Seated:
    wish: shapes.NewMatch = asked.body
    order = Order(wish.game, wish.options, wish.seats, wish.name, wish.words, wish.open)
    return await _seated(asked, lambda who: asked.hub.rooms.create(who, order), order.open)


async def join(asked: Asked) -> shapes.Seated:
    code = asked.request.path_params["code"]
    return await _seated(
        asked, lambda who: asked.hub.rooms.join(who, code, asked.body.name, asked.body.words)
    )


async def match(asked: Asked) -> shapes.Match:
    return table(await asked.room(), asked.holder)


async def act(asked: Asked) -> shapes.Done:
    return await _do(asked, wire.Act)


async def undo(asked: Asked) -> shapes.Done:
    return await _do(asked, wire.Undo)


async def resign(asked: Asked) -> shapes.Done:
    return await _do(asked, wire.Resign)


async def offer(asked: Asked) -> shapes.Done:
    return await _do(asked, wire.Offer)


async def answer(asked: Asked) -> shapes.Done:
    return await _do(asked, wire.Answer)


async def again(asked: Asked) -> shapes.Seated:
    id = asked.request.path_params["id"]
    return await _seated(asked, lambda who: asked.hub.rooms.again(who, id, asked.body.same, asked.body.words))


async def fork(asked: Asked) -> shapes.Seated:
    id = asked.request.path_params["id"]
    return await _seated(asked, lambda who: asked.hub.rooms.fork(who, id, asked.body.at))


async def review(asked: Asked) -> shapes.Review:
    made = asked.hub.review(asked.known, asked.address, (await asked.room()).story)
    told = {} if made.going else plainly(made.match, made.found)
    return msgspec.convert({"done": len(made.found), "total": made.total} | told, shapes.Review)


async def record_text(asked: Asked) -> Response:
    return PlainTextResponse(await records.text(asked.hub.rooms, asked.request.path_params["id"]))


async def record_json(asked: Asked) -> Response:
    return Response(record.dumped((await asked.room()).story.record), media_type="application/json")


async def verify(asked: Asked) -> shapes.Verified:
    asked.hub.proofs.spend(asked.address)
    try:
        match = await asyncio.to_thread(record.verify, asked.body)
    except BadRecord as wrong:
        return shapes.Verified(False, str(wrong))
    return shapes.Verified(True, "", match.practice)


async def protocol(asked: Asked) -> Response:
    return PlainTextResponse(page(asked.hub.settings), media_type="text/markdown")


async def openapi(asked: Asked) -> Response:
    body = msgspec.json.encode(description(smallchange.__version__, asked.hub.settings), order="sorted")
    return Response(body, media_type="application/json")


async def stream(asked: Asked) -> Response:
    room = await asked.room()
    known = asked.request.query_params.get("ply", "-1")
    if not re.fullmatch(r"-1|[0-9]{1,6}", known):
        raise Refused("message", why=f"ply is a number from -1 to {wire.MOST_PLY}, not {known[:20]!r}")
    ply = int(known)
    if asked.request.method == "HEAD":
        return Response(media_type="text/event-stream")
    if not asked.hub.doors.enter(asked.address):
        raise Refused("sockets")
    return _Stream(asked, _events(asked, room, ply))


class _Stream(StreamingResponse):
    """Events, and one of its address's connections until they end."""

    def __init__(self, asked: Asked, events: AsyncIterator[bytes]) -> None:
        unheld = {"X-Accel-Buffering": "no"}  # nginx would keep events until they fill a buffer
        super().__init__(events, headers=unheld, media_type="text/event-stream")
        self._asked = asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._asked.hub.doors.leave(self._asked.address)


async def _events(asked: Asked, room: Room, ply: int) -> AsyncIterator[bytes]:
    news = asyncio.Event()
    seats = room.story.held(asked.holder)
    followed = Followed(room, seats, False, ply if ply <= room.story.ply else -1, news.set)
    asked.hub.streams.add(news)
    asked.hub.rooms.watch(room, followed.poke, seats)
    news.set()
    try:
        while not asked.hub.closing.is_set():
            try:
                await asyncio.wait_for(news.wait(), PULSE)
            except TimeoutError:
                yield b": here\n\n"
                continue
            news.clear()
            followed.look(asked.holder)
            message = told(followed)
            if message is not None:
                yield b"data: " + wire.write(message) + b"\n\n"
            if room.story.ended:
                return
    finally:
        asked.hub.streams.discard(news)
        asked.hub.rooms.leave(room, followed.poke, followed.seats)


async def _seated(asked: Asked, seat: Any, listed: bool = False) -> shapes.Seated:
    """Do what gives a seat, for who asks or, without a token, for somebody new."""
    token = asked.token or secrets.token_urlsafe(32)
    with asked.hub.founding(asked.address, listed):
        id = await seat(holder(token))
    room = await asked.hub.rooms.room(id)
    return shapes.Seated(id, None if asked.token else token, table(room, holder(token)))


async def _do(asked: Asked, kind: type[wire.Deed]) -> shapes.Done:
    asked.hub.posts.spend(asked.known)
    room = await asked.room()
    said = {"is": kind.__name__.lower(), "match": room.story.head.id} | msgspec.to_builtins(asked.body)
    done = await asked.hub.do(asked.known, msgspec.convert(said, kind))
    return shapes.Done(done, table(room, asked.known))


def table(room: Room, holder: str) -> shapes.Match:
    """The table as this holder sees it."""
    story = room.story
    view = room.view(story.held(holder))
    secret = view.envelope.secret
    return shapes.Match(
        match=view.match,
        game=view.game,
        version=story.head.version,
        options=dict(view.options),
        ply=view.ply,
        started=view.started,
        actor=story.actor,
        legal=sorted(choice.token for choice in view.choices),
        says=spoken(view.asks),
        position=str(story.match.position),
        tokens=[entry.token for entry in view.log],
        seats=[shapes.Seat(s.player, s.kind, s.name, s.you) for s in view.seats],
        undo=view.undo is not None,
        offered=offered(story),
        ended=ended(story),
        seal=view.envelope.seal,
        secret=secret.hex() if secret else None,
        code=story.head.code if view.invite else None,
        practice=view.practice,
        proven=view.proven,
        again=view.again,
    )


def _game(game: Any) -> shapes.Game:
    options = [
        shapes.Option(o.name, o.default, o.accepts.en, spoken(game.words.OPTIONS[o.name]))
        for o in game.offered
    ]
    title, tagline = spoken(game.words.TITLE), spoken(game.words.TAGLINE)
    return shapes.Game(game.id, title, tagline, game.version, list(game.seats), game.words.MINUTES, options)
