"""Monte-Carlo tree search, written once for all games, in the dialect of the rules.

What is searched is a graph: a node is a position, a way leads from it by one step, a player's or chance's.
Positions reached on several ways are one node, told by a digest of their bytes. No position is kept: each
play-out starts from a copy of the root's and takes the steps of its path again, then plays on by the rule
of thumb. What a node is worth follows from the nodes its ways lead to: by the odds at a chance step; at a
player's step each way counts by the square of how often it was taken.

A player's ways are in the order of what the rule of thumb promises, and are tried in that order, more of
them the more often their node was visited (progressive widening). Among those tried the play-out takes the
one where worth + bonus is greatest, the bonus being EAGER / 16 times the spread of all play-outs times
N^(1/4) / n^(1/2) (Shah, Xie and Xu, "Non-asymptotic analysis of Monte Carlo tree search", 2020; it needs no
logarithm). Chance takes its ways by their odds, but none much ahead of its share.

The names `legal`, `play`, `aim`, .. are those of the game (`weave.py`). Two seats have opposite aims.
"""

from math import sqrt
from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER

from .digest import digest
from .drivers import chance_action, greedy_action
from .luck import below, open_streams
from .twins import entry

if TYPE_CHECKING:
    from .calls import aim, legal, odds, play, promise

# A node: visits; play-outs begun at it and what they gained; its first way and how many; whose turn; digest
# and where in the table of digests it is.
VISITS, OUTS, GAIN, WAY, WAYS, TURN, KEY, SLOT, NODE = 0, 1, 2, 3, 4, 5, 6, 7, 8
# A way: its action, its odds, how often taken, the node it leads to (0: not known yet), play-outs won.
ACTION, WEIGHT, TAKEN, TO, WON, STEP = 0, 1, 2, 3, 4, 5
NODES, EDGES, TRIALS, SUM, SQUARES, USED = 0, 1, 2, 3, 4, 5  # ways are edges; play-outs, sums of their gains
PERFECT = 1000  # what the best end is worth; more than half of it is a win

# How to search, the columns of a plan: play-outs for a move, where matches are played in bulk; sixteenths of
# the bonus; ways tried to begin with; how many more, in sixteenths of the root of visits; how many of 64
# choices in a play-out are random; steps after which one is cut short; sixteenths of the bonus that the rule
# of thumb's own choice has.
PLAYOUTS, EAGER, WIDTH, WIDEN, RASH, FAR, LEAD = 0, 1, 2, 3, 4, 5, 6


def plant(graph: Any, turn: int) -> None:
    """Begin anew, with the root alone."""
    nodes, _, _, slots, used = graph
    for node in range(1, used[NODES]):
        slots[nodes[node, SLOT]] = 0
    for i in range(USED):
        used[i] = 0
    add(graph, turn)


def add(graph: Any, turn: int) -> int:
    """A new node."""
    nodes, _, _, _, used = graph
    node = used[NODES]
    for column in range(NODE):
        nodes[node, column] = 0
    nodes[node, TURN] = turn
    used[NODES] += 1
    return node


def found(graph: Any, key: int, turn: int) -> int:
    """The node with this digest, a new one if there is none yet."""
    nodes, _, _, slots, _ = graph
    place = key % len(slots)
    while slots[place] != 0:
        if nodes[slots[place], KEY] == key:
            return slots[place]
        place = (place + 1) % len(slots)
    node = add(graph, turn)
    nodes[node, KEY] = key
    nodes[node, SLOT] = place
    slots[place] = node
    return node


def expand(b: Any, s: Any, node: int, graph: Any, spare: Any, chance: Any) -> None:
    """Give a node its ways, if there is room for them."""
    nodes, ways, _, _, used = graph
    out, weights, _, _ = chance
    if s.turn == CHANCE:
        n = odds(b, s, out, weights)
    else:
        n = legal(b, s, out)
        by_promise(b, s, spare, out, weights, n)
    if used[EDGES] + n > len(ways):
        return
    for i in range(n):
        way = used[EDGES] + i
        for column in range(STEP):
            ways[way, column] = 0
        ways[way, ACTION] = out[i]
        ways[way, WEIGHT] = weights[i]
    nodes[node, WAY] = used[EDGES]
    nodes[node, WAYS] = n
    used[EDGES] += n


def by_promise(b: Any, s: Any, spare: Any, out: Any, hopes: Any, n: int) -> None:
    """Sort n actions: what promises most first, equals as they were."""
    for i in range(n):
        a = out[i]
        spare[0] = s
        t = spare[0]
        play(b, t, a)
        hope = promise(b, s, a, t)
        j = i
        while j > 0 and hopes[j - 1] < hope:
            out[j] = out[j - 1]
            hopes[j] = hopes[j - 1]
            j -= 1
        out[j] = a
        hopes[j] = hope


def fallen(node: int, graph: Any, streams: Any) -> int:
    """A way of chance's: by the odds, but if it is ahead of its share then the next that is not."""
    nodes, ways, _, _, _ = graph
    way = nodes[node, WAY]
    end = way + nodes[node, WAYS]
    total = 0
    visits = 0
    for i in range(way, end):
        total += ways[i, WEIGHT]
        visits += ways[i, TAKEN]
    rest = below(streams, 0, total)
    while rest >= ways[way, WEIGHT]:
        rest -= ways[way, WEIGHT]
        way += 1
    while ways[way, TAKEN] * total > ways[way, WEIGHT] * visits:
        way += 1
        if way == end:
            way = nodes[node, WAY]
    return way


def tried(node: int, plan: Any, spread: float, graph: Any) -> int:
    """The way of a player's that is tried next; no new one where there is no room for new nodes."""
    nodes, ways, worth, _, used = graph
    visits = nodes[node, VISITS]
    first = nodes[node, WAY]
    n = min(nodes[node, WAYS], plan[WIDTH] + int(sqrt(visits) * plan[WIDEN]) // 16)
    bonus = spread * plan[EAGER] * sqrt(sqrt(visits)) / 16
    best = first
    highest = -1.0
    for way in range(first, first + n):
        taken = ways[way, TAKEN]
        if taken == 0:
            if used[NODES] < len(nodes):
                return way
            continue
        hope = worth[ways[way, TO]]
        if nodes[node, TURN] == 1:
            hope = PERFECT - hope
        lead = bonus * plan[LEAD] / 16 if way == first else bonus
        hope += lead / sqrt(taken)
        if hope > highest:
            highest = hope
            best = way
    return best


def reckon(node: int, graph: Any) -> None:
    """Write what a node is worth, to seat 0, from what is known of where its ways lead."""
    nodes, ways, worth, _, _ = graph
    first = nodes[node, WAY]
    total = 0.0
    weight = 0.0
    if nodes[node, TURN] == CHANCE:
        for way in range(first, first + nodes[node, WAYS]):
            if ways[way, TAKEN] > 0:
                total += ways[way, WEIGHT] * worth[ways[way, TO]]
                weight += ways[way, WEIGHT]
    else:
        for way in range(first, first + nodes[node, WAYS]):
            if ways[way, TAKEN] > 0:
                share = float(ways[way, TAKEN]) * ways[way, TAKEN]
                total += share * worth[ways[way, TO]]
                weight += share
    if weight == 0.0 or nodes[node, TURN] != CHANCE:
        total += nodes[node, GAIN]
        weight += nodes[node, OUTS]
    worth[node] = total / weight


def play_out(b: Any, s: Any, plan: Any, spare: Any, chance: Any) -> None:
    """Play on to the end, or as far as the plan goes."""
    out, weights, streams, seats = chance
    steps = 0
    while s.turn != OVER and steps < plan[FAR]:
        if s.turn == CHANCE:
            a = chance_action(b, s, out, weights, streams, seats)
        else:
            n = legal(b, s, out)
            if n == 1:
                a = out[0]
            elif plan[RASH] == 64 or (plan[RASH] > 0 and below(streams, 0, 64) < plan[RASH]):
                a = out[below(streams, 0, n)]
            else:
                a = greedy_action(b, s, spare, out, n, weights, streams)
        play(b, s, a)
        steps += 1


def descend(
    b: Any, s: Any, words: Any, plan: Any, spread: float, graph: Any, path: Any, spare: Any, chance: Any
) -> int:
    """Take steps in the graph until it ends, noting node, way, node, .. in `path`; the steps taken."""
    nodes, ways, _, _, used = graph
    node = 0
    steps = 0
    path[0] = 0
    while s.turn != OVER and 2 * steps + 2 < len(path):
        if nodes[node, WAYS] == 0:
            if nodes[node, OUTS] == 0 and node != 0:
                break
            expand(b, s, node, graph, spare, chance)
            if nodes[node, WAYS] == 0:
                break
        if s.turn == CHANCE:
            way = fallen(node, graph, chance[2])
        else:
            way = tried(node, plan, spread, graph)
        if ways[way, TO] == 0 and used[NODES] == len(nodes):
            break
        play(b, s, ways[way, ACTION])
        if ways[way, TO] == 0:
            ways[way, TO] = found(graph, digest(words), s.turn)
        node = ways[way, TO]
        steps += 1
        path[2 * steps - 1] = way
        path[2 * steps] = node
    return steps


def grow(
    b: Any, root: Any, plan: Any, n: int, graph: Any, path: Any, here: Any, words: Any, spare: Any,
    chance: Any,
) -> None:  # fmt: skip
    """Play n times out from the root, and remember it in the graph.

    graph: nodes[m, NODE], ways[k, STEP], worth[m] (floats), slots[at least 2 m] and used[USED]. path: room
    for nodes and ways in turn; here[1] and spare[1], states; words, the bytes of here. chance: out and
    weights, MOST + 1 long; streams as in `play_games`; seats.
    """
    nodes, ways, _, _, used = graph
    for _ in range(n):
        mean = used[SUM] / max(1, used[TRIALS])
        spread = sqrt(max(1.0, used[SQUARES] / max(1, used[TRIALS]) - mean * mean))
        here[0] = root
        s = here[0]
        steps = descend(b, s, words, plan, spread, graph, path, spare, chance)
        play_out(b, s, plan, spare, chance)
        gain = aim(b, s, 0)
        used[TRIALS] += 1
        used[SUM] += gain
        used[SQUARES] += gain * gain
        end = path[2 * steps]
        nodes[end, OUTS] += 1
        nodes[end, GAIN] += gain
        won = 1 if 2 * gain > PERFECT else 0
        while steps >= 0:
            node = path[2 * steps]
            nodes[node, VISITS] += 1
            reckon(node, graph)
            if steps > 0:
                ways[path[2 * steps - 1], TAKEN] += 1
                ways[path[2 * steps - 1], WON] += won
            steps -= 1


@entry
def search(
    boards: Any, roots: Any, plan: Any, n: int, fresh: bool, seed: int, graph: Any, path: Any, here: Any,
    words: Any, spare: Any, chance: Any,
) -> None:  # fmt: skip
    """Search on from roots[0], a player's step, by n play-outs; where it is fresh, anew and under a seed."""
    if fresh:
        plant(graph, roots[0].turn)
        open_streams(chance[2], chance[3], seed, 0)
        if n == 0:
            expand(boards[0], roots[0], 0, graph, spare, chance)
    grow(boards[0], roots[0], plan, n, graph, path, here, words, spare, chance)


@entry
def call_aim(b: Any, s: Any, seat: int) -> int:
    return aim(b, s, seat)
