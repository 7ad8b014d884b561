"""The number of positions that can be reached from the start, as sekika/dodgem-py counts them.

`python -m research.reachability [SIZE]` counts those of Dodg'em.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from smallchange.core.game import Game
from smallchange.tablebase.compiled_solver import Kit
from smallchange.tablebase.ranked_games import all_positions

ENDS = 1 << 20  # ends of games looked at together


class ReachKit(Kit):
    """A solver that looks for the positions that come up."""

    kernel_modules = (*Kit.kernel_modules, "research.kernels.reachability")


def reachable(game: Game, telling: tuple[str, ...]) -> int:
    """Return the number of positions that can be reached, ends of games among them.

    Positions with different players to move are counted apart. `telling` names the fields by which two ends
    differ.
    """
    kit = ReachKit(game)
    seen = np.zeros(all_positions(game), np.uint8)
    start = kit.states()
    seen[kit.code.start_number(kit.boards, start)] = 1 << int(start[0]["turn"])
    ends, found = np.zeros(ENDS, start.dtype), np.array([0, 1])
    distinct: Any = None
    known = -1
    while known != found[1]:
        known = int(found[1])
        first = 0
        while first < len(seen):
            first = kit.code.find_successors(kit.boards, kit.states(), kit.out(), seen, first, ends, found)
            told = np.column_stack([ends[name].reshape(ENDS, -1)[: found[0]] for name in telling])
            distinct = np.unique(told if distinct is None else np.concatenate([distinct, told]), axis=0)
            found[0] = 0
    return known + len(distinct)


if __name__ == "__main__":
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    game = Game("dodgem", {"size": size, "start": "crosswise", "blocked": "wins"})
    print(f"{size} x {size}: {reachable(game, ('coins', 'winner')):,} positions can come up")
