"""Tables in lists: the lobby, and one's own, whose running games come first."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from smallchange.game import Game, games
from smallchange.text import Text, plain

from .company import NOTHING, sitters
from .pages import phrases as p
from .pages.ending import won
from .pages.seats import titled, who
from .rooms import Rooms
from .standing import ending
from .store import PAGE
from .story import PERSON, Story, now
from .view import Listed, Lobby, Sitter, Standing

FRESH = 600_000  # milliseconds for which a new table is listed though nobody is there
WAITS = Text("Waiting for a player", "相手を待っています")


async def lobby(rooms: Rooms, holder: str) -> Lobby:
    """What the first page lists."""
    waiting, owned = await asyncio.gather(opened(rooms, holder), rooms.store.owned(holder, over=False))
    running = [story for story in await _stories(rooms, owned) if not story.ended]
    return Lobby(tuple(games()), waiting, tuple(_line(story, holder) for story in running))


async def opened(rooms: Rooms, holder: str) -> tuple[Listed, ...]:
    """The tables of others that anybody may sit down at."""
    fresh = await rooms.store.waiting(now() - FRESH)
    # who opened a table is there, or gone for no longer than it takes to come back
    there = rooms.attended
    waiting = [story for story in await _stories(rooms, {*there, *fresh}) if story.waiting]
    waiting = [story for story in waiting if not story.held(holder)]
    waiting.sort(key=lambda story: (story.head.id not in there, -story.head.created, story.head.id))
    return tuple(_line(story, holder) for story in waiting[:PAGE])


async def mine(rooms: Rooms, holder: str, page: int = 1) -> tuple[list[Listed], bool]:
    """One's games, PAGE of them, those that go on first, then the newest; and are there more?"""
    ids = await rooms.store.owned(holder, page)
    played = await rooms.all_current(ids[:PAGE])
    found = [_line(played[id].story, holder) if id in played else await _kept(rooms, id) for id in ids[:PAGE]]
    return [line for line in found if line], len(ids) > PAGE


async def _kept(rooms: Rooms, id: str) -> Listed | None:
    """A table whose rules this server no longer plays, if there is a record of it."""
    found = await rooms.store.kept(id)
    if found is None:
        return None
    title = Game(found.game).words.TITLE if found.game in games() else plain(found.game)
    return Listed(id, found.game, title, {}, (), NOTHING, p.KEPT, True, False, found.created, False)


async def _stories(rooms: Rooms, ids: Collection[str]) -> list[Story]:
    """The tables of these ids as they stand, but for those whose rules this server no longer plays."""
    return [room.story for room in (await rooms.all_current(ids)).values()]


def _line(story: Story, holder: str) -> Listed:
    held = story.held(holder)
    seats = sitters(story, held, ())
    if story.ended:
        state = _told(ending(story.match, story.ended), held)
    elif story.waiting:
        state = WAITS
    elif story.turn in held:
        state = p.YOUR_TURN
    else:
        state = p.THEIR_TURN.fill(who=titled(seats[story.turn]))
    return Listed(
        story.head.id,
        story.head.game.id,
        story.head.game.words.TITLE,
        story.head.game.chosen,
        seats,
        _against(seats, held),
        state,
        story.ended is not None,
        story.turn in held,
        story.events[-1].at if story.events else story.head.created,
        story.head.parent is not None,
        story.head.code if story.head.open and story.waiting else None,
    )


def _told(end: Standing, held: tuple[int, ...]) -> Text:
    """How a match ended; first whether one won, where that is said."""
    mine = won(end, held)
    return mine + end.text if mine else end.text


def _against(seats: tuple[Sitter, ...], held: tuple[int, ...]) -> Text:
    """Whom one plays with, and on which side."""
    if len(seats) == 1 or not held:
        return NOTHING
    if len(held) > 1:
        return p.AT_ONE_SCREEN
    mine, other = seats[held[0]], seats[1 - held[0]]
    named = titled(other) if other.kind == PERSON and other.name else who(other)
    return p.AGAINST.fill(yours=mine.title, who=named)
