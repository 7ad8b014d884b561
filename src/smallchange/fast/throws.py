"""A search over all throws at once, for games where dice open moves and any of them may be rolled again.

One table holds the worth of every throw on a board (`boards.py`), FACES ** DICE numbers: where a die shows
the key to a move, the worth of the board after it with the same dice. From it follows the worth of every
choice of dice, one die at a time: rolling it is one face more, the mean of the others. Where no board was
left out the result is exact.

graph and lists: see `boards.py`. tables[2, width, FACES ** DICE], of a level and the next;
wide[2, (FACES + 1) ** DICE]. out and values: room for the legal actions, and what each is worth.
"""

from typing import TYPE_CHECKING, Any

from smallchange.state import OVER, bit

from .boards import ACTION, COUNT, DIE, FACE, NO_DIE, OUTWARD, SIDE, TABLE, TO, spread_out
from .drivers import LONGEST, play_on
from .judge import greatest, prize
from .learn import improve
from .luck import open_streams
from .net import note
from .twins import entry

if TYPE_CHECKING:
    from .calls import DICE, FACES, choosy, features, legal, play, score, shows, stage, tossing

UNOPENED = -1.0  # less than any worth


def weigh(b: Any, seat: int, node: int, net: Any, graph: Any, after: Any, table: Any) -> None:
    """Write into `table` what every throw is worth on a board, given the tables of the boards after it."""
    boards, _, nodes, _, worth, dealt, _, steps, _, _ = graph
    first = nodes[node, OUTWARD]
    last = first + nodes[node, COUNT]
    saved = UNOPENED
    for step in range(first, last):
        if steps[step, DIE] == NO_DIE:
            saved = max(saved, dealt[steps[step, TO]])
    stuck = UNOPENED if saved != UNOPENED else prize(b, boards[node], seat, net)
    for k in range(len(table)):
        table[k] = stuck
    for step in range(first, last):
        if steps[step, DIE] == NO_DIE:
            continue
        to = steps[step, TO]
        inner = 1
        for _ in range(steps[step, DIE], DICE - 1):
            inner *= FACES
        start = inner * steps[step, FACE]
        while start < len(table):
            if nodes[to, TABLE] == -1:
                for k in range(start, start + inner):
                    table[k] = max(table[k], worth[to])
            else:
                row = after[nodes[to, TABLE]]
                for k in range(start, start + inner):
                    table[k] = max(table[k], row[k])
            start += inner * FACES
    if saved != UNOPENED:
        for k in range(len(table)):
            if table[k] == UNOPENED:
                table[k] = saved


def rolled(table: Any, wide: Any) -> int:
    """Give each die, the last first, one more face that stands for rolling it: the mean of the others.

    Gives the row of wide[2, (FACES + 1) ** DICE] with the result.
    """
    more = FACES + 1
    outer = len(table)
    inner = 1
    source = table
    side = 0
    for _ in range(DICE):
        outer //= FACES
        target = wide[side]
        for i in range(outer):
            for k in range(inner):
                total = source[i * FACES * inner + k]
                target[i * more * inner + k] = total
                for face in range(1, FACES):
                    x = source[(i * FACES + face) * inner + k]
                    target[(i * more + face) * inner + k] = x
                    total += x
                target[(i * more + FACES) * inner + k] = total / FACES
        inner *= more
        source = target
        side = 1 - side
    return 1 - side


def chosen(b: Any, table: Any, wide: Any, side: int) -> float:
    """Write into `table` what the best choice of dice is worth after every throw; the mean.

    wide[side]: what every choice is worth, as `rolled` left it.
    """
    more = FACES + 1
    inner = len(wide[side])
    if choosy(b) == 0:
        flat = wide[side, inner - 1]
        for k in range(len(table)):
            table[k] = flat
        return float(flat)
    outer = 1
    for die in range(DICE):
        inner //= more
        source = wide[side]
        target = table if die == DICE - 1 else wide[1 - side]
        for i in range(outer):
            for face in range(FACES):
                for k in range(inner):
                    target[(i * FACES + face) * inner + k] = max(
                        source[(i * more + face) * inner + k], source[(i * more + FACES) * inner + k]
                    )
        outer *= FACES
        side = 1 - side
    total = 0.0
    for k in range(len(table)):
        total += table[k]
    return total / len(table)


def unfold(
    b: Any, s: Any, width: int, depth: int, net: Any, graph: Any, lists: Any, tables: Any, wide: Any
) -> int:
    """Search from a player's step; the levels. The tables of level 1 are in tables[1] when it is done."""
    _, _, nodes, _, worth, dealt, _, _, used, ends = graph
    levels = spread_out(b, s, width, depth, net, graph, lists)
    for level in range(levels - 1, -1, -1):
        for node in range(ends[level - 1] if level > 0 else 0, ends[level]):
            if nodes[node, TABLE] != -1:
                table = tables[level % 2, nodes[node, TABLE]]
                weigh(b, s.turn, node, net, graph, tables[1 - level % 2], table)
                used[SIDE] = rolled(table, wide)
                dealt[node] = wide[used[SIDE], len(wide[0]) - 1]
                if level > 0:
                    worth[node] = chosen(b, table, wide, used[SIDE])
    return levels


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
    sets: Any, states: Any, scores: Any, steps: Any, policy: Any, width: int, depth: int, seed: Any,
    first: int, chance: Any, spare: Any, values: Any, net: Any, graph: Any, lists: Any, tables: Any,
    wide: Any, rate: float, batch: int, slopes: Any, flat: Any,
) -> int:  # fmt: skip
    """Games by this search, with the throws of `play_games`; the moves that were thought about. policy[1]:
    SEARCH.

    Where `rate` is above 0 the net learns from every search, a step of this size after each `batch` games.
    """
    b = sets[0]
    out, weights, streams, seats = chance
    moves = 0
    for game in range(len(states)):
        s = states[game]
        open_streams(streams, seats, seed, first + game)
        steps[game] = play_on(b, s, policy, LONGEST, spare, out, weights, streams, seats)
        while s.turn != OVER:
            levels = unfold(b, s, width, depth, net, graph, lists, tables, wide)
            best = greatest(values, rate_actions(b, s, out, values, graph, tables, wide))
            if rate > 0.0 and stage(b, s) == 2:
                learn_boards(b, levels, net, graph, tables[0, 0], wide, slopes)
            play(b, s, out[best])
            moves += 1
            steps[game] += 1 + play_on(b, s, policy, LONGEST, spare, out, weights, streams, seats)
        if rate > 0.0 and (game + 1) % batch == 0:
            improve(flat, rate)
        scores[game] = score(b, s, 0)
    return moves
