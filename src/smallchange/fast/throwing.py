"""Moves, games and lessons by the search over all throws (`throws.py`, which says what the arguments are)."""

from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER

from .drivers import chance_action
from .learn import improve, note
from .luck import open_streams
from .throws import ACTION, OUTWARD, TABLE, TO, favourite, rate_actions, unfold
from .twins import entry

if TYPE_CHECKING:
    from .calls import features, legal, play, score, stage


def learn_boards(b: Any, s: Any, n: int, out: Any, values: Any, net: Any, graph: Any, slopes: Any) -> None:
    """Learn what the boards after each of n moves are worth, with the dice that opened them, by a search."""
    boards, _, nodes, _, _, _, steps, _, _ = graph
    for i in range(n):
        step = nodes[0, OUTWARD]
        while steps[step, ACTION] != out[i]:
            step += 1
        to = steps[step, TO]
        if nodes[to, TABLE] != -1:
            features(b, boards[to], 0, net[2])
            note(net, net[2], values[i], slopes)


@entry
def search_throws(
    sets: Any, roots: Any, width: int, depth: int, out: Any, values: Any,
    net: Any, graph: Any, lists: Any, tables: Any, wide: Any,
) -> int:  # fmt: skip
    """Search from roots[0]; the number of legal actions, which are in `out`, their worth in `values`."""
    unfold(sets[0], roots[0], width, depth, net, graph, lists, tables, wide)
    return rate_actions(sets[0], roots[0], out, values, net, graph, tables, wide)


@entry
def play_throws(
    sets: Any, states: Any, scores: Any, width: int, depth: int, seed: Any, first: int, chance: Any,
    values: Any, net: Any, graph: Any, lists: Any, tables: Any, wide: Any,
    rate: float, batch: int, slopes: Any, flat: Any,
) -> int:  # fmt: skip
    """Games by this search, with the throws of `play_games`; the moves that were thought about.

    Where `rate` is above 0 the net learns from every search, a step of this size after each `batch` games.
    """
    b = sets[0]
    out, weights, streams, seats = chance
    moves = 0
    for game in range(len(states)):
        s = states[game]
        open_streams(streams, seats, seed, first + game)
        while s.turn != OVER:
            if s.turn == CHANCE:
                play(b, s, chance_action(b, s, out, weights, streams, seats))
                continue
            n = legal(b, s, out)
            best = 0
            if n > 1 or rate > 0.0:
                unfold(b, s, width, depth, net, graph, lists, tables, wide)
                n = rate_actions(b, s, out, values, net, graph, tables, wide)
                best = favourite(values, n)
                moves += 1
                if rate > 0.0 and stage(b, s) == 1:
                    learn_boards(b, s, n, out, values, net, graph, slopes)
            play(b, s, out[best])
        if rate > 0.0 and (game + 1) % batch == 0:
            improve(flat, rate)
        scores[game] = score(b, s, 0)
    return moves
