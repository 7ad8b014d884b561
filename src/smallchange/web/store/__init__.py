"""What is kept: tables as rows in SQLite or PostgreSQL. Nothing is acknowledged before it is durable."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import structlog
from sqlalchemy import Connection, func, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from smallchange.errors import BadOption, UnknownGame
from smallchange.game import Game, kept
from smallchange.web.refused import Refused
from smallchange.web.story import Event, Head, Seat, Story

from . import schema
from .engine import cut, engine, lines, migrate, why
from .events import Row, event_rows, insert
from .late import in_time
from .rows import Kept, head_of, match_row, seat_row, seats_of, table_rows
from .schema import OVER, PLAYING, WAITING
from .writer import LAST, LATE, Job, Stopped, Unsure, Writer

__all__ = ["OVER", "PAGE", "PLAYING", "WAITING", "Kept", "Sit", "Stage", "Store"]
T = TypeVar("T")
PAGE = 50  # tables in a list
NUL = "\0"  # no text in PostgreSQL has it, and asking for one is an error there
log = structlog.get_logger("store")


class Sit(NamedTuple):
    """Somebody takes a seat, in the same transaction as the event that says so."""

    number: int
    seat: Seat


class Stage(NamedTuple):
    """How far a match is: WAITING, PLAYING or OVER; what it came to for each seat, None where nothing; and
    its record as text, once it is over."""

    status: str
    points: Sequence[int | None]
    record: str | None


class Store:
    """One database. Writing goes through the one writer; reading has its own threads."""

    def __init__(self, url: str) -> None:
        self._engine = engine(url)
        self._failed = (SQLAlchemyError, self._engine.dialect.loaded_dbapi.Error)
        self._lines = lines(self._engine)
        self.unsure: set[str] = set()  # tables of which nobody knows yet whether the last change is committed

    async def open(self) -> None:
        """Migrate, and start the writer. To be called in the running event loop."""
        await asyncio.to_thread(migrate, self._engine)
        self._readers = ThreadPoolExecutor(2, "reader")
        self.writer = Writer(self._engine)

    def hurry(self) -> None:
        """The server stops: whoever still waits for the database in a few seconds is refused."""
        asyncio.get_running_loop().call_later(LAST, self._give_up)

    def _give_up(self) -> None:
        self.writer.give_up()
        for line in list(self._lines):
            cut(line)

    async def close(self) -> None:
        await self.writer.close()
        self._give_up()
        self._readers.shutdown()
        self._engine.dispose()

    async def create(
        self,
        head: Head,
        seats: Sequence[Seat],
        events: Sequence[Event],
        stage: Stage,
        rematch_of: str | None = None,
    ) -> str:
        """A new table with its first events, whole or not at all; its id. Where the table it is a rematch of
        has one already, that one's id instead."""

        def job(connection: Connection) -> str:
            if rematch_of is not None:
                row = schema.match.c.id == rematch_of
                free = row & schema.match.c.again.is_(None)
                noted = connection.execute(update(schema.match).where(free).values(again=head.id))
                if noted.rowcount != 1:
                    return str(connection.execute(select(schema.match.c.again).where(row)).scalar_one())
            connection.execute(schema.match.insert(), match_row(head, stage.status, stage.record))
            rows = [seat_row(head.id, i, seat) for i, seat in enumerate(seats)]
            came = zip(rows, stage.points, strict=True)
            connection.execute(schema.seat.insert(), [row | {"points": points} for row, points in came])
            if events:
                insert(connection, event_rows(head.id, 0, events))
            return head.id

        made: str = await self._write(rematch_of or head.id, job)
        return made

    async def append(
        self,
        id: str,
        ply: int,
        events: Sequence[Event],
        sit: Sit | None = None,
        stage: Stage | None = None,
    ) -> bool:
        """Events number `ply` and following of a table, all or none, and the stage that they bring. False if
        somebody else wrote event `ply`."""

        def job(connection: Connection) -> bool:
            if sit is not None:
                at = (schema.seat.c.match_id == id) & (schema.seat.c.number == sit.number)
                connection.execute(update(schema.seat).where(at).values(seat_row(id, sit.number, sit.seat)))
            if stage is not None:
                row = schema.match.c.id == id
                brought = {"status": stage.status, "record": stage.record}
                connection.execute(update(schema.match).where(row).values(brought))
                for i, points in enumerate(stage.points):
                    at = (schema.seat.c.match_id == id) & (schema.seat.c.number == i)
                    connection.execute(update(schema.seat).where(at).values(points=points))
            return True

        done: bool = await self._write(id, job if sit or stage else None, event_rows(id, ply, events))
        return done

    async def story(self, id: str) -> Story | None:
        """A table as it stands, replayed from its rows; None if there is none. Refused if its rules have
        changed."""
        if NUL in id:
            return None
        rows = await self._read(lambda c: table_rows(c, id, 0))
        if rows is None:
            return None
        match, seats, events = rows
        try:
            game = kept(Game(match.game, json.loads(match.options)))
        except (UnknownGame, BadOption):
            raise Refused("rules", was=match.version) from None
        if game.version != match.version:
            raise Refused("rules", was=match.version)
        told = Story(head_of(match, game), seats_of(game, seats))
        told.again = match.again
        told.tell(events)
        return told

    async def news(self, story: Story) -> tuple[list[Event], tuple[Seat, ...], str | None]:
        """What others wrote of a table after what `story` was told: events, the seats now, the rematch."""
        rows = await self._read(lambda c: table_rows(c, story.head.id, story.ply))
        assert rows is not None
        match, seats, events = rows
        return events, seats_of(story.head.game, seats), match.again

    async def newest(self, ids: Sequence[str]) -> dict[str, tuple[int, str | None]]:
        """How many events each of these tables has, and its rematch."""
        match, event = schema.match.c, schema.event.c
        n = select(func.coalesce(func.max(event.ply) + 1, 0)).where(event.match_id == match.id)
        asked = select(match.id, n.scalar_subquery(), match.again).where(match.id.in_(ids))
        return await self._read(lambda c: {r[0]: (r[1], r[2]) for r in c.execute(asked)})

    async def by_code(self, code: str) -> str | None:
        """The table that a join link leads to."""
        if NUL in code:
            return None
        asked = select(schema.match.c.id).where(schema.match.c.code == code)
        return await self._read(lambda c: c.execute(asked).scalar())

    async def waiting(self, since: int) -> list[str]:
        """The newest tables that wait for somebody in the lobby, of those opened since then (in milliseconds
        since 1970)."""
        match = schema.match.c
        asked = select(match.id).where(match.status == WAITING, match.open.is_(True), match.created >= since)
        asked = asked.order_by(match.created.desc(), match.id).limit(PAGE)
        return await self._read(lambda c: list(c.execute(asked).scalars()))

    async def owned(self, holder: str, page: int = 1, over: bool = True) -> list[str]:
        """The tables of one holder, those that go on before the others (alone, where not `over`), the newest
        first: PAGE of them, and one more if there are more."""
        match, seat = schema.match.c, schema.seat.c
        asked = select(match.id).where(match.id.in_(select(seat.match_id).where(seat.holder == holder)))
        asked = asked if over else asked.where(match.status != OVER)
        asked = asked.order_by(match.status == OVER, match.created.desc(), match.id)
        asked = asked.limit(PAGE + 1).offset(PAGE * (page - 1))
        return await self._read(lambda c: list(c.execute(asked).scalars()))

    async def results(self, holder: str) -> list[tuple[str, str | None, int, int]]:
        """What the matches of one holder came to: the game, the bot on the other side ("" for a person, None
        where there is no other side), the points, and how many matches."""
        seat, other = schema.seat, schema.seat.alias()
        beside = (other.c.match_id == seat.c.match_id) & (other.c.number != seat.c.number)
        kind = (schema.match.c.game, other.c.bot, seat.c.points)
        asked = select(*kind, func.count()).select_from(schema.match).join(seat).outerjoin(other, beside)
        asked = asked.where(seat.c.holder == holder, seat.c.points.is_not(None)).group_by(*kind)
        return await self._read(lambda c: [(*row,) for row in c.execute(asked)])

    async def kept(self, id: str) -> Kept | None:
        """What is there of a match that has ended, whether or not its rules are."""
        match = schema.match.c
        asked = select(match.game, match.created, match.record).where(
            match.id == id, match.record.is_not(None)
        )
        row = await self._read(lambda c: c.execute(asked).first())
        return row and Kept(*row)

    async def name(self, holder: str) -> str:
        """The name that a holder used last; practice tables tell none, for others once had theirs there."""
        match, seat = schema.match.c, schema.seat.c
        asked = select(seat.name).join(schema.match, match.id == seat.match_id)
        asked = (
            asked.where(seat.holder == holder, seat.name != "", match.parent.is_(None))
            .order_by(match.created.desc())
            .limit(1)
        )
        return await self._read(lambda c: c.execute(asked).scalar()) or ""

    async def well(self) -> bool:
        """Does the database answer, and can something be stored?"""
        try:
            async with asyncio.timeout(LATE):
                if not self.writer.well:
                    await self._write("", _nothing)
                return await self._read(lambda c: c.execute(select(1)).scalar()) == 1
        except TimeoutError:
            log.error("the database does not answer")
            return False

    async def _write(self, key: str, job: Job | None, events: Sequence[Row] = ()) -> Any:
        """The result of a job, committed; Refused if it was not, and then nothing was done, or late."""
        try:
            result = await in_time(self.writer.submit(key, job, events))
        except Refused:  # too late
            self.unsure.add(key)
            raise
        except Stopped:
            raise Refused("closing") from None
        except Unsure as wrong:
            log.error("lost the database while it stored", why=str(wrong))
            self.unsure.add(key)
            raise Refused("late") from None
        except self._failed as wrong:
            log.error("could not store", why=why(wrong))
            raise Refused("busy") from None
        except Exception:
            log.exception("could not store")
            raise Refused("busy") from None
        self.unsure.discard(key)  # there is one writer, so whatever was late is over
        return result

    async def _read(self, ask: Callable[[Connection], T]) -> T:
        def asked() -> T:
            try:
                with self._engine.connect() as connection:
                    return ask(connection)
            except SQLAlchemyError as wrong:
                log.error("could not read", why=why(wrong))
                raise Refused("busy") from wrong

        return await in_time(asyncio.get_running_loop().run_in_executor(self._readers, asked))


def _nothing(connection: Connection) -> None:
    """A write that changes nothing."""
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
