"""A WebSocket connection. A slow client gets the newest state, never a queue of old ones."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import structlog
from starlette.websockets import WebSocket

from smallchange.server.table.http import messages
from smallchange.server.table.http.subscription import (
    NOTHING_SENT,
    Subscription,
    changes_message,
    shown_page,
    spectators_message,
    state_message,
)
from smallchange.server.table.model.commands import Command, Hint
from smallchange.server.web.background_tasks import BackgroundTasks
from smallchange.server.web.errors import ErrorCode, Refused, refusal_text
from smallchange.server.web.path_prefix import PathPrefix
from smallchange.server.web.request_context import wants_own_side
from smallchange.server.web.sessions import bearer_token, check_identity, client_address, token_hash, visitor
from smallchange.server.web.transport import DISCONNECT, TRANSPORT, Event, WebSocketTransport, text_frame

if TYPE_CHECKING:
    from smallchange.server.services import Services

FRESH_MS = 50  # for which one frame is sent to all, whose time is that of its making
CLOSING_TIMEOUT_S = 1.0  # in which a connection must take the announcement
MAX_REFUSALS = 50  # refused messages in a row before the connection is cut
SERVICE_RESTART, POLICY_VIOLATION, SERVER_ERROR, TRY_AGAIN_LATER = 1012, 1008, 1011, 1013  # close codes
log = structlog.get_logger("connection")


async def websocket_endpoint(websocket: WebSocket) -> None:
    """Serve /ws: the WebSocket endpoint."""
    services: Services = websocket.app.state.services
    where = client_address(websocket)
    try:
        connection = Connection(websocket, services)
        await connection.identify()
    except Refused:  # the token is malformed, or was a guest's who has an account now
        await websocket.close(POLICY_VIOLATION)
        return
    if services.closing.is_set() or not services.limits.sockets.enter(where):
        await websocket.close(TRY_AGAIN_LATER)
        return
    try:
        await websocket.accept()
    except BaseException:
        services.limits.sockets.leave(where)
        raise
    connection.begin()


class Connection:
    """One WebSocket connection."""

    __slots__ = (
        "_address",
        "_changed",
        "_holder",
        "_lang",
        "_own_side",
        "_prefix",
        "_refusals",
        "_services",
        "_show_scheduled",
        "_subscriptions",
        "_tasks",
        "_token",
        "_transport",
        "address",
        "session",
    )

    def __init__(self, websocket: WebSocket, services: Services) -> None:
        self._transport: WebSocketTransport = websocket.scope["extensions"][TRANSPORT]
        self._services = services
        self._prefix = PathPrefix(services.settings.path_prefix)
        who = visitor(websocket)
        self._lang = who.lang
        self._own_side = wants_own_side(websocket)
        token = bearer_token(websocket)
        self.session = token_hash(token) if token else who.hash
        self._holder = self.session if token else who.holder
        self._token = token
        self._subscriptions: dict[str, Subscription] = {}
        self._changed: dict[str, None] = {}
        self._show_scheduled = False  # the next step of the event loop shows the news
        self._address = client_address(websocket)
        self.address = websocket.client.host if websocket.client else ""
        self._refusals = 0
        self._tasks = BackgroundTasks()

    async def identify(self) -> None:
        """Find the account of a program's token. Refuse a token that is no longer valid."""
        if self._token:
            identity = await self._services.accounts.identity(self.session)
            check_identity(self._token, identity)
            self._holder = identity.account.holder if identity.account else self.session

    def begin(self) -> None:
        """Serve messages until either side closes the connection."""
        self._services.connections.add(self)
        self._transport.resumed = self._show_news
        self._transport.serve(self._serve)

    async def _serve(self, event: Event) -> None:
        """Serve a message, or the end of the connection."""
        if event["type"] == DISCONNECT:
            self._end()
            return
        if self._refusals >= MAX_REFUSALS:  # it is being closed
            return
        try:
            await self._receive(event.get("text"))
        except Exception:
            log.exception("a message could not be served")
            await self._transport.close(SERVER_ERROR)
        if self._refusals >= MAX_REFUSALS:
            await self._transport.close(POLICY_VIOLATION)

    def _end(self) -> None:
        """Leave all tables, and cancel the work that is under way."""
        self._services.connections.discard(self)
        self._services.limits.sockets.leave(self._address)
        self._transport.resumed = None
        self._tasks.cancel()
        for subscription in self._subscriptions.values():
            self._services.tables.live.leave(subscription.live_table, subscription.notify, subscription.seats)
        self._subscriptions.clear()

    async def announce_shutdown(self) -> None:
        """Announce that the server stops. A client that does not read is not waited for."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSING_TIMEOUT_S):
                await self._send(messages.Closing(ErrorCode.SHUTTING_DOWN.text[self._lang]))
                await self._transport.close(SERVICE_RESTART)

    async def end_session(self) -> None:
        """Close the connection: its session has ended."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSING_TIMEOUT_S):
                await self._transport.close(POLICY_VIOLATION)

    async def _receive(self, text: str | None) -> None:
        """Read a message, count it, and answer it."""
        try:
            if not isinstance(text, str):
                raise messages.BadMessage("a message is text, not bytes")
            seated = any(subscription.seats for subscription in self._subscriptions.values())
            self._services.limits.count_message(self._holder, self._address, plays=seated)
            message = messages.decode(text)
        except messages.BadMessage as wrong:
            await self._send_refusal(Refused(ErrorCode.BAD_MESSAGE, why=str(wrong)))
            return
        except Refused as wrong:
            await self._send_refusal(wrong)
            return
        self._refusals = 0
        if isinstance(message, messages.Ping):
            await self._send(messages.Pong())
        elif isinstance(message, Hint):
            self._tasks.begin(self._hint(message))  # it takes a while, and moves do not wait for it
        else:
            await self._respond(message)

    async def _respond(self, message: messages.Watch | messages.Leave | Command) -> None:
        """Follow or leave a table, or execute a command."""
        move = getattr(message, "command_id", "")
        try:
            if isinstance(message, messages.Watch):
                await self._watch(message)
            elif isinstance(message, messages.Leave):
                self._leave(message.match)
            else:
                ply = await self._services.execute(self._holder, message, self._transport.lag_ms)
                subscription = self._subscriptions.get(message.match)
                if (
                    subscription
                    and subscription.drawn
                    and not subscription.unconfirmed_id
                    and message.match in self._changed
                ):
                    subscription.unconfirmed_id = move  # `changes` confirms it, in one frame
                else:
                    await self._send(messages.Ack(message.match, move, ply))
        except Refused as wrong:
            await self._send_refusal(wrong, message.match, move)
            if (
                isinstance(message, messages.Watch) and wrong.code.status == 503
            ):  # to be asked again on another connection
                await self._transport.close(TRY_AGAIN_LATER)

    async def _hint(self, message: Hint) -> None:
        """Send a hint."""
        try:
            async for found in self._services.hints.find_soon(self._holder, self._address, message):
                text, nudge, why = (each[self._lang] for each in (found.text, found.nudge, found.why))
                marks, first = list(found.marks), list(found.first)
                await self._send(
                    messages.HintFound(
                        message.match, message.ply, found.token, marks, text, nudge, first, why, found.guess
                    )
                )
        except Refused as wrong:
            await self._send_refusal(wrong, message.match)

    async def _watch(self, message: messages.Watch) -> None:
        """Follow a table, and send the changes since the ply that the client has."""
        if len(self._subscriptions) >= 8 and message.match not in self._subscriptions:
            raise Refused(ErrorCode.SUBSCRIPTION_LIMIT)
        live_table = await self._services.tables.live.current(message.match, self._holder)
        self._leave(message.match)
        id = message.match

        def notify() -> None:
            self._touch(id)

        seats = live_table.history.seats_of(self._holder)
        known = min(message.ply, live_table.history.ply)
        if message.ply > live_table.history.ply:
            known = -1  # the client is ahead of the table: start anew
        subscription = Subscription(live_table, seats, message.drawn, known, notify, own_side=self._own_side)
        if known == live_table.history.ply and message.drawn:
            subscription.sent = shown_page(live_table, seats, self._lang, self._own_side)
        self._subscriptions[id] = subscription
        if seats and live_table.history.clock:
            self._transport.measure_lag()
        self._services.tables.live.watch(live_table, notify, seats)
        if known == live_table.history.ply and message.drawn:
            await self._send(messages.Unchanged(id, known))
        notify()

    def _leave(self, id: str) -> None:
        """Stop following a table."""
        subscription = self._subscriptions.pop(id, None)
        if subscription is not None:
            self._services.tables.live.leave(subscription.live_table, subscription.notify, subscription.seats)
            self._confirm(subscription)

    def _show_again(self, id: str) -> None:
        """Send the whole current state, whatever was sent before."""
        if id in self._subscriptions:
            subscription = self._subscriptions[id]
            subscription.known_ply, subscription.sent = -1, NOTHING_SENT
            self._touch(id)

    def _touch(self, id: str) -> None:
        """Note that a table has changed. It is sent after everything else that happens now."""
        self._changed[id] = None
        if not self._show_scheduled:
            self._show_scheduled = True
            asyncio.get_running_loop().call_soon(self._show_news)

    def _show_news(self) -> None:
        """Send what is new, as much as the connection takes. It is called again when the connection takes more."""
        self._show_scheduled = False
        try:
            while self._changed and self._transport.writable.is_set():
                id = next(iter(self._changed))
                del self._changed[id]
                if id in self._subscriptions:
                    self._show(self._subscriptions[id])
        except Exception:
            log.exception("a table could not be shown")
            self._tasks.begin(self._transport.close(SERVER_ERROR))

    def _show(self, subscription: Subscription) -> None:
        """Send the changes of one table."""
        subscription.refresh_seats(self._holder)
        if subscription.drawn:
            self._show_page(subscription)
        elif state := state_message(subscription):
            self._transport.write(self._encode(state))
        if watchers := spectators_message(subscription, self._lang):
            self._transport.write(self._encode(watchers))
        self._confirm(subscription)  # if there was nothing to show

    def _show_page(self, subscription: Subscription) -> None:
        """Send the changes of a page. Viewers who are sent the same message at once are sent the same frame."""
        message = changes_message(subscription, self._lang)
        if message is None:
            return
        if subscription.unconfirmed_id:
            message.ack, subscription.unconfirmed_id = subscription.unconfirmed_id, ""
            self._transport.write_frame(self._frame(message))
            message.ack = ""
            return
        now, live_table = self._services.tables.now(), subscription.live_table
        shared: list[Any] = live_table.draw_once(
            ("frame", message, self._transport.compresses), lambda: [0, b""]
        )
        if not 0 <= now - shared[0] < FRESH_MS:
            shared[:] = now, self._frame(message)
        self._transport.write_frame(shared[1])

    def _frame(self, message: messages.Changes) -> bytes:
        return text_frame(self._prefix.add_to_markup(self._encode(message)), self._transport.compresses)

    def _confirm(self, subscription: Subscription) -> None:
        """Confirm a command that no frame has confirmed yet."""
        move, subscription.unconfirmed_id, history = (
            subscription.unconfirmed_id,
            "",
            subscription.live_table.history,
        )
        if move:
            self._transport.write(
                self._encode(
                    messages.Ack(history.head.id, move, history.command_plies.get(move, history.ply))
                )
            )

    def _encode(self, message: messages.Out) -> bytes:
        """Return the frame of a message, with the time of the server."""
        message.now = self._services.tables.now()
        return messages.encode(message)

    async def _send(self, message: messages.Out) -> None:
        """Send a message once the connection takes it."""
        await self._transport.writable.wait()
        self._transport.write(self._encode(message))

    async def _send_refusal(self, wrong: Refused, match: str = "", move: str = "") -> None:
        """Send a refusal, and after a conflict the current table."""
        self._refusals += wrong.code in (ErrorCode.BAD_MESSAGE, ErrorCode.RATE_LIMIT)
        why = refusal_text(wrong)[self._lang]
        if wrong.code != ErrorCode.CONFLICT:
            await self._send(messages.Refusal(wrong.code, why, match, move))
            return
        live_table = await self._services.tables.live.table(match)
        await self._send(messages.Conflict(match, move, live_table.history.ply, why))
        self._show_again(match)
