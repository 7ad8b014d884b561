"""Portions of an experiment played: compiled where every player can be, else by asking the bots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from numbers import Integral
from random import Random
from time import thread_time
from typing import Any

from smallchange import engine
from smallchange.bots.policy import Policy, PolicyLike, seat_policies
from smallchange.core.errors import BadPolicy, IllegalMove
from smallchange.core.game import Game, Position, game_of
from smallchange.core.match import Match, first_choice
from smallchange.core.simulated_deal import SimulatedDeal
from smallchange.engine.search.mcts import Plan, TreeSearcher

from .experiment_grid import Options, Portion
from .outcomes import ending, endings

__all__ = ["one_game", "play", "row_match"]

Column = list[Any]
WAIT_S, MAX_WAITS = 10.0, 30  # seconds between looks at whether a bot is compiled, and how many
COLUMNS = ("number", "outcome", "winner", "steps", "scores")


def play(portion: Portion) -> tuple[dict[str, Column], float]:
    """Its games, a column for each of COLUMNS, and the seconds of processor time that they took.

    `winner` is a seat, -1 for nobody; `scores` has one for each seat. The throws depend on seed, number,
    object and asking alone: the same deals whoever plays, under whatever options.
    """
    cell = portion.cell
    plans = cell.plans()
    if None in plans:
        return _play_stepwise(portion)
    way = _way(cell.game, cell.options, any(isinstance(plan, Plan) for plan in plans))
    start = thread_time()
    if isinstance(way, TreeSearcher):
        games, _ = way.play_matches([p for p in plans if p is not None], cell.seed, portion.first, portion.n)
    else:
        games = way.play_games([p for p in plans if isinstance(p, int)], cell.seed, portion.first, portion.n)
    return _columns(way.game, games, portion.first), thread_time() - start


@lru_cache(4)  # a searcher has much room
def _way(id: str, options: Options, searching: bool) -> engine.CompiledGame:
    """Return a game compiled and warmed up, so that only play is timed."""
    game = Game(id, dict(options))
    if not searching:
        way = engine.compile_game(game)
        way.play_games([engine.GREEDY] * len(game.seats), 0, 0, 1)
        return way
    searcher = TreeSearcher(game)
    searcher.play_matches([Plan(simulations=1)] * len(game.seats), 0, 0, 1)
    return searcher


def _columns(game: Game, games: engine.Games, first: int) -> dict[str, Column]:
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


def _play_stepwise(portion: Portion) -> tuple[dict[str, Column], float]:
    """Play the portion step by step instead, each player a bot of `mind`."""
    cell = portion.cell
    game = Game(cell.game, dict(cell.options))
    for policy in set(cell.policy):
        if not policy.is_external:
            _warm_up(policy, cell.game, cell.options)
    start = thread_time()
    rows: dict[str, Column] = {name: [] for name in COLUMNS}
    for number in range(portion.first, portion.first + portion.n):
        last, steps = one_game(game, cell.policy, cell.seed, number)
        label, winner = ending(last.result or {}, game.seats)
        seat = -1 if winner is None else game.seats.index(winner)
        scores = [game.rules.score(game.board, last.s, i) for i in range(len(game.seats))]
        for name, value in zip(COLUMNS, (number, label, seat, steps, scores), strict=True):
            rows[name].append(value)
    return rows, thread_time() - start


@lru_cache
def _warm_up(policy: Policy, id: str, options: Options) -> None:
    """Let a bot that has to be compiled be so: until then it plays by the rule of thumb.

    RuntimeError where that does not come to an end: the measurement would not be of that bot.
    """
    position = first_choice(Game(id, dict(options)))
    level = policy.level(position.game)
    if level.instant:
        return
    if position.actor is None:  # chance alone can end it
        return
    for _ in range(MAX_WAITS):
        if level.module.search(position, WAIT_S, Random(0), 1):
            return
    raise RuntimeError(f"{policy.name} is not ready to play {id} after {MAX_WAITS * WAIT_S:g} seconds")


def row_match(
    game: Game | str, policy: PolicyLike | Sequence[PolicyLike] = "random", seed: int = 1, number: int = 0
) -> Match:
    """Return the match of a row of an experiment: game `number` of `seed`, which `simulate` plays too.

    Every step has been checked, and chance is what seed and number give. `policy` is as for `simulate`; of a bot that
    looks at the clock it may be another match. BadPolicy if there is not one policy, or one for each seat, or if a
    function fails, IllegalMove for an illegal token, ValueError for an invalid seed or number.
    """
    game = game_of(game)
    players = seat_policies(policy, game)
    seats = dict(zip(game.seats, map(str, players), strict=True))
    if not isinstance(number, Integral) or number < 0:
        raise ValueError(f"the number of a game is a whole number from 0 on, not {number!r:.80}")
    match = Match(game, None, seats, simulated=SimulatedDeal(engine.check_seed(seed), int(number)))
    plans = [player.plan(game) for player in players]
    if None in plans:
        _play_match(match, players)
        return match
    options = tuple(game.non_default_options.items())
    way = _way(game.id, options, any(isinstance(plan, Plan) for plan in plans))
    if isinstance(way, TreeSearcher):
        actions = way.trace_match([p for p in plans if p is not None], seed, number)
    else:
        actions = way.trace_game([p for p in plans if isinstance(p, int)], seed, number)
    for action in actions:
        match.play(game.action_to_token(action))
    return match


def _play_match(match: Match, players: Sequence[Policy]) -> None:
    """Play a match to its end, each player asked step by step."""
    game, deal = match.game, match.simulated
    assert deal is not None
    functions = [
        player.player(game, Random(f"{deal.seed} {deal.number} {seat}"))
        for seat, player in enumerate(players)
    ]
    while not match.over:
        if match.settle():
            continue
        seat = match.position.s.turn
        try:
            match.play(functions[seat](match.position.copy()))
        except (BadPolicy, IllegalMove) as wrong:
            raise type(wrong)(
                f"{players[seat]} in game {deal.number} of seed {deal.seed}: {wrong}"
            ) from wrong


def one_game(
    game: Game, policy: PolicyLike | Sequence[PolicyLike], seed: int, number: int
) -> tuple[Position, int]:
    """Return the last position of a game and its number of steps; every player is asked step by step.

    The arguments and errors are those of `row_match`.
    """
    deal = SimulatedDeal(engine.check_seed(seed), number)
    match = Match(game, simulated=deal)
    _play_match(match, seat_policies(policy, game))
    return match.position, len(match)
