"""Typed text can be seen, answers are packed and kept, and a fault shows no traceback."""

from __future__ import annotations

import pytest

from smallchange.server.web.names import clean
from smallchange.server.web.pages import STATIC_FOLDER
from smallchange.server.web.security import SECURITY_HEADERS

from .serving import Person, Served
from .tables import ALONE, PAIR, legal


def test_names_are_short_and_on_one_line() -> None:
    assert clean("a\n=b\r\n\u202ec" + "x" * 500, 40) == "a =b c" + "x" * 34


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("\u3164", ""),
        ("\u2800 \u2800", ""),
        ("\u115f\uffa0\u034f\ufe0f", ""),
        ("\u0301\u0301", ""),
        ("A" + "\u0301" * 39, "\u00c1" + "\u0301" * 4),
        ("\U0001f1e9\U0001f1ea" * 30, "\U0001f1e9\U0001f1ea" * 20),
        ("x" * 39 + "\U0001f468\u200d\U0001f469", "x" * 39),
        ("\u0928\u092e\u0938\u094d\u0924\u0947", "\u0928\u092e\u0938\u094d\u0924\u0947"),
    ],
)
def test_a_name_can_be_seen_and_paints_over_no_other(
    served: Served, ann: Person, typed: str, shown: str
) -> None:
    id = ann.open(PAIR, name=typed)
    assert next(s.name for s in served.live_table(id).history.seats if s.kind == "person") == shown


def test_pages_and_files_are_compressed(ann: Person) -> None:
    for path in ("/static/base.css", "/static/pieces.css", "/", f"/m/{ann.open(PAIR)}", "/api/games"):
        sent = ann.web.get(path, headers={"Accept-Encoding": "gzip"}).headers
        assert sent.get("content-encoding") == "gzip", path
        assert "accept-encoding" in sent["vary"].lower()
        assert "content-encoding" not in ann.web.get(path, headers={"Accept-Encoding": "identity"}).headers


def test_scripts_are_sent_without_comments_and_have_no_text_over_lines(ann: Person) -> None:
    for script in STATIC_FOLDER.glob("*.js"):
        assert all(line.count("`") % 2 == 0 for line in script.read_text().splitlines()), script.name
        sent = ann.web.get(f"/static/{script.name}")
        assert sent.headers["content-type"].startswith("text/javascript")
        assert not any(line.startswith(("//", "/*", " ")) for line in sent.text.splitlines()), script.name


def test_the_page_of_a_table_is_sent_in_a_fifth_of_its_bytes(ann: Person) -> None:
    id = ann.open(ALONE)
    packed = ann.web.get(f"/m/{id}", headers={"Accept-Encoding": "gzip"})
    assert packed.num_bytes_downloaded < len(packed.content) / 5


@pytest.mark.parametrize(
    "path",
    [
        "/static/base.css",
        "/static/pieces.css",
        "/games/{game}/preview.png",
        "/m/{id}/record.txt",
        "/m/{id}/record.json",
        "/api/matches/{id}/record.json",
    ],
)
def test_what_a_browser_has_already_is_not_sent_again(ann: Person, path: str) -> None:
    path = path.format(game=PAIR, id=ann.open(PAIR))
    plain = ann.web.get(path, headers={"Accept-Encoding": "identity"})
    packed = ann.web.get(path, headers={"Accept-Encoding": "gzip"})
    strong = plain.headers["etag"]
    assert strong.startswith('"')
    assert plain.headers["cache-control"] == "no-cache"
    assert packed.headers["etag"] == (f"W/{strong}" if "content-encoding" in packed.headers else strong)
    for known in (strong, packed.headers["etag"], f'"other", {strong}'):
        assert ann.web.get(path, headers={"If-None-Match": known}).status_code == 304, known
    assert ann.web.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_fault_of_ours_shows_no_traceback_and_keeps_the_headers(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    live_table = served.live_table(id)
    history, live_table.history = live_table.history, None  # type: ignore[assignment]
    answer = ann.web.get(f"/m/{id}")
    live_table.history = history
    assert answer.status_code == 500
    assert "Traceback" not in answer.text
    assert answer.headers["Content-Security-Policy"] == SECURITY_HEADERS["Content-Security-Policy"]


def test_a_fault_of_the_rules_is_not_told_as_an_illegal_move(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = ann.open(ALONE)
    history = served.live_table(id).history
    token, ply = legal(served, id)[0], history.ply
    monkeypatch.setattr(history.head.game.rules, "play", lambda *_: int("none"))
    assert ann.command(id, "act", ply, token=token).status_code == 500
    assert history.ply == ply
