"""Marks that stay on the table: the last decision and the last throw."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from smallchange import Game
from smallchange.core.match import Match
from smallchange.server.table.view.timeline import Timeline


def random_match(id: str, seed: int) -> Iterator[tuple[str, Timeline]]:
    """Yield each token of a random match, and the timeline right after it."""
    luck, game = Random(seed), Game(id)
    match, scene = Match(game, luck.randbytes(16)), Timeline(game)
    while not match.over:
        if not match.settle():
            match.play(luck.choice(match.position.legal()))
        for step in match.steps[len(scene.log) :]:
            scene.add([step])
            yield step.token, scene


@pytest.mark.parametrize("seed", range(3))
def test_the_last_coin_stays_outlined_while_the_dice_are_rolled_and_at_the_end(seed: int) -> None:
    taken, rolled = "", 0
    for token, scene in random_match("coin-collectors", seed):
        if token[0] in "SMCA" and "=" not in token:
            taken = token
        elif taken:
            rolled += token.startswith("roll:")
            assert any(id in (taken[1:], f"pawn-{taken[0]}") for id in scene.shared_fields["last_touched"])
    assert rolled


def test_the_dots_stay_on_the_dice_until_others_are_thrown() -> None:
    thrown: set[str] = set()
    kept = 0
    for token, scene in random_match("coin-collectors", 1):
        dots = set(scene.shared_fields["rolled_ids"])
        if "=" in token and len(token) == 3:
            assert dots
            thrown = dots
        elif thrown:
            assert dots == {id for id in thrown if id.startswith("die-")}
            kept += 1
    assert kept


def test_the_square_left_keeps_nothing() -> None:
    moved = 0
    for seed in range(4):
        for token, scene in random_match("coin-age", seed):
            if ">" in token:
                assert scene.touched[-1].path == (token.partition(">")[2],)
                assert scene.touched[-1].path[0] in scene.shared_fields["last_touched"]
                moved += 1
    assert moved
