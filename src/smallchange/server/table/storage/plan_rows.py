"""Planned moves of seats, as rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from smallchange.server.database import schema
from smallchange.server.table.model.outcome import Status
from smallchange.server.table.model.plans import Plan

_plan = schema.planned_moves.c


def find_plans(connection: Connection, match: str) -> dict[int, Plan]:
    """Return the plans at a table, by seat."""
    query = select(_plan.seat, _plan.ply, _plan.lines).where(_plan.match_id == match)
    rows = connection.execute(query)
    return {seat: Plan(seat, ply, tuple(map(tuple, json.loads(lines)))) for seat, ply, lines in rows}


def change_plan(connection: Connection, match: str, seat: int, change: Callable[[Plan | None], Plan]) -> None:
    """Change the plan of a seat, while no other process changes one there. A plan without lines is removed."""
    connection.execute(select(schema.match.c.id).where(schema.match.c.id == match).with_for_update())
    plan = change(find_plans(connection, match).get(seat))
    of_seat = (_plan.match_id == match) & (_plan.seat == seat)
    connection.execute(delete(schema.planned_moves).where(of_seat))
    if plan.lines:
        row = {"match_id": match, "seat": plan.seat, "ply": plan.ply, "lines": json.dumps(plan.lines)}
        connection.execute(insert(schema.planned_moves), row)


def tables_with_plans(connection: Connection) -> list[str]:
    """Return the ids of the running tables at which somebody has planned moves."""
    running = schema.match.c.status != Status.OVER
    query = select(_plan.match_id).join(schema.match).where(running).distinct()
    return list(connection.execute(query).scalars())


def plans_of(connection: Connection, holder: str) -> list[dict[str, Any]]:
    """Return all plans of a holder as rows."""
    seat = schema.seat
    query = select(_plan.match_id, _plan.lines).join(
        seat, (seat.c.match_id == _plan.match_id) & (seat.c.number == _plan.seat)
    )
    rows = connection.execute(query.where(seat.c.holder == holder).order_by(_plan.match_id))
    return [{"match_id": match, "lines": json.loads(lines)} for match, lines in rows]
