"""Sightings: the networks from which players came lately, as digests that tell no address, for keepers."""

from __future__ import annotations

import hmac
import secrets

from sqlalchemy import Connection, delete, insert, select, update

from smallchange.server.accounts.rows import put_secret
from smallchange.server.database import schema

_sighting = schema.sighting.c


def note_sighting(connection: Connection, holder: str, network: str, now: int) -> None:
    """Note that a player came from a network."""
    if not network:
        return
    secret = put_secret(connection, "sightings", secrets.token_urlsafe(32))
    digest = hmac.new(secret.encode(), network.encode(), "sha256").hexdigest()
    this = (_sighting.network == digest) & (_sighting.holder == holder)
    if not connection.execute(update(schema.sighting).where(this).values(at=now)).rowcount:
        connection.execute(insert(schema.sighting), {"network": digest, "holder": holder, "at": now})


def move_sightings(connection: Connection, old: str, new: str) -> None:
    """Give the sightings of one holder to another."""
    known = select(_sighting.network).where(_sighting.holder == new)
    connection.execute(
        delete(schema.sighting).where(_sighting.holder == old, _sighting.network.in_(known.scalar_subquery()))
    )
    connection.execute(update(schema.sighting).where(_sighting.holder == old).values(holder=new))


def forget_sightings(connection: Connection, holder: str) -> None:
    """Remove the sightings of a holder."""
    connection.execute(delete(schema.sighting).where(_sighting.holder == holder))
