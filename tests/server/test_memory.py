"""A game that is played by memory has its log out of sight until it is over."""

import re

import pytest

from smallchange import games
from smallchange.core.game import Game

from .serving import Person, Served
from .tables import greedy

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


@pytest.mark.parametrize("id", BY_MEMORY)
def test_nobody_looks_back_in_a_game_by_memory_before_its_end(served: Served, ann: Person, id: str) -> None:
    match = ann.open(id, by_memory="true")
    for _ in range(2):
        history = served.live_table(match).history
        token = greedy(history.match.position)
        assert ann.command(match, "act", history.ply, token=token).status_code == 303
    assert served.live_table(match).history.ending is None
    end = len(served.live_table(match).history.match)
    for at in (0, 1, end - 1):
        assert ann.web.get(f"/m/{match}/look?at={at}").json()["at"] == end
        for path in (f"/m/{match}", f"/embed/{match}"):
            assert "Back to now" not in ann.web.get(f"{path}?at={at}").text
    assert ann.command(match, "resign", served.live_table(match).history.ply).status_code == 303
    assert ann.web.get(f"/m/{match}/look?at=1").json()["at"] == 1


def is_hidden(page: str) -> bool:
    (steps,) = re.findall(r'<nav id="steps"[^>]*>', page)
    return " hidden" in steps
