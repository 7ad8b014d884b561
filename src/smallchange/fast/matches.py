"""Whole matches in bulk, where a player may search before every move; in the dialect of the rules."""

from typing import TYPE_CHECKING, Any

from smallchange.state import OVER

from .drivers import LONGEST, play_on
from .luck import imagined, open_streams
from .tree import ACTION, PLAYOUTS, TAKEN, WAY, WAYS, grow, plant
from .twins import entry

if TYPE_CHECKING:
    from .calls import play, score


def favourite(graph: Any) -> int:
    """The root's way that was taken most; the first of equals."""
    nodes, ways, _, _, _ = graph
    best = nodes[0, WAY]
    for way in range(best, best + nodes[0, WAYS]):
        if ways[way, TAKEN] > ways[best, TAKEN]:
            best = way
    return best


@entry
def play_matches(
    boards: Any, states: Any, scores: Any, steps: Any, policy: Any, plans: Any, seed: int, first: int,
    graph: Any, path: Any, here: Any, words: Any, spare: Any, chance: Any, streams: Any,
) -> int:  # fmt: skip
    """As `play_games`, with the same throws; who has the policy SEARCH goes by the seat's row of plans.

    graph to chance: as in `grow`, whose luck is only imagined. Gives the number of moves that were searched
    for.
    """
    b = boards[0]
    _, ways, _, _, _ = graph
    out, weights, luck, seats = chance
    moves = 0
    for i in range(len(states)):
        s = states[i]
        open_streams(streams, seats, seed, first + i)
        open_streams(luck, seats, imagined(seed), first + i)
        taken = play_on(b, s, policy, LONGEST, spare, out, weights, streams, seats)
        while s.turn != OVER:
            plan = plans[s.turn]
            plant(graph, s.turn)
            grow(b, s, plan, max(1, plan[PLAYOUTS]), graph, path, here, words, spare, chance)
            play(b, s, ways[favourite(graph), ACTION])
            moves += 1
            taken += 1 + play_on(b, s, policy, LONGEST, spare, out, weights, streams, seats)
        steps[i] = taken
        for seat in range(seats):
            scores[i, seat] = score(b, s, seat)
    return moves
