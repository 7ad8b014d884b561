"""Information relaxation: the best end of a game for a player who knows every throw beforehand.

No play that knows less can do better on the average: so this bounds the score of any player (Brown, Smith
and Sun, "Information relaxations and duality in stochastic dynamic programs", Operations Research, 2010).
Any way of fixing the throws beforehand will do, as long as each throw alone has its odds, and throws asked
for one after the other are independent. The fewer ways there are to have other throws, the closer the bound:

    BY_OBJECT  what an object shows the k-th time it is asked; so others come by asking it more often
    BY_MOVE    what an object shows after the k-th move; so others come only by another number of moves
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import CHANCE, OVER
from smallchange.engine.compile.runtime_python import entry, word
from smallchange.engine.kernels.exact_value import WIN, find_row, write_keys
from smallchange.engine.kernels.mcts import MAX_UTILITY, order_by_move_score
from smallchange.engine.kernels.playouts import sample_action
from smallchange.engine.kernels.random_streams import ALL, GOLDEN, below, mix, open_streams

if TYPE_CHECKING:
    from smallchange.engine.kernels.calls import (
        canonicalize,
        is_lost,
        legal,
        odds,
        play,
        score,
        source,
        utility,
    )

BY_OBJECT, BY_MOVE = 0, 1
MAX_POSITIONS = 1 << 32
MAX_DRAWS_PER_MOVE = 64  # of one object between two moves
SETTLED, GAVE_UP, CROWDED = 0, 1, 2  # how a search ended


class Foresight(NamedTuple):
    """The stack of a depth-first search, and the positions seen."""

    states: Any  # [n]
    words: Any  # [n, ..] of unsigned integers: a view of their bytes
    draws: Any  # [n, sources + 1] of int64: how often each object was asked; last, how many moves were made
    seen: Any  # [a power of 2, 2] of int64: keys of the positions seen, all zeros at first
    key: Any  # [2] of int64: room for a key
    restart: int  # by which order moves are tried: 0 by move score, others by luck too
    best: Any  # [2] of int64, written: the utility and the score of the best end


def sample_foreseen(b: Any, s: Any, draws: Any, scratch: Any, manner: int) -> int:
    """Return what the object shows that decides this chance step, and note that it was asked."""
    n = odds(b, s, scratch.actions, scratch.weights)
    which = source(b, s)
    streams = scratch.streams
    last = len(draws) - 1
    k = draws[which] if manner == BY_OBJECT else MAX_DRAWS_PER_MOVE * draws[last] + draws[which]
    draws[which] += 1
    streams[0] = (streams[scratch.seats + which] + word(k) * GOLDEN) & ALL
    return sample_action(scratch, n, 0)


def count_move(draws: Any, manner: int) -> None:
    """Note that a move was made."""
    if manner == BY_MOVE:
        draws[len(draws) - 1] += 1
        for i in range(len(draws) - 1):
            draws[i] = 0


def is_unseen(stack: Any, top: int) -> bool:
    """Return whether the top state, with as many throws used up, was not seen before, and note it."""
    key = stack.key
    seen = stack.seen
    write_keys(stack.words[top], key)
    x = key[0]
    y = key[1]
    write_keys(stack.draws[top], key)
    key[0] = (key[0] ^ x) | 1
    key[1] = (key[1] + y) | 1
    row = find_row(seen, key)
    if seen[row, 0] != 0:
        return False
    seen[row, 0] = key[0]
    seen[row, 1] = key[1]
    return True


def promote_at_random(scratch: Any, n: int, number: int) -> None:
    """Put one of the n actions in `scratch` first, in every other position: `number` decides where, and which."""
    actions = scratch.actions
    streams = scratch.streams
    streams[0] = mix(word(number))
    if below(streams, 0, 2) == 0:
        i = below(streams, 0, n)
        a = actions[i]
        while i > 0:
            actions[i] = actions[i - 1]
            i -= 1
        actions[0] = a


def push_moves(b: Any, stack: Any, actions: Any, top: int, n: int) -> None:
    """Replace the stack's top by the n states one move on, the greatest move score on top."""
    states = stack.states
    draws = stack.draws
    for i in range(n):
        row = top + n - 1 - i
        if row > top:
            states[row] = states[top]
            for k in range(draws.shape[1]):
                draws[row, k] = draws[top, k]
        play(b, states[row], actions[i])


def play_chance(b: Any, s: Any, draws: Any, scratch: Any, manner: int) -> None:
    """Play the chance steps until the next move, or until the end."""
    while s.turn == CHANCE:
        play(b, s, sample_foreseen(b, s, draws, scratch, manner))


@entry
def first_move(boards: Any, stack: Any, scratch: Any, seed: int, number: int) -> None:
    """Take the first chance steps of game `number` from states[0]: those that `play_games` meets."""
    open_streams(scratch.streams, scratch.seats, seed, number)
    play_chance(boards[0], stack.states[0], stack.draws[0], scratch, BY_OBJECT)


@entry
def foresee(
    boards: Any, stack: Any, scratch: Any, seed: int, number: int, manner: int, goal: int, most: int
) -> int:
    """Search for the best end of game `number` from states[0], whose row of draws is 0.

    Return SETTLED; or GAVE_UP when `most` positions were seen, CROWDED when the stack was full: then there may
    be better ends. A win ends the search. Where wins are the goal, lost positions are left out. By each
    restart a bad first choice costs no more than one short search (Gomes, Selman and Kautz, "Boosting combinatorial
    search through randomization", AAAI 1998).
    """
    b = boards[0]
    states = stack.states
    best = stack.best
    actions = scratch.actions
    open_streams(scratch.streams, scratch.seats, seed, number)
    top = 0
    best[0] = -1
    while top >= 0:
        s = states[top]
        play_chance(b, s, stack.draws[top], scratch, manner)
        if s.turn == OVER:
            if utility(b, s, 0) > best[0]:
                best[0] = utility(b, s, 0)
                best[1] = score(b, s, 0)
            if best[0] == MAX_UTILITY:
                return SETTLED
            top -= 1
            continue
        canonicalize(b, s)
        if (goal == WIN and is_lost(b, s)) or not is_unseen(stack, top):
            top -= 1
            continue
        n = legal(b, s, actions)
        if top + n >= len(states):
            return CROWDED
        if most == 0:
            return GAVE_UP
        most -= 1
        order_by_move_score(b, s, n, scratch)
        if stack.restart != 0:
            promote_at_random(scratch, n, stack.restart * MAX_POSITIONS + most)
        count_move(stack.draws[top], manner)
        push_moves(b, stack, actions, top, n)
        top += n - 1
    return SETTLED
