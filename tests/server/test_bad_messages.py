"""Nonsensical messages change nothing and are refused."""

from __future__ import annotations

import json
import random
import socket
from typing import Any
from urllib.parse import urlencode

import pytest
from websockets.exceptions import ConnectionClosed

from smallchange.core.game import Game
from smallchange.server.table.model.events import Step, tag_of
from smallchange.server.web.errors import ErrorCode

from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, stored_events
from .tables import ALONE, PAIR, legal


def nonsense(id: str, other: str, ply: int, token: str) -> list[Any]:
    """Return messages that must change nothing."""
    command = {"match": id, "ply": ply, "move": fresh(), "token": token}
    return [
        "",
        "[]",
        "null",
        "{",
        '"act"',
        "{}" * 100,
        "[" * 4000,
        '{"is":"act"}',
        {"is": "cheat", **command},
        {"is": "x" * 5000, **command},
        {"is": ["act"], **command},
        {"is": "act", **command, "extra": 1},
        {"is": "act", **command, "ply": str(ply)},
        {"is": "act", **command, "ply": -1},
        {"is": "act", **command, "ply": 10**30},
        {"is": "act", **command, "ply": ply + 0.5},
        {"is": "act", **command, "ply": True},
        {"is": "act", **command, "token": ""},
        {"is": "act", **command, "token": "x" * 61},
        {"is": "act", **command, "token": "no-such-move"},
        {"is": "act", **command, "token": ["a"]},
        {"is": "act", **command, "move": "short"},
        {"is": "act", **command, "move": "x" * 41},
        {"is": "act", **command, "move": "x" * 40 + "\n"},
        {"is": "act", **command, "move": "spaces are not"},
        {"is": "act", **command, "match": "nosuchmatch"},
        {"is": "act", **command, "match": "../../etc/passwd"},
        {"is": "act", **command, "match": other},
        {"is": "resign", "match": other, "ply": 0, "move": fresh()},
        {"is": "act", **command, "ply": ply + 1},
        {"is": "act", **command, "ply": max(0, ply - 1)},
        {"is": "offer", "match": id, "ply": ply, "move": fresh(), "what": "draw"},
        {"is": "offer", "match": id, "ply": ply, "move": fresh(), "what": "money"},
        {"is": "answer", "match": id, "ply": ply, "move": fresh(), "yes": True},
        {"is": "changes", "match": id, "ply": ply},
        {"is": "watch", "match": "nosuchmatch"},
        {"is": "leave", "match": "nosuchmatch"},
        "\N{GRINNING FACE}" * 10,
        '{"is":"act","is":"resign"}',
    ]


def test_messages_that_make_no_sense_change_nothing_and_are_told_so(served: Served) -> None:
    with Person(served) as ann, Person(served) as bo:
        id, other = ann.open(ALONE), bo.open(ALONE)
        history = served.live_table(id).history
        before = (stored_events(served, id), stored_events(served, other), history.match.position.key())
        for message in nonsense(id, other, history.ply, legal(served, id)[0]):
            with ann.socket() as line:
                line.send(message if isinstance(message, str) else json.dumps(message))
                say(line, **{"is": "watch", "match": id, "ply": history.ply})
                heard: list[dict[str, Any]] = []
                while not heard or heard[-1]["is"] != "unchanged":
                    heard.append(hear(line, "refusal", "conflict", "unchanged"))
            leave = isinstance(message, dict) and message["is"] == "leave"
            assert leave or heard[0]["is"] in ("refusal", "conflict"), message
            if heard[0]["is"] == "refusal":
                assert heard[0]["code"] in set(ErrorCode)
                assert "Traceback" not in heard[0]["why"]
                assert "x" * 200 not in heard[0]["why"]
        after = (stored_events(served, id), stored_events(served, other), history.match.position.key())
    assert after == before


def test_random_bytes_change_nothing(served: Served) -> None:
    luck = random.Random(7)
    with Person(served) as ann:
        id = ann.open(ALONE)
        before = stored_events(served, id)
        good = json.dumps({"is": "act", "match": id, "ply": len(before), "move": fresh(), "token": "x"})
        for _ in range(30):
            with ann.socket() as line:
                for _ in range(10):
                    cut = list(good)
                    for _ in range(luck.randint(1, 8)):
                        cut[luck.randrange(len(cut))] = chr(luck.randrange(1, 0x250))
                    line.send("".join(cut))
                    hear(line, "refusal", "conflict")
                line.send(luck.randbytes(50))
                assert hear(line, "refusal")["code"] == "bad-message"
        assert stored_events(served, id) == before


def test_a_frame_beyond_8_kib_is_not_read(served: Served, ann: Person) -> None:
    with ann.socket() as line:
        say(line, **{"is": "leave", "match": "abcdefgh" + "x" * 9000})
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(TIMEOUT_S)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_a_body_too_large_is_refused(ann: Person) -> None:
    assert ann.post(f"/games/{PAIR}", name="x" * 70_000).status_code == 413
    assert ann.web.post("/api/matches", content=b"x" * 70_000).status_code == 413
    assert ann.web.post("/api/verify", content=b"x" * 600_000).status_code == 413
    unsaid = iter([b"x" * 1000] * 70)  # its length is not told beforehand
    assert ann.web.post("/api/matches", content=unsaid).status_code == 413


@pytest.mark.parametrize(
    "fields",
    [
        {"ply": ""},
        {"ply": "-1"},
        {"ply": "1e3"},
        {"ply": "٣"},
        {"ply": "9" * 40},
        {"move": ""},
        {"move": "x" * 40 + "\n"},
        {"token": ""},
        {"token": "no-such-move"},
        {"token": "\x00"},
        {"token": "marks", "marks": ["a", "b"]},
    ],
    ids=str,
)
def test_forms_that_make_no_sense_change_nothing(served: Served, ann: Person, fields: dict[str, Any]) -> None:
    id = ann.open(ALONE)
    history = served.live_table(id).history
    before = stored_events(served, id)
    answer = ann.command(id, "act", history.ply, **({"token": legal(served, id)[0]} | fields))
    assert 400 <= answer.status_code < 500
    assert stored_events(served, id) == before


@pytest.mark.parametrize("marks", [[], ["a", "b"]], ids=str)
def test_marks_that_make_no_move_are_answered_in_words(served: Served, ann: Person, marks: list[str]) -> None:
    id = ann.open(ALONE)
    answer = ann.command(id, "act", served.live_table(id).history.ply, token="marks", marks=marks)
    assert answer.status_code == 400
    assert "Mark what to use, then press the button." in answer.text


@pytest.mark.parametrize(
    "fields",
    [
        {"size": "99"},
        {"size": "six"},
        {"size": "²"},
        {"start": "sideways"},
        {f"seat.{Game(PAIR).seats[0]}": "bot:../../x"},
        {f"seat.{Game(PAIR).seats[0]}": "bot:__init__"},
        {f"seat.{Game(PAIR).seats[0]}": "open"},
    ],
    ids=str,
)
def test_an_order_that_makes_no_sense_opens_nothing(
    served: Served, ann: Person, fields: dict[str, str]
) -> None:
    extra = {f"seat.{Game(PAIR).seats[1]}": "bot:random"} if list(fields.values()) == ["open"] else {}
    answer = ann.post(f"/games/{PAIR}", **fields, **extra)
    assert answer.status_code == 400
    assert ann.post("/games/no-such-game").status_code == 404
    assert '<li><a href="/m/' not in ann.web.get("/mine").text


@pytest.mark.parametrize("lost", [1, 5])
def test_a_form_that_is_cut_short_changes_nothing(served: Served, ann: Person, lost: int) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    token = legal(served, id)[0]
    body = urlencode({"ply": 0, "move": fresh(), "token": token}).encode()
    head = (
        f"POST /m/{id}/resign HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
        f"Cookie: who={ann.web.cookies['who']}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", served.port)) as line:
        line.sendall(head.encode() + body[:-lost])
        line.shutdown(socket.SHUT_WR)
        line.settimeout(TIMEOUT_S)
        while line.recv(4096):
            pass
    assert ann.command(id, "act", 0, token=token).status_code == 303, "the first form was looked at before"
    assert [kind for kind, *_ in stored_events(served, id)] == [tag_of(Step)]
