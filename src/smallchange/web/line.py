"""The socket: messages of `wire.py` in and out. Whoever is slow gets the newest state, never a queue of old
ones."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import MutableMapping
from typing import Any

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from . import wire
from .followed import NOTHING, Followed, Sent, drawn, page, told
from .guard import Credits, address, bearer, holder, same_origin, visitor
from .hub import Hub
from .incoming import LINE, PERIOD, Socket
from .refused import WHY, Refused
from .tasks import Tasks

LAST_WORDS = 1.0  # seconds in which a line takes that the server stops
PATIENCE = 50  # refused messages in a row before the line is cut
RESTART, POLICY, FAULT, TOO_MANY = 1012, 1008, 1011, 1013  # close codes
log = structlog.get_logger("line")


async def socket(websocket: WebSocket) -> None:
    """The endpoint /ws."""
    hub: Hub = websocket.app.state.hub
    where = address(websocket)
    if not same_origin(websocket, hub.settings.origins):
        await websocket.close(POLICY)  # before accepting: answered as 403
        return
    try:
        line = Line(websocket, hub)
    except Refused:  # a token that is none
        await websocket.close(POLICY)
        return
    if hub.closing.is_set() or not hub.doors.enter(where):
        await websocket.close(TOO_MANY)
        return
    try:
        await websocket.accept()
        hub.lines.add(line)
        await line.run()
    finally:
        hub.lines.discard(line)
        line.hang_up()
        hub.doors.leave(where)


class Line:
    """One connection."""

    def __init__(self, websocket: WebSocket, hub: Hub) -> None:
        self._socket = websocket
        self._wire: Socket = websocket.scope["extensions"][LINE]
        self._wire.resumed = self._show_news
        self._hub = hub
        who = visitor(websocket)
        self._lang = who.lang
        self._holder = holder(bearer(websocket) or who.token)
        self._followed: dict[str, Followed] = {}
        self._dirty: dict[str, None] = {}
        self._soon = False  # is news shown before anything else happens?
        self._playing = Credits(hub.settings.playing, PERIOD)
        self._watching = Credits(hub.settings.watching, PERIOD)
        self._refused = 0
        self._tasks = Tasks()

    async def run(self) -> None:
        """Until either side hangs up."""
        with contextlib.suppress(WebSocketDisconnect):
            while self._refused < PATIENCE:
                await self._take(await self._socket.receive())
            await self._socket.close(POLICY)

    def hang_up(self) -> None:
        self._wire.resumed = None
        self._tasks.cancel()
        for followed in self._followed.values():
            self._hub.rooms.leave(followed.room, followed.poke, followed.seats)
        self._followed.clear()

    async def say_closing(self) -> None:
        """The server stops, and waits for nobody who does not read."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(LAST_WORDS):
                await self._send(wire.Closing(WHY["closing"][self._lang]))
                await self._socket.close(RESTART)

    async def _take(self, frame: MutableMapping[str, Any]) -> None:
        if frame["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(1000)
        text = frame.get("text")
        try:
            if not isinstance(text, str):
                raise wire.BadMessage("a message is text, not bytes")
            seated = any(followed.seats for followed in self._followed.values())
            if not (self._playing if seated else self._watching).spend():
                raise Refused("credits")
            message = wire.read(text)
        except wire.BadMessage as wrong:
            await self._wrong(Refused("message", why=str(wrong)))
            return
        except Refused as wrong:
            await self._wrong(wrong)
            return
        self._refused = 0
        if isinstance(message, wire.Ping):
            await self._send(wire.Pong())
        elif isinstance(message, wire.Hint):
            self._tasks.begin(self._hint(message))  # it takes a while, and moves do not wait
        else:
            await self._follow_message(message)

    async def _follow_message(self, message: wire.Watch | wire.Leave | wire.Deed) -> None:
        move = getattr(message, "move", "")
        try:
            if isinstance(message, wire.Watch):
                await self._watch(message)
            elif isinstance(message, wire.Leave):
                self._leave(message.match)
            else:
                ply = await self._hub.do(self._holder, message)
                shown = self._followed.get(message.match)
                if shown and shown.drawn and not shown.done and message.match in self._dirty:
                    shown.done = move  # said with the picture, in one frame
                else:
                    await self._send(wire.Done(message.match, move, ply))
        except Refused as wrong:
            await self._wrong(wrong, message.match, move)
            if isinstance(message, wire.Watch) and wrong.status == 503:  # to be asked again on another line
                await self._socket.close(TOO_MANY)
                raise WebSocketDisconnect(TOO_MANY) from wrong

    async def _hint(self, message: wire.Hint) -> None:
        try:
            found = await self._hub.hint(self._holder, address(self._socket), message.match, message.ply)
            text, marks = found.text[self._lang], list(found.marks)
            await self._send(wire.Hinted(message.match, message.ply, found.token, marks, text))
        except Refused as wrong:
            await self._wrong(wrong, message.match)

    async def _watch(self, message: wire.Watch) -> None:
        if len(self._followed) >= 8 and message.match not in self._followed:
            raise Refused("followed")
        room = await self._hub.rooms.current(message.match)
        self._leave(message.match)
        id = message.match

        def poke() -> None:
            self._touch(id)

        seats = room.story.held(self._holder)
        known = min(message.ply, room.story.ply)
        if message.ply > room.story.ply:
            known = -1  # it knows more than there is: whatever that was, start anew
        followed = Followed(room, seats, message.drawn, known, poke)
        if known == room.story.ply and message.drawn:
            # the page that asks was drawn like this, but for who is here and whether there is a rematch
            loose = ("seats", "act") if room.story.ended else ("seats",)
            common, own = page(room, seats, self._lang)
            followed.sent = Sent(common, {part: markup for part, markup in own.items() if part not in loose})
        self._followed[id] = followed
        self._hub.rooms.watch(room, poke, seats)
        if known == room.story.ply and message.drawn:
            await self._send(wire.Same(id, known))
        poke()

    def _leave(self, id: str) -> None:
        followed = self._followed.pop(id, None)
        if followed is not None:
            self._hub.rooms.leave(followed.room, followed.poke, followed.seats)
            self._say_done(followed)

    def _show_again(self, id: str) -> None:
        """The whole current state, whatever was sent before."""
        if id in self._followed:
            followed = self._followed[id]
            followed.known, followed.sent = -1, NOTHING
            self._touch(id)

    def _touch(self, id: str) -> None:
        """There is something new at this table: to be shown as soon as all that happens now has happened."""
        self._dirty[id] = None
        if not self._soon:
            self._soon = True
            asyncio.get_running_loop().call_soon(self._show_news)

    def _show_news(self) -> None:
        """As much of it as the line takes; it calls again when it takes more."""
        self._soon = False
        try:
            while self._dirty and self._wire.writable.is_set():
                id = next(iter(self._dirty))
                del self._dirty[id]
                if id in self._followed:
                    self._show(self._followed[id])
        except Exception:
            log.exception("a table could not be shown")
            self._tasks.begin(self._socket.close(FAULT))

    def _show(self, followed: Followed) -> None:
        followed.look(self._holder)
        message: wire.Out | None = drawn(followed, self._lang) if followed.drawn else told(followed)
        if isinstance(message, wire.Shown):
            message.done, followed.done = followed.done, ""
        if message is not None:
            self._wire.write(wire.write(message))
        self._say_done(followed)  # where there was nothing new to show it with

    def _say_done(self, followed: Followed) -> None:
        """Of a deed, what no picture has said yet."""
        move, followed.done, story = followed.done, "", followed.room.story
        if move:
            self._wire.write(wire.write(wire.Done(story.head.id, move, story.moves[move])))

    async def _send(self, message: wire.Out) -> None:
        """Who does not listen is not heard either."""
        await self._wire.writable.wait()
        self._wire.write(wire.write(message))

    async def _wrong(self, wrong: Refused, match: str = "", move: str = "") -> None:
        """What was refused; after a conflict how the table stands."""
        self._refused += wrong.code in ("message", "credits")
        why = wrong.text[self._lang]
        if wrong.code != "conflict":
            await self._send(wire.Wrong(wrong.code, why, match, move))
            return
        room = await self._hub.rooms.room(match)
        await self._send(wire.Conflict(match, move, room.story.ply, why))
        self._show_again(match)
