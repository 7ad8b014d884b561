"""Tables, and set phrases that players said there, as rows: the conversion to rows of the database, and back."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, delete, func, insert, select

from smallchange.core.game import Game
from smallchange.server.database import schema
from smallchange.server.database.group_commit import Row
from smallchange.server.table.model import clock
from smallchange.server.table.model.commands import MAX_REMARKS, Remark, Remarks
from smallchange.server.table.model.events import (
    Abort,
    Claim,
    Event,
    Resign,
    TimeOut,
    columns,
    read_events,
    tag_of,
)
from smallchange.server.table.model.history import Head, Seat, SeatKind, origin_columns, read_origin
from smallchange.server.table.model.outcome import Status

HEAD_COLUMNS = ("id", "version", "secret", "seal", "open", "code", "created", "rated")  # as in Head


class StoredRecord(NamedTuple):
    """The record of a match that has ended, as text, with the id of its game and the time when it was opened."""

    game: str
    created: int
    record: str


def select_table(connection: Connection, id: str, ply: int) -> tuple[Any, list[Any], list[Event]] | None:
    """Return the row of a table, the rows of its seats, and its events from `ply` on; None for no such table."""
    match = connection.execute(select(schema.match).where(schema.match.c.id == id)).first()
    if match is None:
        return None
    seat, event = schema.seat.c, schema.event.c
    query = select(event.kind, event.seat, event.at, event.command_id, event.action, event.lag)
    query = query.where(event.match_id == id, event.ply >= ply).order_by(event.ply)
    events = read_events(connection.execute(query))  # before the seats, which may only be newer
    seats = connection.execute(select(schema.seat).where(seat.match_id == id).order_by(seat.number)).all()
    return match, list(seats), events


def left_early(connection: Connection, holder: str, since: int) -> bool:
    """Return whether a player has left a rated match since then before it could count, or so that it counted."""
    match, seat, event = schema.match.c, schema.seat.c, schema.event.c
    own = (seat.match_id == event.match_id) & (seat.holder == holder) & (event.at > since)
    ended_by = (event.seat == seat.number) & event.kind.in_([tag_of(Resign), tag_of(TimeOut), tag_of(Abort)])
    claimed = (event.seat != seat.number) & (event.kind == tag_of(Claim))
    counts = case((event.kind == tag_of(Claim), event.lag), else_=event.action)
    early = (ended_by | claimed) & (seat.points.is_(None) | (counts == 1))
    query = (
        select(event.match_id)
        .join_from(schema.seat, schema.event, own)
        .join(schema.match, match.id == seat.match_id)
    )
    query = query.where(early, match.rated.is_(True), match.status == Status.OVER)
    return connection.execute(query.limit(1)).first() is not None


def head_from_row(row: Any, game: Game) -> Head:
    fields = {name: getattr(row, name) for name in HEAD_COLUMNS}
    return Head(game=game, origin=read_origin(row), control=clock.read(row.control or ""), **fields)


def seats_from_rows(game: Game, rows: Sequence[Any]) -> tuple[Seat, ...]:
    return tuple(Seat(game.seats[r.number], SeatKind(r.kind), r.name, r.bot, r.holder, r.words) for r in rows)


def match_row(head: Head, status: str, record: str | None) -> dict[str, Any]:
    options = json.dumps(head.game.non_default_options)
    fields = {name: getattr(head, name) for name in HEAD_COLUMNS} | origin_columns(head.origin)
    return fields | {
        "game": head.game.id,
        "options": options,
        "status": status,
        "record": record,
        "control": str(head.control) if head.control else None,
    }


def seat_row(id: str, number: int, seat: Seat) -> dict[str, Any]:
    same = ("kind", "name", "bot", "holder", "words")
    return {name: getattr(seat, name) for name in same} | {"match_id": id, "number": number}


def event_rows(id: str, ply: int, events: Sequence[Event]) -> list[Row]:
    return [(id, i, *columns(event)) for i, event in enumerate(events, ply)]


_remark, _mute = schema.remark.c, schema.mute.c


def find_remarks(connection: Connection, match: str) -> Remarks:
    """Return the last remark of each seat at a table, and the seats that hear none."""
    query = select(_remark.seat, _remark.phrase, _remark.ply).where(_remark.match_id == match)
    last: dict[int, Remark] = {}
    for row in connection.execute(query.order_by(_remark.number)):
        last.pop(row.seat, None)
        last[row.seat] = Remark(*row)
    muted = connection.execute(select(_mute.seat).where(_mute.match_id == match)).scalars()
    return Remarks(tuple(last.values()), frozenset(muted))


def add_remark(connection: Connection, match: str, said: Remark) -> bool:
    """Store a remark. Return False if its seat has made MAX_REMARKS already."""
    of_match = _remark.match_id == match
    count = select(func.count()).select_from(schema.remark)
    if connection.execute(count.where(of_match, _remark.seat == said.seat)).scalar_one() >= MAX_REMARKS:
        return False
    number = connection.execute(count.where(of_match)).scalar_one()
    connection.execute(insert(schema.remark), {"match_id": match, "number": number} | said._asdict())
    return True


def set_mute(connection: Connection, match: str, seats: Collection[int], on: bool) -> None:
    """Let seats hear no remarks at a table, or hear them again."""
    connection.execute(delete(schema.mute).where(_mute.match_id == match, _mute.seat.in_(seats)))
    if on:
        connection.execute(insert(schema.mute), [{"match_id": match, "seat": seat} for seat in seats])


def remarks_of(connection: Connection, holder: str) -> list[dict[str, Any]]:
    """Return all remarks of a holder as rows."""
    seat = schema.seat
    query = select(_remark.match_id, _remark.phrase).join(
        seat, (seat.c.match_id == _remark.match_id) & (seat.c.number == _remark.seat)
    )
    rows = connection.execute(query.where(seat.c.holder == holder).order_by(_remark.match_id, _remark.number))
    return [dict(row._mapping) for row in rows]
