"""Web push: the browsers of accounts that take messages, and the messages as a push service takes them.

A message is encrypted for its browser (RFC 8291) and signed with the server's key (RFC 8292), so a push service cannot
read it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from urllib.parse import urlsplit

from cachetools import TTLCache
from sqlalchemy import Connection, RowMapping

from smallchange.i18n.text import Text
from smallchange.server.accounts import rows as account_rows
from smallchange.server.notifications import push_rows as rows
from smallchange.server.notifications.channel import Outcome
from smallchange.server.notifications.model import PUSH_OFF
from smallchange.server.notifications.outgoing import BadAddress, check_host, post
from smallchange.server.notifications.push_rows import PUSH_KEY, PushLetter, Subscription
from smallchange.server.settings import Settings
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.storage.store import Store
from smallchange.server.web.account import Account
from smallchange.server.web.errors import ErrorCode, Refused

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
        return await self._store.read(lambda c: rows.subscriptions(c, account.id))

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
            rows.subscription_id(endpoint), account.id, session, endpoint, browser_key, auth, lang, now, now
        )
        if not await self._store.write("", lambda c: rows.put_subscription(c, new)):
            raise Refused(ErrorCode.NO_ACCOUNT)

    async def unsubscribe(self, account: Account, session: str | None = None) -> None:
        """Send no more messages to the browser of a session, or to any browser of an account."""
        await self._store.write("", lambda c: rows.remove_account_subscriptions(c, account.id, session))

    async def note_visible(self, account: Account | None) -> None:
        """Note that an account has a page of ours in view, so that no message comes on top of it."""
        if account is None or not self.is_on:
            return
        if account.id in self._noted:
            return
        self._noted[account.id] = True
        if await self.of(account):
            now = self._tables.now()
            await self._store.write("", lambda c: rows.set_visible(c, account.id, now))

    def open(self, connection: Connection, row: RowMapping, now: int) -> PushLetter | int | None:
        """Return the message of a row now, None where it was read, or the time until which a page is in view."""
        return rows.open_push(connection, row, now)

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
        is_gone = outcome == Outcome.GONE and rows.remove_subscription(connection, letter.browser.id)
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
