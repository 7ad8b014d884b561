"""A program on a line that is cut."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from typing import Self

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.server.serving import Person, fresh, hear, say
from tests.support.cut_proxy import Cable


class Program:
    """A client that sends a move again under the same id until it hears that it is done."""

    def __init__(self, ann: Person, cable: Cable, id: str) -> None:
        self.id, self.ply, self.over, self.sent = id, -1, False, list[str]()
        self.legal: list[str] = []
        self._cable = cable
        cookies = "; ".join(f"{name}={value}" for name, value in ann.web.cookies.items())
        self._headers = {"Cookie": cookies, "Origin": cable.url}
        self._lines = ExitStack()  # the only one open
        self._line = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()

    def act(self, luck: Random) -> None:
        known, done, move = self.ply, False, fresh()
        command = {
            "is": "act",
            "match": self.id,
            "ply": known,
            "move": move,
            "token": luck.choice(self.legal),
        }
        self.sent.append(move)
        while not done or self.ply == known:
            try:
                say(self._line, **command)
                while not done or self.ply == known:
                    done |= self._receive() == "ack"
            except (WebSocketException, OSError):
                self._line = self._open()

    def _open(self) -> ClientConnection:
        """Return a line that has answered how the table stands."""
        while True:
            self._lines.close()
            self._cable.mend()
            url = self._cable.url.replace("http", "ws") + "/ws"
            try:
                self._line = self._lines.enter_context(connect(url, additional_headers=self._headers))
                say(self._line, **{"is": "watch", "match": self.id, "ply": self.ply, "drawn": False})
                self._receive()
            except (WebSocketException, OSError):
                continue
            return self._line

    def _receive(self) -> str:
        """Return the kind of the next message."""
        message = hear(self._line, "state", "unchanged", "ack")
        if message["is"] == "state":
            self.ply, self.legal, self.over = message["ply"], message["legal"], message.get("over", False)
        return str(message["is"])
