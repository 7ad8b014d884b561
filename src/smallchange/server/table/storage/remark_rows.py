"""Set phrases that players said at tables, as rows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from smallchange.server.database import schema
from smallchange.server.table.model.remarks import MAX_REMARKS, Remark, Remarks

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
