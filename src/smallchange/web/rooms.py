"""The authority. Every change of every table comes through here, in this order: check, commit, tell.

A room is a table in memory. Other processes may serve the same table: inserting an event is the lock, a
notice on the bus says that there is something new, and whoever missed a notice finds out at the next look.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence

import structlog

from . import deeds, tables, turns
from .bots import Bots
from .bus import Bus, Notice
from .refused import Refused
from .results import stage
from .room import Room
from .store import Sit, Store
from .story import SIT, Event, Story, now
from .tables import Order
from .tasks import Tasks, logged
from .wire import Deed

IDLE_ROOMS = 2000  # tables that stay in memory though nobody watches
SWEEP = 3.0  # seconds between looks for what the bus may have lost
log = structlog.get_logger("rooms")


class Rooms:
    """All tables. `holder` is the hash of the token of who asks; anything refused raises Refused."""

    def __init__(self, store: Store, bus: Bus, bots: Bots, mint: Callable[[int], str] | None = None) -> None:
        self.store = store
        self._bus = bus
        self._bots = bots
        self._mint = mint or tables.fresh
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._tasks = Tasks()

    async def open(self) -> None:
        await self._bus.open(self._noticed)
        self._tasks.begin(self._sweep())

    async def close(self) -> None:
        await self._tasks.close()
        await self._bus.close()
        self._bots.close()

    @property
    def attended(self) -> list[str]:
        """The tables open to anyone that wait with somebody there."""
        there = (room.story for room in self._rooms.values() if room.present)
        return [story.head.id for story in there if story.waiting and story.head.open]

    @property
    def watched(self) -> int:
        return sum(1 for room in self._rooms.values() if room.watchers)

    async def room(self, id: str) -> Room:
        """The table of this id."""
        room = self._rooms.get(id)
        if room is not None:
            self._rooms.move_to_end(id)
            return room
        if id not in self._loading:
            self._loading[id] = asyncio.ensure_future(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def current(self, id: str) -> Room:
        """The table of this id as it stands, whether or not we heard of it."""
        room = await self.room(id)
        await self._look_after(room, await self._newest([id]))
        return room

    async def all_current(self, ids: Collection[str]) -> dict[str, Room]:
        """The same of many at once, but for those whose rules this server no longer plays."""
        newest, found = await self._newest(ids), {}
        for id in ids:
            try:
                room = await self.room(id)
            except Refused as wrong:
                if wrong.code != "rules":
                    raise
                continue
            await self._look_after(room, newest)
            found[id] = room
        return found

    async def do(self, holder: str, deed: Deed) -> int:
        """Do what somebody at the table decided; the ply of its event. The same move id again has no more
        effect."""
        room = await self.room(deed.match)
        async with room.lock:
            story = room.story
            if deed.ply > story.ply:
                await self._catch_up(room)
            if deeds.same(story, holder, deed):
                return story.moves[deed.move]
            if deed.ply != story.ply:
                raise Refused("conflict")
            made = deeds.made(story, holder, deed, now())
            if not await self._commit(room, made):
                await self._catch_up(room)
                if deeds.same(story, holder, deed):
                    return story.moves[deed.move]
                raise Refused("conflict")
        self._wake_bot(room)
        return deed.ply

    async def create(self, holder: str, order: Order) -> str:
        """A new table as ordered; its id."""
        return await self._found(*tables.ordered(order, holder, self._mint, now()))

    async def join(self, holder: str, code: str, name: str = "", words: str = "") -> str:
        """Take a seat by a join link, or find the one that one has; the table's id. Refused if none is
        free."""
        id = await self.led(code)
        room = await self.current(id)
        async with room.lock:
            while not room.story.held(holder):
                if not room.story.waiting:
                    raise Refused(room.story.closed or "taken")
                if not await self._sit(room, Sit(*tables.sitting(room.story, holder, name, words))):
                    await self._catch_up(room)
        self._wake_bot(room)
        return id

    async def led(self, code: str) -> str:
        """The table that a join link leads to."""
        id = await self.store.by_code(code)
        if id is None:
            raise Refused("match")
        return id

    async def again(self, holder: str, id: str, same_deal: bool = False, words: str = "") -> str:
        """A rematch for all at the table, with words of one's own, or the same deal once more for oneself;
        its id."""
        room = await self.current(id)
        story = room.story
        if not story.ended:
            raise Refused("again")
        if same_deal:
            return await self.fork(holder, id, 0)
        if not story.held(holder):
            raise Refused("spectator")
        async with room.lock:
            if story.again is None:
                new, events = tables.rematch(story, holder, words, self._mint, now())
                room.note_again(await self._found(new, events, id))
                await self._bus.publish(Notice(id, story.ply))
        assert story.again is not None
        return story.again

    async def fork(self, holder: str, id: str, at: int) -> str:
        """A practice table that goes on after step `at`; its id."""
        room = await self.current(id)
        return await self._found(*tables.practice(room.story, holder, at, self._mint, now()))

    def watch(self, room: Room, poke: Callable[[], None], seats: Sequence[int]) -> None:
        """Call `poke` whenever there is something new at this table; `seats` are there from now on."""
        room.watch(poke, seats)
        self._present(room)
        self._wake_bot(room)

    def leave(self, room: Room, poke: Callable[[], None], seats: Sequence[int]) -> None:
        room.leave(poke, seats)
        self._present(room)
        self._forget_idle()

    async def _load(self, id: str) -> Room:
        story = await self.store.story(id)
        if story is None:
            raise Refused("match")
        if id in self._rooms:  # opened here while it was read
            return self._rooms[id]
        room = self._rooms[id] = Room(story)
        self._forget_idle()
        self._greet(room)
        return room

    async def _found(self, story: Story, events: list[Event], rematch_of: str | None = None) -> str:
        story.tell(events)
        found = await self.store.create(story.head, story.seats, events, stage(story), rematch_of)
        if found == story.head.id:  # or another process has opened the rematch
            log.info("table opened", match=found, game=story.head.game.id)
            if found not in self._rooms:  # else it was read by a list as soon as it was stored
                self._rooms[found] = Room(story)
                self._greet(self._rooms[found])
                self._forget_idle()
        return found

    def _greet(self, room: Room) -> None:
        """The bots at a table that has come into memory get ready, and move if it is their turn."""
        self._tasks.begin(turns.prepare(room, self._bots))
        self._wake_bot(room)

    async def _commit(self, room: Room, made: deeds.Made) -> bool:
        """Store the events of a deed, then tell; False if another process was faster."""
        story = room.story
        ended = stage(story.after(made.events, after=made.after)) if made.ends else None
        if not await self.store.append(story.head.id, story.ply, made.events, stage=ended):
            return False
        room.tell(made.events, after=made.after)
        await self._bus.publish(Notice(story.head.id, story.ply))
        return True

    async def _sit(self, room: Room, sit: Sit) -> bool:
        story = room.story
        seats = tuple(sit.seat if i == sit.number else seat for i, seat in enumerate(story.seats))
        _, chance = tables.begun(story.head, seats, now())
        events = [Event(SIT, sit.number, 0, None, now()), *chance]
        begun = stage(story.after(events, seats))
        if not await self.store.append(story.head.id, story.ply, events, sit=sit, stage=begun):
            return False
        room.expect(sit.number)
        room.tell(events, seats)
        await self._bus.publish(Notice(story.head.id, story.ply, room.seated_here))
        return True

    async def _catch_up(self, room: Room) -> None:
        """Read what other processes wrote. With the room's lock."""
        events, seats, again = await self.store.news(room.story)
        if events:
            room.tell(events, seats)
        if again is not None:
            room.note_again(again)

    async def _look_after(self, room: Room, newest: dict[str, tuple[int, str | None]]) -> None:
        """Catch up with what other processes wrote, and ask a bot that is due: its move may have failed, or
        its process may have died."""
        story = room.story
        ply, again = newest.get(story.head.id, (0, None))
        if ply > story.ply or again not in (None, story.again):
            async with room.lock:
                await self._catch_up(room)
        self._wake_bot(room)

    async def _newest(self, ids: Collection[str]) -> dict[str, tuple[int, str | None]]:
        """How these tables stand in the database, where they may be further on than we know."""
        asked = [id for id in ids if not self._bus.local or id in self.store.unsure]
        return await self.store.newest(asked) if asked else {}

    async def _noticed(self, notice: Notice) -> None:
        """Another process says where a table is, and who is there."""
        with logged(match=notice.match):
            room = self._rooms.get(notice.match)
            if room is None and notice.here and notice.ply == 0:
                room = await self.room(notice.match)  # nobody has stepped: it may be one for the lobby
            if room is None:
                return
            room.hear(notice)
            if notice.ply > room.story.ply or notice.here is None:  # else it says who is there alone
                async with room.lock:
                    await self._catch_up(room)

    async def _sweep(self) -> None:
        """Whatever the bus lost, watchers see it within seconds; a bot that could not move, or whose process
        died, is asked again."""
        while True:
            await asyncio.sleep(SWEEP)
            with logged():
                watched = {id: room for id, room in self._rooms.items() if room.watchers}
                newest = await self._newest(list(watched))
                for id, room in watched.items():
                    with logged(match=id):
                        self._present(room)
                        room.look_round()
                        await self._look_after(room, newest)

    def _present(self, room: Room) -> None:
        if not self._bus.local:
            self._tasks.begin(self._bus.publish(Notice(room.story.head.id, room.story.ply, room.seated_here)))

    def _wake_bot(self, room: Room) -> None:
        if turns.waits(room):
            room.thinking = True
            self._tasks.begin(turns.take(room, self._bots, self.do, self._mint))

    def _forget_idle(self) -> None:
        """Keep watched tables and the most recent others."""
        if len(self._rooms) <= IDLE_ROOMS:
            return
        idle = [id for id, room in self._rooms.items() if room.idle]
        for id in idle[: max(0, len(idle) - IDLE_ROOMS)]:
            del self._rooms[id]
