"""A bot of one's own against every bot of a game, on equal deals: python bot_against_levels.py [GAMES]."""

from __future__ import annotations

import sys

import smallchange
from smallchange import Position, bots


def cautious(position: Position) -> str:
    """Play the move after which the other side has the fewest moves."""
    return min(position.legal(), key=lambda token: len(position.played(token).legal()))


if __name__ == "__main__":
    dodgem = smallchange.game("dodgem", size=4)
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for name in bots.names(dodgem):
        played = smallchange.simulate(dodgem, n, [cautious, name], seed=1)
        rate = played.win_rate["red"]
        print(f"{name:8} {rate.p:6.1%}  [{rate.low:.1%}, {rate.high:.1%}]")
