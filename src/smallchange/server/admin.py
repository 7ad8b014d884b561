"""Orders of keepers from the command line, for `smallchange server admin`: beside a server, or without one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from smallchange.server.accounts import rows as accounts
from smallchange.server.database import site_state
from smallchange.server.database.opening import CannotOpen, open_database
from smallchange.server.moderation import service as keeping
from smallchange.server.moderation.service import (
    COMMAND_LINE,
    LoggedAction,
    NamedReport,
    Order,
    carry_out,
    set_block,
)
from smallchange.server.settings import Settings
from smallchange.server.web.errors import Refused, refusal_text
from smallchange.server.web.sessions import Account

REPORT_PREFIX = "report:"  # before the id of a report, in place of a name
T = TypeVar("T")


class CannotKeep(RuntimeError):
    """An order of a keeper is not possible, and nothing was changed. The error gives the reason in one line."""


def reports(settings: Settings, limit: int, closed: bool) -> list[NamedReport]:
    """Return the open reports, or the closed ones. Raise BadSetting or CannotKeep."""
    return _with_database(settings, lambda c: keeping.list_reports(c, limit, closed))


def log(settings: Settings, limit: int) -> list[LoggedAction]:
    """Return the newest lines of the keepers' log. Raise BadSetting or CannotKeep."""
    return _with_database(settings, lambda c: keeping.read_log(c, limit))


def order(settings: Settings, action: str, who: str, name: str = "", note: str = "") -> None:
    """Do what a keeper orders about an account by its name, or about the player of `report:ID`, and log it.

    Raise BadSetting or CannotKeep.
    """

    def run(connection: Connection) -> None:
        if who.startswith(REPORT_PREFIX):
            found = keeping.find_report(connection, who.removeprefix(REPORT_PREFIX))
            if found is None:
                raise CannotKeep(f"there is no report {who.removeprefix(REPORT_PREFIX)!r}")
            chosen = Order(action, found.reported, found.id, name, note)
        else:
            chosen = Order(action, _account(connection, who).holder, "", name, note)
        carry_out(connection, COMMAND_LINE, chosen, int(time.time() * 1000))

    _with_database(settings, run)


def set_mode(settings: Settings, mode: str) -> None:
    """Let the site be open or draining. Raise BadSetting or CannotKeep."""
    _with_database(settings, lambda c: site_state.set_mode(c, site_state.Mode(mode)))


def announce(settings: Settings, at_ms: int, minutes: int) -> None:
    """Announce maintenance on every page; none any more for no minutes. Raise BadSetting or CannotKeep."""
    new = site_state.Maintenance(at_ms, minutes) if minutes else None
    _with_database(settings, lambda c: site_state.set_maintenance(c, new))


def networks(settings: Settings) -> list[tuple[str, int, str]]:
    """Return the networks that are shut out, since when, and the note. Raise BadSetting or CannotKeep."""
    return _with_database(
        settings, lambda c: [(row.network, row.at, row.note) for row in site_state.blocked_networks(c)]
    )


def block(settings: Settings, network: str, note: str, on: bool) -> str:
    """Shut a network out or let it in again, log it, and return the network. Raise BadSetting or CannotKeep."""
    now = int(time.time() * 1000)

    def run(connection: Connection) -> str:
        return set_block(connection, COMMAND_LINE, network, on, now, note)

    return _with_database(settings, run)


def _account(connection: Connection, name: str) -> Account:
    account = accounts.account_by_name(connection, name)
    if account is None:
        raise CannotKeep(f"there is no account {name!r}")
    return account


def _with_database(settings: Settings, ask: Callable[[Connection], T]) -> T:
    """Return the answer of a database, in one transaction."""
    try:
        with open_database(settings) as opened, opened.begin() as connection:
            return ask(connection)
    except CannotOpen as wrong:
        raise CannotKeep(str(wrong)) from wrong
    except Refused as wrong:
        raise CannotKeep(refusal_text(wrong)["en"]) from wrong
