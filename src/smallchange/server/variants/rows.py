"""Variants that players saved under a name, as rows: a game with its options."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from smallchange.core.options import Value
from smallchange.server.accounts.belongings import Belongings
from smallchange.server.database import schema

_row = schema.variant.c


class OwnVariant(NamedTuple):
    """A saved variant. `options` are those that differ from their defaults; `created` is in ms since 1970."""

    id: str
    holder: str
    game: str
    options: dict[str, Value]
    name: str
    created: int


def put_variant(connection: Connection, new: OwnVariant, most: int) -> bool:
    """Store a variant unless it is stored already. Return False if its holder has `most` others."""
    if find_variant(connection, new.id) is not None:
        return True
    of_holder = select(func.count()).select_from(schema.variant).where(_row.holder == new.holder)
    if connection.execute(of_holder).scalar_one() >= most:
        return False
    connection.execute(insert(schema.variant), new._asdict() | {"options": json.dumps(new.options)})
    return True


def find_variant(connection: Connection, id: str) -> OwnVariant | None:
    """Return the variant with this id."""
    row = connection.execute(select(schema.variant).where(_row.id == id)).first()
    return _read(row) if row else None


def variants_of(connection: Connection, holder: str) -> list[OwnVariant]:
    """Return the variants of a holder, the newest first."""
    query = select(schema.variant).where(_row.holder == holder)
    return [_read(row) for row in connection.execute(query.order_by(_row.created.desc(), _row.id))]


def remove_variant(connection: Connection, id: str, holder: str) -> bool:
    """Remove a variant of this holder. Return whether there was one."""
    found = (_row.id == id) & (_row.holder == holder)
    return connection.execute(delete(schema.variant).where(found)).rowcount == 1


def move_variants(connection: Connection, old: str, new: str) -> None:
    """Give the variants of one holder to another."""
    connection.execute(update(schema.variant).where(_row.holder == old).values(holder=new))


def erase_variant_names(connection: Connection, holder: str) -> None:
    """Remove the names that a holder gave to variants. Their links go on leading to the boards."""
    connection.execute(update(schema.variant).where(_row.holder == holder).values(name=""))


def export_variants(connection: Connection, holder: str) -> list[dict[str, Any]]:
    """Return the variants of a holder for the export of an account."""
    kept = ("id", "game", "options", "name", "created")
    return [{name: getattr(one, name) for name in kept} for one in variants_of(connection, holder)]


def _read(row: Any) -> OwnVariant:
    return OwnVariant(row.id, row.holder, row.game, json.loads(row.options), row.name, row.created)


BELONGINGS = Belongings(
    lambda connection, account: {"variants": export_variants(connection, account.holder)},
    move_variants,
    lambda connection, account: erase_variant_names(connection, account.holder),
)
