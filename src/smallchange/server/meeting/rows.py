"""Challenges, seeks, followed and blocked accounts as rows, and the pairs of accounts that may meet at a table."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, delete, func, insert, or_, select, update

from smallchange.server.accounts.rows import Belongings
from smallchange.server.database import schema
from smallchange.server.meeting.pairing import Seek
from smallchange.server.table.model import clock
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.model.new_tables import Wish
from smallchange.server.table.model.outcome import Status
from smallchange.server.web.sessions import BOT_ROLES, Account, AccountRole, AccountState

MAX_BOT_MATCHES = 100  # of a bot against bots, in BOT_PERIOD_MS
BOT_PERIOD_MS = DAY_MS


class Meetings(NamedTuple):
    """The bars between some accounts: pairs that do not meet, and accounts that meet nobody.

    `owners` has the owner of each bot among them, "" for a `house` bot, and `busy` the bots of strangers that have met
    enough bots for now.
    """

    pairs: frozenset[frozenset[str]]
    closed: frozenset[str]
    owners: Mapping[str, str]
    busy: frozenset[str]
    house: frozenset[str] = frozenset()

    def may_meet(self, first: str, second: str) -> bool:
        """Return whether two of these accounts may play against each other."""
        both = frozenset((first, second))
        return (
            len(both) == 2 and both not in self.pairs and not both & self.closed and not self.are_busy(both)
        )

    def are_busy(self, both: frozenset[str]) -> bool:
        """Return whether these are two bots, one of which has met enough bots for now."""
        return both <= self.owners.keys() and bool(both & self.busy)

    def may_be_rated(self, first: str, second: str) -> bool:
        """Return whether a match of these may be rated: not of two bots of strangers, or of a bot and its owner."""
        owned = self.owners.get(first) == second or self.owners.get(second) == first
        return not owned and not {first, second} <= self.owners.keys() - self.house


def may_meet(connection: Connection, holders: Collection[str], now: int) -> bool:
    """Return whether the accounts among these holders may play against each other. Guests may."""
    accounts = accounts_of_holders(connection, holders)
    bars = find_meetings(connection, accounts, now)
    return all(a == b or bars.may_meet(a, b) for a in accounts for b in accounts)


def find_meetings(
    connection: Connection, accounts: Collection[str], now: int | None = None, quick: bool = False
) -> Meetings:
    """Return the bars between these accounts: one blocks the other, is closed, or is a bot that has met enough bots.

    `now` is in milliseconds since 1970; without it, bots meet as often as they like. `quick`: the players do not
    choose each other. Then two who have a match that goes on do not meet either.
    """
    account, block = schema.account.c, schema.block.c
    blocked = select(block.account_id, block.other_id).where(
        block.account_id.in_(accounts), block.other_id.in_(accounts)
    )
    closed = select(account.id).where(account.id.in_(accounts), account.state != AccountState.OPEN)
    pairs = {frozenset(row) for row in connection.execute(blocked)}
    if quick:
        pairs |= _playing_pairs(connection, accounts)
    bots = select(account.id, account.owner_id, account.role)
    bots = bots.where(account.id.in_(accounts), account.role.in_(BOT_ROLES))
    found = connection.execute(bots).all()
    owners = {id: owner or "" for id, owner, _ in found}
    house = frozenset(id for id, _, role in found if role == AccountRole.HOUSE)
    busy: Collection[str] = ()
    if now is not None and len(owners) > 1:
        busy = _busy_bots(connection, owners.keys() - house, now - BOT_PERIOD_MS)
    shut = frozenset(connection.execute(closed).scalars())
    return Meetings(frozenset(pairs), shut, owners, frozenset(busy), house)


def _busy_bots(connection: Connection, bots: Collection[str], since: int) -> list[str]:
    """Return those of these bots that have begun MAX_BOT_MATCHES matches against bots since then."""
    own, other = schema.seat.alias(), schema.seat.alias()
    account, opponent = schema.account.alias(), schema.account.alias()
    source = (
        account.join(own, own.c.holder == account.c.holder)
        .join(schema.match, schema.match.c.id == own.c.match_id)
        .join(other, (other.c.match_id == own.c.match_id) & (other.c.number != own.c.number))
        .join(opponent, opponent.c.holder == other.c.holder)
    )
    query = select(account.c.id).select_from(source).group_by(account.c.id)
    query = query.where(
        account.c.id.in_(bots),
        opponent.c.role.in_((AccountRole.BOT, AccountRole.HOUSE)),
        schema.match.c.created > since,
    )
    return list(connection.execute(query.having(func.count() >= MAX_BOT_MATCHES)).scalars())


def _playing_pairs(connection: Connection, accounts: Collection[str]) -> set[frozenset[str]]:
    """Return the pairs of these accounts that have a match that goes on."""
    first, second = schema.account.alias(), schema.account.alias()
    seats = schema.seat.alias(), schema.seat.alias()
    source = (
        first.join(seats[0], seats[0].c.holder == first.c.holder)
        .join(schema.match, schema.match.c.id == seats[0].c.match_id)
        .join(
            seats[1], (seats[1].c.match_id == seats[0].c.match_id) & (seats[1].c.number > seats[0].c.number)
        )
        .join(second, second.c.holder == seats[1].c.holder)
    )
    query = select(first.c.id, second.c.id).select_from(source)
    query = query.where(
        schema.match.c.status == Status.PLAYING, first.c.id.in_(accounts), second.c.id.in_(accounts)
    )
    return {frozenset(row) for row in connection.execute(query)}


def accounts_of_holders(connection: Connection, holders: Collection[str]) -> list[str]:
    """Return the ids of the accounts that have these holders."""
    account = schema.account.c
    return list(connection.execute(select(account.id).where(account.holder.in_(holders))).scalars())


def set_block(connection: Connection, account_id: str, other_id: str, on: bool) -> None:
    """Let an account block another, or no longer."""
    row = schema.block.c
    both = (row.account_id == account_id) & (row.other_id == other_id)
    connection.execute(delete(schema.block).where(both))
    if on:
        connection.execute(insert(schema.block), {"account_id": account_id, "other_id": other_id})


def has_block(connection: Connection, account_id: str, other_id: str) -> bool:
    """Return whether an account blocks another."""
    row = schema.block.c
    query = select(row.other_id).where(row.account_id == account_id, row.other_id == other_id)
    return connection.execute(query).first() is not None


MAX_FOLLOWED = 200
_follow, _account = schema.follow.c, schema.account.c


def set_follow(connection: Connection, account_id: str, other_id: str, on: bool) -> bool:
    """Let an account follow another, or no longer. Return whether it follows no more than MAX_FOLLOWED."""
    both = (_follow.account_id == account_id) & (_follow.other_id == other_id)
    connection.execute(delete(schema.follow).where(both))
    if not on:
        return True
    of_account = select(func.count()).select_from(schema.follow).where(_follow.account_id == account_id)
    if connection.execute(of_account).scalar_one() >= MAX_FOLLOWED:
        return False
    connection.execute(insert(schema.follow), {"account_id": account_id, "other_id": other_id})
    return True


def has_follow(connection: Connection, account_id: str, other_id: str) -> bool:
    """Return whether an account follows another."""
    query = select(_follow.other_id).where(_follow.account_id == account_id, _follow.other_id == other_id)
    return connection.execute(query).first() is not None


def followed_names(connection: Connection, account_id: str) -> list[str]:
    """Return the names of the accounts that an account follows, in order, without those that were closed."""
    query = select(_account.name).join(schema.follow, _follow.other_id == _account.id)
    query = query.where(_follow.account_id == account_id, _account.state == AccountState.OPEN).order_by(
        _account.folded
    )
    return list(connection.execute(query).scalars())


def end_follows(connection: Connection, first: str, second: str) -> None:
    """Let neither of two accounts follow the other any more."""
    for one, other in ((first, second), (second, first)):
        set_follow(connection, one, other, False)


def _erase(connection: Connection, account: Account) -> None:
    """Remove the seeks, blocks, follows and challenges of an account, and the notifications of challenges."""
    connection.execute(delete(schema.seek).where(schema.seek.c.account_id == account.id))
    for table in (schema.block, schema.follow):
        concerned = (table.c.account_id == account.id) | (table.c.other_id == account.id)
        connection.execute(delete(table).where(concerned))
    asked = schema.challenge.c
    of_account = (asked.challenger_id == account.id) | (asked.challenged_id == account.id)
    ended = select(asked.id).where(of_account)
    connection.execute(delete(schema.notification).where(schema.notification.c.match_id.in_(ended)))
    connection.execute(delete(schema.challenge).where(of_account))


BELONGINGS = Belongings(
    lambda connection, account: {"follows": followed_names(connection, account.id)}, erase=_erase
)


_challenge = schema.challenge.c


class Challenge(NamedTuple):
    """A challenge, with the names of both accounts.

    `match` is set once it is accepted: the id of the match, or of the duel.
    """

    id: str
    challenger_id: str
    challenged_id: str
    wish: Wish
    rated: bool
    since: int
    until: int
    declined: bool
    match: str | None
    challenger: str
    challenged: str

    @property
    def is_duel(self) -> bool:
        """Return whether it is a challenge to a duel or a duplicate pair, which have no time control."""
        return not self.wish.time

    @property
    def path(self) -> str:
        """The path of what it has led to, "" before it is accepted."""
        if not self.match:
            return ""
        return f"/tournaments/{self.match}" if self.is_duel else f"/m/{self.match}"

    def is_waiting(self, now: int) -> bool:
        """Return whether it can still be answered."""
        return self.match is None and not self.declined and self.until > now


def add_challenge(connection: Connection, new: Challenge) -> None:
    """Store a challenge."""
    row = {
        "id": new.id,
        "challenger_id": new.challenger_id,
        "challenged_id": new.challenged_id,
        "game": new.wish.game,
        "control": new.wish.time,
        "rated": new.rated,
        "since": new.since,
        "until": new.until,
        "declined": new.declined,
        "match_id": new.match,
    }
    connection.execute(insert(schema.challenge), row)


def find_challenge(connection: Connection, id: str, lock: bool = False) -> Challenge | None:
    """Return the challenge with this id. `lock`: nobody else changes it before the transaction ends."""
    query = _challenges().where(_challenge.id == id)
    if lock:
        query = query.with_for_update(of=schema.challenge)
    found = connection.execute(query).first()
    return _read_challenge(found) if found else None


def waiting_challenges(connection: Connection, account_id: str, now: int) -> list[Challenge]:
    """Return the challenges of an account and to it that can still be answered, the newest first."""
    query = _challenges().where(
        or_(_challenge.challenger_id == account_id, _challenge.challenged_id == account_id),
        _challenge.until > now,
        _challenge.match_id.is_(None),
        _challenge.declined.is_(False),
    )
    return [
        _read_challenge(row)
        for row in connection.execute(query.order_by(_challenge.since.desc(), _challenge.id))
    ]


def count_challenges(connection: Connection, account_id: str, now: int) -> int:
    """Return how many challenges of an account wait for an answer."""
    query = select(func.count()).select_from(schema.challenge)
    query = query.where(
        _challenge.challenger_id == account_id, _challenge.until > now, _challenge.match_id.is_(None)
    )
    return int(connection.execute(query.where(_challenge.declined.is_(False))).scalar_one())


def remove_challenge(connection: Connection, id: str) -> None:
    """Remove a challenge."""
    connection.execute(delete(schema.challenge).where(_challenge.id == id))


def set_declined(connection: Connection, id: str) -> None:
    """Store that a challenge was declined."""
    connection.execute(update(schema.challenge).where(_challenge.id == id).values(declined=True))


def set_challenge_match(connection: Connection, id: str, match: str) -> None:
    """Store the match of a challenge that was accepted."""
    connection.execute(update(schema.challenge).where(_challenge.id == id).values(match_id=match))


def _challenges() -> Select[Any]:
    """Return the query of all challenges with the names of both accounts."""
    first, second = schema.account.alias(), schema.account.alias()
    source = schema.challenge.join(first, first.c.id == _challenge.challenger_id)
    source = source.join(second, second.c.id == _challenge.challenged_id)
    names = first.c.name.label("challenger"), second.c.name.label("challenged")
    return select(schema.challenge, *names).select_from(source)


def _read_challenge(row: Any) -> Challenge:
    return Challenge(
        row.id,
        row.challenger_id,
        row.challenged_id,
        Wish(row.game, row.control),
        row.rated,
        row.since,
        row.until,
        row.declined,
        row.match_id,
        row.challenger,
        row.challenged,
    )


ABSENT_MS = 30_000  # without a sign of its page, after which a seek of a live game stands still
MAX_SOUGHT_SEEKS = 200  # the newest, whose wishes are listed
KEPT_MS = 60 * 60_000  # for which a seek that is over still leads to its match

_seek = schema.seek.c


class StoredSeek(NamedTuple):
    """A row of the table `seek`. `match` is the match that it led to, None while it waits."""

    id: str
    account_id: str
    wishes: tuple[Wish, ...]
    rated: bool
    since: int
    until: int
    seen: int
    match: str | None


class SoughtWish(NamedTuple):
    """A wish that other people wait for, and their number."""

    wish: Wish
    rated: bool
    people: int


class WaitingSeek(NamedTuple):
    """A seek that can be paired, and its account."""

    seek: Seek
    account: Account


def put_seek(connection: Connection, new: StoredSeek) -> None:
    """Store a seek in place of any other of its account."""
    connection.execute(delete(schema.seek).where(_seek.account_id == new.account_id))
    row = new._asdict() | {"wishes": json.dumps(new.wishes), "match_id": new.match}
    del row["match"]
    connection.execute(insert(schema.seek), row)


def seek_of(connection: Connection, account_id: str, lock: bool = False) -> StoredSeek | None:
    """Return the seek of an account. `lock`: nobody else changes it before the transaction ends."""
    query = select(schema.seek).where(_seek.account_id == account_id)
    return _read_seek(connection.execute(query.with_for_update() if lock else query).first())


def remove_seek(connection: Connection, account_id: str) -> bool:
    """Remove the seek of an account, unless it was paired. Return whether there was one."""
    waiting = (_seek.account_id == account_id) & _seek.match_id.is_(None)
    return connection.execute(delete(schema.seek).where(waiting)).rowcount == 1


def note_seen(connection: Connection, id: str, now: int) -> None:
    """Store that the page of a seek is there."""
    connection.execute(update(schema.seek).where(_seek.id == id).values(seen=now))


def has_waiting(connection: Connection) -> bool:
    """Return whether there is more than one seek that waits."""
    waiting = select(_seek.id).where(_seek.match_id.is_(None)).limit(2)
    return len(connection.execute(waiting).all()) == 2


def count_seeks(connection: Connection, now: int) -> int:
    """Return the number of seeks that wait."""
    query = select(func.count()).select_from(schema.seek).where(_seek.match_id.is_(None), _seek.until > now)
    return int(connection.execute(query).scalar_one())


def remove_old(connection: Connection, now: int) -> None:
    """Remove the seeks that have lapsed."""
    lapsed = and_(_seek.match_id.is_(None), _seek.until <= now)
    connection.execute(delete(schema.seek).where(or_(lapsed, _seek.until <= now - KEPT_MS)))


def waiting_seeks(connection: Connection, now: int) -> list[WaitingSeek]:
    """Return the seeks that can be paired now, the oldest first, and let nobody else change them meanwhile.

    Of a seek whose page has gone only the games by correspondence count.
    """
    query = select(schema.seek).where(_seek.match_id.is_(None), _seek.until > now)
    query = query.order_by(_seek.since, _seek.id).with_for_update(skip_locked=True)
    stored = [found for row in connection.execute(query) if (found := _read_seek(row))]
    of_account = schema.account.c.id.in_([one.account_id for one in stored])
    rows = connection.execute(select(schema.account).where(of_account))
    accounts = {row.id: Account(**{name: getattr(row, name) for name in Account._fields}) for row in rows}
    points = _points(connection, list(accounts))
    waiting = []
    for one in stored:
        wishes = _open_wishes(one, now)
        seek = Seek(one.id, one.account_id, wishes, one.rated, one.since, points[one.account_id])
        waiting.append(WaitingSeek(seek, accounts[one.account_id]))
    return waiting


def sought_wishes(connection: Connection, account_id: str | None, now: int) -> list[SoughtWish]:
    """Return what other people look for whom this account, if any, may meet: what most wish first."""
    query = select(schema.seek).where(_seek.match_id.is_(None), _seek.until > now)
    query = query.order_by(_seek.since.desc(), _seek.id).limit(MAX_SOUGHT_SEEKS)
    stored = [found for row in connection.execute(query) if (found := _read_seek(row))]
    if account_id is not None:
        stored = [one for one in stored if one.account_id != account_id]
        bars = find_meetings(connection, [account_id, *(one.account_id for one in stored)], quick=True)
        stored = [one for one in stored if bars.may_meet(account_id, one.account_id)]
    counts = Counter((wish, one.rated) for one in stored for wish in _open_wishes(one, now))
    order = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    return [SoughtWish(wish, rated, people) for (wish, rated), people in order]


def _open_wishes(one: StoredSeek, now: int) -> tuple[Wish, ...]:
    """Return the wishes that can be fulfilled now: of a seek whose page has gone, the games by correspondence."""
    present = now - one.seen <= ABSENT_MS
    return tuple(wish for wish in one.wishes if present or not _is_live(wish))


def set_seek_matches(connection: Connection, ids: Sequence[str], match: str) -> None:
    """Store that these seeks led to a match."""
    connection.execute(update(schema.seek).where(_seek.id.in_(ids)).values(match_id=match))


def _points(connection: Connection, accounts: Sequence[str]) -> dict[str, dict[tuple[str, str], float]]:
    """Return the ratings of these accounts in points, by game and speed."""
    rating = schema.rating.c
    query = select(rating.account_id, rating.game, rating.speed, rating.points)
    found: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    for row in connection.execute(query.where(rating.account_id.in_(accounts))):
        found[row.account_id][row.game, row.speed] = row.points
    return found


def _is_live(wish: Wish) -> bool:
    control = clock.read(wish.time)
    return control is not None and control.live


def _read_seek(row: Any) -> StoredSeek | None:
    if row is None:
        return None
    wishes = tuple(Wish(*one) for one in json.loads(row.wishes))
    return StoredSeek(row.id, row.account_id, wishes, row.rated, row.since, row.until, row.seen, row.match_id)
