"""A game that is played by memory has its log out of sight until it is over."""

import re

import pytest

from smallchange import games
from smallchange.core.game import Game

from .serving import Person, Served

BY_MEMORY = [id for id in games() if Game(id).memory is not None]


@pytest.mark.parametrize("id", BY_MEMORY)
@pytest.mark.parametrize("by_memory", [False, True])
def test_the_log_is_hidden_until_the_game_is_over(
    served: Served, ann: Person, id: str, by_memory: bool
) -> None:
    match = ann.open(id, by_memory=str(by_memory).lower())
    assert served.live_table(match).history.head.game.is_by_memory == by_memory
    assert is_hidden(ann.page(match)) == by_memory
    assert ann.command(match, "resign", served.live_table(match).history.ply).status_code == 303
    assert not is_hidden(ann.page(match))


def is_hidden(page: str) -> bool:
    (steps,) = re.findall(r'<nav id="steps"[^>]*>', page)
    return " hidden" in steps
