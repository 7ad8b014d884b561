"""Alpha-beta search with a transposition table and iterative deepening, for games for two without chance.

The method is that of Knuth and Moore, "An analysis of alpha-beta pruning" (1975), with iterative deepening, a
transposition table (Zobrist, 1970; Slate and Atkin, 1977), principal variation search (a window of one point
for all steps but the first: Marsland and Campbell, 1982) and the history heuristic (Schaeffer, 1983): steps
that cut elsewhere are tried first. There is no quiescence search and no aspiration window. Nothing is pruned
that could matter, so a win or loss found within the depth is exact, and in the right number of steps.

The search is a machine that can stop after any position and go on: a row of `frames` for each step of the
line of play at hand (the stack), and `counters` for where it stands.

A value is the worth of a position to the player to move: WIN - k where he wins with the k-th step from the
root; TABLE_WIN - k where a tablebase says so, which knows no rule that ends long play as a draw; else the
game's static evaluation (`ai/evaluation.py`). Memory that only such a rule needs is cleared where it
cannot matter, so that transpositions have one hash key.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import OVER
from smallchange.engine.compile.runtime_python import entry

from .position_hash import hash_key
from .tablebase_probe import DRAWN, UNKNOWN, probe

if TYPE_CHECKING:
    from .calls import clear_history, evaluate, legal, play, plies_to_draw, score

WIN, TABLE_WIN, MAX_EVALUATION = 1_000_000, 500_000, 400_000  # a value beyond MAX_EVALUATION counts steps
DRAW_EVALUATION_PART = 16  # a draw by the tablebase is worth this part of its evaluation

# Columns of a frame: the legal steps and the next to try; the window; the best value and step so far; the lower
# end of the window at first; the hash key; whether the step is searched again with the whole window.
STEP_COUNT, NEXT, ALPHA, BETA, BEST, STEP, FIRST_ALPHA, KEY, AGAIN, FRAME_COLUMNS = range(10)
# Counters: the depth of this iteration, the level reached and what to do there; VALUE, to seat 0, that a level
# returns; NODES, positions visited; CUT, whether a line was cut at the depth; AGE of the entries of the table;
# MAX_DEPTH; the result, as step, value and depth completed; DRAW, the value of a draw to seat 0.
DEPTH, LEVEL, PHASE, VALUE, NODES, CUT, AGE, MAX_DEPTH = range(8)
BEST_STEP, BEST_VALUE, DEPTH_DONE, DRAW, COUNTERS = 8, 9, 10, 11, 12
ENTER, NEXT_STEP, RETURN, END = 0, 1, 2, 3  # phases

# An entry of the transposition table: hash key, and packed: age, depth, kind of bound, step, value.
EXACT, AT_LEAST, AT_MOST = 0, 1, 2


class AlphaBeta(NamedTuple):
    """The stack and the memory of one search. A level is a row; there are max depth + 2 of them."""

    states: Any  # [levels]
    actions: Any  # [levels, MOST + 1] of int64
    frames: Any  # [levels, FRAME_COLUMNS] of int64
    counters: Any  # [COUNTERS] of int64
    table: Any  # [a power of 2, 2] of int64: the transposition table
    history: Any  # [2, ACTIONS] of int64: how often each action cut, by seat (history heuristic)
    spare: Any  # [1] a state
    words: Any  # [..] of unsigned integers: a view of the bytes of the spare state


def pack_entry(age: int, depth: int, bound: int, step: int, value: int) -> int:
    """Return an entry in 64 bits.

    It has 16 bits for the age, 8 for the depth, 2 for the bound, 16 for the step and 22 for the value.
    """
    return (((age << 8 | depth) << 2 | bound) << 16 | step) << 22 | (value + (1 << 21))


def transposition_key(b: Any, s: Any, search: Any, depth: int) -> int:
    """Return the hash key of a position, without the fields that cannot matter in a search of this depth."""
    search.spare[0] = s
    if plies_to_draw(b, s) > depth:
        clear_history(b, search.spare[0])
    return hash_key(search.words)


def to_level(v: int, level: int) -> int:
    """Return a value that counts steps from a position of this level, as counted from the root."""
    return v - level if v > MAX_EVALUATION else v + level if v < -MAX_EVALUATION else v


def end_value(b: Any, s: Any, level: int, draw: int) -> int:
    """Return the value of the end of a match to seat 0."""
    lead = score(b, s, 0) - score(b, s, 1)
    return WIN - level if lead > 0 else level - WIN if lead < 0 else draw


def static_evaluation(b: Any, s: Any) -> int:
    """Return the game's evaluation of a position for the player to move, short of a win."""
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, evaluate(b, s, s.turn)))


def table_value(b: Any, s: Any, level: int, v: int, draw: int) -> int:
    """Return the value of a solved position, `v` being its value in the tablebase."""
    if v == DRAWN:
        return static_evaluation(b, s) // DRAW_EVALUATION_PART + (draw if s.turn == 0 else -draw)
    return to_level(TABLE_WIN - v if v > 0 else -TABLE_WIN - v, level)


def return_value(s: Any, counters: Any, v: int) -> None:
    """Finish a level, which is worth v to the player to move there."""
    counters[VALUE] = v if s.turn == 0 else -v
    counters[PHASE] = RETURN


def enter(b: Any, search: Any, tablebase: Any) -> None:
    """Visit the position of a level for the first time."""
    counters = search.counters
    actions = search.actions
    counters[NODES] += 1
    level = counters[LEVEL]
    s = search.states[level]
    rest = counters[DEPTH] - level
    if s.turn == OVER:
        counters[VALUE] = end_value(b, s, level, counters[DRAW])
        counters[PHASE] = RETURN
        return
    v = UNKNOWN
    if len(tablebase.meaning) > 0 and level > 0:
        v = probe(b, s, tablebase)
    if v != UNKNOWN or rest == 0:
        counters[CUT] = 1
        known = v != UNKNOWN
        value = table_value(b, s, level, v, counters[DRAW]) if known else static_evaluation(b, s)
        return_value(s, counters, value)
        return
    frame = search.frames[level]
    frame[NEXT] = 0
    frame[BEST] = -WIN
    frame[STEP] = -1
    frame[FIRST_ALPHA] = frame[ALPHA]
    frame[AGAIN] = 0
    counters[PHASE] = NEXT_STEP
    if level > 0:
        frame[KEY] = transposition_key(b, s, search, counters[DEPTH])
        if not probe_table(s, frame, search, rest):
            frame[STEP_COUNT] = legal(b, s, actions[level])
            order_by_history(actions[level], frame[STEP_COUNT], search.history[s.turn], frame[STEP])
            frame[STEP] = -1


def probe_table(s: Any, frame: Any, search: Any, rest: int) -> bool:
    """Return whether the transposition table knows the value well enough.

    If so, the value is returned to the level above; else the best step of the entry is noted.
    """
    table = search.table
    counters = search.counters
    slot = frame[KEY] & (len(table) - 2)
    for i in range(slot, slot + 2):
        if table[i, 0] != frame[KEY] or table[i, 1] >> 48 != counters[AGE]:
            continue
        entry = table[i, 1]
        v = to_level((entry & ((1 << 22) - 1)) - (1 << 21), counters[LEVEL])
        bound = entry >> 38 & 3
        frame[STEP] = entry >> 22 & 65535
        high = bound != AT_MOST and v >= frame[BETA]
        low = bound != AT_LEAST and v <= frame[ALPHA]
        if entry >> 40 & 255 >= rest and (bound == EXACT or high or low):
            counters[CUT] = 1
            return_value(s, counters, v)
            return True
    return False


def order_by_history(actions: Any, n: int, history: Any, first: int) -> None:
    """Sort n actions by how often they cut, equals as they were, but one first."""
    for i in range(1, n):
        a = actions[i]
        cuts = history[a]
        j = i
        while j > 0 and actions[j - 1] != first and (a == first or history[actions[j - 1]] < cuts):
            actions[j] = actions[j - 1]
            j -= 1
        actions[j] = a


def take_next_step(b: Any, search: Any) -> None:
    """Take the next step of a level, or finish it."""
    states = search.states
    frames = search.frames
    counters = search.counters
    level = counters[LEVEL]
    frame = frames[level]
    if frame[NEXT] == frame[STEP_COUNT] or frame[BEST] >= frame[BETA]:
        rest = counters[DEPTH] - level
        if level > 0:
            store(frame, search, rest)
        if frame[BEST] >= frame[BETA]:
            search.history[states[level].turn, frame[STEP]] += rest * rest
        return_value(states[level], counters, frame[BEST])
        return
    states[level + 1] = states[level]
    t = states[level + 1]
    play(b, t, search.actions[level, frame[NEXT]])
    alpha = frame[ALPHA]
    beta = alpha + 1 if frame[NEXT] > 0 and frame[AGAIN] == 0 else frame[BETA]
    same = t.turn == states[level].turn
    frames[level + 1, ALPHA] = alpha if same else -beta
    frames[level + 1, BETA] = beta if same else -alpha
    counters[LEVEL] = level + 1
    counters[PHASE] = ENTER


def store(frame: Any, search: Any, rest: int) -> None:
    """Store the findings of a position in the transposition table.

    It replaces an older or shallower entry, or else the one next to it.
    """
    table = search.table
    counters = search.counters
    v = frame[BEST]
    bound = AT_LEAST if v >= frame[BETA] else AT_MOST if v <= frame[FIRST_ALPHA] else EXACT
    slot = frame[KEY] & (len(table) - 2)
    entry = table[slot, 1]
    if table[slot, 0] != frame[KEY] and entry >> 48 == counters[AGE] and entry >> 40 & 255 > rest:
        slot += 1
    table[slot, 0] = frame[KEY]
    table[slot, 1] = pack_entry(counters[AGE], rest, bound, frame[STEP], to_level(v, -counters[LEVEL]))


def take_value(search: Any) -> None:
    """Take the value that a level returned into account, one level up."""
    frames = search.frames
    counters = search.counters
    level = counters[LEVEL] - 1
    counters[LEVEL] = level
    counters[PHASE] = NEXT_STEP
    frame = frames[level]
    v = counters[VALUE] if search.states[level].turn == 0 else -counters[VALUE]
    if frame[ALPHA] < v < frame[BETA] and frame[NEXT] > 0 and frame[AGAIN] == 0:
        frame[AGAIN] = 1
        return
    frame[AGAIN] = 0
    a = search.actions[level, frame[NEXT]]
    frame[NEXT] += 1
    if v > frame[BEST]:
        frame[BEST] = v
        frame[STEP] = a
        frame[ALPHA] = max(v, frame[ALPHA])
        if level == 0:
            counters[BEST_STEP] = a
            counters[BEST_VALUE] = v


def finish_depth(search: Any) -> None:
    """Finish an iteration: begin the next with the best step first, if there is more to find."""
    actions = search.actions
    counters = search.counters
    counters[DEPTH_DONE] = counters[DEPTH]
    proved = WIN - abs(counters[BEST_VALUE]) <= counters[DEPTH]  # no sooner win, no later loss
    if proved or counters[CUT] == 0 or counters[DEPTH] == counters[MAX_DEPTH]:
        counters[PHASE] = END
        return
    i = search.frames[0, STEP_COUNT] - 1
    while i > 0:
        if actions[0, i] == counters[BEST_STEP]:
            actions[0, i] = actions[0, i - 1]
            actions[0, i - 1] = counters[BEST_STEP]
        i -= 1
    begin_depth(search, counters[DEPTH] + 1)


def begin_depth(search: Any, depth: int) -> None:
    """Begin an iteration."""
    counters = search.counters
    counters[DEPTH] = depth
    counters[LEVEL] = 0
    counters[CUT] = 0
    counters[PHASE] = ENTER
    search.frames[0, ALPHA] = -WIN
    search.frames[0, BETA] = WIN


@entry
def search_deeper(boards: Any, search: Any, tablebase: Any, roots: int, n: int) -> None:
    """Search on by n positions.

    With roots > 0 begin anew: at states[0], with the first `roots` of actions[0].
    """
    b = boards[0]
    counters = search.counters
    if roots > 0:
        search.frames[0, STEP_COUNT] = roots
        counters[NODES] = 0
        counters[DEPTH_DONE] = 0
        counters[BEST_STEP] = search.actions[0, 0]
        counters[BEST_VALUE] = 0
        for a in range(len(search.history[0])):
            search.history[0, a] = 0
            search.history[1, a] = 0
        begin_depth(search, 1)
    until = counters[NODES] + n
    while counters[PHASE] != END and (counters[NODES] < until or counters[PHASE] != ENTER):
        if counters[PHASE] == ENTER:
            enter(b, search, tablebase)
        elif counters[PHASE] == NEXT_STEP:
            take_next_step(b, search)
        elif counters[LEVEL] > 0:
            take_value(search)
        else:
            finish_depth(search)
