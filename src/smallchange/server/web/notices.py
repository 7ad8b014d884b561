"""Notices to everybody: maintenance that is announced, and what cannot be done before and during it."""

from __future__ import annotations

from datetime import UTC, datetime

from smallchange.i18n.formats import day_at
from smallchange.i18n.text import Text
from smallchange.server.database.site_state import Mode, SiteState
from smallchange.server.web.errors import ErrorCode

MAINTENANCE = Text(
    "Maintenance begins on {day} at {time} UTC and takes about {minutes} minutes. Clocks stand still meanwhile; "
    "live games that are not over by then end without a result."
)
MINUTE_MS = 60_000


def notices(state: SiteState, now_ms: int) -> tuple[Text, ...]:
    """Return what each page says of the state of the site."""
    found = []
    if (planned := state.maintenance) and now_ms < planned.at + planned.minutes * MINUTE_MS:
        time = f"{datetime.fromtimestamp(planned.at / 1000, UTC):%H:%M}"
        found.append(MAINTENANCE.fill(day=day_at(planned.at), time=time, minutes=planned.minutes))
    if state.mode == Mode.DRAINING:
        found.append(ErrorCode.DRAINING.text)
    return tuple(found)
