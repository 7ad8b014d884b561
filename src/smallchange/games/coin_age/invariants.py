"""Which states of Coin Age can be: no coin is lost, and what was done this turn fits the toss."""

from collections.abc import Iterator

from smallchange.core.state import CHANCE, OVER, bit, count, lowest

from .model import SEATS, Board, State
from .notation import space
from .rules import BANK, FULL, PLACES, QUIET, START, empty, next_toss, setup


def violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction in a state; each check relies on those before it."""
    if s.map >= b.maps:
        yield f"map is {s.map}, and there are {b.maps}"
    if s.map == -1:
        start = State()
        setup(b, start)
        if s != start:
            yield "something has changed before a map is drawn"
        return
    for rank in range(4):
        both = s.coins[rank] & s.coins[4 + rank]
        if both:
            yield f"two coins of rank {rank + 1} lie on {space(b, lowest(both))}"
        if (s.coins[rank] | s.coins[4 + rank]) & ~b.on[s.map]:
            yield f"a coin of rank {rank + 1} lies beside the map"
        n = count(s.coins[rank]) + count(s.coins[4 + rank]) + s.bank[rank] + s.bank[4 + rank]
        if n != 2 * START[rank]:
            yield f"there are {n} coins of rank {rank + 1}, not {2 * START[rank]}"
    if s.quiet > b.quiet_limit:
        yield f"quiet is {s.quiet}, with a limit of {b.quiet_limit}"
    yield from turn_violations(s)
    yield from end_violations(b, s) if s.turn == OVER else running_violations(b, s)


def turn_violations(s: State) -> Iterator[str]:
    """Describe each contradiction between the toss and the actions of this turn."""
    own = s.bank[4 * s.mover : 4 * s.mover + 4]
    matched = s.tails if s.mover == 1 else s.tossed & ~s.tails
    if s.tails & ~s.tossed or s.match & ~matched or s.matches != count(matched):
        yield f"tossed={s.tossed} tails={s.tails} match={s.match} matches={s.matches} do not go together"
    if count(matched & ~s.match) != s.placed + s.paid or s.placed > PLACES[s.matches] + s.paid:
        yield f"placed={s.placed} paid={s.paid} does not fit the coins that matched"
    if (s.paid and s.matches < 4) or (s.captured and s.matches) or (s.moved and s.matches > 1):
        yield f"paid={s.paid} captured={s.captured} moved={s.moved} with {s.matches} matches"
    for rank in range(4):
        if s.tossed & ~(matched & ~s.match) & bit(rank) and not own[rank]:
            yield f"a coin of rank {rank + 1} was tossed, and there is none in the bank"
    if s.turn != CHANCE and sum(own[rank] for rank in range(4) if not s.tossed >> rank & 1) > s.captured:
        yield f"coins in the bank of {SEATS[s.mover]} were not tossed"


def running_violations(b: Board, s: State) -> Iterator[str]:
    if s.reason or s.quiet == b.quiet_limit or not empty(b, s):
        yield f"it goes on with reason={s.reason} quiet={s.quiet}, and spaces are left: {empty(b, s) > 0}"
    for side, seat in enumerate(SEATS):
        if not any(s.bank[4 * side : 4 * side + 4]):
            yield f"it goes on, and the bank of {seat} is empty"
    if s.turn != CHANCE and s.turn != s.mover:
        yield f"turn is {s.turn} and mover is {s.mover}"
    done = s.placed or s.paid or s.captured or s.moved
    if s.turn == CHANCE and (done or next_toss(s) == 4 or s.tossed >> next_toss(s)):
        yield f"with tossed={s.tossed} no coin is to be tossed now"


def end_violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction to the reason of the end."""
    fits = {
        FULL: empty(b, s) == 0,
        BANK: not any(s.bank[4 * s.mover : 4 * s.mover + 4]),
        QUIET: s.quiet == b.quiet_limit,
    }
    if not fits.get(s.reason, False):
        yield f"it is over, but not for reason {s.reason}"
