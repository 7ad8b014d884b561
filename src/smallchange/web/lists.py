"""Tables in lists: the lobby, and one's own."""

from __future__ import annotations

import asyncio

from smallchange.game import games
from smallchange.text import Text

from .look import called, sitters
from .pages.phrases import YOUR_TURN
from .refused import Refused
from .rooms import Rooms
from .standing import ending
from .story import BOT, Story
from .view import Listed, Lobby

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
            story = (await rooms.current(id)).story
        except Refused:  # rules that this server no longer plays
            continue
        if whose is not None or not story.started:
            found.append(_line(story, holder))
    return found


def _line(story: Story, holder: str) -> Listed:
    held = story.held(holder)
    if story.ended:
        state = ending(story.match, story.ended).text
    elif not story.started:
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
        story.head.code if story.head.open and not story.started else None,
    )
