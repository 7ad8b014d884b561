#!/usr/bin/env python3
"""A program that plays on a Small Change server.

    python examples/bot.py http://localhost:8765 thrag          a game for one, alone
    python examples/bot.py http://localhost:8765 dodgem         against the server's bot
    python examples/bot.py http://localhost:8765 --join CODE    against whoever sent the link /j/CODE

It plays any legal move. Replace `choose` by something that thinks; /api/openapi.json has everything there is.
It needs `smallchange.client` alone, a file of nothing but Python that can be copied.
"""

from __future__ import annotations

import random
import sys

from smallchange.client import Server, ServerError


def choose(position: str, legal: list[str]) -> str:
    return random.choice(legal)


def play(server: Server, table: dict) -> None:
    match = table["match"]
    print(f"{server.url}/m/{match}")
    while not table["ended"]:  # the stream may be cut before
        for news in server.news(match, -1):
            if news["legal"] and not news.get("over"):
                server.act(match, news["ply"], choose(news["position"], news["legal"]))
        table = server.table(match)
    print(table["ended"]["text"]["en"])


def main(arguments: list[str]) -> None:
    match arguments:
        case [url, "--join", code] if url.startswith("http"):
            server = Server(url)
            play(server, server.join(code, "example bot"))
        case [url, id] if url.startswith("http") and not id.startswith("-"):
            server = Server(url)
            games = {game["id"]: game for game in server.ask("/games")["games"]}
            if id not in games:
                sys.exit(f"unknown game {id!r}; the games are: {', '.join(games)}")
            seats = dict.fromkeys(games[id]["players"][1:], "bot:greedy")
            play(server, server.open_table(id, {}, seats, "example bot"))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ServerError as wrong:
        sys.exit(f"{sys.argv[1]}: {wrong}")
