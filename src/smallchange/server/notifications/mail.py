"""Mails: plain text, by one SMTP server."""

from __future__ import annotations

import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import formatdate, make_msgid
from typing import Any, NamedTuple

from sqlalchemy import make_url

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
