"""Messages to browsers as rows, the browsers that take them, and the server's key of web push.

A message is removed before it is sent, in one transaction: so it is sent at most once, whatever is killed meanwhile.
One that could not be taken for a while is stored again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, select, text, update

from smallchange.server.database import schema
from smallchange.server.notifications.model import Notification
from smallchange.server.notifications.rows import GAME, present_language, with_game

MAX_SUBSCRIPTIONS = 10  # of an account: the oldest goes for a new one
PUSH_KEY = "push"
VISIBLE_MS = 90_000  # after it was last heard of, a page may still be in view
_browser, _message, _row = schema.push_subscription.c, schema.outgoing_message.c, schema.notification.c
_account = schema.account.c
_PUT_MESSAGE = text(
    "INSERT INTO outgoing_message (target, match_id, kind, ply, due_at, tries) "
    "VALUES (:target, :match_id, :kind, :ply, :due_at, :tries) ON CONFLICT DO NOTHING"
)


class Subscription(NamedTuple):
    """A row of the table `push_subscription`. `visible_at` is when its account last had a page of ours in view."""

    id: str
    account_id: str
    session: str
    endpoint: str
    browser_key: str
    auth: str
    lang: str
    created: int
    visible_at: int


class Message(NamedTuple):
    """A message about a notification to a browser, and how often it was tried before."""

    subscription: Subscription
    notification: Notification
    game: str
    tries: int
    lang: str


def subscription_id(endpoint: str) -> str:
    """Return the id of the subscription with this endpoint."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def put_subscription(connection: Connection, new: Subscription) -> bool:
    """Store a subscription, in place of another of the same browser, whose waiting messages it takes over.

    Return False if its session has ended.
    """
    if connection.execute(select(schema.session).where(schema.session.c.hash == new.session)).first() is None:
        return False
    before = select(_browser.id).where(_browser.session == new.session, _browser.id != new.id)
    if not connection.execute(select(_message.target).where(_message.target == new.id).limit(1)).first():
        waiting = update(schema.outgoing_message).where(_message.target.in_(before))
        connection.execute(waiting.values(target=new.id))
    remove_subscriptions(connection, (_browser.id == new.id) | (_browser.session == new.session))
    own = select(_browser.id).where(_browser.account_id == new.account_id)
    oldest = connection.execute(own.order_by(_browser.created.desc()).offset(MAX_SUBSCRIPTIONS - 1)).scalars()
    remove_subscriptions(connection, _browser.id.in_(list(oldest)))
    connection.execute(insert(schema.push_subscription), new._asdict())
    return True


def subscriptions(connection: Connection, account_id: str) -> list[Subscription]:
    """Return the subscriptions of an account, the newest first."""
    query = select(schema.push_subscription).where(_browser.account_id == account_id)
    rows = connection.execute(query.order_by(_browser.created.desc(), _browser.id))
    return [Subscription(*row) for row in rows]


def remove_account_subscriptions(connection: Connection, account_id: str, session: str | None = None) -> None:
    """Remove the subscriptions of an account, or the one of this session."""
    where = _browser.account_id == account_id
    remove_subscriptions(connection, where if session is None else where & (_browser.session == session))


def remove_subscription(connection: Connection, id: str) -> bool:
    """Remove a subscription. Return False if there is none: its browser may have renewed it."""
    return remove_subscriptions(connection, _browser.id == id) > 0


def remove_subscriptions(connection: Connection, where: ColumnElement[bool]) -> int:
    """Remove the subscriptions for which this is true, and their waiting messages. Return their number."""
    removed = select(_browser.id).where(where)
    connection.execute(delete(schema.outgoing_message).where(_message.target.in_(removed)))
    return connection.execute(delete(schema.push_subscription).where(where)).rowcount


def set_visible(connection: Connection, account_id: str, now: int) -> None:
    """Store that an account has a page of ours in view now."""
    connection.execute(
        update(schema.push_subscription).where(_browser.account_id == account_id).values(visible_at=now)
    )


def add_messages(connection: Connection, one: Notification, now: int) -> None:
    """Let a notification be sent to its holder's browsers, once no page of ours is in view."""
    own = _account.holder == one.holder
    query = select(_browser.id, _browser.visible_at).join(schema.account, _account.id == _browser.account_id)
    for row in connection.execute(query.where(own)).all():
        due_at = max(now, row.visible_at + VISIBLE_MS)
        connection.execute(_PUT_MESSAGE, _message_row(row.id, one, due_at, 0))


def put_back(connection: Connection, message: Message, due_at: int, tries: int) -> None:
    """Let a message be sent later. Nothing is sent to a browser that has ended meanwhile."""
    connection.execute(
        _PUT_MESSAGE, _message_row(message.subscription.id, message.notification, due_at, tries)
    )


def has_due_messages(connection: Connection, now: int) -> bool:
    """Return whether any message is to be sent."""
    return (
        connection.execute(select(_message.target).where(_message.due_at <= now).limit(1)).first() is not None
    )


def take_messages(connection: Connection, now: int, limit: int, busy: Collection[str]) -> list[Message]:
    """Remove messages that are due, and return those that are to be sent: one for each target that is not busy.

    A message whose notification was read meanwhile is not sent any more. It waits while a page of ours is in view.
    """
    key = schema.outgoing_message.primary_key.columns
    query = select(*key, _message.tries).where(_message.due_at <= now, _message.target.not_in(busy))
    taken: dict[str, Message] = {}
    for row in connection.execute(query.order_by(_message.due_at, *key).limit(limit)).all():
        if row.target in taken:
            continue
        this = and_(*(column == value for column, value in zip(key, row[: len(key)], strict=True)))
        if not connection.execute(delete(schema.outgoing_message).where(this)).rowcount:
            continue
        found = _unread(connection, row)
        if found and (visible_until := found.subscription.visible_at + VISIBLE_MS) > now:
            put_back(connection, found, visible_until, row.tries)
        elif found:
            taken[row.target] = found
    return list(taken.values())


def _unread(connection: Connection, row: Any) -> Message | None:
    """Return the message of a row, unless its notification was read, or its browser is gone."""
    this = (_row.match_id == row.match_id, _row.kind == row.kind, _row.ply == row.ply, _row.read_at.is_(None))
    own = schema.account.join(schema.notification, _row.holder == _account.holder)
    browsers = with_game(own.join(schema.push_subscription, _account.id == _browser.account_id))
    query = select(schema.push_subscription, _row.holder, _account.settings, GAME).select_from(browsers)
    found = connection.execute(query.where(_browser.id == row.target, GAME.is_not(None), *this)).first()
    if found is None:
        return None
    subscription = Subscription(*found[: len(Subscription._fields)])
    one = Notification(found.holder, row.match_id, row.kind, row.ply)
    return Message(
        subscription, one, found.game, row.tries, present_language(found.settings, subscription.lang)
    )


def _message_row(target: str, one: Notification, due_at: int, tries: int) -> dict[str, Any]:
    return {
        "target": target,
        "match_id": one.match,
        "kind": one.kind,
        "ply": one.ply,
        "due_at": due_at,
        "tries": tries,
    }
