"""Markings under the pieces: coordinates, ways out, and the borders of regions."""

import math
import re
import xml.etree.ElementTree as ET

import pytest

from smallchange.i18n.text import plain
from smallchange.render.scene import Area, Spot
from smallchange.render.spaces import spaces, tray

SQUARES = tuple(
    Spot(f"{'ab'[x]}{y + 1}", 100 * x, 100 - 100 * y, plain("a square"), "cell")
    for x in (0, 1)
    for y in (0, 1)
)
WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}  # y downwards


def test_letters_stand_below_their_columns_and_numbers_to_the_left_of_their_rows() -> None:
    box, under = tray(Area("board", plain("The board"), SQUARES), framed=True)
    names = {
        e.text: (float(e.get("x", 0)), float(e.get("y", 0)))
        for e in ET.fromstring(f"<g>{under}</g>").iter("text")
    }
    assert sorted(name or "" for name in names) == ["1", "2", "a", "b"]
    for name, column in (("a", 50), ("b", 150)):
        x, y = names[name]
        assert x == column
        assert 200 < y < box.bottom
    for name, row in (("1", 150), ("2", 50)):
        x, y = names[name]
        assert box.left < x < 0
        assert abs(y - row) < 10


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("look", ["exit", "cell"])
def test_an_arrow_points_the_way_it_is_called(way: str, look: str) -> None:
    drawn = spaces((Spot("out", 0, 0, plain("out"), look, heading=way),))
    turns = re.findall(r"translate\(50 50\) rotate\((-?\d+)\)", drawn)
    assert len(turns) == drawn.count("rotate") > 0
    for turn in turns:  # clockwise from the right
        assert {0: (1, 0), 90: (0, 1), 180: (-1, 0), -90: (0, -1)}[int(turn)] == WAYS[way]
    point = re.search(r'd="M(-?\d+) -11L(-?\d+) 0L', drawn)
    assert point
    assert int(point[1]) < int(point[2])  # before it is turned, to the right


@pytest.mark.parametrize("beside", [(50, -87), (100, 0), (50, 87), (-50, 87), (-100, 0), (-50, -87)])
def test_a_heavy_line_is_around_a_region_and_never_within(beside: tuple[int, int]) -> None:
    """Around two hexes: ten edges if they are of one region, else all twelve, two of them in between."""
    dx, dy = beside
    for other, edges in (("A", 10), ("B", 12)):
        hexes = (
            Spot("1", 0, 0, plain("1"), "hex", 1, "A"),
            Spot("2", dx, dy, plain("2"), "hex", 1, other),
        )
        heavy = "".join(re.findall(r'class="hex-line-1" d="([^"]*)"', spaces(hexes)))
        lines = re.findall(r"M([-.\d]+) ([-.\d]+)L([-.\d]+) ([-.\d]+)", heavy)
        ends = [[float(number) for number in line] for line in lines]
        middles = [((ax + bx) / 2, (ay + by) / 2) for ax, ay, bx, by in ends]
        between = [m for m in middles if math.dist(m, (50 + dx / 2, 50 + dy / 2)) < 10]
        assert (len(lines), len(between)) == (edges, edges - 10)
