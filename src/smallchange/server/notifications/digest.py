"""The time of a daily digest: an hour of the day in a time zone, whatever its summer time does."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def next_digest_ms(now_ms: int, hour: int, zone: str) -> int:
    """Return the next time after now at which it is this hour in this zone, in milliseconds since 1970.

    There is one on every date of the zone. An hour that summer time leaves out is taken as the one after it; of
    one that comes twice, the first counts.

    >>> next_digest_ms(0, 8, "Asia/Tokyo") // 3_600_000  # 1970-01-01 08:00 in Tokyo was before
    23
    """
    place = ZoneInfo(zone)
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    date = now.astimezone(place).date() - timedelta(days=1)
    while True:
        found = datetime.combine(date, time(hour), place).astimezone(UTC)
        if found > now:
            return int(found.timestamp() * 1000)
        date += timedelta(days=1)


def is_zone(name: str) -> bool:
    """Return whether this is the name of a time zone, such as Europe/Vienna.

    >>> is_zone("Europe/Vienna"), is_zone("Vienna"), is_zone("../etc/passwd"), is_zone("")
    (True, False, False, False)
    """
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return bool(name)
