"""So much for each holder and address, and no more."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from smallchange.core.game import Game
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.limits import MAX_COSTLY_REQUESTS, KeyedRateLimit

from .outside import until
from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, serving
from .tables import PAIR, table_for_two


def flood(line: ClientConnection) -> None:
    for _ in range(500):
        say(line, **{"is": "leave", "match": "abcdefgh"})
        line.recv(TIMEOUT_S)


def test_who_sends_too_much_is_told_to_wait_and_others_are_not(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with (
        serving(tmp_path_factory.mktemp("data"), playing=40, watching=10) as served,
        Person(served) as ann,
        Person(served) as bo,
    ):
        id = table_for_two(ann, bo)
        with ann.socket() as line, bo.socket() as other:
            for _ in range(12):
                say(line, **{"is": "leave", "match": "abcdefgh"})
            assert hear(line, "refusal")["code"] == "rate-limit"
            say(other, **{"is": "watch", "match": id})
            assert hear(other, "changes")
            with pytest.raises(ConnectionClosed):
                flood(line)
        with bo.socket() as line:
            say(line, **{"is": "watch", "match": id})
            for _ in range(12):
                say(line, **{"is": "leave", "match": "abcdefgh"})
            say(line, **{"is": "watch", "match": "nosuchmatch"})
            assert hear(line, "refusal")["code"] == "no-table", "a player has more credits than a spectator"


def test_one_address_has_so_many_sockets_and_no_more(tmp_path_factory: pytest.TempPathFactory) -> None:
    with (
        serving(tmp_path_factory.mktemp("data"), sockets=3) as served,
        Person(served) as ann,
        ExitStack() as open,
    ):
        lines = [open.enter_context(ann.socket()) for _ in range(3)]
        with pytest.raises(InvalidStatus), ann.socket():
            pass
        lines[0].close()
        until(lambda: served.services.limits.sockets._open["127.0.0.1"] <= 2)
        with ann.socket() as another:
            say(another, **{"is": "watch", "match": "nosuchmatch"})
            assert hear(another, "refusal")["code"] == "no-table"


def test_streams_that_come_at_once_are_no_more_than_that_either(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with serving(tmp_path_factory.mktemp("data"), sockets=2) as served, Person(served) as ann:
        id = ann.open(PAIR)

        async def at_once() -> list[int]:
            async with httpx.AsyncClient(base_url=served.url) as web, AsyncExitStack() as open:
                streams = (web.stream("GET", f"/api/matches/{id}/stream") for _ in range(20))
                answers = await asyncio.gather(*map(open.enter_async_context, streams))
                return sorted(answer.status_code for answer in answers)

        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(asyncio.run, at_once()).result() == [200] * 2 + [429] * 18
        until(lambda: not served.services.limits.sockets._open)


def test_a_forwarded_address_is_believed_from_a_known_proxy_alone(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    lie = {"X-Forwarded-For": "198.51.100.7"}
    hosts = ["127.0.0.1", "127.0.0.1", "127.0.0.1", "::", "::", "::"]
    known = ["", "127.0.0.1", " *, ", "192.0.2.1", "127.0.0.1", "::1, 127.0.0.0/8"]
    for host, proxies, believed in zip(hosts, known, 2 * [False, True, True], strict=True):
        folder = tmp_path_factory.mktemp("data")
        with (
            serving(folder, host=host, proxies=proxies) as served,
            Person(served) as ann,
            ann.socket(**lie),
        ):
            assert ("198.51.100.7" in served.services.limits.sockets._open) is believed


def test_one_address_opens_so_many_tables_and_no_more(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("data"), new_tables=3) as served, Person(served) as ann:
        for _ in range(3):
            ann.open(PAIR)
        refused = ann.post(f"/games/{PAIR}")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "200")
        answer = ann.web.post("/api/matches", json={"game": PAIR})
        assert (answer.status_code, answer.json()["code"]) == (429, "table-limit")
        assert answer.headers["retry-after"] == "200", "three in ten minutes"
        assert "3 tables in ten minutes" in answer.json()["why"]


def test_joining_is_not_counted_and_a_deal_that_is_looked_for_counts_as_several(tmp_path: Path) -> None:
    with serving(tmp_path, new_tables=6) as served, Person(served) as ann, Person(served) as bo:
        codes = [served.live_table(ann.open(PAIR)).history.head.code for _ in range(2)]
        for code in codes:
            assert bo.web.post(f"/api/join/{code}", json={}).status_code == 200
        assert ann.web.post("/api/matches", json={"game": "solo", "difficulty": "hard"}).status_code == 429
        for _ in range(4):
            ann.open(PAIR)


@pytest.mark.parametrize(
    "path",
    [
        "/m/{}/rematch",
        "/m/{}/fork",
        "/api/matches/{}/again",
        "/api/matches/{}/fork",
    ],
)
def test_every_way_to_a_new_table_is_counted(
    served: Served, ann: Person, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, fields = path.format(ann.open(PAIR)), {"at": 0} if path.endswith("fork") else {}
    empty = KeyedRateLimit(1, 600.0)
    empty.take("127.0.0.1")
    monkeypatch.setattr(served.services.limits, "tables", empty)
    assert ann.web.post(path, **payload(path, **fields)).status_code == 429


def test_of_many_addresses_those_are_forgotten_that_were_not_seen_for_longest() -> None:
    purses = KeyedRateLimit(1, 600.0, max_keys=2)
    purses.take("a")
    purses.take("b")
    with pytest.raises(Refused):
        purses.take("a")
    purses.take("c")
    for seen in ("a", "c"):
        with pytest.raises(Refused):
            purses.take(seen)
    purses.take("b")


def test_one_address_has_so_many_records_verified_in_a_minute(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        for n in range(MAX_COSTLY_REQUESTS + 1):
            answer = ann.web.post("/api/verify", json={"record": "none"})
            assert answer.status_code == (200 if n < MAX_COSTLY_REQUESTS else 429)
        assert 0 < int(answer.headers["retry-after"]) <= 60


def test_what_is_refused_is_not_counted(tmp_path: Path) -> None:
    with serving(tmp_path, new_tables=1) as served, Person(served) as ann:
        wrong = {"game": PAIR, "options": {"nosuch": 1}}
        for _ in range(3):
            assert ann.web.post("/api/matches", json=wrong).status_code == 400
            assert ann.web.post("/api/join/nosuchcode", json={}).status_code == 404
            assert ann.post("/j/nosuchcode").status_code == 404
            assert ann.post(f"/games/{PAIR}", **{"seat.red": "nobody"}).status_code == 400
        assert ann.web.post("/api/matches", json={"game": PAIR}).status_code == 201
        assert ann.web.post("/api/matches", json={"game": PAIR}).status_code == 429


def test_one_address_lists_so_many_tables_and_no_more(tmp_path: Path) -> None:
    """So that nobody fills the lobby by themselves."""
    with serving(tmp_path, listed_tables=2) as served, Person(served) as ann, Person(served) as bo:
        ann.open(PAIR, open="1")
        assert bo.web.post("/api/matches", json={"game": PAIR, "open": True}).status_code == 201
        assert bo.web.post("/api/matches", json={"game": PAIR, "open": True}).json()["code"] == "table-limit"
        assert ann.post(f"/games/{PAIR}", open="1").status_code == 429
        assert bo.web.post("/api/matches", json={"game": PAIR}).status_code == 201, "by invitation"


@pytest.mark.parametrize("path", ["/m/{}/resign", "/api/matches/{}/resign"])
def test_one_holder_sends_so_many_deeds_and_no_more(
    served: Served, ann: Person, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = path.format(ann.open(PAIR))
    monkeypatch.setattr(served.services.limits, "playing", KeyedRateLimit(3, 600.0))
    statuses = [ann.web.post(path, **payload(path, ply=9, move=fresh())).status_code for _ in range(4)]
    assert [status == 429 for status in statuses] == [False, False, False, True]


def payload(path: str, **fields: Any) -> dict[str, Any]:
    """Return the fields as this path takes them: as a visitor's form, or as a program's JSON."""
    if path.startswith("/api"):
        return {"json": fields, "headers": {"Authorization": f"Bearer {'a' * 43}"}}
    return {"data": fields}


def test_who_makes_new_tokens_gets_no_more_hints_and_reviews_from_one_address(tmp_path: Path) -> None:
    with serving(tmp_path, hints=2, proxies="127.0.0.1") as served, Person(served) as ann:
        id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})

        def by_program(n: int, where: str) -> int:
            headers = {"Authorization": f"Bearer {n:043}", "X-Forwarded-For": where}
            return httpx.get(f"{served.url}/api/matches/{id}/review", headers=headers).status_code

        def by_page(n: int, where: str) -> int:
            headers = {"Cookie": f"who={n:043}", "X-Forwarded-For": where}
            return httpx.get(f"{served.url}/m/{id}/review", headers=headers).status_code

        def by_form(n: int, where: str) -> int:
            headers, fields = {"Cookie": f"who={n:043}", "X-Forwarded-For": where}, {"ply": 0}
            return httpx.post(f"{served.url}/m/{id}/hint", headers=headers, data=fields).status_code

        def by_socket(n: int, where: str) -> int:
            url = served.url.replace("http", "ws")
            headers = {"Authorization": f"Bearer {n:043}", "X-Forwarded-For": where}
            with connect(f"{url}/ws", additional_headers=headers) as line:
                say(line, **{"is": "hint", "match": id, "ply": 0})
                said = hear(line, "refusal")["code"]
                return next(code.status for code in ErrorCode if code == said)

        ways = cycle([by_program, by_page, by_form, by_socket])
        asked = [ask(n, "192.0.2.1") for n, ask in zip(range(12), ways, strict=False)]
        assert [status == 429 for status in asked] == [False] * 8 + [True] * 4
        assert by_program(12, "192.0.2.2") == 400, "another address has its own"


def test_all_of_an_ipv6_network_is_one_address(tmp_path: Path) -> None:
    """One subscriber has 2^64 of these addresses."""
    with serving(tmp_path, new_tables=2, proxies="127.0.0.1") as served:

        def open_from(where: str) -> int:
            headers = {"X-Forwarded-For": where}
            order = {"game": PAIR}
            answer = httpx.post(f"{served.url}/api/matches", json=order, headers=headers, timeout=TIMEOUT_S)
            return answer.status_code

        one = [open_from(f"2001:db8:0:1::{n:x}") for n in (1, 2, 3)]
        assert one == [201, 201, 429]
        assert open_from("2001:db8:0:2::1") == 201, "another network"
        apart = [open_from(f"::ffff:192.0.2.{n}") for n in (1, 2, 3, 1, 1)]
        assert apart == [201, 201, 201, 201, 429], "each an address of IPv4"


def test_one_connection_follows_so_many_tables_and_no_more(served: Served, ann: Person) -> None:
    with ann.socket() as line:
        for _ in range(8):
            say(line, **{"is": "watch", "match": ann.open(PAIR)})
            hear(line, "changes")
        say(line, **{"is": "watch", "match": ann.open(PAIR)})
        wrong = hear(line, "refusal")
    assert (wrong["code"], wrong["why"]) == ("subscription-limit", ErrorCode.SUBSCRIPTION_LIMIT.text.en)
