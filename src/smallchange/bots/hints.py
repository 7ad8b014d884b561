"""Hints in three steps: which piece to look at, the best bot's move with its odds, and why."""

from __future__ import annotations

from math import inf
from random import Random
from typing import NamedTuple

from smallchange.core.game import Position
from smallchange.i18n.text import Text, join_texts, plain, together
from smallchange.render.scene import Touch

from .engines.exact_endgame import exact_evaluation
from .engines.value_table import known_evaluation
from .levels import MOVE_TIME_S, best_bot, load_bots, percentage
from .reasons import reasons_text

__all__ = ["Hint", "hint", "quick_hint"]

MOVE = Text("Hint: {said}.")
EXPECTED = Text("Hint: {said}. The best bot expects to win {share} of games from there.")
EXPECTED_OF_TWO = Text(
    "Hint: {said}. The best bot expects to win {share} of games from there, counting a draw as half a win."
)
CERTAIN = Text("Hint: {said}. The odds are exact: perfect play wins {share} of games from there.")
CERTAIN_OF_TWO = Text("Hint: {said}. With perfect play on both sides, this move {ends} for certain.")
EXACT_OF_TWO = Text(
    "Hint: {said}. The odds are exact: with perfect play on both sides, this move wins {share} of games."
)
FIRST_GUESS = Text("Hint: {said}. The best bot is still looking.")
ENDS = {1.0: Text("wins"), 0.5: Text("draws"), 0.0: Text("loses")}
ROUGHLY = Text("about {share}")
LOOK_AT = Text("Hint: begin with this: {what}.")
MARK = Text("Hint: mark this: {what}.")
NOTHING_TO_TOUCH = Text("Hint: this time nothing on the table needs to be touched.")
WHY = Text("Why: {reasons}.")


class Hint(NamedTuple):
    """A move, and the chance of winning after it, 0 to 1, a draw being half a win.

    A `rough` chance was calibrated with other options; an `exact` one is that of perfect play. A `guess` has none yet;
    without `has_chance` nobody will look for any.
    """

    token: str
    chance: float
    rough: bool = False
    exact: bool = False
    guess: bool = False
    has_chance: bool = True

    def nudge(self, position: Position) -> Text:
        """Return the first step of the hint: the things to touch first, without the move."""
        scene, first = (
            position.game.layout.scene(position.game.board, position.s),
            self.first_touched(position),
        )
        spots = {spot.id: spot for area in scene.areas for spot in area.spots}
        board = scene.areas[0].by_id
        found = []
        for id in first:
            on = [piece for piece in scene.pieces if id in (piece.id, piece.spot)]
            top = max(on, key=lambda piece: piece.level, default=None)
            spot = spots[top.spot if top else id]
            named = [spot.text] if top is None or spot.id in board else []
            found.append(join_texts([*named, *([top.text] if top else [])]))
        if not found:
            return NOTHING_TO_TOUCH
        return (LOOK_AT if self._touch(position).path else MARK).fill(what=together(found))

    def first_touched(self, position: Position) -> tuple[str, ...]:
        """Return the ids of the things that the move touches first: a piece or a spot, or all that it marks."""
        touch = self._touch(position)
        return touch.path[:1] or touch.marks

    def _touch(self, position: Position) -> Touch:
        game = position.game
        touch: Touch = game.layout.touch(game.board, position.s, game.actions[self.token])
        return touch

    def why(self, position: Position) -> Text:
        """Return the third step of the hint: in which features of the game the move is better; "" for none of them."""
        reasons = reasons_text(position, self.token)
        return WHY.fill(reasons=reasons) if reasons else plain("")

    def describe(self, position: Position) -> Text:
        """Return the second step of the hint, the move with its odds if they are known, for the position asked for."""
        sentence, alone = position.describe(self.token), len(position.game.seats) == 1
        if self.guess:
            return FIRST_GUESS.fill(said=sentence)
        if not self.has_chance:
            return MOVE.fill(said=sentence)
        if self.exact and not alone and self.chance in ENDS:
            return CERTAIN_OF_TWO.fill(said=sentence, ends=ENDS[self.chance])
        share = percentage(self.chance)
        if self.rough:
            share = ROUGHLY.fill(share=share)
        exact, expected = (CERTAIN, EXPECTED) if alone else (EXACT_OF_TWO, EXPECTED_OF_TWO)
        phrase = exact if self.exact else expected
        return phrase.fill(said=sentence, share=share)


def hint(
    position: Position,
    seconds: float = MOVE_TIME_S,
    luck: Random | None = None,
    wait: float = 0.0,
    simulations: int | None = None,
) -> Hint | None:
    """Return the best bot's move and its odds at a player's step.

    Late in a game for one, and where there is a table of values, the odds are exact.

    With `simulations` the bot looks at no clock, as in `bot`. Return None if code is still being compiled
    after `wait` seconds. Raise ModuleNotFoundError, with the command that installs it, if a package is missing.
    """
    if position.s.turn < 0:
        raise ValueError(f"a hint is for a player's step; here {position.actor or 'nobody'} is next")
    best = best_bot(position.game).with_budget(simulations)
    budget = inf if simulations is not None else seconds
    found = known_evaluation(position) or best.module.best_move(
        position, budget, luck or Random(), wait=wait, **best.plan
    )
    if found is None:
        return None
    found = exact_evaluation(position, None, found, wait)
    chance = found.calibrate(best, position.game).better
    rough = not found.exact and best.has_rough_odds(position.game)
    return Hint(found.best, chance, rough, found.exact)


def quick_hint(position: Position) -> Hint:
    """Return the move of the rule of thumb, for where no search can run. The same position has the same hint."""
    thumb = load_bots(position.game)["greedy"]
    return Hint(thumb.choose(position, MOVE_TIME_S, Random(position.key())), 0.0, has_chance=False)
