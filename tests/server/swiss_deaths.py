"""A Swiss whose director dies between statements: what must hold after every death, and at the end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, func, select, update

from smallchange.server.database import schema
from smallchange.server.database.group_commit import insert_events
from smallchange.server.table.events import Resign
from smallchange.server.table.outcome import Status
from smallchange.server.table.rows import event_rows
from smallchange.server.tournaments.model import Pairing, Phase, Tournament
from smallchange.server.web.errors import Refused

from .tournament_site import DyingConnection, Site, site


class Proof(NamedTuple):
    """A Swiss that was played to its end: its pairings, and the deaths of its director."""

    pairings: int
    deaths: int
    seconds: float


async def play_swiss(folder: Path, entries: int, rounds: int, growth: float = 1.0) -> Proof:
    """Play a Swiss whose director dies in every step again and again, each time at a later statement.

    With a growth of 1 it dies at each statement of each step; else at statements that grow so much further apart.
    Raise AssertionError if a round is halved, a match has no pairing, or two entries meet twice.
    """
    begun, deaths = time.perf_counter(), 0
    async with site(folder) as here:
        id, _ = await here.open("swiss", entries, rounds=rounds)
        _pair_once(here)
        dying = DyingConnection(here.store)
        while (await here.find(id)).phase != Phase.OVER:
            for statement in _statements(growth):
                dying.countdown = statement
                try:
                    await here.director.advance(id)
                    break
                except Refused:
                    deaths += 1
                await _check_whole(here, entries)
            dying.countdown = 0
            await _end_matches(here, id)
        pairings = (await here.find(id)).pairings
        matches = Counter(one.match for one in (await here.find(id)).pairings if one.match)
    assert set(Counter(pairing.round for pairing in pairings).values()) == {(entries + 1) // 2}
    met = Counter(frozenset(pairing.entries) for pairing in pairings)
    assert max(met.values()) == 1, "two entries met twice, or one had two byes"
    assert max(matches.values()) == 1, "two pairings have one match"
    assert len(matches) == rounds * (entries // 2)
    return Proof(len(pairings), deaths, time.perf_counter() - begun)


def _pair_once(here: Site) -> None:
    """Let the director keep the pairings of a round for all attempts to store it: they follow from the results."""
    pair, known = here.director._pair, dict[int, list[Pairing]]()

    async def pair_round(found: Tournament) -> list[Pairing]:
        round = found.round
        if round not in known:
            known[round] = await pair(found)
        return known[round]

    here.director._pair = pair_round  # type: ignore[method-assign]


def _statements(growth: float) -> Iterator[int]:
    """Yield the numbers of the statements at which a step dies."""
    at = 1.0
    while True:
        yield int(at)
        at = max(at + 1, at * growth)


async def _end_matches(here: Site, id: str) -> None:
    """Let the second seat of every match resign, all in one transaction, as other processes would store it."""
    running = [one.match for one in (await here.find(id)).pairings if one.points is None and one.match]

    def job(connection: Connection) -> None:
        for match in running:
            insert_events(connection, event_rows(match, 0, [Resign(1, here.time)]))
        over = update(schema.match).where(schema.match.c.id.in_(running)).values(status=Status.OVER)
        connection.execute(over)

    await here.store.write("", job)


async def _check_whole(here: Site, entries: int) -> None:
    """Look that each round has all its pairings, and each match its pairing."""

    def ask(connection: Connection) -> tuple[list[int], int, int]:
        side, match = schema.tournament_side.c, schema.match
        first = side.seat == 0
        rounds = connection.execute(select(func.count()).where(first).group_by(side.round)).scalars()
        paired = connection.execute(
            select(func.count()).where(first, side.match_id.is_not(None))
        ).scalar_one()
        stored = connection.execute(select(func.count()).select_from(match)).scalar_one()
        return list(rounds), paired, stored

    rounds, paired, stored = await here.store.read(ask)
    assert set(rounds) <= {(entries + 1) // 2}, "a round is halved"
    assert paired == stored, "a match has no pairing, or a pairing no match"
