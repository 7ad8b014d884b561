#!/usr/bin/env python3
"""A program that plays on a Small Change server, with nothing but Python.

    python examples/bot.py http://localhost:8765 thrag          a game for one, alone
    python examples/bot.py http://localhost:8765 dodgem         against the server's bot
    python examples/bot.py http://localhost:8765 --join CODE    against whoever sent the link /j/CODE

It plays any legal move. Replace `choose` by something that thinks; /api/openapi.json has everything there is.
"""

from __future__ import annotations

import json
import random
import sys
import urllib.error
import urllib.request
import uuid


class Server:
    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.token = ""

    def ask(self, path: str, body: dict | None = None) -> dict:
        with self._open(path, body) as answer:
            return json.load(answer)

    def take_seat(self, path: str, body: dict) -> dict:
        """Open or join a table: the answer has our token, which is told once."""
        seated = self.ask(path, body)
        self.token = seated["token"] or self.token
        return seated["table"]

    def news(self, match: str, ply: int):
        """Whenever something happens at a table, from `ply` on."""
        with self._open(f"/matches/{match}/stream?ply={ply}", None) as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])

    def _open(self, path: str, body: dict | None):
        request = urllib.request.Request(f"{self.url}/api{path}")
        request.data = None if body is None else json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        return urllib.request.urlopen(request)


def choose(position: str, legal: list[str]) -> str:
    return random.choice(legal)


def play(server: Server, table: dict) -> None:
    match = table["match"]
    print(f"{server.url}/m/{match}")
    while not table["ended"]:  # the stream may be cut before
        for news in server.news(match, -1):
            if news["legal"] and not news.get("over"):
                move = {
                    "ply": news["ply"],
                    "move": uuid.uuid4().hex,
                    "token": choose(news["position"], news["legal"]),
                }
                server.ask(f"/matches/{match}/act", move)
        table = server.ask(f"/matches/{match}")
    print(table["ended"]["text"]["en"])


def main(arguments: list[str]) -> None:
    match arguments:
        case [url, "--join", code] if url.startswith("http"):
            server = Server(url)
            play(server, server.take_seat(f"/join/{code}", {"name": "example bot"}))
        case [url, id] if url.startswith("http") and not id.startswith("-"):
            server = Server(url)
            games = {game["id"]: game for game in server.ask("/games")["games"]}
            if id not in games:
                sys.exit(f"unknown game {id!r}; the games are: {', '.join(games)}")
            seats = dict.fromkeys(games[id]["players"][1:], "bot:greedy")
            play(server, server.take_seat("/matches", {"game": id, "seats": seats, "name": "example bot"}))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except urllib.error.HTTPError as refused:
        sys.exit(f"{refused}: {refused.read().decode()}")
    except OSError as away:
        sys.exit(f"{sys.argv[1]}: {away}")
