"""Tournaments as rows: their terms, entries, rounds with pairings, and games on deals."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, func, insert, or_, select, update

from smallchange.core.commitment import Envelope
from smallchange.core.game import Game
from smallchange.server.accounts.rows import Belongings
from smallchange.server.daily.days import seal_of, seat_secret, table_id
from smallchange.server.database import schema
from smallchange.server.meeting.rows import find_meetings
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.outcome import Status
from smallchange.server.table.storage.store import Write
from smallchange.server.tournaments.kinds import kind_of
from smallchange.server.tournaments.model import (
    DealGame,
    Entry,
    Pairing,
    Phase,
    Points,
    Tournament,
    TournamentHead,
)
from smallchange.server.web.sessions import Account, AccountState

MAX_LISTED = 50  # tournaments in a list
MAX_WOKEN = 300  # tables of bots that are looked at in one sweep

_game = schema.duel_game.c
_tournament, _entry, _side = schema.tournament.c, schema.tournament_entry.c, schema.tournament_side.c


class DealTable(NamedTuple):
    """The table of an entry on a deal: its id, the player's seat, and the secret of its luck with its seal."""

    match: str
    seat: int
    secret: bytes
    seal: str


def add_tournament(connection: Connection, new: TournamentHead) -> None:
    """Store a tournament."""
    connection.execute(insert(schema.tournament), new._asdict() | {"options": json.dumps(new.options)})


def count_unfinished(connection: Connection, opener_id: str) -> int:
    """Return the number of tournaments that an account has opened and that are not over."""
    unfinished = (_tournament.opener_id == opener_id) & _tournament.phase.in_((Phase.OPEN, Phase.RUNNING))
    query = select(func.count()).select_from(schema.tournament).where(unfinished)
    return int(connection.execute(query).scalar_one())


def lock_tournament(connection: Connection, id: str) -> None:
    """Let no other process change this tournament before the transaction ends."""
    connection.execute(update(schema.tournament).where(_tournament.id == id).values(id=id))


def set_phase(connection: Connection, id: str, phase: Phase, ended: int | None = None) -> None:
    """Store the phase of a tournament, and when it ended."""
    row = _tournament.id == id
    connection.execute(update(schema.tournament).where(row).values(phase=phase, ended=ended))


def set_beginning(connection: Connection, id: str, at: int) -> None:
    """Store when a tournament begins."""
    connection.execute(update(schema.tournament).where(_tournament.id == id).values(begins_at=at))


def add_entry(
    connection: Connection,
    id: str,
    account_id: str | None,
    bot: str,
    rating: float,
    now: int,
) -> None:
    """Store an entry under the next number. The caller has locked the tournament."""
    numbers = select(func.coalesce(func.max(_entry.number), 0)).where(_entry.tournament_id == id)
    row = {
        "tournament_id": id,
        "number": connection.execute(numbers).scalar_one() + 1,
        "account_id": account_id,
        "bot": bot,
        "rating": rating,
        "withdrawn": False,
        "at": now,
    }
    connection.execute(insert(schema.tournament_entry), row)


def set_withdrawn(connection: Connection, id: str, number: int, withdrawn: bool) -> None:
    """Let an entry withdraw, or come back."""
    row = (_entry.tournament_id == id) & (_entry.number == number)
    connection.execute(update(schema.tournament_entry).where(row).values(withdrawn=withdrawn))


def put_round(connection: Connection, id: str, pairings: Sequence[Pairing], now: int) -> None:
    """Store a round with its pairings. The key of the round lets it be stored once."""
    round = pairings[0].round
    connection.execute(insert(schema.tournament_round), {"tournament_id": id, "number": round, "at": now})
    sides = [_side_row(id, one, number) for one in pairings for number in one.entries]
    connection.execute(insert(schema.tournament_side), sides)


def put_announced(connection: Connection, id: str, now: int) -> None:
    """Store that a deal was announced, as a round. The key of the round lets it be stored once."""
    connection.execute(insert(schema.tournament_round), {"tournament_id": id, "number": 1, "at": now})


def set_reminded(connection: Connection, id: str) -> None:
    """Store that the players were reminded of the end of a deal."""
    row = schema.tournament_round
    connection.execute(update(row).where(row.c.tournament_id == id).values(reminded=True))


def _side_row(id: str, pairing: Pairing, number: int) -> dict[str, Any]:
    return {
        "tournament_id": id,
        "round": pairing.round,
        "entry": number,
        "opponent": pairing.opponent_of(number),
        "seat": pairing.entries.index(number),
        "match_id": pairing.match,
        "points": None if pairing.points is None else pairing.points_of(number),
        "walkover": pairing.walkover,
        "came": False,
    }


def find_entry(connection: Connection, match: str, seat: int) -> int:
    """Return the number of the entry on a seat of a match."""
    query = select(_side.entry).where(_side.match_id == match, _side.seat == seat)
    return int(connection.execute(query).scalar_one())


def write_arrival(connection: Connection, match: str, seats: Collection[int]) -> Write | None:
    """Return a job that notes the players of seats as present; None if they are, or it is no tournament's match."""
    new = (_side.match_id == match) & _side.seat.in_(seats) & _side.came.is_(False)
    if connection.execute(select(_side.seat).where(new).limit(1)).first() is None:
        return None

    def write(connection: Connection) -> None:
        connection.execute(update(schema.tournament_side).where(new).values(came=True))

    return write


def has_come(connection: Connection, match: str, seat: int) -> bool:
    """Return whether the player of a seat was at the table of a match."""
    return bool(
        connection.execute(select(_side.came).where(_side.match_id == match, _side.seat == seat)).scalar()
    )


def put_points(connection: Connection, match: str, points: Points, walkover: bool = False) -> bool:
    """Store the result of a match; return False if it was stored already. A walkover is one without an opponent."""
    changed = 0
    for seat, of_seat in enumerate(points):
        side = (_side.match_id == match) & (_side.seat == seat) & _side.points.is_(None)
        changed += connection.execute(
            update(schema.tournament_side).where(side).values(points=of_seat, walkover=walkover)
        ).rowcount
    return changed > 0


def add_deal_table(connection: Connection, id: str, game: Game, entry: Entry, seat: int) -> DealTable:
    """Return the table on which an entry plays the deal from a seat, which is made now if it is new.

    The caller has locked the tournament. There is one such table for each seat, so that no second one can be stored.
    """
    secret = seat_secret(_deal_secret(connection, id), game, seat)
    own = (_game.tournament_id == id) & (_game.entry == entry.number) & (_game.seat == seat)
    match = connection.execute(select(_game.match_id).where(own)).scalar()
    if match is None:
        match = table_id(secret, entry.holder)
        row = {"tournament_id": id, "entry": entry.number, "seat": seat, "match_id": match}
        connection.execute(insert(schema.duel_game), row)
    return DealTable(match, seat, secret, seal_of(secret))


def _deal_secret(connection: Connection, id: str) -> bytes:
    """Return the secret of a deal, which is made now if nobody has asked for it before."""
    deal = schema.duel_deal.c
    found: bytes | None = connection.execute(select(deal.secret).where(deal.tournament_id == id)).scalar()
    if found is not None:
        return found
    new = Envelope.create().secret
    assert new is not None
    connection.execute(insert(schema.duel_deal), {"tournament_id": id, "secret": new})
    return new


def open_deals(connection: Connection, id: str, now: int) -> list[str]:
    """Open to everybody the tables of a tournament that are still sealed, and return their ids.

    Only a duel has such tables at its end: it may end before its time.
    """
    opened = _sealed_tables(connection, id, now)
    connection.execute(update(schema.match).where(schema.match.c.id.in_(opened)).values(sealed_until=now))
    return opened


def _sealed_tables(connection: Connection, id: str, at: int) -> list[str]:
    """Return the tables on the deal of a tournament that are sealed at a time."""
    match = schema.match.c
    query = select(_game.match_id).join(schema.match, match.id == _game.match_id)
    return list(connection.execute(query.where(_game.tournament_id == id, match.sealed_until > at)).scalars())


def put_off(connection: Connection, since: int, now: int) -> list[str]:
    """Put off the tournaments that were to begin or to end in an outage; return the tables of deals kept sealed."""
    changed = list[str]()
    unfinished = _tournament.phase.in_((Phase.OPEN, Phase.RUNNING))
    for row in connection.execute(select(schema.tournament).where(unfinished)).all():
        head, match = _read(row), schema.match.c
        by = kind_of(head).put_off_ms(head, since, now)
        if not by:
            continue
        set_beginning(connection, head.id, head.begins_at + by)
        sealed = _sealed_tables(connection, head.id, since)
        later = update(schema.match).values(sealed_until=match.sealed_until + by)
        connection.execute(later.where(match.id.in_(sealed)))
        changed += sealed
    return changed


def ended_matches(connection: Connection, id: str) -> list[str]:
    """Return the matches of a tournament that are over or gone, and whose results are not stored."""
    match = schema.match.c
    query = select(_side.match_id).outerjoin(schema.match, match.id == _side.match_id)
    query = query.where(
        _side.tournament_id == id,
        _side.points.is_(None),
        _side.seat == 0,
        or_(match.status == Status.OVER, match.id.is_(None)),
    )
    return list(connection.execute(query.order_by(_side.round, _side.entry)).scalars())


def bot_matches(connection: Connection) -> list[str]:
    """Return matches of tournaments that go on and in which a bot plays."""
    seat = schema.seat.c
    query = select(_side.match_id).join(schema.seat, seat.match_id == _side.match_id)
    query = query.where(_side.points.is_(None), seat.kind == SeatKind.BOT).distinct().limit(MAX_WOKEN)
    return list(connection.execute(query).scalars())


def due_tournaments(connection: Connection, now: int) -> list[str]:
    """Return the tournaments that may have a next step, those that begin first ahead."""
    due = (_tournament.phase == Phase.RUNNING) | (
        (_tournament.phase == Phase.OPEN) & (_tournament.begins_at <= now)
    )
    query = select(_tournament.id).where(due).order_by(_tournament.begins_at, _tournament.id)
    return list(connection.execute(query).scalars())


def tournament_of_match(connection: Connection, match: str) -> tuple[str, str] | None:
    """Return the id and the name of the tournament that a match belongs to."""
    query = select(_tournament.id, _tournament.name).join(schema.tournament_side)
    row = connection.execute(query.where(_side.match_id == match).limit(1)).first()
    if row is None:
        query = select(_tournament.id, _tournament.name).join(schema.duel_game)
        row = connection.execute(query.where(_game.match_id == match)).first()
    return (row.id, row.name) if row else None


def public_tournaments(connection: Connection) -> list[TournamentHead]:
    """Return the public tournaments: those that run and begin soonest first, then the newest of the others."""
    return _list(connection, select(schema.tournament).where(_tournament.public.is_(True)))


def tournaments_of(connection: Connection, account_id: str) -> list[TournamentHead]:
    """Return the tournaments that an account has opened or entered, in the same order."""
    entered = select(_entry.tournament_id).where(_entry.account_id == account_id)
    own = (_tournament.opener_id == account_id) | _tournament.id.in_(entered)
    return _list(connection, select(schema.tournament).where(own))


def _list(connection: Connection, query: Select[Any]) -> list[TournamentHead]:
    query = query.order_by(
        _tournament.phase.in_((Phase.OPEN, Phase.RUNNING)).desc(),
        _tournament.begins_at.desc(),
        _tournament.id,
    )
    return [_read(row) for row in connection.execute(query.limit(MAX_LISTED))]


def find_tournament(connection: Connection, id: str) -> Tournament | None:
    """Return a tournament with its entries, and its pairings or its games on a deal, which have no time control."""
    row = connection.execute(select(schema.tournament).where(_tournament.id == id)).first()
    if row is None:
        return None
    head, entries = _read(row), _find_entries(connection, id)
    if head.control:
        return Tournament(head, entries, _find_pairings(connection, id), _find_bars(connection, entries))
    round = schema.tournament_round.c
    told = connection.execute(select(round.reminded).where(round.tournament_id == id)).scalar()
    return Tournament(
        head, entries, games=_find_games(connection, id), announced=told is not None, reminded=bool(told)
    )


def _find_entries(connection: Connection, id: str) -> tuple[Entry, ...]:
    account = schema.account.c
    query = select(schema.tournament_entry, account.name, account.holder, account.state)
    query = query.outerjoin(schema.account, account.id == _entry.account_id)
    rows = connection.execute(query.where(_entry.tournament_id == id).order_by(_entry.number))
    return tuple(
        Entry(
            row.number,
            row.rating,
            row.withdrawn or (row.account_id is not None and row.state != AccountState.OPEN),
            row.account_id,
            row.bot,
            row.name or "",
            row.holder or "",
        )
        for row in rows
    )


def _find_pairings(connection: Connection, id: str) -> tuple[Pairing, ...]:
    query = select(schema.tournament_side).where(_side.tournament_id == id)
    rows = connection.execute(query.order_by(_side.round, _side.entry)).all()
    seconds = {(row.round, row.entry): row for row in rows if row.seat == 1}
    found = []
    for row in (row for row in rows if row.seat == 0):
        other = seconds.get((row.round, row.opponent))
        points = None if row.points is None else (row.points, 0 if other is None else other.points)
        found.append(Pairing(row.round, row.entry, row.opponent, points, row.walkover, row.match_id))
    return tuple(found)


def _find_games(connection: Connection, id: str) -> tuple[DealGame, ...]:
    match, seat = schema.match, schema.seat
    query = select(schema.duel_game, seat.c.score, seat.c.points, match.c.status)
    query = query.select_from(schema.duel_game).outerjoin(match, match.c.id == _game.match_id)
    own = (seat.c.match_id == _game.match_id) & (seat.c.number == _game.seat)
    query = query.outerjoin(seat, own).where(_game.tournament_id == id)
    return tuple(
        DealGame(
            row.entry,
            row.score,
            row.status == Status.OVER,
            row.seat,
            row.points or 0,
            row.match_id,
        )
        for row in connection.execute(query.order_by(_game.entry, _game.seat))
    )


def _find_bars(connection: Connection, entries: Sequence[Entry]) -> frozenset[frozenset[int]]:
    """Return the pairs of entries that do not play against each other."""
    numbers = {one.account_id: one.number for one in entries if one.account_id is not None}
    bars = find_meetings(connection, [id for id in numbers if id]).pairs
    return frozenset(frozenset(numbers[id] for id in pair) for pair in bars)


def _read(row: Any) -> TournamentHead:
    fields = {name: getattr(row, name) for name in TournamentHead._fields}
    return TournamentHead(**fields | {"options": json.loads(row.options), "phase": Phase(row.phase)})


def _export(connection: Connection, account: Account) -> dict[str, Any]:
    found = tournaments_of(connection, account.id)
    return {
        "tournaments": [
            {"id": one.id, "name": one.name, "opened": one.opener_id == account.id} for one in found
        ]
    }


def _erase(connection: Connection, account: Account) -> None:
    """Remove the names of tournaments that an account has opened."""
    opened = _tournament.opener_id == account.id
    connection.execute(update(schema.tournament).where(opened).values(name=""))


BELONGINGS = Belongings(_export, erase=_erase)
