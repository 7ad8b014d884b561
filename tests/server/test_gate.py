"""One address cannot take the server from others: connections, pages, steps, names and hosts have limits."""

from __future__ import annotations

import contextlib
import socket
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from structlog.testing import capture_logs

from smallchange.core.game import Game
from smallchange.i18n.text import LANGUAGES
from smallchange.server.table import command_events, history
from smallchange.server.web import transport
from smallchange.server.web.connection_gate import ConnectionGate

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
    assert [one["what"] for one in logs if one["event"] == "connections were refused"] == ["one address"]


def test_a_proxy_has_as_many_connections_as_the_system_lets_a_process_open() -> None:
    gate = ConnectionGate(1, proxies="10.0.0.0/8", max_open=4)
    assert [gate.enter("10.0.0.1") for _ in range(5)] == [True, True, True, True, False]
    gate.leave("10.0.0.1")
    assert [gate.enter("192.0.2.1"), gate.enter("192.0.2.1")] == [True, False]


def test_where_all_places_are_taken_the_connection_goes_that_said_nothing_for_longest(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = served.security.gate
    until(lambda: gate.open == 0)
    monkeypatch.setattr(gate, "_max_open", 3)
    with ExitStack() as opened:
        silent = []
        for n in (1, 2, 3):
            silent.append(
                opened.enter_context(socket.create_connection(("127.0.0.1", served.port), TIMEOUT_S))
            )
            until(lambda: gate.open == n)  # noqa: B023
        assert "200" in answer(served, "GET /healthz HTTP/1.1\r\nHost: localhost")
        with contextlib.suppress(ConnectionResetError):
            assert silent[0].recv(1) == b""


def test_a_connection_that_says_nothing_is_closed_within_seconds(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert transport.FIRST_BYTE_TIMEOUT_S <= 10
    monkeypatch.setattr(transport, "FIRST_BYTE_TIMEOUT_S", 0.05)
    with socket.create_connection(("127.0.0.1", served.port), TIMEOUT_S) as silent:
        assert silent.recv(1) == b""


def test_a_client_that_does_not_read_is_cut_off(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "WRITE_TIMEOUT_S", 0.05)
    before = served.security.gate.refused["unread"]
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", served.port))
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        until(lambda: served.security.gate.refused["unread"] > before)


@pytest.mark.parametrize(
    "head", ["X: " + "x" * 130_000, "\r\n".join(f"X{i}: {'y' * 1000}" for i in range(130))]
)
def test_a_head_that_is_too_long_is_refused_though_it_comes_at_once(served: Served, head: str) -> None:
    assert "431" in answer(served, f"GET / HTTP/1.1\r\nHost: localhost\r\n{head}") or not answer(
        served, f"GET / HTTP/1.1\r\nHost: localhost\r\n{head}"
    )


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
    monkeypatch.setattr("smallchange.server.services.MESSAGE_PERIOD_S", 1e6)  # no more come meanwhile
    with serving(tmp_path, pages=5) as served:
        answers = [httpx.get(f"{served.url}/about", timeout=TIMEOUT_S) for _ in range(7)]
        assert [one.status_code for one in answers] == [200] * 5 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) > 0
        assert httpx.get(f"{served.url}/healthz", timeout=TIMEOUT_S).status_code == 200
        assert httpx.get(f"{served.url}/static/base.css", timeout=TIMEOUT_S).status_code == 200


def test_a_long_page_counts_as_several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smallchange.server.services.MESSAGE_PERIOD_S", 1e6)
    monkeypatch.setattr("smallchange.server.services.BYTES_OF_A_PAGE", 500)
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
        assert codes.count("credits") >= 5


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
