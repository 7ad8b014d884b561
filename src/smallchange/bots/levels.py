"""The bots of a game and how strong each is, from the file levels.json in the game's folder.

The file names each bot with its engine, the plan it gives to the engine, how many moves of a hundred are
blunders (any legal move instead), from where on it looks for exact odds, how it did on the base game, what it gave
away there, and, for some sets of options, the calibration of the odds that its search finds:

    {"level1": {"engine": "greedy", "blunders": 30, "measured": {...}, "odds": [{...}, ...]}, ...}

`python -m research calibrate GAME levels` measures the bots and writes the file, `calibrate GAME given` what they give
away, `calibrate GAME hints` the odds. A game without the file has `random` and `greedy` alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from math import floor, log10
from pathlib import Path
from random import Random
from typing import Any

from smallchange.core.errors import RulesError
from smallchange.core.game import Game, Position, game_of
from smallchange.core.json_text import read_json
from smallchange.core.match import first_choice
from smallchange.core.measurements import measures
from smallchange.core.options import Value
from smallchange.core.variants import without_idle_options
from smallchange.extras import install_command
from smallchange.i18n import formats
from smallchange.i18n.formats import number
from smallchange.i18n.text import Plural, Text, join_texts, plain

__all__ = [
    "BASIC_BOTS", "COMPILE_TIMEOUT_S", "FILE", "LEVELS", "MOVE_TIME_S", "ExactEnds", "GivenAway",
    "Level", "Measurement", "OddsCalibration", "best_bot", "description", "install_advice", "is_explorable",
    "load_bots", "move_time", "percent", "percentage", "strength", "title", "to_json",
]  # fmt: skip

FILE = "levels.json"
BASIC_BOTS = ("random", "greedy")  # need nothing but Python
LEVELS = ("level1", "level2", "level3", "level4", "level5")
MOVE_TIME_S = 1.0  # that a bot may think about a move unless told otherwise: enough for each plan
SHORT_SEARCH = 400  # simulations of a search in a browser that judges a move
EXACT_ENDS_S = 0.1  # least time for a move with which exact odds are looked for
COMPILE_TIMEOUT_S = 600.0  # that it waits for its code: nothing takes so long to be compiled

TITLES = {
    "random": Text("a random player"),
    "greedy": Text("a greedy player"),
    **{name: Text("Level {n}").fill(n=name[5:]) for name in LEVELS},
}
WINS = Text("wins {share} ({low} to {high}) of {n} games")
SCORES = Text("scores {share} ({low} to {high}) in {n} games against {other}")
MS = Text("{ms} ms a move")
UNMEASURED = Text("not measured")
BLUNDERS = Plural("{engine}; {n} in 100 moves is random", "{engine}; {n} in 100 moves are random")
EXACT_ENDS = Text("{engine}; late in the game the best move, where {n} positions settle it")
PLANNED = Text("{engine} ({plan})")
PLAYOUTS = Text("{n} play-outs a move")
POSITIONS = Text("{n} positions a move")
STEPS = Plural("{n} step ahead", "{n} steps ahead")
LOOKS = Text("{n} evaluations a move")
TURNS = Text("turns ahead: {n}")
ENDS = Text("the best {n} ways to end a turn")
THUMB = Text("opponents play by the rule of thumb")
FULL = Text("each turn searched to its end")
NEAR = Text("the first {n} evaluations of each way one turn ahead")
BOARDS = Text("boards sampled after each turn: {n}")
NUMBERS: dict[tuple[str, str], Text] = {  # of a plan, by engine
    ("mcts", "simulations"): PLAYOUTS,
    ("learned_values", "simulations"): LOOKS,
    ("learned_values", "turns"): TURNS,
    ("learned_values", "candidates"): ENDS,
    ("learned_values", "heuristic_replies"): THUMB,
    ("learned_values", "full_turns"): FULL,
    ("learned_values", "short_rollouts"): NEAR,
    ("learned_values", "width"): BOARDS,
    ("alphabeta", "nodes"): POSITIONS,
    ("alphabeta", "max_depth"): STEPS,
}
NUMBER = Text("{name} {n}")
NEEDS = Text("this bot needs {name}: {command}")


@cache
def install_advice() -> Text | None:
    """Return the advice how to install the packages of bots that search; None if nothing is missing."""
    missing = [name for name in ("numba", "numpy") if find_spec(name) is None]
    return NEEDS.fill(name=missing[0], command=install_command("fast")) if missing else None


def is_explorable(game: Game) -> bool:
    """Return whether the positions of a game can be solved, and here."""
    return game.ranking is not None and install_advice() is None


@dataclass(frozen=True)
class Measurement:
    """The measured results of a bot in n games.

    `share` is the share of games won, or of points against another bot (a draw is half a point), from `low`
    to `high` its 95 % interval; `score` the mean score in a game for one; `ms` milliseconds of processor time
    for a move that was a choice. `command` plays the same games again. `bot` tells the identities of both.
    """

    n: int
    share: float
    low: float
    high: float
    ms: float
    rules: int
    seed: int
    command: str
    against: str = ""
    score: float | None = None
    bot: str = ""


@dataclass(frozen=True)
class GivenAway:
    """The mean odds that a bot gave away per choice, in n games against itself that were reviewed.

    `mean` is from 0 to 1, from `low` to `high` its 95 % interval. `command` measures the same again. `bot` tells the
    identities of the bot and of the one that judged.
    """

    n: int
    choices: int
    mean: float
    low: float
    high: float
    rules: int
    seed: int
    command: str
    bot: str = ""


@dataclass(frozen=True)
class ExactEnds:
    """The part of a game in which a bot looks for exact odds: from a score of the player to move on.

    It looks at so many `positions` at most. The score tells cheaply how near the end is, so that hardly any look is
    in vain.
    """

    score: int
    positions: int


@dataclass(frozen=True)
class OddsCalibration:
    """The win rates measured for the values that a bot's search finds where it does not see the end.

    `points` are pairs of value and win rate, both from 0 to 1 and ascending, from n games with `options`. `bot` is
    the identity of the bot.
    """

    options: Mapping[str, Value]
    points: Sequence[Sequence[float]]
    n: int
    rules: int
    command: str
    bot: str = ""

    def __post_init__(self) -> None:
        """Refuse points that do not ascend from 0 to 1, by ValueError."""
        if not all(x <= y for rise in pairwise(self._curve) for x, y in zip(*rise, strict=True)):
            raise ValueError("the points of odds ascend from 0 to 1")

    def win_rate(self, value: float) -> float:
        """Return the win rate for a search value, by linear interpolation between the points.

        >>> odds = OddsCalibration({}, [(0.25, 0.5)], 100, 1, "")
        >>> [odds.win_rate(value) for value in (0.0, 0.125, 0.25, 0.625, 1.0)]
        [0.0, 0.25, 0.5, 0.75, 1.0]
        """
        (x, low), (y, high) = next(rise for rise in pairwise(self._curve) if rise[1][0] >= value)
        return low + (high - low) * (value - x) / (y - x) if x < y else high

    @property
    def _curve(self) -> list[Sequence[float]]:
        return [(0.0, 0.0), *self.points, (1.0, 1.0)]


@dataclass(frozen=True)
class Level:
    """One bot of a game."""

    name: str
    engine: str
    plan: Mapping[str, int] = field(default_factory=dict)
    blunders: int = 0
    exact_ends: ExactEnds | None = None
    measured: Measurement | None = None
    odds: tuple[OddsCalibration, ...] = ()
    given: GivenAway | None = None

    @property
    def module(self) -> Any:
        """The module of its engine."""
        return import_module(f"{__package__}.engines.{self.engine}")

    def identity(self, game: Game) -> str:
        """Return its engine, its plan and the digest of its net. Figures of a bot with another identity are void."""
        ends, plays = self.exact_ends, getattr(self.module, "PLAYS", 1)
        besides = {
            "blunders": self.blunders,
            "exact": ends and f"{ends.score}:{ends.positions}",
            "values": getattr(self.module, "values_digest", lambda _: "")(game),
        }
        said = {**self.plan, **{name: what for name, what in besides.items() if what}}
        return " ".join([self.engine, str(plays), *(f"{name}={what}" for name, what in said.items())])

    @property
    def instant(self) -> bool:
        """Return whether the bot answers at once, without a search."""
        return self.engine in BASIC_BOTS

    @property
    def install_advice(self) -> Text | None:
        """The advice how to install its packages; None if nothing is missing."""
        return None if self.instant else install_advice()

    def has_rough_odds(self, game: Game) -> bool:
        """Return whether its odds in this game were calibrated with other options only."""
        chosen = without_idle_options(game).non_default_options
        calibrated = not chosen or any(odds.options == chosen for odds in self.odds)
        return self.engine in ("learned_values", "mcts") and not calibrated

    def win_rate(self, game: Game, value: float) -> float:
        """Return how often it wins a game from where its search finds this value, 0 to 1.

        The calibration with the game's options decides; without one the lowest of those with a part of these
        options and no others; without any the value itself.
        """
        chosen = without_idle_options(game).non_default_options
        near = [odds for odds in self.odds if odds.options.items() <= chosen.items()]
        same = [odds for odds in near if odds.options == chosen]
        return min((odds.win_rate(value) for odds in same or near), default=value)

    def with_budget(self, simulations: int | None) -> Level:
        """Return the bot with this many simulations a move, or positions of alpha-beta search.

        The budget overrides that of its plan. Returns the bot itself for None, or if it does not search.
        """
        budget = getattr(self.module, "BUDGET", None)
        if simulations is None or budget is None:
            return self
        return replace(self, plan={**self.plan, budget: simulations})

    def warm_up(self, position: Position) -> None:
        """Start compiling its code for the game of a position, in the background.

        Raise ModuleNotFoundError, with the command that installs it, if a package is missing.
        """
        if not self.instant:
            self.module.warm_up(first_choice(position.game))
        if self.exact_ends:
            _exact_endgame().warm_up(first_choice(position.game))

    def choose(self, position: Position, seconds: float, luck: Random, wait: float = 0.0) -> str:
        """Return its move, a legal token, however little time there is to think and to wait for its code.

        `seconds` may be infinite: then its plan alone limits the search.
        """
        legal = position.legal()
        known = _value_table().known_evaluation(position) if self.name == LEVELS[-1] else None
        if known is not None:
            return str(known.best)
        if self.blunders and luck.randrange(100) < self.blunders:
            return luck.choice(legal)
        waiting = {} if self.instant else {"wait": wait}
        token: str = self.module.choose(position, legal, seconds, luck, **self.plan, **waiting)
        return self.improve(position, token, seconds, wait)

    def improve(self, position: Position, token: str, seconds: float, wait: float = 0.0) -> str:
        """Return the engine's move, or a better one by exact odds, where the bot looks for them.

        With less than EXACT_ENDS_S to think there is no time to look.
        """
        if self.exact_ends is None or seconds < EXACT_ENDS_S or len(position.legal()) == 1:
            return token
        better: str = _exact_endgame().better_move(position, token, self.exact_ends, wait)
        return better


def _value_table() -> Any:
    return import_module(f"{__package__}.engines.value_table")


def _exact_endgame() -> Any:
    return import_module(f"{__package__}.engines.exact_endgame")


def load_bots(game: Game | str) -> dict[str, Level]:
    """Return the bots of a game by name, weakest first, with figures of this game alone.

    RulesError names the fault of the file.
    """
    game = game_of(game)
    return _own_levels(game.folder / FILE, game.id)


def best_bot(game: Game | str) -> Level:
    """Return the highest level of a game; tree search for a game without levels."""
    return load_bots(game).get(LEVELS[-1]) or Level("mcts", "mcts", {"simulations": 4000})


def identities(game: Game, *names: str) -> str:
    """Return the identities of some bots of a game in one line, for figures of their games."""
    bots = load_bots(game)
    return ", ".join(bots[name].identity(game) for name in names if name)


def judge_of(game: Game | str) -> Level:
    """Return the bot that judges the moves of a game: the best one, or a short tree search where that cannot run."""
    best = best_bot(game)
    return Level("mcts", "mcts", {"simulations": SHORT_SEARCH}) if best.install_advice else best


@lru_cache(64)
def _own_levels(file: Path, id: str) -> dict[str, Level]:
    """Return the bots of a file without the figures of other games, as a copied file has them."""

    def own(level: Level) -> Level:
        return replace(
            level,
            measured=level.measured if level.measured and measures(level.measured.command, id) else None,
            given=level.given if level.given and measures(level.given.command, id) else None,
            odds=tuple(odds for odds in level.odds if measures(odds.command, id)),
        )

    return {name: own(level) for name, level in read_levels(file).items()}


@lru_cache(64)
def read_levels(file: Path) -> dict[str, Level]:
    """Return the bots that a levels.json describes; `random` and `greedy` if there is no file."""
    if not file.exists():
        return {name: Level(name, name) for name in BASIC_BOTS}
    try:
        data = read_json(file.read_text(encoding="utf-8"))
        bots = {name: _level(name, row) for name, row in data.items()}
        if tuple(bots) != BASIC_BOTS + LEVELS:
            raise ValueError(f"it must name {', '.join(BASIC_BOTS + LEVELS)}, not {', '.join(bots)}")
    except (OSError, TypeError, ValueError, AttributeError) as error:
        raise RulesError(f"{file}: {error}") from None
    return bots


def _level(name: str, data: dict[str, Any]) -> Level:
    figures: dict[str, Any] = {"odds": tuple(OddsCalibration(**row) for row in data.get("odds", ()))}
    figures |= {"measured": Measurement(**data["measured"])} if "measured" in data else {}
    figures |= {"given": GivenAway(**data["given"])} if "given" in data else {}
    figures |= {"exact_ends": ExactEnds(**data["exact_ends"])} if "exact_ends" in data else {}
    level = Level(name, **(data | figures))
    whole = [level.blunders, *level.plan.values()]
    if not all(type(number) is int and number >= 0 for number in whole) or level.blunders > 100:
        raise ValueError(f"{name}: blunders (to 100) and the numbers of a plan are whole numbers from 0")
    ends = level.exact_ends
    if ends and (type(ends.score) is not int or type(ends.positions) is not int or ends.positions < 1):
        raise ValueError(f"{name}: exact_ends has a score and positions, whole numbers, the positions from 1")
    if find_spec(f"{__package__}.engines.{level.engine}") is None:
        raise ValueError(f"{name}: there is no engine {level.engine!r}")
    return level


def to_json(bots: Mapping[str, Level]) -> str:
    """Return the text of a levels.json with these bots.

    >>> to_json({"random": Level("random", "random")})
    '{\\n "random": {"engine": "random"}\\n}\\n'
    """
    lines = []
    for name, level in bots.items():
        data: dict[str, Any] = {"engine": level.engine}
        data |= {"plan": dict(level.plan)} if level.plan else {}
        data |= {"blunders": level.blunders} if level.blunders else {}
        data |= {"exact_ends": asdict(level.exact_ends)} if level.exact_ends else {}
        if level.measured:
            figures = {f.name: getattr(level.measured, f.name) for f in fields(Measurement)}
            data["measured"] = {key: value for key, value in figures.items() if value not in ("", None)}
        if level.given:
            data["given"] = asdict(level.given)
        if level.odds:
            data["odds"] = [asdict(odds) for odds in level.odds]
        lines.append(f' "{name}": {json.dumps(data)}')
    return (
        "{\n"
        + re.sub(', ("measured": |"given": |"odds": |{"options": )', r",\n  \1", ",\n".join(lines))
        + "\n}\n"
    )


def title(name: str) -> Text:
    """Return a bot's name for people."""
    return TITLES.get(name) or plain(name)


def description(level: Level) -> Text:
    """Return how a bot finds its moves, in words."""
    engine: Text = getattr(level.module, "ABOUT", plain(level.engine))
    numbers = [(NUMBERS.get((level.engine, name), NUMBER), name, n) for name, n in level.plan.items() if n]
    if numbers:
        plan = join_texts(phrase.fill(name=name, n=number(n)) for phrase, name, n in numbers)
        engine = PLANNED.fill(engine=engine, plan=plan)
    if level.exact_ends:
        engine = EXACT_ENDS.fill(engine=engine, n=number(level.exact_ends.positions))
    return BLUNDERS.fill(engine=engine, n=level.blunders) if level.blunders else engine


def strength(level: Level, version: int) -> Text:
    """Return how strong a bot is, in words; figures of another `version` of the rules do not count."""
    found = level.measured
    if found is None or found.rules != version:
        return UNMEASURED
    phrase = SCORES if found.against else WINS
    share, low, high = (percentage(share, found.share) for share in (found.share, found.low, found.high))
    return phrase.fill(share=share, low=low, high=high, n=number(found.n), other=title(found.against))


def move_time(level: Level) -> Text | None:
    """Return how long a bot thinks about a move, in words; None if that was not measured."""
    return MS.fill(ms=f"{level.measured.ms:g}") if level.measured else None


def percent(share: float, of: float = 0, fine: int = 0) -> str:
    """Format a share as a percentage, with more digits near 0 and 100, and `fine` more everywhere.

    An end of an interval gets the digits of the share that it is an interval `of`. A share may exceed 1.

    >>> percent(0.414), percent(0.056), percent(1.0), percent(0.00002)
    ('41', '5.6', '100', '0.002')
    >>> percent(0.944), percent(0.9996), percent(0.9999), percent(0.99998, fine=1)
    ('94.4', '99.96', '99.99', '99.998')
    >>> percent(0.914, of=0.88), percent(0.0827, of=0.12), percent(0.914, of=1), percent(1.3, of=0.5)
    ('91', '8', '91.4', '130')
    """
    if share in (0, 1):
        return f"{100 * share:.0f}"
    whose = share if of in (0, 1) else of
    digits = fine if 0.1 <= whose <= 0.9 else fine + 1
    near = round(100 * (min(share, 1 - share) if share < 1 else share), 12)  # 1 - share is a little off
    return f"{100 * share:.{max(digits, -floor(log10(near))) if near else digits}f}"


def percentage(share: float, of: float = 0, fine: int = 0) -> Text:
    """Return a share in percent, with the decimals of `percent`, as each language writes it.

    >>> percentage(0.056), percentage(0.056)["de"]
    (Text('5.6%'), '5,6\\xa0%')
    """
    return formats.percent(percent(share, of, fine))
