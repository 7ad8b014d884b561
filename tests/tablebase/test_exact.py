"""Exact worths: those of plain enumeration, compiled as interpreted; what cannot be done is said."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import product

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import BadPosition, Position
from smallchange.cli import main
from smallchange.cli.exact import exact_values
from smallchange.core.options import Whole
from smallchange.engine.search.mcts import Plan, TreeSearcher
from smallchange.tablebase.exact import Exact, TooLarge

from .brute import TooMany, best, endings, score_value, win_value

ENDS: dict[str, Callable[[Position], Fraction]] = {"win": win_value, "score": score_value}
MOST = 500  # positions that plain enumeration may look at
CHANCY = [id for id in smallchange.games() if smallchange.game(id).sources]


def least(id: str) -> dict[str, object]:
    """Return the variant whose numbers are as small as they can be: some games end sooner so."""
    return {o.name: o.low for o in smallchange.game(id).offered if isinstance(o, Whole)}


@cache
def exact(id: str, goal: str, **options: object) -> Exact:
    return Exact(smallchange.game(id, **options), goal)


@cache
def small(id: str, seed: int, **options: object) -> list[tuple[Position, dict[str, Fraction]]]:
    """Return the last positions of a match with their worths by plain enumeration, the earliest last."""
    found = []
    known: dict[str, dict[str, Fraction]] = {goal: {} for goal in ENDS}
    for position in endings(smallchange.game(id, **options), seed)[:24]:
        try:
            worth = {goal: best(position, end, known[goal], MOST) for goal, end in ENDS.items()}
        except (TooMany, RecursionError):
            break
        found.append((position, worth))
    return found


@pytest.mark.parametrize("id", smallchange.games())
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 4), back=st.integers(0, 23), goal=st.sampled_from(list(ENDS)))
def test_a_worth_is_that_of_plain_enumeration(id: str, seed: int, back: int, goal: str) -> None:
    for options in {}, least(id):
        positions = small(id, seed, **options)
        for position, worth in positions[-1 - back % len(positions) :][:1] if positions else []:
            assert exact(id, goal, **options).value(position) == worth[goal], position.key()


VARIANTS = [
    {"stud": True},
    {"stay_home": 1},
    {"stay_home": 3, "acceptable_losses": True},
    {"acceptable_losses": True},
]


@pytest.mark.parametrize("options", VARIANTS)
@pytest.mark.parametrize("goal", ENDS)
def test_positions_said_to_be_alike_are_worth_the_same_in_every_variant(
    goal: str, options: dict[str, object]
) -> None:
    """The games that have such options: what they call alike or lost must be so under them too."""
    for id in smallchange.games():
        if set(options) <= {option.name for option in smallchange.game(id).offered}:
            ends = [end for seed in range(10) for end in small(id, seed, **options)[-2:]]
            assert ends
            for position, worth in ends[:8]:
                assert exact(id, goal, **options).value(position) == worth[goal], position.key()


@pytest.mark.parametrize("id", CHANCY)
def test_compiled_and_interpreted_find_the_same_number_of_positions(id: str) -> None:
    slow = Exact(smallchange.game(id), compiled=False)
    fast = Exact(smallchange.game(id))
    for seed in range(3):
        for position, _ in small(id, seed)[-1:]:
            assert slow.value(position) == fast.value(position)
    assert slow.positions == fast.positions


def test_every_move_has_its_worth_and_the_best_is_the_position_s() -> None:
    turns = set()
    for id, seed in product(CHANCY, (2, 3)):
        options = least(id) if seed == 3 else {}
        for position, worth in small(id, seed, **options):
            moves = exact(id, "win", **options).moves(position)
            assert sorted(token for token, _ in moves) == position.legal()
            if moves:
                assert moves[0][1] == worth["win"]
                turns |= {position.s.turn} if moves[0][1] != moves[-1][1] else set()
    assert turns == {0, 1}, "no choice for one of the seats"


def test_a_table_that_grows_and_digits_that_do_not_suffice_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position, worth = max(
        (small(id, seed)[-1] for id in CHANCY for seed in range(3) if small(id, seed)),
        key=lambda found: found[1]["win"].denominator,
    )
    monkeypatch.setattr("smallchange.tablebase.exact.ROWS", 4)
    monkeypatch.setattr("smallchange.tablebase.exact.SAMPLES", 0)
    assert Exact(position.game, digits=1).value(position) == worth["win"]


def test_odds_that_no_earlier_position_had_are_met_later() -> None:
    """The first moves lead to dice alone, the last to a stack of five tiles too."""
    position = smallchange.Position.parse(
        "thrag / turn=0 phase=2 hour=9 stack=0,0,0,16 discards=0,0,0,46 slain=62,30,62 beast=0,5,0 "
        "die=-1,4,-1,3 coins=0,10,0 hits=13 pawns=0 fought=1 suit=1 flip=1 damage=0 reason=0"
    )
    one_by_one = [(token, Exact(position.game).value(position.played(token))) for token in position.legal()]
    assert sorted(Exact(position.game).moves(position)) == sorted(one_by_one)
    assert dict(one_by_one)["fight:C+C"] == Fraction(587, 2592)


@pytest.mark.parametrize("id", smallchange.games())
def test_what_is_too_large_is_refused_in_time(id: str) -> None:
    position = smallchange.game(id).start()
    with pytest.raises(TooLarge):
        Exact(smallchange.game(id)).value(position, 0.0)
    with pytest.raises(TooLarge):
        Exact(smallchange.game(id), memory=1 << 20).value(position)


def test_a_search_finds_what_is_exact() -> None:
    """In every game with chance: the odds that the tree search sees, and how good its choice is."""
    for id in CHANCY:
        searcher, solver = TreeSearcher(smallchange.game(id)), exact(id, "aim")
        positions = [p for seed in range(3) for p, _ in small(id, seed) if len(p.legal()) > 1]
        for position in positions[:: max(1, len(positions) // 3)]:
            worths = dict(solver.moves(position))
            looks = searcher.search(position.s, Plan(), 1, lambda done: 10_000 - done)
            perfect = solver.value(position)
            chosen = worths[position.game.tokens[looks[0].action]]
            mean = looks[0].mean if position.s.turn == 0 else 1000 - looks[0].mean
            assert abs(chosen - perfect) <= 10, position.key()  # of 1000
            assert abs(mean - perfect) <= 40, position.key()


def test_the_command_gives_the_fraction_of_a_position_and_of_its_moves() -> None:
    position = next(p for id in CHANCY for p, _ in small(id, 2)[::-1] if len(p.legal()) > 1)
    moves = exact(position.game.id, "win").moves(position)
    ran = CliRunner().invoke(main, ["exact", position.key()])
    assert ran.exit_code == 0, ran.output
    for token, worth in moves:
        assert f"  {token:12} {worth} = " in ran.output
    ran = CliRunner().invoke(main, ["exact", position.game.start().key(), "--seconds", "0"])
    assert ran.exit_code == 1
    assert "no exact worth found: too many positions" in ran.output


def test_the_moves_have_the_seconds_that_the_position_left(monkeypatch: pytest.MonkeyPatch) -> None:
    position = next(p for id in CHANCY for p, _ in small(id, 2)[::-1] if len(p.legal()) > 1)
    now, until = [0.0], []

    class Slow(Exact):
        """Every worth takes a second."""

        def value(
            self, position: Position, seconds: float = math.inf, positions: float = math.inf
        ) -> Fraction:
            until.append(now[0] + seconds)
            now[0] += 1
            return super().value(position)

    for module in ("cli", "tablebase"):
        monkeypatch.setattr(import_module(f"smallchange.{module}.exact"), "perf_counter", lambda: now[0])
    exact_values(Slow(position.game), position, 60)
    assert until == [60] * (1 + len(position.legal()))


@pytest.mark.parametrize("id", CHANCY)
def test_in_games_for_two_a_draw_is_said_to_count_half(id: str) -> None:
    position = next(p for seed in range(5) for p, _ in small(id, seed, **least(id)))
    said = CliRunner().invoke(main, ["exact", position.key()]).output.splitlines()[0]
    assert ("a draw counting half" in said) == (len(position.game.seats) > 1)
    whose = "the player" if len(position.game.seats) == 1 else f"{position.game.seats[0]}, a draw"
    assert f"; wins of {whose}" in said


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1"])
def test_seconds_that_are_no_number_are_refused(seconds: str) -> None:
    ran = CliRunner().invoke(main, ["exact", smallchange.game(CHANCY[0]).start().key(), "--seconds", seconds])
    assert ran.exit_code == 2
    assert seconds in ran.output.splitlines()[-1]


def test_a_position_given_as_text_must_be_one_to_move_in_and_has_no_steps_before_it() -> None:
    over = next(p for id in CHANCY for p in endings(smallchange.game(id), 0))
    while over.actor is not None:
        over.play(next(iter(over)))
    ran = CliRunner().invoke(main, ["exact", over.key()])
    assert (ran.exit_code, ran.output) == (1, "Error: the game is over there\n")
    ran = CliRunner().invoke(main, ["exact", over.game.start().key(), "--at", "1"])
    assert ran.exit_code == 2
    assert "--at is for a record" in ran.output


def test_where_play_can_go_on_for_ever_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smallchange.tablebase.exact.LEVELS", 3)
    ran = CliRunner().invoke(main, ["exact", smallchange.game(CHANCY[0]).start().key()])
    assert ran.exit_code == 1
    assert "a line of play has more than 3 steps: play may go on for ever" in ran.output


def test_what_exact_odds_cannot_be_asked_is_said() -> None:
    game = smallchange.game("coin-collectors")
    other = smallchange.game("coin-collectors", stud=True)
    with pytest.raises(ValueError, match="the goal must be one of win, score, aim, not 'wins'"):
        Exact(game, "wins")
    with pytest.raises(BadPosition, match=r"a position of .*stud.* has no worth in "):
        Exact(game).value(other.start())
