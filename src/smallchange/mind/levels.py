"""The bots of a game and how strong each is, from the file levels.json in the game's folder.

The file names each bot with its engine, the plan it gives to the engine, how many moves of a hundred are
blunders (any legal move instead), what was measured of it on the base game, and what the odds of its search
are worth, with these and those options:

    {"level1": {"engine": "greedy", "blunders": 30, "measured": {...}, "odds": [{...}, ...]}, ...}

`bench/levels.py` measures and writes, `bench/hints.py` the odds. A game without the file has `random` and
`greedy` alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from math import floor, log10
from pathlib import Path
from random import Random
from typing import Any

from smallchange.game import Game, Position
from smallchange.options import Value
from smallchange.text import Text, listed, plain

FILE = "levels.json"
SIMPLE = ("random", "greedy")  # need nothing but Python
LEVELS = ("level1", "level2", "level3", "level4", "level5")

TITLES = {
    "random": Text("a random player", "ランダムなボット"),
    "greedy": Text("a greedy player", "欲張りなボット"),
    **{name: Text(f"Level {name[5:]}", f"レベル{name[5:]}") for name in LEVELS},
}
WINS = Text("wins {share} % ({low}-{high}) of {n} games", "{n}回のうち{share}%({low}〜{high}%)で勝ち")
SCORES = Text(
    "scores {share} % ({low}-{high}) in {n} games against {other}",
    "{other}との{n}局で得点率{share}%({low}〜{high}%)",
)
MS = Text("{ms} ms a move", "1手{ms}ミリ秒")
UNMEASURED = Text("not measured", "未測定")
BLUNDERS = Text("{engine}; {n} moves of 100 are random", "{engine}(100手のうち{n}手はランダム)")
PLANNED = Text("{engine} ({plan})", "{engine}({plan})")
PLAYOUTS = Text("{n} play-outs a move", "1手に{n}回のプレイアウト")
POSITIONS = Text("{n} positions a move", "1手に{n}局面")
STEPS = Text("{n} steps ahead", "{n}手先まで")
LOOKS = Text("{n} looks a move", "1手に{n}回の見積もり")
TURNS = Text("turns ahead: {n}", "{n}手番先まで")
ENDS = Text("the best {n} ends of a turn", "手番の終わり方のうち良い{n}通り")
THUMB = Text("others by the rule of thumb", "相手は簡単な打ち方と想定")
FULL = Text("each turn to its end", "手番の最後まで")
NEAR = Text("the first {n} from each end one turn ahead", "各終わり方の最初の{n}回は1手番先まで")
BOARDS = Text("boards after each turn: {n}", "各手番後に{n}局面")
NUMBERS = {  # of a plan, by engine
    ("search", "most"): PLAYOUTS,
    ("value", "most"): LOOKS,
    ("value", "turns"): TURNS,
    ("value", "ends"): ENDS,
    ("value", "thumb"): THUMB,
    ("value", "full"): FULL,
    ("value", "near"): NEAR,
    ("value", "width"): BOARDS,
    ("alphabeta", "most"): POSITIONS,
    ("alphabeta", "deepest"): STEPS,
}
NUMBER = Text("{name} {n}", "{name} {n}")
NEEDS = Text(
    "this bot needs {name}: pip install 'smallchange[fast]'",
    "このボットには{name}が必要です: pip install 'smallchange[fast]'",
)


@cache
def lacking() -> Text | None:
    """What has to be installed for bots that search, in words; None if nothing is."""
    missing = [name for name in ("numba", "numpy") if find_spec(name) is None]
    return NEEDS.fill(name=missing[0]) if missing else None


class BadLevels(ValueError):
    """The file of a game's levels is not as it should be."""


@dataclass(frozen=True)
class Measured:
    """What came of n games: the share won, or of the points against another bot (a draw is half a point),
    with its 95 % interval; the mean score of a game for one; milliseconds a move that was a choice."""

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


@dataclass(frozen=True)
class Odds:
    """How often a bot won where its search did not see the end and found so large a share of games won:
    `points` are pairs of both, ascending, from n games with these options."""

    options: Mapping[str, Value]
    points: Sequence[Sequence[float]]
    n: int
    rules: int
    command: str

    def __post_init__(self) -> None:
        """ValueError for points that are no odds."""
        if not all(x <= y for rise in pairwise(self._line) for x, y in zip(*rise, strict=True)):
            raise ValueError("the points of odds ascend from 0 to 1")

    def won(self, share: float) -> float:
        """The share of games won where the search finds so many: in proportion between the points.

        >>> odds = Odds({}, [(0.25, 0.5)], 100, 1, "")
        >>> [odds.won(share) for share in (0.0, 0.125, 0.25, 0.625, 1.0)]
        [0.0, 0.25, 0.5, 0.75, 1.0]
        """
        (x, low), (y, high) = next(rise for rise in pairwise(self._line) if rise[1][0] >= share)
        return low + (high - low) * (share - x) / (y - x) if x < y else high

    @property
    def _line(self) -> list[Sequence[float]]:
        return [(0.0, 0.0), *self.points, (1.0, 1.0)]


@dataclass(frozen=True)
class Level:
    """One bot of a game."""

    name: str
    engine: str
    plan: Mapping[str, int] = field(default_factory=dict)
    blunders: int = 0
    measured: Measured | None = None
    odds: tuple[Odds, ...] = ()

    @property
    def module(self) -> Any:
        """The module of its engine."""
        return import_module(f"{__package__}.{_module(self.engine)}")

    @property
    def quick(self) -> bool:
        """Does it answer at once?"""
        return self.engine in SIMPLE

    @property
    def lacks(self) -> Text | None:
        """What has to be installed for it, in words; None if nothing is."""
        return None if self.quick else lacking()

    def rough(self, game: Game) -> bool:
        """Are its odds in this game guessed from those with other options?"""
        measured = not game.chosen or any(odds.options == game.chosen for odds in self.odds)
        return self.engine in ("value", "search") and not measured

    def won(self, game: Game, share: float) -> float:
        """How often it wins a game, where its search finds this share of games won: as was measured with the
        game's options; else the least that was measured with some of these and no others. The share itself
        where nothing was."""
        near = [odds for odds in self.odds if odds.options.items() <= game.chosen.items()]
        same = [odds for odds in near if odds.options == game.chosen]
        return min((odds.won(share) for odds in same or near), default=share)

    def prepare(self, position: Position) -> None:
        """Let its code get ready for the game of a position, in a thread of its own: it will not be waited
        for. ModuleNotFoundError says what to install where it cannot be."""
        position = position.copy()
        while position.actor == "chance":
            position.take(next(iter(position)))
        if not self.quick and position.actor:
            self.module.prepare(position)

    def choose(self, position: Position, seconds: float, luck: Random, wait: float = 0.0) -> str:
        """Its move: a legal token, however little time there is to think, and to wait for its code."""
        legal = position.legal()
        if self.blunders and luck.randrange(100) < self.blunders:
            return luck.choice(legal)
        waiting = {} if self.quick else {"wait": wait}
        token: str = self.module.choose(position, legal, seconds, luck, **self.plan, **waiting)
        return token


def bots(game: Game) -> dict[str, Level]:
    """The bots of a game by name, weakest first. BadLevels says what is wrong with the file."""
    return _read(game.folder / FILE)


@lru_cache(64)
def _read(file: Path) -> dict[str, Level]:
    if not file.exists():
        return {name: Level(name, name) for name in SIMPLE}
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        found = {name: _level(name, about) for name, about in said.items()}
    except (TypeError, ValueError, AttributeError) as wrong:
        raise BadLevels(f"{file}: {wrong}") from None
    if tuple(found) != SIMPLE + LEVELS:
        raise BadLevels(f"{file}: it must name {', '.join(SIMPLE + LEVELS)}, not {', '.join(found)}")
    return found


def _level(name: str, about: dict[str, Any]) -> Level:
    figures: dict[str, Any] = {"odds": tuple(Odds(**row) for row in about.get("odds", ()))}
    figures |= {"measured": Measured(**about["measured"])} if "measured" in about else {}
    level = Level(name, **(about | figures))
    whole = [level.blunders, *level.plan.values()]
    if not all(type(number) is int and number >= 0 for number in whole) or level.blunders > 100:
        raise ValueError(f"{name}: blunders (to 100) and the numbers of a plan are whole numbers from 0")
    if find_spec(f"{__package__}.{_module(level.engine)}") is None:
        raise ValueError(f"{name}: there is no engine {level.engine!r}")
    return level


def _module(engine: str) -> str:
    return engine if engine in SIMPLE else f"_{engine}"


def written(found: Mapping[str, Level]) -> str:
    """The text of a file that says this.

    >>> written({"random": Level("random", "random")})
    '{\\n "random": {"engine": "random"}\\n}\\n'
    """
    lines = []
    for name, level in found.items():
        about: dict[str, Any] = {"engine": level.engine}
        about |= {"plan": dict(level.plan)} if level.plan else {}
        about |= {"blunders": level.blunders} if level.blunders else {}
        if level.measured:
            kept = {f.name: getattr(level.measured, f.name) for f in fields(Measured)}
            about["measured"] = {key: value for key, value in kept.items() if value not in ("", None)}
        if level.odds:
            about["odds"] = [asdict(odds) for odds in level.odds]
        lines.append(f' "{name}": {json.dumps(about)}')
    return "{\n" + re.sub(', ("measured": |"odds": |{"options": )', r",\n  \1", ",\n".join(lines)) + "\n}\n"


def title(name: str) -> Text:
    """What a bot is called."""
    return TITLES.get(name) or plain(name)


def about(level: Level) -> Text:
    """How a bot finds its moves, in words."""
    said: Text = getattr(level.module, "ABOUT", plain(level.engine))
    if level.plan:
        numbers = [(NUMBERS.get((level.engine, name), NUMBER), name, n) for name, n in level.plan.items()]
        plan = listed(phrase.fill(name=name, n=f"{n:,}") for phrase, name, n in numbers)
        said = PLANNED.fill(engine=said, plan=plan)
    return BLUNDERS.fill(engine=said, n=level.blunders) if level.blunders else said


def strength(level: Level, version: int) -> Text:
    """How strong a bot is, in words; `version` is that of the rules, other figures do not count."""
    found = level.measured
    if found is None or found.rules != version:
        return UNMEASURED
    phrase = SCORES if found.against else WINS
    share, low, high = (percent(share, found.share) for share in (found.share, found.low, found.high))
    return phrase.fill(share=share, low=low, high=high, n=f"{found.n:,}", other=title(found.against))


def pace(level: Level) -> Text | None:
    """How long a bot thinks about a move, in words; None where that was not measured."""
    return MS.fill(ms=f"{level.measured.ms:g}") if level.measured else None


def percent(share: float, of: float = 0, fine: int = 0) -> str:
    """Of a hundred, finer near its ends, with so many more digits; an end of an interval has the digits of
    the share that it is `of`. What several gave away together may be more than all.

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
