"""Playing only sound steps wins every won position and loses none that is not lost."""

from pathlib import Path
from random import Random

import pytest

import smallchange
from smallchange import Position
from smallchange.bots.engines.tablebase import safe_moves
from smallchange.core.game import Game
from smallchange.core.options import Whole
from smallchange.tablebase import Table, solvable
from smallchange.tablebase.make_table import make_table
from smallchange.tablebase.table import PliesTable

from .small_games import smallest


@pytest.fixture(scope="module", params=solvable())
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> PliesTable:
    made = make_table(tmp_path_factory.mktemp("tables") / "solved.table", smallest(request.param))
    assert isinstance(made, PliesTable)
    return made


def patient(table: Table, here: Position) -> Position:
    """Return the same position in a game whose long play is a draw as late as it can be."""
    game = table.game
    limits = {o.name: o.high for o in game.offered if isinstance(o, Whole) and o.high > 100}
    return Position(Game(game.id, {**game.options, **limits}), here.s)


def play_against_random(table: Table, here: Position, hero: int, luck: Random) -> tuple[int, int]:
    """Return the hero's lead at the end, and the steps taken, against random play."""
    taken = 0
    while here.actor is not None and taken < 200:
        legal = here.legal()
        steps = safe_moves(here, legal, table) if here.s.turn == hero else legal
        assert set(steps) <= set(legal)
        assert steps
        here.play(luck.choice(steps))
        taken += 1
    scores = [here.score(seat) or 0 for seat in here.game.seats]
    return scores[hero] - scores[1 - hero], taken


def test_every_won_position_is_won_in_time_and_no_other_is_lost(table: PliesTable) -> None:
    luck = Random(5)
    for i in range(0, table.positions, 9):
        seat = luck.randrange(2)
        here = patient(table, table.position(i, seat))
        if here.legal():
            value = table.value(here)
            lead, taken = play_against_random(table, here.copy(), seat, luck)
            assert (lead > 0) >= (value.outcome == "win"), here
            assert value.outcome != "win" or taken <= (value.plies or 0), here
            assert (lead < 0) <= (value.outcome == "loss"), here


def test_nothing_is_lost_under_the_strictest_limit_either(table: PliesTable) -> None:
    luck = Random(6)
    game = table.game
    limits = {o.name: o.low for o in game.offered if isinstance(o, Whole) and o.high > 100}
    strict = Game(game.id, {**game.options, **limits})
    for i in range(0, table.positions, 23):
        seat = luck.randrange(2)
        here = Position(strict, table.position(i, seat).s)
        if here.legal() and table.value(here).outcome != "loss":
            assert play_against_random(table, here, seat, luck)[0] >= 0


def test_a_table_of_few_pieces_is_reached_on_the_winning_side(table: PliesTable, tmp_path: Path) -> None:
    part = make_table(tmp_path / "part.table", table.game, budget=table.positions // 2)
    avoided = 0
    for i in range(part.positions, table.positions, 13):
        here = patient(table, table.position(i, i % 2))
        legal = here.legal()
        losing = {token for token in legal if loses(part, here, token)}
        if losing and losing != set(legal):
            avoided += 1
            assert not losing & set(safe_moves(here, legal, part)), here
    assert avoided
    assert play_against_random(part, table.game.start(), 0, Random(7))[1] > 0


def loses(part: Table, here: Position, token: str) -> bool:
    """Return whether the step leads to a position that the table knows as won for the other."""
    after = here.played(token)
    return after.actor is not None and after in part and part.value(after).outcome == "win"


def test_without_a_table_every_legal_step_is_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path))
    for id in smallchange.games():
        start = smallchange.game(id).start()
        assert safe_moves(start, start.legal()) == start.legal()
