"""Web push as rows: the browsers of accounts, the messages that wait for them, and the server's key.

A message is removed before it is sent, in one transaction: so it is sent at most once, whatever is killed meanwhile.
One that a push service refused for a while is stored again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, select, text, update

from smallchange.server.database import schema
from smallchange.server.notifications.model import Notification
from smallchange.server.notifications.rows import GAME, with_game

MAX_SUBSCRIPTIONS = 10  # of an account: the oldest goes for a new one
PUSH_KEY = "push"
VISIBLE_MS = 90_000  # after it was last heard of, a page may still be in view
_browser, _message, _row = schema.push_subscription.c, schema.push_message.c, schema.notification.c
_PUT_SECRET = text("INSERT INTO server_secret (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING")
_PUT_MESSAGE = text(
    "INSERT INTO push_message (subscription_id, match_id, kind, ply, due_at, tries) "
    "VALUES (:subscription_id, :match_id, :kind, :ply, :due_at, :tries) ON CONFLICT DO NOTHING"
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


class PushMessage(NamedTuple):
    """A message to a browser about a notification, and how often it was tried before."""

    subscription: Subscription
    notification: Notification
    game: str
    tries: int


def subscription_id(endpoint: str) -> str:
    """Return the id of the subscription with this endpoint."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def put_secret(connection: Connection, name: str, new: str) -> str:
    """Store a secret of the server unless there is one of this name. Return the stored one."""
    connection.execute(_PUT_SECRET, {"name": name, "value": new})
    stored = schema.server_secret.c
    return str(connection.execute(select(stored.value).where(stored.name == name)).scalar_one())


def put_subscription(connection: Connection, new: Subscription) -> None:
    """Store a subscription, in place of another of the same browser."""
    remove_subscriptions(connection, (_browser.id == new.id) | (_browser.session == new.session))
    own = select(_browser.id).where(_browser.account_id == new.account_id)
    oldest = connection.execute(own.order_by(_browser.created.desc()).offset(MAX_SUBSCRIPTIONS - 1)).scalars()
    remove_subscriptions(connection, _browser.id.in_(list(oldest)))
    connection.execute(insert(schema.push_subscription), new._asdict())


def subscriptions(connection: Connection, account_id: str) -> list[Subscription]:
    """Return the subscriptions of an account, the newest first."""
    query = select(schema.push_subscription).where(_browser.account_id == account_id)
    rows = connection.execute(query.order_by(_browser.created.desc(), _browser.id))
    return [Subscription(*row) for row in rows]


def remove_account_subscriptions(connection: Connection, account_id: str, session: str | None = None) -> None:
    """Remove the subscriptions of an account, or the one of this session."""
    where = _browser.account_id == account_id
    remove_subscriptions(connection, where if session is None else where & (_browser.session == session))


def remove_session_subscriptions(connection: Connection, sessions: Collection[str]) -> None:
    """Remove the subscriptions of sessions that have ended."""
    remove_subscriptions(connection, _browser.session.in_(sessions))


def move_session_subscriptions(connection: Connection, old: str, new: str) -> None:
    """Let the subscription of a session go on under its new hash."""
    connection.execute(update(schema.push_subscription).where(_browser.session == old).values(session=new))


def remove_subscription(connection: Connection, id: str) -> None:
    """Remove a subscription."""
    remove_subscriptions(connection, _browser.id == id)


def remove_subscriptions(connection: Connection, where: ColumnElement[bool]) -> None:
    """Remove the subscriptions for which this is true, and what waits for them."""
    removed = select(_browser.id).where(where)
    connection.execute(delete(schema.push_message).where(_message.subscription_id.in_(removed)))
    connection.execute(delete(schema.push_subscription).where(where))


def set_visible(connection: Connection, account_id: str, now: int) -> None:
    """Store that an account has a page of ours in view now."""
    connection.execute(
        update(schema.push_subscription).where(_browser.account_id == account_id).values(visible_at=now)
    )


def add_messages(connection: Connection, one: Notification, now: int) -> None:
    """Let a notification be sent to the browsers of its holder, once none of them has a page of ours in view."""
    query = select(_browser.id, _browser.visible_at).join(
        schema.account, schema.account.c.id == _browser.account_id
    )
    for row in connection.execute(query.where(schema.account.c.holder == one.holder)).all():
        due_at = max(now, row.visible_at + VISIBLE_MS)
        connection.execute(_PUT_MESSAGE, _message_row(row.id, one, due_at, 0))


def retry_message(connection: Connection, message: PushMessage, due_at: int) -> None:
    """Let a message that a push service refused be sent later."""
    row = _message_row(message.subscription.id, message.notification, due_at, message.tries + 1)
    known = select(_browser.id).where(_browser.id == message.subscription.id)
    if connection.execute(known).first() is not None:  # it may have ended meanwhile
        connection.execute(_PUT_MESSAGE, row)


def has_due_messages(connection: Connection, now: int) -> bool:
    """Return whether any message is to be sent."""
    query = select(_message.subscription_id).where(_message.due_at <= now).limit(1)
    return connection.execute(query).first() is not None


def take_push_messages(connection: Connection, now: int, limit: int) -> list[PushMessage]:
    """Remove messages that are due, and return those that are to be sent.

    A message whose notification was read meanwhile is not sent any more. It waits while a page of ours is in view.
    """
    key = schema.push_message.primary_key.columns
    query = select(*key, _message.tries).where(_message.due_at <= now)
    taken = []
    for row in connection.execute(query.order_by(_message.due_at, *key).limit(limit)).all():
        this = and_(*(column == value for column, value in zip(key, row[: len(key)], strict=True)))
        if not connection.execute(delete(schema.push_message).where(this)).rowcount:
            continue
        found = _unread(connection, row)
        if found is not None and (visible_until := found.subscription.visible_at + VISIBLE_MS) > now:
            again = _message_row(row.subscription_id, found.notification, visible_until, row.tries)
            connection.execute(_PUT_MESSAGE, again)
        elif found is not None:
            taken.append(found)
    return taken


def _unread(connection: Connection, row: Any) -> PushMessage | None:
    """Return the message of a row, unless its notification was read or its browser is gone."""
    account = schema.account.c
    own = schema.push_subscription.join(schema.account, account.id == _browser.account_id)
    own = own.join(schema.notification, _row.holder == account.holder)
    query = select(schema.push_subscription, _row.holder, GAME).select_from(with_game(own))
    query = query.where(
        GAME.is_not(None),
        _browser.id == row.subscription_id,
        _row.match_id == row.match_id,
        _row.kind == row.kind,
        _row.ply == row.ply,
        _row.read_at.is_(None),
    )
    found = connection.execute(query).first()
    if found is None:
        return None
    subscription = Subscription(*found[: len(Subscription._fields)])
    notification = Notification(found.holder, row.match_id, row.kind, row.ply)
    return PushMessage(subscription, notification, found.game, row.tries)


def _message_row(subscription: str, one: Notification, due_at: int, tries: int) -> dict[str, Any]:
    return {
        "subscription_id": subscription,
        "match_id": one.match,
        "kind": one.kind,
        "ply": one.ply,
        "due_at": due_at,
        "tries": tries,
    }
