"""The channel of mails: one for an account, a day at most, when a turn has waited for a while. It lists what is new."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, select

from smallchange.server.accounts.rows import account_by_id
from smallchange.server.database import schema
from smallchange.server.notifications.channel import Outcome
from smallchange.server.notifications.contact_rows import (
    MAIL_WAIT_MS,
    Contact,
    find_contact,
    forget_contact,
    put_contact,
)
from smallchange.server.notifications.mail import AddressRefused, Mail, send_mail
from smallchange.server.notifications.mail_view import news_mail, unsubscribe_link
from smallchange.server.notifications.model import MAIL_OFF, STANDING_KINDS, TIME
from smallchange.server.notifications.rows import (
    list_lines,
    list_notifications,
    muted_kinds,
    present_language,
)
from smallchange.server.settings import Settings

MAX_LINES = 50
MAX_UNSEEN_MAILS = 5  # without a visit, after which none is sent before the next one
HOUR_MS = 3_600_000


class MailLetter(NamedTuple):
    """A mail to the address of a contact, as this was before."""

    contact: Contact
    unseen: int
    mail: Mail


class Mails:
    """Sends mails by the server of the site. An address that it refuses at every try is forgotten."""

    delays_ms: tuple[int, ...] = (HOUR_MS // 2, 2 * HOUR_MS, 8 * HOUR_MS, 24 * HOUR_MS, 48 * HOUR_MS)

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def open(self, connection: Connection, row: RowMapping, now: int) -> MailLetter | int | None:
        """Return the mail to an account now, None where nothing waits, or the time until which it waits."""
        account, contact = account_by_id(connection, row["target"]), find_contact(connection, row["target"])
        if account is None or not contact.confirmed:
            return None
        muted = muted_kinds(account.settings)
        new = list_notifications(connection, account.holder, muted, MAX_LINES, since=contact.mailed_at)
        waiting = [one for one in new if one.kind in STANDING_KINDS]
        seen = connection.execute(
            select(schema.account.c.seen).where(schema.account.c.id == account.id)
        ).scalar()
        unseen = 0 if (seen or 0) > contact.mailed_at else contact.unseen_mails
        if not waiting or unseen >= MAX_UNSEEN_MAILS:
            return None
        waited_at = min(one.at + (0 if one.kind == TIME else MAIL_WAIT_MS) for one in waiting)
        if waited_at > now:
            return waited_at
        put_contact(connection, contact._replace(mailed_at=now, unseen_mails=unseen))
        site, key, lang = (
            self._settings.site,
            contact.mail_key,
            present_language(account.settings, contact.lang),
        )
        subject, text = news_mail(list_lines(new), site, key, lang, is_last=unseen + 1 == MAX_UNSEEN_MAILS)
        return MailLetter(contact, unseen, Mail(contact.mail, subject, text, unsubscribe_link(site, key)))

    async def send(self, letter: MailLetter, tries: int) -> Outcome:
        """Send a mail."""
        try:
            await send_mail(self._settings.mail_server, self._settings.mail_from, letter.mail)
        except AddressRefused:
            if tries == len(self.delays_ms):
                return Outcome.GONE
            raise
        return Outcome.SENT

    def settle(self, connection: Connection, letter: MailLetter, outcome: Outcome) -> tuple[str, str] | None:
        """Count a mail that was sent. One to be sent later has the same lines. Forget an address that is gone."""
        id = letter.contact.account_id
        contact = find_contact(connection, id)
        if contact.mail_key != letter.contact.mail_key:  # the address has changed meanwhile
            return None
        if outcome == Outcome.GONE:
            forget_contact(connection, id)
            return id, MAIL_OFF
        if outcome == Outcome.LATER:
            put_contact(connection, contact._replace(mailed_at=letter.contact.mailed_at))
        else:
            put_contact(connection, contact._replace(unseen_mails=letter.unseen + 1))
        return None
