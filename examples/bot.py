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


def say(why: str) -> None:
    print(why or "the server is back", file=sys.stderr)


def play(server: Server, table: dict) -> None:
    match = table["match"]
    print(f"{server.url}/m/{match}")
    for news in server.news(match):  # through restarts of the server, until the match ends
        if news["legal"]:
            try:
                server.act(match, news["ply"], choose(news["position"], news["legal"]))
            except ServerError as late:  # the table has moved on
                print(late)
    print(server.table(match)["ended"]["text"]["en"])


def main(arguments: list[str]) -> None:
    match arguments:
        case [url, "--join", code] if url.startswith("http"):
            server = Server(url, away=say)
            play(server, server.join(code, "example bot"))
        case [url, id] if url.startswith("http") and not id.startswith("-"):
            server = Server(url, away=say)
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
