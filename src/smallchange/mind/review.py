"""What the best bot makes of a match that was played, choice by choice: the odds of winning after each, and
what would have been better.

Each engine looks at both alike (its `judge`); of the last choices of a game for one exact odds are known.
From one choice of a player to the next the odds change by luck, and by what others do. So what a match came
to is what the first choice promised, less what the choices gave away, and the rest is luck; errors of the
estimates are in that rest. By learned values the odds in a game for two are against the opponent that the bot
expects, so each player's stand for themselves and need not add up to one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from smallchange.game import Position
from smallchange.match import Match

from . import WAIT, best
from ._ends import certain
from ._ready import points

TELLING = 0.03  # differences of odds below it are within the noise of a search: bench/review.py
Said = Callable[[int, int], None]  # how much is done, of how much
SECONDS = 10.0  # that a choice may be thought about: ample for every plan, so that no clock decides


class Choice(NamedTuple):
    """A choice: how many steps came before it, the player, the move, and the odds of winning after it, 0 to
    1, None where the search did not look at it; the best move, and the odds after that. `exact`: the odds are
    those of perfect play, no estimate."""

    at: int
    player: str
    token: str
    odds: float | None
    best: str
    better: float
    exact: bool = False

    @property
    def cost(self) -> float:
        """The odds that it gave away; 0 where too few to tell."""
        lost = 0.0 if self.odds is None else self.better - self.odds
        return lost if lost >= TELLING else 0.0


class Account(NamedTuple):
    """A player's match, in chances of winning, 0 to 1: what the first choice promised, what the choices gave
    away, what it came to (a draw is half), and the rest, which nobody's choice explains. The last two are
    None in a match that was not played to its end."""

    player: str
    promised: float
    given: float
    result: float | None
    rest: float | None


def choices(match: Match) -> Iterator[tuple[int, Position]]:
    """Where somebody had a choice: how many steps came before it, and the position."""
    position = match.game.start()
    for at, (_, token) in enumerate(match):
        if position.actor != "chance" and len(position.actions()) > 1:
            yield at, position.copy()
        position.take(token)


def judged(
    position: Position,
    at: int,
    token: str,
    seconds: float = SECONDS,
    luck: Random | None = None,
    wait: float = 0.0,
) -> Choice | None:
    """What the best bot makes of the choice of a move, by itself; `linked` sees it in its match.

    The same whoever asks, if the seconds are ample and no `luck` is given. None if code is still being
    compiled after `wait` seconds. ModuleNotFoundError says what to install where it cannot be, IllegalMove
    that the move is not possible.
    """
    bot, player = best(position.game), position.actor
    assert player is not None
    came = points(position.after(token), player)  # where it ended the match, that is certain
    luck = luck or Random(str(position))
    found = bot.module.judge(position, token, seconds, luck, wait, **bot.plan)
    if found is None:
        return None
    found = certain(position, token, found, wait).worth(bot, position.game)
    chosen = Choice(at, player, token, None, found.best, found.better, found.exact)
    odds = found.odds if came is None else came
    return chosen if odds is None else _at_least(chosen, odds)


def linked(match: Match, found: Sequence[Choice]) -> list[Choice]:
    """The choices of a match, each knowing the next: where nothing but its player's own steps lies between
    two, what the second can come to the first could too. (Learned values tell each end of a turn once,
    whatever the order of its steps.) What only the second search says is compared with another one's best,
    so it must be worse by twice as much as within one search. Exact odds stay."""
    known = list(found)
    if best(match.game).engine != "value":
        return known
    for i in reversed(range(len(known) - 1)):
        here, then = known[i], known[i + 1]
        if not here.exact and {step.actor for step in match.steps[here.at : then.at]} == {then.player}:
            news = then.better - (here.odds or 0.0) > TELLING
            near = here.better - then.better < 2 * TELLING
            known[i] = _at_least(here, here.better if news and near else then.better)
    return known


def _at_least(choice: Choice, odds: float) -> Choice:
    """A choice after which the odds are these or better."""
    odds = max(odds, choice.odds or 0.0)
    if odds >= choice.better:
        return choice._replace(odds=odds, best=choice.token, better=odds)
    return choice._replace(odds=odds)


def review(
    match: Match, seconds: float = SECONDS, luck: Random | None = None, said: Said = lambda *_: None
) -> list[Choice]:
    """Every choice of a match. `said` is told how many are looked at, of how many. It waits for code that is
    to be compiled; errors as above."""
    rows, found = list(choices(match)), list[Choice]()
    for done, (at, position) in enumerate(rows):
        said(done, len(rows))
        choice = judged(position, at, match.steps[at].token, seconds, luck, WAIT)
        found += [choice] if choice else []
    said(len(rows), len(rows))
    return linked(match, found)


def accounts(match: Match, found: Sequence[Choice]) -> list[Account]:
    """What a match was for each player who had a choice, in the order of the seats."""
    said = []
    for player in match.game.seats:
        own = [choice for choice in found if choice.player == player]
        if own:
            given = sum(choice.cost for choice in own)
            came = None if match.ended else points(match.position, player)
            rest = None if came is None else came - own[0].better + given
            said.append(Account(player, own[0].better, given, came, rest))
    return said


def plainly(match: Match, found: Sequence[Choice]) -> dict[str, list[dict[str, Any]]]:
    """A review as plain data: steps count from 1, odds are from 0 to 1, with four digits."""
    rows = []
    for choice in found:
        row = choice._asdict()
        rows.append(_rounded({"step": row.pop("at") + 1} | row | {"cost": choice.cost}))
    return {
        "choices": rows,
        "accounts": [_rounded(account._asdict()) for account in accounts(match, found)],
    }


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {name: round(it, 4) if isinstance(it, float) else it for name, it in row.items()}
