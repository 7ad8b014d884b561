"""The messages that the pages of a game are sent, each with the page as it is drawn anew."""

from __future__ import annotations

from itertools import cycle
from random import Random
from typing import Any

import msgspec

from smallchange.core.game import Game
from smallchange.render.markup_diff import whole
from smallchange.server.table.http import messages
from smallchange.server.table.http.subscription import Subscription, changes_message, shown_page
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.model import command_events, new_tables
from smallchange.server.table.model.commands import NewTable, Offer, PlayMove, Undo
from smallchange.server.table.view.log import log_rows
from smallchange.server.table.view.table_page import all_parts

STEPS = 60  # of a game


async def played(game: str, seed: int, langs: list[str], every: int = 1) -> list[list[list[Any]]]:
    """Return for each viewer of a game the messages, each with the page drawn anew and the rows of the log.

    Viewers have no seat, one or all, and the board as it is or turned. Some are away for a while, some load the page
    again. Only `every` so many messages come with the page, and the last.
    """
    luck = Random(seed)
    seats = Game(game).seats
    history, events = new_tables.new_table(
        NewTable(game, {}, dict.fromkeys(seats, "me")), "ann", new_tables.random_id, 0
    )
    history.append(events)
    table = LiveTable(history, lambda: 0)
    everyone = tuple(range(len(seats)))
    kinds = [((), False), *[((i,), turned) for i in everyone for turned in (False, True)], (everyone, False)]
    viewers = [
        (Subscription(table, held, True, -1, lambda: None, own_side=turned), lang, list[list[Any]]())
        for (held, turned), lang in zip(kinds, cycle(langs), strict=False)
    ]
    for step in range(STEPS):
        for subscription, lang, shown in viewers:
            if not (step % 5) and subscription.seats == ():
                continue  # who was away is sent several turns at once
            view = table.view(subscription.seats, subscription.own_side)
            if step % 13 == 12:
                subscription.known_ply = history.ply
                subscription.sent = shown_page(table, subscription.seats, lang, subscription.own_side)
                shown.append([{"html": drawn_anew(view, lang)}, None, ""])
            kept = min(history.lengths[subscription.known_ply :]) if subscription.known_ply >= 0 else 0
            message = changes_message(subscription, lang)
            if message is None:
                continue
            is_compared = step % every == 0 or history.ending or step == STEPS - 1
            anew = drawn_anew(view, lang) if is_compared else None
            rows = "".join(log_rows(view, kept, lang))
            shown.append([msgspec.json.decode(messages.encode(message)), anew, rows])
        if history.ending:
            break
        if step % 7 == 3:
            table.watch(lambda: None, (step % len(seats),))  # somebody comes
        new = command_events.execute(history, "ann", _command(history, luck, step), 0)
        table.append(new.events, after=new.after)
    return [shown for _, _, shown in viewers]


def drawn_anew(view: Any, lang: str) -> dict[str, str]:
    return {id: whole(part) for id, part in all_parts(view, lang).items()}


def _command(history: Any, luck: Random, step: int) -> Any:
    """Return a move, and now and then something else."""
    about: dict[str, Any] = {"match": history.head.id, "ply": history.ply, "command_id": f"command{step:08d}"}
    everyone = tuple(range(len(history.seats)))
    if step % 11 == 10 and command_events.length_after_undo(history, everyone) is not None:
        return Undo(**about)
    if step == STEPS - 3 and len(everyone) > 1:
        return Offer(**about, what="draw")  # which ends the match of a player alone
    return PlayMove(**about, token=luck.choice(history.match.position.legal()))
