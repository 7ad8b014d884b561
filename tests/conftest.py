"""Mark each test with what it needs, so that a run can leave some of it out.

| marker | needs |
| --- | --- |
| browser | Chromium |
| server | a running server of ours |
| postgresql | a PostgreSQL server, started by the test |
| slow | compiles code, searches, or starts other processes |
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from smallchange.core.game_places import CHOSEN_VARIABLE

TESTS = Path(__file__).parent
CHOSEN_AT_FIRST = {name: value for name, value in os.environ.items() if name == CHOSEN_VARIABLE}
SERVICES = ("postgresql",)
SLOW_FOLDERS = {"bots", "cli", "engine", "environments", "lab", "tablebase"}
SLOW_FILES = {
    "environments.md",
    "python.md",
    "test_bench.py",
    "test_bot_commands.py",
    "test_certificate.py",
    "test_foreign_games.py",
    "test_half_made_game.py",
    "test_progress_bar.py",
    "test_review_command.py",
    "test_solved.py",
    "test_wheel.py",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Add the markers that follow from where a test lives and from what it asks for."""
    for item in items:
        folders = item.path.relative_to(TESTS).parts if item.path.is_relative_to(TESTS) else ()
        for marker in ("browser", "server"):
            if marker in folders:
                item.add_marker(marker)
        if SLOW_FOLDERS & {*folders} or item.path.name in SLOW_FILES:
            item.add_marker("slow")
        callspec = getattr(item, "callspec", None)
        asked = {*getattr(item, "fixturenames", ()), *(callspec.id.split("-") if callspec else ())}
        for service in SERVICES:
            if service in asked:
                item.add_marker(service)


@pytest.fixture(autouse=True)
def _games_as_chosen_at_first() -> Iterator[None]:
    """Forget the games that a server chose for its process, a server of a whole module too: tests share one."""
    os.environ.pop("COLUMNS", None)  # which pytest-xdist's processes have, and a pipe has not
    yield
    os.environ.pop(CHOSEN_VARIABLE, None)
    os.environ.update(CHOSEN_AT_FIRST)
