"""Portions of an experiment played: compiled where every player can be, else by asking the bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from time import thread_time
from typing import Any

from smallchange import fast
from smallchange.errors import BadPolicy, IllegalMove
from smallchange.fast.drivers import drawn
from smallchange.fast.luck import open_streams
from smallchange.fast.search import Plan, Searcher
from smallchange.game import Game, Position

from .grid import Options, Portion
from .outcomes import ending, endings
from .policy import Policy

Column = list[Any]
PATIENCE, TRIES = 10.0, 30  # seconds between looks at whether a bot is compiled, and how many
COLUMNS = ("number", "outcome", "winner", "steps", "scores")


def play(portion: Portion) -> tuple[dict[str, Column], float]:
    """Its games, a column for each of COLUMNS, and the seconds of processor time that they took.

    `winner` is a seat, -1 for nobody; `scores` has one for each seat. The throws depend on seed, number,
    object and asking alone: the same deals whoever plays, under whatever options.
    """
    cell = portion.cell
    plans = cell.plans()
    if None in plans:
        return _asked(portion)
    way = _way(cell.game, cell.options, any(isinstance(plan, Plan) for plan in plans))
    start = thread_time()
    if isinstance(way, Searcher):
        games, _ = way.play_matches([p for p in plans if p is not None], cell.seed, portion.first, portion.n)
    else:
        games = way.play_games([p for p in plans if isinstance(p, int)], cell.seed, portion.first, portion.n)
    return _columns(way.game, games, portion.first), thread_time() - start


@lru_cache(4)  # a searcher has much room
def _way(id: str, options: Options, searching: bool) -> fast.Way:
    """A game compiled, and warm: what is timed is play alone."""
    game = Game(id, dict(options))
    if not searching:
        way = fast.compiled(game)
        way.play_games([fast.GREEDY] * len(game.seats), 0, 0, 1)
        return way
    searcher = Searcher(game)
    searcher.play_matches([Plan(playouts=1)] * len(game.seats), 0, 0, 1)
    return searcher


def _columns(game: Game, games: fast.Games, first: int) -> dict[str, Column]:
    kinds, which = endings(game, games)
    labels = [label for label, _ in kinds]
    winners = [-1 if winner is None else game.seats.index(winner) for _, winner in kinds]
    return {
        "number": list(range(first, first + len(games.steps))),
        "outcome": [labels[i] for i in which],
        "winner": [winners[i] for i in which],
        "steps": games.steps.tolist(),
        "scores": games.scores.tolist(),
    }


def _asked(portion: Portion) -> tuple[dict[str, Column], float]:
    """The same, step by step, each player a bot of `mind`."""
    cell = portion.cell
    game = Game(cell.game, dict(cell.options))
    for policy in set(cell.policy):
        if not policy.own:
            _warmed(policy, cell.game, cell.options)
    start = thread_time()
    rows: dict[str, Column] = {name: [] for name in COLUMNS}
    for number in range(portion.first, portion.first + portion.n):
        last, steps = one_game(game, cell.policy, cell.seed, number)
        label, winner = ending(last.result() or {}, game.seats)
        seat = -1 if winner is None else game.seats.index(winner)
        scores = [game.rules.score(game.board, last.s, i) for i in range(len(game.seats))]
        for name, value in zip(COLUMNS, (number, label, seat, steps, scores), strict=True):
            rows[name].append(value)
    return rows, thread_time() - start


@lru_cache
def _warmed(policy: Policy, id: str, options: Options) -> None:
    """Let a bot that has to be compiled be so: until then it plays by the rule of thumb.

    RuntimeError where that does not come to an end: what would be measured is not that bot.
    """
    position = Game(id, dict(options)).start()
    level = policy.level(position.game)
    if level.quick:
        return
    while position.actor == "chance":
        position.take(position.chances()[0][0])
    if position.actor is None:  # chance alone can end it
        return
    for _ in range(TRIES):
        if level.module.looks(position, PATIENCE, Random(0), 1):
            return
    raise RuntimeError(f"{policy.name} is not ready to play {id} after {TRIES * PATIENCE:g} seconds")


class Throws:
    """What chance does in one game of a seed: the throws of compiled games."""

    def __init__(self, game: Game, seed: int, number: int) -> None:
        self.game = game
        self._seats = len(game.seats)
        self._streams = [0] * (self._seats + len(game.sources))
        open_streams(self._streams, self._seats, seed, number)

    def throw(self, position: Position) -> int:
        """What the object that decides this chance step shows next, as an action."""
        actions, weights = position.odds()
        place = self._seats + self.game.sources.index(position.source)
        return drawn(actions, weights, len(actions), self._streams, place)


def one_game(
    game: Game, policy: Sequence[Policy | Callable[[Position], str]], seed: int, number: int
) -> tuple[Position, int]:
    """The last position of a game and its number of steps, with a policy for each seat: also any function
    from a position to a token. The throws are those of game `number` of `seed` in every experiment. BadPolicy
    where there is not one for each seat or one's own fails, IllegalMove for what is no move, ValueError for
    what is no seed."""
    if len(policy) != len(game.seats):
        seats = ", ".join(game.seats)
        raise BadPolicy(f"{game.id} needs a policy for each seat ({seats}), not {len(policy)} of them")
    bots = [
        who.player(game, Random(f"{seed} {number} {seat}")) if isinstance(who, Policy) else who
        for seat, who in enumerate(policy)
    ]
    throws = Throws(game, fast.seeded(seed), number)
    position, steps = game.start(), 0
    while position.actor is not None:
        if position.actor == "chance":
            game.rules.play(game.board, position.s, throws.throw(position))
        else:
            seat = position.s.turn
            try:
                position.take(bots[seat](position.copy()))
            except (BadPolicy, IllegalMove) as wrong:
                raise type(wrong)(f"{policy[seat]} in game {number} of seed {seed}: {wrong}") from wrong
        steps += 1
    return position, steps
