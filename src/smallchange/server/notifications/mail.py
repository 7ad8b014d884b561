"""Mails: plain text, by one SMTP server."""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from typing import NamedTuple

from sqlalchemy import make_url

TIMEOUT_S = 30.0
MAX_ADDRESS_CHARS = 254
MAX_LINE_BYTES = (
    998  # of RFC 5322; a shorter limit would fold links into encoded words, which no program reads
)
POLICY = SMTP.clone(max_line_length=MAX_LINE_BYTES, cte_type="7bit")
PERMANENT = 500  # codes of SMTP from which on the same mail is refused again
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


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


def mail_bytes(sender: str, mail: Mail) -> bytes:
    """Return a mail as it is sent."""
    message = EmailMessage(policy=POLICY)
    message["From"], message["To"], message["Subject"] = sender, mail.to, mail.subject
    domain = sender.rpartition("@")[2].strip(">")
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=domain)
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
            sender=parseaddr(sender)[1],
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
