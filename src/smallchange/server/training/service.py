"""Training: cards and standings as rows, the next puzzle of somebody, and what a try at it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, update

from smallchange.bots.review import Choice
from smallchange.core.glicko2 import Rating
from smallchange.core.match import Match
from smallchange.core.puzzle import MIN_MARGIN, Puzzle
from smallchange.core.training import (
    DAY_MS,
    MAX_MISTAKES,
    Card,
    Shown,
    Standing,
    Trained,
    after_try,
    find_puzzle,
    mistake_card,
    next_id,
    overview,
    puzzle_of_day,
)
from smallchange.server.accounts.rows import Belongings
from smallchange.server.database import schema
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import Account

_card, _standing = schema.training_card.c, schema.training_standing.c


def read_cards(connection: Connection, holder: str, *where: ColumnElement[bool]) -> list[Card]:
    """Return the cards of a holder that satisfy conditions."""
    query = select(schema.training_card).where(_card.holder == holder, *where)
    return [Card(*row) for row in connection.execute(query)]


def find_card(connection: Connection, holder: str, game: str, puzzle: str) -> Card | None:
    """Return the card of a puzzle that a holder has tried."""
    return next(iter(read_cards(connection, holder, _card.game == game, _card.puzzle == puzzle)), None)


def put_row(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Store a row in the place of the one before it."""
    same = [column == row[column.name] for column in table.primary_key]
    connection.execute(delete(table).where(*same))
    connection.execute(insert(table), row)


def read_standings(connection: Connection, holder: str) -> dict[str, Standing]:
    """Return a holder's standing in each game."""
    query = select(schema.training_standing).where(_standing.holder == holder)
    return {game: Standing(Rating(*row[:3]), *row[3:]) for _, game, *row in connection.execute(query)}


def put_mistakes(connection: Connection, id: str, match: Match, choices: list[Choice], now: int) -> None:
    """Store the costliest choices of the people in a reviewed match, unless they are stored already."""
    seat = schema.seat.c
    query = select(seat.number, seat.holder).where(seat.match_id == id, seat.kind == SeatKind.PERSON)
    holders = {match.game.seats[number]: holder for number, holder in connection.execute(query)}
    for player, holder in holders.items():
        own = [choice for choice in choices if choice.player == player and choice.cost >= MIN_MARGIN]
        for choice in sorted(own, key=lambda choice: -choice.cost)[:MAX_MISTAKES]:
            position, chance = match.until(choice.at).position.key(), choice.chance or 0.0
            card = mistake_card(holder, match.game, position, choice.best, choice.better, chance, now)
            if find_card(connection, holder, card.game, card.puzzle) is None:
                put_row(connection, schema.training_card, card._asdict())


def _move(connection: Connection, old: str, new: str) -> None:
    """Give the training of one holder to another, who keeps what they have."""
    for card in read_cards(connection, old):
        if find_card(connection, new, card.game, card.puzzle) is None:
            put_row(connection, schema.training_card, card._replace(holder=new)._asdict())
    for game in read_standings(connection, old).keys() - read_standings(connection, new).keys():
        of_game = (_standing.holder == old) & (_standing.game == game)
        connection.execute(update(schema.training_standing).where(of_game).values(holder=new))
    _erase(connection, old)


def _erase(connection: Connection, holder: str) -> None:
    connection.execute(delete(schema.training_card).where(_card.holder == holder))
    connection.execute(delete(schema.training_standing).where(_standing.holder == holder))


def _export(connection: Connection, account: Account) -> dict[str, Any]:
    found = read_standings(connection, account.holder)
    kept = ("game", "puzzle", "stability", "difficulty", "due", "tries", "solved")
    return {
        "training": [
            {"game": game, **one.rating._asdict(), "tried": one.tried, "solved": one.solved}
            for game, one in found.items()
        ],
        "puzzles": [
            {name: getattr(card, name) for name in kept} for card in read_cards(connection, account.holder)
        ],
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
        found = await self._store.read(
            lambda c: (read_cards(c, holder, _card.due <= now), read_standings(c, holder))
        )
        return await asyncio.to_thread(overview, *found, now)

    async def of_day(self) -> Puzzle | None:
        """Return the puzzle of today."""
        return await asyncio.to_thread(puzzle_of_day, self._now() // DAY_MS)

    async def next_puzzle(self, holder: str, game: str) -> str:
        """Return the id of the puzzle that comes next: one that is due, or a new one of the holder's level."""
        cards, standings = await self._store.read(
            lambda c: (read_cards(c, holder, _card.game == game), read_standings(c, holder))
        )
        luck, standing = Random(f"{holder} {game} {len(cards)}"), standings.get(game, Standing())
        id = await asyncio.to_thread(next_id, game, cards, standing.rating.points, luck, self._now())
        if id is None:
            raise Refused(ErrorCode.NO_PAGE)
        return id

    async def show(self, holder: str, game: str, id: str) -> Shown:
        """Return a puzzle of a game. Refuse where there is none with this id, for this holder."""
        card, standings = await self._store.read(
            lambda c: (find_card(c, holder, game, id), read_standings(c, holder))
        )
        puzzle = await asyncio.to_thread(find_puzzle, game, id, card)
        if puzzle is None:
            raise Refused(ErrorCode.NO_PAGE)
        return Shown(puzzle, card, standings.get(game, Standing()))

    async def answer(self, holder: str, puzzle: Puzzle, token: str) -> None:
        """Count a try with a move that is possible."""
        game, now = puzzle.game.id, self._now()

        def job(connection: Connection) -> None:
            card = find_card(connection, holder, game, puzzle.id)
            before = read_standings(connection, holder).get(game, Standing())
            card, standing = after_try(Shown(puzzle, card, before), token, holder, now)
            put_row(connection, schema.training_card, card._asdict())
            if standing != before:
                rating, *rest = standing
                row = (holder, game, *rating, *rest)
                names = schema.training_standing.c.keys()
                put_row(connection, schema.training_standing, dict(zip(names, row, strict=True)))

        await self._store.write("", job)
