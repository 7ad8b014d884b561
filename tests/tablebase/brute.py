"""Exact worths by plain enumeration over plain objects: slow, and plainly right."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

from smallchange import Position, bots
from smallchange.core.game import Game

Worth = Callable[[Position], Fraction]


class TooMany(Exception):
    """More positions than may be looked at."""


def best(position: Position, end: Worth, known: dict[str, Fraction], most: int) -> Fraction:
    """Return the value of a position to seat 0 under perfect play; TooMany beyond `most` positions."""
    key = position.key()
    if key not in known:
        if len(known) >= most:
            raise TooMany
        known[key] = Fraction(0)
        known[key] = _worked_out(position, end, known, most)
    return known[key]


def _worked_out(position: Position, end: Worth, known: dict[str, Fraction], most: int) -> Fraction:
    if position.actor is None:
        return end(position)
    after = {token: best(position.played(token), end, known, most) for token in position}
    if position.actor == "chance":
        odds = position.weights()
        return sum((w * after[token] for token, w in odds), Fraction(0)) / sum(w for _, w in odds)
    return max(after.values()) if position.s.turn == 0 else min(after.values())


def win_value(position: Position) -> Fraction:
    """Return 1 for a win of seat 0, a half for a draw."""
    result = position.result or {}
    if "winner" in result:
        return {position.game.seats[0]: Fraction(1), "draw": Fraction(1, 2)}.get(
            result["winner"], Fraction(0)
        )
    return Fraction(bool(result["won"]))


def score_value(position: Position) -> Fraction:
    return Fraction(position.score(position.game.seats[0]) or 0)


def endings(game: Game, seed: int) -> list[Position]:
    """Return the positions of a match played by the rule of thumb, last first, its end left out."""
    luck = random.Random(seed)
    bot = bots.bot("greedy", 0, luck)
    position, line = game.start(), []
    while position.actor is not None:
        line.append(position.copy())
        if position.actor == "chance":
            tokens, weights = zip(*position.weights(), strict=True)
            position.play(luck.choices(tokens, weights)[0])
        else:
            position.play(bot(position))
    return line[::-1]
