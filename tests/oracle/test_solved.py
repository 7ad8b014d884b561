"""Solved games against what others found, and against a solver that shares nothing with ours."""

from itertools import product
from pathlib import Path

import pytest

import smallchange
from research.no_progress import longest_quiet
from research.reachability import reachable
from smallchange import BadPosition, Position
from smallchange.core.game import Game
from smallchange.tablebase import Table, Value
from smallchange.tablebase.make_table import make_table
from smallchange.tablebase.table import PliesTable
from smallchange.tablebase.verify import verify

CLASSIC = {"start": "crosswise", "blocked": "wins"}
VARIANTS = list(product(("facing", "crosswise"), ("pass", "wins", "loses")))


def solve_board(folder: Path, **options: object) -> Table:
    return make_table(folder / "solved.table", smallchange.game("dodgem", **options), threads=2)


def test_the_first_player_wins_the_classic_game_on_nine_squares(tmp_path: Path) -> None:
    """Berlekamp, Conway and Guy, Winning Ways, chapter 22."""
    table = solve_board(tmp_path, size=3, **CLASSIC)
    assert table.value(table.game.start()).outcome == "win"


def test_the_classic_game_on_sixteen_squares_is_drawn(tmp_path: Path) -> None:
    """Winning Ways says so of 4 x 4 and 5 x 5; bench/solve.py solves the latter."""
    table = solve_board(tmp_path, size=4, **CLASSIC)
    assert table.value(table.game.start()) == Value("draw", None)


@pytest.mark.parametrize("coins", ["0,4", "4,0", "4,4", "7,384", "3,448"])
def test_coins_that_are_no_position_have_no_value(coins: str, tmp_path: Path) -> None:
    table = solve_board(tmp_path, size=3)
    odd = table.game.start()
    odd.s.coins = [int(squares) for squares in coins.split(",")]
    assert odd not in table
    with pytest.raises(BadPosition, match="no number"):
        table.value(odd)


@pytest.mark.parametrize(("size", "positions"), [(3, 1_963), (4, 393_900)])
def test_as_many_positions_can_come_up_as_others_count(size: int, positions: int) -> None:
    """sekika/dodgem-py counts them, each side to move and ends included; 5 x 5 is in bench/solve.py."""
    game = smallchange.game("dodgem", size=size, **CLASSIC)
    assert reachable(game, ("coins", "winner")) == positions


@pytest.mark.parametrize(("start", "blocked"), VARIANTS)
def test_all_nine_square_positions_agree_with_a_plain_solver(
    start: str, blocked: str, tmp_path: Path
) -> None:
    table = solve_board(tmp_path, size=3, start=start, blocked=blocked)
    values = by_hand(table.game)
    assert len(values) > 600
    for text, value in values.items():
        assert table.value(Position.parse(text)) == value, text


@pytest.mark.parametrize(("start", "blocked"), VARIANTS)
def test_sixteen_squares_are_proved_and_the_quiet_limit_spoils_no_win(
    start: str, blocked: str, tmp_path: Path
) -> None:
    table = solve_board(tmp_path, size=4, start=start, blocked=blocked)
    assert isinstance(table, PliesTable)
    proved = verify(table, threads=2, sample=100)
    assert proved.won + proved.drawn + proved.lost + proved.none == 276_600
    assert longest_quiet(table, threads=2) < 40  # the limit unless another is chosen


def by_hand(game: Game) -> dict[str, Value]:
    """Return all positions that can come up, valued by looking again and again until nothing changes."""
    after: dict[str, list[str | Value]] = {}
    ahead = [timeless(game.start())]
    while ahead:
        here = ahead.pop()
        after[here.key()] = []
        for token in here:
            there = here.played(token)
            if there.actor is None:
                after[here.key()].append(Value("win" if there.s.winner == here.s.turn else "loss", 1))
            else:
                there = timeless(there)
                after[here.key()].append(there.key())
                if there.key() not in after:
                    after[there.key()] = []
                    ahead.append(there)
    values: dict[str, Value] = {}
    for plies in range(1, 200):
        found = {here: now(steps, values, plies) for here, steps in after.items() if here not in values}
        decided = {here: value for here, value in found.items() if value}
        if not decided:
            break  # what takes a ply more follows from what takes so many
        values |= decided
    return values | {here: Value("draw", None) for here in after if here not in values}


def now(steps: list[str | Value], values: dict[str, Value], plies: int) -> Value | None:
    """Return the value of a position if it is decided in exactly so many plies, given all decided sooner."""
    mine = []
    for step in steps:
        if isinstance(step, Value):
            mine.append(step)
        elif step in values and values[step].outcome == "loss":
            mine.append(Value("win", (values[step].plies or 0) + 1))
        elif step in values:
            mine.append(Value("loss", (values[step].plies or 0) + 1))
    if Value("win", plies) in mine:
        return Value("win", plies)
    if len(mine) == len(steps) and all(v.outcome == "loss" for v in mine):
        longest = max(v.plies or 0 for v in mine)
        return Value("loss", plies) if longest == plies else None
    return None


def timeless(position: Position) -> Position:
    """Return the position without its past."""
    position.s.quiet = position.s.plies = position.s.winner = 0
    return position
