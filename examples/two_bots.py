"""A bot of one's own compared with another on the same deals, until that is known: python two_bots.py [POINTS]."""

from __future__ import annotations

import sys

import smallchange
from smallchange import Position


def cautious(position: Position) -> str:
    """Play the move after which the other side has the fewest moves."""
    return min(position.legal(), key=lambda token: len(position.played(token).legal()))


if __name__ == "__main__":
    until = float(sys.argv[1]) if len(sys.argv) > 1 else 0.02
    print(smallchange.compare(smallchange.game("dodgem", size=4), cautious, "greedy", until))
