"""Bots take their turns, through the same door as people."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import structlog

from .bots import Bots
from .refused import Refused
from .room import Room
from .story import BOT
from .wire import Act, Deed

log = structlog.get_logger("turns")


def waits(room: Room) -> bool:
    """Is it the turn of a bot that is not thinking already?"""
    turn = room.story.turn
    return turn >= 0 and room.story.seats[turn].kind == BOT and not room.thinking


async def take(
    room: Room, bots: Bots, do: Callable[[str, Deed], Awaitable[int]], mint: Callable[[int], str]
) -> None:
    """Ask the bot whose turn it is, again and again until it is somebody else's. Who starts this says that
    the room is `thinking`."""
    try:
        while True:
            story, turn = room.story, room.story.turn
            if turn < 0 or story.seats[turn].kind != BOT:
                return
            ply = story.ply
            token = await bots.choose(story.seats[turn].bot, story.match.position)
            with contextlib.suppress(Refused):  # if it was refused, the table has moved on: look again
                await do(BOT, Act(story.head.id, ply, f"bot-{ply}-{mint(9)}", token))
            await asyncio.sleep(0)
    except Refused:
        pass
    except Exception:
        log.exception("a bot failed", match=room.story.head.id)
    finally:
        room.thinking = False
