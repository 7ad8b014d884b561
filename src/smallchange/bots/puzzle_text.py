"""A puzzle and its solution in words, for the command and the page."""

from __future__ import annotations

from collections.abc import Collection

from smallchange.core.puzzle import Puzzle
from smallchange.i18n.text import Text, plain

from .hints import quick_hint
from .reasons import comparison_text, reasons_text
from .review_text import BECAUSE, odds_text

FIND_BEST = Text("Find the best move.")
DIFFICULTY = Text("Difficulty {n}")
RIGHT = Text("Right: this is the best move.")
MISSED = Text("Another move is better.")
BEST_MOVE = Text("Best:")
ODDS_AFTER = Text("Odds of winning after the best move: {best}; after the second best: {second}.")
EXACT = Text("The odds are exact: they assume perfect play from here on.")
MEASURED = Text("Measured in {n} games after each move: the best move leads by at least {low} points of 100.")
NO_FEATURE = Text("No single feature shows why: what can follow decides.")
JUDGED = Text("This is the best bot’s judgement.")
THEME = Text("Theme: {theme}.")
CONSIDER = Text("Which moves would you consider?")
OVERLOOKED = Text("You had not considered the best move.")
MISJUDGED = Text("You had considered the best move, but thought another better.")
TEMPTING = Text("Tempting at first glance, but not considered: {move}.")
SEEN = Text("You had considered the moves that matter.")


def why_text(puzzle: Puzzle, answer: str) -> Text:
    """Say why the best move is better than the answer, or else than all others, or that no feature shows it."""
    position = puzzle.position
    found = answer != puzzle.best and comparison_text(position, puzzle.best, answer)
    found = found or reasons_text(position, puzzle.best)
    return BECAUSE.fill(reasons=found) if found else NO_FEATURE


def considered_text(puzzle: Puzzle, answer: str, marked: Collection[str]) -> Text:
    """Say which moves that matter, the best and that of the rule of thumb, were not considered; "" without marks."""
    if not marked:
        return plain("")
    seen, tempting = {answer, *marked}, quick_hint(puzzle.position).token
    found = plain("") if answer == puzzle.best else MISJUDGED if puzzle.best in seen else OVERLOOKED
    if tempting not in {*seen, puzzle.best}:
        found += TEMPTING.fill(move=puzzle.position.describe(tempting))
    return found if found.en else SEEN


def puzzle_odds_text(puzzle: Puzzle) -> Text:
    """Say the odds after the best move and after the second."""
    return ODDS_AFTER.fill(best=odds_text(puzzle.chance), second=odds_text(puzzle.second))


def certainty_text(puzzle: Puzzle) -> Text:
    """Say how the odds are known."""
    if puzzle.interval is None:
        return EXACT
    if not puzzle.playouts:
        return JUDGED
    return MEASURED.fill(n=puzzle.playouts, low=round(100 * puzzle.interval[0]))
