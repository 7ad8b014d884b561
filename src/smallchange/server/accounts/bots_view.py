"""The page of one's own bots and their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smallchange.i18n.formats import day_at
from smallchange.server.accounts.rows import OwnBot
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page


class NewToken(NamedTuple):
    """A token that was just made, for the bot with this id. It is shown once."""

    bot: str
    token: str


def bots_page(owned: Sequence[OwnBot], new: NewToken | None, visit: PageContext) -> str:
    """Return the page of a person's bots; `new` is a token that was just made."""
    return render_page("bots.html", visit, p.YOUR_BOTS, owned=owned, new=new, day=day_at)
