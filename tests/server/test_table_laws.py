"""The law of a table: any sequence of commands, waiting, reconnecting and crashes does what a small model says.

Two processes serve the table from one SQLite file and hear no notices of each other, so each knows of the other's
events only what it reads. People send commands to either, in time and late, twice, and with what they may not do.
Processes begin anew, and die at any statement. The time is that of the test.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from smallchange.core import commitment, record
from smallchange.core.game import Game
from smallchange.server.accounts import rows as accounts
from smallchange.server.database import schema
from smallchange.server.database.bus import MemoryBus
from smallchange.server.ratings.service import RatingWorker
from smallchange.server.ratings.standings import replay
from smallchange.server.services import table_service
from smallchange.server.table.model import clock as model_clock
from smallchange.server.table.model import command_events, commands
from smallchange.server.table.model.clock import DAY_MS, MINUTE_MS, SECOND_MS
from smallchange.server.table.model.commands import Command, Join, NewTable, Rematch
from smallchange.server.table.model.events import Proposal
from smallchange.server.table.model.history import History
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import Account
from tests.support.repeatable_deals import RepeatableDeals

from .dying import Deaths
from .rated import all_standings, rated_matches
from .table_model import BOT, FREE, TableModel
from .tables import LUCKY_PAIR, PAIR

ANN, BO, EVE = PEOPLE = ("ann", "bo", "eve")
HOLDER = {who: f"{number:064}" for number, who in enumerate(PEOPLE)}
GAMES: dict[str, dict[str, bool | int | str]] = {PAIR: {"size": 3}, LUCKY_PAIR: {}}  # short ones
KINDS: dict[str, type[Any]] = {
    "act": commands.PlayMove,
    "undo": commands.Undo,
    "resign": commands.Resign,
    "offer": commands.Offer,
    "answer": commands.Answer,
    "abort": commands.Abort,
    "claim": commands.Claim,
}
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    *(("offer", {"what": what}) for what in ("draw", "draw", "undo", "undo", "undo", "rematch", "rematch")),
    *(("answer", {"yes": yes}) for yes in (True, True, True, True, False)),
    *(("claim", {"what": what}) for what in ("win", "draw")),
    ("undo", {}),
    ("undo", {}),
    ("resign", {}),
    ("abort", {}),
]
DEEDS = [
    *["play"] * 12,
    *["ask"] * 8,
    *["ask_for_a_rematch", "send_again", "send_again", "send_late", "send_late", "try_a_move"],
    *["wait", "wait", "wait_for_the_flag", "sweep", "lose_the_server"],
    *["look", "begin_anew", "change_windows", "change_windows"],
]
TURN, OTHER = "on turn", "the other"
GAPS = (0, 1, SECOND_MS, 4_999, 9 * SECOND_MS, 20 * SECOND_MS, MINUTE_MS, DAY_MS)
OUTAGES = (4_999, 20 * SECOND_MS, 50 * SECOND_MS, MINUTE_MS + 1, 61 * MINUTE_MS)
START_MS = 1_790_000_000_000


class SilentBus(MemoryBus):
    """A bus between processes that loses every notice."""

    local = False


class Site:
    """A database, and two processes that serve its tables."""

    def __init__(self, store: Store, run: Any) -> None:
        self.store, self._run, self.now, self.ids = store, run, START_MS, 0
        self.outages: list[tuple[int, int]] = []
        self.deaths = Deaths(store._engine)
        self.services = [self._service(), self._service()]

    def _service(self) -> Any:
        service = table_service(self.store, SilentBus(), now=lambda: self.now)
        service.live.outages = self.outages
        return service

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._run(work)

    def begin(self, process: int) -> None:
        """Let a process begin anew: it knows only what is stored."""
        self.services[process] = self._service()

    def fresh(self) -> str:
        self.ids += 1
        return f"command-{self.ids:06}"


class TableLaw(RuleBasedStateMachine):
    """A table at the site, beside its model."""

    def __init__(self, site: Site) -> None:
        super().__init__()
        self.site, site.now, site.deaths.countdown = site, START_MS, 0
        site.outages.clear()
        self.sent: list[tuple[str, Command]] = []  # what was accepted, and by whom
        self.rematch: str | None = None
        self.doomed = 0  # the statement at which the next command's process dies
        self.windows = [Counter[str](), Counter[str]()]  # open at each process, by person
        self.away = [dict[int, int](), dict[int, int]()]  # by process: the seats away, and since when

    # what is and what should be

    @initialize(
        game=st.sampled_from(sorted(GAMES)),
        sitters=st.sampled_from([(ANN, FREE), (ANN, FREE), (FREE, ANN), (ANN, ANN), (ANN, BOT)]),
        time=st.sampled_from(["", "1+2", "5+3", "1d+3d"]),
        rated=st.booleans(),
        waits=st.sampled_from([False, False, False, False, True]),
        begun=st.integers(0, 14),
    )
    def open(
        self, game: str, sitters: tuple[str, str], time: str, rated: bool, waits: bool, begun: int
    ) -> None:
        played = Game(game, GAMES[game])
        sits = {ANN: "me", FREE: "open", BOT: "bot:greedy"}
        seats = {player: sits[who] for player, who in zip(played.seats, sitters, strict=True)}
        self.rated = rated and FREE in sitters and bool(time) and not played.non_default_options
        order = NewTable(game, GAMES[game], seats, time=time, rated=self.rated)
        for process in (0, 1):
            self.begin(process)
        self.id = self.site.run(self.site.services[0].openings.create(HOLDER[ANN], order))
        self.model = TableModel(played, model_clock.read(time), sitters, self.site.now)
        self.let_chance_answer()
        if not waits:
            self.join(0)
        for n in range(begun):
            self.play(n % 2, ANN, n)

    @rule(
        deed=st.sampled_from(DEEDS),
        process=st.integers(0, 1),
        who=st.sampled_from([TURN, OTHER, TURN, OTHER, TURN, OTHER, EVE]),
        number=st.integers(0, 999),
        dies_at=st.sampled_from([0] * 12 + [1, 2, 3, 4, 5]),
    )
    def step(self, deed: str, process: int, who: str, number: int, dies_at: int) -> None:
        """Do something. Of several rules Hypothesis would leave half out of each run."""
        self.doomed = dies_at  # the next command's process dies at this statement, for 0 at none
        getattr(self, deed)(process, self.person(who), number)
        self.doomed = 0

    def person(self, role: str) -> str:
        """Return the person in a role."""
        if role == EVE:
            return EVE
        seat = max(self.model.turn, 0)
        who = self.model.sitters[seat if role == TURN else 1 - seat]
        return who if who in PEOPLE else ANN

    def load(self, id: str = "") -> History:
        """Return the table as a process that begins now would have it."""
        history: History = self.site.run(self.site.store.load(id or self.id))
        return history

    def stored_ply(self) -> int:
        """Return the number of stored events."""
        ply: int = self.site.run(self.site.store.newest_plies([self.id]))[self.id][0]
        return ply

    def let_chance_answer(self) -> None:
        """Take the steps of chance that the table has taken: the model knows no luck."""
        if self.model.is_started and not self.model.ending and self.model.position.actor == "chance":
            steps = self.load().match.steps
            while self.model.position.actor == "chance":
                self.model.step(steps[len(self.model.actors)].token)
        self.model.turn_clock(self.site.now)

    def begin(self, process: int) -> None:
        """Let a process begin anew; whoever had a window there has lost it."""
        self.site.begin(process)
        self.windows[process].clear()
        self.away[process].clear()

    # commands

    def send(self, process: int, who: str, command: Command) -> int | ErrorCode:
        """Send a command, and once more where its process dies."""
        deaths = self.site.deaths
        deaths.countdown, before, self.doomed = self.doomed, deaths.number, 0
        try:
            return int(self.site.run(self.site.services[process].submit(HOLDER[who], command)))
        except Refused as refused:
            if refused.code == ErrorCode.ILLEGAL:
                shown = self.model.position.legal()[: command_events.MAX_LEGAL_SHOWN]
                assert refused.data["legal"] == shown  # noqa: PT017 - others are returned
            if deaths.number == before:
                return refused.code
        finally:
            deaths.countdown = 0
        self.begin(process)
        return self.send(process, who, command)

    def command(self, process: int, who: str, kind: str, **fields: Any) -> None:
        """Send a command in time, and compare what becomes of it."""
        model, now, ply = self.model, self.site.now, self.stored_ply()
        if self.rematch:  # who sees the end sees whether there is a rematch
            self.site.run(self.site.services[process].live.current(self.id, HOLDER[who]))
        command = KINDS[kind](self.id, ply, self.site.fresh(), **fields)
        if model.opens_rematch(who, kind, **fields):
            assert self.send(process, who, command) == ply
            self.find_rematch()
        elif model.sweep(now):
            assert self.send(process, who, command) == ErrorCode.CONFLICT
        else:
            refusal = model.refusal(who, kind, now, self.away[process], **fields)
            assert self.send(process, who, command) == (refusal or ply)
            if refusal is None:
                self.model.do(who, kind, now, **fields)
                self.let_chance_answer()
                self.sent.append((who, command))

    def join(self, process: int) -> None:
        """Let Bo take the free seat: twice for him, and nobody else after him."""
        if self.model.is_started:
            return
        code, seat = self.load().head.code, self.model.sitters.index(FREE)
        for _ in range(2):
            self.site.run(self.site.services[process].join(HOLDER[BO], code, Join("Bo")))
        with pytest.raises(Refused) as refused:
            self.site.run(self.site.services[1 - process].join(HOLDER[EVE], code, Join("Eve")))
        assert refused.value.code == ErrorCode.SEAT_TAKEN
        self.begin(process)  # which waits for the window of who has sat down
        self.model.sitters[seat], self.model.acted_at[seat] = BO, self.site.now
        self.let_chance_answer()

    def play(self, process: int, who: str, number: int) -> None:
        """Make a legal move for whoever is on turn."""
        if self.model.turn >= 0 and self.model.sitters[self.model.turn] != BOT:
            legal = self.model.position.legal()
            self.command(
                process, self.model.sitters[self.model.turn], "act", token=legal[number % len(legal)]
            )

    def try_a_move(self, process: int, who: str, number: int) -> None:
        """Try any move of the game, or one that it has not."""
        tokens = [*self.model.position.game.actions, "nonsense"]
        self.command(process, who, "act", token=tokens[number % len(tokens)])

    def ask(self, process: int, who: str, number: int) -> None:
        """Send any other command."""
        kind, fields = REQUESTS[number % len(REQUESTS)]
        if kind == "claim":
            self.doomed = 0  # a process that begins anew has seen nobody leave
        self.command(process, who, kind, **fields)

    def ask_for_a_rematch(self, process: int, who: str, number: int) -> None:
        """Ask by the button of the page, which accepts where the other has asked."""
        model = self.model
        try:
            given = self.site.run(self.site.services[process].rematch(HOLDER[who], self.id, Rematch()))
        except Refused as refused:
            given = refused.code
        is_own = model.offer is not None and model.offer[1] in model.seats_of(who)
        if not model.ending or not model.seats_of(who):
            assert given == (ErrorCode.SPECTATOR if model.ending else ErrorCode.NO_REMATCH)
        elif self.rematch or model.opens_rematch(who, "offer", what="rematch"):
            self.find_rematch()
            assert given == self.rematch
        else:
            refusal = None if is_own else model.refusal(who, "offer", self.site.now, {}, what="rematch")
            assert given == (refusal or self.id)
            if not refusal and not is_own:
                model.do(who, "offer", self.site.now, what="rematch")

    def find_rematch(self) -> None:
        """There is one, and only one, with the seats swapped."""
        found = self.load().rematch
        assert found
        assert self.rematch in (None, found), "a second rematch"
        self.rematch, self.model.has_rematch = found, True
        table, new = self.load(), self.load(found)
        assert [seat.holder for seat in new.seats] == [seat.holder for seat in reversed(table.seats)]
        assert (new.head.control, new.head.rated) == (table.head.control, table.head.rated)
        query = select(schema.match.c.id).where(schema.match.c.parent == self.id)
        assert self.site.run(self.site.store.read(lambda c: list(c.execute(query).scalars()))) == []

    # what goes wrong

    def send_again(self, process: int, who: str, number: int) -> None:
        """A command that is sent again has no further effect, and its id serves nobody else."""
        if not self.sent:
            return
        sender, command = self.sent[-1 - number % len(self.sent)]
        assert self.send(process, sender, command) == command.ply
        if not isinstance(command, commands.Resign):
            other = commands.Resign(command.match, command.ply, command.command_id)
            assert self.send(process, sender, other) == ErrorCode.COMMAND_ID_USED
        if who != sender:
            assert self.send(process, who, command) == ErrorCode.COMMAND_ID_USED

    def send_late(self, process: int, who: str, number: int) -> None:
        """A command for the table as a process knows it does nothing, where another has taken it further."""
        known = self.site.run(self.site.services[process].live.table(self.id)).history
        self.doomed = 0
        self.play(1 - process, who, number)
        stored, late = self.load(), commands.Resign(self.id, known.ply, self.site.fresh())
        if not command_events.is_current(stored, late):
            due = known.clock and not known.ending and command_events.deadline(known.clock)
            if due and (self.model.ends_at or 0) > due:
                self.site.now = max(self.site.now, due)  # to the process, somebody is out of time
            assert isinstance(self.send(process, who, late), ErrorCode)
            assert self.load().events == stored.events

    def begin_anew(self, process: int, who: str, number: int) -> None:
        """Let a process end, and another begin."""
        self.begin(process)

    def wait(self, process: int, who: str, number: int) -> None:
        """Let time pass."""
        self.site.now += GAPS[number % len(GAPS)]

    def wait_for_the_flag(self, process: int, who: str, number: int) -> None:
        """Wait until shortly before a clock runs out."""
        if self.model.ends_at is not None:
            self.site.now = max(self.site.now, self.model.ends_at - (1_001, 1_000, 1, 0)[number % 4])

    def sweep(self, process: int, who: str, number: int) -> None:
        """Let the clock worker look at the table, on whatever process."""
        is_due, tables = self.model.sweep(self.site.now), self.site.services[process]
        assert self.site.run(tables.enforce_time(self.id)) == is_due
        assert not self.site.run(tables.enforce_time(self.id)), "twice"

    def lose_the_server(self, process: int, who: str, number: int) -> None:
        """Nobody reaches the server for a while, as two processes find that begin after it."""
        if self.model.sweep(self.site.now):
            assert self.site.run(self.site.services[process].enforce_time(self.id))
        since = self.site.now
        self.site.now += OUTAGES[number % len(OUTAGES)]
        if self.site.now - since >= command_events.MIN_OUTAGE_MS:
            self.site.outages.append((since, self.site.now))
        self.model.lose_server(since, self.site.now)
        for i in (process, 1 - process):
            self.begin(i)
            self.site.run(self.site.services[i].put_on(self.id))

    def change_windows(self, process: int, who: str, number: int) -> None:
        """Open a window at a process, or close one."""
        windows, live, opens = self.windows[process], self.site.services[process].live, number % 2 == 0

        async def change() -> None:
            table = await live.current(self.id, HOLDER[who])
            (live.watch if opens else live.leave)(table, print, self.model.seats_of(who))

        if not opens and not windows[who]:
            return
        self.site.run(change())
        windows[who] += 1 if opens else -1
        for seat, sitter in enumerate(self.model.sitters):
            if windows[sitter]:
                self.away[process].pop(seat, None)
            else:
                self.away[process].setdefault(seat, self.site.now)

    # the law

    def look(self, process: int, who: str = "", number: int = 0) -> None:
        """A process that reads the table knows what is stored."""
        known = self.site.run(self.site.services[process].live.as_stored(self.id)).history
        stored = self.load()
        assert known.events == stored.events
        for what in ("match", "seats", "offer", "ending", "clock"):
            assert getattr(known, what) == getattr(stored, what)

    @invariant()
    def the_database_agrees_with_the_model(self) -> None:
        self.agrees(self.load())

    def agrees(self, history: History) -> None:
        model = self.model
        assert history.match.position == model.position
        assert history.turn == model.turn
        assert (history.ending and (history.ending.how, history.ending.seat)) == model.ending
        offered = history.offer and (history.offer.what, history.offer.seat)
        assert offered == (model.offer and (Proposal[model.offer[0].upper()], model.offer[1]))
        clock = history.clock
        if clock and model.clock:
            assert [*clock.banks_ms] == model.clock.banks
            assert (clock.running, clock.deadline) == (model.clock.running, model.clock.flag_at)
        ids = [event.command_id for event in history.events if event.command_id]
        assert len(ids) == len({*ids}), "done twice"
        assert {command.command_id for _, command in self.sent} <= {*ids}, "acknowledged, and lost"
        assert self.rows() == (model.points, model.ends_at)

    def rows(self) -> Any:
        """Return the points and the deadline that are stored."""
        seat, due = schema.seat.c, schema.deadlines.c
        points = select(seat.points).where(seat.match_id == self.id).order_by(seat.number)
        at = select(due.at).where(due.match_id == self.id)
        return self.site.run(
            self.site.store.read(lambda c: (tuple(c.execute(points).scalars()), c.execute(at).scalar()))
        )

    def teardown(self) -> None:
        """Check the record, and that the ratings are those computed again from all matches."""
        self.look(0)
        self.look(1)
        history = self.load()
        if history.ending and history.started:
            match = record.read(record.write(history.record))
            assert [step.token for step in match.steps] == [step.token for step in history.match.steps]
            if history.match.game.sources:
                record.verify(record.write(history.record))
        if self.rated:
            self.site.run(RatingWorker(self.site.services[0], "one").sweep())
            rated = self.site.run(self.site.store.read(rated_matches))
            assert replay(rated) == self.site.run(self.site.store.read(all_standings))


def test_a_table_does_what_the_model_says_whatever_people_clocks_and_crashes_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with asyncio.Runner() as runner:
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
        runner.run(store.open())
        site = Site(store, runner.run)
        for who in PEOPLE:
            made = Account(who, who.title(), HOLDER[who], 0, "person", "open", "{}")
            runner.run(store.write("", lambda c: accounts.create_account(c, made, [])))  # noqa: B023
        chosen = settings(
            max_examples=40,
            stateful_step_count=30,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )

        def begin() -> TableLaw:
            monkeypatch.setattr(commitment, "secrets", RepeatableDeals(lambda: "the law of a table"))
            return TableLaw(site)

        run_state_machine_as_test(begin, settings=chosen)  # type: ignore[arg-type]
        runner.run(store.close())
