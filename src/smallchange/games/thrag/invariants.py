"""Which states of One Man: Thrag! can be: every tile is in one place, and the dice and the clock fit."""

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


def can_be(b: Board, s: State) -> bool:
    """Return whether a state within its bounds can come up."""
    for d in range(len(SUITS)):
        places = [s.stack[d], s.discards[d], *([s.slain[d], bit(s.beast[d]) & TILES] if d < MOONS else [])]
        union = 0
        for tiles in places:
            union |= tiles
        if union != TILES or sum(places) != TILES:
            return False
    if not s.stack[MOONS] or count(s.discards[MOONS]) != s.hour % 5 or s.pawns & ~b.weapons or not s.hits & 1:
        return False
    if s.turn == OVER:
        ends = {
            SLAIN: beasts(s) == 0,
            KILLED: s.damage > WORTH[s.hits >> 1],
            EXHAUSTED: not b.fight_on and not any(s.coins),
            BREAKFAST: s.hour == HOURS,
        }
        return ends.get(s.reason, False) and (s.hour == HOURS) == (s.reason == BREAKFAST)
    if s.reason or s.hour == HOURS or beasts(s) == 0 or (not b.fight_on and not any(s.coins)):
        return False
    if (s.turn == CHANCE) == (s.phase in (FIGHTING, PAYING)):
        return False
    if not (0 < s.damage <= WORTH[s.hits >> 1] if s.phase == PAYING else s.damage == 0):
        return False
    living = [x for x in range(MOONS) if s.slain[x] != TILES]
    return in_setup(s, living) if s.phase in (DRAWING, ROLLING) else in_fight(s, living)


def in_setup(s: State, living: list[int]) -> bool:
    """Return whether suit by suit the beasts are drawn, then the dice rolled."""
    rolling = s.phase == ROLLING
    return (
        s.suit in ([*living, MOONS] if rolling else living)
        and not s.fought
        and all((die >= 0) == (rolling and d in living and d < s.suit) for d, die in enumerate(s.die))
        and all((s.beast[x] > 0) == (rolling or x < s.suit) for x in living)
        and (rolling or all(s.beast[x] or s.stack[x] for x in living))
    )


def in_fight(s: State, living: list[int]) -> bool:
    """Return whether all beasts are drawn and all dice rolled."""
    drawn = [x for x in range(MOONS) if s.beast[x]]
    return not (
        any(s.die[d] < 0 for d in (*living, MOONS))
        or any(s.beast) == (s.phase == HEALING)
        or (not s.fought and (s.phase in (FLIPPING, PAYING, HEALING) or any(not s.beast[x] for x in living)))
        or (s.phase == HEALING and s.suit != MOONS)
        or (s.phase in (FLIPPING, PAYING) and s.suit not in drawn)
        or (s.phase == REROLLING and s.suit not in (*drawn, MOONS))
        or (s.phase == FLIPPING and not flippable(s, s.suit, s.flip))
    )
