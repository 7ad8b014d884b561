"""Moves, games and lessons by the search over all throws (`throws.py`, which says what the arguments are)."""

from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER, bit

from .drivers import chance_action
from .judge import greatest
from .learn import improve
from .luck import open_streams
from .net import note
from .throws import ACTION, COUNT, OUTWARD, SIDE, TABLE, TO, chosen, unfold
from .twins import entry

if TYPE_CHECKING:
    from .calls import DICE, FACES, features, legal, play, score, shows, stage, tossing


def rate_actions(
    b: Any, s: Any, out: Any, values: Any, graph: Any, tables: Any, wide: Any
) -> int:  # fmt: skip
    """Write the legal actions and what each is worth after `unfold`; how many there are."""
    _, _, nodes, _, worth, dealt, _, steps, used, _ = graph
    n = legal(b, s, out)
    for i in range(n):
        values[i] = 0.0
    if stage(b, s) == 0:
        for step in range(nodes[0, OUTWARD], nodes[0, OUTWARD] + nodes[0, COUNT]):
            for i in range(n):
                if steps[step, ACTION] == out[i]:
                    values[i] = dealt[steps[step, TO]]
        return n
    if stage(b, s) == 1:
        throw = 0
        for i in range(DICE):
            throw = FACES * throw + shows(s, i)
        for step in range(nodes[0, OUTWARD], nodes[0, OUTWARD] + nodes[0, COUNT]):
            to = steps[step, TO]
            flat = nodes[to, TABLE] == -1
            for i in range(n):
                if steps[step, ACTION] == out[i]:
                    values[i] = worth[to] if flat else float(tables[1, nodes[to, TABLE], throw])
        return n
    for dice in range(1 << DICE):
        choice = 0
        for i in range(DICE):
            choice = (FACES + 1) * choice + (FACES if dice & bit(i) != 0 else shows(s, i))
        for i in range(n):
            if out[i] == tossing(dice):
                values[i] = wide[used[SIDE], choice]
    return n


def learn_boards(b: Any, levels: int, net: Any, graph: Any, table: Any, wide: Any, slopes: Any) -> None:
    """Learn what the boards near the root are worth, on the mean of all throws, after dice were chosen."""
    boards, _, nodes, _, worth, _, _, _, used, ends = graph
    worth[0] = chosen(b, table, wide, used[SIDE])
    for node in range(ends[min(2, max(0, levels - 2))]):
        if nodes[node, TABLE] != -1:
            features(b, boards[node], 0, net[2])
            note(net, worth[node], slopes)


@entry
def search_throws(
    sets: Any, roots: Any, width: int, depth: int, out: Any, values: Any,
    net: Any, graph: Any, lists: Any, tables: Any, wide: Any,
) -> int:  # fmt: skip
    """Search from roots[0]; the number of legal actions, which are in `out`, their worth in `values`."""
    unfold(sets[0], roots[0], width, depth, net, graph, lists, tables, wide)
    return rate_actions(sets[0], roots[0], out, values, graph, tables, wide)


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
            if n > 1:
                levels = unfold(b, s, width, depth, net, graph, lists, tables, wide)
                n = rate_actions(b, s, out, values, graph, tables, wide)
                best = greatest(values, n)
                moves += 1
                if rate > 0.0 and stage(b, s) == 2:
                    learn_boards(b, levels, net, graph, tables[0, 0], wide, slopes)
            play(b, s, out[best])
        if rate > 0.0 and (game + 1) % batch == 0:
            improve(flat, rate)
        scores[game] = score(b, s, 0)
    return moves
