"""The graph of boards that the expectimax search over dice (`expectimax_dice.py`) looks at.

The game's `ai/dice_moves.py` says: each move is opened by one die showing one face; after a move the player
chooses dice and these are rolled. Where no die opens a move the game is lost; or something must be given up,
and all dice are rolled. So a position is a board and the faces of its dice.

Boards are found level by level, a level for each move or thing given up. The best `width` of a level, by the
net's evaluation, are expanded (beam search); those on whose way something was given up only where the others
leave room. Those left out, and those of the last level, are worth what the net says, whatever the dice show.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import OVER

from .afterstate_search import terminal_value
from .position_hash import hash_key
from .value_net import net_value

if TYPE_CHECKING:
    from .calls import canonicalize, dice_moves, dice_stage, die_face, is_lost, pick_up_dice, play

# Columns of a node. TABLE: where its table of throws is, -1 for none. SLOT: where it stands among the slots.
# GIVEN_UP: how many things were given up on the way to it.
FIRST_MOVE, MOVE_COUNT, TABLE, SLOT, GIVEN_UP, NODE_COLUMNS = 0, 1, 2, 3, 4, 5
# Columns of a move. CHILD: the node after it. DIE and FACE open it; NO_DIE: where none opens a move.
ACTION, CHILD, DIE, FACE, MOVE_COLUMNS = 0, 1, 2, 3, 4
NO_DIE = -1
# Counters. LEFT_OUT: boards that were not expanded. ROOT_SIDE: the row of `choices` that has those at the root.
NODES_USED, MOVES_USED, LEFT_OUT, ROOT_SIDE, COUNTERS = 0, 1, 2, 3, 4


class BoardGraph(NamedTuple):
    """The boards found, and the moves between them."""

    boards: Any  # [m] states
    words: Any  # [m, ..] of unsigned integers: a view of their bytes
    nodes: Any  # [m, NODE_COLUMNS] of int64
    keys: Any  # [m] of int64: hash keys
    values: Any  # [m] of float64, to the player
    rolled_values: Any  # [m] of float64: the values before all dice are rolled
    slots: Any  # [2 m] of int32: the boards by hash key, as number + 1; 0 is empty
    moves: Any  # [k, MOVE_COLUMNS] of int64
    counters: Any  # [COUNTERS] of int64
    level_ends: Any  # [levels] of int64: the last board of each level, + 1
    actions: Any  # [MAX_DICE_MOVES] of int64: room for the moves of a board
    dice: Any  # [MAX_DICE_MOVES] of int64
    faces: Any  # [MAX_DICE_MOVES] of int64
    order: Any  # [m] of float64: room to sort


def find_or_add_board(graph: Any) -> int:
    """Return the number of the board written behind the last one; that of an equal one, if there is one."""
    nodes = graph.nodes
    slots = graph.slots
    node = graph.counters[NODES_USED]
    key = hash_key(graph.words[node])
    slot = key % len(slots)
    while slots[slot] != 0:
        if graph.keys[slots[slot] - 1] == key:
            return slots[slot] - 1
        slot = (slot + 1) % len(slots)
    slots[slot] = node + 1
    graph.keys[node] = key
    nodes[node, MOVE_COUNT] = 0
    nodes[node, TABLE] = -1
    nodes[node, SLOT] = slot
    graph.counters[NODES_USED] += 1
    return node


def is_closed(b: Any, s: Any, die: int, face: int) -> bool:
    """Return whether a move that needs this face of this die, or NO_DIE, is not possible in a state."""
    if dice_stage(b, s) == 1:
        return die == NO_DIE or die_face(s, die) != face
    return dice_stage(b, s) == 0 and die != NO_DIE


def expand_board(b: Any, s: Any, node: int, net: Any, graph: Any) -> None:
    """Find the boards one move after a board; from the root only by moves that are open now.

    A board for which there is no room keeps the value that the net gave it.
    """
    boards = graph.boards
    nodes = graph.nodes
    moves = graph.moves
    counters = graph.counters
    actions = graph.actions
    dice = graph.dice
    faces = graph.faces
    n = dice_moves(b, boards[node], actions, dice, faces)
    if counters[NODES_USED] + n >= len(boards) or counters[MOVES_USED] + n > len(moves):
        counters[LEFT_OUT] += 1
        if node > 0:
            nodes[node, TABLE] = -1
        return
    nodes[node, FIRST_MOVE] = counters[MOVES_USED]
    before = -1
    child = 0
    for i in range(n):
        if node == 0 and is_closed(b, s, dice[i], faces[i]):
            continue
        if actions[i] != before:
            before = actions[i]
            last = counters[NODES_USED]
            boards[last] = boards[node]
            t = boards[last]
            play(b, t, before)
            pick_up_dice(b, t)
            canonicalize(b, t)
            child = find_or_add_board(graph)
            if child == last:
                over = t.turn == OVER
                value = terminal_value(b, t, s.turn, net) if over else net_value(b, t, s.turn, net)
                graph.values[child] = value
                graph.rolled_values[child] = value
                gives_up = dice[i] == NO_DIE or (not over and is_lost(b, t))
                nodes[child, GIVEN_UP] = nodes[node, GIVEN_UP] + (1 if gives_up else 0)
        move = counters[MOVES_USED]
        counters[MOVES_USED] += 1
        moves[move, ACTION] = before
        moves[move, CHILD] = child
        moves[move, DIE] = dice[i]
        moves[move, FACE] = faces[i]
    nodes[node, MOVE_COUNT] = counters[MOVES_USED] - nodes[node, FIRST_MOVE]


def smallest(row: Any, n: int, k: int) -> float:
    """Return the number that k of n are before in ascending order; the row is reordered.

    Quickselect: Hoare, "Algorithm 65: Find", 1961.
    """
    low = 0
    high = n - 1
    while low < high:
        middle = row[k]
        i = low
        j = high
        while i <= j:
            while row[i] < middle:
                i += 1
            while row[j] > middle:
                j -= 1
            if i <= j:
                x = row[i]
                row[i] = row[j]
                row[j] = x
                i += 1
                j -= 1
        if j < k:
            low = i
        if i > k:
            high = j
    return row[k]


def rank(graph: Any, node: int) -> float:
    """Return the number by which boards are chosen: those on whose way least was given up, then the best."""
    return graph.values[node] - 2.0 * graph.nodes[node, GIVEN_UP]


def choose_beam(graph: Any, first: int, width: int) -> int:
    """Give the best boards of the last level, which begins at `first`, their tables; return how many."""
    boards = graph.boards
    order = graph.order
    last = graph.counters[NODES_USED]
    n = 0
    for node in range(first, last):
        if boards[node].turn != OVER:
            order[n] = -rank(graph, node)
            n += 1
    least = -100.0
    if n > width:
        least = -smallest(order, n, width - 1)
        graph.counters[LEFT_OUT] += n - width
    kept = 0
    for node in range(first, last):
        if kept < width and rank(graph, node) >= least and boards[node].turn != OVER:
            graph.nodes[node, TABLE] = kept
            kept += 1
    return kept


def find_boards(b: Any, s: Any, width: int, depth: int, net: Any, graph: Any) -> int:
    """Find the boards from that of `s` on, so many moves deep; return the last level."""
    nodes = graph.nodes
    counters = graph.counters
    ends = graph.level_ends
    for node in range(counters[NODES_USED]):
        graph.slots[nodes[node, SLOT]] = 0
    for i in range(COUNTERS):
        counters[i] = 0
    graph.boards[0] = s
    pick_up_dice(b, graph.boards[0])
    nodes[find_or_add_board(graph), TABLE] = 0
    level = 0
    first = 0
    ends[0] = 1
    while level < depth and level + 1 < len(ends):
        for node in range(first, ends[level]):
            if nodes[node, TABLE] != -1:
                expand_board(b, s, node, net, graph)
        first = ends[level]
        level += 1
        ends[level] = counters[NODES_USED]
        if level < depth and choose_beam(graph, first, width) == 0:
            return level
    counters[LEFT_OUT] += counters[NODES_USED] - first
    return level
