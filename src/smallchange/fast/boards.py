"""The boards that a search over all throws (`throws.py`) looks at, and the moves between them.

What a game's `keys.py` says: each move is opened by one die showing one face; after a move the player
chooses dice and these are rolled. Where no die opens a move the game is lost; or something must be given up,
and all dice are rolled. So a position is a board and the faces of its dice.

Boards are found level by level, a level for each move or thing given up; the best `width` of a level, by the
net's judgement, are searched on, those on whose way something was given up where the others leave room. Those
left out, and those of the last level, are worth what the net says, whatever the dice show.

graph: boards[m], their bytes words[m, :], nodes[m, NODE], digests[m], worth[m], dealt[m], their worth before
all dice are rolled, slots[2 m] to find them by their digests; steps[k, STEP], the moves between them;
used[USED]; ends[levels], where a level ends. lists: room for three rows of WAYS numbers and one of m.
"""

from typing import TYPE_CHECKING, Any

from smallchange.state import OVER

from .digest import digest
from .judge import prize
from .net import estimate

if TYPE_CHECKING:
    from .calls import lift, play, shows, stage, ways

# A board: its first step and how many; where its table is, -1 for none; where it stands among the slots; how
# many things were given up on the way to it.
OUTWARD, COUNT, TABLE, SLOT, GIVEN, NODE = 0, 1, 2, 3, 4, 5
# A step: the action, the board after it, the die and the face that open it; NO_DIE: where none opens a move.
ACTION, TO, DIE, FACE, STEP = 0, 1, 2, 3, 4
NO_DIE = -1
# How much there is: boards, steps, boards left out, and which row of `wide` has the choices at the root.
NODES, STEPS, LEFT_OUT, SIDE, USED = 0, 1, 2, 3, 4


def found(graph: Any) -> int:
    """The number of the board that was written behind the last one: an older one's if it is the same."""
    _, words, nodes, digests, _, _, slots, _, used, _ = graph
    node = used[NODES]
    key = digest(words[node])
    slot = key % len(slots)
    while slots[slot] != 0:
        if digests[slots[slot] - 1] == key:
            return slots[slot] - 1
        slot = (slot + 1) % len(slots)
    slots[slot] = node + 1
    digests[node] = key
    nodes[node, COUNT] = 0
    nodes[node, TABLE] = -1
    nodes[node, SLOT] = slot
    used[NODES] += 1
    return node


def closed(b: Any, s: Any, die: int, face: int) -> bool:
    """Is what needs this face of this die, or needs that none opens a move, not possible in a state?"""
    if stage(b, s) == 1:
        return die == NO_DIE or shows(s, die) != face
    return stage(b, s) == 0 and die != NO_DIE


def branch(b: Any, s: Any, node: int, net: Any, graph: Any, lists: Any) -> None:
    """Find the boards one move after a board, from the root those open now; where there is no room for them
    it is judged itself."""
    boards, _, nodes, _, worth, dealt, _, steps, used, _ = graph
    actions, dice, faces, _ = lists
    n = ways(b, boards[node], actions, dice, faces)
    if used[NODES] + n >= len(boards) or used[STEPS] + n > len(steps):
        used[LEFT_OUT] += 1
        if node > 0:
            nodes[node, TABLE] = -1  # what the net says of it stays
        return
    nodes[node, OUTWARD] = used[STEPS]
    before = -1
    to = 0
    for i in range(n):
        if node == 0 and closed(b, s, dice[i], faces[i]):
            continue
        if actions[i] != before:
            before = actions[i]
            last = used[NODES]
            boards[last] = boards[node]
            t = boards[last]
            play(b, t, before)
            lift(b, t)
            to = found(graph)
            if to == last:
                worth[to] = prize(b, t, s.turn, net) if t.turn == OVER else estimate(b, t, s.turn, net)
                dealt[to] = worth[to]
                nodes[to, GIVEN] = nodes[node, GIVEN] + (1 if dice[i] == NO_DIE else 0)
        step = used[STEPS]
        used[STEPS] += 1
        steps[step, ACTION] = before
        steps[step, TO] = to
        steps[step, DIE] = dice[i]
        steps[step, FACE] = faces[i]
    nodes[node, COUNT] = used[STEPS] - nodes[node, OUTWARD]


def smallest(row: Any, n: int, k: int) -> float:
    """Of n numbers the one that k are before in ascending order (Hoare's "Find"); the row is reordered."""
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


def rank(nodes: Any, worth: Any, node: int) -> float:
    """By what boards of a level are searched on: first those on whose way least was given up, of these the
    best."""
    return worth[node] - 2.0 * nodes[node, GIVEN]


def pick(graph: Any, first: int, width: int, order: Any) -> int:
    """Give the first boards of the last level their tables; how many there are."""
    boards, _, nodes, _, worth, _, _, _, used, _ = graph
    last = used[NODES]
    n = 0
    for node in range(first, last):
        if boards[node].turn != OVER:
            order[n] = -rank(nodes, worth, node)
            n += 1
    least = -100.0
    if n > width:
        least = -smallest(order, n, width - 1)
        used[LEFT_OUT] += n - width
    kept = 0
    for node in range(first, last):
        if kept < width and rank(nodes, worth, node) >= least and boards[node].turn != OVER:
            nodes[node, TABLE] = kept
            kept += 1
    return kept


def spread_out(b: Any, s: Any, width: int, depth: int, net: Any, graph: Any, lists: Any) -> int:
    """Find the boards from that of `s` on, so many moves deep; the last level."""
    boards, _, nodes, _, _, _, slots, _, used, ends = graph
    for node in range(used[NODES]):
        slots[nodes[node, SLOT]] = 0
    for i in range(USED):
        used[i] = 0
    boards[0] = s
    lift(b, boards[0])
    nodes[found(graph), TABLE] = 0
    level = 0
    first = 0
    ends[0] = 1
    while level < depth and level + 1 < len(ends):
        for node in range(first, ends[level]):
            if nodes[node, TABLE] != -1:
                branch(b, s, node, net, graph, lists)
        first = ends[level]
        level += 1
        ends[level] = used[NODES]
        if level < depth and pick(graph, first, width, lists[3]) == 0:
            return level
    used[LEFT_OUT] += used[NODES] - first
    return level
