"""Bots of strangers: accounts by which programs play, each with an owner who makes and revokes its tokens.

A token is a session of the bot's account. Its own form tells it from the token of a browser, so that it counts in
the header `Authorization` alone and never in a cookie.
"""

from __future__ import annotations

import secrets
import time

from sqlalchemy import Connection

from smallchange.server.accounts import rows
from smallchange.server.accounts.rows import OwnBot, valid_bot_name
from smallchange.server.accounts.service import Accounts
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.model.new_tables import random_id
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.names import clean
from smallchange.server.web.sessions import Account, AccountRole, AccountState

MAX_BOTS = 5  # of an owner
MAX_TOKENS = 5  # of a bot
MAX_NEW_BOTS = 20  # of an owner in NEW_BOT_PERIOD_S, also those that were removed again
NEW_BOT_PERIOD_S = 24 * 3600
MAX_LABEL_CHARS = 40
MAX_LISTED_BOTS = 20
LISTED_MS = DAY_MS  # for which a bot is listed after it was connected last


class BotAccounts:
    """The bots of strangers."""

    def __init__(self, store: Store, tables: TableService, accounts: Accounts) -> None:
        self._store = store
        self._tables = tables
        self._accounts = accounts

    async def create(self, owner: Account, name: str) -> Account:
        """Create a bot. Refuse a bot as its owner, a name that is taken, or one bot too many."""
        if owner.is_bot:
            raise Refused(ErrorCode.BOT_ACCOUNT)
        name, now, now_s = valid_bot_name(name), self._tables.now(), int(time.time())
        holder = secrets.token_hex(32)  # of no token: nobody is the bot's guest
        new = Account(random_id(20), name, holder, now, AccountRole.BOT, AccountState.OPEN, "{}", owner.id)

        def job(connection: Connection) -> Refused | None:
            if len(rows.bots_of(connection, owner.id)) >= MAX_BOTS:
                return Refused(ErrorCode.OWNED_LIMIT, most=MAX_BOTS)
            tried = rows.count_attempt(connection, f"bot {owner.id}", NEW_BOT_PERIOD_S, now_s)
            if tried > MAX_NEW_BOTS:
                return Refused(ErrorCode.ATTEMPT_LIMIT, wait_s=NEW_BOT_PERIOD_S - now_s % NEW_BOT_PERIOD_S)
            try:
                rows.create_account(connection, new, [])
            except rows.NameTaken:
                return Refused(ErrorCode.NAME_TAKEN, name=name)
            return None

        if refused := await self._store.write("", job):
            raise refused
        return new

    async def of(self, owner: Account) -> list[OwnBot]:
        """Return the bots of an owner with their tokens."""

        def ask(connection: Connection) -> list[OwnBot]:
            bots = rows.bots_of(connection, owner.id)
            return [OwnBot(bot, rows.sessions(connection, bot.id)) for bot in bots]

        return await self._store.read(ask)

    async def add_token(self, owner: Account, id: str, hash: str, label: str) -> Account:
        """Store the hash of a new token of a bot, and return the bot."""
        bot, now = await self._bot(owner, id), self._tables.now()

        def job(connection: Connection) -> bool:
            if len(rows.sessions(connection, bot.id)) >= MAX_TOKENS:
                return False
            rows.begin_session(connection, hash, bot.id, now, clean(label, MAX_LABEL_CHARS))
            return True

        if bot.state != AccountState.OPEN:
            raise Refused(ErrorCode.BANNED)
        if not await self._store.write("", job):
            raise Refused(ErrorCode.OWNED_LIMIT, most=MAX_TOKENS)
        return bot

    async def revoke_token(self, owner: Account, id: str, hash: str) -> None:
        """Revoke a token of a bot: its connections are closed."""
        await self._accounts.end_sessions(await self._bot(owner, id), hash=hash)

    async def remove(self, owner: Account, id: str) -> None:
        """Erase a bot: its seats stay, without a name."""
        await self._accounts.erase(await self._bot(owner, id))

    async def owner_name(self, bot: Account) -> str:
        """Return the name of a bot's owner."""
        owner = await self._store.read(lambda c: rows.account_by_id(c, bot.owner_id or ""))
        return owner.name if owner else ""

    async def seen_lately(self) -> list[str]:
        """Return the names of bots that were connected in the last day, the last ones first."""
        since = self._tables.now() - LISTED_MS
        return await self._store.read(lambda c: rows.bots_seen(c, since, MAX_LISTED_BOTS))

    async def note_seen(self, hash: str) -> None:
        """Note that the program with this token is connected."""
        now = self._tables.now()
        await self._store.write("", lambda c: rows.note_seen(c, hash, now))

    async def _bot(self, owner: Account, id: str) -> Account:
        """Return a bot of this owner. Refuse any other account."""
        bot = await self._store.read(lambda c: rows.account_by_id(c, id))
        if bot is None or bot.owner_id != owner.id or bot.state == AccountState.ERASED:
            raise Refused(ErrorCode.NO_PAGE)
        return bot
