"""Blockades of Dodg'em: certificates of boards that are larger than the game's, and the wall in play.

    python -m research.blockade certify SIZE START BLOCKED STEPS FILE
        the certificate of a board to 8 x 8; STEPS is a number of forward steps, or "wall"
    python -m research.blockade least SIZE
        which numbers of forward steps hold the start of facing boards
    python -m research.blockade games N [SEED]
        N games at 7 x 7 of a bot that keeps to the certificate among the tables, against alpha-beta search that
        looks at 3,000 positions a move
    python -m research.blockade wall SIZE N
        N games of the strategy in words, on a board of any size, against a search that knows each of its replies

docs/dodgem-solved.md has what they found.
"""

import sys
import time
from collections import Counter
from math import inf
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import smallchange
from smallchange import Position
from smallchange.bots.engines import alphabeta
from smallchange.bots.engines.tablebase import held_moves
from smallchange.tablebase.blockade import few_steps, lanes_of, wall
from smallchange.tablebase.certificate import BLOCKED, Certificate, Held, make_certificate

NODES = 3000  # that the attacking search looks at a move
Square = tuple[int, int]  # line and place, as the blocker sees them


def certify(size: int, start: str, blocked: str, steps: str, file: Path) -> Held:
    began = time.process_time()
    sets = wall(size) if steps == "wall" else few_steps(lanes_of(size, start, 0), int(steps))
    held = make_certificate(
        file, Certificate(size, start, blocked, sets), lambda line: print(line, flush=True)
    )
    second, first = held.holds_start()
    waiting, moving = (sum(layer[name] for layer in held.layers) for name in ("waiting", "moving"))
    print(
        f"{size} x {size}, {start}, {blocked}, {steps}: {len(sets):,} placements hold {waiting:,} and {moving:,} "
        f"positions; second {second}, first {first}; {file.stat().st_size / 1e6:,.1f} MB, digest {held.digest}; "
        f"{time.process_time() - began:.0f} s"
    )
    return held


def least(size: int) -> None:
    for blocked in BLOCKED:
        for steps in range(size * (size - 1) + 1):
            with TemporaryDirectory() as folder:
                lanes = lanes_of(size, "facing", 0)
                sets = few_steps(lanes, steps)
                held = make_certificate(Path(folder) / "least", Certificate(size, "facing", blocked, sets))
                second, first = held.holds_start()
            print(f"{size} x {size}, {blocked}, {steps} steps: second {second}, first {first}", flush=True)
            if second and first:
                break


def games(n: int, seed: int = 1) -> None:
    """Play with each seat in turn; the bot takes any move that its certificate holds.

    The attacker takes the move that its search prefers, in half of the games of those forward, if there are any.
    """
    luck, ends = Random(seed), Counter[str]()
    start = smallchange.game("dodgem", size=7).start()
    alphabeta.choose(start, start.legal(), 600.0, luck, nodes=NODES, wait=600.0)  # compiles
    began, plies = time.process_time(), 0
    for i in range(n):
        position = start.copy()
        while position.actor:
            if position.s.turn == i % 2:
                token = luck.choice(held_moves(position, position.legal()))
            else:
                ways = forward(position) if i % 4 < 2 else position.legal()
                found = alphabeta.search(position, inf, luck, NODES, moves=ways)
                assert found
                token = position.game.tokens[found.action]
            position.play(token)
        plies += position.s.plies
        winner = position.s.winner
        ends["drawn" if winner == -1 else "won" if winner == i % 2 else "lost"] += 1
        if (i + 1) % 100 == 0:
            print(
                i + 1,
                dict(ends),
                f"{plies / (i + 1):.0f} plies, {time.process_time() - began:.0f} s",
                flush=True,
            )


def forward(position: Position) -> list[str]:
    """Return the steps forward, or else all legal ones."""
    legal = position.legal()
    return [token for token in legal if position.played(token).s.quiet == 0] or legal


class Wall:
    """The strategy in words, on a board of any size, with both sides' squares as the blocker sees them."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.mine: set[Square] = {(0, place) for place in range(size - 1)}
        self.theirs: set[Square] = {(size - 1, place) for place in range(1, size)}

    def steps(self) -> list[tuple[Square, Square | None]]:
        """Return the attacker's steps; None is off the board."""
        found: list[tuple[Square, Square | None]] = []
        for line, place in self.theirs:
            if line == 0:
                found.append(((line, place), None))
            for to in ((line - 1, place), (line, place - 1), (line, place + 1)):
                if to[0] >= 0 and 0 <= to[1] < self.size and to not in self.mine and to not in self.theirs:
                    found.append(((line, place), to))
        return found

    def attack(self, start: Square, to: Square | None) -> None:
        self.theirs.remove(start)
        if to is not None:
            self.theirs.add(to)

    def reply(self) -> tuple[Square, Square]:
        """Take the blocker's step, and return it."""
        start, to = next(step for step in self._ways() if step[0] in self.mine)
        assert to not in self.mine, (start, to)
        assert to not in self.theirs, (start, to)
        self.mine.remove(start)
        self.mine.add(to)
        return start, to

    def _ways(self) -> list[tuple[Square, Square]]:
        """Return the steps in the order in which the first that has its coin is taken."""
        if (1, 3) not in self.mine:
            return [((0, 3), (1, 3))]
        if (1, 2) not in self.mine:
            return [((0, 2), (1, 2))]
        if (0, 1) in self.mine and (0, 0) in self.mine:
            return [((0, 1), (0, 2))]
        outer, inner = self.size - 1, self.size - 2
        last = [square for square in self.theirs if square[0] > 0]
        if len(last) == 1 and last[0] in ((1, 0), (1, 1), (1, inner), (1, outer)):
            there = (0, last[0][1])
            beside = {0: (0, 1), 1: (0, 0), inner: (0, outer), outer: (0, inner)}[last[0][1]]
            if there not in self.mine and there not in self.theirs:
                return [(beside, there)]
        elif (0, 0) in self.mine and (0, 1) not in self.theirs:
            return [((0, 0), (0, 1))]
        return [((0, 2), (0, 3)), ((0, 3), (0, 2))]


def best_attack(board: Wall, luck: Random, depth: int) -> tuple[Square, Square | None]:
    """Return the step whose line of this many steps leaves the fewest coins before the wall, then the nearest."""

    def value(left: int) -> float:
        if left == 0 or not board.theirs:
            before = [line for line, _ in board.theirs if line > 0]
            return -1000.0 * len(before) - sum(line for line, _ in board.theirs) - 10 * len(board.theirs)
        return max((outcome(step, left) for step in board.steps()), default=-1e9)

    def outcome(step: tuple[Square, Square | None], left: int) -> float:
        mine, theirs = set(board.mine), set(board.theirs)
        board.attack(*step)
        if board.theirs:
            board.reply()
        found = value(left - 1)
        board.mine, board.theirs = mine, theirs
        return found

    steps = board.steps()
    luck.shuffle(steps)
    return max(steps, key=lambda step: outcome(step, depth))


def play_wall(size: int, n: int) -> None:
    luck, least_before, replies = Random(1), size, 0
    for i in range(n):
        board = Wall(size)
        if i % 2:
            board.reply()
        for _ in range(20 * size):
            near = len([line for line, _ in board.theirs if line > 0]) <= 3
            steps = board.steps()
            far = not near and luck.random() < 0.5
            board.attack(*(luck.choice(steps) if far else best_attack(board, luck, 2 if near else 1)))
            assert any(line > 0 for line, _ in board.theirs), "the wall is broken"
            board.reply()
            replies += 1
            least_before = min(least_before, sum(line > 0 for line, _ in board.theirs))
    print(f"{size} x {size}: {n} games, {replies:,} replies, at least {least_before} coin held; none lost")


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    if what == "certify":
        size, start, blocked, steps, file = arguments
        certify(int(size), start, blocked, steps, Path(file))
    elif what == "wall":
        play_wall(*map(int, arguments))
    elif what == "least":
        least(int(arguments[0]))
    else:
        games(*map(int, arguments))
