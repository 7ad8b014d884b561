"""House bots as rows: accounts with fixed ratings, one for each game for two and level."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from smallchange.core.game import Game
from smallchange.server.accounts.rows import account_by_id, account_of_row
from smallchange.server.database import schema
from smallchange.server.ratings.anchors import Anchor
from smallchange.server.table.model.commands import MAX_NAME
from smallchange.server.table.model.new_tables import BOT_MARK
from smallchange.server.table.model.time_control import SPEEDS
from smallchange.server.web.account import Account, AccountRole, AccountState
from smallchange.server.web.lookalikes import fold_name, skeleton

_PUT_ACCOUNT = text(
    "INSERT INTO account (id, name, folded, skeleton, holder, created, role, state, settings) VALUES "
    "(:id, :name, :folded, :skeleton, :holder, :created, :role, :state, :settings) ON CONFLICT DO NOTHING"
)
_PUT_RATING = text(
    "INSERT INTO rating (account_id, game, speed, points, deviation, volatility, at, matches) "
    "VALUES (:account_id, :game, :speed, :points, :deviation, :volatility, 0, 0) "
    "ON CONFLICT (account_id, game, speed) DO UPDATE SET points = excluded.points, "
    "deviation = excluded.deviation, volatility = excluded.volatility"
)


class HouseBot(NamedTuple):
    """A house bot: its account, the game that it plays, and its fixed rating."""

    account: Account
    game: str
    anchor: Anchor


def house_id(game: str, level: str) -> str:
    """Return the id of the account of a level: the same in every process, so that there is one.

    It is the holder of its seats too. No token has this hash, so nobody can play in its place.
    """
    return f"house-{hashlib.sha256(f'{game} {level}'.encode()).hexdigest()[:24]}"


def house_name(game: Game, level: str, suffix: str = "") -> str:
    """Return the name of the account of a level; its end says that it is a bot."""
    about = f" Level {level.removeprefix('level')}{suffix}{BOT_MARK}"
    title = game.words.TITLE.en.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")  # as keyboards have it
    return title[: MAX_NAME - len(about)] + about


def put_house_bots(connection: Connection, game: Game, anchors: Sequence[Anchor], now: int) -> None:
    """Create the house bots of a game that are not there yet, and store the ratings of all.

    Any number of processes may do so at once.
    """
    for anchor in anchors:
        id = house_id(game.id, anchor.level)
        _put_account(connection, game, anchor.level, now)
        for speed in SPEEDS:
            row = {"account_id": id, "game": game.id, "speed": speed} | anchor.rating._asdict()
            connection.execute(_PUT_RATING, row)


def _put_account(connection: Connection, game: Game, level: str, now: int) -> None:
    """Create the account of a level unless it is there, by the first of its names that nobody has."""
    id, tried = house_id(game.id, level), 0
    while account_by_id(connection, id) is None:
        name = house_name(game, level, f" {tried + 1}" if tried else "")
        names = {"name": name, "folded": fold_name(name), "skeleton": skeleton(name)}
        settings = json.dumps({"game": game.id, "level": level})
        row = {
            "id": id,
            "holder": id,
            "created": now,
            "role": AccountRole.HOUSE,
            "state": AccountState.OPEN,
            "settings": settings,
        }
        connection.execute(_PUT_ACCOUNT, row | names)
        tried += 1


def open_house_accounts(connection: Connection) -> dict[str, Account]:
    """Return the accounts of house bots that may play, by id."""
    account = schema.account.c
    rows = connection.execute(
        select(schema.account).where(account.role == AccountRole.HOUSE, account.state == AccountState.OPEN)
    )
    return {row.id: account_of_row(row) for row in rows}
