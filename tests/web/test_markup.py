"""What people type is text wherever it is shown, and no page runs or shows what is not meant for it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from smallchange.web.tables import clean

from .serving import Person, Served, hear, say
from .tables import ALONE, PAIR, legal

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


HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


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
    assert ann.web.get(f"/m/{id}").headers["Cache-Control"] == "no-store"
    assert ann.web.get("/static/nosuch.css").headers["Cache-Control"] == "no-store", "it is a page"


def test_files_are_compressed_and_pages_with_secrets_are_not(ann: Person) -> None:
    for path, how in (("/static/look.css", "gzip"), ("/static/pieces.css", "gzip"), ("/", None)):
        answer = ann.web.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.headers.get("content-encoding") == how, path
    plain = ann.web.get("/static/look.css", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    known = {"If-None-Match": plain.headers["etag"]}
    assert ann.web.get("/static/look.css", headers=known).status_code == 304


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
