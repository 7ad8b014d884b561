"""The games of small experiments, and the command that plays one."""

from __future__ import annotations

import sys
from pathlib import Path

import smallchange
from smallchange import bots

GAME = next(id for id in reversed(smallchange.games()) if smallchange.Game(id).sources)  # with chance
LEVELLED = [id for id in smallchange.games() if "level5" in bots.names(smallchange.Game(id))]
TWO = next(id for id in reversed(LEVELLED) if len(smallchange.Game(id).seats) == 2)


def command(folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "smallchange", "experiment", str(folder / "small.toml"), *more]
