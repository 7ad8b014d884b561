"""Training by puzzles: the schedule by which missed puzzles come back, the rating, and the next puzzle."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Any, NamedTuple

from .fsrs import Memory, first_memory, next_memory
from .game import Game, games
from .glicko2 import Rating, rate_match
from .puzzle import MIN_MARGIN, Puzzle, puzzle_id, puzzles

DAY_MS = 24 * 3600 * 1000
BOX_DAYS = (1, 3, 7, 16, 35, 35)  # for which cards waited before FSRS, by their box
PUZZLE_DEVIATION = 80.0  # points of Elo by which the rating of a puzzle may be off
EASIER = (
    75.0  # points by which puzzles are chosen easier than the player, so that some three of five are solved
)
NEAREST = 12  # puzzles of about the wanted rating, of which one is drawn
MAX_MISTAKES = 3  # of a reviewed match that come back


class Card(NamedTuple):
    """A puzzle that a holder has tried, or a mistake of their own.

    `content` is the line of a puzzle that is in no set, else "". It comes back at `due`, in milliseconds since 1970;
    None for never.
    """

    holder: str
    game: str
    puzzle: str
    content: str
    stability: float
    difficulty: float
    due: int | None
    tries: int
    solved: bool

    @property
    def memory(self) -> Memory:
        """The memory of it after the last try."""
        return Memory(self.stability, self.difficulty)


def kept_card(*row: Any) -> Card:
    """Return a card that was kept. One with a box, as before FSRS, remembers for as long as it waited, and is hard."""
    if len(row) < len(Card._fields):
        row = (*row[:4], BOX_DAYS[row[4]], first_memory(False).difficulty, *row[5:])
    return Card._make(row)


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


def standing_after(standing: Standing, puzzle: Puzzle, solved: bool, now: int) -> Standing:
    """Return the standing after the first try at a puzzle, which is rated like a match against it."""
    theirs = Rating(float(puzzle.rating), PUZZLE_DEVIATION)
    elapsed = (now - standing.at if standing.tried else 0, 0)
    rating, _ = rate_match(standing.rating, theirs, float(solved), elapsed, fixed=(False, True))
    return Standing(rating, now, standing.tried + 1, standing.solved + solved)


def after_try(shown: Shown, token: str, holder: str, now: int) -> tuple[Card, Standing]:
    """Return the card and the standing of a holder after a try at a puzzle.

    The first try at a puzzle of the set is rated, and one that is solved then does not come back. A try at one that
    is due tells how well it is remembered: a right move is Good, a wrong one Again. Others are practice.

    >>> puzzle = puzzles("solo")[0]
    >>> missed, standing = after_try(Shown(puzzle, None, Standing()), "", "", now=0)
    >>> again, standing = after_try(Shown(puzzle, missed, standing), puzzle.best, "", missed.due)
    >>> missed.due // DAY_MS, (again.due - missed.due) // DAY_MS, standing.tried
    (1, 2, 1)
    """
    puzzle, card, standing = shown
    solved = token == puzzle.best
    if card is None:
        memory = first_memory(solved)
        due = None if solved else now + memory.days * DAY_MS
        new = Card(holder, puzzle.game.id, puzzle.id, "", *memory, due, 1, solved)
        return new, standing_after(standing, puzzle, solved, now)
    if card.due is None or card.due > now:
        return card, standing
    memory = next_memory(card.memory, solved, card.memory.days + (now - card.due) / DAY_MS)
    return Card(*card[:4], *memory, now + memory.days * DAY_MS, card.tries + 1, solved), standing


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
    return Card(holder, game.id, puzzle_id(puzzle.text), line, *first_memory(False), now + DAY_MS, 0, False)
