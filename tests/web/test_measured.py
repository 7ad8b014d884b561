"""What the end of a game for one says beside its score, by the figures of the lobby."""

from __future__ import annotations

import re

import pytest

import smallchange
from smallchange.game import Game
from smallchange.web.pages.measured import odds
from smallchange.web.pages.odds import measure

from .serving import Person, Served
from .tables import ALONE, legal

FOR_ONE = [id for id in smallchange.games() if len(Game(id).seats) == 1]


@pytest.mark.parametrize("id", FOR_ONE)
def test_the_figures_are_those_of_their_command(id: str) -> None:
    found = odds(id)
    assert found == measure(Game(id))
    assert found is not None
    assert sum(found.scores.values()) == found.n
    best = max(map(int, found.scores))
    assert (found.better(best), found.better(min(map(int, found.scores)) - 1)) == (0, found.n)


def test_a_game_for_two_has_none() -> None:
    assert {id for id in smallchange.games() if odds(id)} == set(FOR_ONE)


def played_out(served: Served, person: Person, **options: str) -> str:
    id = person.open(ALONE, **options)
    while (story := served.room(id).story).ended is None:
        person.deed(id, "act", story.ply, token=legal(served, id)[0])
    return id


def meaning(page: str) -> list[str]:
    return re.findall(r'<p class="meaning">([^<]*)</p>', page)


def test_the_end_of_a_base_game_says_how_often_a_simple_player_does_better(
    served: Served, ann: Person, bo: Person
) -> None:
    id = played_out(served, ann)
    found, score = odds(ALONE), served.room(id).story.match.position.score("player")
    assert found is not None
    assert score is not None
    better = found.better(score)
    for person in (ann, bo):
        (said,) = meaning(person.page(id))
        shown = re.fullmatch(r"Of 100,000 games of a simple player, ([\d.]+)\s% went better\.", said)
        assert shown
        assert float(shown[1]) == pytest.approx(100 * better / found.n, abs=0.5)


def test_nothing_is_said_of_a_variant_of_practice_and_of_a_game_given_up(served: Served, ann: Person) -> None:
    option = next(o for o in Game(ALONE).offered if o.default is False)
    assert meaning(ann.page(played_out(served, ann, **{option.name: "true"}))) == []
    id = ann.open(ALONE)
    ann.deed(id, "resign", served.room(id).story.ply)
    assert meaning(ann.page(id)) == []
    again = ann.post(f"/m/{id}/again", same="1").headers["location"].removeprefix("/m/")
    while (story := served.room(again).story).ended is None:
        ann.deed(again, "act", story.ply, token=legal(served, again)[0])
    assert meaning(ann.page(again)) == []
