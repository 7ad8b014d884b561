"""Let the process, a lock, the disk or a line stand still, and print what clocks, results and ratings became.

The table says at which pace, for how long, and what the player on turn did.

    python bench/outages.py [--real]

Each match is rated. Its player has thought for four seconds when the outage begins, acts two seconds into it, and three
seconds later where nothing but the time could be lost. Time is injected; `--real` stops a process by a signal and locks
a file besides.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import logging
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import event, select

sys.path.insert(0, str(Path(__file__).parents[1]))

from smallchange.core.game import Game
from smallchange.server.accounts.rows import create_account
from smallchange.server.database import opening, schema
from smallchange.server.ratings.service import RatingWorker
from smallchange.server.table.model.commands import Command, Join, NewTable, Offer, PlayMove, Resign
from smallchange.server.web.errors import Refused
from smallchange.server.web.sessions import Account
from tests.server.clock_site import Site, full_disk, no_line, site, sqlite
from tests.server.locked_database import lock_database, outlast
from tests.server.serving import fresh
from tests.server.tables import PAIR, greedy

STOOD = ("process", "lock", "disk", "network", "one of two")
SECONDS, CONTROLS = (4, 45, 80), ("1+0", "5+3", "1d+3d")
DEEDS = ("nothing", "move", "offer", "resign", "move elsewhere")
THOUGHT_S, INTO_S, AFTER_S = 4, 2, 3
TURNS = 6  # before it, so that the match counts
NUMBERS = itertools.count()
Row = tuple[str, int, str, str]


class Case:
    """A rated match, whose player on turn does something while something stands still."""

    def __init__(self, control: str, deed: str) -> None:
        self.control, self.deed, self.command = control, deed, None

    command: Command | None

    async def begin(self, here: Site) -> None:
        """Open the match, play its first turns, and choose what its player does."""
        self.holders = []
        for _ in range(2):
            n = next(NUMBERS)
            made = Account(f"account-{n}", f"Name {n}", f"{n:064}", 0, "person", "open", "{}")
            await here.store.write("", lambda c: create_account(c, made, []))  # noqa: B023
            self.holders.append(made.holder)
        order = NewTable(PAIR, seats={Game(PAIR).seats[0]: "me"}, time=self.control, rated=True)
        self.id = await here.tables.openings.create(self.holders[0], order)
        code = (await here.tables.live.table(self.id)).history.head.code
        await here.tables.join(self.holders[1], code, Join())
        for _ in range(TURNS):
            await here.tables.submit(*await self._move(here))
        history = (await here.tables.live.table(self.id)).history
        self.holder, move = await self._move(here)
        said = history.ply, fresh()
        deeds = {"offer": Offer(self.id, *said, "draw"), "resign": Resign(self.id, *said), "nothing": None}
        self.command = deeds.get(self.deed, move)

    async def _move(self, here: Site) -> tuple[str, PlayMove]:
        """Return the player on turn and a move."""
        history = (await here.tables.live.current(self.id, self.holders[0])).history
        move = PlayMove(self.id, history.ply, fresh(), greedy(history.match.position))
        return self.holders[history.turn], move

    async def act(self, side: Site) -> None:
        """Do what the player does, twice, as a client does that has no answer."""
        for _ in range(2 if self.command else 0):
            with suppress(Refused):
                await side.tables.submit(self.holder, self.command)  # type: ignore[arg-type]

    async def note(self, here: Site) -> int:
        """Return how much time the player on turn has left, in seconds."""
        clock = (await here.stored_history(self.id)).clock
        return clock.remaining(here.time)[0] // 1000 if clock else 0

    async def come_to(self, here: Site) -> str:
        """Return what became of clock, result and ratings."""
        history = await here.stored_history(self.id)
        if not history.ending and history.turn == 0:  # who has not moved yet does so now
            await here.tables.submit(*await self._move(here))
            history = await here.stored_history(self.id)
        while await RatingWorker(here.tables, "rater").sweep():
            pass
        change = schema.rating_change.c
        asked = select(change.gain).where(change.match_id == self.id).order_by(change.seat)
        gains = [f"{gain:+.0f}" for gain in await here.store.read(lambda c: c.execute(asked).scalars().all())]
        assert history.clock
        left = spoken(history.clock.banks_ms[0] // 1000)
        how = (
            f"{history.ending.how}, ratings {' '.join(gains) or 'as before'}" if history.ending else "goes on"
        )
        return how if history.ending else f"{left}, {how}"


async def pass_s(seconds: int, *sides: Site, looking: tuple[Site, ...]) -> None:
    """Let time pass, with a look each second at those processes that run."""
    for _ in range(seconds):
        for side in sides:
            side.time += 1000
        for side in looking:
            with suppress(Refused):
                await side.worker.sweep()


async def stand(folder: Path, what: str, seconds: int) -> dict[Row, str]:
    """Let something stand still beside all matches at once; return what became of each."""
    url = sqlite(folder)
    async with site(url) as one:
        event.listen(one.store._engine, "connect", lambda line, _: line.execute("PRAGMA synchronous=OFF"))
        both = one, Site(one.store, "two")
        cases = [Case(control, deed) for control in CONTROLS for deed in DEEDS]
        for case in cases:
            await case.begin(one)
            await both[1].tables.live.as_stored(case.id)
        await pass_s(THOUGHT_S, *both, looking=both)
        before = [spoken(await case.note(one)) for case in cases]
        standing: dict[str, Any] = {
            "lock": lock_database(url),
            "disk": full_disk(url),
            "network": no_line(one.store._engine),
        }
        running = {"process": (), "one of two": both[:1]}.get(what, both)
        with standing.get(what, nullcontext()):
            await pass_s(min(INTO_S, seconds), *both, looking=running)
            for case in cases:
                if running == both or (running and case.deed == "move elsewhere"):
                    await case.act(one)
            await pass_s(seconds - INTO_S, *both, looking=running)
        for case in cases:
            elsewhere = (case.deed == "move elsewhere") == (what != "one of two")
            await case.act(both[elsewhere])
        await pass_s(AFTER_S, *both, looking=both)
        came = [await case.come_to(one) for case in cases]
    outcomes = zip(cases, before, came, strict=True)
    return {(what, seconds, case.control, case.deed): f"{left} | {after}" for case, left, after in outcomes}


def spoken(seconds: int) -> str:
    """Return a time as a clock says it.

    >>> spoken(54), spoken(86_461)
    ('0:54', '1 d 0:01:01')
    """
    days, rest = divmod(seconds, 86_400)
    hours, minutes = divmod(rest // 60, 60)
    return f"{days} d {hours}:{minutes:02}:{rest % 60:02}" if days else f"{minutes}:{rest % 60:02}"


def merge_rows(found: dict[Row, str]) -> Iterator[str]:
    """Yield the rows of the table: what came to the same is one row."""
    rows = dict[tuple[int, str, str], list[tuple[str, str]]]()
    for (what, seconds, control, deed), came in found.items():
        rows.setdefault((seconds, control, came), []).append((what, deed))
    for (seconds, control, came), cases in rows.items():
        whats = [what for what in STOOD if any(what == one for one, _ in cases)]
        for deeds, group in itertools.groupby(
            whats,
            lambda what: [deed for deed in DEEDS if (what, deed) in cases],  # noqa: B023
        ):
            yield f"| {', '.join(group)} | {seconds} s | {control} | {', '.join(deeds)} | {came} |"


def main() -> None:
    """Try all combinations, and print what came of them."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--real", action="store_true")
    given = asked.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    opening.CONNECT_TIMEOUT_S = 0.01  # type: ignore[assignment]
    found = dict[Row, str]()
    print(
        "| stood still | for | game | the player | left before | after |\n| --- | --- | --- | --- | --- | --- |"
    )
    for what, seconds in itertools.product(STOOD, SECONDS):
        with tempfile.TemporaryDirectory() as folder:
            found |= asyncio.run(stand(Path(folder), what, seconds))
    print(*merge_rows(found), sep="\n")
    for what in ("process", "lock") if given.real else ():
        with tempfile.TemporaryDirectory() as folder:
            before, after, took = outlast(sqlite(Path(folder)), what, 45)
            print(
                f"a real {what}, 45 s, 1+0, move: {before} ms left before, {after} after; sent within {took} ms"
            )


if __name__ == "__main__":
    main()
