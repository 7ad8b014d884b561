"""Taking back, alone and against somebody."""

from __future__ import annotations

import pytest

from smallchange import games
from smallchange.core.game import Game
from smallchange.server.table.model import command_events
from smallchange.server.table.view.viewer import GIVEN, UNDO_FREE
from smallchange.server.web.errors import ErrorCode

from .serving import Person, Served, hear, say
from .tables import PAIR, legal


def test_undo_takes_back_a_bots_answer_with_ones_own_decision(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{Game(PAIR).seats[1]}": "bot:greedy"})
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        ann.command(id, "act", 0, token=legal(served, id)[0])
        while hear(line, "changes")["ply"] < 2:
            pass
    assert ann.command(id, "undo", 2).status_code == 303
    history = served.live_table(id).history
    assert (len(history.match), history.ply) == (0, 3)
    assert ann.command(id, "undo", 3).status_code == 400


@pytest.mark.parametrize("game", [id for id in games() if Game(id).sources])
def test_what_chance_has_answered_stays(served: Served, ann: Person, game: str) -> None:
    """Undo is free until chance answers: after that it is refused, and nothing changes."""
    id = ann.open(game, **{f"seat.{player}": "me" for player in Game(game).seats})
    history = served.live_table(id).history

    def answer() -> list[str]:
        position = history.match.position
        return [token for token in position.legal() if position.played(token).actor == "chance"]

    while not answer():
        steps, token = len(history.match), legal(served, id)[0]
        ann.command(id, "act", history.ply, token=token)
        assert ann.command(id, "undo", history.ply).status_code == 303
        assert len(history.match) == steps
        ann.command(id, "act", history.ply, token=token)
    ann.command(id, "act", history.ply, token=answer()[0])
    before = (history.ply, len(history.match))
    assert ann.command(id, "undo", history.ply).status_code == 400
    assert (history.ply, len(history.match)) == before


def test_a_table_does_not_grow_for_ever_by_taking_back(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_events, "MAX_EVENTS", 4)
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(0, 4, 2):
        ann.command(id, "act", ply, token=legal(served, id)[0])
        assert ann.command(id, "undo", ply + 1).status_code == 303
    assert ann.command(id, "act", 4, token=legal(served, id)[0]).status_code == 303, (
        "it can be played to its end"
    )
    assert "Take back" not in ann.page(id)
    refused = ann.command(id, "undo", 5)
    assert refused.status_code == 400
    assert ErrorCode.TOO_MANY_EVENTS.text.en in refused.text


def test_what_a_practice_table_was_given_is_not_taken_back(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(2):
        ann.command(id, "act", ply, token=legal(served, id)[0])
    fork = ann.post(f"/m/{id}/fork", at="2").headers["location"].removeprefix("/m/")
    assert ann.command(fork, "undo", 2).status_code == 400
    assert len(served.live_table(fork).history.match) == 2
    assert GIVEN.en in ann.page(fork)
    assert GIVEN.en not in ann.page(id)


def test_looking_back_at_a_game_that_is_over_nothing_is_said_of_undo(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(2):
        ann.command(id, "act", ply, token=legal(served, id)[0])
    assert UNDO_FREE.en in ann.page(f"{id}?at=1")
    ann.command(id, "resign", 2)
    assert UNDO_FREE.en not in ann.page(f"{id}?at=1")
