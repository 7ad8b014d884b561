"""A player who asks for it sees the own side at the bottom: on the page, over the socket, and looking back."""

from __future__ import annotations

import json
import re

import pytest

from smallchange.core.game import Game
from smallchange.i18n.text import plain
from smallchange.render.scene import Area, Spot, turn_area

from .serving import Person, Served, hear, say
from .tables import ALONE, legal, table_for_two

SIDES_BY_SIDE = re.compile(r'<text class="coord"[^>]*? x="([-\d.]+)" y="([-\d.]+)"[^>]*>(\w)<')


def letters(markup: str) -> list[str]:
    """The letters of the columns on the board from the bottom upwards; [] where they stand side by side."""
    board = markup.replace('\\"', '"').partition('id="board"')[2].partition("</section>")[0]
    found = [(float(y), name) for x, y, name in SIDES_BY_SIDE.findall(board) if name.isalpha()]
    assert found
    return [name for _, name in sorted(found, reverse=True)] if len({y for y, _ in found}) > 1 else []


def test_each_side_can_have_its_own_at_the_bottom(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo, size="3")
    assert letters(ann.page(id)) == letters(bo.page(id)) == []
    for person in (ann, bo):
        assert person.post("/settings", back="/", own_side="on").status_code == 303
    ply = served.live_table(id).history.ply
    assert ann.command(id, "act", ply, token=legal(served, id)[0]).status_code == 303
    assert letters(ann.page(id)) == ["a", "b", "c"], "red begins on the column a"
    assert letters(bo.page(id)) == ["c", "b", "a"]
    with Person(served) as eve:
        assert letters(eve.page(id)) == [], "who plays no side sees the board as it is"
    looked = ann.web.get(f"/m/{id}/look?at=0").json()["html"]
    assert letters(looked["board"]) == ["a", "b", "c"]
    with bo.socket() as line:
        say(line, **{"is": "watch", "match": id})
        assert letters(json.dumps(hear(line, "changes"), ensure_ascii=False)) == ["c", "b", "a"]
        ply = served.live_table(id).history.ply
        assert bo.command(id, "act", ply, token=legal(served, id)[0]).status_code == 303
        hear(line, "changes")
    assert letters(bo.page(id)) == ["c", "b", "a"]


def test_a_board_without_sides_stays_as_it_is(served: Served, ann: Person) -> None:
    assert not hasattr(Game(ALONE).layout, "heading")
    assert ann.post("/settings", back="/", own_side="on").status_code == 303
    assert ann.page(ann.open(ALONE))


@pytest.mark.parametrize("quarters", range(4))
def test_four_quarter_turns_are_none(quarters: int) -> None:
    spots = tuple(Spot(f"a{i}", 100 * i, 70 * i, plain(""), heading="left") for i in range(3))
    area = Area("board", plain(""), spots)
    assert turn_area(turn_area(area, quarters), 4 - quarters) == area
    assert (turn_area(area, quarters) == area) == (quarters == 0)
