"""Each fragment of a table names the fields of the view that it shows, so that it is drawn only when one changes."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from smallchange import games
from smallchange.core.game import Game
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.model import command_events, new_tables
from smallchange.server.table.model.commands import NewTable, Offer, PlayMove
from smallchange.server.table.model.history import History
from smallchange.server.table.view.board import draw_board
from smallchange.server.table.view.table_page import SEAT_FRAGMENTS, SHARED_FRAGMENTS
from smallchange.server.table.view.table_view import TableView

CONSTANT = {"match", "game", "title", "options", "marking", "has_luck", "local", "may_bring"}


class RecordedView(SimpleNamespace):
    """A view that notes which of its fields are read."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view=view, read=set())

    def __getattr__(self, name: str) -> Any:
        if name not in TableView.__struct_fields__:
            return getattr(TableView, name).fget(self)
        self.read.add(name)
        return getattr(self.view, name)


def plays(game: str, seed: int) -> list[TableView]:
    """Return views of a match with some offers, of every viewer."""
    luck, views = Random(seed), list[TableView]()
    seats = dict.fromkeys(Game(game).seats, "me")
    history, events = new_tables.new_table(NewTable(game, {}, seats), "ann", new_tables.random_id, 0)
    history.append(events)
    for step in range(40):
        table = LiveTable(history, lambda: 0)
        everyone = tuple(range(len(history.seats)))
        views += [table.view(held) for held in {(), everyone, *[(i,) for i in everyone]}]
        if history.ending:
            break
        events = command_events.execute(history, "ann", next_command(history, luck, step), 0).events
        history.append(events)
    return views


def next_command(history: History, luck: Random, step: int) -> PlayMove | Offer:
    about: dict[str, Any] = {"match": history.head.id, "ply": history.ply, "command_id": f"command{step:08d}"}
    if step == 37 and len(history.seats) > 1:
        return Offer(**about, what="draw")  # which ends the match of a player alone
    return PlayMove(**about, token=luck.choice(history.match.position.legal()))


@pytest.mark.parametrize("game", games())
def test_a_fragment_reads_no_field_that_it_does_not_name(game: str) -> None:
    for view in plays(game, 1):
        stage = draw_board(view, "en")
        for id, fragment in (SHARED_FRAGMENTS | SEAT_FRAGMENTS).items():
            if view.outcome and "outcome" in fragment.fields:
                continue  # it is drawn again after any change
            recorded: Any = RecordedView(view)
            fragment.draw(recorded, "en", stage)
            assert recorded.read - CONSTANT <= fragment.fields, id
