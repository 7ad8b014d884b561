"""All viewers of a table at one of two servers, what they do, and what everybody hears of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Self

from websockets.sync.client import ClientConnection

from .serving import hear, say
from .twins import Twins, same, unsealed

# How a deed is sent: as a form, as a call of the API, or over a line that is shown pictures, that is told
# what a program needs, or that follows nothing.
FORM, CALL, DRAWN, TOLD, APART = WAYS = ("form", "call", "drawn", "told", "apart")
LINES = (DRAWN, TOLD, APART)
STREAM = "stream"  # by which one only hears
WATCHING = (DRAWN, TOLD, STREAM)


class Company:
    """Each viewer is on three lines and a stream of the API."""

    def __init__(self, viewers: dict[str, Twins], side: int) -> None:
        self._people = {who: twins.people[side] for who, twins in viewers.items()}
        self.id = next(iter(viewers.values())).id
        self.room = next(iter(viewers.values())).sides[side].room(self.id)
        self._doors: dict[str, ExitStack] = {}
        self._lines: dict[tuple[str, str], ClientConnection] = {}
        self._streams: dict[str, Iterator[str]] = {}
        for who in viewers:
            self._enter(who)
        self._heard()  # who has come meanwhile

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for who in list(self._doors):
            self._leave(who)

    def do(self, who: str, way: str, kind: str, fields: dict[str, Any]) -> list[bytes]:
        """Something that is accepted: how it is answered, and what everybody hears."""
        person, ply = self._people[who], self.room.story.ply
        body = {"ply": ply, "move": f"deed-{ply:04}"} | fields
        answers = []
        if way == FORM:
            answers = [person.post(f"/m/{self.id}/{kind}", **body)]
        elif way == CALL:
            answers = [person.web.post(f"/api/matches/{self.id}/{kind}", json=body)]
        else:
            say(self._lines[who, way], **{"is": kind, "match": self.id} | body)
        assert all(answer.status_code in (200, 303) for answer in answers)
        return [*(same(person, answer) for answer in answers), *self._heard(WATCHING, partial(_at, ply + 1))]

    def go(self, who: str) -> list[bytes]:
        """They leave by all doors: what the others hear."""
        self._leave(who)
        return self._heard([DRAWN], lambda frame: "is away" in frame)

    def come(self, who: str) -> list[bytes]:
        """They are back: what everybody hears."""
        self._enter(who)
        return self._heard([], lambda frame: True)

    def _enter(self, who: str) -> None:
        person, doors = self._people[who], self._doors.setdefault(who, ExitStack())
        for way in LINES:
            line = self._lines[who, way] = doors.enter_context(person.socket())
            if way != APART:
                say(line, **{"is": "watch", "match": self.id, "drawn": way == DRAWN})
                hear(line, "shown", "told")
        events = doors.enter_context(person.web.stream("GET", f"/api/matches/{self.id}/stream"))
        self._streams[who] = _told(events.iter_lines())
        next(self._streams[who])

    def _leave(self, who: str) -> None:
        del self._streams[who]
        for way in LINES:
            del self._lines[who, way]
        self._doors.pop(who).close()

    def _heard(
        self, ways: Sequence[str] = (), until: Callable[[str], bool] = lambda frame: True
    ) -> list[bytes]:
        """Everything that is said by all doors, and by those of these ways at least until it is this."""
        said = []
        for (who, way), line in self._lines.items():
            frames: list[str] = []
            while way in ways and not any(until(frame) for frame in frames[-1:]):
                frames.append(str(line.recv(60)))
            say(line, **{"is": "ping"})
            while '"pong"' not in "".join(frames[-1:]):
                frames.append(str(line.recv(60)))
            said += [f"{who} {way} {frame}".encode() for frame in sorted(frames)]
        for who, events in self._streams.items():
            told: list[str] = []
            while STREAM in ways and not any(until(frame) for frame in told[-1:]):
                told.append(next(events))
            if self.room.story.ended:
                told += events  # it ends with the match
            said += [f"{who} {STREAM} {frame}".encode() for frame in told]
        return [unsealed(self.room.story, frame) for frame in said]


def _told(lines: Iterator[str]) -> Iterator[str]:
    """What a stream tells, without its signs of life."""
    return (line.removeprefix("data: ") for line in lines if line.startswith("data: "))


def _at(ply: int, frame: str) -> bool:
    message = json.loads(frame)
    return message["is"] in ("shown", "told") and message["ply"] >= ply
