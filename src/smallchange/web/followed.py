"""What a connection follows, and what is new of it for who was shown or told so much already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from smallchange.draw.parts import Markup, changes
from smallchange.text import LANGUAGES, Text

from . import pages, wire
from .room import Room
from .standing import ending
from .story import BACK, Story


class Sent(NamedTuple):
    """The parts of a page: those that all see alike, and those of the viewer's seats."""

    common: dict[str, Markup]
    own: dict[str, Markup]


NOTHING = Sent({}, {})


@dataclass(eq=False)
class Followed:
    """A table that this connection follows, and what it was told of it."""

    room: Room
    seats: tuple[int, ...]
    drawn: bool
    known: int
    poke: Callable[[], None]
    sent: Sent = NOTHING
    told: bool = False
    again: str | None = None
    done: str = ""

    def look(self, holder: str) -> None:
        """From which seats it is followed now: this holder may have sat down meanwhile."""
        seats = self.room.story.held(holder)
        if seats != self.seats:
            self.room.leave(self.poke, self.seats)
            self.room.watch(self.poke, seats)
            self.seats = seats


def drawn(followed: Followed, lang: str) -> wire.Shown | None:
    """What changed on the page since this connection was told last; None if nothing did."""
    room, seats = followed.room, followed.seats
    story, known = room.story, followed.known
    view, was, now = room.view(seats), followed.sent, page(room, seats, lang)
    # most were shown the same before; the cache keeps that alive, so its id is its own
    known_alike = ("changed", lang, id(was.common))
    _, alike = room.once(known_alike, lambda: (was, changes(was.common, now.common)))
    changed = alike | changes(was.own, now.own)
    kept = min(story.lengths[known:]) if known >= 0 else 0
    if not changed and known == story.ply:
        return None
    rows = room.once(("rows", kept, lang), lambda: pages.rows(view, kept, lang))
    followed.known, followed.sent = story.ply, now
    return wire.Shown(view.match, view.ply, kept, changed, rows, view.ended is not None)


def page(room: Room, seats: tuple[int, ...], lang: str) -> Sent:
    """The page for these seats, drawn once for all who hold them."""

    def draw() -> Sent:
        view = room.view(seats)
        shared = room.common(view, lang)
        return Sent(shared.parts, pages.own(view, lang, shared))

    return room.once(("page", seats, lang), draw)


def told(followed: Followed) -> wire.Told | None:
    """The same for a program."""
    story, known = followed.room.story, followed.known
    if (known, story.again) == (story.ply, followed.again) and followed.told:
        return None
    kept = min(story.lengths[known:]) if known >= 0 else 0
    followed.known, followed.again, followed.told = story.ply, story.again, True
    mine = story.turn in followed.seats
    position = story.match.position
    return wire.Told(
        story.head.id,
        story.ply,
        story.actor,
        position.legal() if mine else [],
        kept,
        [step.token for step in story.match.steps[kept:]],
        str(position),
        story.ended is not None,
        offered(story),
        ended(story),
        story.again,
    )


def offered(story: Story) -> wire.Offered | None:
    """The offer that stands, for a program."""
    if story.offer is None or story.ended:
        return None
    what: Literal["draw", "undo"] = "undo" if story.offer.what == BACK else "draw"
    return wire.Offered(what, story.seats[story.offer.seat].player)


def ended(story: Story) -> wire.Ended | None:
    """How the match ended, for a program."""
    if story.ended is None:
        return None
    end = ending(story.match, story.ended)
    winners = [story.seats[i].player for i in end.winners]
    won = bool(end.result.get("won")) if len(story.seats) == 1 else None
    return wire.Ended(end.how, spoken(end.text), winners, won, list(end.scores), end.result)


def spoken(text: Text) -> dict[str, str]:
    """A text in every language."""
    return {lang: text[lang] for lang in LANGUAGES}
