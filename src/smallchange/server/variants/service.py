"""Variants that players save under a name, to share them by a link."""

from __future__ import annotations

import hashlib
import json

from smallchange.core.errors import BadOption, UnknownGame
from smallchange.core.game import Game, complete_game
from smallchange.core.variants import without_idle_options
from smallchange.server.accounts.account_names import account_name
from smallchange.server.table.live.table_service import now_ms
from smallchange.server.table.storage.store import NUL, Store
from smallchange.server.variants import rows as rows
from smallchange.server.variants.rows import OwnVariant
from smallchange.server.web.errors import ErrorCode, Refused

MAX_OWN = 100  # saved variants of one holder
ID_CHARS = 24


class Variants:
    """Saves variants and finds them again."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def save(self, holder: str, game: Game, name: str) -> str:
        """Save a variant and return its id. The same one, saved again, has the same id.

        Refuse a name that no account may have, and too many variants.
        """
        name, options = account_name(name), without_idle_options(game).non_default_options
        content = json.dumps([holder, game.id, options, name], sort_keys=True)
        id = hashlib.sha256(content.encode()).hexdigest()[:ID_CHARS]
        new = OwnVariant(id, holder, game.id, options, name, now_ms())
        if not await self._store.write("", lambda c: rows.put_variant(c, new, MAX_OWN)):
            raise Refused(ErrorCode.OWNED_LIMIT, most=MAX_OWN)
        return id

    async def find(self, id: str) -> tuple[OwnVariant, Game]:
        """Return a variant with its game. Refuse if there is none, or if its game does not accept it any more."""
        found = None if NUL in id else await self._store.read(lambda c: rows.find_variant(c, id))
        game = _game_of(found) if found else None
        if found is None or game is None:
            raise Refused(ErrorCode.NO_PAGE)
        return found, game

    async def of_holder(self, holder: str) -> list[tuple[OwnVariant, Game]]:
        """Return the variants of a holder, the newest first, without those that their games accept no more."""
        found = await self._store.read(lambda c: rows.variants_of(c, holder))
        return [(one, game) for one in found if (game := _game_of(one))]

    async def remove(self, id: str, holder: str) -> None:
        """Remove a variant of this holder. Refuse if it is not there, or another's."""
        if NUL in id or not await self._store.write("", lambda c: rows.remove_variant(c, id, holder)):
            raise Refused(ErrorCode.NO_PAGE)


def _game_of(found: OwnVariant) -> Game | None:
    try:
        return complete_game(found.game, dict(found.options))
    except (UnknownGame, BadOption):  # the rules have changed since
        return None
