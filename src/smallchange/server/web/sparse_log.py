"""A log of what strangers can cause as often as they like: one line a minute for each event, with its count."""

from __future__ import annotations

import logging
import time
from collections import Counter

import structlog

LOG_PERIOD_S = 60.0  # between two lines about the same event


class Occurrences:
    """Counts events, and says when the next line about one is due."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()
        self._logged_at_s: dict[str, float] = {}

    def count(self, event: str) -> int:
        """Count an event. Return how often it came since the last line about it, 0 where no line is due yet."""
        now_s = time.monotonic()
        self._times[event] += 1
        if now_s - self._logged_at_s.get(event, -LOG_PERIOD_S) < LOG_PERIOD_S:
            return 0
        self._logged_at_s[event] = now_s
        return self._times.pop(event)


class SparseLog:
    """A log with at most one line in LOG_PERIOD_S for each event."""

    def __init__(self, name: str) -> None:
        self._log = structlog.get_logger(name)
        self._occurrences = Occurrences()

    def warning(self, event: str, **fields: object) -> None:
        """Log an event with the number of `times` it came since its last line, if a line is due."""
        if times := self._occurrences.count(event):
            self._log.warning(event, times=times, **fields)


class SparseFilter(logging.Filter):
    """A filter that passes a warning of uvicorn, which any stranger can cause, at most once in LOG_PERIOD_S."""

    def __init__(self) -> None:
        super().__init__()
        self._occurrences = Occurrences()

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno != logging.WARNING or bool(self._occurrences.count(str(record.msg)))
