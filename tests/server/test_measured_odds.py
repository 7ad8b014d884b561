"""The measured figures of games for one, by which the lobby says how difficult they are."""

from __future__ import annotations

import json

import pytest

import smallchange
from research.calibrate.baseline import measure_baseline
from smallchange.core.game import Game
from smallchange.server.table.view.measured_odds import Baseline, baseline

FOR_ONE = [id for id in smallchange.games() if len(Game(id).seats) == 1]


@pytest.mark.parametrize("id", FOR_ONE)
def test_the_figures_are_those_of_their_command(id: str) -> None:
    found = baseline(id)
    assert found == Baseline(**json.loads(measure_baseline(Game(id))))
    assert found is not None
    assert sum(found.scores.values()) == found.n


def test_a_game_for_two_has_none() -> None:
    assert {id for id in smallchange.games() if baseline(id)} == set(FOR_ONE)
