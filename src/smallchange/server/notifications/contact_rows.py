"""The e-mail addresses of accounts as rows."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select

from smallchange.server.database import schema
from smallchange.server.notifications.model import STANDING_KINDS, TIME, Notification
from smallchange.server.table.model.time_control import DAY_MS

MAIL_WAIT_MS = DAY_MS // 8  # for which a turn, an offer or a challenge has waited
URGENT_GAP_MS = DAY_MS // 8  # between a mail and the next, where time runs out; a day otherwise
_contact, _message = schema.contact.c, schema.outgoing_message.c


class Contact(NamedTuple):
    """A row of the table `contact`. `mailed_at` is the time of the last mail; `unseen_mails` came since a visit."""

    account_id: str
    mail: str = ""
    confirmed: bool = False
    mail_key: str = ""
    lang: str = "en"
    mailed_at: int = 0
    unseen_mails: int = 0


def find_contact(connection: Connection, account_id: str) -> Contact:
    """Return the contact of an account; an empty one where there is none."""
    row = connection.execute(select(schema.contact).where(_contact.account_id == account_id)).first()
    return Contact(*row) if row else Contact(account_id)


def contact_by_key(connection: Connection, key: str) -> Contact | None:
    """Return the contact whose mails have links with this key."""
    row = connection.execute(select(schema.contact).where(_contact.mail_key == key)).first()
    return Contact(*row) if row else None


def put_contact(connection: Connection, contact: Contact) -> None:
    """Store a contact in place of the account's other one."""
    connection.execute(delete(schema.contact).where(_contact.account_id == contact.account_id))
    connection.execute(insert(schema.contact), contact._asdict())


def forget_contact(connection: Connection, account_id: str) -> None:
    """Forget the address of an account, and send it nothing more."""
    connection.execute(delete(schema.outgoing_message).where(_message.target == account_id))
    connection.execute(delete(schema.contact).where(_contact.account_id == account_id))


def due_mail(connection: Connection, account_id: str, one: Notification, at: int) -> list[dict[str, Any]]:
    """Return the mail that a notification of this time is a reason for: one that waits for an answer."""
    contact = find_contact(connection, account_id)
    if not contact.confirmed or one.kind not in STANDING_KINDS:
        return []
    is_urgent = one.kind == TIME
    due_at = max(
        at if is_urgent else at + MAIL_WAIT_MS, contact.mailed_at + (URGENT_GAP_MS if is_urgent else DAY_MS)
    )
    row = {"target": account_id, "match_id": "", "kind": "", "ply": 0}
    return [row | {"place": "mail", "due_at": due_at, "tries": 0}]
