"""The places of One Man: Thrag!: a lane for each suit of beasts, and trays for Thrag's own things.

A lane is two squares wide: draw stack and discards, the beast that has been drawn and its die, and
below them a place for each slain beast. The clock is four tiles with their grids up.
"""

from functools import cache

from smallchange.i18n.text import Plural, Text
from smallchange.render.piece_names import DIE, SUIT, VALUE, VALUES
from smallchange.render.scene import Area, Spot

from .emblems import emblem
from .model import SUITS
from .names import beast
from .rules import MOONS

LANE, ROW = 230, 110  # from lane to lane, from row to row
# the outer spaces of a grid of 4 x 4, clockwise from the upper left
HOUR_SPACES = (
    *((column, 0) for column in range(3)),
    *((3, row) for row in range(3)),
    *((column, 3) for column in (3, 2, 1)),
    *((0, row) for row in (3, 2, 1)),
)
MOON = (  # a crescent, and three stars in its arms
    "M12-68A66 66 0 1 0 68 14A55 55 0 0 1 12-68Z"
    "M44-62l4 10 10 4-10 4-4 10-4-10-10-4 10-4ZM68-26l3 7 7 3-7 3-3 7-3-7-7-3 7-3ZM34-24l2 6 6 2-6 2-2 6-2-6-6-2 6-2Z"
)
STACK = Text("{suit} draw stack")
DISCARDS = Text("{suit} discards")
THROWN = Text("place of the {die}")


@cache
def areas(pawns: int, show_used: int) -> tuple[Area, ...]:
    """All places, which stay what they are."""
    laid = (board(), thrag(), healing(show_used), attack(show_used), weapons(pawns), clock())
    return tuple(area for area in laid if area.spots)


def board() -> Area:
    spots = [spot for x in range(3) for spot in lane(x)]
    return Area("board", Text("The beasts"), tuple(spots), ground="night")


def lane(x: int) -> list[Spot]:
    left, right, suit = LANE * x, LANE * x + 100, SUITS[x]
    name = SUIT[suit]
    drawn = Text("the {suit} beast").fill(suit=name)
    place = Text("place of the slain {beast}")
    return [
        Spot(f"stack-{suit}", left, 0, STACK.fill(suit=name), "slot"),
        Spot(f"discards-{suit}", right, 0, DISCARDS.fill(suit=name), "slot"),
        Spot(f"beast-{suit}", left, ROW, drawn, "cell"),
        Spot(f"throw-{suit}", right, ROW, THROWN.fill(die=DIE[suit])),
        *(
            Spot(
                f"slain-{suit}{VALUES[value]}",
                left + 100 * ((value - 1) % 2),
                2 * ROW + 100 * ((value - 1) // 2),
                place.fill(beast=beast(x, value)),
                "slot",
                ornament=emblem(x, value),
            )
            for value in range(1, 6)
        ),
    ]


def thrag() -> Area:
    place = Text("hit points: the {value}")
    slots = (
        Spot(f"hits-{v}", 120 + 100 * i, 0, place.fill(value=VALUE[v]), "slot") for i, v in enumerate(VALUES)
    )
    text = Text("Thrag’s die and hit points")
    return Area("thrag", text, (Spot("throw-M", 0, 0, THROWN.fill(die=DIE["M"])), *slots))


def healing(show_used: int) -> Area:
    """Return the healing pool, aligned with the hit points, and the tiles drawn where they may be seen."""
    place, used = Text("healing pool: the {value}"), Text("used healing tile {value}")
    spots = [Spot("stack-M", 0, 0, Text("healing draw stack"), "slot")]
    if not show_used:
        spots.append(Spot("discards-M", 100, 0, Text("healing discards"), "slot"))
    for i, v in enumerate(VALUES[1:]):
        spots.append(Spot(f"pool-{v}", 220 + 100 * i, 0, place.fill(value=VALUE[v]), "slot"))
        if show_used:
            spots.append(Spot(f"used-M{v}", 220 + 100 * i, ROW, used.fill(value=VALUE[v]), "slot"))
    return Area("healing", Text("Healing pool"), tuple(spots))


def attack(show_used: int) -> Area:
    """Return a stack for each suit, and beside it the used coins where they may be seen."""
    unseen = Text("{suit} coins not yet used")
    used = Text("used {suit} coin {value}")
    spots = []
    for x, suit in enumerate(SUITS[:MOONS]):
        left, top = (0, ROW * x) if show_used else (LANE * x, 0)
        spots.append(Spot(f"coins-{suit}", left, top, unseen.fill(suit=SUIT[suit]), "slot"))
        for i, v in enumerate(VALUES):
            if show_used:
                text = used.fill(suit=SUIT[suit], value=VALUE[v])
                spots.append(Spot(f"used-{suit}{v}", left + 120 + 100 * i, top, text, "slot"))
    return Area("coins", Text("Attack coins"), tuple(spots), seat=0)


def weapons(pawns: int) -> Area:
    place = Text("the {suit} weapon")
    spots = (
        Spot(f"weapon-{suit}", LANE * x, 0, place.fill(suit=SUIT[suit]), "slot")
        for x, suit in enumerate(SUITS[:MOONS])
        if pawns >> x & 1
    )
    return Area("weapons", Text("Special weapons"), tuple(spots), seat=0)


def clock() -> Area:
    gone = Plural("{n} hour gone", "{n} hours gone")
    start = Text("the start, and the end after twelve hours")
    spots = (
        Spot(f"hour-{i}", 100 * column, 100 * row, gone.fill(n=i) if i else start, "cell")
        for i, (column, row) in enumerate(HOUR_SPACES)
    )
    return Area("clock", Text("The night’s clock"), tuple(spots), ground="night", emblem=MOON)
