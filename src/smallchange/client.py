"""A client of a Small Change server, with nothing but Python: for bots, and for the terminal.

    server = Server("http://localhost:8765")
    table = server.join("CODE", "my bot")
    for news in server.news(table["match"]):
        if news["legal"]:
            server.act(table["match"], news["ply"], news["legal"][0])

Tables, news and errors are JSON as `/api/openapi.json` describes them. A refusal of the server is a ServerError. Where
the server is away, as in a restart, streams and commands wait and try again; `Server.away` is told.
"""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

__all__ = ["Server", "ServerAway", "ServerError", "TableLink"]

TIMEOUT_S = 60.0  # without an answer or a sign of life: streams have a comment every 15 s
RETRY_S = (0.5, 1.0, 2.0, 4.0, 8.0, *6 * (15.0,))  # between the tries: 105 s, then the last again
UNAVAILABLE = (429, 502, 503, 504)
TABLE_LINK = re.compile(r"(https?://[^/\s]+(?:/[^\s]*?)?)/(j|m)/([A-Za-z0-9_-]+)/?")


class ServerError(Exception):
    """The server refused a call, or could not be reached; the text says why."""


class ServerAway(ServerError):
    """The server could not be reached, or could store nothing. The same call may succeed later."""


class TableLink(NamedTuple):
    """The link of a table: the server's address, and the code to join by or the id to watch."""

    url: str
    code: str
    match: str

    @classmethod
    def parse(cls, link: str) -> TableLink:
        """Read a link such as a person is sent. Raises ValueError for another text.

        >>> TableLink.parse("http://localhost:8765/j/abcd1234")
        TableLink(url='http://localhost:8765', code='abcd1234', match='')
        """
        matched = TABLE_LINK.fullmatch(link.strip())
        if not matched:
            raise ValueError(
                f"a table's link is like http://HOST/j/CODE or http://HOST/m/ID, not {link!r:.80}"
            )
        url, kind, name = matched.groups()
        return cls(url, name if kind == "j" else "", name if kind == "m" else "")


class Server:
    """A server's API. `token` is that of our seats; the server gives one with the first seat.

    `away` is told why the server is away, before each pause, and "" when it is back. `sleep` makes the pauses.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        away: Callable[[str], None] = lambda why: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url: str = url.rstrip("/")
        self.token: str = token
        self.away = away
        self.sleep = sleep

    def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Call a path under /api: GET, or POST with a body. Raises ServerError."""
        with self._open(path, body) as answer:
            reply: dict[str, Any] = json.load(answer)
            return reply

    def open_table(
        self, game: str, options: dict[str, Any], seats: dict[str, str], name: str, time: str = ""
    ) -> dict[str, Any]:
        """Open a table and return it.

        `seats` maps players to "me", "open" or "bot:NAME"; `time` is the time control, such as "5+3" or "1d+3d", or ""
        for none.
        """
        order = {"game": game, "options": options, "seats": seats, "name": name, "time": time}
        return self._take_seat("/matches", order)

    def join(self, code: str, name: str) -> dict[str, Any]:
        """Take the free seat of a join link, and return the table."""
        return self._take_seat(f"/join/{code}", {"name": name})

    def table(self, match: str) -> dict[str, Any]:
        """Return a table as we see it."""
        return self.ask(f"/matches/{match}")

    def news(self, match: str, ply: int = -1) -> Iterator[dict[str, Any]]:
        """Yield the table whenever it changes, from `ply` on, until the match ends.

        Where the line was cut, the table is told once more when the server is back.
        """
        for message in self._lasting_stream(f"/matches/{match}/stream?ply={ply}"):
            yield message
            if message.get("ended"):
                return

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield each challenge to our account, and each table as often as it waits for us, for ever.

        Where the line was cut, all that waits is told once more.
        """
        yield from self._lasting_stream("/account/events")

    def answer_challenge(self, id: str, yes: bool) -> dict[str, Any]:
        """Accept or decline a challenge, and return it. Raises ServerError if it is gone."""
        return self.ask(f"/challenges/{id}/answer", {"yes": yes})

    def act(self, match: str, ply: int, token: str) -> dict[str, Any]:
        """Take the step that follows the last one before `ply`. Raises ServerError if another was taken."""
        return self.command(match, ply, "act", token=token)

    def undo(self, match: str, ply: int) -> dict[str, Any]:
        """Take our last decision back. Raises ServerError where that is not possible."""
        return self.command(match, ply, "undo")

    def command(self, match: str, ply: int, name: str, **more: Any) -> dict[str, Any]:
        """Send a command, again where the server is away for a moment; return the table after it.

        It takes effect once, however often it is sent.
        """
        path, body = f"/matches/{match}/{name}", {"ply": ply, "move": uuid.uuid4().hex, **more}
        for tried, pause_s in enumerate((*RETRY_S, None)):
            try:
                after = dict(self.ask(path, body)["table"])
            except ServerAway as why:
                if pause_s is None:
                    raise
                self._pause(why, pause_s)
            else:
                if tried:
                    self.away("")
                return after
        raise AssertionError

    def _take_seat(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Open or join a table: the answer has our token, which is given once."""
        seated = self.ask(path, body)
        self.token = seated["token"] or self.token
        table: dict[str, Any] = seated["table"]
        return table

    def _lasting_stream(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield the events of a stream, which is opened again wherever it is cut."""
        tries = 0
        while True:
            try:
                for event in self._stream(path):
                    if tries:
                        self.away("")
                    tries = 0
                    yield event
                why = ServerAway(f"{self.url} has ended the stream")
            except ServerAway as away:
                why = away
            self._pause(why, RETRY_S[min(tries, len(RETRY_S) - 1)])
            tries += 1

    def _pause(self, why: ServerAway, seconds: float) -> None:
        self.away(str(why))
        self.sleep(seconds)

    def _stream(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield the events of a stream. Raises ServerAway where it breaks off."""
        with self._open(path, None) as stream:
            try:
                for line in stream:
                    if line.startswith(b"data: "):
                        yield json.loads(line[6:])
            except (OSError, ValueError, http.client.HTTPException) as cut:
                raise ServerAway(f"{self.url} has broken off: {cut}") from cut

    def _open(self, path: str, body: dict[str, Any] | None) -> Any:
        here = re.sub(
            r"//localhost(?=[:/]|$)", "//127.0.0.1", self.url
        )  # Windows takes 2 s to look the name up
        request = urllib.request.Request(f"{here}/api{path}")
        request.data = None if body is None else json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            return urllib.request.urlopen(request, timeout=TIMEOUT_S)
        except urllib.error.HTTPError as refused:
            kind = ServerAway if refused.code in UNAVAILABLE else ServerError
            raise kind(_reason(refused)) from refused
        except (OSError, http.client.HTTPException) as away:
            raise ServerAway(f"{self.url} does not answer: {getattr(away, 'reason', away)}") from away


def _reason(refused: urllib.error.HTTPError) -> str:
    """Return why a call was refused, in the server's words where it gives some."""
    text = refused.read().decode("utf-8", "replace")
    try:
        reply = json.loads(text)
        return str(reply["why"])
    except (ValueError, KeyError, TypeError):
        return f"{refused.code} {refused.reason}: {text:.200}"
