"""Which states of Coin Age can be: no coin is lost, and what was done this turn fits the toss."""

from smallchange.core.state import CHANCE, OVER, bit, count

from .model import Board, State
from .rules import BANK, FULL, PLACES, QUIET, START, empty, next_toss, setup


def can_be(b: Board, s: State) -> bool:
    """Return whether a state within its bounds can come up."""
    if s.map == -1:
        start = State()
        setup(b, start)
        return s == start
    if s.map >= b.maps or s.quiet > b.quiet_limit or (s.turn not in (CHANCE, OVER, s.mover)):
        return False
    for rank in range(4):
        heads, tails = s.coins[rank], s.coins[4 + rank]
        n = count(heads) + count(tails) + s.bank[rank] + s.bank[4 + rank]
        if heads & tails or (heads | tails) & ~b.on[s.map] or n != 2 * START[rank]:
            return False
    return fits_toss(s) and (fits_end(b, s) if s.turn == OVER else goes_on(b, s))


def fits_toss(s: State) -> bool:
    """Return whether the toss and the actions of this turn go together."""
    bank = s.bank[4 * s.mover : 4 * s.mover + 4]
    matched = s.tails if s.mover == 1 else s.tossed & ~s.tails
    used = matched & ~s.match
    return not (
        s.tails & ~s.tossed
        or s.match & ~matched
        or s.matches != count(matched)
        or count(used) != s.placed + s.paid
        or s.placed > PLACES[s.matches] + s.paid
        or (s.paid and s.matches < 4)
        or (s.captured and s.matches)
        or (s.moved and s.matches > 1)
        or any(s.tossed & ~used & bit(rank) and not bank[rank] for rank in range(4))
        or (
            s.turn != CHANCE and sum(bank[rank] for rank in range(4) if not s.tossed & bit(rank)) > s.captured
        )
    )


def goes_on(b: Board, s: State) -> bool:
    done = s.placed or s.paid or s.captured or s.moved
    tosses = s.turn != CHANCE or not (done or next_toss(s) == 4 or s.tossed >> next_toss(s))
    banks = any(s.bank[:4]) and any(s.bank[4:])
    return bool(tosses and banks and empty(b, s) and s.quiet < b.quiet_limit and not s.reason)


def fits_end(b: Board, s: State) -> bool:
    bank = s.bank[4 * s.mover : 4 * s.mover + 4]
    fits = {FULL: empty(b, s) == 0, BANK: not any(bank), QUIET: s.quiet == b.quiet_limit}
    return fits.get(s.reason, False)
