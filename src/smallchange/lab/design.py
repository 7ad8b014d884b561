"""Boards searched for by MAP-Elites: of each difficulty and length the one that rewards skill most.

Mouret and Clune, "Illuminating search spaces by mapping elites" (arXiv 1504.04909, 2015). The archive has a cell for
each interval of difficulty and of length, and in it the board with the greatest gap of skill that was found there. A
generation of boards is changed from boards of the archive as it was before, and judged on the same deals. So the
archive depends on the seed and on nothing else, however many workers judge.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from smallchange.bots.policy import seat_policies
from smallchange.core.errors import BadExperiment
from smallchange.core.game import Game, games
from smallchange.core.json_text import read_json

from .backends import check_workers, distribute
from .drawing_moves import Draughtsman, Signs, drawing_option, key, read_signs, write_signs
from .experiment_grid import Cell, Portion, who
from .play_portion import play
from .statistics import Rate

__all__ = ["Archive", "Board", "Finalist", "Search", "design", "finalists"]

GENERATION = 64  # boards
DIFFICULTY_STEP = {1: 0.05, 2: 0.02}  # of a cell, by the number of seats
LENGTH_STEP = 0.04  # .. of the length of games on the board to begin with
FIRST_CHANGES, CHANGES = (5, 60), (1, 4)  # least and most, of the first generation and later


@dataclass(frozen=True)
class Search:
    """The settings of a search: all that decides its archive.

    `game` has the options of all boards, and the drawing to begin with. `bot` judges by `n` games, the rule of thumb
    by `greedy_games`.
    """

    game: Game
    bot: str = "tree:8"
    n: int = 100
    greedy_games: int = 500
    seed: int = 1
    symmetry: str = "none"
    columns: int = 8
    rows: int = 8

    def __post_init__(self) -> None:
        """Refuse a game whose board cannot be drawn, by BadExperiment."""
        if drawing_option(self.game) is None:
            drawn = ", ".join(id for id in games() if drawing_option(Game(id)) is not None)
            raise BadExperiment(f"{self.game.id} has no board to draw; these have: {drawn}")
        seat_policies(self.bot, self.game)

    @property
    def option(self) -> str:
        """The name of the option that is a drawing."""
        option = drawing_option(self.game)
        assert option is not None
        return option.name

    def with_drawing(self, drawing: str) -> Game:
        """Return the game on another board."""
        return Game(self.game.id, self.game.non_default_options | {self.option: drawing})

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain data, with a digest of the program that decides the games."""
        names = [field.name for field in fields(self) if field.name != "game"]
        options = self.game.non_default_options
        program = who(self.game.id, tuple(options.items()), seat_policies(self.bot, self.game))[-1]
        about = {name: getattr(self, name) for name in names}
        return {"game": self.game.id, "options": options} | about | {"program": program}


@dataclass(frozen=True)
class Board:
    """A board that was judged.

    `bot` and `greedy` are shares of games won by a bot and by the rule of thumb; in a game for two of points, the bot
    against the rule of thumb, and the first player's where the rule of thumb plays itself.
    """

    drawing: str
    bot: float
    greedy: float
    steps: float
    n: int
    seats: int

    @property
    def gap(self) -> float:
        """The worth of skill: the bot's share less that of the rule of thumb in its place."""
        return self.bot - (self.greedy if self.seats == 1 else 0.5)

    @property
    def difficulty(self) -> float:
        """The bot's share of wins; in a game for two the first player's edge."""
        return self.bot if self.seats == 1 else self.greedy - 0.5

    @property
    def interval(self) -> Rate:
        """The bot's share with its 95 % interval."""
        return Rate.of(self.bot * self.n, self.n)


class Archive:
    """The best board of each cell, and the keys of all boards that were judged."""

    def __init__(self, search: Search) -> None:
        self._search = search
        option = drawing_option(search.game)
        assert option is not None
        self._canvas = option.canvas
        self.elites: dict[tuple[int, int], Board] = {}
        self.keys: set[str] = set()
        self.length: float = 0.0  # of games on the first board

    def add(self, board: Board) -> None:
        """Put a board into its cell if it is better than the board there."""
        self.length = self.length or board.steps
        self.keys.add(key(self._canvas, read_signs(self._canvas, board.drawing)))
        step = DIFFICULTY_STEP[board.seats]
        cell = int(board.difficulty // step), int(board.steps // (LENGTH_STEP * self.length))
        best = self.elites.get(cell)
        if best is None or board.gap > best.gap:
            self.elites[cell] = board

    def best(self, n: int) -> list[Board]:
        """Return n boards with great gaps from cells that do not touch, or fewer; then those of any cells."""
        ranked = sorted(self.elites, key=lambda cell: (-self.elites[cell].gap, cell))
        chosen: list[tuple[int, int]] = []
        for cell in ranked:
            if all(max(abs(cell[0] - x), abs(cell[1] - y)) > 1 for x, y in chosen):
                chosen.append(cell)
        chosen += [cell for cell in ranked if cell not in chosen]
        return [self.elites[cell] for cell in chosen[:n]]


def judge(game: Game, bot: str, seed: int, n: int, greedy_games: int, drawing: str) -> Board:
    """Return a board's figures from the games 0 .. n - 1 of a seed, the same deals for every board."""
    options = tuple(game.non_default_options.items())

    def points(policy: str, games: int) -> tuple[float, float]:
        """Return the points of the first seat, and the mean of the steps."""
        cell = Cell(game.id, options, seat_policies(policy, game), seed, games)
        columns, _ = play(Portion(cell, 0, games))
        won = sum(
            1.0 if winner == 0 else 0.5 * (winner < 0 and len(game.seats) > 1) for winner in columns["winner"]
        )
        return won / games, sum(columns["steps"]) / games

    greedy, steps = points("greedy", greedy_games)
    if len(game.seats) == 1:
        share = points(bot, n)[0]
    else:
        share = (points(f"{bot},greedy", n // 2)[0] + 1 - points(f"greedy,{bot}", n // 2)[0]) / 2
    return Board(drawing, share, greedy, steps, n, len(game.seats))


def _judge(search: Search, job: tuple[int, str]) -> tuple[int, Board]:
    place, drawing = job
    game = search.with_drawing(drawing)
    return place, judge(game, search.bot, search.seed, search.n, search.greedy_games, drawing)


def design(
    search: Search,
    boards: int,
    log: Path,
    backend: str = "processes",
    workers: int | None = None,
    progress: Callable[[int, Archive], None] | None = None,
) -> Archive:
    """Judge a number of boards, rounded up to whole generations, and return the archive.

    `log` has the settings and every board, a line each. A search that was killed goes on from it, after its last whole
    generation. `progress` is called after each generation with the number of boards judged. BadExperiment if the log
    is of another search.
    """
    archive, draughtsman = (
        Archive(search),
        Draughtsman(search.game, search.symmetry, search.columns, search.rows),
    )
    n = 0
    for board in _resume(search, log):
        archive.add(board)
        n += 1
    while n < boards:
        jobs = list(enumerate(_drawings(search, archive, draughtsman, n // GENERATION)))
        if backend == "processes" and check_workers(workers) == 1:
            judged: Iterator[tuple[int, Board]] = map(partial(_judge, search), jobs)
        else:
            judged = distribute(partial(_judge, search), jobs, backend, workers)
        found = [board for _, board in sorted(judged, key=lambda pair: pair[0])]
        with log.open("a", encoding="utf-8") as file:
            file.write("".join(f"{json.dumps(asdict(board))}\n" for board in found))
        for board in found:
            archive.add(board)
        n += len(found)
        if progress is not None:
            progress(n, archive)
    return archive


def _drawings(search: Search, archive: Archive, draughtsman: Draughtsman, generation: int) -> list[str]:
    """Return the boards of a generation: the first with the board to begin with and changes of it."""
    canvas, luck = draughtsman.canvas, Random(f"{search.seed} {generation}")
    new: dict[str, Signs] = {}
    if generation == 0:
        new[key(canvas, draughtsman.start)] = draughtsman.start
    parents = [archive.elites[cell].drawing for cell in sorted(archive.elites)]
    while len(new) < GENERATION:
        parent = read_signs(canvas, luck.choice(parents)) if parents else draughtsman.start
        steps = luck.randint(*(CHANGES if parents else FIRST_CHANGES))
        made = draughtsman.change(parent, luck, steps, lambda one: one in archive.keys or one in new)
        new[key(canvas, made)] = made
    return [write_signs(canvas, signs) for signs in new.values()]


def _resume(search: Search, log: Path) -> list[Board]:
    """Return the boards of the whole generations in a log, and cut off a generation that is not whole."""
    head = json.dumps(search.to_json(), sort_keys=True)
    lines = log.read_text(encoding="utf-8").split("\n")[:-1] if log.exists() else []
    if lines and lines[0] != head:
        raise BadExperiment(f"{log} is the log of another search, or of another program: name another file")
    whole = (len(lines) - 1) // GENERATION * GENERATION if lines else 0
    kept = lines[: 1 + whole] or [head]
    log.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    return [Board(**read_json(line)) for line in kept[1:]]


@dataclass(frozen=True)
class Finalist:
    """A board of the archive, judged anew on fresh deals: by the same bot, and by a better one."""

    searched: Board
    fresh: Board
    better: Board


def finalists(
    search: Search, archive: Archive, count: int, better: str, n: int, workers: int | None = None
) -> list[Finalist]:
    """Judge the best boards anew, by n games each on deals that no board of the search met."""
    jobs = [(i, board, better, n) for i, board in enumerate(archive.best(count))]
    work = partial(_judge_anew, search)
    done = map(work, jobs) if check_workers(workers) == 1 else distribute(work, jobs, workers=workers)
    return [finalist for _, finalist in sorted(done, key=lambda pair: pair[0])]


def _judge_anew(search: Search, job: tuple[int, Board, str, int]) -> tuple[int, Finalist]:
    place, board, better, n = job
    game = search.with_drawing(board.drawing)
    fresh, again = (
        judge(game, bot, search.seed + 1, n, 10 * search.greedy_games, board.drawing)
        for bot in (search.bot, better)
    )
    return place, Finalist(board, fresh, again)
