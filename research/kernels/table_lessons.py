"""Lessons of a net from a table of values: games whose choices are written down with what each move is worth."""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import OVER
from smallchange.engine.compile.runtime_python import entry
from smallchange.engine.kernels.afterstate_search import choose_action
from smallchange.engine.kernels.playouts import NO_STEP_LIMIT, play_on
from smallchange.engine.kernels.random_streams import below, mix, open_streams

if TYPE_CHECKING:
    from smallchange.engine.kernels.calls import (
        features,
        legal,
        play,
        utility,
        value_layer,
        value_rank,
        value_seat,
    )

IN_1000 = 1000


class Table(NamedTuple):
    """A table of values, and room to look at a choice."""

    cells: Any  # [positions] of uint16
    firsts: Any  # [layers] of int64: the first cell of each layer
    worths: Any  # [MOST + 1] of float64: of the actions in hand
    policy: Any  # [seats] of int64: SEARCH for all, so that chance and moves without a choice are played


class Lessons(NamedTuple):
    """Moves that could be chosen, each with the state after it as the player sees it; a row each."""

    marks: Any  # [m, FEATURES] of int16
    worths: Any  # [m] of float32: of the move to the player
    choices: Any  # [m] of int64: the number of the choice


def table_value(b: Any, s: Any, seat: int, table: Any) -> float:
    """Return what a state before a throw, or an end, is worth to a seat."""
    if s.turn == OVER:
        return utility(b, s, seat) / 1000.0
    found = (table.cells[table.firsts[value_layer(b, s)] + value_rank(b, s)] + 0.5) / 65536.0
    return found if value_seat(b, s) == seat else 1.0 - found


def best_move(b: Any, s: Any, n: int, table: Any, scratch: Any) -> int:
    """Write what each of the n actions in `scratch` is worth to the player; return the number of the best."""
    worths = table.worths
    best = 0
    for i in range(n):
        scratch.spare[0] = s
        play(b, scratch.spare[0], scratch.actions[i])
        worths[i] = table_value(b, scratch.spare[0], s.turn, table)
        if worths[i] > worths[best]:
            best = i
    return best


@entry
def write_lessons(boards: Any, batch: Any, rash: int, table: Any, lessons: Any, scratch: Any) -> int:
    """Play games of which `rash` moves in 1000 are random, the others best; return how many rows were written."""
    b = boards[0]
    row = 0
    choice = 0
    for i in range(len(batch.states)):
        s = batch.states[i]
        open_streams(scratch.streams, scratch.seats, batch.seed, batch.first + i)
        play_on(b, s, table.policy, NO_STEP_LIMIT, scratch)
        while s.turn != OVER:
            n = legal(b, s, scratch.actions)
            if row + n > len(lessons.worths):
                return row
            best = best_move(b, s, n, table, scratch)
            for k in range(n):
                scratch.spare[0] = s
                play(b, scratch.spare[0], scratch.actions[k])
                if scratch.spare[0].turn == OVER:
                    continue
                features(b, scratch.spare[0], s.turn, lessons.marks[row])
                lessons.worths[row] = table.worths[k]
                lessons.choices[row] = choice
                row += 1
            choice += 1
            if below(scratch.streams, s.turn, IN_1000) < rash:
                best = below(scratch.streams, s.turn, n)
            play(b, s, scratch.actions[best])
            play_on(b, s, table.policy, NO_STEP_LIMIT, scratch)
    return row


@entry
def play_against_table(
    boards: Any, batch: Any, plan: Any, table: Any, lost: Any, search: Any, scratch: Any
) -> int:
    """Play games of perfect play, at seat `number % 2`, against a search by a net.

    Write the points that the net gives away in each into lost[n]; return how many games perfect play wins.
    """
    b = boards[0]
    won = 0
    for i in range(len(batch.states)):
        s = batch.states[i]
        number = batch.first + i
        open_streams(scratch.streams, scratch.seats, batch.seed, number)
        steps = play_on(b, s, table.policy, NO_STEP_LIMIT, scratch)
        while s.turn != OVER:
            n = legal(b, s, scratch.actions)
            best = best_move(b, s, n, table, scratch)
            action = scratch.actions[best]
            if s.turn != number % 2:
                highest = table.worths[best]
                action = choose_action(b, s, plan, mix(batch.seed ^ mix(number * 1000003 + steps)), search)
                for k in range(legal(b, s, scratch.actions)):
                    if scratch.actions[k] == action:
                        lost[i] += 100.0 * (highest - table.worths[k])
            play(b, s, action)
            steps += 1 + play_on(b, s, table.policy, NO_STEP_LIMIT, scratch)
        if utility(b, s, number % 2) > 500.0:
            won += 1
    return won
