"""Alpha-beta: the same compiled and interpreted, the same for a budget, and right where all is known."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

import smallchange
from smallchange import Position
from smallchange.fast.deepen import Deepener, fits
from smallchange.game import Game
from smallchange.solve import Table, solvable
from smallchange.solve.book import as_book
from smallchange.solve.make import make_table
from smallchange.solve.numbering import all_positions

from .test_tree import exactly

GAMES = [id for id in smallchange.games() if fits(smallchange.game(id))]
SMALL = 300_000  # positions that are solved for a test


def walked(game: Game, seed: int, steps: int) -> Position:
    """A player's step after at most so many random steps."""
    luck = Random(seed)
    position = game.start()
    for _ in range(steps):
        after = position.after(luck.choice(position.legal()))
        if after.actor is None:
            break
        position = after
    return position


def small_games() -> Iterator[Game]:
    """All the variants, by choices and small ranges, that have few positions."""
    for id in set(solvable()) & set(GAMES):
        offered = smallchange.game(id).offered
        ranges = [
            o.names if hasattr(o, "names") else range(o.low, min(o.high, o.low + 1) + 1) for o in offered
        ]
        for values in product(*ranges):
            chosen = {
                o.name: v if hasattr(o, "names") or o.high < 100 else o.default
                for o, v in zip(offered, values, strict=True)
            }
            game = Game(id, chosen)
            if all_positions(game) <= SMALL:
                yield game


SOLVED = list(dict.fromkeys(small_games()))


def places(table: Table, n: int, seed: int) -> Iterator[Position]:
    """Positions at random in which somebody has a step."""
    luck = Random(seed)
    while n:
        position = table.position(luck.randrange(table.positions), luck.randrange(2))
        if position.legal():
            n -= 1
            yield position


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[Table]:
    folder = tmp_path_factory.mktemp("tables")
    return [make_table(folder / f"{n}.table", game) for n, game in enumerate(SOLVED)]


@pytest.mark.parametrize("id", GAMES)
def test_compiled_and_interpreted_search_are_the_same(id: str) -> None:
    game = smallchange.game(id)
    quick, slow = Deepener(game), Deepener(game, compiled=False)
    for seed in range(8):
        s = walked(game, seed, 10 * seed).s
        for n in (0, 1, 7, 1500):
            assert quick.search(s, exactly(n)) == slow.search(s, exactly(n))


def test_they_look_up_tables_alike(tables: list[Table], tmp_path: Path) -> None:
    for whole in tables[-2:]:
        table = make_table(tmp_path / "part.table", whole.game, budget=whole.positions // 2)
        quick, slow = (Deepener(whole.game, as_book(table), compiled) for compiled in (True, False))
        for position in places(whole, 8, 3):
            assert quick.search(position.s, exactly(300)) == slow.search(position.s, exactly(300))


@pytest.mark.parametrize("id", GAMES)
def test_what_is_found_depends_on_the_positions_looked_at_alone(id: str) -> None:
    game = smallchange.game(id)
    deepener = Deepener(game)
    s = walked(game, 3, 20).s
    whole = deepener.search(s, exactly(20_000))
    deepener.search(walked(game, 4, 30).s, exactly(9_000))
    assert deepener.search(s, lambda seen: min(777, 20_000 - seen)) == whole
    assert Deepener(game).search(s, exactly(20_000)) == whole
    assert whole.seen == 20_000


@pytest.mark.parametrize("id", GAMES)
def test_only_the_steps_asked_for_are_searched(id: str) -> None:
    game = smallchange.game(id)
    deepener = Deepener(game)
    position = walked(game, 1, 12)
    actions = [game.actions[token] for token in position.legal()]
    for n in (0, 1, 5000):
        assert deepener.search(position.s, exactly(n), actions[-1:]).action == actions[-1]


def test_near_wins_and_losses_are_those_of_the_solver(tables: list[Table]) -> None:
    """What is decided within the depth is found, in as many steps; nothing else is called decided."""
    decided = 0
    for table in tables:
        deepener = Deepener(table.game)
        for position in places(table, 60, 1):
            found, value = deepener.search(position.s, exactly(20_000)), table.value(position)
            near = value.plies is not None and value.plies <= found.depth
            assert found.plies == (
                (value.plies or 0) * (1 if value.outcome == "win" else -1) if near else None
            )
            if near:
                assert table.after(position, table.game.tokens[found.action]) == value
                decided += 1
    assert decided > 20 * len(tables)


def test_with_little_memory_what_is_found_is_as_right(tables: list[Table]) -> None:
    deepener, decided = Deepener(tables[-1].game, memory=4096), 0
    for position in places(tables[-1], 40, 1):
        found, value = deepener.search(position.s, exactly(20_000)), tables[-1].value(position)
        if found.plies is not None:
            assert found.plies == (value.plies or 0) * (1 if value.outcome == "win" else -1)
            decided += 1
    assert decided > 10
    with pytest.raises(ValueError, match="at least 32 bytes of memory, not 31"):
        Deepener(tables[-1].game, memory=31)


def test_a_search_that_was_cut_short_takes_no_step_that_it_knows_to_lose(tables: list[Table]) -> None:
    for table in tables[-3:]:
        deepener = Deepener(table.game)
        for position in places(table, 40, 2):
            for n in (40, 400, 4000):
                found = deepener.search(position.s, exactly(n))
                after = table.after(position, table.game.tokens[found.action])
                lost = after.outcome == "loss" and (after.plies or 0) <= found.depth
                assert not lost or table.value(position).outcome == "loss"


def test_the_rule_that_ends_long_play_is_seen_coming(tables: list[Table]) -> None:
    """A win that takes longer than play may last is none."""
    for table in tables:
        last = [o.name for o in table.game.offered if getattr(o, "high", 0) >= 100]
        strict = Game(table.game.id, {**table.game.options, **dict.fromkeys(last, 4)})
        deepener = Deepener(strict)
        known: dict[tuple[Position, int], int | None] = {}
        for position in places(table, 25, 4):
            here = Position(strict, position.s)
            want = ahead(here, 6, known)
            found = deepener.search(here.s, exactly(1 << 30), deepest=6)
            assert found.plies == want


def ahead(position: Position, depth: int, known: dict[tuple[Position, int], int | None]) -> int | None:
    """The soonest win (positive) or latest loss within so many steps, worked out in plain Python."""
    if depth == 0:
        return None
    if (position, depth) not in known:
        known[position, depth] = _worked_out(position, depth, known)
    return known[position, depth]


def _worked_out(position: Position, depth: int, known: dict[tuple[Position, int], int | None]) -> int | None:
    worth: list[int | None] = []
    for token in position.legal():
        after = position.after(token)
        if after.actor is None:
            lead = after.score(position.actor) if position.actor else 0
            worth.append(1 if lead and lead > 0 else -1 if lead else None)
        else:
            v = ahead(after, depth - 1, known)
            worth.append(None if v is None else -v + (1 if v < 0 else -1))
    wins = [v for v in worth if v is not None and v > 0]
    if wins:
        return min(wins)
    return None if None in worth else min(v for v in worth if v is not None)


def test_a_game_with_chance_or_for_one_is_refused() -> None:
    for id in set(smallchange.games()) - set(GAMES):
        with pytest.raises(ValueError, match="not a game for two without chance"):
            Deepener(smallchange.game(id))
