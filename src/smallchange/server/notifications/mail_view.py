"""Notifications outside of our pages, as plain text: by mail and by web push."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from smallchange.i18n.text import Text
from smallchange.server.notifications.model import ListedNotification
from smallchange.server.notifications.view import (
    SENTENCES,
    game_title,
    line_path,
    line_text,
    notification_path,
    other_player,
)
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

NEWS_SUBJECT = Text("Small Change: {n} unread")
NEWS_INTRO = Text("New at your tables:")
LAST_MAIL = Text("You have not been here for some time, so this is the last e-mail until your next visit.")
CONFIRM_SUBJECT = Text("Small Change: confirm your address")
CONFIRM_TEXT = Text(
    "Somebody asked for e-mails about their games at Small Change to this address. If it was you, open the "
    "link. If not, do nothing, and no other e-mail will come."
)
UNSUBSCRIBE = Text("To stop these e-mails:")


def news_mail(
    listed: Sequence[ListedNotification], site: str, key: str, lang: str, is_last: bool = False
) -> tuple[str, str]:
    """Return the subject and the text of the mail with what is new. `key` is that of the link that ends the mails.

    `is_last`: no other comes before the next visit.
    """
    lines = [f"- {_line(one, lang)}\n  {site}{line_path(one)}" for one in listed]
    end = f"{UNSUBSCRIBE[lang]} {unsubscribe_link(site, key)}"
    pause = [LAST_MAIL[lang]] if is_last else []
    text = "\n\n".join([NEWS_INTRO[lang], "\n".join(lines), *pause, f"-- \n{end}\n"])
    return NEWS_SUBJECT.fill(n=len(listed))[lang], text


def confirmation_mail(site: str, key: str, lang: str) -> tuple[str, str]:
    """Return the subject and the text of the mail that asks whether an address is the account's.

    It goes to somebody who may be a stranger, so it has no word that a user typed.
    """
    return CONFIRM_SUBJECT[lang], f"{CONFIRM_TEXT[lang]}\n\n{site}/notifications/confirm/{key}\n"


def unsubscribe_link(site: str, key: str) -> str:
    """Return the link that ends the mails with this key."""
    return f"{site}/notifications/unsubscribe/{key}"


def push_message(kind: str, match: str, game: str, lang: str) -> bytes:
    """Return a notification as `service_worker.js` shows it: JSON with title, text, path below the site, and tag.

    A notification takes the place of another with the same tag.
    """
    shown = {
        "title": game_title(game)[lang],
        "text": SENTENCES[kind][lang],
        "path": notification_path(kind, match).removeprefix("/"),
        "tag": match,
        "lang": lang,
    }
    return msgspec.json.encode(shown)


def _line(one: ListedNotification, lang: str) -> str:
    who = other_player(one)
    head = f"{game_title(one.game)[lang]} ({who[lang]})" if who else game_title(one.game)[lang]
    return f"{head}: {line_text(one)[lang]}"


def mail_page(confirming: bool, visit: PageContext, done: bool = False) -> str:
    """Return the page that a link in a mail leads to: to confirm an address, or to end the mails."""
    title = p.CONFIRM_MAIL if confirming else p.END_MAILS
    about = p.ABOUT_CONFIRM if confirming else p.ABOUT_END_MAILS
    button = p.CONFIRM if confirming else p.END_MAILS
    return render_page("mail.html", visit, title, about_mail=about, button=button, done=done)
