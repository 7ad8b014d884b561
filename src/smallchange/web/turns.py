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


def of_bot(room: Room) -> bool:
    """Is it the turn of a bot?"""
    turn = room.story.turn
    return turn >= 0 and room.story.seats[turn].kind == BOT


def waits(room: Room) -> bool:
    """Is it the turn of a bot that is not thinking already?"""
    return of_bot(room) and not room.thinking


async def prepare(room: Room, bots: Bots) -> None:
    """Let the bots at a table get ready before they are asked for moves."""
    for seat in room.story.seats:
        if seat.kind == BOT and not room.story.ended:
            await bots.prepare(seat.bot, room.story.match.position)


async def answered(room: Room, seconds: float) -> None:
    """Until it is no bot's turn, or so many seconds have passed."""
    news = asyncio.Event()
    room.watch(news.set, ())
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while of_bot(room):
                    await news.wait()
                    news.clear()
    finally:
        room.leave(news.set, ())


async def take(
    room: Room, bots: Bots, do: Callable[[str, Deed], Awaitable[int]], mint: Callable[[int], str]
) -> None:
    """Ask the bot whose turn it is, again and again until it is somebody else's or its move is refused. Who
    starts this says that the room is `thinking`."""
    try:
        while True:
            story, turn = room.story, room.story.turn
            if not of_bot(room):
                return
            ply = story.ply
            token = await bots.choose(story.seats[turn].bot, story.match.position)
            try:
                await do(BOT, Act(story.head.id, ply, f"bot-{ply}-{mint(9)}", token))
            except Refused as wrong:
                if wrong.code != "conflict":
                    log.error("a bot's move was refused", match=story.head.id, token=token, code=wrong.code)
                    return
                if room.story.ply == ply:
                    return  # somebody else was asked too; had the table moved on, we would look again
            await asyncio.sleep(0)
    except Exception:
        log.exception("a bot failed", match=room.story.head.id)
    finally:
        room.thinking = False
