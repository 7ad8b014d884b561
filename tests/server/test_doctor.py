"""The doctor says what a public server lacks."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from msgspec.structs import asdict

from smallchange.cli import main
from smallchange.server import doctor
from smallchange.server.database.opening import prepare_database
from smallchange.server.database.role import MISSING_MS, RoleName, note_seen, played_row
from smallchange.server.settings import Settings, settings

from .outside import until
from .serving import TIMEOUT_S, serving

SERVE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
PUBLIC: dict[str, Any] = {"secure": True, "proxies": "127.0.0.1", "hosts": ("play.example",)}


@pytest.fixture(autouse=True)
def large_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "file_limit", lambda: 65_536)
    monkeypatch.setattr(doctor, "MIN_FREE_BYTES", 0)


def lacking(folder: Path, now_s: float | None = None, **chosen: Any) -> list[str]:
    given = PUBLIC | {"database": f"sqlite:///{folder / 'tables.db'}"} | chosen
    return [check.name for check in doctor.examine(Settings(**given), now_s) if not check.well]


def test_a_public_server_that_is_set_up_lacks_nothing_and_stays_as_it_is(tmp_path: Path) -> None:
    assert lacking(tmp_path) == []
    assert list(tmp_path.iterdir()) == [], "not even its database is made"


def test_the_settings_of_the_guide_are_accepted_and_lack_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mails and messages that follow are those of `test_deliveries.py` and `test_push.py`."""
    guide = re.search(r"```\n\s+SMALLCHANGE_DATA=.*?```", SERVE, re.DOTALL)
    assert guide
    for line in re.findall(r"SMALLCHANGE_\S+", guide[0]):
        name, _, value = line.partition("=")
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path))
    chosen = settings()
    assert chosen.database == f"sqlite:///{tmp_path / 'tables.db'}"
    assert [check.name for check in doctor.examine(chosen) if not check.well] == []
    with serving(tmp_path, **asdict(chosen) | {"port": 0, "roles": "none"}) as served:
        host = {"Host": "play.example"}
        answer = httpx.get(
            f"{served.url}/account", headers=host | {"X-Forwarded-Proto": "https"}, timeout=TIMEOUT_S
        )
        assert answer.status_code == 200
        assert "__Host-who=" in answer.headers["set-cookie"]
        assert served.call(served.services.push.public_key())


@pytest.mark.parametrize(
    ("chosen", "name"),
    [
        ({"secure": False}, "secure"),
        ({"proxies": ""}, "proxies"),
        ({"hosts": ()}, "hosts"),
        ({"hosts": ("*",)}, "hosts"),
        ({"database": "postgresql://nobody@127.0.0.1:1/none"}, "database"),
    ],
)
def test_each_setting_that_is_not_for_the_public_is_named(
    tmp_path: Path, chosen: dict[str, Any], name: str
) -> None:
    assert lacking(tmp_path, **chosen) == [name]


def test_few_files_and_a_full_disk_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "file_limit", lambda: 1024)
    monkeypatch.setattr(doctor, "MIN_FREE_BYTES", 1 << 80)
    assert lacking(tmp_path) == ["files", "disk"]


def test_a_clock_behind_the_newest_table_is_named(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    prepare_database(database)
    with closing(sqlite3.connect(tmp_path / "tables.db")) as rows, rows:
        rows.execute(
            "INSERT INTO match (id, game, version, options, secret, seal, status, open, code, created, fork_length,"
            " proven, rated, difficulty)"
            " VALUES ('a', 'x', 1, '{}', x'00', '', 'over', 0, 'c', ?, 0, 1, 0, '')",
            (4_000_000_000_000,),
        )
    assert lacking(tmp_path, now_s=4_000_000_000) == []
    assert lacking(tmp_path, now_s=3_999_000_000) == ["clock"]


def test_another_programs_database_is_named(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.db")) as rows:
        rows.execute("CREATE TABLE other (id)")
    assert lacking(tmp_path) == ["database"]


def test_the_command_ends_with_1_where_something_is_lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    done = CliRunner().invoke(main, ["server", "doctor", "--database", database])
    assert done.exit_code == 1
    assert "LACKS  secure" in done.output
    for name, value in (("SECURE", "true"), ("PROXIES", "127.0.0.1"), ("HOSTS", "play.example")):
        monkeypatch.setenv(f"SMALLCHANGE_{name}", value)
    done = CliRunner().invoke(main, ["server", "doctor", "--database", database, "--json"])
    assert done.exit_code == 0
    said = json.loads(done.output)
    assert said["well"] is True
    assert {check["name"] for check in said["checks"]} >= {"secure", "files", "folder", "disk", "clock"}


def test_a_server_without_roles_lacks_them_until_another_process_plays_them(tmp_path: Path) -> None:
    with serving(tmp_path, roles="none") as served:
        health, store = f"{served.url}/healthz", served.services.tables.store
        answer = httpx.get(f"{health}?all", timeout=TIMEOUT_S)
        assert (answer.status_code, answer.json()) == (200, {"well": True, "starting": True})
        served.services._began -= MISSING_MS
        answer = httpx.get(health, timeout=TIMEOUT_S)
        assert (answer.status_code, answer.json()) == (200, {"well": False, "lacking": ["roles"]})
        answer = httpx.get(f"{health}?all", timeout=TIMEOUT_S)
        assert (answer.status_code, answer.json()) == (503, {"well": False, "lacking": ["roles"]})
        assert lacking(tmp_path, roles="none") == ["roles"]
        assert "smallchange_roles_missing 1.0" in httpx.get(f"{served.url}/metrics", timeout=TIMEOUT_S).text
        now = served.services.tables.now()
        for role in RoleName:
            assert lacking(tmp_path, roles="none") == ["roles"]
            row = played_row(role)
            served.call(store.write("", partial(note_seen, role=row, holder="worker", now=now)))
        assert httpx.get(health, timeout=TIMEOUT_S).json() == {"well": True}
        assert lacking(tmp_path, roles="none") == []
        assert "smallchange_roles_missing 0.0" in httpx.get(f"{served.url}/metrics", timeout=TIMEOUT_S).text


def test_a_server_that_ends_no_matches_does_not_play_the_clock(tmp_path: Path) -> None:
    """Else a worker with the other roles alone would hide that nobody does."""
    with serving(tmp_path, roles="none") as served:
        store = served.services.tables.store
        served.services._began -= MISSING_MS
        played = [played_row(role) for role in RoleName if role != RoleName.CLOCK]
        for row in played:
            now = served.services.tables.now()
            served.call(store.write("", partial(note_seen, role=row, holder="worker", now=now)))
        assert httpx.get(f"{served.url}/healthz", timeout=TIMEOUT_S).json()["lacking"] == ["roles"]
        (text,) = [one.text for one in doctor.examine(served.settings) if one.name == "roles"]
        assert text == "Nobody plays clock: start `smallchange server work`."


def test_the_alerts_and_the_guide_are_about_figures_that_there_are(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    rules, guide = ((root / file).read_text("utf-8") for file in ("deploy/alerts.yml", "docs/serve.md"))
    with serving(tmp_path) as served:
        text = httpx.get(f"{served.url}/metrics", timeout=TIMEOUT_S).text
    there = {
        name.removesuffix("_total") for name in re.findall(r"^# TYPE (smallchange_\w+)", text, re.MULTILINE)
    }
    told = {
        name.removesuffix("_total") for name in re.findall(r"^\| `(smallchange_\w+)`", guide, re.MULTILINE)
    }
    asked = {
        re.sub("_(total|bucket|sum|count)$", "", name) for name in re.findall(r"smallchange_[a-z_]+", rules)
    }
    assert told == {name for name in there if not name.endswith("_created")}
    assert asked <= there


def test_the_processes_that_hear_each_other_are_counted(tmp_path: Path, database: str) -> None:
    def hearing(given: Settings) -> list[str]:
        return [check.text for check in doctor.examine(given) if check.name == "bus"]

    assert hearing(Settings(database=database)) == ["0 processes hear each other by PostgreSQL."]
    with serving(tmp_path, database=database) as served:
        until(lambda: hearing(served.settings) == ["1 processes hear each other by PostgreSQL."])
    assert hearing(Settings(database="postgresql://nobody@127.0.0.1:1/none")) == []
