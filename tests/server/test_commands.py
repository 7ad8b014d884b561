"""Commands at a table without a server: commands in, events or a refusal out."""

from __future__ import annotations

import pytest

from smallchange.core.game import Game
from smallchange.server.table import command_events, new_tables
from smallchange.server.table.commands import Answer, Command, Join, NewTable, Offer, PlayMove, Resign, Undo
from smallchange.server.table.events import How
from smallchange.server.table.history import History, SeatKind
from smallchange.server.web.errors import ErrorCode, Refused

from .tables import PAIR


def execute(history: History, holder: str, command: Command) -> None:
    new = command_events.execute(history, holder, command, 0)
    history.append(new.events, after=new.after)


def refusal(history: History, holder: str, command: Command) -> Refused:
    before = history.ply
    with pytest.raises(Refused) as refused:
        command_events.execute(history, holder, command, 0)
    assert history.ply == before, "a refusal changes nothing"
    return refused.value


def table(**seats: str) -> History:
    history, events = new_tables.new_table(NewTable(PAIR, {}, seats), "ann", new_tables.random_id, 0)
    history.append(events)
    return history


def table_of_two() -> History:
    history = table()
    number, seat = new_tables.take_seat(history, "bo", Join("Bo"))
    seats = [seat if i == number else old for i, old in enumerate(history.seats)]
    history, events = new_tables.start(history.head, tuple(seats), 0)
    history.append(events)
    return history


def act(history: History, move: str, token: str = "") -> PlayMove:
    return PlayMove(history.head.id, history.ply, move, token or history.match.position.legal()[0])


def test_a_seat_moves_on_its_turn_alone() -> None:
    history = table_of_two()
    refused = refusal(history, "bo", act(history, "too-soon"))
    assert refused.code == ErrorCode.NOT_YOUR_TURN
    assert refusal(history, "eve", act(history, "stranger")).code == ErrorCode.SPECTATOR
    execute(history, "ann", act(history, "first-move"))
    assert len(history.match) == 1
    execute(history, "bo", act(history, "second-move"))
    assert len(history.match) == 2


def test_a_move_that_is_not_legal_is_refused_with_those_that_are() -> None:
    history = table_of_two()
    assert refusal(history, "ann", act(history, "nonsense", "nonsense")).code == ErrorCode.UNKNOWN_TOKEN
    legal = history.match.position.legal()
    token = next(token for token in history.match.game.actions if token not in legal)
    refused = refusal(history, "ann", act(history, "illegal1", token))
    assert (refused.code, refused.data["token"]) == (ErrorCode.ILLEGAL, token)
    assert refused.data["legal"] == legal[: command_events.MAX_LEGAL_SHOWN]


def test_a_game_waits_for_all_seats() -> None:
    history = table()
    assert refusal(history, "ann", Undo(history.head.id, 0, "too-soon")).code == ErrorCode.NOT_STARTED
    execute(history, "ann", Resign(history.head.id, 0, "withdraw"))
    assert refusal(history, "ann", Undo(history.head.id, 1, "too-late")).code == ErrorCode.WITHDRAWN


def test_a_move_is_undone_alone_and_asked_for_against_a_person() -> None:
    alone = table(**dict.fromkeys(table().match.game.seats, "me"))
    assert [seat.kind for seat in alone.seats] == [SeatKind.PERSON, SeatKind.PERSON]
    execute(alone, "ann", act(alone, "one-move"))
    execute(alone, "ann", Undo(alone.head.id, alone.ply, "take-back"))
    assert (len(alone.match), alone.ply) == (0, 2)
    history = table_of_two()
    execute(history, "ann", act(history, "one-move"))
    undo = Undo(history.head.id, history.ply, "take-back")
    assert refusal(history, "ann", undo).code == ErrorCode.MUST_ASK_TO_UNDO
    execute(history, "ann", Offer(history.head.id, history.ply, "ask-back", "undo"))
    execute(history, "bo", Answer(history.head.id, history.ply, "allow-it", True))
    assert len(history.match) == 0


def test_an_offer_is_answered_by_the_other_side() -> None:
    history = table_of_two()
    offer = Offer(history.head.id, history.ply, "a-draw-1", "draw")
    execute(history, "ann", offer)
    own = Answer(history.head.id, history.ply, "yes-yes1", True)
    assert refusal(history, "ann", own).code == ErrorCode.NO_OFFER
    execute(history, "bo", Answer(history.head.id, history.ply, "declined", False))
    again = Offer(history.head.id, history.ply, "a-draw-2", "draw")
    assert refusal(history, "ann", again).code == ErrorCode.CANNOT_OFFER, "once between two steps"
    execute(history, "bo", Offer(history.head.id, history.ply, "a-draw-3", "draw"))
    execute(history, "ann", Answer(history.head.id, history.ply, "yes-yes2", True))
    assert history.ending is not None
    assert history.ending.how == How.AGREED


def test_the_same_command_again_is_known_and_its_id_serves_no_other() -> None:
    history = table_of_two()
    command = act(history, "one-move")
    assert not command_events.is_repeated(history, "ann", command)
    execute(history, "ann", command)
    assert command_events.is_repeated(history, "ann", command)
    with pytest.raises(Refused) as refused:
        command_events.is_repeated(history, "bo", command)
    assert refused.value.code == ErrorCode.COMMAND_ID_USED


def test_after_a_resignation_nothing_is_done_any_more() -> None:
    history = table_of_two()
    execute(history, "bo", Resign(history.head.id, history.ply, "i-resign"))
    assert history.ending is not None
    assert (history.ending.how, history.ending.seat) == (How.RESIGNED, 1)
    assert refusal(history, "ann", act(history, "too-late")).code == ErrorCode.OVER


@pytest.mark.parametrize("side", [0, 1])
def test_where_nobody_chooses_a_toss_decides_who_has_which_side(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda _: side)
    first, second = Game(PAIR).seats
    order = NewTable(PAIR, {}, {first: "me", second: "bot:greedy"}, toss=True)
    history, _ = new_tables.new_table(order, "ann", new_tables.random_id, 0)
    assert [seat.kind for seat in history.seats] == [SeatKind.PERSON, SeatKind.BOT][:: -1 if side else 1]
    chosen = NewTable(PAIR, {}, order.seats)
    assert new_tables.new_table(chosen, "ann", new_tables.random_id, 0)[0].seats[0].kind == SeatKind.PERSON
