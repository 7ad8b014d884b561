"""Tables in lists: the lobby, and one's own."""

from __future__ import annotations

import asyncio
import time

from smallchange.game import games
from smallchange.text import Text

from .look import called, sitters
from .pages.phrases import YOUR_TURN
from .refused import Refused
from .room import Room
from .rooms import Rooms
from .standing import ending
from .story import BOT, Story
from .view import Listed, Lobby

FRESH = 600_000  # milliseconds for which a new table is listed though nobody is there
TURN = Text("{who}'s turn", "{who}の番")
WAITS = Text("Waiting for a player", "相手を待っています")


async def lobby(rooms: Rooms, holder: str) -> Lobby:
    """What the first page lists."""
    waiting, own = await asyncio.gather(_listed(rooms, None, holder), _listed(rooms, holder, holder))
    return Lobby(
        tuple(games()),
        tuple(table for table in waiting if not any(sitter.you for sitter in table.players)),
        tuple(table for table in own if not table.over),
    )


async def mine(rooms: Rooms, holder: str) -> list[Listed]:
    """One's running and finished games, newest first."""
    return await _listed(rooms, holder, holder)


async def _listed(rooms: Rooms, whose: str | None, holder: str) -> list[Listed]:
    found = []
    for id in await rooms.store.listed(whose):
        try:
            room = await rooms.current(id)
        except Refused:  # rules that this server no longer plays
            continue
        story = room.story
        if whose is not None or (story.waiting and _attended(room)):
            found.append(_line(story, holder))
    return found


def _attended(room: Room) -> bool:
    """Is who opened it there, or gone for no longer than it takes to come back?"""
    return bool(room.present) or time.time() * 1000 - room.story.head.created < FRESH


def _line(story: Story, holder: str) -> Listed:
    held = story.held(holder)
    if story.ended:
        state = ending(story.match, story.ended).text
    elif story.waiting:
        state = WAITS
    elif story.turn in held:
        state = YOUR_TURN
    else:
        state = TURN.fill(who=called(story, story.turn))
    here = tuple(i for i, seat in enumerate(story.seats) if seat.kind == BOT)
    return Listed(
        story.head.id,
        story.head.game.id,
        story.head.game.words.TITLE,
        sitters(story, held, here),
        state,
        story.ended is not None,
        story.turn in held,
        story.events[-1].at if story.events else story.head.created,
        story.head.code if story.head.open and story.waiting else None,
    )
