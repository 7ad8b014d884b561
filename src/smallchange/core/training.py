"""Training by puzzles: the schedule by which missed puzzles come back, the rating, and the next puzzle."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import NamedTuple

from .game import Game, games
from .glicko2 import Rating, rate_match
from .puzzle import MIN_MARGIN, Puzzle, puzzle_id, puzzles

DAY_MS = 24 * 3600 * 1000
INTERVALS_DAYS = (1, 3, 7, 16, 35)  # until a puzzle comes back: after it was missed, then after each solution
PUZZLE_DEVIATION = 80.0  # points of Elo by which the rating of a puzzle may be off
EASIER = (
    75.0  # points by which puzzles are chosen easier than the player, so that some three of five are solved
)
NEAREST = 12  # puzzles of about the wanted rating, of which one is drawn
MAX_MISTAKES = 3  # of a reviewed match that come back


class Card(NamedTuple):
    """A puzzle that a holder has tried, or a mistake of their own.

    `content` is the line of a puzzle that is in no set, else "". `box` counts the solutions since the last miss. It
    comes back at `due`, in milliseconds since 1970; None for never.
    """

    holder: str
    game: str
    puzzle: str
    content: str
    box: int
    due: int | None
    tries: int
    solved: bool


class Standing(NamedTuple):
    """A holder's training in a game: the rating, when it changed, and how many puzzles were tried and solved."""

    rating: Rating = Rating()
    at: int = 0
    tried: int = 0
    solved: int = 0


class Trained(NamedTuple):
    """A game to train, and how its holder stands: how many puzzles there are, and how many come back now."""

    game: str
    puzzles: int
    due: int
    standing: Standing


class Shown(NamedTuple):
    """A puzzle as its holder finds it."""

    puzzle: Puzzle
    card: Card | None
    standing: Standing


def repeat(card: Card, solved: bool, now: int) -> Card:
    """Return a card after a try: a missed one comes back after a day, a solved one later and later, then no more.

    A puzzle that was solved at the first try does not come back at all.

    >>> missed = repeat(Card("", "", "", "", 0, None, 0, False), solved=False, now=0)
    >>> again = repeat(missed, solved=True, now=missed.due)
    >>> missed.due // DAY_MS, (again.due - missed.due) // DAY_MS
    (1, 3)
    """
    box = card.box + 1 if solved else 0
    ends = solved and (card.due is None or box == len(INTERVALS_DAYS))
    due = None if ends else now + INTERVALS_DAYS[box] * DAY_MS
    return card._replace(box=box, due=due, tries=card.tries + 1, solved=solved)


def standing_after(standing: Standing, puzzle: Puzzle, solved: bool, now: int) -> Standing:
    """Return the standing after the first try at a puzzle, which is rated like a match against it."""
    theirs = Rating(float(puzzle.rating), PUZZLE_DEVIATION)
    elapsed = (now - standing.at if standing.tried else 0, 0)
    rating, _ = rate_match(standing.rating, theirs, float(solved), elapsed, fixed=(False, True))
    return Standing(rating, now, standing.tried + 1, standing.solved + solved)


def after_try(shown: Shown, token: str, holder: str, now: int) -> tuple[Card, Standing]:
    """Return the card and the standing of a holder after a try at a puzzle.

    The first try at a puzzle of the set is rated. A try at one that is due moves it on; others are practice.
    """
    puzzle, card, standing = shown
    solved = token == puzzle.best
    if card is None:
        new = Card(holder, puzzle.game.id, puzzle.id, "", 0, None, 0, False)
        return repeat(new, solved, now), standing_after(standing, puzzle, solved, now)
    is_due = card.due is not None and card.due <= now
    return (repeat(card, solved, now) if is_due else card), standing


def choose(
    sorted_puzzles: Sequence[Puzzle], points: float, tried: Collection[str], luck: Random
) -> Puzzle | None:
    """Return a puzzle near a player's level that was not tried yet; any one where all were; None without puzzles."""
    fresh = [puzzle for puzzle in sorted_puzzles if puzzle.id not in tried] or sorted_puzzles
    nearest = sorted(fresh, key=lambda puzzle: abs(puzzle.rating - points + EASIER))[:NEAREST]
    return luck.choice(nearest) if nearest else None


def trained_games() -> list[str]:
    """Return the ids of the games that have puzzles."""
    return [id for id in games() if puzzles(id)]


def puzzle_of_day(day: int) -> Puzzle | None:
    """Return the puzzle of a day, of another game every day; None where no game has any."""
    ids = trained_games()
    return Random(f"puzzle {day}").choice(puzzles(ids[day % len(ids)])) if ids else None


def mistake_puzzle(game: Game, position: str, best: str, better: float, odds: float) -> Puzzle:
    """Return a player's own mistake as a puzzle, in the best bot's judgement."""
    margin = round(better - odds, 4)
    return Puzzle(
        game.version, position, best, round(better, 4), round(odds, 4), (margin, margin), 0, "", 1500
    )


def is_mistake(cost: float) -> bool:
    """Return whether a choice gave away enough to come back as a puzzle."""
    return cost >= MIN_MARGIN


def own_card(holder: str, game: Game, puzzle: Puzzle, line: str, now: int) -> Card:
    """Return the card of a player's own mistake, which comes back after a day."""
    due = now + INTERVALS_DAYS[0] * DAY_MS
    return Card(holder, game.id, puzzle_id(puzzle.text), line, 0, due, 0, False)
