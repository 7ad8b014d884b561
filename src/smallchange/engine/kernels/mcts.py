"""Monte-Carlo tree search (MCTS): select, expand, simulate, backpropagate.

It has transpositions, progressive widening, and exact odds at chance nodes.

The tree is in truth a graph: a node is a position, an edge leads from it by one step, a player's or chance's.
Positions reached by several lines of play (transpositions) are one node, found by its hash key. No position
is stored: each simulation starts from a copy of the root's, takes the steps of its path again, then plays on
by the game's move scores (the rollout). Each simulation has the usual four parts:

    selection        A player's edges are ordered by move score and tried in that order, more of them the more
                     visits the node has (progressive widening: Coulom, "Computing Elo ratings of move patterns
                     in the game of Go", 2007). Among those tried the edge with the greatest value + bonus is
                     taken, as in UCT (Kocsis and Szepesvari, "Bandit based Monte-Carlo planning", 2006), with
                     the bonus EXPLORATION / 16 * deviation of all rewards * N^(1/4) / n^(1/2) (Shah, Xie and
                     Xu, "Non-asymptotic analysis of Monte Carlo tree search", 2020), which needs no logarithm.
                     Chance takes its edges by their odds, but none much ahead of its share.
    expansion        One new node for each simulation, while there is room.
    rollout          To the end of the game, or to the depth limit; the reward is the game's utility.
    backpropagation  A node's value is the mean of its children's: weighted by the odds at a chance node, by
                     the square of the visits of each edge at a player's.

Values and rewards are utilities for seat 0, from 0 to MAX_UTILITY; two seats have opposite aims. `legal`,
`play`, `utility`, .. are functions of the game.
"""

from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import CHANCE, OVER
from smallchange.engine.compile.runtime_python import entry

from .playouts import greedy_action, sample_chance_action
from .position_hash import hash_key
from .random_streams import below, open_streams

if TYPE_CHECKING:
    from .calls import legal, move_score, odds, play, utility

# Columns of a node. ROLLOUTS: how many began at it, and REWARD the sum of theirs. MOVER: whose turn it is.
# SLOT: where it stands in the table of hash keys.
VISITS, ROLLOUTS, REWARD, FIRST_EDGE, EDGE_COUNT, MOVER, KEY, SLOT, NODE_COLUMNS = 0, 1, 2, 3, 4, 5, 6, 7, 8
# Columns of an edge. CHILD: the node it leads to, 0 while that is not known. WINS: simulations won by seat 0.
ACTION, WEIGHT, EDGE_VISITS, CHILD, WINS, EDGE_COLUMNS = 0, 1, 2, 3, 4, 5
# Counters of a tree; the sums are of the rewards of all its simulations, and of their squares.
NODES_USED, EDGES_USED, SIMULATED, REWARD_SUM, REWARD_SQUARES, COUNTERS = 0, 1, 2, 3, 4, 5
MAX_UTILITY = 1000  # more than half of it is a win

# Columns of a plan. SIMULATIONS: for a move, where matches are played in bulk. EXPLORATION: the bonus, in
# sixteenths. INITIAL_WIDTH: edges tried at first; WIDENING: how many more, in sixteenths of the root of the
# visits. RANDOM_MOVE_RATE: of 64 choices in a rollout, how many are random. DEPTH_LIMIT: steps after which a
# rollout is cut short. PRIOR_BONUS: the bonus of the edge with the best move score, in sixteenths of the others'.
SIMULATIONS, EXPLORATION, INITIAL_WIDTH, WIDENING, RANDOM_MOVE_RATE, DEPTH_LIMIT, PRIOR_BONUS = range(7)
PLAN_COLUMNS = 7


class Tree(NamedTuple):
    """The graph of one search, and the path of the simulation in progress."""

    nodes: Any  # [m, NODE_COLUMNS] of int64
    edges: Any  # [k, EDGE_COLUMNS] of int64
    values: Any  # [m] of float64: of each node, to seat 0
    slots: Any  # [2 m] of int32: the nodes by hash key (open addressing); 0 is empty
    counters: Any  # [COUNTERS] of int64
    path: Any  # [..] of int64: node, edge, node, .., from the root on
    state: Any  # [1] the position that the simulation has reached
    words: Any  # [..] of unsigned integers: a view of the bytes of that position


def reset(tree: Any, turn: int) -> None:
    """Begin anew, with the root alone."""
    for node in range(1, tree.counters[NODES_USED]):
        tree.slots[tree.nodes[node, SLOT]] = 0
    for i in range(COUNTERS):
        tree.counters[i] = 0
    add_node(tree, turn)


def add_node(tree: Any, turn: int) -> int:
    """Return a new node."""
    nodes = tree.nodes
    node = tree.counters[NODES_USED]
    for column in range(NODE_COLUMNS):
        nodes[node, column] = 0
    nodes[node, MOVER] = turn
    tree.counters[NODES_USED] += 1
    return node


def find_or_add_node(tree: Any, key: int, turn: int) -> int:
    """Return the node with this hash key; a new one if there is none yet."""
    nodes = tree.nodes
    slots = tree.slots
    slot = key % len(slots)
    while slots[slot] != 0:
        if nodes[slots[slot], KEY] == key:
            return slots[slot]
        slot = (slot + 1) % len(slots)
    node = add_node(tree, turn)
    nodes[node, KEY] = key
    nodes[node, SLOT] = slot
    slots[slot] = node
    return node


def expand(b: Any, s: Any, node: int, tree: Any, scratch: Any) -> None:
    """Give a node its edges, if there is room for them."""
    nodes = tree.nodes
    edges = tree.edges
    actions = scratch.actions
    weights = scratch.weights
    if s.turn == CHANCE:
        n = odds(b, s, actions, weights)
    else:
        n = legal(b, s, actions)
        order_by_move_score(b, s, n, scratch)
    first = tree.counters[EDGES_USED]
    if first + n > len(edges):
        return
    for i in range(n):
        edge = first + i
        for column in range(EDGE_COLUMNS):
            edges[edge, column] = 0
        edges[edge, ACTION] = actions[i]
        edges[edge, WEIGHT] = weights[i]
    nodes[node, FIRST_EDGE] = first
    nodes[node, EDGE_COUNT] = n
    tree.counters[EDGES_USED] += n


def order_by_move_score(b: Any, s: Any, n: int, scratch: Any) -> None:
    """Sort the n actions in `scratch` by move score, the greatest first, equals as they were.

    Their scores replace the weights.
    """
    actions = scratch.actions
    scores = scratch.weights
    spare = scratch.spare
    for i in range(n):
        a = actions[i]
        spare[0] = s
        t = spare[0]
        play(b, t, a)
        value = move_score(b, s, a, t)
        j = i
        while j > 0 and scores[j - 1] < value:
            actions[j] = actions[j - 1]
            scores[j] = scores[j - 1]
            j -= 1
        actions[j] = a
        scores[j] = value


def sample_chance(node: int, tree: Any, streams: Any) -> int:
    """Return an edge of a chance node by the odds; if it is ahead of its share, the next that is not."""
    nodes = tree.nodes
    edges = tree.edges
    edge = nodes[node, FIRST_EDGE]
    end = edge + nodes[node, EDGE_COUNT]
    total = 0
    visits = 0
    for i in range(edge, end):
        total += edges[i, WEIGHT]
        visits += edges[i, EDGE_VISITS]
    point = below(streams, 0, total)
    while point >= edges[edge, WEIGHT]:
        point -= edges[edge, WEIGHT]
        edge += 1
    while edges[edge, EDGE_VISITS] * total > edges[edge, WEIGHT] * visits:
        edge += 1
        if edge == end:
            edge = nodes[node, FIRST_EDGE]
    return edge


def select(node: int, plan: Any, deviation: float, tree: Any) -> int:
    """Return the edge of a player's node to try next; no new one where there is no room for new nodes.

    deviation: the standard deviation of all rewards so far.
    """
    nodes = tree.nodes
    edges = tree.edges
    values = tree.values
    visits = nodes[node, VISITS]
    first = nodes[node, FIRST_EDGE]
    n = min(nodes[node, EDGE_COUNT], plan[INITIAL_WIDTH] + int(sqrt(visits) * plan[WIDENING]) // 16)
    bonus = deviation * plan[EXPLORATION] * sqrt(sqrt(visits)) / 16
    best = first
    highest = -1.0
    for edge in range(first, first + n):
        taken = edges[edge, EDGE_VISITS]
        if taken == 0:
            if tree.counters[NODES_USED] < len(nodes):
                return edge
            continue
        value = values[edges[edge, CHILD]]
        if nodes[node, MOVER] == 1:
            value = MAX_UTILITY - value
        own = bonus * plan[PRIOR_BONUS] / 16 if edge == first else bonus
        value += own / sqrt(taken)
        if value > highest:
            highest = value
            best = edge
    return best


def update_value(node: int, tree: Any) -> None:
    """Compute a node's value anew from those of its children, and from the rollouts that began at it."""
    nodes = tree.nodes
    edges = tree.edges
    values = tree.values
    first = nodes[node, FIRST_EDGE]
    total = 0.0
    weight = 0.0
    if nodes[node, MOVER] == CHANCE:
        for edge in range(first, first + nodes[node, EDGE_COUNT]):
            if edges[edge, EDGE_VISITS] > 0:
                total += edges[edge, WEIGHT] * values[edges[edge, CHILD]]
                weight += edges[edge, WEIGHT]
    else:
        for edge in range(first, first + nodes[node, EDGE_COUNT]):
            if edges[edge, EDGE_VISITS] > 0:
                share = float(edges[edge, EDGE_VISITS]) * edges[edge, EDGE_VISITS]
                total += share * values[edges[edge, CHILD]]
                weight += share
    if weight == 0.0 or nodes[node, MOVER] != CHANCE:
        total += nodes[node, REWARD]
        weight += nodes[node, ROLLOUTS]
    values[node] = total / weight


def rollout(b: Any, s: Any, plan: Any, scratch: Any) -> None:
    """Play on to the end, or to the plan's depth limit."""
    actions = scratch.actions
    streams = scratch.streams
    rate = plan[RANDOM_MOVE_RATE]
    steps = 0
    while s.turn != OVER and steps < plan[DEPTH_LIMIT]:
        if s.turn == CHANCE:
            a = sample_chance_action(b, s, scratch)
        else:
            n = legal(b, s, actions)
            if n == 1:
                a = actions[0]
            elif rate == 64 or (rate > 0 and below(streams, 0, 64) < rate):
                a = actions[below(streams, 0, n)]
            else:
                a = greedy_action(b, s, n, scratch)
        play(b, s, a)
        steps += 1


def descend(b: Any, s: Any, plan: Any, deviation: float, tree: Any, scratch: Any) -> int:
    """Take steps within the tree until it ends, noting them in its path; return how many.

    `s` is the tree's own state. The last node of the path may be new.
    """
    nodes = tree.nodes
    edges = tree.edges
    path = tree.path
    node = 0
    steps = 0
    path[0] = 0
    while s.turn != OVER and 2 * steps + 2 < len(path):
        if nodes[node, EDGE_COUNT] == 0:
            if nodes[node, ROLLOUTS] == 0 and node != 0:
                break
            expand(b, s, node, tree, scratch)
            if nodes[node, EDGE_COUNT] == 0:
                break
        if s.turn == CHANCE:
            edge = sample_chance(node, tree, scratch.streams)
        else:
            edge = select(node, plan, deviation, tree)
        if edges[edge, CHILD] == 0 and tree.counters[NODES_USED] == len(nodes):
            break
        play(b, s, edges[edge, ACTION])
        if edges[edge, CHILD] == 0:
            edges[edge, CHILD] = find_or_add_node(tree, hash_key(tree.words), s.turn)
        node = edges[edge, CHILD]
        steps += 1
        path[2 * steps - 1] = edge
        path[2 * steps] = node
    return steps


def backpropagate(tree: Any, steps: int, reward: int) -> None:
    """Credit a simulation's reward to the path of so many steps, from its end back to the root."""
    nodes = tree.nodes
    path = tree.path
    end = path[2 * steps]
    nodes[end, ROLLOUTS] += 1
    nodes[end, REWARD] += reward
    won = 1 if 2 * reward > MAX_UTILITY else 0
    while steps >= 0:
        node = path[2 * steps]
        nodes[node, VISITS] += 1
        update_value(node, tree)
        if steps > 0:
            tree.edges[path[2 * steps - 1], EDGE_VISITS] += 1
            tree.edges[path[2 * steps - 1], WINS] += won
        steps -= 1


def simulate(b: Any, root: Any, plan: Any, n: int, tree: Any, scratch: Any) -> None:
    """Run n simulations from the root, and remember them in the tree.

    plan[PLAN_COLUMNS]. The search samples with the streams of `scratch`, stream 0 being its own choices.
    """
    counters = tree.counters
    for _ in range(n):
        mean = counters[REWARD_SUM] / max(1, counters[SIMULATED])
        deviation = sqrt(max(1.0, counters[REWARD_SQUARES] / max(1, counters[SIMULATED]) - mean * mean))
        tree.state[0] = root
        s = tree.state[0]
        steps = descend(b, s, plan, deviation, tree, scratch)
        rollout(b, s, plan, scratch)
        reward = utility(b, s, 0)
        counters[SIMULATED] += 1
        counters[REWARD_SUM] += reward
        counters[REWARD_SQUARES] += reward * reward
        backpropagate(tree, steps, reward)


@entry
def search(
    boards: Any, roots: Any, plan: Any, n: int, fresh: bool, seed: int, tree: Any, scratch: Any
) -> None:
    """Search from roots[0] by n more simulations; where `fresh`, with a new tree and under a seed."""
    if fresh:
        reset(tree, roots[0].turn)
        open_streams(scratch.streams, scratch.seats, seed, 0)
        if n == 0:
            expand(boards[0], roots[0], 0, tree, scratch)
    simulate(boards[0], roots[0], plan, n, tree, scratch)


@entry
def call_utility(b: Any, s: Any, seat: int) -> int:
    return utility(b, s, seat)
