"""An area that is redrawn only where something has changed equals one that is drawn anew."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

import smallchange
from smallchange.i18n.text import Text
from smallchange.render.area_markup import Lying, Piles, changed_spots, draw_area, piles, spot_label
from smallchange.render.highlights import Link, Marks
from smallchange.render.markup_diff import KEPT, Filled, Part, changes, whole
from smallchange.render.piece_tracking import TrackedTable, follow
from smallchange.render.scene import Piece, Scene, Spot, Touch

EMPTY = Marks()


@cache
def walk(id: str) -> list[Scene]:
    """Return the tables of some random play, their pieces followed."""
    game, luck = smallchange.game(id), Random(1)
    position, found, touch = game.start(), list[TrackedTable](), Touch()
    while position.actor and len(found) < 50:
        found.append(follow(found[-1] if found else None, game.layout.scene(game.board, position.s), touch))
        token = luck.choice(list(position))
        touch = game.layout.touch(game.board, position.s, position.action(token))
        position.play(token)
    return [followed.scene for followed in found]


def all_marks(table: Scene) -> Iterator[Marks]:
    """Yield no marks; then one thing selected, one to be touched now and all others later."""
    ids = [piece.id for piece in table.pieces] + [spot.id for area in table.areas for spot in area.spots]
    yield EMPTY
    yield Marks({id: Link("/go", f"to {id}", id) for id in ids[1::2]}, ids[:1], later=True)


def markup(lies: Lying) -> list[str]:
    return [whole(part) for part in (lies.tiles, lies.pieces, lies.spots)]


@pytest.mark.parametrize("id", smallchange.games())
def test_what_is_drawn_from_the_step_before_is_what_is_drawn_anew(id: str) -> None:
    tables = walk(id)
    for marks in all_marks(tables[0]):
        was: dict[str, Lying] = {}
        lay: Piles = {}
        for table in tables:
            on = piles(table)
            for area in table.areas:
                drawn = draw_area(area, on, "ja", marks, was.get(area.id), changed_spots(lay, on))
                anew = draw_area(area, on, "ja", marks)
                assert markup(drawn) == markup(anew)
                assert drawn.drawn == anew.drawn
                was[area.id] = drawn
            lay = on


def row(*names: str) -> Part:
    return Part("<ul>", {name: f"<li id={name}>{place}</li>" for place, name in enumerate(names)}, "</ul>")


@pytest.mark.parametrize(
    ("now", "kept"), [("abc", "ab"), ("a", "a"), ("ba", ""), ("ac", "a"), ("", "")], ids=str
)
def test_a_part_whose_parts_come_or_go_or_change_places_is_sent_without_those_that_stay(
    now: str, kept: str
) -> None:
    sent = changes({"list": row("a", "b")}, {"list": row(*now)})["list"]
    assert isinstance(sent, Part)
    assert list(sent.inner) == list(now)
    assert {id for id, part in sent.inner.items() if part == Filled(KEPT, (id,))} == set(kept)
    assert all(part == row(*now).inner[id] for id, part in sent.inner.items() if id not in kept)


def test_a_pile_is_said_from_the_top_down_and_what_is_alike_counted() -> None:
    spot = Spot("a1", 0, 0, Text("suns"))
    tile = Piece("t", "a1", "tile", Text("moons"), suit="S", value="2")
    coins = [Piece(f"c{i}", "a1", "coin", Text("crowns"), level=1 + i) for i in range(2)]
    pile = (coins[0], tile, coins[1])
    assert spot_label(spot, pile, "en") == "suns: crowns, 2 of them, moons"
    places = [spot_label(spot, pile, "ja").index(word) for word in ("太陽", "王冠", "2", "月")]
    assert places == sorted(places)
