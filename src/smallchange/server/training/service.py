"""Training: cards and standings as rows, the next puzzle of somebody, and what a try at it changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from random import Random
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from smallchange.bots.review import Choice
from smallchange.core.errors import BadPuzzle
from smallchange.core.glicko2 import Rating
from smallchange.core.match import Match
from smallchange.core.puzzle import Puzzle, parse_puzzle, puzzles
from smallchange.core.training import (
    DAY_MS,
    MAX_MISTAKES,
    Card,
    Shown,
    Standing,
    Trained,
    after_try,
    choose,
    is_mistake,
    mistake_puzzle,
    own_card,
    puzzle_of_day,
    trained_games,
)
from smallchange.server.accounts.rows import Belongings
from smallchange.server.database import schema
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import Account

_card, _standing = schema.training_card.c, schema.training_standing.c


def find_card(connection: Connection, holder: str, game: str, puzzle: str) -> Card | None:
    """Return the card of a puzzle that a holder has tried."""
    query = select(schema.training_card).where(
        _card.holder == holder, _card.game == game, _card.puzzle == puzzle
    )
    row = connection.execute(query).first()
    return Card(*row) if row else None


def put_card(connection: Connection, card: Card) -> None:
    """Store a card in the place of the one before it."""
    same = (_card.holder == card.holder) & (_card.game == card.game) & (_card.puzzle == card.puzzle)
    connection.execute(delete(schema.training_card).where(same))
    connection.execute(insert(schema.training_card), card._asdict())


def due_card(connection: Connection, holder: str, game: str, now: int) -> Card | None:
    """Return the card that is due for the longest time."""
    query = select(schema.training_card).where(_card.holder == holder, _card.game == game, _card.due <= now)
    row = connection.execute(query.order_by(_card.due, _card.puzzle).limit(1)).first()
    return Card(*row) if row else None


def due_counts(connection: Connection, holder: str, now: int) -> dict[str, int]:
    """Return how many cards of each game are due."""
    query = select(_card.game, func.count().label("n")).where(_card.holder == holder, _card.due <= now)
    return {row.game: row.n for row in connection.execute(query.group_by(_card.game))}


def tried_puzzles(connection: Connection, holder: str, game: str) -> set[str]:
    """Return the ids of the puzzles that a holder has tried."""
    query = select(_card.puzzle).where(_card.holder == holder, _card.game == game)
    return set(connection.execute(query).scalars())


def read_standings(connection: Connection, holder: str) -> dict[str, Standing]:
    """Return a holder's standing in each game."""
    query = select(schema.training_standing).where(_standing.holder == holder)
    return {
        row.game: Standing(Rating(row.points, row.deviation, row.volatility), row.at, row.tried, row.solved)
        for row in connection.execute(query)
    }


def put_standing(connection: Connection, holder: str, game: str, standing: Standing) -> None:
    """Store a standing in the place of the one before it."""
    same = (_standing.holder == holder) & (_standing.game == game)
    connection.execute(delete(schema.training_standing).where(same))
    rating, counted = standing.rating._asdict(), standing._asdict()
    del counted["rating"]
    row = {"holder": holder, "game": game} | rating | counted
    connection.execute(insert(schema.training_standing), row)


def put_mistakes(connection: Connection, id: str, match: Match, choices: list[Choice], now: int) -> None:
    """Store the costliest choices of the people in a reviewed match, unless they are stored already."""
    seat = schema.seat.c
    query = select(seat.number, seat.holder).where(seat.match_id == id, seat.kind == SeatKind.PERSON)
    holders = {match.game.seats[number]: holder for number, holder in connection.execute(query)}
    for player, holder in holders.items():
        own = [choice for choice in choices if choice.player == player and is_mistake(choice.cost)]
        for choice in sorted(own, key=lambda choice: -choice.cost)[:MAX_MISTAKES]:
            position = match.until(choice.at).position
            found = mistake_puzzle(
                match.game, position.key(), choice.best, choice.better, choice.chance or 0.0
            )
            card = own_card(holder, match.game, found, json.dumps(found.to_json()), now)
            if find_card(connection, holder, card.game, card.puzzle) is None:
                put_card(connection, card)


def _move(connection: Connection, old: str, new: str) -> None:
    """Give the training of one holder to another, who keeps what they have."""
    known = {
        (game, puzzle)
        for game, puzzle in connection.execute(select(_card.game, _card.puzzle).where(_card.holder == new))
    }
    for row in connection.execute(select(schema.training_card).where(_card.holder == old)).all():
        if (row.game, row.puzzle) not in known:
            put_card(connection, Card(*row)._replace(holder=new))
    for game in read_standings(connection, old).keys() - read_standings(connection, new).keys():
        of_game = (_standing.holder == old) & (_standing.game == game)
        connection.execute(update(schema.training_standing).where(of_game).values(holder=new))
    _erase(connection, old)


def _erase(connection: Connection, holder: str) -> None:
    connection.execute(delete(schema.training_card).where(_card.holder == holder))
    connection.execute(delete(schema.training_standing).where(_standing.holder == holder))


def _export(connection: Connection, account: Account) -> dict[str, Any]:
    found = read_standings(connection, account.holder)
    cards = connection.execute(select(schema.training_card).where(_card.holder == account.holder))
    kept = ("game", "puzzle", "stability", "difficulty", "due", "tries", "solved")
    return {
        "training": [
            {"game": game, **one.rating._asdict(), "tried": one.tried, "solved": one.solved}
            for game, one in found.items()
        ],
        "puzzles": [{name: getattr(row, name) for name in kept} for row in cards],
    }


BELONGINGS = Belongings(_export, _move, lambda connection, account: _erase(connection, account.holder))


class Training:
    """The puzzles of all games, for everybody who trains. `now` is a clock, in milliseconds since 1970."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now

    def review_writer(self, id: str, match: Match, choices: list[Choice]) -> Callable[[Connection], None]:
        """Return what to store of a reviewed match: the mistakes of its people, which come back as puzzles."""
        now = self._now()
        return lambda connection: put_mistakes(connection, id, match, choices, now)

    async def overview(self, holder: str) -> list[Trained]:
        """Return the games that have puzzles, as a holder stands in them."""
        now = self._now()

        def ask(connection: Connection) -> tuple[dict[str, Standing], dict[str, int]]:
            return read_standings(connection, holder), due_counts(connection, holder, now)

        standings, due = await self._store.read(ask)
        ids = await asyncio.to_thread(trained_games)
        return [Trained(id, len(puzzles(id)), due.get(id, 0), standings.get(id, Standing())) for id in ids]

    async def of_day(self) -> Puzzle | None:
        """Return the puzzle of today."""
        return await asyncio.to_thread(puzzle_of_day, self._now() // DAY_MS)

    async def next_puzzle(self, holder: str, game: str) -> str:
        """Return the id of the puzzle that comes next: one that is due, or a new one of the holder's level."""
        now = self._now()

        def ask(connection: Connection) -> tuple[Card | None, set[str], Standing]:
            card = due_card(connection, holder, game, now)
            standing = read_standings(connection, holder).get(game, Standing())
            return card, tried_puzzles(connection, holder, game), standing

        card, tried, standing = await self._store.read(ask)
        if card:
            return card.puzzle
        luck = Random(f"{holder} {game} {len(tried)}")
        found = choose(await asyncio.to_thread(puzzles, game), standing.rating.points, tried, luck)
        if found is None:
            raise Refused(ErrorCode.NO_PAGE)
        return found.id

    async def show(self, holder: str, game: str, id: str) -> Shown:
        """Return a puzzle of a game. Refuse where there is none with this id, for this holder."""

        def ask(connection: Connection) -> tuple[Card | None, Standing]:
            standing = read_standings(connection, holder).get(game, Standing())
            return find_card(connection, holder, game, id), standing

        card, standing = await self._store.read(ask)
        return Shown(await self._find(game, id, card), card, standing)

    async def _find(self, game: str, id: str, card: Card | None) -> Puzzle:
        known = await asyncio.to_thread(puzzles, game)
        found = next((puzzle for puzzle in known if puzzle.id == id), None)
        try:
            if found is None and card and card.content:
                found = parse_puzzle(card.content)
        except (BadPuzzle, ValueError):  # the rules have changed since
            found = None
        if found is None:
            raise Refused(ErrorCode.NO_PAGE)
        return found

    async def answer(self, holder: str, puzzle: Puzzle, token: str) -> None:
        """Count a try with a move that is possible."""
        game, now = puzzle.game.id, self._now()

        def job(connection: Connection) -> None:
            card = find_card(connection, holder, game, puzzle.id)
            before = read_standings(connection, holder).get(game, Standing())
            card, standing = after_try(Shown(puzzle, card, before), token, holder, now)
            put_card(connection, card)
            if standing != before:
                put_standing(connection, holder, game, standing)

        await self._store.write("", job)
