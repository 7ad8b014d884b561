"""An account with many games that is erased, and what the database still says of it."""

from __future__ import annotations

import asyncio

from smallchange.core import record
from smallchange.core.game import Game
from smallchange.server.table.model.commands import Join, NewTable, PlayMove, Resign
from smallchange.server.table.model.new_tables import random_id
from smallchange.server.web.sessions import Account

from .serving import Person, Served
from .tables import LUCKY_PAIR

NAME = "Quirina Vexillar"
PASSWORD = "correct horse battery"
OTHER = "b" * 64
AT_ONCE = 50


def erase_after_games(served: Served, games: int) -> list[str]:
    """Let an account play so many games, erase it, and return the records of the games, which verify."""
    with Person(served) as ann:
        assert ann.post("/account/sign-up", name=NAME, password=PASSWORD).status_code == 200
        account = served.call(served.services.accounts.by_name(NAME))
        ids: list[str] = []
        while len(ids) < games:
            ids += served.call(_play_some(served, account, min(AT_ONCE, games - len(ids))))
        store = served.services.tables.store
        assert NAME in served.call(store.stored_record(ids[0])).record
        assert ann.post("/account/erase", name=NAME).status_code == 303
        texts = [served.call(store.stored_record(id)).record for id in ids]
    for text in texts:
        record.verify(text)
    return texts


async def _play_some(served: Served, account: Account, games: int) -> list[str]:
    return await asyncio.gather(*(_play(served, account) for _ in range(games)))


async def _play(served: Served, account: Account) -> str:
    """Play a few moves of a game with chance, and resign it. Return its id."""
    tables, first = served.services.tables, Game(LUCKY_PAIR).seats[0]
    order = NewTable(LUCKY_PAIR, seats={first: "me"}, name=account.name)
    id = await tables.openings.create(account.holder, order)
    await tables.join(OTHER, (await tables.live.table(id)).history.head.code, Join("Bob"))
    for _ in range(4):
        history = (await tables.live.current(id, OTHER)).history
        holder = (account.holder, OTHER)[history.turn or 0]
        token = history.match.position.legal()[0]
        await tables.submit(holder, PlayMove(id, history.ply, random_id(12), token))
    history = (await tables.live.current(id, OTHER)).history
    await tables.submit(account.holder, Resign(id, history.ply, random_id(12)))
    return id
