"""Coin Age in words: the text of each step, and of the end."""

from functools import cache, lru_cache

from smallchange.core.state import CHANCE, OVER
from smallchange.i18n.text import Plural, Text, capital, join_texts, plain

from .model import SEATS, Board, State
from .notation import space
from .rules import (
    BANK,
    CAPTURE,
    END,
    FULL,
    MAP,
    MOVE,
    PAY,
    PLACE,
    PLACES,
    QUIET,
    TOSS,
    bank_value,
    capturable,
    movable,
    next_toss,
    payable,
    placeable,
    play,
    points,
    score,
)

TITLE = Text("Coin Age")
TAGLINE = Text("Toss your coins, then fight over a small map with them: a small coin covers a larger one.")
DESIGNER = Text("By Adam P. McIver, 2013.")
MINUTES = 7
OPTIONS = {
    "map": Text("Map"),
    "quiet_limit": Text("The game ends after this many turns in a row without a coin placed"),
}
CHOICES = {
    "forest": Text("forest"),
    "frozen": Text("frozen, by Small Change"),
    "lagoon": Text("lagoon, by Small Change"),
    "volcano": Text("volcano, by Small Change"),
    "random": Text("one of the four at random"),
}
PLAYERS = {"heads": Text("Heads"), "tails": Text("Tails")}
SIDES = (Text("heads"), Text("tails"))
COINS = (
    Text("dime (1)"),
    Text("penny (2)"),
    Text("nickel (3)"),
    Text("quarter (4)"),
)
WHO = [PLAYERS[seat] for seat in SEATS]
ENDS = [Text("{who} ends its turn").fill(who=who) for who in WHO]
MAP_NAMES = (Text("forest"), Text("frozen"), Text("lagoon"), Text("volcano"))
LOT = [Text("The map is {map}").fill(map=name) for name in MAP_NAMES]
PLACE_COINS = [Plural("place up to {n} coin", "place up to {n} coins").fill(n=n) for n in range(4)]
PLACE_COINS[1] = Text("place a coin")
PAY_COIN = Text("pay a coin to place one more")
CAPTURE_COIN = Text("capture a top coin")
MOVE_COINS = Text("move the coins of a space")
IDLE = Text("No move is possible, so the turn ends")
DECIDES = (
    Text(
        "With no match you may capture a top coin, and move the coins of a space to an empty one beside it."
    ),
    Text("A matching coin goes on an empty space or over a higher rank, a move to an empty space beside it."),
    Text("A matching coin goes on an empty space or over a higher rank."),
)


def stack(s: State, i: int) -> list[tuple[int, int]]:
    """Return the coins on a space as (rank, side), the top one first."""
    return [(rank, side) for rank in range(4) for side in (0, 1) if s.coins[4 * side + rank] >> i & 1]


def step(b: Board, s: State, a: int) -> Text:
    """Describe action `a` in state `s`."""
    if a == END:
        return ENDS[s.mover]
    if a < TOSS:
        return LOT[a - MAP]
    if a < PAY:
        return describe_toss(s.mover, (a - TOSS) // 2, (a - TOSS) % 2, idle(b, s, a))
    if a < CAPTURE:
        return describe_payment(s.mover, a - PAY)
    if a < PLACE:
        at = a - CAPTURE
        return describe_capture(s.mover, space(b, at), *stack(s, at)[0])
    first, at = divmod(a - (PLACE if a < MOVE else MOVE), 16)
    if a < MOVE:
        return describe_placing(s.mover, first, space(b, at), *stack(s, at)[:1])
    return describe_move(s.mover, space(b, first), space(b, at))


def idle(b: Board, s: State, a: int) -> bool:
    """Return whether the mover can do nothing after a toss (CA-6)."""
    after = s.copy()
    play(b, after, a)
    return after.turn == OVER or after.mover != s.mover


@cache
def describe_toss(seat: int, rank: int, side: int, idle: bool) -> Text:
    sentence = Text("{who} tosses the {coin}: {side}{so}")
    so = Text(". {idle}").fill(idle=IDLE) if idle else plain("")
    return sentence.fill(who=WHO[seat], coin=COINS[rank], side=SIDES[side], so=so)


@cache
def describe_payment(seat: int, rank: int) -> Text:
    sentence = Text("{who} pays the {coin} to {other}")
    return sentence.fill(who=WHO[seat], other=SIDES[1 - seat], coin=COINS[rank])


@lru_cache(maxsize=4096)
def describe_capture(seat: int, at: str, rank: int, side: int) -> Text:
    sentence = Text("{who} captures the {coin} on {at}, {side} up")
    return sentence.fill(who=WHO[seat], at=at, coin=COINS[rank], side=SIDES[side])


@lru_cache(maxsize=4096)
def describe_move(seat: int, start: str, at: str) -> Text:
    sentence = Text("{who} moves the coins on {start} to {at}")
    return sentence.fill(who=WHO[seat], start=start, at=at)


@lru_cache(maxsize=4096)
def describe_placing(seat: int, coin: int, at: str, below: tuple[int, int] | None = None) -> Text:
    """Describe how a coin of this rank is put on a space, over the top coin `below` as (rank, side)."""
    if below is None:
        sentence = Text("{who} places the {coin} on {at}")
        return sentence.fill(who=WHO[seat], coin=COINS[coin], at=at)
    rank, side = below
    sentence = Text("{who} places the {coin} on {at}, over the {lower} that shows {side}")
    return sentence.fill(who=WHO[seat], coin=COINS[coin], at=at, lower=COINS[rank], side=SIDES[side])


def asks(b: Board, s: State) -> Text:
    """Ask the player to move for an action, or announce the decision of chance."""
    if s.map == -1:
        return Text("One of the four maps is about to be drawn at random.")
    if s.turn == CHANCE:
        return to_toss(s.mover, next_toss(s))
    return to_play(s.mover, s.matches, s.tossed.bit_count(), *open_actions(b, s))


@cache
def to_toss(seat: int, rank: int) -> Text:
    return Text("{who} to toss the {coin}.").fill(who=WHO[seat], coin=COINS[rank])


@lru_cache(maxsize=4096)
def to_play(seat: int, matches: int, tosses: int, *actions: Text) -> Text:
    """So many coins match, and these are the deeds open."""
    matched = Text("{who} to play. Matching coins: {n} of {all}.")
    may = Text("{deeds}, or end the turn.")
    row = capital(join_texts(actions))
    return matched.fill(who=WHO[seat], n=matches, all=tosses) + may.fill(deeds=row)


def open_actions(b: Board, s: State) -> list[Text]:
    """List the actions that the mover may still take this turn, besides ending it."""
    actions = []
    if any(placeable(b, s, rank) for rank in range(4)):
        left = min(PLACES[s.matches] + s.paid - s.placed, s.match.bit_count())
        actions.append(PLACE_COINS[left])
    if payable(s):
        actions.append(PAY_COIN)
    if capturable(s):
        actions.append(CAPTURE_COIN)
    if movable(b, s):
        actions.append(MOVE_COINS)
    return actions


def decides(b: Board, s: State) -> Text:
    """Name the rule that limits the actions."""
    return DECIDES[min(s.matches, 2)]


def ending(b: Board, s: State) -> Text:
    """Say how the game ended, with the winner and the reason."""
    why = {
        FULL: Text("The map is full."),
        BANK: Text("{who} has placed the last coin of the bank."),
        QUIET: Plural("{n} turn without a coin placed.", "{n} turns in a row without a coin placed."),
    }[s.reason].fill(who=WHO[s.mover], n=b.quiet_limit)
    counted = Text("Points: heads {heads}, tails {tails}.").fill(heads=points(b, s, 0), tails=points(b, s, 1))
    return why + counted + verdict(b, s)


def verdict(b: Board, s: State) -> Text:
    """Name the winner, and the tie-break where the points are equal."""
    lead = score(b, s, 0)
    if lead == 0:
        return Text("The banks are worth the same too: a draw.")
    who = PLAYERS[SEATS[0 if lead > 0 else 1]]
    if points(b, s, 0) == points(b, s, 1):
        banks = sorted((bank_value(s, 0), bank_value(s, 1)))
        tie = Text("{who} wins: the coins in the bank are worth more, {more} to {less}.")
        return tie.fill(who=who, more=banks[1], less=banks[0])
    return Text("{who} wins.").fill(who=who)


def phase(b: Board, s: State) -> str:
    """Return the anchor of the rulebook's section about this moment."""
    if s.map == -1:
        return "setup"
    return {CHANCE: "toss", OVER: "end"}.get(s.turn, "turn")
