"""Records as text. That of a match that has ended stays, whatever becomes of the rules it was played by."""

from __future__ import annotations

from smallchange import record

from .refused import Refused
from .rooms import Rooms
from .store import Store


async def text(rooms: Rooms, id: str) -> str:
    """The record of a table, as everybody may see it."""
    try:
        return record.write((await rooms.current(id)).story.record)
    except Refused as wrong:
        return await kept(rooms.store, id, wrong)


async def kept(store: Store, id: str, wrong: Refused) -> str:
    """The record of a table that was refused because its rules have changed; if there is none, or it was
    refused for something else, `wrong` is raised."""
    found = await store.kept(id) if wrong.code == "rules" else None
    if found is None:
        raise wrong
    return found.record
