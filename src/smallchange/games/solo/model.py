"""The board of Solo, with the squares that every number leads to, and its state.

The 20 tile squares are numbered 0..19 in the order in which the tiles are laid: row by row from the
bottom, each from the left. So a set of squares is the bits of one integer.
"""

from dataclasses import dataclass, replace

from smallchange.core.canvas import Canvas, Sign
from smallchange.core.errors import BadDrawing, BadOption
from smallchange.core.options import Drawing, Flag, OneOf, Option, Value, Whole
from smallchange.core.state import Fields, bit, masks, number, numbers
from smallchange.i18n.text import Text, join_texts

SEATS = ("player",)
SOURCES = (
    "pawn order",
    "tile stack",
    "random die",
    "suns coins",
    "moons coins",
    "crowns coins",
    "arms coins",
)

TILES = 20
ALL = (1 << TILES) - 1
MAPS = {
    "rectangle": "#####\n" * 4,
    "galaxy": "....#..\n...##..\n#####..\n.##o##.\n..#####\n..##...\n..#....\n",
}
ON_A_SPHERE = "####\n" * 5  # the rectangle, which needs an even number of columns there
MOST_LINES = 20
MOST_FREE_MOVES = 8  # one coin for each of the tiles without coins, the aces and the twos
PLACES = {
    "#": Text("a tile"),
    ".": Text("no tile"),
    "o": Text("a black hole"),
}
SIGN = Text("{sign} ({meaning})")
STRANGE = Text("a drawing has {signs}; line {line} has {sign} as character {character}")
TOO_TALL = Text("a drawing has at most {most} lines, not {n}")
TOO_WIDE = Text("a line has at most {most} characters, but line {line} has {n}")
UNEVEN = Text("all lines are equally long, but line 1 is {first} long and line {line} is {n}")
OTHER_TILES = Text("a drawing has exactly {tiles} tiles (#), not {n}")
ODD = Text("a sphere needs an even number of columns, but this board has {n}")
NO_FLYING = Text("works only with black holes that may be flown over")


class Board(Fields):
    """The options of a game as numbers, and the tables that follow from them."""

    free_moves: int = number(0, 12)
    whip: int = number(0, 1)
    choose_entry: int = number(0, 1)  # may a pawn enter by the closest higher and the closest lower number?
    stack: int = number(0, 1)  # may several coins be moved to one empty tile?
    rescue_any: int = number(0, 1)  # may a rescued pawn stay on or step to an empty tile?
    width: int = number(1, MOST_LINES)
    height: int = number(1, MOST_LINES)
    column: list[int] = numbers(TILES, 0, MOST_LINES - 1)  # by square
    row: list[int] = numbers(TILES, 0, MOST_LINES - 1)  # .. from the bottom
    holes: list[int] = numbers(MOST_LINES, 0, (1 << MOST_LINES) - 1)  # by row: the columns with a hole
    near: list[int] = numbers(TILES, 0, ALL)  # by square: the squares next to it
    reach: list[int] = numbers(5 * TILES, 0, ALL)  # at 20 * (k - 1) + square: where a move of k may end


class State(Fields):
    """The tiles, coins and pawns, and the step of the turn."""

    turn: int = number(-2, 0)
    step: int = number(0, 8)  # what is done next: rules.ORDER, LAY, ..
    order: list[int] = numbers(4, -1, 3)  # the pawns' suits, first in first; -1 not yet drawn
    tile: list[int] = numbers(TILES, -1, 19)  # by square: 5 * suit + value - 1; -1 not yet laid
    coins: list[int] = masks(3, ALL)  # the squares with at least one, two, three coins
    suit: list[int] = masks(4, ALL)  # by suit: the squares whose coins are of it
    free: int = number(0, 12)  # free moves left
    pawn: int = number(0, 4)  # which of the order plays; 4 when all are retired
    at: int = number(-1, 19)  # the square where it stands, or the one before it stood last
    flipped: int = number(0, 5)  # the number of the coin flipped last
    why: int = number(0, 3)  # why the pawn must be retired: rules.NULL, EMPTY, STUCK
    seen: list[int] = masks(4, 63)  # by suit: the values of its coins found
    aces: list[int] = numbers(4, -1, 3)  # the suits of the aces found, oldest first
    spent: int = number(0, 4)  # how many of them are spent


def read(drawing: str) -> list[str]:
    r"""Return the lines of a drawing, bottom row first.

    Raises BadDrawing, which names the fault and its place.

    >>> read("##########\n..........\n##########\n")[1]
    '..........'
    """
    lines = drawing.removesuffix("\n").split("\n")
    if len(lines) > MOST_LINES:
        raise BadDrawing(TOO_TALL.fill(most=MOST_LINES, n=len(lines)))
    for i, line in enumerate(lines, start=1):
        strange = [(j, sign) for j, sign in enumerate(line, start=1) if sign not in PLACES]
        if strange:
            signs = join_texts(SIGN.fill(sign=sign, meaning=meaning) for sign, meaning in PLACES.items())
            character, sign = strange[0]
            raise BadDrawing(STRANGE.fill(signs=signs, line=i, sign=repr(sign), character=character))
        if len(line) > MOST_LINES:
            raise BadDrawing(TOO_WIDE.fill(most=MOST_LINES, line=i, n=len(line)))
        if len(line) != len(lines[0]):
            raise BadDrawing(UNEVEN.fill(first=len(lines[0]), line=i, n=len(line)))
    tiles = drawing.count("#")
    if tiles != TILES:
        raise BadDrawing(OTHER_TILES.fill(tiles=TILES, n=tiles))
    return lines[::-1]


CANVAS = Canvas(
    (Sign("#", PLACES["#"], "cell"), Sign("o", PLACES["o"], "black-hole")),
    Sign(".", PLACES["."], ""),
    MOST_LINES,
    MOST_LINES,
    tuple(MAPS.items()),
    edges=True,  # where virtual places count, a torus and a sphere are as wide as the drawing
)
OPTIONS: tuple[Option, ...] = (
    Drawing("board", "rectangle", tuple(MAPS), read, CANVAS),
    OneOf("topology", "plane", ("plane", "torus", "sphere")),
    Whole("free_moves", 4, 0, 12),
    OneOf("outside", "walls", ("walls", "virtual")),
    OneOf("hole", "off", ("off", "fly")),
    Flag("whip", False),
    OneOf("entry", "closest", ("closest", "choose")),
    Flag("stack_free_moves", False),
    OneOf("rescue", "coin", ("coin", "any")),
)

Place = tuple[int, int]  # column and row
UP, RIGHT, DOWN, LEFT = (0, 1), (1, 0), (0, -1), (-1, 0)
SIDES = {UP: (LEFT, RIGHT), DOWN: (LEFT, RIGHT), LEFT: (UP, DOWN), RIGHT: (UP, DOWN)}


@dataclass(frozen=True)
class Map:
    """A drawing, how its edges are joined, and what may be crossed."""

    lines: list[str]  # bottom row first
    topology: str
    virtual: bool
    fly: bool

    def step(self, at: Place, heading: Place) -> tuple[Place, Place]:
        """Return the next place, and the heading there."""
        width, height = len(self.lines[0]), len(self.lines)
        x, y = at[0] + heading[0], at[1] + heading[1]
        if self.topology == "torus" and self.virtual:
            return (x % width, y % height), heading
        if self.topology == "torus" and at == self.far_end(at, heading):
            return self.far_end(at, (-heading[0], -heading[1])), heading
        if self.topology == "sphere" and not 0 <= y < height:  # SO-8: over the pole
            return ((x + width // 2) % width, at[1]), (0, -heading[1])
        if self.topology == "sphere":
            return (x % width, y), heading
        return (x, y), heading

    def far_end(self, at: Place, heading: Place) -> Place:
        """Return the outermost tile or hole of the line through `at`, on the side of `heading` (SO-8).

        A line of a single place has no far end: the place beside it is returned, where no tile is.
        """
        row = [(x, at[1]) for x in range(len(self.lines[0]))]
        column = [(at[0], y) for y in range(len(self.lines))]
        places = [place for place in (row if heading[0] else column) if self.sign(place) != "."]
        if len(places) == 1:
            return at[0] + heading[0], at[1] + heading[1]
        return places[-1] if sum(heading) > 0 else places[0]

    def sign(self, at: Place) -> str:
        """Return the sign drawn at a place; beyond the drawing there is no tile."""
        x, y = at
        return self.lines[y][x] if 0 <= y < len(self.lines) and 0 <= x < len(self.lines[0]) else "."

    def open(self, at: Place) -> bool:
        """Return whether a path may go over this place."""
        return {"#": True, ".": self.virtual, "o": self.fly}[self.sign(at)]  # SO-5, SO-6

    def line(self, at: Place, heading: Place, most: int) -> list[tuple[Place, Place]]:
        """Up to `most` steps straight on: each place with the heading there."""
        path = []
        for _ in range(most):
            at, heading = self.step(at, heading)
            if not self.open(at):
                break
            path.append((at, heading))
        return path

    def ends(self, start: Place, most: int) -> set[tuple[Place, int, bool]]:
        """Return every tile that a path from `start` ends on: the place, its length, whether it crosses a hole.

        On a torus, passing over places without a tile adds paths and takes none away (SO-8).
        """
        ends = self.path_ends(start, most)
        if self.topology == "torus" and self.virtual:
            ends |= replace(self, virtual=False).path_ends(start, most)
        return ends

    def path_ends(self, start: Place, most: int) -> set[tuple[Place, int, bool]]:
        """Return the same by the paths of one kind, which go by `step` and `open` alone."""
        found = set()
        for heading in SIDES:
            over = False
            path = self.line(start, heading, most)
            for i, (corner, now) in enumerate(path, start=1):
                over = over or self.sign(corner) == "o"
                found.add((corner, i, over))
                for side in SIDES[now]:
                    crossed = over
                    for j, (end, _) in enumerate(self.line(corner, side, most - i), start=i + 1):
                        crossed = crossed or self.sign(end) == "o"
                        found.add((end, j, crossed))
        return {(end, length, over) for end, length, over in found if self.sign(end) == "#"}


def build(options: dict[str, Value]) -> Board:
    drawing, topology = str(options["board"]), str(options["topology"])
    sphere = topology == "sphere"
    lines = read(ON_A_SPHERE if sphere and drawing == "rectangle" else MAPS.get(drawing, drawing))
    if sphere and len(lines[0]) % 2:
        why = ODD.fill(n=len(lines[0]))
        raise BadOption(f"option 'topology': {why.en}", "topology", why)
    if options["whip"] and options["hole"] != "fly":
        message = "option 'whip' can be true only with hole = fly, not with hole = off"
        raise BadOption(message, "whip", NO_FLYING)
    b = Board()
    b.free_moves = int(options["free_moves"])
    if not options["stack_free_moves"]:
        b.free_moves = min(b.free_moves, MOST_FREE_MOVES)
    b.whip = int(bool(options["whip"]) and any("o" in line for line in lines))
    b.choose_entry = int(options["entry"] == "choose")
    b.stack = int(bool(options["stack_free_moves"]) and b.free_moves > 1)
    b.rescue_any = int(options["rescue"] == "any")
    b.width, b.height = len(lines[0]), len(lines)
    for y, line in enumerate(lines):
        b.holes[y] = sum(bit(x) for x, sign in enumerate(line) if sign == "o")
    join(b, Map(lines, topology, options["outside"] == "virtual", options["hole"] == "fly"))
    return b


def join(b: Board, drawn: Map) -> None:
    """Write into `b` where the tile squares are and how they are joined."""
    squares = [(x, y) for y, line in enumerate(drawn.lines) for x, sign in enumerate(line) if sign == "#"]
    for i, (x, y) in enumerate(squares):
        b.column[i], b.row[i] = x, y
        plain, over = [0] * 7, [0] * 7  # by length: the squares reached without and with crossing a hole
        for end, length, crossing in drawn.ends((x, y), 6):
            (over if crossing else plain)[length] |= bit(squares.index(end))
        b.near[i] = plain[1]  # SO-9
        for k in range(1, 6):
            whipped = over[k - 1] | over[k + 1]  # SO-7
            b.reach[TILES * (k - 1) + i] = plain[k] | (whipped if b.whip else over[k])
