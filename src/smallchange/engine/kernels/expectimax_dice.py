"""Expectimax over all throws at once, for games where dice open moves and any of them may be rolled again.

Expectimax takes the maximum at a player's choice and the mean at chance's (Michie, "Game-playing and
game-learning automata", 1966; Ballard, "The *-minimax search procedure for trees containing chance nodes",
1983). Here one table holds the value of every throw on a board (`expectimax_graph.py`), FACES ** DICE numbers:
where a die shows the key to a move, the value of the board after it with the same dice. From it follows the
value of every choice of dice, one die at a time: rolling it is one face more, the mean of the others. Where dice
may be chosen and rolled several times a turn, this is done as often, the last roll first. Where no board was left
out the result is exact.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import OVER, bit
from smallchange.engine.compile.runtime_python import entry

from .afterstate_search import index_of_greatest, terminal_value
from .expectimax_graph import (
    ACTION,
    CHILD,
    DIE,
    FACE,
    FIRST_MOVE,
    MOVE_COUNT,
    NO_DIE,
    ROOT_SIDE,
    TABLE,
    find_boards,
)
from .playouts import NO_STEP_LIMIT, play_on
from .random_streams import open_streams
from .td_learning import improve
from .value_net import add_gradients

if TYPE_CHECKING:
    from .calls import (
        DICE,
        FACES,
        dice_stage,
        die_face,
        features,
        legal,
        may_keep_dice,
        play,
        roll_action,
        rolls_per_turn,
        rolls_to_come,
        score,
    )

UNOPENED = -1.0  # less than any value


class DiceSearch(NamedTuple):
    """A net and the room for one search by it."""

    net: Any  # Net
    graph: Any  # BoardGraph
    tables: Any  # [2, width, FACES ** DICE] of float32: the values of throws, of a level and the next
    choices: Any  # [2, (FACES + 1) ** DICE] of float32: the values of choices of dice
    values: Any  # [MOST + 1] of float64: of the legal actions


class DiceLesson(NamedTuple):
    """The settings of learning from searches."""

    learning_rate: float  # 0 to learn nothing
    batch: int  # games between two steps of the net
    gradients: Any  # Gradients
    adam: Any  # Adam


def write_table(b: Any, seat: int, node: int, search: Any, after: Any, table: Any) -> None:
    """Write into `table` the value of every throw on a board, given the tables of the boards after it."""
    graph = search.graph
    nodes = graph.nodes
    moves = graph.moves
    first = nodes[node, FIRST_MOVE]
    last = first + nodes[node, MOVE_COUNT]
    saved = UNOPENED
    for move in range(first, last):
        if moves[move, DIE] == NO_DIE:
            saved = max(saved, graph.rolled_values[moves[move, CHILD]])
    stuck = UNOPENED if saved != UNOPENED else terminal_value(b, graph.boards[node], seat, search.net)
    for k in range(len(table)):
        table[k] = stuck
    for move in range(first, last):
        if moves[move, DIE] == NO_DIE:
            continue
        child = moves[move, CHILD]
        inner = 1
        for _ in range(moves[move, DIE], DICE - 1):
            inner *= FACES
        start = inner * moves[move, FACE]
        while start < len(table):
            if nodes[child, TABLE] == -1:
                for k in range(start, start + inner):
                    table[k] = max(table[k], graph.values[child])
            else:
                row = after[nodes[child, TABLE]]
                for k in range(start, start + inner):
                    table[k] = max(table[k], row[k])
            start += inner * FACES
    if saved != UNOPENED:
        for k in range(len(table)):
            if table[k] == UNOPENED:
                table[k] = saved


def add_rolls(table: Any, choices: Any) -> int:
    """Give each die, the last first, one more face that stands for rolling it: the mean of the others.

    Return the row of choices[2, (FACES + 1) ** DICE] with the result.
    """
    more = FACES + 1
    outer = len(table)
    inner = 1
    source = table
    side = 0
    for _ in range(DICE):
        outer //= FACES
        target = choices[side]
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


def choose_dice(b: Any, table: Any, choices: Any, side: int) -> float:
    """Write into `table` the value of the best choice of dice after every throw; return the mean.

    choices[side]: what every choice is worth, as `add_rolls` left it.
    """
    more = FACES + 1
    inner = len(choices[side])
    if may_keep_dice(b) == 0:
        flat = choices[side, inner - 1]
        for k in range(len(table)):
            table[k] = flat
        return float(flat)
    outer = 1
    for die in range(DICE):
        inner //= more
        source = choices[side]
        target = table if die == DICE - 1 else choices[1 - side]
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


def search_dice(b: Any, s: Any, width: int, depth: int, search: Any) -> int:
    """Search from a player's step; return the number of levels.

    The tables of level 1 are in tables[1] when it is done.
    """
    graph = search.graph
    nodes = graph.nodes
    tables = search.tables
    choices = search.choices
    ends = graph.level_ends
    levels = find_boards(b, s, width, depth, search.net, graph)
    for level in range(levels - 1, -1, -1):
        for node in range(ends[level - 1] if level > 0 else 0, ends[level]):
            if nodes[node, TABLE] != -1:
                table = tables[level % 2, nodes[node, TABLE]]
                write_table(b, s.turn, node, search, tables[1 - level % 2], table)
                side = add_rolls(table, choices)
                graph.counters[ROOT_SIDE] = side
                graph.rolled_values[node] = choices[side, len(choices[0]) - 1]
                for roll in range(rolls_per_turn(b) if level > 0 else 0):
                    if roll > 0:
                        side = add_rolls(table, choices)
                    graph.values[node] = choose_dice(b, table, choices, side)
    return levels


def write_action_values(b: Any, s: Any, actions: Any, search: Any) -> int:
    """Write the legal actions and the value of each after `search_dice`; return how many there are."""
    graph = search.graph
    nodes = graph.nodes
    moves = graph.moves
    values = search.values
    first = nodes[0, FIRST_MOVE]
    last = first + nodes[0, MOVE_COUNT]
    n = legal(b, s, actions)
    for i in range(n):
        values[i] = 0.0
    if dice_stage(b, s) == 0:
        for move in range(first, last):
            for i in range(n):
                if moves[move, ACTION] == actions[i]:
                    values[i] = graph.rolled_values[moves[move, CHILD]]
        return n
    if dice_stage(b, s) == 1:
        throw = 0
        for i in range(DICE):
            throw = FACES * throw + die_face(s, i)
        for move in range(first, last):
            child = moves[move, CHILD]
            flat = nodes[child, TABLE] == -1
            for i in range(n):
                if moves[move, ACTION] == actions[i]:
                    values[i] = (
                        graph.values[child] if flat else float(search.tables[1, nodes[child, TABLE], throw])
                    )
        return n
    throw = 0
    for i in range(DICE):
        throw = FACES * throw + die_face(s, i)
    kept = search.tables[0, 0, throw]  # no roll follows
    for _ in range(rolls_to_come(s)):
        choose_dice(b, search.tables[0, 0], search.choices, graph.counters[ROOT_SIDE])
        graph.counters[ROOT_SIDE] = add_rolls(search.tables[0, 0], search.choices)
    for dice in range(1 << DICE):
        choice = 0
        for i in range(DICE):
            choice = (FACES + 1) * choice + (FACES if dice & bit(i) != 0 else die_face(s, i))
        for i in range(n):
            if actions[i] == roll_action(dice):
                values[i] = kept if dice == 0 else search.choices[graph.counters[ROOT_SIDE], choice]
    return n


def learn_boards(b: Any, levels: int, search: Any, gradients: Any) -> None:
    """Learn the values of the boards near the root, on the mean of all throws, after dice were chosen."""
    net = search.net
    graph = search.graph
    ends = graph.level_ends
    graph.values[0] = choose_dice(b, search.tables[0, 0], search.choices, graph.counters[ROOT_SIDE])
    for node in range(ends[min(2, max(0, levels - 2))]):
        if graph.nodes[node, TABLE] != -1:
            features(b, graph.boards[node], 0, net.marks)
            add_gradients(net, graph.values[node], gradients)


@entry
def search_throws(boards: Any, roots: Any, width: int, depth: int, actions: Any, search: Any) -> int:
    """Search from roots[0]; return the number of legal actions, whose values are in the search."""
    search_dice(boards[0], roots[0], width, depth, search)
    return write_action_values(boards[0], roots[0], actions, search)


@entry
def play_by_dice_search(
    boards: Any, batch: Any, policy: Any, width: int, depth: int, search: Any, scratch: Any, lesson: Any
) -> int:
    """Play a batch by this search, with the throws of `play_games`; return the number of moves searched for.

    policy[1]: SEARCH. With a learning rate the net learns from every search, and takes a step after each
    `batch` games of the lesson.
    """
    b = boards[0]
    actions = scratch.actions
    steps = batch.steps
    moves = 0
    for game in range(len(batch.states)):
        s = batch.states[game]
        open_streams(scratch.streams, scratch.seats, batch.seed, batch.first + game)
        steps[game] = play_on(b, s, policy, NO_STEP_LIMIT, scratch)
        while s.turn != OVER:
            levels = search_dice(b, s, width, depth, search)
            best = index_of_greatest(search.values, write_action_values(b, s, actions, search))
            is_first_roll = rolls_to_come(s) == rolls_per_turn(b) - 1
            if lesson.learning_rate > 0.0 and dice_stage(b, s) == 2 and is_first_roll:
                learn_boards(b, levels, search, lesson.gradients)
            play(b, s, actions[best])
            moves += 1
            steps[game] += 1 + play_on(b, s, policy, NO_STEP_LIMIT, scratch)
        if lesson.learning_rate > 0.0 and (game + 1) % lesson.batch == 0:
            improve(lesson.adam, lesson.learning_rate)
        batch.scores[game, 0] = score(b, s, 0)
    return moves
