"""What lies on an area, drawn again only where something has changed: the same as drawn anew."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

import smallchange
from smallchange.draw.follow import Followed, follow
from smallchange.draw.lying import Lying, Piles, lying, moved, piles, said
from smallchange.draw.marks import Link, Marks
from smallchange.draw.parts import Part, changes, whole
from smallchange.draw.table import Piece, Spot, Table, Touch
from smallchange.text import Text

EMPTY = Marks()


@cache
def walk(id: str) -> list[Table]:
    """The tables of some random play, their pieces followed."""
    game, luck = smallchange.game(id), Random(1)
    position, found, touch = game.start(), list[Followed](), Touch()
    while position.actor and len(found) < 50:
        found.append(follow(found[-1] if found else None, game.face.table(game.board, position.s), touch))
        token = luck.choice(list(position))
        touch = game.face.touch(game.board, position.s, position.action(token))
        position.take(token)
    return [followed.table for followed in found]


def marked(table: Table) -> Iterator[Marks]:
    """Nothing marked; and of all there is, one thing selected, one to be touched now and all others later."""
    ids = [piece.id for piece in table.pieces] + [spot.id for area in table.areas for spot in area.spots]
    yield EMPTY
    yield Marks({id: Link("/go", f"to {id}", id) for id in ids[1::2]}, ids[:1], later=True)


def markup(lies: Lying) -> list[str]:
    return [whole(part) for part in (lies.tiles, lies.pieces, lies.spots)]


@pytest.mark.parametrize("id", smallchange.games())
def test_what_is_drawn_from_the_step_before_is_what_is_drawn_anew(id: str) -> None:
    tables = walk(id)
    for marks in marked(tables[0]):
        was: dict[str, Lying] = {}
        lay: Piles = {}
        for table in tables:
            on = piles(table)
            for area in table.areas:
                drawn = lying(area, on, "ja", marks, was.get(area.id), moved(lay, on))
                anew = lying(area, on, "ja", marks)
                assert markup(drawn) == markup(anew)
                assert drawn.drawn == anew.drawn
                was[area.id] = drawn
            lay = on


def row(*names: str) -> Part:
    return Part("<ul>", {name: f"<li id={name}>{place}</li>" for place, name in enumerate(names)}, "</ul>")


@pytest.mark.parametrize("now", ["abc", "a", "ba", "ac", ""])
def test_a_part_whose_parts_come_or_go_or_change_places_is_sent_whole(now: str) -> None:
    assert changes({"list": row("a", "b")}, {"list": row(*now)}) == {"list": whole(row(*now))}


def test_a_pile_is_said_from_the_top_down_and_what_is_alike_counted() -> None:
    spot = Spot("a1", 0, 0, Text("here", "ここ"))
    tile = Piece("t", "a1", "tile", Text("a tile", "板"), suit="S", value="2")
    coins = [Piece(f"c{i}", "a1", "coin", Text("a coin", "硬貨"), level=1 + i) for i in range(2)]
    pile = (coins[0], tile, coins[1])
    assert said(spot, pile, "en") == "here: a coin, 2 of them, a tile"
    places = [said(spot, pile, "ja").index(word) for word in ("ここ", "硬貨", "2", "板")]
    assert places == sorted(places)
