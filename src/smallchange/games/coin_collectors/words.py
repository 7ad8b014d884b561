"""Coin Collectors in words: the text of each step, and of the end."""

from functools import cache, lru_cache

from smallchange.core.state import OVER
from smallchange.i18n.text import Text, capital, join_texts, plain, together
from smallchange.render.piece_names import DIE as DICE
from smallchange.render.piece_names import PAWN, SUIT, SUITS, VALUE, VALUES, fill_phrase
from smallchange.render.piece_names import tile as tile_name

from .model import Board, State
from .notation import dice, rating, square
from .rules import (
    CHOOSING,
    COIN,
    COINING,
    COLLECTING,
    DIE,
    GIVE_UP,
    LAYING,
    LOSING,
    ROLL,
    ROLLING,
    TILE,
    collectable,
    score,
)

TITLE = Text("Coin Collectors")
TAGLINE = Text(
    "Four pawns, four dice, 24 coins. Take one every turn, and choose well which dice to roll again."
)
DESIGNER = Text("By Don Kirkby, 2003.")
MINUTES = 10
OPTIONS = {
    "stud": Text("Four Die Stud: all four dice are rolled every turn"),
    "stay_home": Text("Last One Out: pawns that never leave the hole"),
    "acceptable_losses": Text("Acceptable Losses: when stuck, give up a pawn and roll again"),
    "rolls": Text("Rolls a turn, at most"),
}
CHOICES: dict[str, Text] = {}
MARKING = Text("Dice to roll"), Text("Roll marked dice")
PLAYERS = {"player": Text("You")}
STUCK = Text("No pawn can collect with these dice.")
DECIDES = {
    COLLECTING: Text(
        "A pawn takes a coin one step away if the die of the tile’s suit shows the tile’s number, or if the "
        "pawn’s own die shows the coin’s."
    ),
    CHOOSING: Text("Choose the dice to roll again, from none to all four; the others keep their faces."),
    LOSING: Text("Any pawn will do, on the board or in the hole."),
}
ANCHORS = {LAYING: "setup", COINING: "setup", ROLLING: "roll", COLLECTING: "collect", CHOOSING: "roll"}


def coin_at(s: State, i: int) -> int:
    """Return the number of the coin on a square; 0 is the null's number, and also stands for no coin."""
    return next((n for n, squares in enumerate(s.coins) if squares >> i & 1), 0)


def step(b: Board, s: State, a: int) -> Text:
    """Describe action `a` in state `s`."""
    if a >= COIN:
        at, value = divmod(a - COIN, 6)
        laid = Text("Coin {value} on {square}")
        return fill_phrase(laid, square=square(at), value=VALUE[VALUES[value]])
    if a >= TILE:
        at, tile = divmod(a - TILE, 24)
        name = tile_name(SUITS[tile // 6], VALUES[tile % 6])
        return fill_phrase(Text("Tile {tile} on {square}"), tile=name, square=square(at))
    if a >= DIE:
        die, value = divmod(a - DIE, 6)
        rolled = Text("{die} shows {value}")
        return fill_phrase(rolled, die=capital(DICE[SUITS[die]]), value=VALUE[VALUES[value]])
    if a >= GIVE_UP:
        loss = Text("{pawn} is given up")
        return fill_phrase(loss, pawn=capital(PAWN[SUITS[a - GIVE_UP]]))
    if a >= ROLL:
        return rolling(a - ROLL)
    pawn, at = divmod(a, 25)
    return collects(pawn, coin_at(s, at), at)


@cache
def collects(pawn: int, number: int, at: int) -> Text:
    taken = Text("{pawn} collects the {value} on {square}")
    return taken.fill(pawn=capital(PAWN[SUITS[pawn]]), value=VALUE[VALUES[number]], square=square(at))


@cache
def rolling(mask: int) -> Text:
    """Describe the choice of dice to roll again.

    >>> rolling(0).en, rolling(0b11).en, rolling(0b1111).en
    ('Keep all the dice', 'Roll suns and moons', 'Roll all four dice')
    """
    if mask == 0:
        return Text("Keep all the dice")
    if mask == 15:
        return Text("Roll all four dice")
    names = together(SUIT[suit] for suit in dice(mask))
    return Text("Roll {names}").fill(names=names)


def asks(b: Board, s: State) -> Text:
    """Ask the player for an action, or announce the decision of chance."""
    if s.phase in (LAYING, COINING):
        drawn = Text("Drawing the tile for {square}.")
        if s.phase == COINING:
            drawn = Text("Drawing the coin for {square}.")
        return fill_phrase(drawn, square=square(s.at))
    if s.phase == ROLLING:
        return about_to_roll(s.hand)
    if s.phase == COLLECTING:
        return Text("Collect a coin with one of your pawns.")
    if s.phase == CHOOSING:
        return to_choose(collectable(b, s), s.rolls_left + 1 if b.rolls > 1 else 0)
    return STUCK + Text("Which pawn do you give up?")


@cache
def about_to_roll(mask: int) -> Text:
    names = together(SUIT[suit] for suit in dice(mask))
    return Text("Rolling: {names}.").fill(names=names)


@lru_cache(maxsize=4096)
def to_choose(squares: int, rolls: int) -> Text:
    """Name the coins that are open as the dice lie, and the rolls that are left, and ask which dice to roll."""
    lie = Text("These dice open no coin.")
    if squares:
        lie = Text("These dice open {squares}.").fill(
            squares=join_texts(plain(square(i)) for i in range(25) if squares >> i & 1)
        )
    if rolls:
        lie += Text("Rolls left this turn: {n}.").fill(n=rolls)
    return lie + Text("Which dice will you roll again?")


def decides(b: Board, s: State) -> Text:
    """Name the rule that limits the choices."""
    return DECIDES[s.phase]


def ending(b: Board, s: State) -> Text:
    """Say how the game ended, and why."""
    coins = score(b, s, 0)
    if coins == 24:
        return Text("All 24 coins: won.")
    had = Text("{n} of 24 coins.")
    if rating(coins) == "above average":
        had = Text("{n} of 24 coins: above average.")
    return STUCK + had.fill(n=coins)


def score_text(score: int) -> Text:
    """Say a score in a few words."""
    return Text("{n} of 24 coins").fill(n=score)


def phase(b: Board, s: State) -> str:
    """Return the anchor of the rulebook's section about this moment."""
    return "end" if s.turn == OVER else ANCHORS.get(s.phase, "losses")
