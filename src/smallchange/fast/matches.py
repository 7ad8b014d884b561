"""Whole matches in bulk, where a player may search before every move; in the dialect of the rules."""

from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER

from .drivers import GREEDY, RANDOM, chance_action, greedy_action
from .luck import below, imagined, open_streams
from .tree import ACTION, PLAYOUTS, favourite, grow, plant
from .twins import entry

if TYPE_CHECKING:
    from .calls import legal, play, score

SEARCH = 2  # a policy beside RANDOM and GREEDY


@entry
def play_matches(
    boards: Any, states: Any, scores: Any, steps: Any, policy: Any, plans: Any, seed: int, first: int,
    nodes: Any, ways: Any, worth: Any, slots: Any, used: Any, path: Any,
    here: Any, words: Any, spare: Any, out: Any, weights: Any, luck: Any, seats: int, streams: Any,
) -> int:  # fmt: skip
    """As `play_games`, with the same throws; policy may be SEARCH too, by the seat's row of plans.

    luck: as streams, for what is only imagined. Gives the number of moves that were searched for.
    """
    b = boards[0]
    moves = 0
    for i in range(len(states)):
        s = states[i]
        open_streams(streams, seats, seed, first + i)
        open_streams(luck, seats, imagined(seed), first + i)
        taken = 0
        while s.turn != OVER:
            if s.turn == CHANCE:
                a = chance_action(b, s, out, weights, streams, seats)
            else:
                n = legal(b, s, out)
                if policy[s.turn] == RANDOM:
                    a = out[below(streams, s.turn, n)]
                elif policy[s.turn] == GREEDY:
                    a = greedy_action(b, s, spare, out, n, weights, streams)
                elif n == 1:
                    a = out[0]
                else:
                    plan = plans[s.turn]
                    plant(nodes, slots, used, s.turn)
                    grow(
                        b, s, plan, plan[PLAYOUTS], nodes, ways, worth, slots, used, path, here, words,
                        spare, out, weights, luck, seats,
                    )  # fmt: skip
                    a = ways[favourite(nodes, ways), ACTION]
                    moves += 1
            play(b, s, a)
            taken += 1
        steps[i] = taken
        for seat in range(seats):
            scores[i, seat] = score(b, s, seat)
    return moves
