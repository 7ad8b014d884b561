"""Look for few positions by which a side holds Dodg'em with crossing sides for ever.

    python -m research.crosswise SIZE [--blocked pass] [--rounds 12] [--check N]

A strategy has one reply to each step of the other side, and needs the positions that come up by it alone. By the solved
board a reply does not lose. Of these replies the strategy takes one that leads to a position met already, otherwise
to the placement that most positions of the round before had. The round with the fewest positions counts. With
--check N the rules take every step of the other side from N of them.

docs/dodgem-solved.md has what it found.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numba import njit

import smallchange
from smallchange.tablebase.compiled_solver import Kit
from smallchange.tablebase.placements import Placements, placements
from smallchange.tablebase.solve import Solver

MET_ALREADY = 1 << 40
NONE, HOME = -1, -2


class Sides(NamedTuple):
    """The placements as compiled code takes them."""

    first: Any
    to: Any
    target: Any
    seen: Any
    squares: int
    empty: int  # the placement without coins
    blocked: int


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("size", type=int, choices=(4, 5))
    parser.add_argument("--blocked", default="pass", choices=("pass", "wins", "loses"))
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--check", type=int, default=0, metavar="N")
    asked = parser.parse_args()
    game = smallchange.game("dodgem", size=asked.size, start="crosswise", blocked=asked.blocked)
    places = placements(Kit(game))
    won, positions = solve(places)
    sides = Sides(
        places.first_step,
        places.to,
        places.target,
        places.seen,
        places.squares,
        len(places) - 1,
        places.blocked,
    )
    start = int(np.flatnonzero(places.sets == game.start().s.coins[0])[0])
    least: Any = None
    usage = -1000 * places.progress[:-1]
    for number in range(asked.rounds):
        began = process_time()
        met = walk(sides, won, usage, start)
        usage = np.bincount(met // sides.empty, minlength=sides.empty)
        print(
            f"round {number + 1}: {len(met):,} positions, {len(met) / positions:.2%} of {positions:,}; "
            f"{(usage > 0).sum():,} of {sides.empty:,} placements; {process_time() - began:.1f} s",
            flush=True,
        )
        if least is None or len(met) < len(least):
            least = met
    print(f"least: {len(least):,} positions")
    if asked.check:
        some = np.random.default_rng(1).permutation(least)[: asked.check].tolist()
        print(
            f"the rules agree: {check(game, places, some, set(least.tolist())):,} steps of {len(some):,} positions"
        )


def solve(places: Placements) -> tuple[Any, int]:
    """Return the rows of positions that the player to move wins, and the number of all positions."""
    with ThreadPoolExecutor(1) as pool:
        solver = Solver(places, [0, len(places) - 1], pool, 1)
        (block,) = solver.solve_pair(0, 0)
        counts = solver.counts(block)
    return block.planes.won, sum(counts)


def walk(sides: Sides, won: Any, usage: Any, start: int) -> Any:
    """Return the positions that come up with the attacker to move, as blocker times placements plus attacker."""
    room = np.empty(1 << 26, np.int64)
    met = np.zeros(sides.empty**2 // 64 + 1, np.uint64)
    n = follow(sides, won, usage, start, room, met)
    if n < 0:
        raise SystemExit("no reply holds" if n == NONE else "more positions than there is room for")
    return room[:n].copy()


compiled: Any = njit(cache=True, error_model="numpy")


@compiled  # type: ignore[untyped-decorator]
def follow(sides: Any, won: Any, usage: Any, start: int, room: Any, met: Any) -> Any:
    """Write the positions into `room`, and return how many; NONE where no reply holds, HOME where room ends."""
    n = meet(start * sides.empty + start, room, met, 0)
    n = meet(reply(sides, won, usage, met, start, start) * sides.empty + start, room, met, n)
    done = 0
    while done < n:
        blocker, attacker = room[done] // sides.empty, room[done] % sides.empty
        done += 1
        stuck = True
        for step in range(sides.first[attacker], sides.first[attacker + 1] + 1):
            after = attacker
            if step == sides.first[attacker + 1]:
                if not stuck or sides.blocked != 0:
                    break  # no pass
            elif not is_free(sides, step, blocker):
                continue
            else:
                stuck = False
                after = sides.to[step]
            if after == sides.empty:
                return NONE
            best = reply(sides, won, usage, met, blocker, after)
            if best == NONE:
                return NONE
            if n == len(room):
                return HOME
            if best != HOME:
                n = meet(best * sides.empty + after, room, met, n)
    return n


@compiled  # type: ignore[untyped-decorator]
def is_free(sides: Any, step: int, other: int) -> bool:
    square = sides.target[step]
    return bool(square == sides.squares or sides.seen[other] >> square & 1 == 0)


@compiled  # type: ignore[untyped-decorator]
def meet(position: int, room: Any, met: Any, n: int) -> int:
    """Put a position that was not met before behind the n others."""
    word, here = position >> 6, np.uint64(1) << np.uint64(position & 63)
    if met[word] & here == 0:
        met[word] |= here
        room[n] = position
        n += 1
    return n


@compiled  # type: ignore[untyped-decorator]
def reply(sides: Any, won: Any, usage: Any, met: Any, blocker: int, attacker: int) -> int:
    """Return the blocker's placement after its step; HOME where it wins, NONE where every step loses."""
    best, most, stuck = NONE, -MET_ALREADY, True
    for step in range(sides.first[blocker], sides.first[blocker + 1] + 1):
        after = blocker
        if step == sides.first[blocker + 1]:
            if not stuck:
                break
            if sides.blocked > 0:
                return HOME
            if sides.blocked < 0:
                break
        elif not is_free(sides, step, attacker):
            continue
        else:
            stuck = False
            after = sides.to[step]
        if after == sides.empty:
            return HOME
        if won[attacker, after >> 6] >> np.uint64(after & 63) & np.uint64(1):
            continue
        position = after * sides.empty + attacker
        known = met[position >> 6] >> np.uint64(position & 63) & np.uint64(1)
        worth = usage[after] + (MET_ALREADY if known else 0)
        if worth > most:
            best, most = after, worth
    return best


def check(game: Any, places: Placements, some: list[int], met: set[int]) -> int:
    """Take every step of the attacker, who is red, by the rules; return how many. Each has a reply that is met."""
    number = {int(squares): i for i, squares in enumerate(places.sets)}
    theirs = {int(squares): i for i, squares in enumerate(places.seen)}
    empty, steps = len(places) - 1, 0
    state = game.start()
    for position in some:
        state.s.coins = [int(places.sets[position % empty]), int(places.seen[position // empty])]
        state.s.turn = 0
        for action in state.legal_actions():
            steps += 1
            after = state.copy()
            after.play_unchecked(action)
            if after.s.turn < 0:
                assert after.s.winner == 1, "the attacker wins"
                continue
            held = False
            for answer in after.legal_actions() if after.s.turn == 1 else [None]:
                end = after.copy()
                if answer is not None:
                    end.play_unchecked(answer)
                place = theirs[end.s.coins[1]] * empty + number[end.s.coins[0]]
                held |= end.s.winner == 1 if end.s.turn < 0 else place in met
            assert held, "no reply is met"
    return steps


if __name__ == "__main__":
    main()
