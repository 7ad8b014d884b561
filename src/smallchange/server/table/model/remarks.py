"""Remarks: set phrases that players say to each other at a table. There is no free text."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

PHRASES = ("hello", "luck", "well-played", "thanks", "moment", "leaving")  # stored, so never renamed
MAX_REMARKS = 20  # of a seat at a table
SHOWN_PLIES = 2  # events after which a remark is shown no more


class Remark(NamedTuple):
    """A phrase that the player of a seat said when the table had `ply` events."""

    seat: int
    phrase: str
    ply: int


class Remarks(NamedTuple):
    """The last remark of each seat, the latest last, and the seats that do not hear others."""

    last: tuple[Remark, ...] = ()
    muted: frozenset[int] = frozenset()

    def audible(self, seats: Collection[int], ply: int) -> list[Remark]:
        """Return the recent remarks that the holder of these seats is shown, once the table has `ply` events.

        >>> said = Remarks((Remark(0, "hello", 4), Remark(1, "luck", 6)))
        >>> [one.phrase for one in said.audible([0], 6)], said.audible([], 6), said.audible([0], 9)
        (['hello', 'luck'], [], [])
        >>> [one.phrase for one in said._replace(muted=frozenset([0])).audible([0], 6)]
        ['hello']
        """
        recent = [one for one in self.last if seats and ply - one.ply <= SHOWN_PLIES]
        return [one for one in recent if one.seat in seats or not self.muted.intersection(seats)]
