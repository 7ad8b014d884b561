"""Guided first games: a fixed deal, played step by step with a sentence for each step.

A game that has one describes it in its module `guide` (`protocols.Guide`).
"""

from __future__ import annotations

from .game import Game
from .match import Match
from .protocols import Guide

MAX_SENTENCES = 12  # of a guided game
MAX_READING_S = 90


def guided_game(game: Game) -> Game:
    """Return the game with the options of its guide."""
    return Game(game.id, dict(_guide(game).OPTIONS))


def guided_match(game: Game, step: int, answered: bool = True) -> Match:
    """Return the match of a game's guide before lesson `step`, counted from 0.

    Unless `answered`, it stands right after the learner's last move, before chance and the other players
    have answered.
    """
    guide = _guide(game)
    match = Match(guided_game(game), guide.DEAL)
    match.settle()
    for lesson in guide.LESSONS[:step]:
        last = lesson is guide.LESSONS[step - 1]
        if lesson.move:
            match.play(lesson.move)
        if last and not answered:
            break
        match.settle()
        for token in lesson.answers:
            match.play(token)
            match.settle()
    return match


def _guide(game: Game) -> Guide:
    if game.guide is None:
        raise ValueError(f"{game.id} has no guided game")
    return game.guide
