"""Transfers: a guest goes on in another browser, by a link that works once and for a short time.

The server knows no token of a guest, only its hash, and never stores one: what it keeps of a link is the token
under a key made of the code, which it does not keep.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from sqlalchemy import Connection

from smallchange.server.accounts import rows as rows
from smallchange.server.accounts.service import Accounts, Browser
from smallchange.server.accounts.view import MINUTES
from smallchange.server.table.store import Store
from smallchange.server.table.table_service import TableService, now_ms
from smallchange.server.web.errors import ErrorCode, Refused

CODE_BYTES = 24
LINK_AGE_S = 60 * MINUTES


class LinkOffer(NamedTuple):
    """An offer to join a browser: the name used there last, its seats and games, and the seats of this browser."""

    name: str
    seats: int
    games: tuple[str, ...]
    own_seats: int


class Transfers:
    """Makes links to go on elsewhere, and follows them."""

    def __init__(self, store: Store, tables: TableService, accounts: Accounts) -> None:
        self._store = store
        self._tables = tables
        self._accounts = accounts

    async def begin(self, token: str) -> str:
        """Return the code of a new link to go on as the guest with this token."""
        code = secrets.token_urlsafe(CODE_BYTES)
        sealed = _xor_with_key(token.encode(), code).hex()
        await self._store.write("", lambda c: rows.put_challenge(c, _key(code), sealed, now_ms()))
        return code

    async def look(self, code: str, hash: str) -> LinkOffer:
        """Return the other browser of a link, and the games of each. The link is not used by that."""
        not_before = now_ms() - 1000 * LINK_AGE_S
        sealed = await self._store.read(lambda c: rows.find_challenge(c, _key(code), not_before))
        other = _token_hash(_token(sealed, code))

        def ask(connection: Connection) -> LinkOffer:
            seats = rows.seats(connection, other)
            name = next((seat["name"] for seat in reversed(seats) if seat["name"]), "")
            games = tuple(dict.fromkeys(seat["game"] for seat in reversed(seats)))
            own = 0 if other == hash else rows.seat_count(connection, hash)
            return LinkOffer(name, len(seats), games, own)

        return await self._store.read(ask)

    async def follow(self, code: str, browser: Browser, along: bool | None) -> str:
        """Return the token of the guest whose link this is, once. Refuse a link that was used, or is too old.

        `along`: the seats that this browser has as another guest go to that one, or stay behind; None was not chosen,
        and is refused where it has any.
        """
        if along is None and (await self.look(code, browser.hash)).own_seats:
            raise Refused(ErrorCode.BAD_MESSAGE, why="along is 1 or 0")
        not_before = now_ms() - 1000 * LINK_AGE_S
        sealed = await self._store.write("", lambda c: rows.take_challenge(c, _key(code), not_before))
        token = _token(sealed, code)
        hash = _token_hash(token)
        known = await self._accounts.identity(hash)
        if known.superseded or known.account:  # an account signs in
            raise Refused(ErrorCode.LINK_USED, minutes=MINUTES)
        if along and hash != browser.hash:
            moved = await self._store.write("", lambda c: self._accounts.move(c, browser.hash, hash))
            self._tables.live.on_told((browser.hash, hash))
            await self._tables.live.reload(moved)
        return token


def _token(sealed: str | None, code: str) -> str:
    """Return the token that was sealed under a code. Refuse a link that has none."""
    if sealed is None:
        raise Refused(ErrorCode.LINK_USED, minutes=MINUTES)
    return _xor_with_key(bytes.fromhex(sealed), code).decode()


def _token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _key(code: str) -> str:
    """Return what the row of a link is found by."""
    return hashlib.sha256(b"transfer of " + code.encode()).hexdigest()


def _xor_with_key(data: bytes, code: str) -> bytes:
    """Return the data under the key of this code, which is used once; or the other way round."""
    key = hashlib.shake_256(b"token of " + code.encode()).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, key, strict=True))
