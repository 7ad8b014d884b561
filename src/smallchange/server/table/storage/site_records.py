"""The records of a site's finished matches, without names, for `smallchange server dump`.

They are in the order of their seals, which says nothing of time or people and puts those of one deal together. Anybody
checks them by `smallchange check --site`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

from sqlalchemy import select

from smallchange.core import record
from smallchange.core.errors import BadRecord
from smallchange.core.match import Match
from smallchange.server.database import schema
from smallchange.server.table.model.outcome import Status
from smallchange.server.table.model.time_control import DAY_MS
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused


class FinishedMatch(NamedTuple):
    """A finished match of a table: as it was stored, or of a day's deal, whose envelope is open by now."""

    table: str
    stored: str | None


async def site_records(store: Store, now_ms: int) -> AsyncIterator[Match | None]:
    """Yield every finished match, without names; None for one under former rules.

    Practice is left out, because its luck may have been known before. So are matches of a deal that has not closed,
    and those whose deal was chosen by its difficulty: their luck is no fair sample.
    """
    for found in await _finished_matches(store, now_ms):
        match = await _match(store, found)
        yield None if match is None else _without_names(match)


async def _finished_matches(store: Store, now_ms: int) -> list[FinishedMatch]:
    match = schema.match.c
    query = (
        select(match.id, match.record, match.day, match.sealed_until)
        .where(match.status == Status.OVER, match.record.is_not(None), match.parent.is_(None), match.proven)
        .where(match.day.is_(None) | ((match.day + 1) * DAY_MS <= now_ms))
        .where(match.sealed_until.is_(None) | (match.sealed_until <= now_ms))
        .where(match.difficulty == "")
        .order_by(match.seal, match.id)
    )
    rows = await store.read(lambda c: c.execute(query).all())
    return [
        FinishedMatch(id, text if day is None and until is None else None) for id, text, day, until in rows
    ]


async def _match(store: Store, found: FinishedMatch) -> Match | None:
    """Return the match; None if its rules have changed since."""
    if found.stored is not None:
        try:
            return record.read(found.stored)
        except BadRecord:
            return None
    try:
        history = await store.load(found.table)
    except Refused as refused:
        if refused.code != ErrorCode.RULES_CHANGED:
            raise
        return None
    assert history is not None
    history.sealed = False
    return history.record


def _without_names(match: Match) -> Match:
    """Return the match without the names of its players; their words stay, because the deal follows from them."""
    nameless = match.copy()
    nameless.seats = dict.fromkeys(match.seats, "")
    return nameless
