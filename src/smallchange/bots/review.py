"""Review a match: how much each choice gave away, in the best bot's opinion, and how much was luck.

The engine evaluates the move played and the best move in the same way (`evaluate_move`); the last choices of
a game for one have exact odds. Between two choices of a player the odds change by luck and by other players'
moves. `review_account.py` adds all of it up to the result. By learned values the odds in a game for two are
against the opponent that the bot expects, so the odds of both players need not add up to one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from random import Random
from typing import Any

from smallchange.core.game import Position
from smallchange.core.match import Match

from . import COMPILE_TIMEOUT_S
from .engines.evaluation import outcome_points
from .engines.exact_endgame import exact_evaluation
from .engines.value_table import known_evaluation
from .levels import judge_of
from .review_account import Account, accounts
from .review_choice import MIN_COST, Choice, move_number

__all__ = [
    "MIN_COST",
    "Account",
    "Choice",
    "Progress",
    "Review",
    "accounts",
    "choices",
    "evaluate_choice",
    "link_choices",
    "move_number",
    "review",
    "to_json",
]

Progress = Callable[[int, int], None]  # called with the number of choices done, and of all


class Review(list[Choice]):
    """The choices of a match, evaluated, in their order."""

    def __init__(self, match: Match, found: Sequence[Choice]) -> None:
        super().__init__(found)
        self.match = match

    def _repr_html_(self) -> str:
        """Return the table for a notebook: the account of each player, and the choices that gave odds away."""
        from .review_text import review_html  # it imports this module

        return review_html(self.match, self)


def choices(match: Match) -> Iterator[tuple[int, Position]]:
    """Yield the positions where a player had a choice, each with the number of steps before it."""
    position = match.game.start()
    for at, (_, token) in enumerate(match):
        if position.actor != "chance" and len(position.legal_actions()) > 1:
            yield at, position.copy()
        position.play(token)


def evaluate_choice(
    position: Position,
    at: int,
    token: str,
    seconds: float = inf,
    luck: Random | None = None,
    wait: float = 0.0,
    simulations: int | None = None,
) -> Choice | None:
    """Evaluate the choice of a move by itself; `link_choices` compares it with the choice after it.

    Without `seconds` the bot looks at no clock: its plan alone limits it, and the result is always the same
    if no `luck` is given. With `simulations` its plan gets so many (of alpha-beta search: so many positions),
    and an evaluation its engine's EVALUATION_FACTOR times as many.

    Return None if code is still being compiled after `wait` seconds. Raise IllegalMove for a move that is not
    possible; ModuleNotFoundError, with the command that installs it, if a package is missing.
    """
    bot, player = judge_of(position.game).with_budget(simulations), position.actor
    assert player is not None
    points = outcome_points(position.played(token), player)  # certain, where the move ended the match
    budget = inf if simulations is not None else seconds
    found = known_evaluation(position, token) or bot.module.evaluate_move(
        position, token, budget, luck or Random(position.key()), wait, **bot.plan
    )
    if found is None:
        return None
    found = exact_evaluation(position, token, found, wait).calibrate(bot, position.game)
    chosen = Choice(at, player, token, None, found.best, found.better, found.exact)
    odds = found.chance if points is None else points
    return chosen if odds is None else _raise_odds(chosen, odds)


def link_choices(match: Match, found: Sequence[Choice]) -> list[Choice]:
    """Return the choices of a match, each evaluated again with the knowledge of the next.

    Where only steps of the same player lie between two choices, the odds of the second could be reached from
    the first too: learned values evaluate each end of a turn once, whatever the order of its steps. The
    second choice comes from another search, so it counts as worse only from twice the noise of one search on.
    Exact odds stay.
    """
    known = list(found)
    if judge_of(match.game).engine != "learned_values":
        return known
    for i in reversed(range(len(known) - 1)):
        here, then = known[i], known[i + 1]
        if not here.exact and {step.actor for step in match.steps[here.at : then.at]} == {then.player}:
            news = then.better - (here.chance or 0.0) > MIN_COST
            near = here.better - then.better < 2 * MIN_COST
            known[i] = _raise_odds(here, here.better if news and near else then.better)
    return known


def _raise_odds(choice: Choice, odds: float) -> Choice:
    """Return a choice after which the odds are at least these."""
    odds = max(odds, choice.chance or 0.0)
    if odds >= choice.better:
        return choice._replace(chance=odds, best=choice.token, better=odds)
    return choice._replace(chance=odds)


def review(
    match: Match,
    seconds: float = inf,
    luck: Random | None = None,
    progress: Progress = lambda *_: None,
    simulations: int | None = None,
) -> Review:
    """Evaluate every choice of a match, after waiting for code that is being compiled.

    `simulations` limit a search instead of `seconds`. Both, and errors, are as in `evaluate_choice`.
    """
    rows, found = list(choices(match)), list[Choice]()
    for done, (at, position) in enumerate(rows):
        progress(done, len(rows))
        token = match.steps[at].token
        choice = evaluate_choice(position, at, token, seconds, luck, COMPILE_TIMEOUT_S, simulations)
        found += [choice] if choice else []
    progress(len(rows), len(rows))
    return Review(match, link_choices(match, found))


def to_json(match: Match, found: Sequence[Choice]) -> dict[str, list[dict[str, Any]]]:
    """Return a review as plain data: steps and moves count from 1, odds are from 0 to 1, with four digits."""
    rows = []
    for choice in found:
        row = choice._asdict()
        numbers = {"step": row.pop("at") + 1, "move": move_number(match, choice.at)}
        rows.append(_round(numbers | row | {"cost": choice.cost}))
    return {
        "choices": rows,
        "accounts": [_round(account._asdict()) for account in accounts(match, found)],
    }


def _round(row: dict[str, Any]) -> dict[str, Any]:
    return {name: round(it, 4) if isinstance(it, float) else it for name, it in row.items()}
