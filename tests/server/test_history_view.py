"""A look back at a table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from smallchange import games
from smallchange.core.game import Game
from smallchange.i18n.text import Text
from smallchange.render.markup_diff import whole
from smallchange.render.scene import Scene
from smallchange.server.table.model import command_events, new_tables
from smallchange.server.table.model.commands import NewTable, PlayMove
from smallchange.server.table.model.history import History
from smallchange.server.table.view.table_page import turn_fragments
from smallchange.server.table.view.table_view import TableView
from smallchange.server.table.view.timeline import TRACKED_STEPS, Timeline
from smallchange.server.table.view.viewer import shared_view, view_for

from .serving import Person, Served, fresh
from .tables import PAIR, legal

SAME = (
    "scene",
    "last_turn",
    "log",
    "last_touched",
    "rolled_ids",
    "preview",
    "phase",
    "prompt",
    "own_seats",
)
LONG = 3 * TRACKED_STEPS


def longest(game: str) -> list[History]:
    """One's own table after each decision of the longest of some random games."""
    return max((random_histories(game, Random(seed)) for seed in range(8)), key=len)


def random_histories(game: str, luck: Random) -> list[History]:
    seats = dict.fromkeys(Game(game).seats, "me")
    history, events = new_tables.new_table(NewTable(game, {}, seats), "ann", new_tables.random_id, 0)
    history.append(events)
    found = [replay(history)]
    while not history.ending and len(history.match) < LONG:
        token = luck.choice(history.match.position.legal())
        made = command_events.execute(
            history, "ann", PlayMove(history.head.id, history.ply, fresh(), token), 0
        )
        history.append(made.events, after=made.after)
        found.append(replay(history))
    return found


def replay(history: History) -> History:
    """Return another history of the same table, replayed from its events."""
    twin = History(history.head, history.seats)
    twin.append(history.events)
    return twin


def view_of(history: History, scene: Timeline, at: int | None = None) -> TableView:
    return view_for(history, shared_view(history, scene, (), at), history.seats_of("ann"))


@pytest.mark.parametrize("game", games())
def test_a_table_looks_as_it_did(game: str) -> None:
    *earlier, now = longest(game)
    scene = Timeline(now.head.game)
    for history in earlier:
        then, back = view_of(history, Timeline(history.head.game)), view_of(now, scene, len(history.match))
        assert [getattr(back, part) for part in SAME] == [getattr(then, part) for part in SAME]


def test_a_look_back_says_few_of_the_steps_anew(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long table is looked at between the moves of all others."""
    id, luck = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats}), Random(0)
    while len(served.live_table(id).history.match) < LONG:
        ann.command(id, "act", served.live_table(id).history.ply, token=luck.choice(legal(served, id)))
    ann.page(id)
    words, said = Game(PAIR).words, list[int]()
    say = words.step

    def count_draws(b: Any, s: Any, a: int) -> Text:
        said.append(a)
        return say(b, s, a)

    monkeypatch.setattr(words, "step", count_draws)
    assert ann.web.get(f"/m/{id}/look?at={LONG - 1}").json()["at"] == LONG - 1
    assert len(said) <= TRACKED_STEPS


@pytest.mark.parametrize("game", games())
def test_every_turn_that_a_page_has_not_shown_comes_with_the_table_as_it_was_then(game: str) -> None:
    history = longest(game)[-1]
    scene, kept = Timeline(history.head.game), max(0, len(history.match) - TRACKED_STEPS)
    view = view_of(history, scene)
    decided = [entry.number - 1 for entry in view.log[kept:] if entry.seat >= 0][1:]
    turns = scene.turns_after(kept)
    assert [turn.number for turn in turns] == decided
    shown = list(turn_fragments(view, turns[-3:], "en", {}))
    for turn, (number, parts, html) in zip(turns[-3:], shown, strict=True):
        position = history.match.until(number).position
        then = history.head.game.layout.scene(history.head.game.board, position.s)
        assert _visible_pieces(turn.scene) == _visible_pieces(then)
        assert "status" in html
        assert turn.said[0].en in whole(parts["status"])
    assert not scene.turns_after(len(history.match))


def _visible_pieces(scene: Scene) -> list[tuple[str, ...]]:
    return sorted((p.spot, p.kind, p.suit, p.value, p.side, p.state) for p in scene.pieces)
