"""Web push: the browsers of accounts that take messages, what is due to them, and the messages for push services.

A message is encrypted for its browser (RFC 8291) and signed with the server's key (RFC 8292), so a push service cannot
read it.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import ssl
from collections.abc import Collection
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cachetools import TTLCache
from sqlalchemy import ColumnElement, Connection, RowMapping, delete, insert, select, update

from smallchange.i18n.text import Text
from smallchange.server.accounts import rows as account_rows
from smallchange.server.database import schema
from smallchange.server.notifications.mail import push_message
from smallchange.server.notifications.model import PUSH_OFF, Notification, Outcome
from smallchange.server.notifications.rows import GAME, present_language, with_game
from smallchange.server.settings import Settings
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import Account

MAX_SUBSCRIPTIONS = 10  # of an account: the oldest goes for a new one
PUSH_KEY = "push"
VISIBLE_MS = 90_000  # after it was last heard of, a page may still be in view
_browser, _message, _row = schema.push_subscription.c, schema.outgoing_message.c, schema.notification.c
_account = schema.account.c


class Subscription(NamedTuple):
    """A row of the table `push_subscription`. `visible_at` is when its account last had a page of ours in view."""

    id: str
    account_id: str
    session: str
    endpoint: str
    browser_key: str
    auth: str
    lang: str
    created: int
    visible_at: int


class PushLetter(NamedTuple):
    """A message to a browser. One takes the place of another of the same topic that is on its way."""

    browser: Subscription
    topic: str
    body: bytes


def subscription_id(endpoint: str) -> str:
    """Return the id of the subscription with this endpoint."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def put_subscription(connection: Connection, new: Subscription) -> bool:
    """Store a subscription, in place of another of the same browser, whose waiting messages it takes over.

    Return False if its session has ended.
    """
    if connection.execute(select(schema.session).where(schema.session.c.hash == new.session)).first() is None:
        return False
    before = select(_browser.id).where(_browser.session == new.session, _browser.id != new.id)
    if not connection.execute(select(_message.target).where(_message.target == new.id).limit(1)).first():
        waiting = update(schema.outgoing_message).where(_message.target.in_(before))
        connection.execute(waiting.values(target=new.id))
    remove_subscriptions(connection, (_browser.id == new.id) | (_browser.session == new.session))
    own = select(_browser.id).where(_browser.account_id == new.account_id)
    oldest = connection.execute(own.order_by(_browser.created.desc()).offset(MAX_SUBSCRIPTIONS - 1)).scalars()
    remove_subscriptions(connection, _browser.id.in_(list(oldest)))
    connection.execute(insert(schema.push_subscription), new._asdict())
    return True


def subscriptions(connection: Connection, account_id: str) -> list[Subscription]:
    """Return the subscriptions of an account, the newest first."""
    query = select(schema.push_subscription).where(_browser.account_id == account_id)
    rows = connection.execute(query.order_by(_browser.created.desc(), _browser.id))
    return [Subscription(*row) for row in rows]


def remove_account_subscriptions(connection: Connection, account_id: str, session: str | None = None) -> None:
    """Remove the subscriptions of an account, or the one of this session."""
    where = _browser.account_id == account_id
    remove_subscriptions(connection, where if session is None else where & (_browser.session == session))


def remove_subscription(connection: Connection, id: str) -> bool:
    """Remove a subscription. Return False if there is none: its browser may have renewed it."""
    return remove_subscriptions(connection, _browser.id == id) > 0


def remove_subscriptions(connection: Connection, where: ColumnElement[bool]) -> int:
    """Remove the subscriptions for which this is true, and their waiting messages. Return their number."""
    removed = select(_browser.id).where(where)
    connection.execute(delete(schema.outgoing_message).where(_message.target.in_(removed)))
    return connection.execute(delete(schema.push_subscription).where(where)).rowcount


def set_visible(connection: Connection, account_id: str, now: int) -> None:
    """Store that an account has a page of ours in view now."""
    connection.execute(
        update(schema.push_subscription).where(_browser.account_id == account_id).values(visible_at=now)
    )


def due_pushes(connection: Connection, account_id: str, one: Notification, now: int) -> list[dict[str, Any]]:
    """Return the messages to the browsers of an account about a notification, due once no page of ours is in view."""
    row = {"match_id": one.match, "kind": one.kind, "ply": one.ply, "tries": 0}
    return [
        row
        | {
            "target": browser.id,
            "place": urlsplit(browser.endpoint).hostname,
            "due_at": max(now, browser.visible_at + VISIBLE_MS),
        }
        for browser in subscriptions(connection, account_id)
    ]


def open_push(connection: Connection, row: RowMapping, now: int) -> PushLetter | int | None:
    """Return the message of a row of the outbox, unless its notification was read, or its browser is gone.

    It waits while a page of ours is in view: then this is the time until which it does.
    """
    this = _row.match_id == row["match_id"], _row.kind == row["kind"], _row.ply == row["ply"]
    own = schema.account.join(schema.notification, _row.holder == _account.holder)
    browsers = with_game(own.join(schema.push_subscription, _account.id == _browser.account_id))
    query = select(schema.push_subscription, _account.settings, GAME).select_from(browsers)
    query = query.where(_browser.id == row["target"], GAME.is_not(None), _row.read_at.is_(None), *this)
    found = connection.execute(query).first()
    if found is None:
        return None
    browser = Subscription(*found[: len(Subscription._fields)])
    if (visible_until := browser.visible_at + VISIBLE_MS) > now:
        return visible_until
    lang = present_language(found.settings, browser.lang)
    return PushLetter(browser, row["match_id"], push_message(row["kind"], row["match_id"], found.game, lang))


MAX_URL_CHARS = 500
TIMEOUT_S = 10.0
HTTPS_PORT = 443


NO_URL = Text("it is no URL of a push service")
NO_TLS = Text("it does not begin with https://")
UNKNOWN_HOST = Text("its host is not known")


class BadAddress(ValueError):
    """The server sends nothing to this address. The error gives the reason."""

    def __init__(self, why: Text) -> None:
        super().__init__(why.en)
        self.why = why


def check_host(url: str, hosts: Collection[str]) -> None:
    """Refuse a URL unless it is on one of these hosts. Raise BadAddress.

    A host that begins with a dot stands for all names that end with it. One with a port is reached without TLS, also
    inside the network.

    >>> check_host("https://web.push.example/x", [".push.example"])
    >>> check_host("http://127.0.0.1:8123/x", ["127.0.0.1:8123"])
    >>> check_host("https://push.example.evil.example/x", [".push.example"])
    Traceback (most recent call last):
    smallchange.server.notifications.push.BadAddress: its host is not known
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or HTTPS_PORT
    except ValueError:
        raise BadAddress(NO_URL) from None
    if (
        len(url) > MAX_URL_CHARS
        or not host
        or parts.username
        or not url.isascii()
        or any(map(str.isspace, url))
    ):
        raise BadAddress(NO_URL)
    if f"{host}:{port}" in hosts and parts.scheme == "http":
        return
    if parts.scheme != "https":
        raise BadAddress(NO_TLS)
    if port != HTTPS_PORT or not any(
        host == known or (known.startswith(".") and host.endswith(known)) for known in hosts
    ):
        raise BadAddress(UNKNOWN_HOST)


@cache
def _tls() -> ssl.SSLContext:
    """Return the context of all connections: to read the certificates of the system takes 20 ms."""
    return ssl.create_default_context()


async def post(url: str, body: bytes, headers: dict[str, str], hosts: Collection[str]) -> int:
    """Post a body to a URL on one of these hosts, and return the HTTP status. Raise BadAddress or OSError."""
    import httpcore

    check_host(url, hosts)
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), TIMEOUT_S)
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            httpcore.AsyncConnectionPool(ssl_context=_tls()) as pool,
            pool.stream(
                "POST", url, headers=list(headers.items()), content=body, extensions={"timeout": timeouts}
            ) as answer,
        ):
            return int(answer.status)
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, TimeoutError) as wrong:
        raise OSError(f"{type(wrong).__name__}: {wrong}") from wrong


NOTE_PERIOD_S = 45.0  # in which it is stored once that an account has a page of ours in view
MAX_NOTED = 10_000  # accounts
LIFETIME_S = 24 * 3600  # for which a push service keeps a message for a browser that is off
SIGNATURE_LIFETIME_S = 12 * 3600
KEY_BYTES, AUTH_BYTES, PRIVATE_KEY_BYTES = 65, 16, 32
TOPIC_CHARS = 32
BUSY_STATUSES = (429, 500, 502, 503, 504)  # of HTTP: it may take the message later
GONE_STATUSES = (404, 410)  # of a subscription that has ended
NO_SUBSCRIPTION = Text("it is no subscription of a browser")
BODY_TYPE = "application/octet-stream"


class Push:
    """The browsers of all accounts, and the server's key: a channel of the outbox."""

    delays_ms: tuple[int, ...] = (1_000, 5_000, 15_000, 60_000, 600_000)

    def __init__(self, store: Store, tables: TableService, settings: Settings) -> None:
        self._store = store
        self._tables = tables
        self._settings = settings
        self._key = settings.push_key
        self._noted: TTLCache[str, bool] = TTLCache(MAX_NOTED, NOTE_PERIOD_S)

    @property
    def is_on(self) -> bool:
        """True where this site can send messages."""
        return bool(self._settings.site)

    async def public_key(self) -> str:
        """Return the public key that browsers are asked to take messages of, as base64url."""
        return public_key(await self._private_key())

    async def of(self, account: Account) -> list[Subscription]:
        """Return the browsers of an account that take messages."""
        return await self._store.read(lambda c: subscriptions(c, account.id))

    async def subscribe(self, account: Account, session: str, given: object, lang: str) -> None:
        """Send messages to the browser of a session from now on. `given` is its subscription as the browser has it."""
        if not self.is_on:
            raise Refused(ErrorCode.NO_PAGE)
        endpoint, browser_key, auth = _read_subscription(given)
        try:
            check_host(endpoint, self._settings.push_hosts)
        except BadAddress as wrong:
            raise Refused(ErrorCode.BAD_CONTACT, why=wrong.why) from None
        now = self._tables.now()
        new = Subscription(
            subscription_id(endpoint), account.id, session, endpoint, browser_key, auth, lang, now, now
        )
        if not await self._store.write("", lambda c: put_subscription(c, new)):
            raise Refused(ErrorCode.NO_ACCOUNT)

    async def unsubscribe(self, account: Account, session: str | None = None) -> None:
        """Send no more messages to the browser of a session, or to any browser of an account."""
        await self._store.write("", lambda c: remove_account_subscriptions(c, account.id, session))

    async def note_visible(self, account: Account | None) -> None:
        """Note that an account has a page of ours in view, so that no message comes on top of it."""
        if account is None or not self.is_on:
            return
        if account.id in self._noted:
            return
        self._noted[account.id] = True
        if await self.of(account):
            now = self._tables.now()
            await self._store.write("", lambda c: set_visible(c, account.id, now))

    def open(self, connection: Connection, row: RowMapping, now: int) -> PushLetter | int | None:
        """Return the message of a row now, None where it was read, or the time until which a page is in view."""
        return open_push(connection, row, now)

    async def send(self, letter: PushLetter, tries: int) -> Outcome:
        """Send a message to a browser. Raise BadAddress or OSError."""
        settings, browser = self._settings, letter.browser
        expires_s = self._tables.now() // 1000 + SIGNATURE_LIFETIME_S
        headers = {
            "Authorization": _signature(
                await self._private_key(), browser.endpoint, settings.site, expires_s
            ),
            "Content-Encoding": "aes128gcm",
            "Content-Type": BODY_TYPE,
            "TTL": str(LIFETIME_S),
            # a later message about the same table takes the place of one that is still on its way
            "Topic": hashlib.sha256(letter.topic.encode()).hexdigest()[:TOPIC_CHARS],
            "Urgency": "high",
        }
        body = _encrypt(browser, letter.body)
        status = await post(browser.endpoint, body, headers, settings.push_hosts)
        if status in BUSY_STATUSES:
            raise OSError(f"status {status}")
        return Outcome.GONE if status in GONE_STATUSES else Outcome.SENT  # or it will never be taken

    def settle(self, connection: Connection, letter: PushLetter, outcome: Outcome) -> tuple[str, str] | None:
        """Forget a browser that is gone, unless it has renewed its subscription."""
        is_gone = outcome == Outcome.GONE and remove_subscription(connection, letter.browser.id)
        return (letter.browser.account_id, PUSH_OFF) if is_gone else None

    async def _private_key(self) -> str:
        """Return the server's key. The first process that needs one makes it, for all."""
        if not self._key:
            new = new_private_key()

            def job(connection: Connection) -> str:
                return account_rows.put_secret(connection, PUSH_KEY, new)

            self._key = await self._store.write("", job)
        return self._key


def new_private_key() -> str:
    """Return a new private key for web push: 32 bytes as base64url."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _encode(number.to_bytes(PRIVATE_KEY_BYTES, "big"))


def public_key(private_key: str) -> str:
    """Return the public key that belongs to a private one: 65 bytes as base64url."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02

    public = Vapid02.from_raw(private_key.encode()).public_key
    return _encode(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def _read_subscription(given: object) -> tuple[str, str, str]:
    """Return endpoint, key and secret of a browser's subscription. Refuse one that nothing can be encrypted for."""
    from cryptography.hazmat.primitives.asymmetric import ec

    keys = given.get("keys") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(keys, dict):
        raise Refused(ErrorCode.BAD_CONTACT, why=NO_SUBSCRIPTION)
    texts = (given.get("endpoint"), keys.get("p256dh"), keys.get("auth"))
    endpoint, browser_key, auth = (text if isinstance(text, str) else "" for text in texts)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(browser_key, KEY_BYTES))
        _decode(auth, AUTH_BYTES)
    except ValueError:
        raise Refused(ErrorCode.BAD_CONTACT, why=NO_SUBSCRIPTION) from None
    return endpoint, browser_key, auth


def _encrypt(browser: Subscription, body: bytes) -> bytes:
    from pywebpush import WebPusher

    keys = {"p256dh": browser.browser_key, "auth": browser.auth}
    encrypted: bytes = WebPusher({"endpoint": browser.endpoint, "keys": keys}).encode(body)["body"]
    return encrypted


def _signature(private_key: str, endpoint: str, site: str, expires_s: int) -> str:
    """Return the header that tells a push service which site sends."""
    from py_vapid import Vapid02

    parts = urlsplit(endpoint)
    signer = Vapid02.from_raw(private_key.encode())
    signer.conf["no-strict"] = True  # a site on loopback has no https
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": site, "exp": expires_s}
    return str(signer.sign(claims)["Authorization"])


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(text: str, size: int) -> bytes:
    """Return the bytes of a text in base64url. Raise ValueError unless they are so many."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as wrong:
        raise ValueError(str(wrong)) from None
    if len(raw) != size:
        raise ValueError(f"expected {size} bytes, not {len(raw)}")
    return raw
