"""The tree search: the same compiled and interpreted, the same for a seed, and right where all is known."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

import smallchange
from smallchange import Position
from smallchange.fast.search import Plan, Searcher

from ..solve.brute import TooMany, Worth, best

GAMES = smallchange.games()
SMALL = 1000  # positions that plain enumeration may look at


@pytest.fixture(scope="module")
def searchers() -> dict[str, Searcher]:
    return {id: Searcher(smallchange.game(id)) for id in GAMES}


def walked(id: str, seed: int, steps: int) -> Position:
    """A player's step after so many random steps, or a few more."""
    luck = random.Random(seed)
    position = smallchange.game(id).start()
    while steps > 0 or position.actor == "chance":
        steps -= 1
        if position.actor is None:
            return walked(id, seed + 1000, 20)
        position.take(luck.choice(list(position)))
    return position if position.actor else walked(id, seed + 1000, 20)


def exactly(n: int) -> Callable[[int], int]:
    return lambda done: n - done


def small_positions(id: str, aim: Worth, n: int) -> list[tuple[Position, Fraction]]:
    """Positions near the ends of games, with a choice that matters, and their exact worth."""
    found: list[tuple[Position, Fraction]] = []
    for seed in range(60):
        luck = random.Random(seed)
        position, line = smallchange.game(id).start(), []
        while position.actor is not None:
            line.append(position.copy())
            position.take(luck.choice(list(position)))
        choice = None
        for position in line[::-1][:24]:
            try:
                worth = best(position, aim, {}, SMALL)
            except (TooMany, RecursionError):
                break
            if position.s.turn >= 0 and len(position.legal()) > 1:
                choice = position, worth
        if choice:
            found.append(choice)
        if len(found) == n:
            break
    return found


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("rash", [0, 20, 64])
def test_compiled_and_interpreted_search_are_the_same(
    id: str, rash: int, searchers: dict[str, Searcher]
) -> None:
    slow = Searcher(smallchange.game(id), compiled=False)
    for seed in range(2):
        s, plan = walked(id, seed, 25).s, Plan(rash=rash, far=60)
        assert searchers[id].search(s, plan, seed, exactly(20)) == slow.search(s, plan, seed, exactly(20))


@pytest.mark.parametrize("id", GAMES)
def test_a_search_depends_on_its_seed_and_play_outs_alone(id: str, searchers: dict[str, Searcher]) -> None:
    s = walked(id, 5, 20).s
    whole = searchers[id].search(s, Plan(), 7, exactly(500))
    searchers[id].search(walked(id, 6, 10).s, Plan(), 8, exactly(300))
    portions = searchers[id].search(s, Plan(), 7, lambda done: min(100, 500 - done))
    assert whole == portions
    assert sum(look.visits for look in whole) == 500


@pytest.mark.parametrize("id", GAMES)
def test_a_search_of_nothing_has_the_legal_moves_the_rule_of_thumb_first(
    id: str, searchers: dict[str, Searcher]
) -> None:
    position = walked(id, 9, 15)
    looks = searchers[id].search(position.s, Plan(), 0, exactly(0))
    game = position.game

    def promise(token: str) -> int:
        after = position.after(token)
        return game.greedy.promise(game.board, position.s, game.actions[token], after.s)  # type: ignore[no-any-return]

    assert sorted(game.tokens[look.action] for look in looks) == position.legal()
    assert promise(game.tokens[looks[0].action]) == max(map(promise, position.legal()))


@pytest.mark.parametrize("id", GAMES)
def test_who_searches_nothing_plays_whole_games(id: str, searchers: dict[str, Searcher]) -> None:
    games, searched = searchers[id].play_matches(
        [Plan(playouts=0)] * len(smallchange.game(id).seats), 1, 0, 1
    )
    assert 0 < searched <= games.steps[0]


@pytest.mark.parametrize("id", ["dodgem", "solo"])  # the others have no ends so small
def test_near_the_end_a_search_finds_what_exact_calculation_finds(
    id: str, searchers: dict[str, Searcher]
) -> None:
    def aim(end: Position) -> Fraction:
        return Fraction(searchers[id].aim(end.s, 0))

    found = small_positions(id, aim, 2)
    assert len(found) == 2
    for position, worth in found:
        looks = searchers[id].search(position.s, Plan(), 1, exactly(30_000))
        after = position.after(position.game.tokens[looks[0].action])
        chosen = best(after, aim, {}, SMALL)
        assert abs(chosen - worth) <= 10, str(position)  # the move gives away at most a hundredth
        mean = looks[0].mean if position.s.turn == 0 else 1000 - looks[0].mean
        assert abs(mean - worth) <= 40, str(position)


@pytest.mark.parametrize("id", GAMES)
def test_a_graph_that_is_full_goes_on_counting(id: str) -> None:
    full = Searcher(smallchange.game(id), memory=100_000)
    looks = full.search(walked(id, 2, 20).s, Plan(), 0, exactly(2000))
    assert sum(look.visits for look in looks) == 2000


def test_memory_that_holds_no_choice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"takes at least [\d,]+ bytes of memory, not 100"):
        Searcher(smallchange.game(GAMES[0]), memory=100)
