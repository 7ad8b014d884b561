"""A program whose connection is cut around any frame: a move that it sends again has one effect."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import smallchange
from smallchange.core.state import CHANCE
from smallchange.server.table.model.events import Step, tag_of
from tests.server.serving import Person, Served, serving, stored_events
from tests.support.cut_proxy import AFTER, BEFORE, BETWEEN, DURING, UNHEARD, Cable
from tests.support.resending_client import Program

CUT_MOMENTS = (BEFORE, AFTER, UNHEARD, DURING)
SHORT = {"size": "3", "seat.red": "me", "seat.green": "me"}  # of Dodg'em, at one screen
SOME = 4  # decisions of a game with chance
CUTS = ((1,), (1, 1), (1, 2))  # a move; then the question where the table is; or the move sent again


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served


@pytest.fixture
def cable(served: Served) -> Iterator[Cable]:
    with Cable(served.port) as cable:
        yield cable


@pytest.fixture
def ann(served: Served) -> Iterator[Person]:
    with Person(served) as ann:
        yield ann


@pytest.mark.parametrize("how", [*CUT_MOMENTS, BETWEEN])
@pytest.mark.parametrize("game", ["dodgem", "solo", "thrag"])
def test_a_move_sent_again_after_a_cut_has_one_effect(
    served: Served, cable: Cable, ann: Person, game: str, how: str
) -> None:
    seats = {f"seat.{player}": "me" for player in smallchange.game(game).seats}
    id = ann.open(game, **(SHORT if game == "dodgem" else seats))
    cable.cut_at(how, 1)  # the question where the table is
    luck = Random(1)
    with Program(ann, cable, id) as program:
        while not program.over and (game == "dodgem" or len(program.sent) < SOME):
            cable.cut_at(how, *CUTS[len(program.sent) % len(CUTS)])
            program.act(luck)
    assert stored_moves(served, id) == program.sent
    assert served.live_table(id).history.ply == program.ply


def stored_moves(served: Served, id: str) -> list[object]:
    """Return the move ids of the players' steps as they are in the database."""
    return [
        move for kind, seat, _, move in stored_events(served, id) if kind == tag_of(Step) and seat != CHANCE
    ]
