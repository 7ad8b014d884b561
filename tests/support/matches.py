"""Whole matches, for tests that need one."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import smallchange
from smallchange import Match, bots

THROWN = [id for id in smallchange.games() if (smallchange.game(id).folder / "ai" / "dice_moves.py").exists()]


@cache
def greedy_match(id: str, seed: int, **options: Any) -> Match:
    """Return a whole match played by the greedy bot."""
    match = Match(smallchange.game(id, **options), Random(f"{id} {seed}").randbytes(16))
    play = bots.bot("greedy", luck=Random(seed))
    while not match.over:
        if not match.settle():
            match.play(play(match.position))
    return match
