"""Matches of a tournament to which somebody did not come: seen by page, socket and program, on whatever process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.live.table_service import now_ms
from smallchange.server.tournaments import rows
from smallchange.server.tournaments.director import Director

from .outside import until
from .rated import bearer, sign_up
from .serving import TIMEOUT_S, Person, Served, hear, say, serving
from .tables import PAIR

LOOK_MS = 4_000  # between two looks that are no outage
NAMES = count()
Coming = Callable[[Person, str], None]


def open_page(player: Person, match: str) -> None:
    player.page(match)


def open_socket(player: Person, match: str) -> None:
    with player.socket() as line:
        say(line, **{"is": "watch", "match": match})
        hear(line, "changes")


def read_by_program(player: Person, match: str) -> None:
    assert player.web.get(f"/api/matches/{match}", headers=bearer(player)).status_code == 200


def stream_by_program(player: Person, match: str) -> None:
    with player.web.stream("GET", f"/api/matches/{match}/stream", headers=bearer(player)) as events:
        next(line for line in events.iter_lines() if line)


def stream_account(player: Person, match: str) -> None:
    """Follow the events of the account, of which the first, or a sign of life, comes after it watches its tables."""
    with player.web.stream("GET", "/api/account/events", headers=bearer(player)) as events:
        next(events.iter_lines())


WAYS: list[Coming] = [open_page, open_socket, read_by_program, stream_by_program, stream_account]


class Match(NamedTuple):
    """The first match of a tournament, and its players by seat."""

    tournament: str
    id: str
    players: list[Person]

    def result(self, url: str) -> tuple[list[float], list[bool]]:
        """Return the points of both seats, and whether they are out of the pairings, as a server tells them."""
        found = httpx.get(f"{url}/api/tournaments/{self.tournament}", timeout=TIMEOUT_S).json()
        one, out = found["pairings"][0], {row["entry"]: row["withdrawn"] for row in found["standings"]}
        return one["points"], [out[one["first"]], out[one["second"]]]


class Roles:
    """The roles of a server that plays none itself, at a time that the test moves."""

    def __init__(self, served: Served, time: int) -> None:
        self.served, self.time, tables = served, time, served.services.tables
        served.call(served.services.end_roles())  # its own clock would be missed while time flies
        tables.now = lambda: self.time
        self._clock, self._director = ClockWorker(tables, "test"), Director(tables, "test")

    def pass_ms(self, ms: int) -> None:
        """Let time pass while the roles of the clock and of the director are played."""
        end = self.time + ms
        while self.time < end:
            self.time = min(self.time + LOOK_MS, end)
            self.sweep()

    def sweep(self) -> None:
        self.served.call(self._clock.sweep())
        while self.served.call(self._director.sweep()):
            pass

    def end(self, match: Match) -> tuple[list[float], list[bool]]:
        """Let time pass until the match has ended, and return its result."""
        while match.result(self.served.url)[0] is None:
            self.pass_ms(LOOK_MS)
        return match.result(self.served.url)

    def wait_for(self, match: Match, seat: int) -> None:
        """Wait until it is stored that the player of a seat came."""
        store = self.served.services.tables.store
        until(lambda: self.served.call(store.read(lambda c: rows.has_come(c, match.id, seat))))


@pytest.fixture(scope="module")
def roles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Roles]:
    with serving(tmp_path_factory.mktemp("shows"), roles="none") as served:
        yield Roles(served, now_ms())


@contextmanager
def tournament_match(roles: Roles, **order: Any) -> Iterator[Match]:
    """Yield the match of a tournament of two that has begun."""
    usual = {"name": "Cup", "kind": "swiss", "game": PAIR, "time": "1+2", "rounds": 3, "begins_in": 0}
    with ExitStack() as stack:
        players = [stack.enter_context(Person(roles.served)) for _ in range(2)]
        for player in players:
            sign_up(player, f"Player {next(NAMES)}x")
        opener = players[0]
        made = opener.web.post("/api/tournaments", json=usual | order, headers=bearer(opener))
        id = made.json()["id"]
        for player in players:
            player.post(f"/tournaments/{id}/enter")
        roles.sweep()
        (pairing,) = opener.web.get(f"/api/tournaments/{id}").json()["pairings"]
        seated = [players[pairing["first"] - 1], players[pairing["second"] - 1]]
        yield Match(id, pairing["match"], seated)


@pytest.mark.parametrize("kind", ["swiss", "arena", "round-robin"])
def test_a_match_to_which_neither_came_gives_no_points(roles: Roles, kind: str) -> None:
    is_out = kind != "round-robin"
    with tournament_match(roles, kind=kind) as match:
        assert roles.end(match) == ([0, 0], [is_out, is_out])


@pytest.mark.parametrize("kind", ["swiss", "arena", "round-robin"])
def test_who_came_wins_against_who_did_not(roles: Roles, kind: str) -> None:
    with tournament_match(roles, kind=kind) as match:
        open_page(match.players[1], match.id)
        roles.wait_for(match, 1)
        assert roles.end(match) == ([0, 2 if kind == "arena" else 1], [kind != "round-robin", False])


@pytest.mark.parametrize("coming", WAYS)
def test_whoever_is_at_the_table_has_come(roles: Roles, coming: Coming) -> None:
    with tournament_match(roles) as match:
        coming(match.players[1], match.id)
        roles.wait_for(match, 1)
        assert roles.end(match) == ([0, 1], [True, False])


def test_who_comes_late_and_does_not_move_wins_nothing_and_gives_nothing(roles: Roles) -> None:
    with tournament_match(roles) as match:
        roles.pass_ms(40_000)
        open_page(match.players[0], match.id)
        roles.wait_for(match, 0)
        assert roles.end(match) == ([0, 0], [True, True])


def test_who_looks_at_the_tournament_alone_has_not_come(roles: Roles) -> None:
    with tournament_match(roles) as match:
        for player in match.players:
            player.web.get(f"/api/tournaments/{match.tournament}", headers=bearer(player))
            player.web.get("/api/mine", headers=bearer(player))
        with Person(roles.served) as spectator:
            open_page(spectator, match.id)
        assert roles.end(match) == ([0, 0], [True, True])


def test_what_one_process_has_seen_counts_when_another_ends_the_match(database: str, tmp_path: Path) -> None:
    """The first stops before the match ends, and the second never saw the player."""
    with serving(tmp_path, database=database, bus="memory://", roles="none") as first:
        roles = Roles(first, now_ms())
        with tournament_match(roles) as match, tournament_match(roles) as other:
            open_page(match.players[1], match.id)
            roles.wait_for(match, 1)
            with serving(tmp_path, database=database, bus="memory://", roles="none") as second:
                elsewhere = Roles(second, now_ms())  # a second server has looked at the machine's time
                assert elsewhere.end(match) == ([0, 1], [True, False])
                assert elsewhere.end(other) == ([0, 0], [True, True])


def test_who_came_before_a_restart_has_come(tmp_path: Path) -> None:
    with serving(tmp_path, roles="none") as served:
        roles = Roles(served, now_ms())
        with tournament_match(roles) as match:
            open_page(match.players[1], match.id)
            roles.wait_for(match, 1)
            served.stop()
            with serving(tmp_path, roles="none") as again:
                assert Roles(again, now_ms()).end(match) == ([0, 1], [True, False])
