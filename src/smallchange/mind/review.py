"""What the best bot makes of a match that was played, choice by choice: the odds of winning after each, and
what would have been better.

Learned values judge both in one search of the position before the choice; tree search, which hardly looks at
what seems worse, in one search each of the position after it. From one choice of a player to the next the
odds change by luck, and by what others do. So what a match came to is what the first choice promised, less
what the choices gave away, and the rest is luck; errors of the estimates are in that rest. In a game for two
the odds are against the opponent that the bot expects, so each player's stand for themselves and need not
add up to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from smallchange.game import Game, Position
from smallchange.match import Match

from . import WAIT, Level, best, lacking

TELLING = 0.03  # differences of odds below it are within the noise of a search: bench/review.py
SECONDS = 10.0  # that a choice may be thought about: ample for every plan, so that no clock decides


class Choice(NamedTuple):
    """A choice: how many steps came before it, the player, the move, and the odds of winning after it, 0 to
    1, None where the search did not look at it; the best move, and the odds after that."""

    at: int
    player: str
    token: str
    odds: float | None
    best: str
    better: float

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


def possible(game: Game) -> bool:
    """Can matches of this game be reviewed, on this machine?"""
    return knows_odds(game) and not lacking()


def knows_odds(game: Game) -> bool:
    """Does the best bot of a game know the odds of a move? It does by learned values, and in a game for one
    by the play-outs of tree search."""
    engine = best(game).engine
    return engine == "value" or (engine == "search" and len(game.seats) == 1)


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
    compiled after `wait` seconds. ModuleNotFoundError says what to install where it cannot be, ValueError
    that the game's best bot knows no odds, IllegalMove that the move is not possible.
    """
    game, bot = position.game, best(position.game)
    if not knows_odds(game):
        raise ValueError(f"the best bot of {game.id} does not say what the odds are")
    action = position.action(token)
    assert position.actor is not None
    luck = luck or Random(str(position))
    found = bot.module.looks(position, seconds, luck, wait=wait, **bot.plan)
    if not found:
        return None
    top = game.tokens[found[0].action]
    if bot.engine == "search":
        better = _share(bot, position, top, seconds, luck)
        odds = better if token == top else _share(bot, position, token, seconds, luck)
        return _at_least(Choice(at, position.actor, token, odds, top, better), odds)
    look = next(look for look in found if look.action == action)
    chosen = Choice(at, position.actor, token, None, top, found[0].won)
    return _at_least(chosen, look.won) if look.visits or look.mean else chosen


def _share(bot: Level, position: Position, token: str, seconds: float, luck: Random) -> float:
    """How many of a search's play-outs after a move of a game for one are won."""
    after = position.copy()
    after.take(token)
    came = _result(after, position.game.seats[0])
    if came is not None:
        return came
    found = bot.module.looks(after, seconds, luck, **bot.plan)
    share: float = sum(look.won * look.visits for look in found) / sum(look.visits for look in found)
    return share


def linked(match: Match, found: Sequence[Choice]) -> list[Choice]:
    """The choices of a match, each knowing the next: where nothing but its player's own steps lies between
    two, what the second can come to the first could too. (Learned values tell each end of a turn once,
    whatever the order of its steps.) What only the second search says is compared with another one's best,
    so it must be worse by twice as much as within one search."""
    known = list(found)
    if best(match.game).engine != "value":
        return known
    for i in reversed(range(len(known) - 1)):
        here, then = known[i], known[i + 1]
        if {step.actor for step in match.steps[here.at : then.at]} == {then.player}:
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


def review(match: Match, seconds: float = SECONDS, luck: Random | None = None) -> list[Choice]:
    """Every choice of a match. It waits for code that is to be compiled; errors as above."""
    found = (
        judged(position, at, match.steps[at].token, seconds, luck, WAIT) for at, position in choices(match)
    )
    return linked(match, [choice for choice in found if choice])


def accounts(match: Match, found: Sequence[Choice]) -> list[Account]:
    """What a match was for each player who had a choice, in the order of the seats."""
    said = []
    for player in match.game.seats:
        own = [choice for choice in found if choice.player == player]
        if own:
            given = sum(choice.cost for choice in own)
            came = None if match.ended else _result(match.position, player)
            rest = None if came is None else came - own[0].better + given
            said.append(Account(player, own[0].better, given, came, rest))
    return said


def _result(position: Position, player: str) -> float | None:
    """What a game came to for a player; None while it goes on."""
    result = position.result()
    if result is None:
        return None
    if "winner" in result:
        return 1.0 if result["winner"] == player else 0.0 if result["winner"] in position.game.seats else 0.5
    return float(bool(result.get("won")))
