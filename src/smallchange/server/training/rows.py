"""Training as rows: a card for each puzzle that was tried, and a standing in each game."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from smallchange.bots.review import Choice
from smallchange.core.glicko2 import Rating
from smallchange.core.match import Match
from smallchange.core.training import (
    MAX_MISTAKES,
    Card,
    Standing,
    is_mistake,
    mistake_puzzle,
    own_card,
)
from smallchange.server.accounts.belongings import Belongings
from smallchange.server.database import schema
from smallchange.server.table.model.history import SeatKind
from smallchange.server.web.account import Account

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


def standings(connection: Connection, holder: str) -> dict[str, Standing]:
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
            found = mistake_puzzle(match.game, position.key(), choice.best, choice.better, choice.odds or 0.0)
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
    for game in standings(connection, old).keys() - standings(connection, new).keys():
        of_game = (_standing.holder == old) & (_standing.game == game)
        connection.execute(update(schema.training_standing).where(of_game).values(holder=new))
    _erase(connection, old)


def _erase(connection: Connection, holder: str) -> None:
    connection.execute(delete(schema.training_card).where(_card.holder == holder))
    connection.execute(delete(schema.training_standing).where(_standing.holder == holder))


def _export(connection: Connection, account: Account) -> dict[str, Any]:
    found = standings(connection, account.holder)
    cards = connection.execute(select(schema.training_card).where(_card.holder == account.holder))
    kept = ("game", "puzzle", "box", "due", "tries", "solved")
    return {
        "training": [
            {"game": game, **one.rating._asdict(), "tried": one.tried, "solved": one.solved}
            for game, one in found.items()
        ],
        "puzzles": [{name: getattr(row, name) for name in kept} for row in cards],
    }


BELONGINGS = Belongings(_export, _move, lambda connection, account: _erase(connection, account.holder))
