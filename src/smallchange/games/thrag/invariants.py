"""Which states of One Man: Thrag! can be: every tile is in one place, and the dice and the clock fit."""

from collections.abc import Iterator

from smallchange.core.state import CHANCE, OVER, bit, count

from .model import SUITS, TILES, Board, State
from .rules import (
    BREAKFAST,
    DRAWING,
    EXHAUSTED,
    FIGHTING,
    FLIPPING,
    HEALING,
    HOURS,
    KILLED,
    MOONS,
    PAYING,
    REROLLING,
    ROLLING,
    SLAIN,
    WORTH,
    beasts,
    flippable,
)

BY_THRAG = (FIGHTING, PAYING)


def violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction in a state; each check relies on those before it."""
    for d, suit in enumerate(SUITS):
        places = [s.stack[d], s.discards[d], *([s.slain[d], bit(s.beast[d]) & TILES] if d < MOONS else [])]
        if any(tiles & ~TILES for tiles in places) or sum(places) != TILES or any(overlaps(places)):
            yield f"each {suit} tile must be in one place: stack, discards, slain or beast"
    if not s.stack[MOONS]:
        yield "the healing stack is empty"
    if count(s.discards[MOONS]) != s.hour % 5:
        yield f"hour is {s.hour}, with {count(s.discards[MOONS])} healing tiles discarded"
    if s.pawns & ~b.weapons:
        yield f"pawns is {s.pawns}, of the weapons {b.weapons}"
    if not s.hits & 1:
        yield "the null coin of the hit points is missing"
    yield from hour_violations(s) if s.turn != OVER else end_violations(b, s)
    if s.turn != OVER and not b.fight_on and not any(s.coins):
        yield "it goes on without attack coins"


def overlaps(places: list[int]) -> Iterator[bool]:
    for i, tiles in enumerate(places):
        yield any(tiles & other for other in places[:i])


def end_violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction to the reason of the end."""
    fits = {
        SLAIN: beasts(s) == 0,
        KILLED: s.damage > WORTH[s.hits >> 1],
        EXHAUSTED: not b.fight_on and not any(s.coins),
        BREAKFAST: s.hour == HOURS,
    }
    if not fits.get(s.reason, False) or (s.hour == HOURS) != (s.reason == BREAKFAST):
        yield f"it is over, but not for reason {s.reason}"


def hour_violations(s: State) -> Iterator[str]:
    """Describe each contradiction while the game goes on."""
    if s.reason or s.hour == HOURS or beasts(s) == 0:
        yield f"it goes on with reason={s.reason}, hour={s.hour} and {beasts(s)} beasts"
    if (s.turn == CHANCE) == (s.phase in BY_THRAG):
        yield f"turn is {s.turn} in phase {s.phase}"
    if not (0 < s.damage <= WORTH[s.hits >> 1] if s.phase == PAYING else s.damage == 0):
        yield f"damage is {s.damage} in phase {s.phase} with hits={s.hits}"
    living = [x for x in range(MOONS) if s.slain[x] != TILES]
    if s.phase in (DRAWING, ROLLING):
        yield from setup_violations(s, living)
    else:
        yield from fight_violations(s, living)


def setup_violations(s: State, living: list[int]) -> Iterator[str]:
    """Suit by suit the beasts are drawn, then the dice rolled."""
    if s.suit not in (living if s.phase == DRAWING else [*living, MOONS]):
        yield f"suit is {s.suit} in phase {s.phase}, and no beast of it lives"
    if s.fought:
        yield f"fought is {s.fought} in phase {s.phase}"
    for d, suit in enumerate(SUITS):
        if (s.die[d] >= 0) != (s.phase == ROLLING and d in living and d < s.suit):
            yield f"the {suit} die is {s.die[d]} in phase {s.phase} with suit={s.suit}"
    for x in living:
        if (s.beast[x] > 0) != (s.phase == ROLLING or x < s.suit):
            yield f"the {SUITS[x]} beast is {s.beast[x]} in phase {s.phase} with suit={s.suit}"
        if s.phase == DRAWING and not s.beast[x] and not s.stack[x]:
            yield f"the {SUITS[x]} stack is empty"


def fight_violations(s: State, living: list[int]) -> Iterator[str]:
    """All beasts are drawn and all dice rolled."""
    for d in (*living, MOONS):
        if s.die[d] < 0:
            yield f"the {SUITS[d]} die is not rolled"
    if any(s.beast) == (s.phase == HEALING):
        yield f"beast is {','.join(map(str, s.beast))} in phase {s.phase}"
    if not s.fought and (s.phase in (FLIPPING, PAYING, HEALING) or any(not s.beast[x] for x in living)):
        yield "fought is 0 after a fight"
    if s.phase == HEALING and s.suit != MOONS:
        yield f"suit is {s.suit} in phase {s.phase}"
    if s.phase in (FLIPPING, PAYING, REROLLING) and s.suit not in open_to(s):
        yield f"suit is {s.suit} in phase {s.phase}, and it has no beast"
    if s.phase == FLIPPING and not flippable(s, s.suit, s.flip):
        yield f"no {SUITS[s.flip]} coin may be flipped"


def open_to(s: State) -> list[int]:
    """Return the suits that may be fought, or whose dice may be rolled again."""
    drawn = [x for x in range(MOONS) if s.beast[x]]
    return [*drawn, MOONS] if s.phase == REROLLING else drawn
