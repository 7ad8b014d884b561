"""Measure what a bound with a penalty is at least, from the start of a game with learned values.

    python -m research.penalty_start GAME [--paths 8] [--width 20] [--samples 60] [--scale 1.0] [--ahead]

On each path of throws a beam of lines is followed to the end, those that are worth most with their penalties paid.
The best of them is a line that the player who knows the throws may choose: the bound is no less on the average.
A move is worth what the net says of the state after it, with --ahead the mean after its throw where a single one
follows; a state is worth what its best move is. The mean after a throw is over all its outcomes, or over so many
samples where several throws follow. The penalties of the best line are counted with samples of
their own, so that it is not the luckiest in its samples. With a --scale below 1 that share of the penalties is paid.

lab-log.md has its figures.
"""

from __future__ import annotations

import argparse
import random
from statistics import fmean, stdev
from typing import NamedTuple

import smallchange
from research.penalized_bounds import points, step
from smallchange import Position
from smallchange.bots.engines.learned_values import has_learned_values
from smallchange.core.game import Game
from smallchange.core.state import CHANCE, OVER
from smallchange.engine.search.expectimax import value_searcher
from smallchange.lab.statistics import Z95

FINAL_SAMPLES = 10  # times as many for the best line


class Line(NamedTuple):
    """A line on a path: where it leads, what it paid, and the states before its throws with what was met there."""

    position: Position
    paid: float
    throws: tuple[tuple[Position, float], ...]


class Judge:
    """Values of states by a game's net, or by the mean of such values after a single throw."""

    def __init__(self, game: Game, ahead: bool = False) -> None:
        self._net = value_searcher(game)
        self._plain = Judge(game) if ahead else None

    def value(self, position: Position) -> float:
        """Return what the best move is worth at a player's step, or what was won at the end."""
        if position.s.turn == OVER:
            return points(position)
        return max(self.after(step(position, action)) for action in position.legal_actions())

    def after(self, position: Position) -> float:
        """Return what a move is worth that leads to a position."""
        if self._plain and position.s.turn == CHANCE and is_single(position):
            return self._plain.mean(position, 0, random.Random())
        features = position.game.features
        assert features is not None  # there are learned values
        judged = position.s.turn != OVER and features.is_afterstate(position.game.board, position.s)
        return self._net.estimate(position.s) if judged else self.value(position)

    def mean(self, position: Position, samples: int, luck: random.Random) -> float:
        """Return the mean value after a throw, and those that follow before the next step of the player."""
        if not is_single(position):
            return fmean(self.value(throw(position, luck)) for _ in range(samples))
        outcomes, weights = position.outcome_actions()
        following = [self.value(step(position, outcome)) for outcome in outcomes]
        return sum(w * v for w, v in zip(weights, following, strict=True)) / sum(weights)


def is_single(position: Position) -> bool:
    """Return whether no other throw follows this one at once, whatever it shows."""
    return all(step(position, outcome).s.turn != CHANCE for outcome in position.outcome_actions()[0])


def main() -> None:
    learned = [id for id in smallchange.games() if has_learned_values(smallchange.game(id))]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=[id for id in learned if len(smallchange.game(id).seats) == 1])
    parser.add_argument("--paths", type=int, default=8)
    parser.add_argument("--width", type=int, default=20)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--ahead", action="store_true")
    asked = parser.parse_args()
    game = smallchange.game(asked.game)
    judge = Judge(game, asked.ahead)
    found = []
    for path in range(asked.paths):
        found.append(best_line(game, judge, f"{path}", asked.width, asked.samples, asked.scale))
        half = Z95 * stdev(found) / len(found) ** 0.5 if path else float("nan")
        print(f"path {path}: {found[-1]:.3f}; mean {fmean(found):.3f} +- {half:.3f}", flush=True)


def best_line(game: Game, judge: Judge, path: str, width: int, samples: int, scale: float) -> float:
    """Return what the best line of the beam wins, less its penalties."""
    luck, ended = random.Random(f"{path} means"), list[Line]()
    beam = [meet(Line(game.start(), 0.0, ()), judge, path, 0, samples, luck)]
    moves = 0
    while beam:
        moves += 1
        lines = dict[object, Line]()
        for line in beam:
            for action in line.position.legal_actions():
                after = line._replace(position=step(line.position, action))
                after = meet(after, judge, path, moves, samples, luck)
                key = after.position.s.copy().freeze()
                if key not in lines or after.paid < lines[key].paid:
                    lines[key] = after
        ended += [line for line in lines.values() if line.position.s.turn == OVER]
        going = [line for line in lines.values() if line.position.s.turn != OVER]
        worth = {id(line): judge.value(line.position) - scale * line.paid for line in going}
        beam = sorted(going, key=lambda line: -worth[id(line)])[:width]
    best = max(ended, key=lambda line: points(line.position) - scale * line.paid)
    again = random.Random(f"{path} means again")
    paid = sum(met - judge.mean(before, FINAL_SAMPLES * samples, again) for before, met in best.throws)
    return points(best.position) - scale * paid


def meet(line: Line, judge: Judge, path: str, moves: int, samples: int, luck: random.Random) -> Line:
    """Return the line after the throws of the path that come next, with their penalty."""
    if line.position.s.turn != CHANCE:
        return line
    after = throw(line.position, path, moves)
    met = judge.value(after)
    paid = line.paid + met - judge.mean(line.position, samples, luck)
    return Line(after, paid, (*line.throws, (line.position, met)))


def throw(position: Position, luck: random.Random | str, moves: int = 0) -> Position:
    """Return the next step of the player, or the end, by luck or by the throws of a path."""
    thrown = 0
    while position.s.turn == CHANCE:
        outcomes, weights = position.outcome_actions()
        source = (
            random.Random(f"{luck} {moves} {position.source} {thrown}") if isinstance(luck, str) else luck
        )
        position = step(position, source.choices(outcomes, weights)[0])
        thrown += 1
    return position


if __name__ == "__main__":
    main()
