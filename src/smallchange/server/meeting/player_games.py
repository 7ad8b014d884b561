"""The records of a player's finished games in one file: as text, as JSON, or in Portable Piecepack Notation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from smallchange.core import record
from smallchange.core.errors import BadRecord, NoPiecepackGame
from smallchange.core.piecepack_notation import portable_piecepack
from smallchange.server.meeting.finished_games import FinishedGame
from smallchange.server.meeting.player_games_view import JSON, PPN, TEXT
from smallchange.server.table.table_service import TableService
from smallchange.server.web.errors import Refused

MEDIA_TYPES = {TEXT: "text/plain", JSON: "application/json", PPN: "text/plain"}


async def games_file(tables: TableService, found: Sequence[FinishedGame], holder: str, kind: str) -> str:
    """Return the records of these games in one file of a kind.

    A game whose rules have changed since stays in the text alone, and a game without a piecepack is not in PPN.
    """
    texts = []
    for one in found:
        text = one.record
        if one.sealed:
            with suppress(Refused):
                text = await tables.live.record_text(one.match, holder)
        texts.append(text)
    return await asyncio.to_thread(_write, texts, kind)


def _write(texts: Sequence[str], kind: str) -> str:
    if kind == TEXT:
        return "\n".join(texts)
    written = list[str]()
    for text in texts:
        with suppress(BadRecord, NoPiecepackGame):
            match = record.read(text)
            written.append(record.to_json_text(match) if kind == JSON else portable_piecepack(match))
    return f"[{','.join(written)}]\n" if kind == JSON else "\n".join(written)
