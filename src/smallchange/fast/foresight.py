"""The best end of a game for one who knew every throw beforehand, in the dialect of the rules.

No play that knows less can do better on the average: so this bounds what any player can reach (Brown, Smith
and Sun, "Information relaxations and duality in stochastic dynamic programs", Operations Research, 2010).
Any way of fixing the throws beforehand will do, as long as each throw alone has its odds, and throws asked
for one after the other are independent; the fewer ways there are to have others, the closer the bound:

    BY_OBJECT  what an object shows the k-th time it is asked; so others come by asking it more often
    BY_MOVE    what an object shows after the k-th move; so others come only by another number of moves
"""

from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER

from .drivers import drawn
from .exact import WIN, kept_at, keys_of
from .luck import ALL, GOLDEN, open_streams
from .tree import PERFECT, by_promise
from .twins import entry, word

if TYPE_CHECKING:
    from .calls import aim, alike, legal, lost, odds, play, score, source

BY_OBJECT, BY_MOVE = 0, 1
ASKINGS = 64  # of one object between two moves, at most
SETTLED, GAVE_UP, CROWDED = 0, 1, 2


def thrown(b: Any, s: Any, asked: Any, chance: Any, manner: int) -> int:
    """What the object shows that decides this chance step; it is noted that it was asked."""
    out, weights, streams, seats = chance
    n = odds(b, s, out, weights)
    which = source(b, s)
    last = len(asked) - 1  # there the moves are counted
    k = asked[which] if manner == BY_OBJECT else ASKINGS * asked[last] + asked[which]
    asked[which] += 1
    streams[0] = (streams[seats + which] + word(k) * GOLDEN) & ALL
    return drawn(out, weights, n, streams, 0)


def moved(asked: Any, manner: int) -> None:
    """A move was made."""
    if manner == BY_MOVE:
        asked[len(asked) - 1] += 1
        for i in range(len(asked) - 1):
            asked[i] = 0


def is_new(words: Any, asked: Any, key: Any, seen: Any) -> bool:
    """Has this state, with as many throws used up, not been seen before? It is noted."""
    keys_of(words, key)
    x = key[0]
    y = key[1]
    keys_of(asked, key)
    key[0] = (key[0] ^ x) | 1
    key[1] = (key[1] + y) | 1
    row = kept_at(seen, key)
    if seen[row, 0] != 0:
        return False
    seen[row, 0] = key[0]
    seen[row, 1] = key[1]
    return True


def spread_out(b: Any, states: Any, asked: Any, out: Any, top: int, n: int) -> None:
    """Put in the place of the stack's top the n states one move on, what promises most on top."""
    for i in range(n):
        row = top + n - 1 - i
        if row > top:
            states[row] = states[top]
            for k in range(asked.shape[1]):
                asked[row, k] = asked[top, k]
        play(b, states[row], out[i])


def meet_chance(b: Any, s: Any, asked: Any, chance: Any, manner: int) -> None:
    """On to the next move, or to the end."""
    while s.turn == CHANCE:
        play(b, s, thrown(b, s, asked, chance, manner))


@entry
def first_move(boards: Any, states: Any, asked: Any, chance: Any, seed: int, number: int) -> None:
    """Take the first chance steps of game `number` from states[0]: those that `play_games` meets."""
    open_streams(chance[2], chance[3], seed, number)
    meet_chance(boards[0], states[0], asked[0], chance, BY_OBJECT)


@entry
def foresee(
    boards: Any, states: Any, words: Any, asked: Any, spare: Any, chance: Any, seed: int, number: int,
    manner: int, goal: int, seen: Any, most: int, key: Any, best: Any,
) -> int:  # fmt: skip
    """Look for the best end of game `number` from states[0]: its aim and score are best[0] and best[1].

    A stack: states[n], words[n, w] (their bytes), asked[n, sources + 1], all 0 in row 0; spare[1], a state;
    seen[rows, 2], all zeros; key[2]; best[2]. GAVE_UP when `most` positions were seen, CROWDED when the
    stack was full: then there may be better ones. A win ends the search. Where wins are the goal, lost
    positions are left out.
    """
    b = boards[0]
    out, weights, streams, seats = chance
    open_streams(streams, seats, seed, number)
    top = 0
    best[0] = -1
    while top >= 0:
        s = states[top]
        meet_chance(b, s, asked[top], chance, manner)
        if s.turn == OVER:
            if aim(b, s, 0) > best[0]:
                best[0] = aim(b, s, 0)
                best[1] = score(b, s, 0)
            if best[0] == PERFECT:
                return SETTLED
            top -= 1
            continue
        alike(b, s)
        if (goal == WIN and lost(b, s)) or not is_new(words[top], asked[top], key, seen):
            top -= 1
            continue
        n = legal(b, s, out)
        if top + n >= len(states):
            return CROWDED
        if most == 0:
            return GAVE_UP
        most -= 1
        by_promise(b, s, spare, out, weights, n)
        moved(asked[top], manner)
        spread_out(b, states, asked, out, top, n)
        top += n - 1
    return SETTLED
