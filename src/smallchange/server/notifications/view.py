"""The page of notifications, and the switches of their kinds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from smallchange.core.game import Game, games
from smallchange.i18n.formats import day_at
from smallchange.i18n.text import Text, plain
from smallchange.server.notifications.model import (
    ACCOUNT_KINDS,
    BEGUN,
    CHALLENGED,
    DEAL,
    ENDED,
    LATE,
    MAIL_OFF,
    OFFERED,
    PUSH_OFF,
    RESULT,
    TIME,
    TOURNAMENT_KINDS,
    TURN,
    ListedNotification,
)
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.view.seats import bot_name
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

SENTENCES = {
    TURN: p.YOUR_MOVE,
    TIME: Text("Your time is running out."),
    OFFERED: Text("You have an offer to answer."),
    CHALLENGED: Text("You have been challenged to a game."),
    BEGUN: Text("The game has begun."),
    ENDED: Text("The game has ended."),
    DEAL: Text("Your duel is open: play its deal."),
    LATE: Text("A duel closes soon and you have not finished its deal."),
    RESULT: Text("It is over: see the results."),
    PUSH_OFF: Text("One of your browsers shows no notifications any more. Switch them on again there."),
    MAIL_OFF: Text("E-mails to your address come back, so no more are sent."),
}
AND_MORE = Text("{sentence} And {n} more.", "notifications of one tournament")
SWITCHES = {
    TURN: Text("my turn in a game by correspondence, or in a game without a clock that I do not have open"),
    TIME: Text("my time that runs out in a game by correspondence, once a turn"),
    OFFERED: Text("an offer of a draw, of a rematch, or to take a move back"),
    CHALLENGED: Text("a challenge to a game"),
    BEGUN: Text("a game that begins"),
    ENDED: Text("a game that ends"),
    DEAL: Text("a duel that is open"),
    LATE: Text("a duel that closes soon, while my deal is not finished"),
    RESULT: Text("the result of a duel"),
}


class Switch(NamedTuple):
    """The switch of a kind of notification."""

    kind: str
    text: Text
    on: bool


def notifications_page(listed: Sequence[ListedNotification], visit: PageContext) -> str:
    """Return the page of notifications."""
    rows = [
        {
            "path": line_path(one),
            "title": game_title(one.game),
            "who": other_player(one),
            "said": line_text(one),
            "unread": one.unread,
            "day": day_at(one.at),
            "at": datetime.fromtimestamp(one.at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        for one in listed
    ]
    return render_page("notifications.html", visit, p.NOTIFICATIONS, rows=rows)


def switches(muted: Collection[str]) -> tuple[Switch, ...]:
    """Return the switches of all kinds of notification."""
    return tuple(Switch(kind, text, kind not in muted) for kind, text in SWITCHES.items())


def notification_path(kind: str, id: str) -> str:
    """Return the path of the page that a notification is about: a table, a challenge, or a tournament."""
    if kind in TOURNAMENT_KINDS:
        return f"/tournaments/{id}"
    if kind in ACCOUNT_KINDS:
        return "/account"
    return f"/challenges/{id}" if kind == CHALLENGED else f"/m/{id}"


def line_path(one: ListedNotification) -> str:
    """Return the path that a line leads to: the table that needs an answer, else its tournament."""
    is_of_matches = one.more > 0 and one.kind in (BEGUN, ENDED)
    return f"/tournaments/{one.line}" if is_of_matches else notification_path(one.kind, one.match)


def line_text(one: ListedNotification) -> Text:
    """Return the sentence of a line, with the number of further notifications of its tournament."""
    sentence = SENTENCES[one.kind]
    return AND_MORE.fill(sentence=sentence, n=one.more) if one.more else sentence


def game_title(id: str) -> Text:
    """Return the title of a game, its id where the game is gone; without a game, that of the account's page."""
    if not id:
        return p.ACCOUNT
    return Game(id).words.TITLE if id in games() else plain(id)


def other_player(one: ListedNotification) -> Text | None:
    """Name the other player at a table for two, or the tournament."""
    if len(one.others) != 1:
        return None
    kind, name, bot = one.others[0]
    return bot_name(bot) if kind == SeatKind.BOT else plain(name) if name else p.A_PERSON
