"""Puzzles found in games of bots: choices whose best move is far ahead of all others.

A choice is judged by the game's table of solved positions; in a game for one by the exact odds of all that may follow,
where that is little enough; else by whole games after each move, in pairs with the same throws, until a sequential
test is sure. Only numbers of positions and looks limit that, no clock: the same seed finds the same puzzles.

>>> import smallchange
>>> from smallchange.tablebase import solvable
>>> game = smallchange.game(solvable()[0], size=3)
>>> [one.to_json() for one in find_puzzles(game, 3, seed=1)] == [
...     one.to_json() for one in find_puzzles(game, 3, seed=1, workers=2)
... ]
True
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice, pairwise
from random import Random
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from research.value_playouts import TO_THE_END, ValuePlayouts
from smallchange.bots.engines.evaluation import outcome_points
from smallchange.bots.engines.learned_values import has_learned_values
from smallchange.bots.engines.tablebase import before_no_progress_draw
from smallchange.bots.engines.value_table import existing_values, known_moves
from smallchange.bots.levels import load_bots
from smallchange.bots.reasons import advantages
from smallchange.bots.solved_values import solved_values
from smallchange.core.game import Game, Position
from smallchange.core.puzzle import LOOK_AHEAD, MIN_MARGIN, Origin, Puzzle
from smallchange.core.state import CHANCE, Fields
from smallchange.lab.backends import check_workers, distribute
from smallchange.lab.play_portion import row_match
from smallchange.tablebase.exact import Exact, TooLarge
from smallchange.tablebase.ranked_games import has_ranking

from .ratings import rate_puzzle

PLAYERS = ("level2", "level3", "level4")  # whose games are looked at, each against each
TWO_SIDES = (
    "random",
    "level1",
    "level2",
    "level3",
)  # .. on solved boards: others play too few different games
EXACT_POSITIONS = 100_000  # that may follow the choices of a game with exact odds
SKETCHED_TURNS = 2  # after which the net judges a sketch of a game
SKETCHES = ((2, 0.06), (8, 0.08))  # after each move, and the margin there that is worth more games
SCREENED, MIN_SCREENED_MARGIN = (
    24,
    0.1,
)  # whole games after each move, and the margin there that is worth a test
LOOKS = (64, 128, 256, 512, 1024)  # games after each move at which the test may end
DOUBT = 0.001  # that the interval of a measured margin does not hold it
FRESH = 256  # games after the best and the second, played for their odds once the test is over
MIN_CHOICES = 3  # moves of a puzzle that do not lose at once
FEW_MOVES = 5  # of which so many must come to different odds
APART, MEASURED_APART = 0.01, 0.03  # odds that are different
MAX_OF_GAME, MIN_STEPS_APART = 6, 3  # puzzles of one game, and steps between two of them
SAME_KEY_STEPS = 20  # .. if both have the same key: it would be the same idea
MAX_THEME_SHARE = 0.5  # of a set that one theme may have
MAX_KIND_GAIN = 1 / 6  # of a set that one kind of move may solve more of than a guess does
GAMES_PER_PUZZLE = 400  # looked at before the search gives up
BATCH = 8  # games looked at by a worker at a time
NAMED = re.compile(
    r"\b([a-z]|[a-z]{0,2}\d+|an|the|ace|null|suns?|moons?|crowns?|arms|red|green|heads|tails)\b",
    re.IGNORECASE,
)  # what differs between moves of one kind
CLAUSES = re.compile(", | and ")
POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


class Judgement(NamedTuple):
    """The two best moves of a choice with their odds; `interval` holds their difference, None where that is exact."""

    best: str
    chance: float
    second: float
    interval: tuple[float, float] | None = None
    playouts: int = 0

    @property
    def is_clear(self) -> bool:
        """Return whether the best move is ahead by MIN_MARGIN for certain."""
        least = self.interval[0] if self.interval else self.chance - self.second
        return least >= MIN_MARGIN


class _Batch(NamedTuple):
    """Some games of bots, one after another."""

    game: Game
    seed: int
    first: int


def find_puzzles(
    game: Game,
    n: int,
    seed: int = 1,
    workers: int = 1,
    first: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Puzzle]:
    """Yield n puzzles of a game, or fewer where GAMES_PER_PUZZLE games for each do not bring them.

    No two are alike: of positions worth the same by symmetry only one is kept, and `Mixture` has room for each.
    `first` is the number of the first game of bots; `progress` is called with the number of puzzles so far.
    """
    known, mixture, found = set[object](), Mixture(n), 0
    for batch in _in_order(game, seed, first, n * GAMES_PER_PUZZLE, check_workers(workers)):
        for puzzle in batch:
            key = likeness(puzzle.position)
            if key in known or not mixture.takes(puzzle):
                continue
            known.add(key)
            found += 1
            yield puzzle
            if progress is not None:
                progress(found)
            if found == n:
                return


def _in_order(game: Game, seed: int, first: int, games: int, workers: int) -> Iterator[list[Puzzle]]:
    """Yield the puzzles of batches in order, whoever finds them."""
    batches = (_Batch(game, seed, number) for number in range(first, first + games, BATCH))
    if workers == 1:
        yield from map(_puzzles_of_batch, batches)
        return
    while together := list(islice(batches, 4 * workers)):
        rows = dict(distribute(_number_puzzles, enumerate(together), workers=workers))
        yield from (rows[i] for i in range(len(together)))


def _number_puzzles(numbered: tuple[int, _Batch]) -> tuple[int, list[Puzzle]]:
    return numbered[0], _puzzles_of_batch(numbered[1])


def _puzzles_of_batch(batch: _Batch) -> list[Puzzle]:
    numbers = range(batch.first, batch.first + BATCH)
    return [puzzle for number in numbers for puzzle in puzzles_of_game(batch.game, batch.seed, number)]


def puzzles_of_game(game: Game, seed: int, number: int) -> list[Puzzle]:
    """Return the puzzles of one game of bots, at most MAX_OF_GAME."""
    bots = TWO_SIDES if has_ranking(game) else PLAYERS
    policy = ",".join((bots[number % len(bots)], bots[number // len(bots) % len(bots)])[: len(game.seats)])
    match = row_match(game, policy, seed, number)
    position, choices = game.start(), list[tuple[int, Position]]()
    for at, step in enumerate(match.steps):
        if position.s.turn >= 0 and len(position.legal_actions()) >= MIN_CHOICES:
            choices.append((at, position.copy()))
        position.play_unchecked(game.actions[step.token])
    found = list[Puzzle]()
    for at, here, judged in _clear_choices(game, choices):
        if found and found[-1].origin and at - found[-1].origin.step < MIN_STEPS_APART:
            continue
        if judged.best == thumb_move(here):
            continue
        origin = Origin(policy, seed, number, at)
        theme = theme_of(here, judged.best)
        puzzle = Puzzle(game.version, here.key(), *judged, theme=theme, rating=0, origin=origin)
        if not any(are_alike(puzzle, one) for one in found):
            found.append(rate_puzzle(puzzle))
    return found[:MAX_OF_GAME]


class Mixture:
    """A set of n puzzles, of which no rule of one line solves much.

    No theme has more than its share. A player who always takes a move of one kind, as a fight with a coin, at random
    where there are several, solves hardly more than by guesses.
    """

    def __init__(self, n: int) -> None:
        self._most = max(1, int(n * MAX_THEME_SHARE)), max(1, n * MAX_KIND_GAIN)
        self._themes, self._gains = Counter[str](), defaultdict[str, float](float)

    def takes(self, puzzle: Puzzle) -> bool:
        """Add a puzzle; return whether there was room for it."""
        gains = gains_by_kind(puzzle)
        most, most_gained = self._most
        if self._themes[puzzle.theme] + 1 > most:
            return False
        if any(self._gains[kind] + gain > most_gained for kind, gain in gains.items()):
            return False
        self._themes[puzzle.theme] += 1
        for kind, gain in gains.items():
            self._gains[kind] += gain
        return True


def gains_by_kind(puzzle: Puzzle) -> dict[str, float]:
    """Return how much likelier the best move is found among those of each of its kinds than among all moves."""
    position = puzzle.position
    kinds = {token: kinds_of(position, token) for token in position.legal()}
    alike = Counter(chain(*kinds.values()))
    return {kind: 1 / alike[kind] - 1 / len(kinds) for kind in kinds[puzzle.best]}


def kinds_of(position: Position, token: str) -> set[str]:
    """Return what a move does, without its squares, numbers, sides and suits, and without what follows from it.

    >>> import smallchange
    >>> start = smallchange.game("royal-ur").start().played("heads:4")
    >>> sorted(kinds_of(start, "enter"))
    ['enter enters on', 'rosette']
    """
    words = position.describe(token).en.partition(":")[0]
    parts = CLAUSES.split(f"{token} {words}")
    return {kind for part in parts if (kind := " ".join(NAMED.sub("", part).split()))}


def theme_of(position: Position, best: str) -> str:
    """Return the English word for the feature in which the best move is ahead most clearly."""
    reasons = advantages(position, best)
    return ((reasons and reasons[0].theme) or LOOK_AHEAD).en


def is_worth_solving(puzzle: Puzzle) -> bool:
    """Return whether the rule of thumb errs, enough moves do not lose at once, and enough come to different odds.

    On a solved board odds are few. Those of a table that is not there are not looked at.
    """
    position, game = puzzle.position, puzzle.game
    if puzzle.best == thumb_move(position) or not has_choices(position):
        return False
    if not puzzle.exact:
        return _PlayOuts(position).differ()
    if has_ranking(game) or (len(game.seats) > 1 and existing_values(game) is None):
        return True
    _solver(game).forget()
    odds = known_odds(position)
    return odds is not None and differ(odds)


def are_alike(one: Puzzle, other: Puzzle) -> bool:
    """Return whether two puzzles have the same key soon after one another in one game of bots."""
    a, b = one.origin, other.origin
    if a is None or b is None or one.best != other.best or one.game != other.game:
        return False
    return a._replace(step=0) == b._replace(step=0) and abs(a.step - b.step) < SAME_KEY_STEPS


def has_choices(position: Position) -> bool:
    """Return whether enough moves do not lose at once."""
    legal = position.legal()
    if len(legal) < MIN_CHOICES:
        return False
    return sum(not loses_at_once(position, token) for token in legal) >= MIN_CHOICES


def loses_at_once(position: Position, token: str) -> bool:
    """Return whether a move loses before the next choice, whatever chance does until then."""
    here = [position.played(token)]
    while here:
        after = here.pop()
        if after.s.turn == CHANCE:
            for action in after.outcome_actions()[0]:
                here.append(after.copy())
                here[-1].play_unchecked(action)
        elif outcome_points(after, position.actor or "") != 0.0:
            return False
    return True


def thumb_move(position: Position) -> str:
    """Return the move of the rule of thumb."""
    return load_bots(position.game)["greedy"].choose(position, 0.0, Random(position.key()))


def _clear_choices(
    game: Game, choices: Sequence[tuple[int, Position]]
) -> Iterator[tuple[int, Position, Judgement]]:
    """Yield the choices of a game of bots whose best move is clear, the earliest first."""
    found = list[tuple[int, Position, Judgement]]()
    if has_ranking(game) or len(game.seats) == 1 or existing_values(game) is not None:
        _solver(game).forget()  # so that what is found depends on this game alone
        for at, position in reversed(choices):
            odds = known_odds(position)
            if odds is None and len(game.seats) == 1:
                break  # before it even more may follow
            if odds is None or not (has_ranking(game) or differ(odds)) or not has_choices(position):
                continue
            if (sure := judge(odds)).is_clear:
                found.append((at, position, sure))
    elif has_learned_values(game):
        for at, position in choices[len(choices) // 2 :]:  # where the rest of a game is short
            if found and at - found[-1][0] < MIN_STEPS_APART:
                continue
            judged = measure(position) if is_promising(position) and has_choices(position) else None
            if judged is not None and judged.is_clear:
                found.append((at, position, judged))
    return iter(sorted(found, key=lambda row: row[0]))


def known_odds(position: Position) -> dict[str, float] | None:
    """Return the odds of each move by perfect play; None where they are not known."""
    odds = _table_odds(position) if has_ranking(position.game) else known_moves(position)
    return _exact_odds(position) if odds is None and len(position.game.seats) == 1 else odds


def differ(odds: Mapping[str, float], apart: float = APART) -> bool:
    """Return whether the moves are many, or enough of them come to different odds: others are in truth one choice."""
    steps = sum(high - low >= apart for low, high in pairwise(sorted(odds.values())))
    return len(odds) > FEW_MOVES or steps + 1 >= MIN_CHOICES


def judge(odds: Mapping[str, float]) -> Judgement:
    """Judge a choice by the odds of perfect play."""
    (best, most), (_, second), *_ = sorted(odds.items(), key=lambda row: -row[1])
    return Judgement(best, round(most, 6), round(second, 6))


def _exact_odds(position: Position) -> dict[str, float] | None:
    try:
        moves = _solver(position.game).moves(position, positions=EXACT_POSITIONS)
        return {token: float(odds) for token, odds in moves}
    except TooLarge:
        return None


@lru_cache(maxsize=4)
def _solver(game: Game) -> Exact:
    return Exact(game, memory=1 << 26)


def _table_odds(position: Position) -> dict[str, float] | None:
    """Look all moves up; None where one is not known, or where the limit of quiet play may decide."""
    found = dict[str, float]()
    for token, value in solved_values(position).moves.items():
        after = position.played(token)
        points = outcome_points(after, position.actor or "")
        if points is None:
            if value is None or (value.outcome != "draw" and not _in_time(after, value.plies)):
                return None
            points = POINTS[value.outcome]
        found[token] = points
    return found


def _in_time(after: Position, plies: int | None) -> bool:
    return plies is not None and before_no_progress_draw(after, plies)


def is_promising(position: Position) -> bool:
    """Return whether the net, SKETCHED_TURNS later, sees one move ahead that the rule of thumb does not take."""
    luck = Random(f"sketch {position.key()}").getrandbits(63)
    for n, margin in SKETCHES:
        odds = {
            token: whole_games(position, token, luck, n, turns=SKETCHED_TURNS).mean()
            for token in position.legal()
        }
        best, second, *_ = sorted(odds, key=lambda token: -odds[token])
        if odds[best] - odds[second] < margin or best == thumb_move(position):
            return False
    return True


def measure(position: Position, seed: int = 0, looks: Sequence[int] = LOOKS) -> Judgement | None:
    """Judge a choice by whole games after each move, in pairs; None where the best move is not clearly ahead.

    The best move is the one of the first SCREENED games, which do not count any more after that. At each look every
    rival is compared with it. The interval of the margin holds at all looks, for all rivals together. The odds are
    those of FRESH games more, which did not end the test; None where the margin is too small in them.
    """
    games = _PlayOuts(position, seed)
    first = games.means(0, SCREENED)
    best, *rivals = sorted(first, key=lambda token: -first[token])
    if first[best] - first[rivals[0]] < MIN_SCREENED_MARGIN or not games.differ():
        return None
    z = NormalDist().inv_cdf(1 - DOUBT / 2 / len(looks) / len(rivals))
    passed = dict[str, tuple[float, float, float]]()
    for n in looks:
        ours = games.results(best, SCREENED, n)
        for rival in (one for one in rivals if one not in passed):
            apart = ours - games.results(rival, SCREENED, n)
            mean, error = float(apart.mean()), z * float(apart.std(ddof=1)) / n**0.5
            if mean - error * (n / looks[-1]) ** 0.5 < MIN_MARGIN:
                return None  # with this mean it would not be sure at the last look either
            if mean - error >= MIN_MARGIN:
                passed[rival] = mean, mean - error, mean + error
        if len(passed) == len(rivals):
            second = min(passed, key=lambda token: passed[token])
            _, low, high = passed[second]
            odds, less = (games.results(token, SCREENED + n, FRESH).mean() for token in (best, second))
            interval = round(low, 4), round(min(1.0, high), 4)
            judged = Judgement(best, round(odds, 4), round(less, 4), interval, n)
            return judged if odds - less >= MIN_MARGIN else None
    return None


class _PlayOuts:
    """Whole games after each move of a choice, played once each."""

    def __init__(self, position: Position, seed: int = 0) -> None:
        self._position = position
        self._seed = Random(f"{seed} {position.key()}").getrandbits(63)
        self._known = dict[str, Any]()

    def means(self, first: int, n: int) -> dict[str, float]:
        """Return the mean of the games number `first` .. after each move."""
        return {token: self.results(token, first, n).mean() for token in self._position.legal()}

    def differ(self) -> bool:
        """Return whether the moves are many, or enough differ in the games of the first look."""
        many = len(self._position.legal()) > FEW_MOVES
        return many or differ(self.means(SCREENED, LOOKS[0]), MEASURED_APART)

    def results(self, token: str, first: int, n: int) -> Any:
        """Return the results of the games number `first` .. after a move, for the player who chooses."""
        known = self._known.get(token, np.zeros(0))
        missing = first + n - len(known)
        if missing > 0:
            fresh = whole_games(self._position, token, self._seed, missing, len(known))
            known = self._known[token] = np.concatenate([known, fresh])
        return known[first : first + n]


def whole_games(
    position: Position, token: str, seed: int, n: int, first: int = 0, turns: int = TO_THE_END
) -> Any:
    """Return what n games after a move come to for the player who chooses it: float64[n], 0 to 1.

    After so many whole `turns` the net judges.
    """
    after = position.played(token)
    points = outcome_points(after, position.actor or "")
    if points is not None:
        return np.full(n, points)
    turns += after.s.turn == position.s.turn  # the rest of this turn
    return _players(position.game).play_outs(after.s, position.s.turn, seed, first, n, turns)


@lru_cache(maxsize=4)
def _players(game: Game) -> ValuePlayouts:
    return ValuePlayouts(game)


def likeness(position: Position) -> object:
    """Return what positions have in common that are worth the same by symmetry, as far as their game says it.

    A game with a ranking numbers positions as the player to move sees them; the features of another game for two
    describe them so.
    """
    game, s = position.game, position.s.copy()
    variant = tuple(game.non_default_options.items())
    if game.ranking:
        return variant, game.ranking.place(game.board, s)
    if game.features and len(game.seats) > 1:
        numbers = [0] * (game.features.FEATURES + getattr(game.features, "FLAGS", 0) + 64)
        game.features.features(game.board, s, s.turn, numbers)
        return variant, tuple(numbers), len(position.legal_actions())
    if game.symmetry:
        game.symmetry.canonicalize(game.board, s)
    return variant, state_values(s)


def state_values(s: Fields) -> tuple[object, ...]:
    """Return the fields of a state, to tell it from others."""
    values = [getattr(s, name) for name in s.ranges]
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)
