"""The socket: gaps, conflicts, ids that come twice, and who hears what."""

from __future__ import annotations

import asyncio
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection

from smallchange.core.game import Game
from smallchange.server.table.http import messages
from smallchange.server.table.http.connection import Connection
from smallchange.server.table.live import live_table as live_table_module

from .outside import until
from .serving import Person, Served, fresh, hear, say, serving, stored_events
from .tables import ALONE, LUCKY_PAIR, PAIR, legal, table_for_two


def act(line: ClientConnection, id: str, ply: int, token: str, move: str | None = None) -> None:
    say(line, **{"is": "act", "match": id, "ply": ply, "move": move or fresh(), "token": token})


def test_every_token_of_every_game_fits_into_a_message() -> None:
    for game in (PAIR, LUCKY_PAIR, ALONE):
        for token in Game(game).tokens.values():
            messages.decode(
                json.dumps({"is": "act", "match": "a" * 20, "ply": 0, "move": fresh(), "token": token})
            )


def test_who_asks_whether_anybody_is_there_is_answered(served: Served, ann: Person) -> None:
    with ann.socket() as line:
        say(line, **{"is": "ping"})
        assert hear(line, "pong", "refusal") == {"is": "pong"}


def test_both_players_and_a_spectator_are_shown_a_step(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    with Person(served) as third, ann.socket() as a, bo.socket() as b, third.socket() as c:
        for line in (a, b, c):
            say(line, **{"is": "watch", "match": id})
            hear(line, "changes")
        token = legal(served, id)[0]
        act(a, id, 1, token, "thismove")
        assert acknowledged_move(a) == "thismove"
        for line in (b, c):
            while (shown := hear(line, "changes"))["ply"] < 2:
                pass
            assert len(shown["rows"]) == 1
        assert 'name="token"' in shown_html(b, shown, id) or served.live_table(id).history.turn == 1


def acknowledged_move(line: ClientConnection) -> str:
    """Return the move id of the step that this connection hears is committed, with the picture after it."""
    while not (shown := hear(line, "changes")).get("ack"):
        pass
    return str(shown["ack"])


def shown_html(line: ClientConnection, shown: dict[str, object], id: str) -> str:
    return json.dumps(shown)


def test_the_same_move_id_twice_has_one_effect(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    token = legal(served, id)[0]
    with ann.socket() as line:
        for _ in range(3):
            act(line, id, 0, token, "samesame")
            assert hear(line, "ack", "conflict", "refusal") == {
                "is": "ack",
                "match": id,
                "move": "samesame",
                "ply": 0,
            }
    assert len(stored_events(served, id)) == 1
    assert ann.command(id, "act", 0, token=token, move="samesame").status_code == 303
    assert len(stored_events(served, id)) == 1


@pytest.mark.parametrize("then", ["leave", "watch"])
def test_a_step_is_acknowledged_whatever_one_asks_for_right_after_it(
    served: Served, ann: Person, then: str
) -> None:
    id, move = ann.open(PAIR), fresh()
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        say(line, **{"is": "resign", "match": id, "ply": 0, "move": move})
        say(line, **{"is": then, "match": id})
        say(line, **{"is": "ping"})
        heard = [hear(line, "ack", "changes", "pong")]
        while heard[-1]["is"] != "pong":
            heard.append(hear(line, "ack", "changes", "pong"))
    assert move in [message.get("move") or message.get("ack") for message in heard]


def test_a_move_id_used_for_another_move_is_refused(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    first, second = legal(served, id)[:2]
    ann.command(id, "act", 1, token=first, move="samesame")
    assert ann.command(id, "act", 1, token=second, move="samesame").status_code == 409
    assert ann.command(id, "resign", 1, move="samesame").status_code == 409
    assert bo.command(id, "act", 1, token=first, move="samesame").status_code == 409
    assert len(stored_events(served, id)) == 2


@pytest.mark.parametrize("what", ["draw", "undo"])
def test_an_offers_and_an_answers_move_id_stand_for_what_was_said(
    served: Served, ann: Person, bo: Person, what: str
) -> None:
    id = table_for_two(ann, bo)
    ann.command(id, "act", 1, token=legal(served, id)[0])
    other = "undo" if what == "draw" else "draw"
    for ply, yes in ((2, "0"), (5, "1")):
        if yes == "1":
            bo.command(id, "act", 4, token=legal(served, id)[0])
        asks, answers = (ann, bo) if yes == "0" else (bo, ann)
        said = {"move": f"offered{ply}", "what": what}
        for _ in range(2):
            assert asks.command(id, "offer", ply, **said).status_code == 303
        assert asks.command(id, "offer", ply, **said | {"what": other}).status_code == 409
        assert answers.command(id, "offer", ply, **said).status_code == 409
        said = {"move": f"answered{ply}", "yes": yes}
        for _ in range(2):
            assert answers.command(id, "answer", ply + 1, **said).status_code == 303
        assert answers.command(id, "answer", ply + 1, **said | {"yes": str(1 - int(yes))}).status_code == 409
        assert asks.command(id, "answer", ply + 1, **said).status_code == 409
        with Person(served) as third:
            assert third.command(id, "answer", ply + 1, **said).status_code == 409
    assert len(stored_events(served, id)) == 7


def test_of_racing_moves_one_wins_and_the_others_get_the_position(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    tokens = legal(served, id)
    lines: list[ClientConnection] = []

    def race(i: int) -> str:
        act(lines[i], id, 0, tokens[i % len(tokens)])
        while (heard := hear(lines[i], "changes", "conflict"))["is"] == "changes" and not heard.get("ack"):
            pass
        if heard["is"] == "conflict":
            while (shown := hear(lines[i], "changes"))["ply"] != 1 or "board" not in shown["html"]:
                pass
            assert heard["ply"] == 1
        return str(heard["is"])

    with ExitStack() as open, ThreadPoolExecutor(6) as pool:
        for _ in range(6):
            line = open.enter_context(ann.socket())
            say(line, **{"is": "watch", "match": id})
            hear(line, "changes")
            lines.append(line)
        outcomes = sorted(pool.map(race, range(6)))
    assert outcomes == ["changes"] + ["conflict"] * 5
    assert len(stored_events(served, id)) == 1


def test_a_stale_move_changes_nothing_and_brings_the_position(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    ann.command(id, "act", 0, token=legal(served, id)[0])
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        act(line, id, 0, legal(served, id)[0])
        assert hear(line, "conflict")["ply"] == 1
        shown = hear(line, "changes")
        assert (shown["ply"], shown["kept"], len(shown["rows"])) == (1, 0, 1)
        act(line, id, 7, legal(served, id)[0])
        assert hear(line, "conflict")["ply"] == 1
    assert ann.command(id, "act", 0, token=legal(served, id)[0]).status_code == 409


def test_a_gap_is_filled_and_nothing_new_is_said_to_be_the_same(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(5):
        ann.command(id, "act", ply, token=legal(served, id)[0])
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id, "ply": 2})
        shown = hear(line, "changes")
        assert (shown["kept"], len(shown["rows"])) == (2, 3)
        say(line, **{"is": "watch", "match": id, "ply": 5})
        assert hear(line, "unchanged")["ply"] == 5
        say(line, **{"is": "watch", "match": id, "ply": 500})
        while "rows" not in (shown := hear(line, "changes")):
            pass
        assert (shown["kept"], len(shown["rows"])) == (0, 5), "who knows more than there is starts anew"


@pytest.mark.parametrize("drawn", [True, False])
def test_a_gap_over_an_undo_keeps_only_what_counts(served: Served, ann: Person, drawn: bool) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(3):
        ann.command(id, "act", ply, token=legal(served, id)[0])
    ann.command(id, "undo", 3)
    ann.command(id, "act", 4, token=legal(served, id)[1])
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id, "ply": 3, "drawn": drawn})
        shown = hear(line, "changes", "state")
    assert (shown["kept"], len(shown["rows" if drawn else "tokens"])) == (2, 1)


def test_a_program_gets_tokens_instead_of_pictures(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id, "drawn": False})
        told = hear(line, "state")
    assert told["legal"] == legal(served, id)
    assert told["position"] == served.live_table(id).history.match.position.key()


def test_presence_is_said_to_the_other(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo, name="Ann")
    with ann.socket() as a:
        say(a, **{"is": "watch", "match": id})
        assert "Bo is here" in json.dumps(hear(a, "changes")), (
            "who has just sat down is on the way to the page"
        )
        for back in (False, True):
            with bo.socket() as b:
                say(b, **{"is": "watch", "match": id})
                hear(b, "changes")
                if back:
                    assert "Bo is here" in json.dumps(hear(a, "changes"))
            assert "Bo is away" in json.dumps(hear(a, "changes"))


def test_who_sits_down_and_never_comes_is_away_after_a_while(
    served: Served, ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = table_for_two(ann, bo)
    with ann.socket() as a:
        say(a, **{"is": "watch", "match": id})
        assert "Bo is here" in json.dumps(hear(a, "changes"))
        monkeypatch.setattr(live_table_module, "PRESENCE_TIMEOUT_S", 0.0)
        assert "Bo is away" in json.dumps(hear(a, "changes"))


def test_a_second_window_of_the_same_person_keeps_him_present(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    with bo.socket() as one:
        say(one, **{"is": "watch", "match": id})
        hear(one, "changes")
        with bo.socket() as two:
            say(two, **{"is": "watch", "match": id})
            hear(two, "changes")
        assert "Bo is here" in ann.page(id)


def test_who_sits_down_while_watching_is_dealt_in(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR)
    link = ann.invite(id)
    with bo.socket() as line:
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        bo.post(link)
        while hear(line, "changes")["ply"] < 1:
            pass
        ann.command(id, "act", 1, token=legal(served, id)[0])
        while (shown := hear(line, "changes"))["ply"] < 2:
            pass
    assert 'name=\\"token\\"' in json.dumps(shown["html"])


def test_who_does_not_read_does_not_keep_the_server_from_stopping(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann, socket.socket() as deaf:
        id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", served.port))
        key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        deaf.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nCookie: who={ann.web.cookies['who']}\r\n"
            f"Connection: Upgrade\r\nUpgrade: websocket\r\n{key}\r\n".encode()
        )
        assert deaf.recv(12) == b"HTTP/1.1 101"
        text = json.dumps({"is": "watch", "match": id, "ply": -1}).encode()
        deaf.sendall(200 * (bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text))
        with ann.socket() as line:  # its turn comes after what was said before
            say(line, **{"is": "watch", "match": id})
            hear(line, "changes")
        served.stop()


def test_who_reads_slowly_gets_the_newest_state_and_no_queue_of_old_ones(
    served: Served, ann: Person, bo: Person
) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    known = set(served.services.connections)
    with bo.socket() as line:  # it takes some frames, and no more until it is asked for them
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        (there,) = served.services.connections - known
        assert isinstance(there, Connection)
        there._transport.transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_SNDBUF, 4096
        )
        history, behind = served.live_table(id).history, 0
        while behind < 10:  # in a row: it has stopped reading
            assert ann.command(id, "act", history.ply, token=legal(served, id)[-1]).status_code == 303
            assert ann.command(id, "undo", history.ply).status_code == 303
            behind = 0 if there._transport.writable.is_set() else behind + 1
        told = [hear(line, "changes")]
        while told[-1]["ply"] < history.ply:
            told.append(hear(line, "changes"))
    assert max(after["ply"] - shown["ply"] for shown, after in pairwise(told)) >= 4


def test_an_open_socket_keeps_no_task_and_nothing_of_its_handshake(served: Served, ann: Person) -> None:
    async def tasks() -> int:
        return len(asyncio.all_tasks())

    before = served.call(tasks())
    with ExitStack() as lines:
        for _ in range(5):
            line = lines.enter_context(ann.socket())
            say(line, **{"is": "ping"})
            hear(line, "pong")
        there = [one._transport for one in served.services.connections if isinstance(one, Connection)]
        assert not any(hasattr(one, kept) for one in there for kept in ("scope", "request", "response"))
        until(lambda: served.call(tasks()) <= before)
    until(lambda: not served.services.connections)


def test_messages_are_served_in_their_order_and_the_last_before_the_end(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    token = legal(served, id)[0]
    with ann.socket() as line:
        for _ in range(20):
            say(line, **{"is": "ping"})
        act(line, id, 0, token)
    until(lambda: served.live_table(id).history.ply == 1)


def test_a_stopping_server_tells_the_tables(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("data")
    with serving(folder) as served, Person(served) as ann:
        id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
        ann.command(id, "act", 0, token=legal(served, id)[0])
        with ann.socket() as line:
            say(line, **{"is": "watch", "match": id})
            hear(line, "changes")
            served.stop()
            assert "Nothing is lost" in hear(line, "closing")["why"]
        cookies = ann.web.cookies
    with serving(folder) as served, Person(served) as ann:
        ann.web.cookies = cookies
        assert len(served.live_table(id).history.match) == 1, "the same position"
        assert 'name="token"' in ann.page(id), "the same seat"
