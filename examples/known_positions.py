"""A game step by step, and each position that came up: python known_positions.py."""

from __future__ import annotations

import smallchange

if __name__ == "__main__":
    position = smallchange.game("dodgem", size=4).start()
    known = {position.key()}
    while not position.over:
        print(position, end="\n\n")
        position.play(position.legal()[0])
        known.add(position.key())
    print(f"{len(known)} positions: {position.result}")
