"""Jobs for a pool of workers, which import them by name."""

from __future__ import annotations

import os


def echo(share: float, word: str) -> tuple[float, str]:
    return share, word


def end_process(share: float) -> None:
    os._exit(1)
