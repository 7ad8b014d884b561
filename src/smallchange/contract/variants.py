"""The games under test, and several variants of each, derived from the values that its options accept."""

import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from random import Random

import pytest

import smallchange
from smallchange import Game, Position
from smallchange.bots.engines import greedy
from smallchange.contract.check import LONGEST, build_variant, values
from smallchange.contract.plugin import VARIABLE
from smallchange.core.options import Option, Value

OWN_GAMES = [id for id in smallchange.games() if not smallchange.game(id).foreign_digest]
GAMES = [id for id in os.environ.get(VARIABLE, "").split(",") if id] or OWN_GAMES
MIXTURES = 5  # variants a game with every option chosen at random


def alone_or_paired(id: str, option: Option, value: Value, offered: tuple[Option, ...]) -> Game | None:
    """Return the variant with this one value, or, where it needs another option's company, with that too."""
    company = ({}, *({other.name: v} for other in offered if other != option for v in values(other)))
    return next(
        filter(None, (build_variant(id, {**with_it, option.name: value}) for with_it in company)), None
    )


def mixtures(id: str, offered: tuple[Option, ...]) -> Iterator[Game]:
    luck = Random(id)
    while offered:
        mixed = build_variant(id, {option.name: luck.choice(values(option)) for option in offered})
        if mixed is not None:
            yield mixed


def variants(id: str) -> list[Game]:
    """Return the base game, each option at each of its values one at a time, and a few mixtures."""
    base = smallchange.game(id)
    single = [alone_or_paired(id, o, v, base.offered) for o in base.offered for v in values(o)]
    found = [base, *filter(None, single), *islice(mixtures(id, base.offered), MIXTURES)]
    return list(dict.fromkeys(found))


def label(game: Game) -> str:
    return " ".join([game.id, *(f"{name}={value}" for name, value in game.non_default_options.items())])


def walk(game: Game, seed: int, sense: float = 0) -> Iterator[Position]:
    """Yield every position of a match from the start to the end, the same object all along.

    `sense` is how often a player follows the game's rule of thumb: never, so that every corner is met, or
    mostly, so that matches go deep.
    """
    luck = Random(f"{label(game)} {seed}")
    position = game.start()
    yield position
    for _ in range(LONGEST):
        if position.actor is None:
            return
        game.rules.play(game.board, position.s, choose_action(position, luck, sense))
        yield position
    raise AssertionError(f"{label(game)}, seed {seed}: not over after {LONGEST} steps")


def choose_action(position: Position, luck: Random, sense: float) -> int:
    """Return the next action of a walk."""
    actions, weights = position.outcome_actions()
    if actions:
        return luck.choices(actions, weights)[0]
    if luck.random() < sense:
        return position.action(greedy.choose(position, position.legal(), 0, luck))
    return luck.choice(position.legal_actions())


@lru_cache(1)  # the tests of one variant stand together
def walks(game: Game) -> list[Position]:
    """Return every position of a few matches, random ones and sensible ones; to be looked at only."""
    matches = (walk(game, seed, sense) for seed in range(2) for sense in (0, 0.9))
    return [position.copy() for match in matches for position in match]


VARIANTS = [variant for id in GAMES for variant in variants(id)]
every_game = pytest.mark.parametrize("id", GAMES)
every_variant = pytest.mark.parametrize("game", VARIANTS, ids=label, scope="module")
