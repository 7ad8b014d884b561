"""The comparison beside the score at the end of a game for one, by the lobby's figures."""

from __future__ import annotations

import json
import re

import pytest

import smallchange
from research.calibrate.baseline import measure_baseline
from smallchange.core.game import Game
from smallchange.server.table.view.measured_odds import Baseline, baseline, better_than

from .serving import Person, Served
from .tables import ALONE, legal

FOR_ONE = [id for id in smallchange.games() if len(Game(id).seats) == 1]


@pytest.mark.parametrize("id", FOR_ONE)
def test_the_figures_are_those_of_their_command(id: str) -> None:
    found = baseline(id)
    assert found == Baseline(**json.loads(measure_baseline(Game(id))))
    assert found is not None
    assert sum(found.scores.values()) == found.n
    best = max(map(int, found.scores))
    assert (found.better(best), found.better(min(map(int, found.scores)) - 1)) == (0, found.n)


def test_a_game_for_two_has_none() -> None:
    assert {id for id in smallchange.games() if baseline(id)} == set(FOR_ONE)


def played_out(served: Served, person: Person, **options: str) -> str:
    id = person.open(ALONE, **options)
    while (history := served.live_table(id).history).ending is None:
        person.command(id, "act", history.ply, token=legal(served, id)[0])
    return id


def meaning(page: str) -> list[str]:
    return re.findall(r'<p class="score-comparison">([^<]*)</p>', page)


def test_a_good_end_of_a_base_game_is_compared_with_those_of_beginners(
    served: Served, ann: Person, bo: Person
) -> None:
    id = played_out(served, ann)
    found, score = baseline(ALONE), served.live_table(id).history.match.position.score("player")
    assert found is not None
    assert score is not None
    worse = found.n - found.better(score - 1)
    for person in (ann, bo):
        said = meaning(person.page(id))
        assert len(said) == (2 * worse >= found.n), "nothing is said of another one"
        for sentence in said:
            shown = re.fullmatch(r"Better than ([\d.]+)% of beginners’ games\.", sentence)
            assert shown
            assert float(shown[1]) == pytest.approx(100 * worse / found.n, abs=0.5)


@pytest.mark.parametrize("id", FOR_ONE)
def test_only_a_score_better_than_half_of_the_beginners_is_compared(id: str) -> None:
    found = baseline(id)
    assert found is not None
    for score in map(int, found.scores):
        worse = found.n - found.better(score - 1)
        assert (better_than(id, score) is not None) == (2 * worse >= found.n)


def test_nothing_is_said_of_a_variant_of_practice_and_of_a_game_given_up(served: Served, ann: Person) -> None:
    option = next(o for o in Game(ALONE).offered if o.default is False)
    assert meaning(ann.page(played_out(served, ann, **{option.name: "true"}))) == []
    id = ann.open(ALONE)
    ann.command(id, "resign", served.live_table(id).history.ply)
    assert meaning(ann.page(id)) == []
    again = ann.post(f"/m/{id}/rematch", same="1").headers["location"].removeprefix("/m/")
    while (history := served.live_table(again).history).ending is None:
        ann.command(again, "act", history.ply, token=legal(served, again)[0])
    assert meaning(ann.page(again)) == []
