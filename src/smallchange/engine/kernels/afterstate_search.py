"""Search of afterstates: play by a learned evaluation (`value_net.py`), with truncated rollouts or without.

A state is evaluated after a player's action with chance unresolved (an afterstate: Sutton and Barto,
"Reinforcement Learning", section 6.8), as programs for backgammon do. Where that is too soon (the state is not
`is_afterstate`) the turn is tried to its end and the afterstates there are evaluated. To look further, rollouts begin
at the best afterstates: chance moves, the best afterstate of the turn after is played, again and again, and the
last one is evaluated (Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", 1996). The
next rollout begins at the candidate with the greatest upper confidence bound. `utility`, `features`, .. are
functions of the game.
"""

from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import CHANCE, OVER
from smallchange.engine.compile.runtime_python import entry, whole, word

from .playouts import NO_STEP_LIMIT, greedy_action, play_on
from .position_hash import hash_key
from .random_streams import mix, open_streams
from .stratified_chance import sample_stratified
from .value_net import net_output, net_value, reset_sums

if TYPE_CHECKING:
    from .calls import features, is_afterstate, legal, play, score, utility

PROBES = 64  # places where a state that was met may stand in the table

# Columns of a plan. ROLLOUTS: for a move, where games are played in bulk. TURNS: from there to the state that is
# evaluated. EXPLORATION: the bonus, in thousandths of a win. CANDIDATES: afterstates that rollouts begin at.
# HEURISTIC_REPLIES: do other seats answer by move score? FULL_TURNS: is the turn tried to its end although it
# could be evaluated before? SHORT_ROLLOUTS: how many from each candidate see one turn alone. They vary less, and say
# which candidates deserve the long ones.
ROLLOUTS, TURNS, EXPLORATION, CANDIDATES, HEURISTIC_REPLIES, FULL_TURNS, SHORT_ROLLOUTS = range(7)


class TurnRoom(NamedTuple):
    """Room to try a turn, action by action, and the states met in it."""

    states: Any  # [d] the states, by level
    words: Any  # [d, ..] of unsigned integers: a view of their bytes
    actions: Any  # [d, MOST + 1] of int64
    counts: Any  # [d] of int64: how many actions there are
    nexts: Any  # [d] of int64: the next to try
    keys: Any  # [a power of 2] of int64: hash keys of the states met
    stamps: Any  # [one more] of int64: the turn in which each key was written; last, the number of this turn


class Afterstates(NamedTuple):
    """The best afterstates of a turn, best first."""

    states: Any  # [m]
    actions: Any  # [m] of int64: the first action of the turn that leads there
    values: Any  # [m] of float64: by the net


class ValueSearch(NamedTuple):
    """A net and the room for one search by it."""

    net: Any  # Net
    room: Any  # TurnRoom
    best: Any  # Afterstates, m = 1
    candidates: Any  # Afterstates, m = 256
    sums: Any  # [m] of float64: what the rollouts from each candidate came to
    visits: Any  # [m + 1] of int64: how many rollouts began there; last, how many candidates there are
    state: Any  # [1] the state that a rollout has reached
    scratch: Any  # Scratch, with the streams of what is only imagined


def terminal_value(b: Any, s: Any, seat: int, net: Any) -> float:
    """Return the value of an end to a seat, 0 to 1: its utility or, as far as `blend` says, 1 for a win alone."""
    value = utility(b, s, seat) / 1000.0
    won = 1.0 if value > 0.5 else 0.5 if value == 0.5 else 0.0
    return value + net.blend[0] * (won - value)


def find_afterstates(b: Any, s: Any, search: Any, found: Any, full: int) -> int:
    """Write the best afterstates of this turn, as many as `found` has room for, each once; return how many.

    A turn ends where somebody else acts, the game is over or, unless `full` is 1, the state is an afterstate already.
    """
    net = search.net
    turn = search.room
    states = turn.states
    counts = turn.counts
    nexts = turn.nexts
    turn.stamps[len(turn.keys)] += 1
    reset_sums(net)
    seat = s.turn
    n = 0
    states[0] = s
    counts[0] = legal(b, states[0], turn.actions[0])
    nexts[0] = 0
    level = 0
    while level >= 0:
        if nexts[level] == counts[level]:
            level -= 1
            continue
        states[level + 1] = states[level]
        t = states[level + 1]
        play(b, t, turn.actions[level][nexts[level]])
        nexts[level] += 1
        if level > 0 and not is_new(turn, hash_key(turn.words[level + 1])):
            continue
        if t.turn == seat and level + 2 < len(states) and (full == 1 or not is_afterstate(b, t)):
            level += 1
            counts[level] = legal(b, t, turn.actions[level])
            nexts[level] = 0
        else:
            if t.turn == OVER:
                value = terminal_value(b, t, seat, net)
            else:
                features(b, t, seat, net.marks)
                value = net_output(net)
            n = insert(found, n, t, turn.actions[0][nexts[0] - 1], value)
    return n


def is_new(turn: Any, key: int) -> bool:
    """Return whether a state with that hash key is met for the first time in this turn, and note it.

    Where the table is crowded a state may seem new again.
    """
    keys = turn.keys
    stamps = turn.stamps
    last = len(keys) - 1
    for k in range(PROBES):
        i = (key + k) & last
        if stamps[i] != stamps[last + 1]:
            keys[i] = key
            stamps[i] = stamps[last + 1]
            return True
        if keys[i] == key:
            return False
    return True


def insert(found: Any, n: int, t: Any, first: int, value: float) -> int:
    """Insert one more afterstate among n, the best first; return how many there are now."""
    states = found.states
    actions = found.actions
    values = found.values
    if n == len(states):
        if value <= values[n - 1]:
            return n
        n -= 1
    i = n
    while i > 0 and values[i - 1] < value:
        states[i] = states[i - 1]
        actions[i] = actions[i - 1]
        values[i] = values[i - 1]
        i -= 1
    states[i] = t
    actions[i] = first
    values[i] = value
    return n + 1


def truncated_rollout(
    b: Any, t: Any, seat: int, turns: int, heuristic: int, number: int, step: int, search: Any
) -> float:
    """Return what `t` comes to for a seat after so many turns played by the net's judgement.

    heuristic: 1 where other seats answer by move score, which are no turns of these. number: of the rollout;
    step: of its first chance step, from STRATIFIED_STEPS on where chance is not stratified.
    """
    net = search.net
    scratch = search.scratch
    search.state[0] = t
    s = search.state[0]
    while True:
        while s.turn == CHANCE:
            play(b, s, sample_stratified(b, s, number, step, scratch))
            step += 1
        if s.turn == OVER:
            return terminal_value(b, s, seat, net)
        mover = s.turn
        if heuristic == 1 and mover != seat:
            play(b, s, greedy_action(b, s, legal(b, s, scratch.actions), scratch))
            continue
        find_afterstates(b, s, search, search.best, 0)
        turns -= 1
        if turns <= 0:
            return search.best.values[0] if mover == seat else 1.0 - search.best.values[0]
        search.state[0] = search.best.states[0]


def select_candidate(n: int, search: Any, exploration: float) -> int:
    """Return the candidate that the next rollout begins at: the one with the greatest upper confidence bound.

    The net's value of a candidate counts as one rollout.
    """
    values = search.candidates.values
    sums = search.sums
    visits = search.visits
    total = 1
    for i in range(n):
        total += visits[i]
    bonus = exploration * sqrt(sqrt(float(total)))
    best = 0
    highest = -1.0
    for i in range(n):
        tries = 1.0 + visits[i]
        bound = (values[i] + sums[i]) / tries + bonus / sqrt(tries)
        if bound > highest:
            highest = bound
            best = i
    return best


def is_decided(n: int, visits: Any, most: int) -> bool:
    """Return whether the most visited candidate stays so, whatever the rollouts up to `most` in all bring."""
    first = 0
    second = 0
    left = most
    for i in range(n):
        left -= visits[i]
        if visits[i] > first:
            second = first
            first = visits[i]
        elif visits[i] > second:
            second = visits[i]
    return first - second > left


def run_rollouts(
    b: Any, seat: int, plan: Any, n: int, rollouts: int, most: int, seed: Any, search: Any
) -> None:
    """Run so many rollouts from n candidates; the k-th rollout from each of them meets the same throws.

    Where there will be no more than `most` rollouts in all, none is spent on what is decided.
    """
    sums = search.sums
    visits = search.visits
    scratch = search.scratch
    for _ in range(rollouts):
        if is_decided(n, visits, most):
            return
        i = select_candidate(n, search, plan[EXPLORATION] / 1000.0)
        open_streams(scratch.streams, scratch.seats, seed, visits[i])
        turns = plan[TURNS] if visits[i] >= plan[SHORT_ROLLOUTS] else 1
        number = visits[i] ^ whole(seed & word(255))
        start = search.candidates.states[i]
        sums[i] += truncated_rollout(b, start, seat, turns, plan[HEURISTIC_REPLIES], number, 0, search)
        visits[i] += 1


def index_of_greatest(values: Any, n: int) -> int:
    """Return where the greatest of n values stands; the first of equals."""
    best = 0
    for i in range(n):
        if values[i] > values[best]:
            best = i
    return best


def choose_action(b: Any, s: Any, plan: Any, seed: Any, search: Any) -> int:
    """Return the action that a plan chooses."""
    n = min(plan[CANDIDATES], find_afterstates(b, s, search, search.candidates, plan[FULL_TURNS]))
    for k in range(n):
        search.sums[k] = 0.0
        search.visits[k] = 0
    most = plan[ROLLOUTS] if n > 1 else 0
    run_rollouts(b, s.turn, plan, n, most, most, seed, search)
    return search.candidates.actions[index_of_greatest(search.visits, n)]


@entry
def search_afterstates(
    boards: Any, roots: Any, plan: Any, rollouts: int, most: int, fresh: bool, seed: Any, search: Any
) -> int:
    """Search from roots[0], a player's step, by so many more rollouts; where `fresh`, anew.

    Return the number of afterstates of the turn.
    """
    sums = search.sums
    visits = search.visits
    n = visits[len(sums)]
    if fresh:
        n = find_afterstates(boards[0], roots[0], search, search.candidates, plan[FULL_TURNS])
        for i in range(len(sums)):
            sums[i] = 0.0
            visits[i] = 0
        visits[len(sums)] = n
    run_rollouts(boards[0], roots[0].turn, plan, min(n, plan[CANDIDATES]), rollouts, most, seed, search)
    return n


@entry
def play_by_values(boards: Any, batch: Any, policy: Any, plans: Any, search: Any, scratch: Any) -> int:
    """Play a batch as `play_games` does, with the same throws; return the number of moves searched for.

    A seat with the policy SEARCH follows its row of plans[seats, ..].
    """
    b = boards[0]
    steps = batch.steps
    moves = 0
    for i in range(len(batch.states)):
        s = batch.states[i]
        open_streams(scratch.streams, scratch.seats, batch.seed, batch.first + i)
        steps[i] = play_on(b, s, policy, NO_STEP_LIMIT, scratch)
        while s.turn != OVER:
            private = mix(word(batch.seed) ^ word((batch.first + i) * 1000003 + steps[i]))
            play(b, s, choose_action(b, s, plans[s.turn], private, search))
            moves += 1
            steps[i] += 1 + play_on(b, s, policy, NO_STEP_LIMIT, scratch)
        for seat in range(scratch.seats):
            batch.scores[i, seat] = score(b, s, seat)
    return moves


@entry
def call_features(b: Any, s: Any, seat: int, out: Any) -> None:
    features(b, s, seat, out)


@entry
def call_net_value(b: Any, s: Any, seat: int, net: Any) -> float:
    return net_value(b, s, seat, net)
