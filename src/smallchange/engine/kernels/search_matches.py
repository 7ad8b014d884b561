"""Whole matches in bulk in which a seat searches (`mcts.py`) before every move."""

from typing import TYPE_CHECKING, Any

from smallchange.core.state import OVER
from smallchange.engine.compile.runtime_python import entry

from .mcts import ACTION, EDGE_COUNT, EDGE_VISITS, FIRST_EDGE, SIMULATIONS, reset, simulate
from .playouts import NO_STEP_LIMIT, next_action, play_on
from .random_streams import open_streams, search_seed

if TYPE_CHECKING:
    from .calls import play, score


def most_visited_edge(tree: Any) -> int:
    """Return the root's edge with the most visits; the first of equals."""
    best = tree.nodes[0, FIRST_EDGE]
    for edge in range(best, best + tree.nodes[0, EDGE_COUNT]):
        if tree.edges[edge, EDGE_VISITS] > tree.edges[best, EDGE_VISITS]:
            best = edge
    return best


def searched_action(b: Any, s: Any, plan: Any, tree: Any, imagined: Any) -> int:
    """Return the action that a search by this plan finds best."""
    reset(tree, s.turn)
    simulate(b, s, plan, max(1, plan[SIMULATIONS]), tree, imagined)
    return tree.edges[most_visited_edge(tree), ACTION]


@entry
def play_matches(
    boards: Any, batch: Any, policy: Any, plans: Any, tree: Any, imagined: Any, scratch: Any
) -> int:
    """Play a batch as `play_games` does, with the same throws; return the number of moves searched for.

    A seat with the policy SEARCH follows its row of plans[seats, PLAN_COLUMNS]. `imagined`: a Scratch of the
    search's own, whose streams foretell nothing about those of the match.
    """
    b = boards[0]
    moves = 0
    for i in range(len(batch.states)):
        s = batch.states[i]
        open_streams(scratch.streams, scratch.seats, batch.seed, batch.first + i)
        open_streams(imagined.streams, scratch.seats, search_seed(batch.seed), batch.first + i)
        taken = play_on(b, s, policy, NO_STEP_LIMIT, scratch)
        while s.turn != OVER:
            play(b, s, searched_action(b, s, plans[s.turn], tree, imagined))
            moves += 1
            taken += 1 + play_on(b, s, policy, NO_STEP_LIMIT, scratch)
        batch.steps[i] = taken
        for seat in range(scratch.seats):
            batch.scores[i, seat] = score(b, s, seat)
    return moves


@entry
def trace_match(
    boards: Any, batch: Any, policy: Any, plans: Any, taken: Any, tree: Any, imagined: Any, scratch: Any
) -> int:
    """Play the first game of a batch as `play_matches` does; write its actions to `taken`, and return their number."""
    b = boards[0]
    s = batch.states[0]
    open_streams(scratch.streams, scratch.seats, batch.seed, batch.first)
    open_streams(imagined.streams, scratch.seats, search_seed(batch.seed), batch.first)
    n = 0
    while s.turn != OVER and n < len(taken):
        a = next_action(b, s, policy, scratch)
        if a < 0:
            a = searched_action(b, s, plans[s.turn], tree, imagined)
        taken[n] = a
        play(b, s, a)
        n += 1
    return n
