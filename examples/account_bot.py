#!/usr/bin/env python3
"""A bot with an account of its own: it accepts every challenge and plays rated games against people.

    python examples/account_bot.py http://localhost:8765 bot_TOKEN

Create the bot and its token on the page /account/bots. It plays any legal move: replace `choose` by something that
thinks. It needs `smallchange.client` alone, a file of nothing but Python that can be copied.
"""

from __future__ import annotations

import random
import sys

from smallchange.client import Server, ServerError


def choose(position: str, legal: list[str]) -> str:
    return random.choice(legal)


def answer(server: Server, event: dict) -> None:
    if event["kind"] == "challenge":
        server.answer_challenge(event["challenge"]["id"], yes=True)
        return
    table = event["table"]
    if event["kind"] == "turn":
        server.act(table["match"], table["ply"], choose(table["position"], table["legal"]))
    else:  # an offer of the other player
        yes = table["offered"]["what"] == "rematch"
        server.command(table["match"], table["ply"], "answer", yes=yes)


def main(url: str, token: str) -> None:
    server = Server(url, token, away=lambda why: print(why or f"{url} is back", flush=True))
    print(server.ask("/account")["name"], flush=True)
    for event in server.events():  # through restarts of the server, for ever
        try:
            answer(server, event)
        except ServerError as late:  # the table has moved on
            print(late)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except ServerError as wrong:
        sys.exit(f"{sys.argv[1]}: {wrong}")
