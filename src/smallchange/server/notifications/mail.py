"""Mails: plain text, by one SMTP server."""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

TIMEOUT_S = 30.0
MAX_ADDRESS_CHARS = 254
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


class Mail(NamedTuple):
    """A mail of plain text. `unsubscribe` is the link that ends mails by one POST (RFC 8058), if there is one."""

    to: str
    subject: str
    text: str
    unsubscribe: str = ""


def is_mail_address(text: str) -> bool:
    """Return whether this is an e-mail address as they are in use.

    >>> is_mail_address("ann@example.org"), is_mail_address("ann@localhost"), is_mail_address("a@b.c\\nBcc: d@e.f")
    (True, False, False)
    """
    return len(text) <= MAX_ADDRESS_CHARS and _ADDRESS.fullmatch(text) is not None


async def send_mail(server: str, sender: str, mail: Mail) -> None:
    """Send a mail by a server such as smtp://user:password@host:587. Raise OSError if it was not taken."""
    import aiosmtplib

    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = sender, mail.to, mail.subject
    message["Date"], message["Message-ID"] = (
        formatdate(),
        make_msgid(domain=sender.rpartition("@")[2].strip(">")),
    )
    message["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe:
        message["List-Unsubscribe"] = f"<{mail.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail.text)
    parts = urlsplit(server)
    try:
        await aiosmtplib.send(
            message,
            hostname=parts.hostname,
            port=parts.port,
            username=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
            use_tls=parts.scheme == "smtps",
            timeout=TIMEOUT_S,
        )
    except aiosmtplib.SMTPException as wrong:
        raise OSError(f"{type(wrong).__name__}: {wrong}") from wrong
