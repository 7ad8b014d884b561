"""The page of offline play: the games to keep, and those that were finished without a connection."""

from __future__ import annotations

import json
from collections.abc import Sequence

from smallchange.core.game import Game
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page


def offline_page(
    offered: Sequence[tuple[str, Game]], kept: Sequence[str], version: str, visit: PageContext
) -> str:
    """Return the page that an installed one shows where the server cannot be reached.

    `offered` are the tables with their games, () where nothing is installed for them; `kept` are the paths of
    the files that they need, in this version.
    """
    return render_page(
        "offline.html", visit, p.OFFLINE_GAMES, offered=offered, kept=json.dumps(kept), version=version
    )
