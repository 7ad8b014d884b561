"""The deal of the day, as tests play it."""

from __future__ import annotations

from random import Random

from smallchange import bots
from smallchange.server.daily.view import date_of
from smallchange.server.table.live.bot_turns import wait_for_bots
from smallchange.server.table.model.commands import PlayMove
from smallchange.server.table.model.history import History
from smallchange.server.web.sessions import token_hash

from .rated import sign_up
from .serving import TIMEOUT_S, Person, Served, fresh
from .tables import write

GAME = "solo"


def begin(person: Person, game: str = GAME) -> str:
    """Begin a deal of the day, or go on with it; return the table's id."""
    answer = person.post(f"/daily/{game}")
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/m/")


def have_place(served: Served, *people: Person) -> None:
    """Give people accounts that are older than the day."""
    for person in people:
        sign_up(person, f"Old {person.web.cookies['who'][:8]}")
    write(served, "UPDATE account SET created = 0")


def holder_of(served: Served, person: Person) -> str:
    """Return the hash that holds the seats of a person: of the account, or of the guest's token."""
    hash = token_hash(person.web.cookies["who"])
    account = served.call(served.services.accounts.identity(hash)).account
    return str(account.holder) if account else hash


def move(served: Served, person: Person, id: str, choice: int = 0) -> History:
    """Take a step by a simple rule, each time alike for a choice, and let the bot answer if there is one."""
    live_table = served.live_table(id)
    served.call(wait_for_bots(live_table, TIMEOUT_S))
    history = live_table.history
    player = bots.bot("random" if choice else "greedy", luck=Random(choice))
    act = PlayMove(id, history.ply, fresh(), player(history.match.position))
    served.call(served.services.tables.submit(holder_of(served, person), act))
    served.call(wait_for_bots(live_table, TIMEOUT_S))
    return served.live_table(id).history


def finish(served: Served, person: Person, id: str, choice: int = 0) -> History:
    """Play a table to its end."""
    while served.live_table(id).history.ending is None:
        move(served, person, id, choice)
    return served.live_table(id).history


def a_day_later(served: Served) -> str:
    """Put what was played today on yesterday, and return that day as it is written in addresses."""
    for table in ("match", "daily"):
        write(served, f"UPDATE {table} SET day = day - 1 WHERE day IS NOT NULL")
    return date_of(served.services.daily.today - 1).isoformat()
