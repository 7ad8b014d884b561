"""Mails: plain text, by one SMTP server; for an account one a day at most, when a turn has waited for a while."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import formatdate, make_msgid
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, RowMapping, make_url, select

from smallchange.i18n.text import Text
from smallchange.server.accounts.rows import account_by_id
from smallchange.server.database import schema
from smallchange.server.notifications.model import MAIL_OFF, STANDING_KINDS, TIME, ListedNotification, Outcome
from smallchange.server.notifications.rows import (
    MAIL_WAIT_MS,
    Contact,
    find_contact,
    forget_contact,
    list_lines,
    list_notifications,
    muted_kinds,
    present_language,
    put_contact,
)
from smallchange.server.notifications.view import (
    SENTENCES,
    game_title,
    line_path,
    line_text,
    notification_path,
    other_player,
)
from smallchange.server.settings import Settings
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

NEWS_SUBJECT = Text("Small Change: {n} unread")
NEWS_INTRO = Text("New at your tables:")
LAST_MAIL = Text("You have not been here for some time, so this is the last e-mail until your next visit.")
CONFIRM_SUBJECT = Text("Small Change: confirm your address")
CONFIRM_TEXT = Text(
    "Somebody asked for e-mails about their games at Small Change to this address. If it was you, open the "
    "link. If not, do nothing, and no other e-mail will come."
)
UNSUBSCRIBE = Text("To stop these e-mails:")


def news_mail(
    listed: Sequence[ListedNotification], site: str, key: str, lang: str, is_last: bool = False
) -> tuple[str, str]:
    """Return the subject and the text of the mail with what is new. `key` is that of the link that ends the mails.

    `is_last`: no other comes before the next visit.
    """
    lines = [f"- {_line(one, lang)}\n  {site}{line_path(one)}" for one in listed]
    end = f"{UNSUBSCRIBE[lang]} {unsubscribe_link(site, key)}"
    pause = [LAST_MAIL[lang]] if is_last else []
    text = "\n\n".join([NEWS_INTRO[lang], "\n".join(lines), *pause, f"-- \n{end}\n"])
    return NEWS_SUBJECT.fill(n=len(listed))[lang], text


def confirmation_mail(site: str, key: str, lang: str) -> tuple[str, str]:
    """Return the subject and the text of the mail that asks whether an address is the account's.

    It goes to somebody who may be a stranger, so it has no word that a user typed.
    """
    return CONFIRM_SUBJECT[lang], f"{CONFIRM_TEXT[lang]}\n\n{site}/notifications/confirm/{key}\n"


def unsubscribe_link(site: str, key: str) -> str:
    """Return the link that ends the mails with this key."""
    return f"{site}/notifications/unsubscribe/{key}"


def push_message(kind: str, match: str, game: str, lang: str) -> bytes:
    """Return a notification as `service_worker.js` shows it: JSON with title, text, path below the site, and tag.

    A notification takes the place of another with the same tag.
    """
    shown = {
        "title": game_title(game)[lang],
        "text": SENTENCES[kind][lang],
        "path": notification_path(kind, match).removeprefix("/"),
        "tag": match,
        "lang": lang,
    }
    return msgspec.json.encode(shown)


def _line(one: ListedNotification, lang: str) -> str:
    who = other_player(one)
    head = f"{game_title(one.game)[lang]} ({who[lang]})" if who else game_title(one.game)[lang]
    return f"{head}: {line_text(one)[lang]}"


def mail_page(confirming: bool, visit: PageContext, done: bool = False) -> str:
    """Return the page that a link in a mail leads to: to confirm an address, or to end the mails."""
    title = p.CONFIRM_MAIL if confirming else p.END_MAILS
    about = p.ABOUT_CONFIRM if confirming else p.ABOUT_END_MAILS
    button = p.CONFIRM if confirming else p.END_MAILS
    return render_page("mail.html", visit, title, about_mail=about, button=button, done=done)


TIMEOUT_S = 30.0
MAX_ADDRESS_CHARS = 254
MAX_LINE_BYTES = (
    998  # of RFC 5322; a shorter limit would fold links into encoded words, which no program reads
)
WORDS = ("From", "Subject")  # headers of words, the others are for programs
PERMANENT = 500  # codes of SMTP from which on the same mail is refused again
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


class _MailPolicy(EmailPolicy):
    """The policy of our mails: lines as long as they may be, but words that are encoded as short as they must be."""

    def fold_binary(self, name: str, value: Any) -> bytes:
        return WORDS_POLICY.fold_binary(name, value) if name in WORDS else super().fold_binary(name, value)


WORDS_POLICY = SMTP.clone(cte_type="7bit", max_line_length=76)  # RFC 2047: encoded words of 75 at most
POLICY = _MailPolicy(linesep=SMTP.linesep, max_line_length=MAX_LINE_BYTES, cte_type="7bit")


class Mail(NamedTuple):
    """A mail of plain text. `unsubscribe` is the link that ends mails by one POST (RFC 8058), if there is one."""

    to: str
    subject: str
    text: str
    unsubscribe: str = ""


class AddressRefused(OSError):
    """The mail server takes no mail for this address."""


def is_mail_address(text: str) -> bool:
    """Return whether this is an e-mail address as they are in use.

    >>> is_mail_address("ann@example.org"), is_mail_address("ann@localhost"), is_mail_address("a@b.c\\nBcc: d@e.f")
    (True, False, False)
    """
    return len(text) <= MAX_ADDRESS_CHARS and _ADDRESS.fullmatch(text) is not None


def sender_address(sender: str) -> Address:
    """Return the address of a sender, with or without a name, which may hold any character.

    >>> str(sender_address("Coins, Inc. <games@play.example>")), str(sender_address("games@play.example"))
    ('"Coins, Inc." <games@play.example>', 'games@play.example')
    """
    name, _, address = sender.rpartition("<")
    return Address(name.strip().strip('"'), addr_spec=address.strip().rstrip(">"))


def mail_bytes(sender: str, mail: Mail) -> bytes:
    """Return a mail as it is sent."""
    message = EmailMessage(policy=POLICY)
    by = sender_address(sender)
    message["From"], message["To"], message["Subject"] = by, mail.to, mail.subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=by.domain)
    message["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe:
        message["List-Unsubscribe"] = f"<{mail.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail.text)
    return message.as_bytes()


async def send_mail(server: str, sender: str, mail: Mail) -> None:
    """Send a mail by a server such as smtp://user:password@host:587. Raise OSError if it was not taken."""
    import aiosmtplib

    parts = make_url(server)
    try:
        await aiosmtplib.send(
            mail_bytes(sender, mail),
            sender=sender_address(sender).addr_spec,
            recipients=[mail.to],
            hostname=parts.host,
            port=parts.port,
            username=parts.username,
            password=parts.password,
            use_tls=parts.drivername == "smtps",
            timeout=TIMEOUT_S,
        )
    except aiosmtplib.SMTPRecipientsRefused as wrong:
        permanent = all(one.code >= PERMANENT for one in wrong.recipients)
        raise (AddressRefused if permanent else OSError)(f"{type(wrong).__name__}: {wrong}") from wrong
    except aiosmtplib.SMTPException as wrong:
        raise OSError(f"{type(wrong).__name__}: {wrong}") from wrong


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
