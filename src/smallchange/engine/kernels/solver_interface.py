"""Functions of a game's rules and numbering that the solver calls, in the dialect of the rules."""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.engine.compile.runtime_python import entry, whole

if TYPE_CHECKING:
    from .calls import legal, place, play, progress, side_coins, stand

NOBODY = 32767  # the value of what is no position


@entry
def side_steps(boards: Any, states: Any, out: Any, coins: Any, after: Any, to_go: Any) -> None:
    """Write where a side's steps lead, and how many forward steps it needs.

    coins[n] holds sets of squares; row i of after[n, MOST] gets the sets that one step makes of set i, then -1;
    to_go[n] gets the forward steps that set i still needs. states[2].
    """
    b = boards[0]
    s = states[0]
    t = states[1]
    for i in range(len(coins)):
        stand(b, s, coins[i], 0)
        to_go[i] = progress(b, s)
        n = legal(b, s, out) if coins[i] != 0 else 0
        for k in range(n):
            states[1] = s
            play(b, t, out[k])
            after[i, k] = side_coins(b, t, 0)
        for k in range(n, len(after[i])):
            after[i, k] = -1


class SolvedBlock(NamedTuple):
    """All positions of a game, solved: row r has the coins coins[r] to move, column c has seen[c] against them."""

    coins: Any
    seen: Any
    valid: Any  # planes of bits, as `tablebase/bit_rows.py` has them
    won: Any
    lost: Any
    plies: Any  # uint8[rows, columns]: to the end; 0 where a blocked player ends the game: no position


@entry
def number_values(boards: Any, states: Any, block: Any, values: Any, first: int, last: int) -> None:
    """Write the values of rows first.. of a solved block by the numbers of their positions.

    Positions whose number is not below len(values) are left out.
    """
    b = boards[0]
    s = states[0]
    for r in range(first, last):
        for c in range(len(block.seen)):
            if (block.valid[r, c >> 6] >> (c & 63)) & 1 != 0:
                stand(b, s, block.coins[r], block.seen[c])
                i = place(b, s)
                if i < len(values):
                    v = whole(block.plies[r, c])
                    if (block.won[r, c >> 6] >> (c & 63)) & 1 != 0:
                        values[i] = v if v > 0 else NOBODY
                    elif (block.lost[r, c >> 6] >> (c & 63)) & 1 != 0:
                        values[i] = -v if v > 0 else NOBODY
