"""The port to the rows that other features store for an account, or for a guest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection

from smallchange.server.web.account import Account


class Belongings(NamedTuple):
    """The export, the move to another holder and the erasing of all that a feature stores for a person."""

    export: Callable[[Connection, Account], dict[str, Any]] = lambda connection, account: {}
    move: Callable[[Connection, str, str], None] = lambda connection, old, new: None
    erase: Callable[[Connection, Account], None] = lambda connection, account: None
