"""Hints: what the best bot would do, said to a player on their turn where no other person plays. A hint is no
step: it changes nothing and is told to nobody else. No record notes it, as none notes what was taken back:
there is nobody to be unfair to."""

from __future__ import annotations

from typing import NamedTuple

from smallchange import mind
from smallchange.draw.table import Touch
from smallchange.game import Position
from smallchange.text import Text

from .bots import Bots
from .refused import Refused
from .room import Room
from .story import Story


class Hinted(NamedTuple):
    """The move of a hint: its token, what one touches for it, and the hint in words."""

    token: str
    touch: Touch
    text: Text

    @property
    def marks(self) -> tuple[str, ...]:
        """The ids of what the page marks."""
        return self.touch.path + self.touch.marks


def asked(story: Story, holder: str, ply: int) -> Position:
    """The position that this holder may ask a hint for. Refused where there is none."""
    held = story.held(holder)
    if not held:
        raise Refused("spectator")
    if story.closed:
        raise Refused(story.closed)
    if story.turn not in held or not story.alone or mind.lacking():
        raise Refused("hint")
    if ply != story.ply:
        raise Refused("conflict")
    return story.match.position.copy()


async def hint(bots: Bots, room: Room, holder: str, ply: int) -> Hinted:
    """The hint, once it is found; whatever else happens at the table meanwhile goes on."""
    position = asked(room.story, holder, ply)
    found = await bots.hint(position)
    asked(room.story, holder, ply)  # or the table has moved on
    choices = room.view(room.story.held(holder)).choices
    choice = next(choice for choice in choices if choice.token == found.token)
    return Hinted(found.token, choice.touch, found.says(position))
