"""Whole matches in bulk, where a player may search before every move; in the dialect of the rules."""

from typing import TYPE_CHECKING, Any

from smallchange.state import OVER

from .drivers import LONGEST, play_on
from .luck import imagined, open_streams
from .tree import ACTION, PLAYOUTS, favourite, grow, plant
from .twins import entry

if TYPE_CHECKING:
    from .calls import play, score


@entry
def play_matches(
    boards: Any, states: Any, scores: Any, steps: Any, policy: Any, plans: Any, seed: int, first: int,
    nodes: Any, ways: Any, worth: Any, slots: Any, used: Any, path: Any,
    here: Any, words: Any, spare: Any, out: Any, weights: Any, luck: Any, seats: int, streams: Any,
) -> int:  # fmt: skip
    """As `play_games`, with the same throws; who has the policy SEARCH goes by the seat's row of plans.

    luck: as streams, for what is only imagined. Gives the number of moves that were searched for.
    """
    b = boards[0]
    moves = 0
    for i in range(len(states)):
        s = states[i]
        open_streams(streams, seats, seed, first + i)
        open_streams(luck, seats, imagined(seed), first + i)
        taken = play_on(b, s, policy, LONGEST, spare, out, weights, streams, seats)
        while s.turn != OVER:
            plan = plans[s.turn]
            plant(nodes, slots, used, s.turn)
            grow(
                b, s, plan, plan[PLAYOUTS], nodes, ways, worth, slots, used, path, here, words, spare, out,
                weights, luck, seats,
            )  # fmt: skip
            play(b, s, ways[favourite(nodes, ways), ACTION])
            moves += 1
            taken += 1 + play_on(b, s, policy, LONGEST, spare, out, weights, streams, seats)
        steps[i] = taken
        for seat in range(seats):
            scores[i, seat] = score(b, s, seat)
    return moves
