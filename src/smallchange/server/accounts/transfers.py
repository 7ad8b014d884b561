"""Transfers: a guest goes on in another browser, by a link that works once and for a short time.

The server knows no token of a guest, only its hash, and never stores one: what it keeps of a link is the token
under a key made of the code, which it does not keep.
"""

from __future__ import annotations

import hashlib
import secrets

from smallchange.server.accounts import rows as rows
from smallchange.server.accounts.service import Accounts, Browser
from smallchange.server.accounts.view import MINUTES
from smallchange.server.table.store import Store
from smallchange.server.table.table_service import TableService, now_ms
from smallchange.server.web.errors import ErrorCode, Refused

CODE_BYTES = 24
LINK_AGE_S = 60 * MINUTES


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

    async def follow(self, code: str, browser: Browser) -> str:
        """Return the token of the guest whose link this is, once.

        The seats that this browser has as another guest go to that one. Refuse a link that was used, or is too old.
        """
        not_before = now_ms() - 1000 * LINK_AGE_S
        sealed = await self._store.write("", lambda c: rows.take_challenge(c, _key(code), not_before))
        if sealed is None:
            raise Refused(ErrorCode.LINK_USED, minutes=MINUTES)
        token = _xor_with_key(bytes.fromhex(sealed), code).decode()
        hash = hashlib.sha256(token.encode()).hexdigest()
        known = await self._accounts.identity(hash)
        if known.superseded or known.account:  # an account signs in
            raise Refused(ErrorCode.LINK_USED, minutes=MINUTES)
        if hash != browser.hash:
            moved = await self._store.write("", lambda c: self._accounts.move(c, browser.hash, hash))
            self._tables.live.on_told((browser.hash, hash))
            await self._tables.live.reload(moved)
        return token


def _key(code: str) -> str:
    """Return what the row of a link is found by."""
    return hashlib.sha256(b"transfer of " + code.encode()).hexdigest()


def _xor_with_key(data: bytes, code: str) -> bytes:
    """Return the data under the key of this code, which is used once; or the other way round."""
    key = hashlib.shake_256(b"token of " + code.encode()).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, key, strict=True))
