"""The parts of an element that differ, and what is said of a pile."""

import pytest

from smallchange.i18n.text import Text
from smallchange.render.area_markup import spot_label
from smallchange.render.markup_diff import KEPT, Part, changes, whole
from smallchange.render.scene import Piece, Spot


def row(*names: str) -> Part:
    return Part("<ul>", {name: f"<li id={name}>{place}</li>" for place, name in enumerate(names)}, "</ul>")


@pytest.mark.parametrize(
    ("now", "kept"), [("abc", "ab"), ("a", "a"), ("ba", ""), ("ac", "a"), ("", "")], ids=str
)
def test_a_part_whose_parts_come_or_go_or_change_places_is_sent_without_those_that_stay(
    now: str, kept: str
) -> None:
    parts = [KEPT.format(id=id) if id in kept else whole(part) for id, part in row(*now).inner.items()]
    assert changes({"list": row("a", "b")}, {"list": row(*now)}) == {"list": f"<ul>{''.join(parts)}</ul>"}


def test_an_element_that_differs_around_its_parts_is_sent_without_them() -> None:
    now = row("a", "b")._replace(open="<ul class=new>")
    stay = KEPT.format(id="a") + KEPT.format(id="b")
    assert changes({"list": row("a", "b")}, {"list": now}) == {"list": f"<ul class=new>{stay}</ul>"}


def test_a_pile_is_said_from_the_top_down_and_what_is_alike_counted() -> None:
    spot = Spot("a1", 0, 0, Text("suns"))
    tile = Piece("t", "a1", "tile", Text("moons"), suit="S", value="2")
    coins = [Piece(f"c{i}", "a1", "coin", Text("crowns"), level=1 + i) for i in range(2)]
    pile = (coins[0], tile, coins[1])
    assert spot_label(spot, pile, "en") == "suns: crowns, 2 of them, moons"
    places = [spot_label(spot, pile, "ja").index(word) for word in ("太陽", "王冠", "2", "月")]
    assert places == sorted(places)
