"""Training by puzzles: the schedule by which missed puzzles come back, the rating, and the next puzzle."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from .errors import BadPuzzle
from .fsrs import Memory, first_memory, next_memory
from .game import Game, games
from .glicko2 import Rating, rate_match
from .puzzle import Puzzle, parse_puzzle, puzzles

DAY_MS = 24 * 3600 * 1000
BOX_DAYS = (1, 3, 7, 16, 35, 35)  # the days that cards waited before FSRS, by box
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

    def is_due(self, now: int) -> bool:
        """Return whether it is time to try it again."""
        return self.due is not None and self.due <= now

    @property
    def memory(self) -> Memory:
        """The memory of it after the last try."""
        return Memory(self.stability, self.difficulty)


def kept_card(*row: Any) -> Card:
    """Return a card that was kept. One from before FSRS has a box: its stability is the days that it waited."""
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

    >>> puzzle = puzzles(games()[0])[0]
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


def find_puzzle(game: str, id: str, card: Card | None) -> Puzzle | None:
    """Return a puzzle of a game, or that of the card; None where it is none, or no more as the rules are now."""
    with suppress(BadPuzzle, ValueError):
        known = next((puzzle for puzzle in puzzles(game) if puzzle.id == id), None)
        return known or (parse_puzzle(card.content) if card and card.content else None)
    return None


def next_id(game: str, cards: Collection[Card], points: float, luck: Random, now: int) -> str | None:
    """Return the puzzle that comes next: one of the game's cards that is due, or else one near a player's level.

    Puzzles that were not tried come first. None without puzzles.
    """
    for _, id, card in sorted((card.due or 0, card.puzzle, card) for card in cards if card.is_due(now)):
        if find_puzzle(game, id, card):
            return id
    tried, known = {card.puzzle for card in cards}, puzzles(game)
    fresh = [puzzle for puzzle in known if puzzle.id not in tried] or known
    nearest = sorted(fresh, key=lambda puzzle: abs(puzzle.rating - points + EASIER))[:NEAREST]
    return luck.choice(nearest).id if nearest else None


def trained_games() -> list[str]:
    """Return the ids of the games that have puzzles."""
    return [id for id in games() if puzzles(id)]


def overview(cards: Iterable[Card], standings: Mapping[str, Standing], now: int) -> list[Trained]:
    """Return the games that have puzzles, as the holder of the cards stands in them."""
    due = Counter(card.game for card in cards if card.is_due(now))
    return [Trained(id, len(puzzles(id)), due[id], standings.get(id, Standing())) for id in trained_games()]


def puzzle_of_day(day: int) -> Puzzle | None:
    """Return the puzzle of a day, of another game every day; None where no game has any."""
    ids = trained_games()
    return Random(f"puzzle {day}").choice(puzzles(ids[day % len(ids)])) if ids else None


def mistake_card(
    holder: str, game: Game, position: str, best: str, better: float, chance: float, now: int
) -> Card:
    """Return the card of a player's own mistake, in the best bot's judgement, which comes back after a day."""
    margin = (round(better - chance, 4),) * 2
    found = Puzzle(game.version, position, best, round(better, 4), round(chance, 4), margin, 0, "", 1500)
    line = json.dumps(found.to_json())
    return Card(holder, game.id, found.id, line, *first_memory(False), now + DAY_MS, 0, False)
