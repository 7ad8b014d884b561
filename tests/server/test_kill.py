"""kill -9 at random moments under load: here once on each kind of database, more often in `bench/kills.py`."""

from __future__ import annotations

from pathlib import Path

from smallchange.server.database.opening import engine

from .killing import kill_either_of_two_servers, kill_one_server


def test_no_acknowledged_step_is_lost_and_every_table_goes_on(tmp_path: Path) -> None:
    assert kill_one_server(f"sqlite:///{tmp_path / 'tables.db'}", 1).acknowledged


def test_rivals_on_two_servers_lose_no_step_while_either_is_killed_and_started_again(database: str) -> None:
    assert kill_either_of_two_servers(database, 1).acknowledged


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    opened = engine(f"sqlite:///{tmp_path / 'tables.db'}")
    with opened.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    opened.dispose()
