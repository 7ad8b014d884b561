"""The squares that every number leads to, against a second implementation that uses formulas."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from smallchange import Game, game

Place = tuple[int, int]
ACROSS, ALONG = 0, 1  # a row, a column


def step_along(start: Place, axis: int, by: int, game: Game) -> Place:
    """Return the place `by` steps along an axis.

    On a sphere a column and the one opposite make a ring of 2 x height. On a torus with walls the
    outermost places of a line make a ring with all that lies between them.
    """
    lines, topology = str(game.options["board"]).split("\n")[::-1], game.options["topology"]
    width, height = len(lines[0]), len(lines)
    x, y = (start[0] + by, start[1]) if axis == ACROSS else (start[0], start[1] + by)
    if topology == "plane":
        return x, y
    if topology == "torus" and game.options["outside"] == "virtual":
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


def paths(start: Place, length: int, game: Game) -> list[list[Place]]:
    """Return every path of a length: all its places after the start."""
    found = []
    for axis, first, second, corner in product((0, 1), (1, -1), (1, -1), range(length + 1)):
        leg = [step_along(start, axis, first * i, game) for i in range(corner + 1)]
        rest = range(1, length - corner + 1)
        turned = [step_along(leg[-1], 1 - axis, second * j, game) for j in rest]
        found.append(leg[1:] + turned)
    return found


def second_opinion(game: Game, start: Place, k: int) -> set[Place]:
    """Return the tiles that a number leads to, by SO-5 to SO-8."""
    o, lines = game.options, str(game.options["board"]).split("\n")[::-1]
    drawn = {(x, y): sign for y, line in enumerate(lines) for x, sign in enumerate(line)}
    passable = "#" + "." * (o["outside"] == "virtual") + "o" * (o["hole"] == "fly")
    ends = set()
    for length in range(max(1, k - 1), k + 2):
        for path in paths(start, length, game):
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
