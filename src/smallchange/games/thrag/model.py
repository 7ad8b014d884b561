"""The board and the state of One Man: Thrag!.

Suits are numbered 0 suns, 1 crowns, 2 arms (the beasts) and 3 moons (Thrag). A value is 0 null, 1 ace,
2 to 5; a set of tiles or coins of one suit is a mask with bit `value`.
"""

from smallchange.core.errors import BadOption
from smallchange.core.options import Flag, OneOf, Option, Value, Whole
from smallchange.core.state import Fields, mask, masks, number, numbers
from smallchange.i18n.text import Text

SEATS = ("player",)
SUITS = "SCAM"
SOURCES = (
    *("suns tiles", "crowns tiles", "arms tiles", "moons tiles"),
    *("suns die", "crowns die", "arms die", "moons die"),
    *("suns coins", "crowns coins", "arms coins"),
)
OPTIONS: tuple[Option, ...] = (
    OneOf("weapons", "SCA", ("SCA", "SC", "SA", "CA", "S", "C", "A", "none"), any_order=True),
    Whole("null_coins", 0, 0, 5),
    OneOf("exhausted", "loss", ("loss", "fight_on")),
    Flag("show_used", False),
    Flag("by_memory", False),
)

USED_IN_SIGHT = Text("works only where used attack coins are out of sight")
TILES = 0b111110  # ace to five: the beasts of a suit, or the healing tiles
COINS = 0b111111  # null to five


class Board(Fields):
    """The options of a game as numbers, and the tables that follow from them."""

    weapons: int = number(0, 7)  # the suits whose pawn Thrag starts with
    null_coins: int = number(0, 5)  # what a null attack coin is worth
    fight_on: int = number(0, 1)  # may he fight on without attack coins?
    show_used: int = number(0, 1)  # may he look at the attack coins and healing tiles he has used?
    by_memory: int = number(0, 1)  # are they, and the log, out of sight until the end?


class State(Fields):
    """Thrag, the beasts and the coins, and the phase of the hour."""

    turn: int = number(-2, 0)
    phase: int = number(0, 6)  # rules.DRAWING, ROLLING, FIGHTING, FLIPPING, REROLLING, PAYING, HEALING
    hour: int = number(0, 12)  # hours gone by
    stack: list[int] = masks(4, TILES)  # by suit: tiles in its draw stack
    discards: list[int] = masks(4, TILES)  # .. and in its discards
    slain: list[int] = masks(3, TILES)
    beast: list[int] = numbers(3, 0, 5)  # the living beast drawn, 0 for none
    die: list[int] = numbers(4, -1, 5)  # -1: not rolled this turn
    coins: list[int] = masks(3, COINS)  # attack coins not yet seen
    hits: int = mask(COINS)  # Thrag's hit points; the other moons coins are the healing pool
    pawns: int = mask(7)  # weapons not yet spent
    fought: int = number(0, 1)  # has he fought this turn?
    suit: int = number(0, 3)  # the suit being drawn, rolled, rerolled or fought
    flip: int = number(0, 2)  # the suit of the attack coin being flipped
    damage: int = number(0, 10)  # to be paid
    reason: int = number(0, 4)  # 0 none yet, then rules.SLAIN, KILLED, EXHAUSTED, BREAKFAST


def build(options: dict[str, Value]) -> Board:
    if options["by_memory"] and options["show_used"]:
        raise BadOption(
            "option 'by_memory' can be true only with show_used = false", "by_memory", USED_IN_SIGHT
        )
    b = Board()
    b.weapons = sum(1 << x for x in range(3) if SUITS[x] in str(options["weapons"]))
    b.null_coins = int(options["null_coins"])
    b.fight_on = int(options["exhausted"] == "fight_on")
    b.show_used = int(options["show_used"])
    b.by_memory = int(options["by_memory"])
    return b
