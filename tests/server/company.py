"""All viewers of a table at one of two servers, what they do, and what everybody hears of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Self

from websockets.sync.client import ClientConnection

from .serving import hear, say
from .twins import Twins, same, without_secrets

# How a deed is sent: as a form, as a call of the API, or over a line that is shown pictures, that is told
# what a program needs, or that follows nothing.
FORM, CALL, DRAWN, TOLD, APART = CHANNELS = ("form", "call", "drawn", "told", "apart")
LINES = (DRAWN, TOLD, APART)
STREAM = "stream"  # by which one only hears
WATCHING = (DRAWN, TOLD, STREAM)


class Company:
    """Each viewer is on three lines and a stream of the API."""

    def __init__(self, viewers: dict[str, Twins], side: int) -> None:
        self._people = {who: twins.people[side] for who, twins in viewers.items()}
        self.id = next(iter(viewers.values())).id
        self.live_table = next(iter(viewers.values())).sides[side].live_table(self.id)
        self._doors: dict[str, ExitStack] = {}
        self._lines: dict[tuple[str, str], ClientConnection] = {}
        self._streams: dict[str, Iterator[str]] = {}
        for who in viewers:
            self._enter(who)
        self._receive_all()  # who has come meanwhile

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for who in list(self._doors):
            self._leave(who)

    def do(self, who: str, way: str, kind: str, fields: dict[str, Any]) -> list[bytes]:
        """Do something that is accepted; return the answer and everybody's messages."""
        person, ply = self._people[who], self.live_table.history.ply
        body = {"ply": ply, "move": f"deed-{ply:04}"} | fields
        answers = []
        if way == FORM:
            answers = [person.post(f"/m/{self.id}/{kind}", **body)]
        elif way == CALL:
            answers = [person.web.post(f"/api/matches/{self.id}/{kind}", json=body)]
        else:
            say(self._lines[who, way], **{"is": kind, "match": self.id} | body)
        assert all(answer.status_code in (200, 303) for answer in answers)
        return [
            *(same(person, answer) for answer in answers),
            *self._receive_all(WATCHING, partial(_at, ply + 1)),
        ]

    def go(self, who: str) -> list[bytes]:
        """Leave by all doors; return the others' messages."""
        self._leave(who)
        return self._receive_all([DRAWN], lambda frame: "is away" in frame)

    def come_back(self, who: str) -> list[bytes]:
        """Come back; return everybody's messages."""
        self._enter(who)
        return self._receive_all([], lambda frame: True)

    def _enter(self, who: str) -> None:
        person, doors = self._people[who], self._doors.setdefault(who, ExitStack())
        for way in LINES:
            line = self._lines[who, way] = doors.enter_context(person.socket())
            if way != APART:
                say(line, **{"is": "watch", "match": self.id, "drawn": way == DRAWN})
                hear(line, "changes", "state")
        events = doors.enter_context(person.web.stream("GET", f"/api/matches/{self.id}/stream"))
        self._streams[who] = _read_events(events.iter_lines())
        next(self._streams[who])

    def _leave(self, who: str) -> None:
        del self._streams[who]
        for way in LINES:
            del self._lines[who, way]
        self._doors.pop(who).close()

    def _receive_all(
        self, ways: Sequence[str] = (), until: Callable[[str], bool] = lambda frame: True
    ) -> list[bytes]:
        """Return all connections' frames without the time; of these ways, at least until such a frame."""
        said = []
        for (who, way), line in self._lines.items():
            frames: list[str] = []
            while way in ways and not any(until(frame) for frame in frames[-1:]):
                frames.append(str(line.recv(60)))
            say(line, **{"is": "ping"})
            while '"pong"' not in "".join(frames[-1:]):
                frames.append(str(line.recv(60)))
            kept = [frame for frame in sorted(frames) if not tells_spectators(frame)]
            said += [f"{who} {way} {frame}".encode() for frame in kept]
        for who, events in self._streams.items():
            told: list[str] = []
            while STREAM in ways and not any(until(frame) for frame in told[-1:]):
                told.append(next(events))
            if self.live_table.history.ending:
                told += events  # it ends with the match
            said += [f"{who} {STREAM} {frame}".encode() for frame in told]
        return [without_secrets(self.live_table.history, re.sub(rb'"now":\d+', b"", frame)) for frame in said]


def tells_spectators(frame: str) -> bool:
    """Return whether a frame tells the number of spectators, as every few seconds one may."""
    return frame.startswith('{"is":"spectators"')


def _read_events(lines: Iterator[str]) -> Iterator[str]:
    """Return the events of a stream, without the comments between them."""
    return (line.removeprefix("data: ") for line in lines if line.startswith("data: "))


def _at(ply: int, frame: str) -> bool:
    message = json.loads(frame)
    return message["is"] in ("changes", "state") and message["ply"] >= ply
