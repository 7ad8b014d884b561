"""Notifications, contacts and browsers on the page of an account, in its export, and when it moves or is erased."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete

from smallchange.server.accounts.belongings import Belongings
from smallchange.server.database import schema
from smallchange.server.notifications.contact_rows import find_contact, forget_contact
from smallchange.server.notifications.contacts import Contacts
from smallchange.server.notifications.push import Push
from smallchange.server.notifications.push_rows import remove_account_subscriptions, subscriptions
from smallchange.server.notifications.rows import export_notifications, move_notifications
from smallchange.server.notifications.service import muted_kinds
from smallchange.server.notifications.view import switches
from smallchange.server.settings import Settings
from smallchange.server.web.account import Account


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
