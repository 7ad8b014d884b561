"""One address cannot take the server from others: connections, pages, steps, names and hosts have limits."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx
import pytest
from structlog.testing import capture_logs

from smallchange.core.game import Game
from smallchange.i18n.text import LANGUAGES
from smallchange.server.table.model import command_events, history
from smallchange.server.web import transport
from smallchange.server.web.limits import LOG_PERIOD_S, Occurrences
from smallchange.server.web.transport import MAX_FILES, ConnectionGate, Waiting

from .outside import until
from .serving import TIMEOUT_S, Person, Served, hear, say, serving
from .tables import PAIR, legal, table_for_two

BOTH = {f"seat.{player}": "me" for player in Game(PAIR).seats}


def answer(served: Served, head: str) -> str:
    """Return the first line of what a request with this head is answered; "" if the connection is just closed."""
    with socket.create_connection(("127.0.0.1", served.port), TIMEOUT_S) as line:
        try:
            line.sendall(f"{head}\r\n\r\n".encode())
            return line.makefile(errors="replace").readline().strip()
        except OSError:
            return ""


def test_one_address_has_so_many_connections_and_the_log_and_the_metrics_say_so(tmp_path: Path) -> None:
    with serving(tmp_path, connections=5) as served, ExitStack() as opened, capture_logs() as logs:
        gate = served.security.gate
        for _ in range(5):
            opened.enter_context(socket.create_connection(("127.0.0.1", served.port)))
        until(lambda: gate.open == 5)
        assert answer(served, "GET / HTTP/1.1\r\nHost: localhost") == ""
        opened.close()
        until(lambda: gate.open == 0)
        text = httpx.get(f"{served.url}/metrics").text
    assert 'smallchange_refused_total{kind="connection"}' in text
    assert [one["times"] for one in logs if one["event"] == "connections were refused: one address"] == [1]


def test_a_proxy_has_as_many_connections_as_the_system_lets_a_process_open() -> None:
    gate = ConnectionGate(1, proxies="10.0.0.0/8", max_open=4)
    assert [gate.enter("10.0.0.1") for _ in range(5)] == [True, True, True, True, False]
    gate.leave("10.0.0.1")
    assert [gate.enter("192.0.2.1"), gate.enter("192.0.2.1")] == [True, False]


def test_all_of_an_ipv6_network_has_the_places_of_one_address() -> None:
    gate = ConnectionGate(2, max_open=100)
    assert [gate.enter(f"2001:db8::{n}") for n in (1, 2, 3)] == [True, True, False]
    gate.leave("2001:db8::1")
    assert [gate.enter(one) for one in ("2001:db8::4", "2001:db8:0:1::1", "::ffff:192.0.2.1")] == [True] * 3


PAGE = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize("sent", ["", "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", f"{PAGE}\r\n"])
def test_connections_that_wait_make_room_for_others(
    served: Served, monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    """Thirty connections for eight places say nothing, half of a head, or nothing more after an answer."""
    gate = served.security.gate
    until(lambda: gate.open == 0)
    monkeypatch.setattr(gate, "_max_open", 8)
    before = gate.refused["crowded"]
    with ExitStack() as opened:
        for _ in range(30):
            line = opened.enter_context(socket.create_connection(("127.0.0.1", served.port), TIMEOUT_S))
            line.sendall(sent.encode())
            if sent.startswith(PAGE):
                assert line.recv(12) == b"HTTP/1.1 200"
        until(lambda: gate.refused["crowded"] - before == 22)
        assert all("200" in answer(served, PAGE + "Connection: close") for _ in range(8))


def test_what_waits_for_least_makes_room_first() -> None:
    gate, cut_off = ConnectionGate(9, max_open=3), list[str]()
    for name, kind in [
        ("idle", Waiting.NEXT_REQUEST),
        ("silent", Waiting.REQUEST),
    ]:
        assert gate.enter("192.0.2.1")
        gate.note(name, kind, partial(cut_off.append, name))
    assert gate.enter("192.0.2.2")
    for _ in range(2):
        assert gate.enter("192.0.2.2")
        gate.leave("192.0.2.1")  # as the one that was cut off does
    assert cut_off == ["silent", "idle"]
    assert not gate.enter("192.0.2.3"), "all are being answered"


def test_a_process_opens_as_many_files_as_the_system_lets_it(tmp_path: Path) -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    program = (
        "import resource; from smallchange.server.web.transport import file_limit, raise_file_limit;"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard})); raise_file_limit(); print(file_limit())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) == min(hard, MAX_FILES)


def test_a_connection_that_says_nothing_is_closed_within_seconds(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert transport.HEAD_TIMEOUT_S <= 15
    monkeypatch.setattr(transport, "HEAD_TIMEOUT_S", 0.05)
    with socket.create_connection(("127.0.0.1", served.port), TIMEOUT_S) as silent:
        assert silent.recv(1) == b""


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/about", {"Host": "foreign.example"}, 421),
        ("/m/abc/resign", {"Origin": "https://foreign.example"}, 403),
        ("/no/such/page", {}, 404),
    ],
)
def test_requests_refused_first_are_counted_and_logged_once_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, headers: dict[str, str], status: int
) -> None:
    monkeypatch.setattr("smallchange.server.web.limits.MESSAGE_PERIOD_S", 1e6)
    with serving(tmp_path, pages=5) as served, capture_logs() as logs:
        sent = [httpx.post(served.url + path, headers=headers, timeout=TIMEOUT_S) for _ in range(30)]
    assert [one.status_code for one in sent] == [status] * 5 + [429] * 25
    assert {one.headers.get("connection") for one in sent[5:]} == {"close"}
    assert len([one for one in logs if one["log_level"] == "warning"]) <= 1


def test_a_line_about_many_says_how_many() -> None:
    seen = Occurrences()
    assert [seen.count("event") for _ in range(3)] == [1, 0, 0]
    seen._logged_at_s["event"] -= LOG_PERIOD_S
    assert seen.count("event") == 3


def test_a_client_that_does_not_read_is_cut_off(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "WRITE_TIMEOUT_S", 0.05)
    before = served.security.gate.refused["unread"]
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", served.port))
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        until(lambda: served.security.gate.refused["unread"] > before)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("Host: localhost", "200"),
        ("Host: LOCALHOST:8765", "200"),
        ("Host: [::1]:1", "200"),
        ("Host: rebound.example", "421"),
        ("Host: 198.51.100.7", "421"),
        ("Host: localhost.rebound.example", "421"),
        ("Host:", "400"),
        ("X: y", "400"),
        ("Host: localhost\r\nHost: rebound.example", "400"),
    ],
)
def test_the_server_answers_to_its_own_names_alone(served: Served, head: str, status: str) -> None:
    assert status in answer(served, f"GET /healthz HTTP/1.1\r\n{head}")


def test_other_names_are_a_setting(tmp_path: Path) -> None:
    with serving(tmp_path, hosts=("play.example",), origins=("https://other.example",)) as served:
        for name, status in (("play.example", 200), ("other.example:443", 200), ("evil.example", 421)):
            assert httpx.get(f"{served.url}/healthz", headers={"Host": name}).status_code == status


def test_one_address_may_ask_for_so_many_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smallchange.server.web.limits.MESSAGE_PERIOD_S", 1e6)  # no more come meanwhile
    with serving(tmp_path, pages=5) as served:
        answers = [httpx.get(f"{served.url}/about", timeout=TIMEOUT_S) for _ in range(7)]
        assert [one.status_code for one in answers] == [200] * 5 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) > 0
        assert httpx.get(f"{served.url}/healthz", timeout=TIMEOUT_S).status_code == 200
        assert httpx.get(f"{served.url}/static/base.css", timeout=TIMEOUT_S).status_code == 200


def test_a_long_page_counts_as_several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smallchange.server.web.limits.MESSAGE_PERIOD_S", 1e6)
    monkeypatch.setattr("smallchange.server.web.limits.BYTES_OF_A_PAGE", 500)
    with serving(tmp_path, pages=20) as served:
        answers = [httpx.get(f"{served.url}/about", timeout=TIMEOUT_S).status_code for _ in range(10)]
        assert answers.count(200) < 10
        assert answers[0] == 200


def test_the_sockets_of_one_holder_share_one_limit(tmp_path: Path) -> None:
    with serving(tmp_path, watching=10) as served, Person(served) as ann, ExitStack() as opened:
        sockets = [opened.enter_context(ann.socket()) for _ in range(4)]
        codes = []
        for line in sockets:
            for _ in range(4):
                say(line, **{"is": "watch", "match": "nosuchmatch", "ply": 0})
                codes.append(hear(line, "refusal")["code"])
        assert codes.count("rate-limit") >= 5


def test_a_table_has_a_greatest_length(served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_EVENTS", 3)
    monkeypatch.setattr(command_events, "MAX_EVENTS", 3)
    id = ann.open(PAIR, **BOTH)
    statuses = []
    for ply in range(4):
        statuses.append(ann.command(id, "act", ply, token=legal(served, id)[0]).status_code)
    assert statuses == [303, 303, 303, 400]
    assert ann.command(id, "resign", 3).status_code == 303


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nobody_takes_the_name_of_a_bot(ann: Person, lang: str) -> None:
    from smallchange.bots.levels import title

    for name in (title("level5")[lang], f"  {title('level5')[lang].upper()} "):
        assert ann.post(f"/games/{PAIR}", name=name).status_code == 400


@pytest.mark.parametrize("token", ["x" * 22, "y" * 42, "z" * 44, "a" * 100, "!" * 43])
def test_a_token_that_is_none_of_ours_is_nobodys(served: Served, token: str) -> None:
    made = httpx.get(served.url, headers={"Cookie": f"who={token}"}).headers["set-cookie"]
    assert token not in made


def test_fifty_five_rematches_seat_nobody_who_did_not_agree(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    before = len(served.call(served.services.tables.store.tables_of(holder(served, id, 1))))
    ann.command(id, "resign", served.live_table(id).history.ply)
    for i in range(55):
        assert ann.post(f"/m/{id}/rematch").status_code in (303, 400)
        if i == 3:
            bo.command(id, "answer", served.live_table(id).history.ply, yes="0")
    assert len(served.call(served.services.tables.store.tables_of(holder(served, id, 1)))) == before


def holder(served: Served, id: str, seat: int) -> str:
    return served.live_table(id).history.seats[seat].holder
