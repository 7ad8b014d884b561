"""Transfers: a guest goes on in another browser, by a link that works once and for a short time.

The other browser shows a number, and joins once that is typed in the browser that made the link: who is led to the link
of a stranger joins nothing by one click.

The server knows no token of a guest, only its hash, and never stores one: what it keeps of a link is the token
under a key made of the code, which it does not keep.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

from sqlalchemy import Connection

from smallchange.server.accounts import rows as rows
from smallchange.server.accounts.rows import JoinedBrowser
from smallchange.server.accounts.service import Accounts, Browser
from smallchange.server.accounts.view import MINUTES, LinkOffer
from smallchange.server.table.live.table_service import TableService, now_ms
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused

CODE_BYTES = 24
NUMBER_DIGITS = 6
LINK_AGE_S = 60 * MINUTES


class JoinRequest(NamedTuple):
    """A browser, by the hash of its token, that asks to join: its number, and whether it takes its seats along.

    `along` is None where it had none when it asked.
    """

    browser: str
    number: str
    along: bool | None
    is_confirmed: bool = False


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
        other = _token_hash(_token(await self._find_sealed(code), code))
        await self._refuse_account(other)

        def ask(connection: Connection) -> LinkOffer:
            seats = rows.seats(connection, other)
            name = next((seat["name"] for seat in reversed(seats) if seat["name"]), "")
            games = tuple(dict.fromkeys(seat["game"] for seat in reversed(seats)))
            own = 0 if other == hash else rows.seat_count(connection, hash)
            return LinkOffer(name, len(seats), games, own)

        return await self._store.read(ask)

    async def ask(self, code: str, browser: Browser, along: bool | None) -> JoinRequest:
        """Return the request of a browser to join by a link, whose number it shows until that is confirmed.

        `along`: the seats that this browser has as another guest go to that one, or stay behind; None was not chosen,
        and is refused where it has any, also such as came after it had asked.
        """
        found = await self._request(code)
        is_again = found is not None and found.browser == browser.hash
        chosen = found.along if found is not None and is_again and found.along is not None else along
        if chosen is None and (await self.look(code, browser.hash)).own_seats:
            raise Refused(ErrorCode.BAD_MESSAGE, why="along is 1 or 0")
        if found is not None and is_again:
            new = found._replace(along=chosen)
        else:
            own = browser.hash == _token_hash(_token(await self._find_sealed(code), code))
            number = f"{secrets.randbelow(10**NUMBER_DIGITS):0{NUMBER_DIGITS}}"
            new = JoinRequest(browser.hash, number, chosen, own)
        if new != found:
            await self._put_request(code, new)
        return new

    async def confirm(self, code: str, token: str, number: str) -> None:
        """Let the browser join that shows this number, by the link of this token. A wrong number ends its request."""
        if _token(await self._find_sealed(code), code) != token:
            raise Refused(ErrorCode.LINK_USED, minutes=MINUTES)
        found = await self._request(code)
        if found is None or not hmac.compare_digest(found.number.encode(), number.strip().encode()):
            not_before = now_ms() - 1000 * LINK_AGE_S
            await self._store.write("", lambda c: rows.take_challenge(c, _key(code, "request"), not_before))
            raise Refused(ErrorCode.WRONG_NUMBER)
        await self._put_request(code, found._replace(is_confirmed=True))

    async def list_joined(self, holder: str) -> list[JoinedBrowser]:
        """Return the browsers that have joined a guest's, the last ones first."""
        return await self._store.read(lambda c: rows.joined_browsers(c, holder))

    async def end_others(self, old: str, new: str) -> None:
        """Give the seats of a guest's token to a new one, which the browsers that have joined do not have."""

        def job(connection: Connection) -> list[str]:
            rows.forget_joined(connection, old)
            return self._accounts.move(connection, old, new)

        tables = await self._store.write("", job)
        self._tables.live.on_told((old, new))
        await self._tables.live.reload(tables)

    async def _refuse_account(self, hash: str) -> None:
        """Refuse a link whose guest has an account by now: an account signs in."""
        known = await self._accounts.identity(hash)
        if known.superseded or known.account:
            raise Refused(ErrorCode.LINK_USED, minutes=MINUTES)

    async def _find_sealed(self, code: str) -> str | None:
        not_before = now_ms() - 1000 * LINK_AGE_S
        return await self._store.read(lambda c: rows.find_challenge(c, _key(code), not_before))

    async def _request(self, code: str) -> JoinRequest | None:
        not_before = now_ms() - 1000 * LINK_AGE_S
        stored = await self._store.read(lambda c: rows.find_challenge(c, _key(code, "request"), not_before))
        if stored is None:
            return None
        browser, number, along, is_confirmed = stored.split()
        return JoinRequest(browser, number, {"True": True, "False": False}.get(along), is_confirmed == "1")

    async def _put_request(self, code: str, asked: JoinRequest) -> None:
        value = f"{asked.browser} {asked.number} {asked.along} {asked.is_confirmed:d}"
        await self._store.write("", lambda c: rows.put_challenge(c, _key(code, "request"), value, now_ms()))

    async def follow(self, code: str, browser: Browser) -> str:
        """Return the token of the guest whose link this is, once. Refuse a link that was used, or is too old."""
        asked, now = await self._request(code), now_ms()
        if asked is None or asked.browser != browser.hash or not asked.is_confirmed:
            raise Refused(ErrorCode.LINK_USED, minutes=MINUTES)

        def job(connection: Connection) -> str | None:
            rows.take_challenge(connection, _key(code, "request"), 0)
            return rows.take_challenge(connection, _key(code), now - 1000 * LINK_AGE_S)

        token = _token(await self._store.write("", job), code)
        hash = _token_hash(token)
        await self._refuse_account(hash)
        if asked.along and hash != browser.hash:
            moved = await self._store.write("", lambda c: self._accounts.move(c, browser.hash, hash))
            self._tables.live.on_told((browser.hash, hash))
            await self._tables.live.reload(moved)
        if hash != browser.hash:
            await self._store.write("", lambda c: rows.note_joined(c, hash, browser.agent, now))
        return token


def _token(sealed: str | None, code: str) -> str:
    """Return the token that was sealed under a code. Refuse a link that has none."""
    if sealed is None:
        raise Refused(ErrorCode.LINK_USED, minutes=MINUTES)
    return _xor_with_key(bytes.fromhex(sealed), code).decode()


def _token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _key(code: str, kind: str = "transfer") -> str:
    """Return what the row of a link, or of a request to join by it, is found by."""
    return hashlib.sha256(f"{kind} of {code}".encode()).hexdigest()


def _xor_with_key(data: bytes, code: str) -> bytes:
    """Return the data under the key of this code, which is used once; or the other way round."""
    key = hashlib.shake_256(b"token of " + code.encode()).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, key, strict=True))
