"""The squares that every number leads to, against a second implementation that uses formulas."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallchange import BadRecord, Game, game
from smallchange.core import record

Place = tuple[int, int]
ACROSS, ALONG = 0, 1  # a row, a column


def step_along(start: Place, axis: int, by: int, game: Game, virtual: bool) -> Place:
    """Return the place `by` steps along an axis, over places without a tile if `virtual`.

    On a sphere a column and the one opposite make a ring of 2 x height. On a torus with walls the
    outermost places of a line make a ring with all that lies between them.
    """
    lines, topology = str(game.options["board"]).split("\n")[::-1], game.options["topology"]
    width, height = len(lines[0]), len(lines)
    x, y = (start[0] + by, start[1]) if axis == ACROSS else (start[0], start[1] + by)
    if topology == "plane":
        return x, y
    if topology == "torus" and virtual:
        return x % width, y % height
    if topology == "torus":
        row = lines[start[1]] if 0 <= start[1] < height else ""
        column = "".join(line[start[0]] for line in lines) if 0 <= start[0] < width else ""
        line = row if axis == ACROSS else column
        first, last = len(line) - len(line.lstrip(".")), len(line.rstrip(".")) - 1
        if first >= last:  # a single place, or none
            return x, y
        at = first + (start[axis] + by - first) % (last - first + 1)
        return (at, y) if axis == ACROSS else (x, at)
    ring = y % (2 * height)
    return (x % width, ring) if ring < height else ((x + width // 2) % width, 2 * height - 1 - ring)


def paths(start: Place, length: int, game: Game, virtual: bool) -> list[list[Place]]:
    """Return every path of a length: all its places after the start."""
    found = []
    for axis, first, second, corner in product((0, 1), (1, -1), (1, -1), range(length + 1)):
        leg = [step_along(start, axis, first * i, game, virtual) for i in range(corner + 1)]
        rest = range(1, length - corner + 1)
        turned = [step_along(leg[-1], 1 - axis, second * j, game, virtual) for j in rest]
        found.append(leg[1:] + turned)
    return found


def second_opinion(game: Game, start: Place, k: int) -> set[Place]:
    """Return the tiles that a number leads to, by SO-5 to SO-8."""
    o, lines = game.options, str(game.options["board"]).split("\n")[::-1]
    drawn = {(x, y): sign for y, line in enumerate(lines) for x, sign in enumerate(line)}
    ways = {o["outside"] == "virtual", o["outside"] == "virtual" and o["topology"] != "torus"}  # SO-8
    ends = set()
    for virtual, length in product(ways, range(max(1, k - 1), k + 2)):
        passable = "#" + "." * virtual + "o" * (o["hole"] == "fly")
        for path in paths(start, length, game, virtual):
            signs = [drawn.get(place, ".") for place in path]
            exact = length == k and not (o["whip"] and "o" in signs)
            whipped = length != k and bool(o["whip"]) and "o" in signs
            if (exact or whipped) and signs[-1] == "#" and all(sign in passable for sign in signs):
                ends.add(path[-1])
    return ends


@st.composite
def drawings(draw: st.DrawFn) -> Game:
    topology = draw(st.sampled_from(["plane", "torus", "sphere"]))
    widths = [n for n in range(1, 21) if topology != "sphere" or n % 2 == 0]
    width = draw(st.sampled_from(widths))
    height = draw(st.integers(-(-20 // width), min(20, -(-20 // width) + 3)))
    signs = ["#"] * 20 + draw(
        st.lists(st.sampled_from(".o"), min_size=width * height - 20, max_size=width * height - 20)
    )
    mixed = "".join(draw(st.permutations(signs)))
    hole = draw(st.sampled_from(["off", "fly"]))
    return game(
        "solo",
        board="\n".join(mixed[width * i : width * (i + 1)] for i in range(height)),
        topology=topology,
        outside=draw(st.sampled_from(["walls", "virtual"])),
        hole=hole,
        whip=hole == "fly" and draw(st.booleans()),
    )


@given(drawings())
@settings(max_examples=20, deadline=None)
def test_every_number_leads_where_the_rulings_say(drawn: Game) -> None:
    b = drawn.board
    places = list(zip(b.column, b.row, strict=True))
    for i, k in product(range(20), range(1, 6)):
        mask = b.reach[20 * (k - 1) + i]
        assert {places[j] for j in range(20) if mask >> j & 1} == second_opinion(drawn, places[i], k), (i, k)


@given(drawings())
@settings(max_examples=30, deadline=None)
def test_next_to_one_another_goes_both_ways(drawn: Game) -> None:
    near = drawn.board.near
    # SO-4, SO-8: in a ring of a single place a step comes back to where it began.
    wraps = drawn.options["topology"] == "torus" and drawn.options["outside"] == "virtual"
    ring_of_one = wraps and 1 in (drawn.board.width, drawn.board.height)
    for i, j in product(range(20), range(20)):
        assert near[i] >> j & 1 == near[j] >> i & 1
        assert i != j or near[i] >> j & 1 == ring_of_one


@given(drawings())
@settings(max_examples=30, deadline=None)
def test_so_8_passing_outside_the_board_takes_no_path_away(drawn: Game) -> None:
    walls = game("solo", **{**drawn.options, "outside": "walls"}).board
    virtual = game("solo", **{**drawn.options, "outside": "virtual"}).board
    for fewer, more in zip([*walls.near, *walls.reach], [*virtual.near, *virtual.reach], strict=True):
        assert fewer & ~more == 0


def test_so_8_on_the_rectangle_both_kinds_of_torus_are_one() -> None:
    assert game("solo", topology="torus", outside="virtual").board == game("solo", topology="torus").board


BY_VERSION_2 = """\
[Game "solo"]
[Rules 2]
[Option board "galaxy"]
[Option topology "torus"]
[Option free_moves 0]
[Option outside "virtual"]
[Deal "27cc14754d100f23a31b0f4597a82fcb"]

(pawn=M pawn=C pawn=S pawn=A c1=S2 c2=M2 d2=M3 c3=Ma d3=Sa e3=M4 f3=M5 g3=Ca b4=A5 c4=S3 e4=C3 f4=A2
   a5=C4 b5=Aa c5=C5 d5=C2 e5=A3 d6=S4 e6=A4 e7=S5 A=2 flip:3)
1. to:e7 (flip:n flip:4)
2. to:e3 (flip:n flip:2)
3. to:d5
= {"score": 19, "won": false, "aces_left": 0}
digest db410ea0c01efd49788b291797ddca696ea4131c92a84c7a33cabcda96b8296e
"""


def test_a_record_of_version_2_is_refused_where_a_torus_has_more_paths_now() -> None:
    with pytest.raises(
        BadRecord, match=r"version 2 of the rules of solo; here is 3, .* 'to:d5' is not possible"
    ):
        record.read(BY_VERSION_2)
