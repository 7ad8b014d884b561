"""Rows of the database, and what they are of a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from smallchange.game import Game
from smallchange.web.story import Event, Head, Seat

from . import schema

SAME = ("id", "version", "secret", "seal", "open", "code", "created", "parent", "told", "proven")


class Kept(NamedTuple):
    """What stays of a match that has ended: its game's id, when it was opened, and its record as text."""

    game: str
    created: int
    record: str


def table_rows(connection: Connection, id: str, ply: int) -> tuple[Any, list[Any], list[Event]] | None:
    match = connection.execute(select(schema.match).where(schema.match.c.id == id)).first()
    if match is None:
        return None
    seat, event = schema.seat.c, schema.event.c
    asked = select(event.kind, event.seat, event.action, event.move_id, event.at)
    asked = asked.where(event.match_id == id, event.ply >= ply).order_by(event.ply)
    events = [Event(*row) for row in connection.execute(asked)]  # before the seats, which may only be newer
    seats = connection.execute(select(schema.seat).where(seat.match_id == id).order_by(seat.number)).all()
    return match, list(seats), events


def head_of(row: Any, game: Game) -> Head:
    return Head(game=game, **{name: getattr(row, name) for name in SAME})


def seats_of(game: Game, rows: Sequence[Any]) -> tuple[Seat, ...]:
    return tuple(Seat(game.seats[r.number], r.kind, r.name, r.bot, r.holder, r.words) for r in rows)


def match_row(head: Head, status: str, record: str | None) -> dict[str, Any]:
    options = json.dumps(head.game.chosen)
    return {name: getattr(head, name) for name in SAME} | {
        "game": head.game.id,
        "options": options,
        "status": status,
        "record": record,
    }


def seat_row(id: str, number: int, seat: Seat) -> dict[str, Any]:
    same = ("kind", "name", "bot", "holder", "words")
    return {name: getattr(seat, name) for name in same} | {"match_id": id, "number": number}
