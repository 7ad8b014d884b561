"""The deployment of deploy/ as it is shipped, its processes without containers: Caddy, two web processes, a worker,
and PostgreSQL with a password that needs quoting. The web processes restart in turn while people play."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sysconfig
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import yaml
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from smallchange.core.game import Game

from .outside import free_port, postgresql, require_program, until
from .serving import TIMEOUT_S, fresh
from .tables import PAIR

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
WEB = ("first", "second")
GIVEN = {"SITE": "localhost", "DATABASE_PASSWORD": "p@ss/w#rd: ?%"}
MANY = ("playing", "watching", "pages", "connections", "sockets", "new_tables", "listed_tables")
PACE_S = 0.02  # between two requests of one browser
GOALS = {"page": 100, "move": 200, "table": 20, "socket": 2}  # it is cut off once at least


class Deployed:
    """The processes of compose.yaml on loopback, each at a port of its own."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder = folder
        self.ports = {name: free_port() for name in (*WEB, "proxy", "insecure")}
        self.url = f"https://localhost:{self.ports['proxy']}"
        self._here = {
            "@database:5432": f"@{database}",
            "172.30.0.0/24": "127.0.0.1",
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def environment(self, service: str) -> dict[str, str]:
        """Return the environment of a service, with the hosts of this machine."""
        mine = {name: value for name, value in os.environ.items() if not name.startswith("SMALLCHANGE_")}
        given = {
            name: interpolate(value) for name, value in COMPOSE["services"][service]["environment"].items()
        }
        for there, here in self._here.items():
            given = {name: value.replace(there, here) for name, value in given.items()}
        many = {f"SMALLCHANGE_{name.upper()}": "100000" for name in MANY}
        port = {"SMALLCHANGE_PORT": str(self.ports[service])} if service in WEB else {}
        return mine | given | many | port | {"SMALLCHANGE_DATA": str(self.folder)}

    def begin(self, service: str) -> None:
        """Start a service."""
        default = re.findall(r"CMD (\[.*\])", (DEPLOY / "Containerfile").read_text(encoding="utf-8"))[-1]
        words = COMPOSE["services"][service].get("command", json.loads(default))
        self.processes[service] = self._start(service, [_ours(), *words], self.environment(service))

    def begin_proxy(self) -> None:
        """Start Caddy with the shipped file, at ports that anybody may listen on."""
        file = self.folder / "Caddyfile"
        options = f"http_port {self.ports['insecure']}\ndefault_bind 127.0.0.1\nadmin off\nskip_install_trust"
        shipped = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
        file.write_text(f"{{\n{options}\n}}\n{shipped}", encoding="utf-8")
        program, *words = COMPOSE["services"]["proxy"]["command"]
        words = [word.replace("/etc/caddy/Caddyfile", str(file)) for word in words]
        environment = os.environ | {
            "SITE": f"localhost:{self.ports['proxy']}",
            "SERVERS": " ".join(f"127.0.0.1:{self.ports[name]}" for name in WEB),
            "XDG_DATA_HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
        }
        words += ["--adapter", "caddyfile"]
        self.processes["proxy"] = self._start("proxy", [require_program(program), *words], environment)

    def is_healthy(self, service: str) -> bool:
        """Return whether the check of the image finds a web process well."""
        with contextlib.suppress(httpx.TransportError):
            address = f"http://localhost:{self.ports[service]}/healthz"
            return httpx.get(address, timeout=TIMEOUT_S).status_code == 200
        return False

    def passes_on(self, web: httpx.Client) -> bool:
        """Return whether both web processes are well, and the proxy knows of one."""
        with contextlib.suppress(httpx.TransportError):
            return all(map(self.is_healthy, WEB)) and web.get("/about").is_success
        return False

    def restart(self, service: str) -> None:
        """Restart a web process, and wait until the proxy has found it gone and well again."""
        before = len(self.read_log("proxy"))
        self.processes[service].terminate()
        assert self.processes[service].wait(TIMEOUT_S) == 0, self.read_log(service)
        self.begin(service)
        until(lambda: self.is_found_again(service, before))

    def is_found_again(self, service: str, since: int) -> bool:
        """Return whether the proxy's checks since a place of its log found a service gone, and well at last."""
        told = self.read_log("proxy")[since:].splitlines()
        checks = [
            line for line in told if f'"127.0.0.1:{self.ports[service]}"' in line and "health_checker" in line
        ]
        found = ["host is up" in line for line in checks]
        return False in found and found[-1]

    def run(self, service: str, line: str) -> subprocess.CompletedProcess[str]:
        """Run a shell's line in the environment of a service, with the commands of this one's Python."""
        environment = self.environment(service)
        environment["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), environment["PATH"]])
        return subprocess.run(["sh", "-c", line], env=environment, capture_output=True, text=True)

    def read_log(self, service: str) -> str:
        return (self.folder / f"{service}.log").read_text(encoding="utf-8", errors="replace")

    def _start(self, name: str, words: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(words, env=environment, stdout=log, stderr=log, cwd=self.folder)


class Tally:
    """The numbers of requests by kind that went well through the proxy, and the others as text."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.failed: list[str] = []
        self.stopped = threading.Event()

    @property
    def enough(self) -> bool:
        return bool(self.failed) or all(self.done[kind] >= goal for kind, goal in GOALS.items())

    def count(self, kind: str, answer: httpx.Response) -> None:
        if answer.is_success:
            self.done[kind] += 1
        else:
            self.failed.append(f"{kind}: {answer.status_code} {answer.text[:200]}")

    def repeat(self, act: Callable[[], None]) -> None:
        """Act again and again until the tally is stopped."""
        try:
            while not self.stopped.wait(PACE_S):
                act()
        except Exception as wrong:  # whatever it is, it fails the test and not a thread
            self.failed.append(repr(wrong))


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    folder = tmp_path_factory.mktemp("deployed")
    require_program("caddy")
    with postgresql() as admin:
        deployed = Deployed(folder, make_database(admin))
        try:
            for service in (*WEB, "worker"):
                deployed.begin(service)
            deployed.begin_proxy()
            with browser(deployed, 1) as web:
                until(lambda: deployed.passes_on(web))
            yield deployed
        finally:
            for process in deployed.processes.values():
                process.send_signal(signal.SIGINT)  # which nobody drains after
            for process in deployed.processes.values():
                process.wait(TIMEOUT_S)


def make_database(admin: str) -> str:
    """Make user and database as the container of PostgreSQL does, with a password; return the host with its port."""
    with psycopg.connect(admin, autocommit=True) as connection:
        password = psycopg.sql.Literal(GIVEN["DATABASE_PASSWORD"])
        connection.execute(psycopg.sql.SQL("CREATE ROLE smallchange LOGIN PASSWORD {}").format(password))
        connection.execute("CREATE DATABASE smallchange OWNER smallchange")
        (file,) = connection.execute("SHOW hba_file").fetchone() or ("",)
        rules = Path(file).read_text(encoding="utf-8")
        Path(file).write_text(f"host all smallchange 127.0.0.1/32 scram-sha-256\n{rules}", encoding="utf-8")
        connection.execute("SELECT pg_reload_conf()")
        return f"127.0.0.1:{connection.info.port}"


def test_a_rolling_restart_fails_no_page_no_move_and_no_new_table(deployed: Deployed) -> None:
    tally = Tally()
    with acts(deployed, tally) as doing, ThreadPoolExecutor(len(doing)) as pool:
        for act in doing:
            pool.submit(tally.repeat, act)
        try:
            until(lambda: tally.failed or set(tally.done) == set(GOALS))
            for service in WEB:
                deployed.restart(service)
            until(lambda: tally.enough)
        finally:
            tally.stopped.set()
    assert tally.failed == [], "".join(map(deployed.read_log, (*WEB, "proxy")))
    assert all(tally.done[kind] >= goal for kind, goal in GOALS.items())


def test_the_worker_plays_all_roles(deployed: Deployed) -> None:
    line = shlex.join(COMPOSE["services"]["worker"]["healthcheck"]["test"][1:])
    until(lambda: deployed.run("worker", line).returncode == 0)
    with httpx.Client() as web:
        health = web.get(f"http://localhost:{deployed.ports['first']}/healthz?all", timeout=TIMEOUT_S)
    assert (health.status_code, health.json()) == (200, {"well": True})


def test_a_backup_is_made_as_the_service_makes_it(deployed: Deployed) -> None:
    line = COMPOSE["services"]["backup"]["command"][0].replace("$$", "$")
    once = (
        line.removeprefix("while true; do until ").partition(";")[0].replace("/backups", str(deployed.folder))
    )
    done = deployed.run("backup", once)
    assert done.returncode == 0, done.stderr
    assert list(deployed.folder.glob("*.dump"))


def test_health_and_metrics_are_for_the_inside(deployed: Deployed) -> None:
    with browser(deployed, 9) as web:
        assert [web.get(path).status_code for path in ("/healthz", "/metrics", "/about")] == [404, 404, 200]


@contextlib.contextmanager
def acts(deployed: Deployed, tally: Tally) -> Iterator[list[Callable[[], None]]]:
    """Yield what browsers do, each from an address of its own: read pages, play, open tables, and watch one."""
    with contextlib.ExitStack() as stack:
        reader, opener, *players = [stack.enter_context(browser(deployed, n)) for n in range(1, 5)]
        watched = open_table(opener).json()["match"]

        def open_one() -> None:
            tally.count("table", open_table(opener))
            tally.stopped.wait(10 * PACE_S)

        yield [
            lambda: tally.count("page", reader.get("/")),
            open_one,
            *(Play(player, tally).move for player in players),
            lambda: watch(deployed, watched, tally),
        ]


class Play:
    """Somebody who plays against themselves, one game after the other."""

    def __init__(self, web: httpx.Client, tally: Tally) -> None:
        self._web, self._tally = web, tally
        self._table: dict[str, Any] = {"legal": []}

    def move(self) -> None:
        if not self._table["legal"]:
            made = open_table(self._web).json()
            self._table = made["table"]
            self._web.headers.setdefault("Authorization", f"Bearer {made['token']}")  # which is told once
        body = {"ply": self._table["ply"], "move": fresh(), "token": self._table["legal"][0]}
        answer = self._web.post(f"/api/matches/{self._table['match']}/act", json=body)
        self._tally.count("move", answer)
        self._table = answer.json()["table"] if answer.status_code == 200 else {"legal": []}


def watch(deployed: Deployed, match: str, tally: Tally) -> None:
    """Watch a table by the socket until a server that stops ends it."""
    context = ssl._create_unverified_context()
    with (
        contextlib.suppress(ConnectionClosed),
        connect(
            f"{deployed.url.replace('https', 'wss')}/ws", ssl=context, origin=Origin(deployed.url)
        ) as socket,
    ):
        socket.send(json.dumps({"is": "watch", "match": match}))
        assert json.loads(socket.recv(TIMEOUT_S))
        tally.done["socket"] += 1
        while not tally.stopped.is_set():
            with contextlib.suppress(TimeoutError):
                socket.recv(1)


def browser(deployed: Deployed, number: int) -> httpx.Client:
    """Return a client at an address of its own, which takes the certificate that Caddy made."""
    transport = httpx.HTTPTransport(verify=False, local_address=f"127.0.0.{number}")
    return httpx.Client(base_url=deployed.url, transport=transport, timeout=TIMEOUT_S)


def open_table(web: httpx.Client) -> httpx.Response:
    """Return the answer to a new table at which one plays all sides."""
    return web.post("/api/matches", json={"game": PAIR, "seats": dict.fromkeys(Game(PAIR).seats, "me")})


def interpolate(value: object) -> str:
    """Return a value of the compose file with the variables that its user gives."""
    return re.sub(r"\$\{(\w+)(?::[?-][^}]*)?\}", lambda found: GIVEN.get(found[1], ""), str(value))


def _ours() -> str:
    return str(Path(sysconfig.get_path("scripts")) / "smallchange")


@pytest.mark.parametrize(
    "unit", sorted(one.name for one in (DEPLOY / "systemd").iterdir() if one.suffix != ".env")
)
def test_systemd_accepts_the_units(unit: str, tmp_path: Path) -> None:
    """Started they are nowhere: there is no systemd where tests run. Its own check reads them."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not installed")
    for one in (DEPLOY / "systemd").glob("small-change*.*"):
        text = one.read_text(encoding="utf-8").replace("/opt/small-change/bin/smallchange", "/bin/true")
        (tmp_path / one.name.replace("@.", "@8765.")).write_text(text, encoding="utf-8")
    verify = [program, "verify", "--man=no", str(tmp_path / unit.replace("@.", "@8765."))]
    done = subprocess.run(verify, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
