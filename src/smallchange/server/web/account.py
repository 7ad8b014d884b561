"""The account of a visitor."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any, NamedTuple


class AccountRole(StrEnum):
    """The roles of accounts. A house bot belongs to the site."""

    PERSON = "person"
    KEEPER = "keeper"
    BOT = "bot"
    HOUSE = "house"


class AccountState(StrEnum):
    """The states of an account."""

    OPEN = "open"
    BANNED = "banned"
    ERASED = "erased"


BOT_ROLES = (AccountRole.BOT, AccountRole.HOUSE)


class Account(NamedTuple):
    """An account. `settings` is JSON. `owner_id`: the account of a bot's owner."""

    id: str
    name: str
    holder: str
    created: int
    role: str  # an AccountRole
    state: str  # an AccountState
    settings: str
    owner_id: str | None = None

    @property
    def is_bot(self) -> bool:
        """Return whether a program plays by this account."""
        return self.role in BOT_ROLES

    @property
    def is_house(self) -> bool:
        """Return whether it is a house bot, whose rating is fixed."""
        return self.role == AccountRole.HOUSE

    @property
    def shows_results(self) -> bool:
        """Return whether everybody may see results, games and play ratings on the account's page."""
        return self.preferences.get("results") == "shown"

    @property
    def preferences(self) -> dict[str, Any]:
        """The settings of the account."""
        found: dict[str, Any] = json.loads(self.settings)
        return found


class Identity(NamedTuple):
    """The identity behind a token: the account that is signed in by it, if any.

    If `superseded`, it was the token of a guest who has an account now.
    """

    account: Account | None = None
    superseded: bool = False
