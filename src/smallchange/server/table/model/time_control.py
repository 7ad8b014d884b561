"""Time controls: the time that a seat has for its turns, chosen before a match and never changed."""

from __future__ import annotations

import re
from typing import NamedTuple

SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
DAY_MS = 24 * 60 * MINUTE_MS
MAX_LIVE_BANK_MIN = 180
MAX_INCREMENT_S = 180
MAX_DAYS = 14
BLITZ, RAPID, SLOW = SPEEDS = ("blitz", "rapid", "correspondence")  # stored
RATED_TURNS = 40  # of a side, by which the length of a live match is reckoned
MAX_BLITZ_MS = 8 * MINUTE_MS  # of a side, over so many turns
FIRST_TURN_LIVE_MS = MINUTE_MS  # a live match whose first turns take longer is aborted

EXPECTED = (
    f"MINUTES+SECONDS (5+3; 1 to {MAX_LIVE_BANK_MIN} minutes, 0 to {MAX_INCREMENT_S} seconds), or DAYSd+DAYSd "
    f"(1d+3d; 1 to {MAX_DAYS} days a turn, 0 to {MAX_DAYS} in hand; 1d+3dw pauses at weekends)"
)


TIME_PATTERN = "^([0-9]{1,3}[+][0-9]{1,3}|[0-9]{1,2}d[+][0-9]{1,2}dw?|)$"


class BadTimeControl(ValueError):
    """The text is no time control."""


class TimeControl(NamedTuple):
    """The time that each seat has, in milliseconds.

    A turn first uses its allowance, which does not carry over, then the bank. At the end of a turn the
    increment is added to the bank. A live control has no allowance; a correspondence control has no increment,
    so that its bank only shrinks. With `rests_at_weekends` no time passes on Saturdays and Sundays, UTC.
    """

    allowance_ms: int
    bank_ms: int
    increment_ms: int
    rests_at_weekends: bool = False

    @property
    def live(self) -> bool:
        """Return whether the match is played in one sitting."""
        return self.allowance_ms == 0

    @property
    def speed(self) -> str:
        """Return the speed under which ratings count: BLITZ, RAPID or SLOW.

        >>> [read(text).speed for text in ("5+3", "10+5", "1d+3d")]
        ['blitz', 'rapid', 'correspondence']
        """
        if not self.live:
            return SLOW
        return BLITZ if self.bank_ms + RATED_TURNS * self.increment_ms < MAX_BLITZ_MS else RAPID

    @property
    def first_turn_ms(self) -> int:
        """The time for the first turn of each seat, after which the match is aborted without a result."""
        return FIRST_TURN_LIVE_MS if self.live else self.allowance_ms + self.bank_ms

    def __str__(self) -> str:
        if self.live:
            return f"{self.bank_ms // MINUTE_MS}+{self.increment_ms // SECOND_MS}"
        weekends = "w" if self.rests_at_weekends else ""
        return f"{self.allowance_ms // DAY_MS}d+{self.bank_ms // DAY_MS}d{weekends}"


def live(minutes: int, seconds: int) -> TimeControl:
    """Return the live control with a bank in minutes and an increment in seconds."""
    return TimeControl(0, minutes * MINUTE_MS, seconds * SECOND_MS)


def correspondence(days: int, in_hand: int, rests_at_weekends: bool = False) -> TimeControl:
    """Return the correspondence control with this many days a turn, and this many in hand."""
    return TimeControl(days * DAY_MS, in_hand * DAY_MS, 0, rests_at_weekends)


PRESETS = (
    *(live(minutes, seconds) for minutes, seconds in ((1, 2), (3, 2), (5, 3), (10, 5), (20, 10))),
    correspondence(1, 3),
    correspondence(2, 4),
    correspondence(3, 7),
    correspondence(1, 3, rests_at_weekends=True),
)


def read(text: str) -> TimeControl | None:
    """Return the control that a text names; None for "". Raise BadTimeControl for any other text.

    >>> read("5+3") == live(5, 3), read("1d+3dw") == correspondence(1, 3, True), read("")
    (True, True, None)
    >>> all(read(str(control)) == control for control in PRESETS)
    True
    """
    if not text:
        return None
    if found := re.fullmatch(r"([0-9]{1,3})\+([0-9]{1,3})", text):
        minutes, seconds = int(found[1]), int(found[2])
        if 1 <= minutes <= MAX_LIVE_BANK_MIN and seconds <= MAX_INCREMENT_S:
            return live(minutes, seconds)
    elif found := re.fullmatch(r"([0-9]{1,2})d\+([0-9]{1,2})d(w?)", text):
        days, in_hand = int(found[1]), int(found[2])
        if 1 <= days <= MAX_DAYS and in_hand <= MAX_DAYS:
            return correspondence(days, in_hand, bool(found[3]))
    raise BadTimeControl(f"{text!r} is no time control; expected {EXPECTED}")
