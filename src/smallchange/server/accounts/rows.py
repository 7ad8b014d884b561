"""Accounts, their names, credentials and sessions, as rows; and the port to what other features store for them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from smallchange.core.game import Game
from smallchange.i18n.text import Text
from smallchange.server.database import schema
from smallchange.server.table.model.commands import MAX_NAME
from smallchange.server.table.model.new_tables import BOT_MARK, person_name
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.names import clean, fold_name, skeleton
from smallchange.server.web.sessions import Account, AccountRole, AccountState

MIN_NAME = 2  # characters
DOTS = {".", ".."}  # parts that the path of a profile cannot have: browsers go up by them
NO_PATH = Text("that name is kept for a page of this site")
_TYPED_MARK = re.compile(r"\s*[(（]bot[)）]\s*$", re.IGNORECASE)


def valid_name(text: str) -> str:
    """Return the name as it is stored. Refuse one that is too short, or the title of a bot."""
    name = person_name(text)
    if len(name) < MIN_NAME:
        raise Refused(ErrorCode.SHORT_NAME, least=MIN_NAME, most=MAX_NAME)
    if DOTS.intersection(re.split(r"[/\\]", fold_name(name))):
        raise Refused(ErrorCode.BAD_NAME, name=name, why=NO_PATH)
    return name


def valid_bot_name(text: str) -> str:
    """Return the name of a bot's account as it is stored: its end says that it is a bot.

    >>> valid_bot_name("Pebble"), valid_bot_name("Pebble (BOT)")
    ('Pebble (bot)', 'Pebble (bot)')
    """
    name = clean(_TYPED_MARK.sub("", text[: 10 * MAX_NAME]), MAX_NAME - len(BOT_MARK))
    return valid_name(name) + BOT_MARK


def reserved_forms(name: str) -> dict[str, str]:
    """Return a digest that reserves the name of an erased account, and names that look like it, without telling it."""
    forms = {"folded": fold_name(name), "skeleton": skeleton(name)}
    return {column: hashlib.sha256(f"reserved {form}".encode()).hexdigest() for column, form in forms.items()}


PASSKEY, PASSWORD, RECOVERY = "passkey", "password", "recovery"  # kinds of credential
MAX_AGENT_CHARS = 200
_PUT_SECRET = text("INSERT INTO server_secret (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING")
ERASED_AT = "erased"  # the setting of an erased account
RESERVED_MS = 90 * 24 * 3_600_000  # for which nobody takes the name of an erased account

_account, _credential, _session = schema.account.c, schema.credential.c, schema.session.c


class Credential(NamedTuple):
    """A row of the table `credential`: a passkey's public key, or the hash of a password or recovery code."""

    id: str
    account_id: str
    kind: str
    verifier: str
    uses: int
    created: int


class Session(NamedTuple):
    """A row of the table `session`: a browser that is signed in, or a token of a bot with its label as `agent`."""

    hash: str
    created: int
    seen: int
    agent: str


class OwnBot(NamedTuple):
    """A bot with its tokens, for its owner."""

    account: Account
    tokens: list[Session]


class NameTaken(Exception):
    """Another account has this name, or one that looks the same."""


def create_account(connection: Connection, account: Account, credentials: list[Credential]) -> None:
    """Store an account with its credentials. Raise NameTaken, and store nothing then."""
    _refuse_reserved(connection, account.name, account.created)
    names = {"folded": fold_name(account.name), "skeleton": skeleton(account.name)}
    with connection.begin_nested():
        try:
            connection.execute(insert(schema.account), account._asdict() | names)
        except IntegrityError:
            raise NameTaken from None
    if credentials:
        connection.execute(insert(schema.credential), [one._asdict() for one in credentials])


def _refuse_reserved(connection: Connection, name: str, now: int) -> None:
    """Raise NameTaken if an account that was erased lately had this name. Free it if that is long ago."""
    for id, settings in connection.execute(
        select(_account.id, _account.settings).where(_is_reserved(name))
    ).all():
        if now - json.loads(settings)[ERASED_AT] < RESERVED_MS:
            raise NameTaken
        free = {"folded": id, "skeleton": id, "settings": "{}"}
        connection.execute(update(schema.account).where(_account.id == id).values(free))


def _is_reserved(name: str) -> ColumnElement[bool]:
    """Return the condition for erased accounts that had this name, or one that looks like it."""
    forms = reserved_forms(name)
    return (_account.folded == forms["folded"]) | (_account.skeleton == forms["skeleton"])


def rename_account(connection: Connection, id: str, name: str, now: int) -> None:
    """Give an account another name. Raise NameTaken."""
    _refuse_reserved(connection, name, now)
    names = {"name": name, "folded": fold_name(name), "skeleton": skeleton(name)}
    with connection.begin_nested():
        try:
            connection.execute(update(schema.account).where(_account.id == id).values(names))
        except IntegrityError:
            raise NameTaken from None


def account_by_name(connection: Connection, name: str) -> Account | None:
    """Return the account with this name, whatever its case and width."""
    return _one(connection, _account.folded == fold_name(name))


def account_by_id(connection: Connection, id: str) -> Account | None:
    """Return the account with this id."""
    return _one(connection, _account.id == id)


def account_by_holder(connection: Connection, holder: str) -> Account | None:
    """Return the account that holds its seats by this hash."""
    return _one(connection, _account.holder == holder)


def account_name(connection: Connection, holder: str) -> str | None:
    """Return the name of the account that holds its seats by this hash; None for a guest."""
    account = account_by_holder(connection, holder)
    return None if account is None else account.name


def bots_of(connection: Connection, owner_id: str) -> list[Account]:
    """Return the bots of an account that are not erased, the oldest first."""
    query = select(schema.account).where(_account.owner_id == owner_id, _account.state != AccountState.ERASED)
    return [account_of_row(row) for row in connection.execute(query.order_by(_account.created, _account.id))]


def bots_seen(connection: Connection, since: int, limit: int) -> list[str]:
    """Return the names of the bots that have been connected since then, the last ones first."""
    seen = func.max(_session.seen)
    query = select(_account.name).join(schema.session, _session.account_id == _account.id)
    query = query.where(_account.role == AccountRole.BOT, _account.state == AccountState.OPEN).group_by(
        _account.id, _account.name
    )
    query = query.having(seen >= since).order_by(seen.desc(), _account.name).limit(limit)
    return list(connection.execute(query).scalars())


def find_session(connection: Connection, hash: str) -> tuple[Account, int] | None:
    """Return the account that is signed in by the token with this hash, and when the session was last seen."""
    query = select(schema.account, _session.seen).join(schema.session).where(_session.hash == hash)
    row = connection.execute(query).first()
    return (account_of_row(row), int(row.seen)) if row else None


def credentials(connection: Connection, account_id: str, kind: str) -> list[Credential]:
    """Return the credentials of this kind, the oldest first."""
    query = select(schema.credential).where(_credential.account_id == account_id, _credential.kind == kind)
    return [
        Credential(*row) for row in connection.execute(query.order_by(_credential.created, _credential.id))
    ]


def credential(connection: Connection, id: str) -> Credential | None:
    """Return the credential with this id."""
    row = connection.execute(select(schema.credential).where(_credential.id == id)).first()
    return Credential(*row) if row else None


def has_credentials(connection: Connection, account_id: str) -> bool:
    """Return whether an account has any credential."""
    query = select(_credential.id).where(_credential.account_id == account_id).limit(1)
    return connection.execute(query).first() is not None


def add_credential(connection: Connection, new: Credential) -> None:
    """Store one more credential of an account."""
    connection.execute(insert(schema.credential), new._asdict())


def replace_credentials(connection: Connection, account_id: str, kind: str, new: list[Credential]) -> None:
    """Store these credentials in place of all others of their kind."""
    of_kind = (_credential.account_id == account_id) & (_credential.kind == kind)
    connection.execute(delete(schema.credential).where(of_kind))
    if new:
        connection.execute(insert(schema.credential), [one._asdict() for one in new])


def remove_credential(connection: Connection, account_id: str, id: str) -> bool:
    """Remove a credential of an account. Return whether there was one."""
    found = (_credential.account_id == account_id) & (_credential.id == id)
    return connection.execute(delete(schema.credential).where(found)).rowcount == 1


def note_use(connection: Connection, id: str, uses: int) -> None:
    """Store the sign count that a passkey has reached."""
    connection.execute(update(schema.credential).where(_credential.id == id).values(uses=uses))


def begin_session(connection: Connection, hash: str, account_id: str, now: int, agent: str) -> None:
    """Store that a browser has signed in."""
    row = {
        "hash": hash,
        "account_id": account_id,
        "created": now,
        "seen": now,
        "agent": agent[:MAX_AGENT_CHARS],
        "authenticated": now,
    }
    connection.execute(insert(schema.session), row)
    connection.execute(update(schema.account).where(_account.id == account_id).values(seen=now))


def authenticated_at(connection: Connection, hash: str) -> int:
    """Return when a session last authenticated, or 0."""
    query = select(_session.authenticated).where(_session.hash == hash)
    return int(connection.execute(query).scalar() or 0)


def renew_session(connection: Connection, old: str, new: str, now: int) -> bool:
    """Give a session that has authenticated again a new hash. Return whether there was such a session."""
    values = {"hash": new, "seen": now, "authenticated": now}
    return bool(
        connection.execute(update(schema.session).where(_session.hash == old).values(values)).rowcount
    )


def save_settings(connection: Connection, id: str, settings: str) -> None:
    """Store the settings of an account, as JSON."""
    connection.execute(update(schema.account).where(_account.id == id).values(settings=settings))


def note_seen(connection: Connection, hash: str, now: int) -> None:
    """Store that a session was used."""
    account = select(_session.account_id).where(_session.hash == hash).scalar_subquery()
    connection.execute(update(schema.account).where(_account.id == account).values(seen=now))
    connection.execute(update(schema.session).where(_session.hash == hash).values(seen=now))


def sessions(connection: Connection, account_id: str) -> list[Session]:
    """Return the sessions of an account, the most recently used first."""
    query = select(_session.hash, _session.created, _session.seen, _session.agent)
    query = query.where(_session.account_id == account_id).order_by(_session.seen.desc(), _session.hash)
    return [Session(*row) for row in connection.execute(query)]


def end_sessions(
    connection: Connection, account_id: str, keep: str = "", hash: str | None = None
) -> list[str]:
    """Remove the session with this hash, or all but `keep`. Return the hashes of the removed sessions."""
    ended = (_session.account_id == account_id) & (_session.hash != keep)
    if hash is not None:
        ended &= _session.hash == hash
    hashes = list(connection.execute(select(_session.hash).where(ended)).scalars())
    connection.execute(delete(schema.session).where(_session.hash.in_(hashes)))
    return hashes


def put_secret(connection: Connection, name: str, new: str) -> str:
    """Store a secret of the server unless there is one of this name. Return the stored one."""
    connection.execute(_PUT_SECRET, {"name": name, "value": new})
    stored = schema.server_secret.c
    return str(connection.execute(select(stored.value).where(stored.name == name)).scalar_one())


def put_challenge(connection: Connection, holder: str, value: str, now: int) -> None:
    """Store the challenge that a visitor is to answer, in place of any other."""
    connection.execute(delete(schema.one_time_code).where(schema.one_time_code.c.holder == holder))
    connection.execute(insert(schema.one_time_code), {"holder": holder, "value": value, "at": now})


def find_challenge(connection: Connection, holder: str, not_before: int) -> str | None:
    """Return the challenge of a visitor, which stays; None if there is none since `not_before`."""
    stored = schema.one_time_code.c
    query = select(stored.value).where(stored.holder == holder, stored.at >= not_before)
    found: str | None = connection.execute(query).scalar()
    return found


def take_challenge(connection: Connection, holder: str, not_before: int) -> str | None:
    """Remove the challenge of a visitor and return it; None if there is none since `not_before`."""
    of_holder = schema.one_time_code.c.holder == holder
    row = connection.execute(select(schema.one_time_code).where(of_holder)).first()
    connection.execute(delete(schema.one_time_code).where(of_holder))
    return str(row.value) if row and row.at >= not_before else None


def count_attempt(connection: Connection, key: str, period_s: int, now_s: int) -> int:
    """Count an attempt. Return the number of attempts with this key in this period, at every process."""
    table, period = schema.attempt, now_s // period_s
    connection.execute(delete(table).where(table.c.key == key, table.c.period < period))
    upsert = text(
        "INSERT INTO attempt (key, period, number) VALUES (:key, :period, 1) "
        "ON CONFLICT (key, period) DO UPDATE SET number = attempt.number + 1 RETURNING number"
    )
    return int(connection.execute(upsert, {"key": key, "period": period}).scalar_one())


def move_seats(connection: Connection, old: str, new: str) -> list[str]:
    """Give the seats and days off of one holder to another. Return the ids of their tables."""
    seat = schema.seat
    ids = list(connection.execute(select(seat.c.match_id).where(seat.c.holder == old).distinct()).scalars())
    connection.execute(update(seat).where(seat.c.holder == old).values(holder=new))
    off = schema.day_off
    known = select(off.c.began).where(off.c.holder == new)
    connection.execute(delete(off).where(off.c.holder == old, off.c.began.in_(known)))
    connection.execute(update(off).where(off.c.holder == old).values(holder=new))
    return ids


def seats(connection: Connection, holder: str) -> list[dict[str, Any]]:
    """Return the seats of a holder as rows, each with the game of its table and the time when it was opened.

    The rows are without the holder.
    """
    seat, match = schema.seat.c, schema.match.c
    query = select(seat.match_id, seat.number, seat.name, seat.words, seat.points, match.game, match.created)
    query = query.join(schema.match, match.id == seat.match_id).where(seat.holder == holder)
    return [dict(row._mapping) for row in connection.execute(query.order_by(match.created))]


def erase_account(
    connection: Connection, account: Account, erase_name: Callable[[str, Collection[str]], str], now: int
) -> list[str]:
    """Erase an account: its credentials, its sessions, and its name, also in seats and records.

    Nobody can take the name, or one that looks like it, for RESERVED_MS.

    Return the ids of the account's tables.
    """
    tables = erase_seat_names(connection, account.holder, erase_name)
    for table in (schema.credential, schema.session):
        connection.execute(delete(table).where(table.c.account_id == account.id))
    free = {"folded": _account.id, "skeleton": _account.id, "settings": "{}"}  # one that was erased long ago
    connection.execute(update(schema.account).where(_is_reserved(account.name)).values(free))
    ghost = {
        "name": "",
        "settings": json.dumps({ERASED_AT: now}),
        "state": AccountState.ERASED,
        **reserved_forms(account.name),
    }
    connection.execute(update(schema.account).where(_account.id == account.id).values(ghost))
    return tables


def erase_seat_names(
    connection: Connection, holder: str, erase_name: Callable[[str, Collection[str]], str]
) -> list[str]:
    """Remove the name of a player from all seats and records. Return the ids of the tables.

    `erase_name` takes the text of a record and the players whose names are removed from it.
    """
    seat, match = schema.seat, schema.match
    own = seat.c.holder == holder
    of_table = connection.execute(
        select(match.c.id, match.c.game, match.c.record, seat.c.number)
        .join(seat, seat.c.match_id == match.c.id)
        .where(own)
    ).all()
    numbers: dict[str, list[int]] = {}
    for row in of_table:
        numbers.setdefault(row.id, []).append(row.number)
    for row in {row.id: row for row in of_table}.values():
        if row.record is not None:
            players = [Game(row.game).seats[number] for number in numbers[row.id]]
            erased = erase_name(row.record, players)
            connection.execute(update(match).where(match.c.id == row.id).values(record=erased))
    connection.execute(update(seat).where(own).values(name=""))
    return list(numbers)


def seat_count(connection: Connection, holder: str) -> int:
    """Return the number of seats that a holder has."""
    query = select(func.count()).select_from(schema.seat).where(schema.seat.c.holder == holder)
    return int(connection.execute(query).scalar_one())


def _one(connection: Connection, where: Any) -> Account | None:
    return _read_account(connection.execute(select(schema.account).where(where)).first())


def _read_account(row: Row[Any] | None) -> Account | None:
    return account_of_row(row) if row else None


def account_of_row(row: Row[Any]) -> Account:
    """Return the account in a row of the table `account`."""
    return Account(**{name: getattr(row, name) for name in Account._fields})


class Belongings(NamedTuple):
    """The export, the move to another holder and the erasing of all that a feature stores for a person."""

    export: Callable[[Connection, Account], dict[str, Any]] = lambda connection, account: {}
    move: Callable[[Connection, str, str], None] = lambda connection, old, new: None
    erase: Callable[[Connection, Account], None] = lambda connection, account: None
