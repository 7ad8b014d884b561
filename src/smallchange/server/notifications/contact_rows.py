"""Contacts of accounts as rows: an e-mail address with the hour of its digest.

What is to be sent is taken from the database before it is sent, in one transaction: so it is sent at most once,
whatever is killed meanwhile.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from smallchange.server.database import schema
from smallchange.server.notifications import push_rows as push
from smallchange.server.notifications.digest import next_digest_ms
from smallchange.server.notifications.model import TIME, Notification
from smallchange.server.notifications.rows import is_row, muted_kinds, present_language, put_notifications
from smallchange.server.table.live.ports import TimeWarning

_contact, _account, _row = schema.contact.c, schema.account.c, schema.notification.c


class Contact(NamedTuple):
    """A row of the table `contact`. `next_at` is the time of the next digest; None without a confirmed address."""

    account_id: str
    mail: str = ""
    confirmed: bool = False
    mail_key: str = ""
    hour: int = 8
    zone: str = "UTC"
    lang: str = "en"
    next_at: int | None = None
    mail_failures: int = 0
    unseen_mails: int = 0


class Digest(NamedTuple):
    """A digest that is due for a holder. `muted` are the kinds of notification that are switched off.

    `unseen` is the number of mails since the account was last here.
    """

    contact: Contact
    holder: str
    muted: tuple[str, ...]
    unseen: int = 0


def find_contact(connection: Connection, account_id: str) -> Contact:
    """Return the contact of an account; an empty one where there is none."""
    row = connection.execute(select(schema.contact).where(_contact.account_id == account_id)).first()
    return Contact(*row) if row else Contact(account_id)


def contact_by_key(connection: Connection, key: str) -> Contact | None:
    """Return the contact whose mails have links with this key."""
    query = select(schema.contact).where(_contact.mail_key == key, _contact.mail != "")
    row = connection.execute(query).first()
    return Contact(*row) if row else None


def put_contact(connection: Connection, contact: Contact) -> None:
    """Store a contact in place of the account's other one; an empty one is removed."""
    connection.execute(delete(schema.contact).where(_contact.account_id == contact.account_id))
    if contact.mail:
        connection.execute(insert(schema.contact), contact._asdict())


def write_warning(connection: Connection, warning: TimeWarning) -> None:
    """Store that a player's time runs out. A digest that would come too late comes now."""
    seat, now = warning.seat, warning.at
    put_notifications(connection, [Notification(seat.holder, warning.match, TIME, warning.turn)], now)
    account = connection.execute(
        select(_account.id, _account.settings).where(_account.holder == seat.holder)
    ).first()
    if account is not None and TIME not in muted_kinds(account.settings):
        late = (_contact.account_id == account.id) & (_contact.next_at >= warning.due_at)
        connection.execute(update(schema.contact).where(late).values(next_at=now))


def is_due(connection: Connection, before: int, now: int) -> bool:
    """Return whether there is anything to send: notifications from `before`, or digests."""
    untold = select(_row.holder).where(_row.taken_at.is_(None), _row.at <= before).limit(1)
    digest = select(_contact.account_id).where(_contact.next_at <= now).limit(1)
    return any(connection.execute(query).first() is not None for query in (untold, digest))


def queue_messages(connection: Connection, before: int, now: int, limit: int) -> None:
    """Let the notifications from `before` be sent that were not taken yet."""
    query = select(_row.holder, _row.match_id, _row.kind, _row.ply, _row.read_at)
    query = query.where(_row.taken_at.is_(None), _row.at <= before)
    rows = connection.execute(query.order_by(_row.at, _row.holder).limit(limit)).all()
    for row in rows:
        one = Notification(row.holder, row.match_id, row.kind, row.ply)
        connection.execute(update(schema.notification).where(*is_row(one)).values(taken_at=now))
        if row.read_at is None and not _is_muted(connection, one):
            push.add_messages(connection, one, now)


def _is_muted(connection: Connection, one: Notification) -> bool:
    """Return whether a notification is sent nowhere: its kind is switched off, or its holder is a guest."""
    settings = connection.execute(select(_account.settings).where(_account.holder == one.holder)).scalar()
    return settings is None or one.kind in muted_kinds(settings)


def count_digest(
    connection: Connection, account_id: str, failed: int, unseen: int, next_at: int | None
) -> None:
    """Store how often in a row the address of a digest was refused, and how many came since the last visit.

    `next_at` is the time at which the next is due, if that changes.
    """
    values = {"mail_failures": failed, "unseen_mails": unseen}
    values |= {} if next_at is None else {"next_at": next_at}
    this = (_contact.account_id == account_id) & _contact.confirmed
    connection.execute(update(schema.contact).where(this).values(values))


def _unseen_mails(connection: Connection, contact: Contact, holder: str) -> int:
    """Return the number of mails since an account was last here."""
    visits = select(_account.seen).where(_account.id == contact.account_id)
    mails = select(func.max(_row.mailed_at)).where(_row.holder == holder)
    visit, mail = (connection.execute(query).scalar() or 0 for query in (visits, mails))
    return 0 if visit > mail else contact.unseen_mails


def end_digests(connection: Connection, account_id: str) -> None:
    """Forget the e-mail address of an account."""
    put_contact(connection, without_mail(find_contact(connection, account_id)))


def without_mail(contact: Contact) -> Contact:
    """Return a contact without its e-mail address."""
    return contact._replace(
        mail="", confirmed=False, mail_key="", next_at=None, mail_failures=0, unseen_mails=0
    )


def take_digests(connection: Connection, now: int, limit: int) -> list[Digest]:
    """Take the digests that are due, and set the time of each one's next."""
    query = select(schema.contact, _account.holder, _account.settings)
    query = query.join(schema.account, _account.id == _contact.account_id)
    rows = connection.execute(
        query.where(_contact.next_at <= now).order_by(_contact.next_at).limit(limit)
    ).all()
    digests = []
    for row in rows:
        contact = Contact(*row[: len(Contact._fields)])
        after = next_digest_ms(now, contact.hour, contact.zone)
        this = _contact.account_id == contact.account_id
        connection.execute(update(schema.contact).where(this).values(next_at=after))
        contact = contact._replace(lang=present_language(row.settings, contact.lang))
        unseen = _unseen_mails(connection, contact, row.holder)
        digests.append(Digest(contact, row.holder, muted_kinds(row.settings), unseen))
    return digests
