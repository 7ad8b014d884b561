"""Notifications, and the e-mail addresses of accounts, as rows.

A notification commits with the event that it tells of, and its key lets it be there once.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    String,
    case,
    cast,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from smallchange.server.database import schema
from smallchange.server.notifications.model import (
    ACCOUNT_KINDS,
    BEGUN,
    CHALLENGED,
    ENDED,
    KINDS,
    LATE,
    OFFERED,
    STANDING_KINDS,
    TIME,
    TOURNAMENT_KINDS,
    TURN,
    ListedNotification,
    Notification,
    news_of,
    opening_notifications,
)
from smallchange.server.table.live.ports import Change, Opening, TimeWarning
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.storage.store import Write

_row, _match, _seat = schema.notification.c, schema.match.c, schema.seat.c
_challenge, _tournament = schema.challenge.c, schema.tournament.c
_OF_ACCOUNT = case((_row.kind.in_(ACCOUNT_KINDS), ""))
GAME = func.coalesce(_match.game, _challenge.game, _tournament.game, _OF_ACCOUNT).label(
    "game"
)  # see `with_game`
_side, _deal_game = schema.tournament_side.c, schema.duel_game.c
_TOURNAMENT = func.coalesce(  # of a notification; NULL where it is of none
    case((_row.kind.in_(TOURNAMENT_KINDS), _row.match_id)),
    select(_side.tournament_id).where(_side.match_id == _row.match_id).limit(1).scalar_subquery(),
    select(_deal_game.tournament_id).where(_deal_game.match_id == _row.match_id).scalar_subquery(),
)
_OWN_LINE = _row.match_id + "/" + _row.kind + "/" + cast(_row.ply, String)
_LINE = case((_row.read_at.is_(None), func.coalesce(_TOURNAMENT, _OWN_LINE)), else_=_OWN_LINE)
_URGENCY = case((_row.kind == TIME, 0), (_row.kind.in_((TURN, OFFERED, LATE)), 1), else_=2)
_PUT = text(
    "INSERT INTO notification (holder, match_id, kind, ply, at) VALUES (:holder, :match, :kind, :ply, :at) "
    "ON CONFLICT DO NOTHING"
)


class StoredNotification(NamedTuple):
    """A line of notifications with the game of its table or challenge, the others, and when it was read, or None.

    The unread ones of one tournament are one line, of which this is the most urgent; `more` is the number of the
    others, and `at` the time of the newest. Of an account `game` is empty. `others` has for each the kind of seat, the
    name that was typed, and the bot; of a tournament it has its name.
    """

    match: str
    kind: str
    ply: int
    at: int
    read_at: int | None
    game: str
    line: str
    more: int
    others: tuple[tuple[str, str, str], ...]


def put_notifications(connection: Connection, new: Sequence[Notification], at: int) -> None:
    """Store notifications; one that is stored already stays as it is."""
    if new:
        connection.execute(_PUT, [one._asdict() | {"at": at} for one in new])


def settle_notifications(connection: Connection, match: str, now: int) -> None:
    """Mark as read which player's turn it was at a table, and what was offered there; or a tournament's last round."""
    standing = (_row.match_id == match) & _row.read_at.is_(None) & _row.kind.in_(STANDING_KINDS)
    connection.execute(update(schema.notification).where(standing).values(read_at=now))


def write_change(change: Change) -> Write | None:
    """Return what to store of a change of a table."""
    news, last = news_of(change), change.events[-1]
    if news is None:
        return None

    def write(connection: Connection) -> None:
        if news.settles:
            settle_notifications(connection, change.history.head.id, last.at)
        put_notifications(connection, news.new, last.at)

    return write


def write_opening(opening: Opening) -> Write | None:
    """Return what to store of a new table."""
    new, at = opening_notifications(opening), opening.history.head.created
    return (lambda connection: put_notifications(connection, new, at)) if new else None


def write_warning(connection: Connection, warning: TimeWarning) -> None:
    """Store that a player's time runs out."""
    new = Notification(warning.seat.holder, warning.match, TIME, warning.turn)
    put_notifications(connection, [new], warning.at)


def count_unread(connection: Connection, holder: str, muted: Collection[str]) -> int:
    """Return the number of lines of a holder's unread notifications, without muted kinds."""
    unread = (_row.holder == holder) & _row.read_at.is_(None) & _row.kind.not_in(muted)
    query = select(func.count(_LINE.distinct())).select_from(schema.notification).where(unread)
    return int(connection.execute(query).scalar_one())


def list_notifications(
    connection: Connection, holder: str, muted: Collection[str], limit: int, since: int | None = None
) -> list[StoredNotification]:
    """Return the lines of a holder's newest notifications, unread ones first; `since`: unread ones after that."""
    shown = (_row.holder == holder) & _row.kind.not_in(muted) & GAME.is_not(None)
    if since is not None:
        shown &= _row.read_at.is_(None) & (_row.at > since)
    each = select(
        _row.match_id.label("match"),
        _row.kind,
        _row.ply,
        func.max(_row.at).over(partition_by=_LINE).label("at"),
        _row.read_at,
        GAME,
        _LINE.label("line"),
        (func.count().over(partition_by=_LINE) - 1).label("more"),
        func.row_number()
        .over(partition_by=_LINE, order_by=(_URGENCY, _row.at.desc(), _row.ply.desc()))
        .label("place"),
    )
    each_row = each.select_from(with_game(schema.notification)).where(shown).subquery()
    lines = each_row.c
    query = select(*(column for column in lines if column.name != "place")).where(lines.place == 1)
    query = query.order_by(lines.read_at.is_not(None), lines.at.desc(), lines.match, lines.kind)
    rows = connection.execute(query.limit(limit)).all()
    seats = select(_seat.match_id, _seat.kind, _seat.name, _seat.bot).where(
        _seat.match_id.in_({row.match for row in rows}), _seat.holder != holder
    )
    others: dict[str, list[tuple[str, str, str]]] = {}
    for seat in connection.execute(seats.order_by(_seat.match_id, _seat.number)):
        others.setdefault(seat.match_id, []).append((seat.kind, seat.name, seat.bot))
    challenged = {row.match for row in rows if row.kind == CHALLENGED}
    senders = select(_challenge.id, schema.account.c.name).where(_challenge.id.in_(challenged))
    senders = senders.join(schema.account, schema.account.c.id == _challenge.challenger_id)
    for sender in connection.execute(senders) if challenged else ():
        others[sender.id] = [(SeatKind.PERSON, sender.name, "")]
    named = {row.line if row.more else row.match for row in rows if row.more or row.kind in TOURNAMENT_KINDS}
    names = select(_tournament.id, _tournament.name).where(_tournament.id.in_(named), _tournament.name != "")
    for tournament in connection.execute(names) if named else ():
        others[tournament.id] = [(SeatKind.PERSON, tournament.name, "")]
    about = [row.line if row.more else row.match for row in rows]
    return [
        StoredNotification(**row._mapping, others=tuple(others.get(id, ())))
        for id, row in zip(about, rows, strict=True)
    ]


def list_lines(found: Sequence[StoredNotification]) -> list[ListedNotification]:
    """Return stored lines as the pages and mails show them."""
    return [
        ListedNotification(
            one.match, one.kind, one.at, one.read_at is None, one.game, one.others, one.line, one.more
        )
        for one in found
    ]


def is_row(one: Notification) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that select the row of a notification."""
    return (
        _row.holder == one.holder,
        _row.match_id == one.match,
        _row.kind == one.kind,
        _row.ply == one.ply,
    )


def with_game(source: FromClause) -> FromClause:
    """Return notifications joined with the tables, challenges and tournaments that they are about, for GAME."""
    return (
        source.outerjoin(schema.match, _match.id == _row.match_id)
        .outerjoin(schema.challenge, _challenge.id == _row.match_id)
        .outerjoin(schema.tournament, _tournament.id == _row.match_id)
    )


def mark_read(connection: Connection, holder: str, now: int, match: str | None = None) -> int:
    """Mark the unread notifications of a holder as read, or those of one table or tournament. Return their number.

    Those that need an answer at a table of a tournament stay until that table is looked at.
    """
    unread = (_row.holder == holder) & _row.read_at.is_(None)
    if match is not None:
        told = _row.kind.in_((BEGUN, ENDED)) & (match == _TOURNAMENT)
        unread &= (_row.match_id == match) | told
    return connection.execute(update(schema.notification).where(unread).values(read_at=now)).rowcount


def move_notifications(connection: Connection, old: str, new: str) -> None:
    """Give the notifications of one holder to another."""
    own, others = schema.notification, schema.notification.alias()
    same = (
        (others.c.holder == new)
        & (others.c.match_id == own.c.match_id)
        & (others.c.kind == own.c.kind)
        & (others.c.ply == own.c.ply)
    )
    known = select(others.c.holder).where(same).exists()
    connection.execute(delete(own).where(own.c.holder == old, known))
    connection.execute(update(own).where(own.c.holder == old).values(holder=new))


def export_notifications(connection: Connection, holder: str) -> list[dict[str, Any]]:
    """Return all notifications of a holder as rows, without the holder."""
    query = select(_row.match_id, _row.kind, _row.ply, _row.at, _row.read_at).where(_row.holder == holder)
    return [dict(row._mapping) for row in connection.execute(query.order_by(_row.at, _row.match_id))]


def muted_kinds(settings: str) -> tuple[str, ...]:
    """Return the kinds of notification that the settings of an account, as JSON, switch off."""
    return tuple(kind for kind in str(json.loads(settings).get("muted", "")).split(",") if kind in KINDS)


def present_language(settings: str, lang: str) -> str:
    """Return the language that the settings of an account, as JSON, choose now; else this one, of an earlier day."""
    return str(json.loads(settings).get("lang") or lang)


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
