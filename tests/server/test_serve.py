"""Starting a server: where it says that it is, and one line for whatever stands in the way."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, inspect, text
from websockets.sync.client import connect

from smallchange.core.game import Game
from smallchange.extras import install_hint
from smallchange.server.database.opening import OtherProgramsDatabase, lock_database, prepare_database
from smallchange.server.serve import address, listen
from smallchange.server.settings import Settings, settings

from .outside import Process, answers, free_port, until
from .serving import TIMEOUT_S, Person, serving

SERVE = [sys.executable, "-m", "smallchange", "serve", "--no-open", "--port", "0"]


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1", "localhost"), ("127.0.0.2", "127.0.0.2"), ("::1", "[::1]"), ("[::1]", "[::1]")],
)
def test_the_address_that_is_shown_can_be_opened(host: str, shown: str) -> None:
    with closing(listen(Settings(host=host, port=0))) as listening:
        assert address(listening) == f"http://{shown}:{listening.getsockname()[1]}/"


def test_answers_leave_at_once_by_the_loop_of_python_too() -> None:
    """As where there is no uvloop: what is written is not held back for what may follow."""

    async def held_back(listening: socket.socket) -> bool:
        found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def came(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            found.set_result(not accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(came, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            answer = await found
            writer.close()
            return answer

    assert not asyncio.run(held_back(listen(Settings(port=0))))


def test_where_it_is_is_said_once_it_answers(tmp_path: Path) -> None:
    data = {"SMALLCHANGE_DATA": str(tmp_path)}
    server = subprocess.Popen(SERVE, env=os.environ | data, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    found = re.match(r"Small Change is at (http://localhost:\d+/) ", server.stdout.readline())
    assert found
    assert httpx.get(f"{found[1]}healthz", timeout=TIMEOUT_S).json() == {"well": True}
    server.terminate()
    assert server.wait(60) == 0
    server.stdout.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is none")
def test_what_it_cannot_say_stops_nothing(tmp_path: Path) -> None:
    """As where its log is on a disk that is full, or whoever read it has gone."""
    port, data = free_port(), {"SMALLCHANGE_DATA": str(tmp_path)}
    order = {"game": "dodgem", "seats": dict.fromkeys(Game("dodgem").seats, "me")}
    with open("/dev/full", "w", encoding="utf-8") as full:
        server = subprocess.Popen([*SERVE[:-1], str(port)], env=os.environ | data, stdout=full, stderr=full)
    try:
        until(lambda: answers(port))
        made = httpx.post(f"http://127.0.0.1:{port}/api/matches", json=order, timeout=TIMEOUT_S)
    finally:
        server.terminate()
    assert (made.status_code, server.wait(60)) == (201, 0)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is none on Windows")
def test_a_terminal_that_is_closed_ends_the_server_as_it_should(tmp_path: Path) -> None:
    server = Process(database=f"sqlite:///{tmp_path / 'tables.db'}")
    with connect(f"ws://127.0.0.1:{server.port}/ws") as line:
        status, said = server.stop(signal.SIGHUP)
        assert '"closing"' in str(line.recv(TIMEOUT_S))
    assert (status, b"Traceback" in said) == (0, False)


def test_an_sqlite_file_is_for_one_server(tmp_path: Path) -> None:
    """Each would not hear of what was done at the other."""
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    server = Process(database=database)
    try:
        assert f"another server has {tmp_path / 'tables.db'} open" in startup_error(
            {"SMALLCHANGE_DATABASE": database}
        )
        (tmp_path / "other.db").symlink_to("tables.db")
        assert "another server has" in startup_error(
            {"SMALLCHANGE_DATABASE": f"sqlite:///{tmp_path / 'other.db'}"}
        )
    finally:
        server.kill()
    Process(database=database).kill()


def test_a_server_that_is_not_to_have_an_sqlite_file_leaves_it_as_it_is(tmp_path: Path) -> None:
    """A newer one would migrate what an older one serves."""
    file = tmp_path / "new" / "tables.db"
    with lock_database(Settings(database=f"sqlite:///{file}")):
        assert f"another server has {file} open" in startup_error(
            {"SMALLCHANGE_DATABASE": f"sqlite:///{file}"}
        )
    assert not file.exists()


def test_a_data_folder_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "100% #1?" / "new"
    monkeypatch.setenv("SMALLCHANGE_DATA", str(folder))
    done = startup_error({"SMALLCHANGE_HOST": "192.0.2.1"})
    assert "cannot listen on 192.0.2.1" in done
    assert (folder / "tables.db").exists(), "the database is made before"
    with serving(tmp_path, database=settings().database) as served, Person(served) as ann:
        ann.open()


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"DATABASE": "ann:pass@tables.db"}, "database: this is no URL; expected sqlite:///FILE"),
        ({"DATABASE": "postgresql://ann:pass@127.0.0.1:1/x?password=pass"}, "cannot open the database"),
        ({"DATABASE": "sqlite:///{folder}"}, "cannot open the database"),
        ({"DATA": "/dev/null/x"}, "cannot make /dev/null/x: Not a directory"),
        ({"HOST": "192.0.2.1"}, "cannot listen on 192.0.2.1:0: "),
        ({"HOST": "plày..example"}, "cannot listen on plày..example:0: "),
    ],
    ids=str,
)
def test_a_server_that_cannot_be_is_one_clear_line(
    environment: dict[str, str], says: str, tmp_path: Path
) -> None:
    said = startup_error(
        {"SMALLCHANGE_DATA": str(tmp_path)}
        | {f"SMALLCHANGE_{name}": environment[name].format(folder=tmp_path) for name in environment}
    )
    assert says in said
    assert said.count("\n") == 1
    assert "pass" not in said


def test_what_has_to_be_installed_is_said_in_one_line(tmp_path: Path) -> None:
    code = "import sys; sys.modules['psycopg'] = None; from smallchange.cli import main; main()"
    asked = [sys.executable, "-c", code, *SERVE[3:], "--database", "postgresql+psycopg://ann@127.0.0.1/x"]
    said = startup_error({"SMALLCHANGE_DATA": str(tmp_path)}, asked)
    assert said == f"Error: {install_hint('psycopg', 'postgresql')}\n"


def startup_error(environment: dict[str, str], words: Sequence[str] = SERVE) -> str:
    """Return the message of a server that does not start."""
    done = subprocess.run(words, env=os.environ | environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1, done.stderr
    assert done.stdout == "", "it says where it is once it is there"
    return done.stderr


@pytest.mark.parametrize(
    ("revision", "said"),
    [
        ("9999", "was made by a newer Small Change; update the program"),
        ("0029", "is from before the first release; `smallchange dump` of commit db14ccf exports its games"),
    ],
)
def test_a_database_of_another_version_is_one_clear_line(revision: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    prepare_database(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as rows, rows:
        rows.execute(f"UPDATE alembic_version SET version_num = '{revision}'")
    before = file.read_bytes()
    assert startup_error({"SMALLCHANGE_DATABASE": f"sqlite:///{file}"}) == (
        f"Error: the database sqlite:///{file} {said}\n"
    )
    assert file.read_bytes() == before


ALEMBIC = "CREATE TABLE alembic_version (version_num VARCHAR(32)); INSERT INTO alembic_version VALUES"
OTHERS = [
    "CREATE TABLE seat (row INTEGER)",
    f"{ALEMBIC} ('0002')",
    f"{ALEMBIC} ('0004')",
    f"{ALEMBIC} ('ae1')",
]


def open_and_leave(database: str) -> None:
    """Open a database as a server does before it serves."""
    with lock_database(Settings(database=database)):
        prepare_database(database)


def test_a_database_of_another_program_is_one_clear_line(tmp_path: Path) -> None:
    file = tmp_path / "poetry"
    with closing(sqlite3.connect(file)) as rows:
        rows.executescript(OTHERS[0])
    said = startup_error({"SMALLCHANGE_DATABASE": f"sqlite:///{file}"})
    assert said == f"Error: the database sqlite:///{file} is another program's, and stays as it is\n"


@pytest.mark.parametrize("made", OTHERS)
def test_an_sqlite_file_of_another_program_is_left_as_it_is(made: str, tmp_path: Path) -> None:
    file, lock = tmp_path / "poetry", tmp_path / "poetry.lock"
    with closing(sqlite3.connect(file)) as rows:
        rows.executescript(made)
    before = file.read_bytes()
    for beside in (set[Path](), {lock}):
        for path in beside:
            path.write_text("of another program too")
        with pytest.raises(OtherProgramsDatabase, match="is another program's, and stays as it is"):
            open_and_leave(f"sqlite:///{file}")
        assert file.read_bytes() == before
        assert {*tmp_path.iterdir()} == {file} | beside, "nothing is left beside it"
    assert lock.read_text() == "of another program too"


@pytest.mark.parametrize("made", OTHERS)
def test_a_postgresql_of_another_program_is_left_as_it_is(made: str, database: str) -> None:
    engine = create_engine(database.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as rows:
        rows.execute(text("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + made))
    there = inspect(engine).get_table_names()
    with pytest.raises(OtherProgramsDatabase, match="is another program's, and stays as it is"):
        open_and_leave(database)
    assert inspect(engine).get_table_names() == there
    engine.dispose()


@pytest.mark.skipif(os.name == "nt", reason="files there have no such modes")
def test_nobody_else_can_read_the_tables(tmp_path: Path) -> None:
    prepare_database(f"sqlite:///{tmp_path / 'tables.db'}")
    with serving(tmp_path) as served, Person(served) as ann:
        ann.open()
        modes = {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()}
    assert modes == dict.fromkeys(["tables.db", "tables.db-shm", "tables.db-wal"], "0o600")
