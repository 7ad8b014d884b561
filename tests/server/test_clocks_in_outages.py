"""No player is charged with time in which no server was there, and none gains by it, whatever they do meanwhile."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from smallchange.core.game import Game
from smallchange.server.table.model.commands import Command, Offer, PlayMove, Resign
from smallchange.server.table.model.events import Extend, How, Step
from smallchange.server.web.errors import Refused

from .locked_database import lock_database
from .outside import TIMEOUT_S, Process, until
from .serving import fresh
from .tables import PAIR, greedy
from .test_clock_worker import ANN, Site, site, sqlite

engines = import_module("smallchange.server.database.opening")
CONTROLS = ("1+0", "1+2", "1d+3d")
DEEDS = ("nothing", "move", "offer", "resign", "elsewhere")
THOUGHT_S, INTO_S, AFTER_S = 4, 2, 3  # before the outage, of it when the player acts, and after it


@contextmanager
def no_line(engine: Engine) -> Iterator[None]:
    """Cut the line to the database."""

    def fail(_: Any) -> None:
        raise OperationalError("", None, OSError("the line is cut"))

    event.listen(engine, "begin", fail)
    yield
    event.remove(engine, "begin", fail)


@contextmanager
def full_disk(url: str) -> Iterator[None]:
    """Let nothing more be stored."""
    names = [
        (table, deed)
        for table in ("event", "server", "outage", "lease", "probe")
        for deed in ("INSERT", "UPDATE")
    ]
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as rows:
        for table, deed in names:
            no = "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
            rows.execute(f"CREATE TRIGGER full_{table}_{deed} BEFORE {deed} ON {table} {no}")
        yield
        for table, deed in names:
            rows.execute(f"DROP TRIGGER full_{table}_{deed}")


async def pass_s(seconds: int, *sides: Site, looking: tuple[Site, ...]) -> None:
    """Let time pass, with a look each second at those processes that run."""
    for _ in range(seconds):
        for side in sides:
            side.time += 1000
        for side in looking:
            with suppress(Refused):
                await side.worker.sweep()


@pytest.mark.parametrize("seconds", [6, 45, 80])
@pytest.mark.parametrize("what", ["process", "lock", "disk", "network", "one of two"])
def test_clocks_go_on_where_they_stood(
    what: str, seconds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "CONNECT_TIMEOUT_S", 0.01)
    url = sqlite(tmp_path)

    async def run() -> None:
        async with site(url) as one:
            two = Site(one.store, "two")
            matches = {(control, deed): await one.match(control) for control in CONTROLS for deed in DEEDS}
            commands = {key: await command_of(one, key[1], id) for key, id in matches.items()}
            both = (one, two)
            for id in matches.values():
                await two.tables.live.as_stored(id)
            await pass_s(THOUGHT_S, *both, looking=both)
            standing: Any = {
                "process": nullcontext(),
                "lock": lock_database(url),
                "disk": full_disk(url),
                "network": no_line(one.store._engine),
                "one of two": nullcontext(),
            }[what]
            running = {"process": (), "one of two": (one,)}.get(what, both)
            with standing:
                await pass_s(INTO_S, *both, looking=running)
                for (_, deed), command in commands.items():
                    if command and running == both:
                        with pytest.raises(Refused):
                            await send(one, command)
                    elif command and deed == "elsewhere" and what == "one of two":
                        await send(one, command)
                await pass_s(seconds - INTO_S, *both, looking=running)
            for (_, deed), command in commands.items():
                if command:
                    side = (
                        {"elsewhere": one}.get(deed, two)
                        if what == "one of two"
                        else two
                        if deed == "elsewhere"
                        else one
                    )
                    plies = []
                    for _ in range(2):
                        with suppress(Refused):
                            plies.append(await send(side, command))
                    assert len({*plies}) == bool(plies), "once"
            await pass_s(AFTER_S, *both, looking=both)
            for (control, deed), id in matches.items():
                history = await one.stored_history(id)
                if deed in ("nothing", "offer") and not history.ending:
                    await one.move(id)
                history = await one.stored_history(id)
                is_here = deed == "elsewhere" and what == "one of two"
                if control != "1d+3d" and seconds > 60 and not is_here:
                    assert history.ending
                    assert history.ending.how == How.ABORTED, (control, deed)
                    continue
                if deed == "resign":
                    assert history.ending
                    assert history.ending.how == How.RESIGNED
                    continue
                right = THOUGHT_S + {"nothing": AFTER_S, "offer": AFTER_S}.get(deed, INTO_S if is_here else 0)
                assert charged_ms(history) == 1000 * right, (control, deed)
                assert is_here or history.ending is None

    asyncio.run(run())


def test_what_the_database_does_not_answer_is_not_charged_though_no_outage_is_seen_yet(
    tmp_path: Path,
) -> None:
    """A move in the third second of a lock of six, as the simulated site found it."""

    async def run() -> None:
        async with site(sqlite(tmp_path)) as here:
            id = await here.match("5+3")
            await pass_s(THOUGHT_S, here, looking=(here,))
            here.tables.live.asked_at = here.time
            here.time += 3_000
            await here.move(id)
            assert charged_ms(await here.stored_history(id)) == 1000 * THOUGHT_S

    asyncio.run(run())


async def command_of(here: Site, deed: str, id: str) -> Command | None:
    """Return the command by which the player on turn does a deed."""
    history = (await here.tables.live.current(id, ANN)).history
    match deed:
        case "move" | "elsewhere":
            return PlayMove(id, history.ply, fresh(), greedy(history.match.position))
        case "offer":
            return Offer(id, history.ply, fresh(), "draw")
        case "resign":
            return Resign(id, history.ply, fresh())
    return None


async def send(here: Site, command: Command) -> int:
    return await here.tables.submit(ANN, command)


def charged_ms(history: Any) -> int:
    """Return what the third step was charged with."""
    steps = [event for event in history.events if isinstance(event, Step)]
    before, last = history.events.index(steps[1]) + 1, steps[2]
    given = sum(
        event.ms for event in history.events[before:] if isinstance(event, Extend) and event.at <= last.at
    )
    return int(last.at - steps[1].at - given - last.lag)


@pytest.mark.parametrize("what", ["process", "lock"])
def test_a_move_in_a_real_outage_is_charged_with_what_was_before_it(what: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    server = Process(database=url)
    with httpx.Client(base_url=f"{server.url}/api", timeout=TIMEOUT_S) as web:
        try:
            order = {"game": PAIR, "seats": {Game(PAIR).seats[0]: "me"}, "time": "1+0"}
            made = web.post("/matches", json=order).json()
            joined = web.post(f"/join/{made['table']['code']}", json={}).json()
            path = f"/matches/{made['match']}"

            def act(n: int) -> httpx.Request:
                token = (made, joined)[n % 2]["token"]
                headers = {"Authorization": f"Bearer {token}"}
                table = web.get(path, headers=headers).json()
                body = {"ply": table["ply"], "move": fresh(), "token": table["legal"][0]}
                return web.build_request("POST", f"{path}/act", json=body, headers=headers)

            for n in range(2):
                web.send(act(n)).raise_for_status()
            move, began = act(2), time.monotonic()
            with standstill(server) if what == "process" else lock_database(url):
                until(lambda: time.monotonic() - began > 8)
            web.send(move).raise_for_status()
            took_ms = 1000 * (time.monotonic() - began - 8)
            left = web.get(path).json()["clock"]["left"][Game(PAIR).seats[0]]
            assert left > 60_000 - 2_000 - took_ms
        finally:
            server.kill()


@contextmanager
def standstill(server: Process) -> Iterator[None]:
    """Let a process stand still."""
    server._process.send_signal(signal.SIGSTOP)
    yield
    server._process.send_signal(signal.SIGCONT)
