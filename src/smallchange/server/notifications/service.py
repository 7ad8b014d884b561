"""Notifications for the pages and of an account: unread ones, the next game that waits, contacts, the export."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from cachetools import TTLCache
from sqlalchemy import Connection, delete

from smallchange.i18n.text import Text
from smallchange.server.accounts import rows as account_rows
from smallchange.server.accounts.rows import Belongings
from smallchange.server.accounts.service import Accounts
from smallchange.server.database import schema
from smallchange.server.notifications import rows
from smallchange.server.notifications.mail import Mail, confirmation_mail, is_mail_address, send_mail
from smallchange.server.notifications.model import KINDS, ListedNotification, is_shared
from smallchange.server.notifications.push import Push, remove_account_subscriptions, subscriptions
from smallchange.server.notifications.rows import (
    Contact,
    export_notifications,
    find_contact,
    forget_contact,
    move_notifications,
)
from smallchange.server.notifications.view import switches
from smallchange.server.settings import Settings
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import command_events
from smallchange.server.table.model.history import History
from smallchange.server.table.storage import clock_rows as deadlines
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext
from smallchange.server.web.sessions import Account, Visitor

KEY_BYTES = 24
# mails to addresses that are not confirmed, in CONFIRMATION_PERIOD_S
MAX_CONFIRMATIONS = 3  # to one address, or for one account
MAX_CONFIRMATIONS_OF_NETWORK = 5  # that one address of the internet asks for
MAX_CONFIRMATIONS_OF_SITE = 200
CONFIRMATION_PERIOD_S = 24 * 3600
NO_MAIL_ADDRESS = Text("it is no e-mail address")
NOT_SENT = Text("no e-mail could be sent to it")


class Contacts:
    """The contacts of all accounts."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    async def of(self, account: Account) -> Contact:
        """Return the contact of an account."""
        return await self._store.read(lambda c: rows.find_contact(c, account.id))

    async def set_mail(self, account: Account, mail: str, lang: str, network: str) -> None:
        """Send mails to this address once it is confirmed by the link in a first one; none if it is empty."""
        mail, known = mail.strip(), await self.of(account)
        if not mail:
            await self._store.write("", lambda c: rows.forget_contact(c, account.id))
            return
        if not is_mail_address(mail):
            raise Refused(ErrorCode.BAD_CONTACT, why=NO_MAIL_ADDRESS)
        key, confirmed = (
            (known.mail_key, known.confirmed)
            if mail == known.mail
            else (secrets.token_urlsafe(KEY_BYTES), False)
        )
        new = known._replace(mail=mail, confirmed=confirmed, mail_key=key, lang=lang)
        now_s = int(time.time())

        def job(connection: Connection) -> bool:
            to = hashlib.sha256(mail.casefold().encode()).hexdigest()
            limits = {
                f"mail {account.id}": MAX_CONFIRMATIONS,
                f"mail to {to}": MAX_CONFIRMATIONS,
                f"mail from {network}": MAX_CONFIRMATIONS_OF_NETWORK,
                "mail": MAX_CONFIRMATIONS_OF_SITE,
            }
            for counted, most in () if confirmed else limits.items():
                if account_rows.count_attempt(connection, counted, CONFIRMATION_PERIOD_S, now_s) > most:
                    return False
            rows.put_contact(connection, new)
            return True

        if not await self._store.write("", job):
            raise Refused(ErrorCode.ATTEMPT_LIMIT)
        if not confirmed:
            subject, text = confirmation_mail(self._settings.site, key, lang)
            try:
                await send_mail(
                    self._settings.mail_server, self._settings.mail_from, Mail(mail, subject, text)
                )
            except OSError:
                raise Refused(ErrorCode.BAD_CONTACT, why=NOT_SENT) from None

    async def confirm(self, key: str) -> None:
        """Send mails to the address whose mail had this key from now on."""
        new = (await self._with_key(key))._replace(confirmed=True)
        await self._store.write("", lambda c: rows.put_contact(c, new))

    async def unsubscribe(self, key: str) -> None:
        """Forget the address whose mails have this key. One that is forgotten already is none."""
        known = await self._store.read(lambda c: rows.contact_by_key(c, key))
        if known is not None:
            await self._store.write("", lambda c: rows.forget_contact(c, known.account_id))

    async def _with_key(self, key: str) -> Contact:
        known = await self._store.read(lambda c: rows.contact_by_key(c, key))
        if known is None:
            raise Refused(ErrorCode.NO_PAGE)
        return known


SOON_MS = 1_800_000  # a clock that runs out before then is of a game that is played now
CACHE_S = 5.0  # for which a count may lack what another process has stored
MAX_CACHED_COUNTS = 10_000
MAX_LISTED = 100


class Notifications:
    """The notifications of all visitors. `account` is the visitor's, None for a guest."""

    def __init__(self, store: Store, tables: TableService, accounts: Accounts) -> None:
        self._store = store
        self._tables = tables
        self._accounts = accounts
        self._counts: TTLCache[str, int] = TTLCache(MAX_CACHED_COUNTS, CACHE_S)
        tables.live.on_told = self._forget

    async def unread(self, holder: str, account: Account | None) -> int:
        """Return the number of lines of unread notifications, as it was at most CACHE_S ago."""
        number = self._counts.get(holder)
        if number is not None:
            return number
        number = await self._store.read(lambda c: rows.count_unread(c, holder, muted_kinds(account)))
        self._counts[holder] = number
        return number

    async def find_waiting(self, holder: str, at: str) -> tuple[bool, History | None]:
        """Return whether a game of this player is played now, and the one that waits for a move, but for `at`."""
        until = self._tables.now() + SOON_MS
        ids = await self._store.read(lambda c: deadlines.clocked_tables(c, holder, until))
        found = await self._tables.live.all_current([id for id in ids if id != at])
        waiting = [
            table.history for table in found.values() if table.history.turn in table.history.seats_of(holder)
        ]
        return bool(ids), min(waiting, key=_deadline, default=None)

    async def newest(self, holder: str, account: Account | None) -> list[ListedNotification]:
        """Return the newest notifications, the unread ones first."""
        muted = muted_kinds(account)
        found = await self._store.read(lambda c: rows.list_notifications(c, holder, muted, MAX_LISTED))
        return rows.list_lines(found)

    async def mark_read(self, holder: str, account: Account | None, match: str | None = None) -> int:
        """Mark all notifications as read, or those of one table or tournament, and return how many are unread then."""
        if await self.unread(holder, account):
            now = self._tables.now()
            if await self._store.write(holder, lambda c: rows.mark_read(c, holder, now, match)):
                self._counts.pop(holder, None)
        return await self.unread(holder, account)

    async def on_table_page(self, live_table: LiveTable, who: Visitor, context: PageContext) -> PageContext:
        """Mark the notifications of a table as read, whose page is looked at."""
        if not who.unread:
            return context
        unread = await self.mark_read(who.holder, who.account, live_table.history.head.id)
        return replace(context, unread=unread)

    async def mute(self, account: Account, kinds: Iterable[str]) -> None:
        """Switch off these kinds of notification for an account, and all others on."""
        chosen = set(kinds)
        muted = ",".join(kind for kind in KINDS if kind in chosen)
        await self._accounts.save_settings(account, {"muted": muted})
        self._counts.pop(account.holder, None)

    async def next_waiting(self, holder: str, after: str = "") -> str | None:
        """Return the id of the next table where another person waits for this one, the longest wait first.

        `after` is the table that was looked at last: the walk goes on behind it, and begins again at its end.
        """
        ids = await self._waiting_ids(holder)
        if after in ids:
            place = ids.index(after) + 1
            ids = ids[place:] + ids[: place - 1]
        return ids[0] if ids else None

    async def _waiting_ids(self, holder: str) -> list[str]:
        owned = await self._store.tables_of(holder, over=False, now_ms=self._tables.now())
        found = await self._tables.live.all_current(owned)
        waiting = [table.history for table in found.values() if waits_for(table.history, holder)]
        waiting.sort(key=lambda history: (history.events[-1].at if history.events else 0, history.head.id))
        return [history.head.id for history in waiting]

    def _forget(self, holders: Collection[str]) -> None:
        """Drop the counts of holders whose notifications have changed."""
        for holder in holders:
            self._counts.pop(holder, None)


def _deadline(history: History) -> int:
    return (history.clock and history.clock.deadline) or 0


def waits_for(history: History, holder: str) -> bool:
    """Return whether another person at a table waits for this one to move or to answer."""
    held = history.seats_of(holder)
    if history.ending or not is_shared(history.seats):
        return False
    return history.turn in held or command_events.may_answer(history, held)


def muted_kinds(account: Account | None) -> tuple[str, ...]:
    """Return the kinds of notification that an account has switched off; a guest has switched off nothing."""
    return rows.muted_kinds(account.settings) if account else ()


def _export(connection: Connection, account: Account) -> dict[str, Any]:
    return {
        "notifications": export_notifications(connection, account.holder),
        "contact": find_contact(connection, account.id)._asdict() | {"mail_key": None},
        "browsers": [
            {"endpoint": one.endpoint, "created": one.created, "lang": one.lang}
            for one in subscriptions(connection, account.id)
        ],
    }


def _erase(connection: Connection, account: Account) -> None:
    remove_account_subscriptions(connection, account.id)
    forget_contact(connection, account.id)
    connection.execute(delete(schema.notification).where(schema.notification.c.holder == account.holder))


BELONGINGS = Belongings(_export, move_notifications, _erase)


@dataclass(frozen=True, slots=True)
class ContactView:
    """The mail of an account. `has_mail`: this site can send one."""

    has_mail: bool
    mail: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class PushView:
    """Web push: the server's public key, whether the viewer's browser takes messages, and how many browsers do."""

    key: str
    here: bool
    browsers: int


class AccountPage:
    """Notifications, contacts and web push on the page of an account."""

    def __init__(self, contacts: Contacts, push: Push, settings: Settings) -> None:
        self._contacts = contacts
        self._push = push
        self._settings = settings

    async def parts(self, account: Account, session: str) -> dict[str, object]:
        """Return the parts of the template; `session` is the hash of the browser's token."""
        contact, settings = await self._contacts.of(account), self._settings
        shown = ContactView(bool(settings.mail_server), contact.mail, contact.confirmed)
        return {
            "switches": switches(muted_kinds(account)),
            "contact": shown,
            "push": await self._push_view(account, session),
        }

    async def _push_view(self, account: Account, session: str) -> PushView | None:
        """Return the browsers that take messages by web push; None where this site sends none."""
        if not self._push.is_on:
            return None
        browsers = await self._push.of(account)
        here = any(one.session == session for one in browsers)
        return PushView(await self._push.public_key(), here, len(browsers))
