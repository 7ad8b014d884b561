"""Accounts: sign up, sign in, the sessions of an account, and its settings.

A guest is a visitor without an account: seats are held by the hash of the cookie's token. An account begins
with the seats of the guest who signs up, and holds them by the same hash. The cookie gets a new token, which
a row of the table `session` joins with the account. The old token is void from then on.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import structlog
from cachetools import TTLCache
from sqlalchemy import Connection

from smallchange.core import record
from smallchange.server.accounts import credentials, rows
from smallchange.server.accounts.credentials import (
    Passkey,
    Passwords,
    Site,
    new_recovery_codes,
    recovery_code_hash,
)
from smallchange.server.accounts.rows import Belongings, Credential, valid_name
from smallchange.server.settings import ADDRESS_SIGN_IN_FACTOR, SIGN_IN_PERIOD_S, Settings
from smallchange.server.table.live.table_service import TableService, now_ms
from smallchange.server.table.model.new_tables import random_id
from smallchange.server.table.storage.plan_rows import plans_of
from smallchange.server.table.storage.retention import SESSION_AGE_MS
from smallchange.server.table.storage.rows import remarks_of
from smallchange.server.table.storage.store import NUL, Store
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.heavy_work import HeavyWork
from smallchange.server.web.sessions import Account, AccountRole, AccountState, Identity

log = structlog.get_logger("accounts")
SEEN_PERIOD_MS = 24 * 3_600_000  # in which the visit of a session is stored once
RECENT_MS = 10 * 60_000  # for which nobody is asked again after an authentication
SESSION_CACHE_S = 10.0  # for which another process may still accept a session that was ended
MAX_CACHED_SESSIONS = 10_000
MAX_PASSKEYS = 20
ACCOUNT_SIGN_IN_FACTOR = 10  # how many more guesses all strange addresses have together than one of them
SECRET_BYTES, KNOWN_CHARS = 32, 32
MAX_QUOTED_CHARS = 40  # of a name that nobody has
MAX_SETTINGS_CHARS = 2000


class Browser(NamedTuple):
    """The browser of a request: the hash of its present token and of its next one, its address, and its User-Agent.

    `known` are its marks of accounts that were signed in there.
    """

    hash: str
    new_hash: str
    address: str
    agent: str
    known: tuple[str, ...] = ()


class Accounts:
    """All accounts of a server."""

    def __init__(
        self,
        store: Store,
        tables: TableService,
        settings: Settings,
        heavy: HeavyWork,
        belongings: Sequence[Belongings] = (),
    ) -> None:
        self._store = store
        self._settings = settings
        self._belongings = belongings
        self._tables = tables
        self._passwords = Passwords(heavy)
        self._secret = ""  # of `known_mark`
        self._identities: TTLCache[str, Identity] = TTLCache(MAX_CACHED_SESSIONS, SESSION_CACHE_S)
        self.on_sign_out: Callable[[str], None] = lambda hash: None  # to close the sockets of this session

    async def identity(self, hash: str) -> Identity:
        """Return the identity behind the token with this hash."""
        if cached := self._identities.get(hash):
            return cached
        now = now_ms()

        def ask(connection: Connection) -> tuple[Identity, int]:
            session = rows.find_session(connection, hash)
            if session is None:
                return Identity(superseded=rows.account_by_holder(connection, hash) is not None), now
            account, seen = session
            return Identity(account if account.is_bot or now - seen < SESSION_AGE_MS else None), seen

        found, seen = await self._store.read(ask)
        if found.account and not found.account.is_bot and now - seen >= SEEN_PERIOD_MS:
            await self._store.write("", lambda c: rows.note_seen(c, hash, now))
        self._identities[hash] = found
        return found

    async def sign_up(self, browser: Browser, name: str, password: str | None) -> tuple[Account, list[str]]:
        """Create an account with the seats of this guest, and sign its browser in.

        Return the account, and its recovery codes, which nobody can read again. Without a password there are
        no codes; a passkey is added next.
        """
        name = valid_name(name)
        await self._count_attempts(("sign-up", browser.address, self._settings.sign_ups))
        hashed = None if password is None else await self._passwords.hash(password, name)
        account = Account(
            random_id(20), name, browser.hash, now_ms(), AccountRole.PERSON, AccountState.OPEN, "{}"
        )
        codes = [] if hashed is None else new_recovery_codes()
        made = _recovery_credentials(account.id, codes)
        if hashed is not None:
            made.append(_new_credential(account.id, rows.PASSWORD, hashed))

        def job(connection: Connection) -> bool:
            try:
                rows.create_account(connection, account, made)
            except rows.NameTaken:
                return False
            rows.begin_session(connection, browser.new_hash, account.id, now_ms(), browser.agent)
            return True

        if not await self._store.write("", job):
            raise Refused(ErrorCode.NAME_TAKEN, name=name)
        self._forget(browser)
        log.info("account created", account=account.id)
        return account, codes

    async def sign_in(self, browser: Browser, name: str, password: str) -> Account:
        """Sign a browser in by password or recovery code. A code works once. The guest's seats go to the account.

        The refusal is the same, after the same time, whether the name exists or not. Nobody guesses a code, so that it
        is taken however many passwords others have tried.
        """
        account = await self._store.read(lambda c: rows.account_by_name(c, name))
        of_account = account.id if account else ""
        try:
            await self._count_attempts(
                ("sign-in", browser.address, ADDRESS_SIGN_IN_FACTOR * self._settings.sign_ins),
                *(await self._guesses(account, browser) if account else ()),
            )
            fits = await self._fits(of_account, password)
        except Refused as wrong:
            fits = wrong.code == ErrorCode.ATTEMPT_LIMIT and await self._use_code(of_account, password)
            if not fits:
                raise
        if not fits or account is None:
            log.warning("a sign-in failed", account=of_account, address=browser.address)
            raise Refused(ErrorCode.SIGN_IN_FAILED)
        _refuse_banned(account)
        await self._begin_session(browser, account)
        log.info("signed in by password or code", account=account.id)
        return account

    async def _guesses(self, account: Account, browser: Browser) -> list[tuple[str, str, int]]:
        """Return under which keys a guess of an account's password counts, so that nobody locks its owner out.

        Browsers that were signed in to it once count apart from all others, and others by their address.
        """
        most = self._settings.sign_ins
        if await self.known_mark(account) in browser.known:
            return [("sign-in as", f"{account.id} known", most)]
        return [
            ("sign-in as", f"{account.id} {browser.address}", most),
            ("sign-in as", account.id, ACCOUNT_SIGN_IN_FACTOR * most),
        ]

    async def known_mark(self, account: Account) -> str:
        """Return the proof that a browser keeps of having been signed in to this account."""
        if not self._secret:
            new = secrets.token_urlsafe(SECRET_BYTES)
            self._secret = await self._store.write("", lambda c: rows.put_secret(c, "known", new))
        return hmac.new(self._secret.encode(), account.id.encode(), hashlib.sha256).hexdigest()[:KNOWN_CHARS]

    async def passkey_options(self, hash: str, account: Account, site: Site) -> str:
        """Return the options for the browser, as JSON, to make a passkey for this account."""
        present = await self._passkey_ids(account)
        if len(present) >= MAX_PASSKEYS:
            raise Refused(ErrorCode.BAD_PASSKEY)
        return await self._ask(hash, credentials.registration(site, account.id, account.name, present))

    async def authentication_options(self, hash: str, account: Account | None, site: Site) -> str:
        """Return the options for the browser, as JSON, to authenticate by a passkey of this account, or of any."""
        accepted = await self._passkey_ids(account) if account else []
        return await self._ask(hash, credentials.authentication(site, accepted))

    async def _passkey_ids(self, account: Account) -> list[str]:
        made = await self._store.read(lambda c: rows.credentials(c, account.id, rows.PASSKEY))
        return [one.id for one in made]

    async def _ask(self, hash: str, question: credentials.Question) -> str:
        """Store the challenge that a browser is to answer, and return the options for it."""
        await self._store.write("", lambda c: rows.put_challenge(c, hash, question.challenge, now_ms()))
        return question.options

    async def add_passkey(self, hash: str, account: Account, site: Site, answer: dict[str, Any]) -> None:
        """Add a passkey that the browser has made. Refuse it unless it answers the last challenge, once."""
        made = credentials.check_registration(site, await self._take_challenge(hash), answer)
        new = Credential(made.id, account.id, rows.PASSKEY, made.public_key, made.uses, now_ms())

        def job(connection: Connection) -> bool:
            if rows.credential(connection, new.id):
                return False
            rows.add_credential(connection, new)
            return True

        if not await self._store.write("", job):
            raise Refused(ErrorCode.BAD_PASSKEY)

    async def sign_in_by_passkey(self, browser: Browser, site: Site, answer: dict[str, Any]) -> Account:
        """Sign a browser in by a passkey. Refuse it unless it answers the last challenge, once."""
        account = await self._account_of_passkey(browser, site, answer)
        _refuse_banned(account)
        await self._begin_session(browser, account)
        log.info("signed in by passkey", account=account.id)
        return account

    async def _account_of_passkey(self, browser: Browser, site: Site, answer: dict[str, Any]) -> Account:
        """Return the account whose passkey has answered the last challenge of a browser. Note the use."""
        await self._count_attempts(
            ("passkey", browser.address, ADDRESS_SIGN_IN_FACTOR * self._settings.sign_ins)
        )
        challenge = await self._take_challenge(browser.hash)
        id = answer.get("id")
        if not isinstance(id, str):
            raise Refused(ErrorCode.BAD_PASSKEY)
        stored = await self._store.read(lambda c: rows.credential(c, id))
        if stored is None or stored.kind != rows.PASSKEY:
            raise Refused(ErrorCode.BAD_PASSKEY)
        passkey = Passkey(stored.id, stored.verifier, stored.uses)
        try:
            uses = credentials.check_authentication(site, challenge, answer, passkey)
        except Refused:
            log.warning("a sign-in failed", account=stored.account_id, address=browser.address)
            raise
        account = await self._store.read(lambda c: rows.account_by_id(c, stored.account_id))
        if account is None:
            raise Refused(ErrorCode.SIGN_IN_FAILED)
        await self._store.write("", lambda c: rows.note_use(c, id, uses))
        return account

    async def has_authenticated(self, account: Account, hash: str) -> bool:
        """Return whether this session has authenticated a moment ago, or the account has no credential at all."""
        oldest = now_ms() - RECENT_MS

        def ask(connection: Connection) -> bool:
            recent = rows.authenticated_at(connection, hash) >= oldest
            return recent or not rows.has_credentials(connection, account.id)

        return await self._store.read(ask)

    async def require_authentication(self, account: Account, hash: str) -> None:
        """Refuse unless this session has authenticated a moment ago."""
        if not await self.has_authenticated(account, hash):
            raise Refused(ErrorCode.CREDENTIAL_NEEDED)

    async def authenticate_again(self, account: Account, browser: Browser, given: str) -> None:
        """Note that this session has authenticated, by password or recovery code. It goes on by its new token."""
        await self._count_attempts(("sign-in as", f"{account.id} signed in", self._settings.sign_ins))
        if not await self._fits(account.id, given):
            log.warning("an authentication failed", account=account.id, address=browser.address)
            raise Refused(ErrorCode.WRONG_PASSWORD)
        await self._renew_session(browser)

    async def authenticate_again_by_passkey(
        self, account: Account, browser: Browser, site: Site, answer: dict[str, Any]
    ) -> None:
        """Note that this session has authenticated, by a passkey of its account. It goes on by its new token."""
        if (await self._account_of_passkey(browser, site, answer)).id != account.id:
            raise Refused(ErrorCode.BAD_PASSKEY)
        await self._renew_session(browser)

    async def _renew_session(self, browser: Browser) -> None:
        now = now_ms()
        if not await self._store.write(
            "", lambda c: rows.renew_session(c, browser.hash, browser.new_hash, now)
        ):
            raise Refused(ErrorCode.NO_ACCOUNT)
        self._forget(browser)
        self.on_sign_out(browser.hash)

    async def sign_out(self, hash: str, account: Account) -> None:
        """End the session of one browser."""
        await self.end_sessions(account, hash=hash)

    async def end_sessions(self, account: Account, keep: str = "", hash: str | None = None) -> None:
        """End one session of an account, or all but `keep`."""
        ended = await self._store.write("", lambda c: rows.end_sessions(c, account.id, keep, hash))
        for one in ended:
            self.forget_session(one)

    def forget_session(self, hash: str) -> None:
        """Drop the cached identity of a session that has ended, and close its connections."""
        self._identities.pop(hash, None)
        self.on_sign_out(hash)

    async def rename(self, account: Account, name: str) -> None:
        """Give an account another name. Seats keep the name with which they were taken."""
        name = valid_name(name)

        def job(connection: Connection) -> bool:
            try:
                rows.rename_account(connection, account.id, name, now_ms())
            except rows.NameTaken:
                return False
            return True

        if not await self._store.write("", job):
            raise Refused(ErrorCode.NAME_TAKEN, name=name)
        self.forget_account(account)

    async def _fits(self, account_id: str, password: str) -> bool:
        """Return whether this is the account's password, or one of its recovery codes, which is used up."""
        hashes = await self._store.read(lambda c: rows.credentials(c, account_id, rows.PASSWORD))
        if await self._passwords.fits(password, hashes[0].verifier if hashes else None):
            return True
        return await self._use_code(account_id, password)

    async def _use_code(self, account_id: str, given: str) -> bool:
        """Return whether this is a recovery code of the account, which is used up."""
        hash = recovery_code_hash(given)
        used: bool = await self._store.write("", lambda c: rows.remove_credential(c, account_id, hash))
        return used

    async def change_password(self, account: Account, current: str, password: str, keep: str) -> None:
        """Set the password of an account, and end all its other sessions.

        Refuse if the account has a password and `current` is neither that nor a recovery code. Without a password the
        session must have authenticated a moment ago.
        """
        hashes = await self._store.read(lambda c: rows.credentials(c, account.id, rows.PASSWORD))
        hashed = _new_credential(
            account.id, rows.PASSWORD, await self._passwords.hash(password, account.name)
        )
        if hashes:
            await self._count_attempts(("sign-in as", f"{account.id} signed in", self._settings.sign_ins))
            if not await self._fits(account.id, current):
                log.warning("a change of password failed", account=account.id)
                raise Refused(ErrorCode.WRONG_PASSWORD)
        else:
            await self.require_authentication(account, keep)
        await self._store.write(
            "", lambda c: rows.replace_credentials(c, account.id, rows.PASSWORD, [hashed])
        )
        await self.end_sessions(account, keep=keep)

    async def new_codes(self, account: Account) -> list[str]:
        """Replace the recovery codes of an account, and return the new ones."""
        codes = new_recovery_codes()
        new = _recovery_credentials(account.id, codes)
        await self._store.write("", lambda c: rows.replace_credentials(c, account.id, rows.RECOVERY, new))
        return codes

    async def remove_passkey(self, account: Account, id: str) -> None:
        """Remove a passkey. Refuse if it is the last way to sign in, recovery codes aside."""

        def job(connection: Connection) -> bool:
            left = rows.credentials(connection, account.id, rows.PASSKEY)
            password = rows.credentials(connection, account.id, rows.PASSWORD)
            if not password and [one.id for one in left] == [id]:
                return False
            rows.remove_credential(connection, account.id, id)
            return True

        if not await self._store.write("", job):
            raise Refused(ErrorCode.LAST_CREDENTIAL)

    async def overview(self, account: Account) -> dict[str, Any]:
        """Return the content of the account's page: its sessions, passkeys, and ways to sign in."""

        def ask(connection: Connection) -> dict[str, Any]:
            return {
                "sessions": rows.sessions(connection, account.id),
                "passkeys": rows.credentials(connection, account.id, rows.PASSKEY),
                "has_password": bool(rows.credentials(connection, account.id, rows.PASSWORD)),
                "codes": len(rows.credentials(connection, account.id, rows.RECOVERY)),
                "seats": rows.seat_count(connection, account.holder),
            }

        return await self._store.read(ask)

    async def save_settings(self, account: Account, chosen: Mapping[str, str]) -> None:
        """Store settings that follow the account to every browser."""

        def job(connection: Connection) -> None:
            known = rows.account_by_id(connection, account.id)
            settings = json.dumps((known or account).preferences | dict(chosen))
            if len(settings) <= MAX_SETTINGS_CHARS:
                rows.save_settings(connection, account.id, settings)

        await self._store.write("", job)
        self.forget_account(account)

    async def export(self, account: Account) -> dict[str, Any]:
        """Return all stored data of the account except secrets, ready for JSON."""

        def ask(connection: Connection) -> dict[str, Any]:
            found = {
                "name": account.name,
                "created": account.created,
                "settings": account.preferences,
                "sessions": [one._asdict() | {"hash": None} for one in rows.sessions(connection, account.id)],
                "passkeys": [
                    {"id": one.id, "created": one.created}
                    for one in rows.credentials(connection, account.id, rows.PASSKEY)
                ],
                "remarks": remarks_of(connection, account.holder),
                "planned_moves": plans_of(connection, account.holder),
                "bots": [one.name for one in rows.bots_of(connection, account.id)],
                "seats": rows.seats(connection, account.holder),
            }
            for one in self._belongings:
                found |= one.export(connection, account)
            return found

        return await self._store.read(ask)

    async def by_holder(self, holder: str) -> Account | None:
        """Return the account that holds its seats by this hash, unless it was erased."""
        found = await self._store.read(lambda c: rows.account_by_holder(c, holder))
        return None if found is None or found.state == AccountState.ERASED else found

    async def by_name(self, name: str) -> Account:
        """Return the account with this name, whatever its case and width. Refuse if there is none."""
        found = None if NUL in name else await self._store.read(lambda c: rows.account_by_name(c, name))
        if found is None or found.state == AccountState.ERASED:
            raise Refused(ErrorCode.UNKNOWN_ACCOUNT, name=name[:MAX_QUOTED_CHARS])
        return found

    async def erase(self, account: Account) -> None:
        """Remove the account's name everywhere, its credentials, sessions and settings.

        Its bots are erased too. The seats stay, without a name. Every record still verifies, because names are not part
        of the luck.
        """
        for bot in await self._store.read(lambda c: rows.bots_of(c, account.id)):
            await self.erase(bot)
        await self.end_sessions(account)

        def job(connection: Connection) -> list[str]:
            for one in self._belongings:
                one.erase(connection, account)
            return rows.erase_account(connection, account, erase_name, now_ms())

        tables = await self._store.write("", job)
        self.forget_account(account)
        await self._tables.live.reload(tables)
        log.info("account erased", account=account.id)

    def move(self, connection: Connection, old: str, new: str) -> list[str]:
        """Give all that one holder has to another. Return the ids of their tables."""
        for one in self._belongings:
            one.move(connection, old, new)
        return rows.move_seats(connection, old, new)

    async def _begin_session(self, browser: Browser, account: Account) -> None:
        """Begin a session of this browser, in place of its present one. The guest's seats go to the account."""
        now = now_ms()

        def job(connection: Connection) -> list[str]:
            rows.end_sessions(connection, account.id, hash=browser.hash)
            rows.begin_session(connection, browser.new_hash, account.id, now, browser.agent)
            guest = rows.account_by_holder(connection, browser.hash) is None
            return self.move(connection, browser.hash, account.holder) if guest else []

        tables = await self._store.write("", job)
        self._forget(browser)
        self._tables.live.on_told((account.holder,))
        await self._tables.live.reload(tables)

    async def _take_challenge(self, hash: str) -> str:
        """Return the browser's challenge, which is valid once. Refuse if there is none, or an old one."""
        oldest = now_ms() - 1000 * credentials.CHALLENGE_AGE_S
        found = await self._store.write("", lambda c: rows.take_challenge(c, hash, oldest))
        if found is None:
            raise Refused(ErrorCode.BAD_PASSKEY)
        return str(found)

    async def _count_attempts(self, *counted: tuple[str, str, int]) -> None:
        """Count an attempt under each (purpose, key, most). Refuse it if there were more than `most`."""
        now_s = int(time.time())

        def job(connection: Connection) -> bool:
            numbers = [
                (rows.count_attempt(connection, f"{purpose} {key}", SIGN_IN_PERIOD_S, now_s), most)
                for purpose, key, most in counted
            ]
            return all(number <= most for number, most in numbers)

        if not await self._store.write("", job):
            raise Refused(ErrorCode.ATTEMPT_LIMIT, wait_s=SIGN_IN_PERIOD_S - now_s % SIGN_IN_PERIOD_S)

    def _forget(self, browser: Browser) -> None:
        """Drop the cached identities of a browser's tokens."""
        self._identities.pop(browser.hash, None)
        self._identities.pop(browser.new_hash, None)

    def forget_account(self, account: Account) -> None:
        """Drop all cached identities of an account."""
        for hash in list(self._identities):
            identity = self._identities.get(hash)
            if identity and identity.account and identity.account.id == account.id:
                self._identities.pop(hash, None)


def _refuse_banned(account: Account) -> None:
    """Refuse an account that was banned, to its owner alone: the password or passkey fits."""
    if account.state != AccountState.OPEN:
        raise Refused(ErrorCode.BANNED if account.state == AccountState.BANNED else ErrorCode.SIGN_IN_FAILED)


def erase_name(text: str, players: Collection[str]) -> str:
    """Return the text of a record without the names of these players."""
    match = record.read(text)
    match.seats = {player: name for player, name in match.seats.items() if player not in players}
    return record.write(match)


def _new_credential(account_id: str, kind: str, verifier: str) -> Credential:
    return Credential(random_id(20), account_id, kind, verifier, 0, now_ms())


def _recovery_credentials(account_id: str, codes: list[str]) -> list[Credential]:
    """Return recovery codes as they are stored. The hash is the id, so that removing the row uses the code up."""
    return [
        Credential(recovery_code_hash(code), account_id, rows.RECOVERY, "", 0, now_ms()) for code in codes
    ]
