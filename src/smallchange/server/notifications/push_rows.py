"""Browsers that take messages by web push, as rows, and what is due to them."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Connection, RowMapping, delete, insert, select, update

from smallchange.server.database import schema
from smallchange.server.notifications.mail_view import push_message
from smallchange.server.notifications.model import Notification
from smallchange.server.notifications.rows import GAME, present_language, with_game

MAX_SUBSCRIPTIONS = 10  # of an account: the oldest goes for a new one
PUSH_KEY = "push"
VISIBLE_MS = 90_000  # after it was last heard of, a page may still be in view
_browser, _message, _row = schema.push_subscription.c, schema.outgoing_message.c, schema.notification.c
_account = schema.account.c


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


class PushLetter(NamedTuple):
    """A message to a browser. One takes the place of another of the same topic that is on its way."""

    browser: Subscription
    topic: str
    body: bytes


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


def due_pushes(connection: Connection, account_id: str, one: Notification, now: int) -> list[dict[str, Any]]:
    """Return the messages to the browsers of an account about a notification, due once no page of ours is in view."""
    row = {"match_id": one.match, "kind": one.kind, "ply": one.ply, "tries": 0}
    return [
        row
        | {
            "target": browser.id,
            "place": urlsplit(browser.endpoint).hostname,
            "due_at": max(now, browser.visible_at + VISIBLE_MS),
        }
        for browser in subscriptions(connection, account_id)
    ]


def open_push(connection: Connection, row: RowMapping, now: int) -> PushLetter | int | None:
    """Return the message of a row of the outbox, unless its notification was read, or its browser is gone.

    It waits while a page of ours is in view: then this is the time until which it does.
    """
    this = _row.match_id == row["match_id"], _row.kind == row["kind"], _row.ply == row["ply"]
    own = schema.account.join(schema.notification, _row.holder == _account.holder)
    browsers = with_game(own.join(schema.push_subscription, _account.id == _browser.account_id))
    query = select(schema.push_subscription, _account.settings, GAME).select_from(browsers)
    query = query.where(_browser.id == row["target"], GAME.is_not(None), _row.read_at.is_(None), *this)
    found = connection.execute(query).first()
    if found is None:
        return None
    browser = Subscription(*found[: len(Subscription._fields)])
    if (visible_until := browser.visible_at + VISIBLE_MS) > now:
        return visible_until
    lang = present_language(found.settings, browser.lang)
    return PushLetter(browser, row["match_id"], push_message(row["kind"], row["match_id"], found.game, lang))
