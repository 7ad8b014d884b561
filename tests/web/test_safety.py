"""Every promise of safety, with somebody who tries to break it."""

from __future__ import annotations

import asyncio
import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from smallchange.game import Game
from smallchange.web.guard import HEADERS, TOKEN
from smallchange.web.refused import WHY
from smallchange.web.tables import clean

from .serving import PATIENCE, Person, Served, fresh, hear, say, serving, settled
from .test_tables import ALONE, PAIR, legal, seated

SCRIPTS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "javascript:alert(1)",
    "{{7*7}}${7*7}",
    "<a href='javascript:alert(1)'>x</a>",
    "--><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
    "<scr\x00ipt>alert(1)</scr\x00ipt>",
    "\u202egnp.exe",
    "&lt;script&gt;",
    "' autofocus onfocus=alert(1) x='",
]


class Tags(HTMLParser):
    """The tags and attributes of a page, as a browser would see them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def parsed(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    return tags


@pytest.mark.parametrize("name", SCRIPTS)
def test_names_are_text_wherever_they_are_shown(served: Served, name: str) -> None:
    with Person(served) as ann, Person(served) as bo:
        id = ann.open(PAIR, name=name, words=name, open="1")
        link = ann.invite(id)
        before = [bo.web.get("/").text, bo.web.get(link).text]
        bo.post(link, name=name, words=name)
        ann.deed(id, "offer", 1, what="draw")
        pages = [
            *before,
            bo.page(id),
            ann.page(id),
            ann.web.get("/mine").text,
            ann.web.get(f"/games/{PAIR}").text,
        ]
        with bo.socket() as line:
            say(line, **{"is": "watch", "match": id})
            pages += hear(line, "shown")["html"].values()
        ann.deed(id, "resign", 2)
        pages.append(ann.web.get(f"/m/{id}/envelope").text)
    for page in pages:
        tags = parsed(page)
        assert not [tag for tag in tags.tags if tag in ("img", "iframe", "object")]
        assert not [key for key, _ in tags.attributes if key.startswith("on")]
        assert not [
            value
            for key, value in tags.attributes
            if key != "value" and (value or "").startswith("javascript:")
        ]
        assert "<script>alert" not in page


def test_names_are_short_and_on_one_line() -> None:
    assert clean("a\n=b\r\n\u202ec" + "x" * 500, 40) == "a =b c" + "x" * 34


def test_pages_have_no_inline_script_or_style_and_ask_no_one_else(served: Served, ann: Person) -> None:
    id = ann.open(PAIR)
    link = ann.invite(id)
    pages = [
        "/",
        "/mine",
        f"/games/{PAIR}",
        f"/rules/{PAIR}",
        f"/m/{id}",
        f"/m/{id}/envelope",
        link,
        "/nowhere",
    ]
    with Person(served) as bo:
        for path in pages:
            page = bo.web.get(path, follow_redirects=True).text
            tags = parsed(page)
            assert not re.search(r"<script(?![^>]*\bsrc=)", page), f"{path} has an inline script"
            assert "style" not in tags.tags, f"{path} has an inline style"
            assert not [key for key, _ in tags.attributes if key == "style" or key.startswith("on")]
            outside = [
                v for k, v in tags.attributes if k in ("src", "action") and re.match(r"https?:|//", v or "")
            ]
            assert not outside, f"{path} asks {outside}"


def test_every_answer_carries_the_headers(served: Served, ann: Person) -> None:
    id = ann.open(PAIR)
    for path in ("/", f"/m/{id}", "/nowhere", "/api/games", "/healthz", "/static/nothing.css"):
        answer = ann.web.get(path)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, path
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy


def test_a_fault_of_ours_shows_no_traceback_and_keeps_the_headers(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    room = served.room(id)
    story, room.story = room.story, None  # type: ignore[assignment]
    answer = ann.web.get(f"/m/{id}")
    room.story = story
    assert answer.status_code == 500
    assert "Traceback" not in answer.text
    assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]


def test_a_fault_of_the_rules_is_not_told_as_an_illegal_move(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = ann.open(ALONE)
    story = served.room(id).story
    token, ply = legal(served, id)[0], story.ply
    monkeypatch.setattr(story.head.game.rules, "play", lambda *_: int("none"))
    assert ann.deed(id, "act", ply, token=token).status_code == 500
    assert story.ply == ply


def test_the_cookie_is_for_the_server_alone(served: Served) -> None:
    cookie = httpx.get(served.url).headers["set-cookie"]
    token = re.match(r"who=([^;]+);", cookie)
    assert token
    assert TOKEN.fullmatch(token[1])
    assert len(token[1]) * 6 >= 256
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))


def test_on_tls_the_cookie_is_bound_to_host_and_tls(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("data"), secure=True) as served:
        answer = httpx.get(served.url)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-who=")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    assert "strict-transport-security" in answer.headers


def test_the_seat_token_is_in_no_page_no_link_and_no_row(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    token = ann.web.cookies["who"]
    for path in ("/", "/mine", f"/m/{id}", f"/m/{id}/envelope", f"/m/{id}/record.json"):
        assert token not in ann.web.get(path).text
    database = served.settings.database.removeprefix("sqlite:///")
    kept = b"".join(Path(database + end).read_bytes() for end in ("", "-wal"))
    assert token.encode() not in kept


def test_a_join_link_gives_no_seat_that_is_taken(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR)
    link = ann.invite(id)
    bo.post(link)
    with Person(served) as eve:
        eve.post(link)
        assert eve.deed(id, "act", 1, token=legal(served, id)[0]).status_code == 403
        assert eve.deed(id, "resign", 1).status_code == 403
    assert served.room(id).story.ply == 1


FORMS = ["act", "undo", "resign", "offer", "answer", "again", "fork"]


@pytest.mark.parametrize("deed", FORMS)
def test_a_form_without_our_token_changes_nothing(served: Served, ann: Person, bo: Person, deed: str) -> None:
    id = ann.open(ALONE)
    ply = served.room(id).story.ply
    fields = {"ply": ply, "move": fresh(), "token": legal(served, id)[0], "at": 0, "what": "draw", "yes": 1}
    for forgery in ({}, {"forgery": ""}, {"forgery": bo.forgery}, {"forgery": "é"}):
        answer = ann.web.post(f"/m/{id}/{deed}", data=fields | forgery)
        assert answer.status_code == 403
    assert ann.web.get(f"/m/{id}/{deed}").status_code == 405, "nothing changes by GET"
    assert served.room(id).story.ply == ply


@pytest.mark.parametrize("path", [f"/games/{PAIR}", "/lang", "/theme"])
def test_the_other_forms_need_our_token_too(ann: Person, path: str) -> None:
    assert ann.web.post(path, data={"lang": "ja", "theme": "dark"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
    ids=lambda headers: "-".join(headers.values()),
)
def test_what_comes_from_another_site_is_refused(
    served: Served, ann: Person, headers: dict[str, str]
) -> None:
    id = ann.open(ALONE)
    ply = served.room(id).story.ply
    fields = {"forgery": ann.forgery, "ply": str(ply), "move": fresh()}
    assert ann.web.post(f"/m/{id}/resign", data=fields, headers=headers).status_code == 403
    assert ann.web.post("/api/matches", json={"game": ALONE}, headers=headers).status_code == 403
    with pytest.raises(InvalidStatus) as refused, ann.socket(**headers):
        pass
    assert refused.value.response.status_code == 403
    assert served.room(id).story.ply == ply


def test_redirects_stay_with_us(ann: Person) -> None:
    for back in ("https://evil.example", "//evil.example", "/\\evil.example", ""):
        answer = ann.post("/lang", lang="ja", back=back)
        assert answer.status_code == 400, back
    assert ann.post("/lang", lang="ja", back="/mine").headers["location"] == "/mine"
    assert 'lang="ja"' in ann.web.get("/mine").text


def test_a_cookie_counts_for_nothing_in_the_api(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    ply = served.room(id).story.ply
    answer = ann.web.post(f"/api/matches/{id}/resign", json={"ply": ply, "move": fresh()})
    assert answer.status_code == 401
    assert served.room(id).story.ply == ply


def nonsense(id: str, other: str, ply: int, token: str) -> list[Any]:
    """Messages that must change nothing."""
    deed = {"match": id, "ply": ply, "move": fresh(), "token": token}
    return [
        "",
        "[]",
        "null",
        "{",
        '"act"',
        "{}" * 100,
        "[" * 4000,
        '{"is":"act"}',
        {"is": "cheat", **deed},
        {"is": ["act"], **deed},
        {"is": "act", **deed, "extra": 1},
        {"is": "act", **deed, "ply": str(ply)},
        {"is": "act", **deed, "ply": -1},
        {"is": "act", **deed, "ply": 10**30},
        {"is": "act", **deed, "ply": ply + 0.5},
        {"is": "act", **deed, "ply": True},
        {"is": "act", **deed, "token": ""},
        {"is": "act", **deed, "token": "x" * 61},
        {"is": "act", **deed, "token": "no-such-move"},
        {"is": "act", **deed, "token": ["a"]},
        {"is": "act", **deed, "move": "short"},
        {"is": "act", **deed, "move": "x" * 41},
        {"is": "act", **deed, "move": "spaces are not"},
        {"is": "act", **deed, "match": "nosuchmatch"},
        {"is": "act", **deed, "match": "../../etc/passwd"},
        {"is": "act", **deed, "match": other},
        {"is": "resign", "match": other, "ply": 0, "move": fresh()},
        {"is": "act", **deed, "ply": ply + 1},
        {"is": "act", **deed, "ply": max(0, ply - 1)},
        {"is": "offer", "match": id, "ply": ply, "move": fresh(), "what": "draw"},
        {"is": "offer", "match": id, "ply": ply, "move": fresh(), "what": "money"},
        {"is": "answer", "match": id, "ply": ply, "move": fresh(), "yes": True},
        {"is": "shown", "match": id, "ply": ply},
        {"is": "watch", "match": "nosuchmatch"},
        {"is": "leave", "match": "nosuchmatch"},
        "\N{GRINNING FACE}" * 10,
        '{"is":"act","is":"resign"}',
    ]


def test_messages_that_make_no_sense_change_nothing_and_are_told_so(served: Served) -> None:
    with Person(served) as ann, Person(served) as bo:
        id, other = ann.open(ALONE), bo.open(ALONE)
        story = served.room(id).story
        before = (settled(served, id), settled(served, other), str(story.match.position))
        for message in nonsense(id, other, story.ply, legal(served, id)[0]):
            with ann.socket() as line:
                line.send(message if isinstance(message, str) else json.dumps(message))
                say(line, **{"is": "watch", "match": id, "ply": story.ply})
                heard: list[dict[str, Any]] = []
                while not heard or heard[-1]["is"] != "same":
                    heard.append(hear(line, "wrong", "conflict", "same"))
            leave = isinstance(message, dict) and message["is"] == "leave"
            assert leave or heard[0]["is"] in ("wrong", "conflict"), message
            if heard[0]["is"] == "wrong":
                assert heard[0]["code"] in WHY
                assert "Traceback" not in heard[0]["why"]
        after = (settled(served, id), settled(served, other), str(story.match.position))
    assert after == before


def test_random_bytes_change_nothing(served: Served) -> None:
    luck = random.Random(7)
    with Person(served) as ann:
        id = ann.open(ALONE)
        before = settled(served, id)
        good = json.dumps({"is": "act", "match": id, "ply": len(before), "move": fresh(), "token": "x"})
        for _ in range(30):
            with ann.socket() as line:
                for _ in range(10):
                    cut = list(good)
                    for _ in range(luck.randint(1, 8)):
                        cut[luck.randrange(len(cut))] = chr(luck.randrange(1, 0x250))
                    line.send("".join(cut))
                    hear(line, "wrong", "conflict")
                line.send(luck.randbytes(50))
                assert hear(line, "wrong")["code"] == "message"
        assert settled(served, id) == before


def test_a_frame_beyond_8_kib_is_not_read(served: Served, ann: Person) -> None:
    with ann.socket() as line:
        say(line, **{"is": "leave", "match": "abcdefgh" + "x" * 9000})
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_a_body_too_large_is_refused(ann: Person) -> None:
    assert ann.post(f"/games/{PAIR}", name="x" * 70_000).status_code == 413
    assert ann.web.post("/api/matches", content=b"x" * 70_000).status_code == 413
    assert ann.web.post("/api/verify", content=b"x" * 600_000).status_code == 413


@pytest.mark.parametrize(
    "fields",
    [
        {"ply": ""},
        {"ply": "-1"},
        {"ply": "1e3"},
        {"ply": "٣"},
        {"ply": "9" * 40},
        {"move": ""},
        {"token": ""},
        {"token": "no-such-move"},
        {"token": "\x00"},
        {"token": "marks", "marks": ["a", "b"]},
    ],
    ids=str,
)
def test_forms_that_make_no_sense_change_nothing(served: Served, ann: Person, fields: dict[str, Any]) -> None:
    id = ann.open(ALONE)
    story = served.room(id).story
    before = settled(served, id)
    answer = ann.deed(id, "act", story.ply, **({"token": legal(served, id)[0]} | fields))
    assert 400 <= answer.status_code < 500
    assert settled(served, id) == before


def test_a_socket_with_a_token_that_is_none_is_refused(served: Served, ann: Person) -> None:
    for token in ("Bearer x", "Bearer"):
        with pytest.raises(InvalidStatus) as refused, ann.socket(Authorization=token):
            pass
        assert refused.value.response.status_code == 403
    assert not served.hub.doors._open


def flood(line: ClientConnection) -> None:
    for _ in range(500):
        say(line, **{"is": "leave", "match": "abcdefgh"})
        line.recv(PATIENCE)


def test_who_sends_too_much_is_told_to_wait_and_others_are_not(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with (
        serving(tmp_path_factory.mktemp("data"), playing=20, watching=10) as served,
        Person(served) as ann,
        Person(served) as bo,
    ):
        id = seated(ann, bo)
        with ann.socket() as line, bo.socket() as other:
            for _ in range(12):
                say(line, **{"is": "leave", "match": "abcdefgh"})
            assert hear(line, "wrong")["code"] == "credits"
            say(other, **{"is": "watch", "match": id})
            assert hear(other, "shown")
            with pytest.raises(ConnectionClosed):
                flood(line)
        with ann.socket() as line:
            say(line, **{"is": "watch", "match": id})
            for _ in range(15):
                say(line, **{"is": "leave", "match": "abcdefgh"})
            say(line, **{"is": "watch", "match": "nosuchmatch"})
            assert hear(line, "wrong")["code"] == "match", "a player has more credits than a spectator"


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
        while served.hub.doors._open["127.0.0.1"] > 2:
            pass
        with ann.socket() as another:
            say(another, **{"is": "watch", "match": "nosuchmatch"})
            assert hear(another, "wrong")["code"] == "match"


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
        while served.hub.doors._open:
            pass


def test_a_forwarded_address_is_believed_from_a_known_proxy_alone(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    lie = {"X-Forwarded-For": "198.51.100.7"}
    for proxies, believed in (("", False), ("127.0.0.1", True)):
        folder = tmp_path_factory.mktemp("data")
        with serving(folder, proxies=proxies) as served, Person(served) as ann, ann.socket(**lie):
            assert ("198.51.100.7" in served.hub.doors._open) is believed


def test_one_address_opens_so_many_tables_and_no_more(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("data"), new_tables=3) as served, Person(served) as ann:
        for _ in range(3):
            ann.open(PAIR)
        assert ann.post(f"/games/{PAIR}").status_code == 429
        assert ann.web.post("/api/matches", json={"game": PAIR}).status_code == 429


@pytest.mark.parametrize(
    "fields",
    [
        {"size": "99"},
        {"size": "six"},
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
