"""Behind a proxy that serves the site below a path of another, everything stays below that path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from smallchange.core.game import Game
from smallchange.server.settings import BadSetting, settings

from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, serving
from .tables import PAIR, legal

PREFIX = "/games"  # as one of our own paths begins: no prefix is taken for another's


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("prefix"), path_prefix=PREFIX) as found:
        found.url += PREFIX
        yield found


@pytest.fixture
def ann(served: Served) -> Iterator[Person]:
    with Person(served) as person:
        yield person


def sit(ann: Person) -> str:
    """Open a table by the form and return its id."""
    answer = ann.post(f"/games/{PAIR}")
    assert answer.status_code == 303
    address = answer.headers["location"]
    assert address.startswith(f"{PREFIX}/m/")
    return str(address.removeprefix(f"{PREFIX}/m/"))


def test_what_is_sent_over_a_socket_and_answered_to_a_form_stays_below_the_prefix(
    served: Served, ann: Person
) -> None:
    """All pages and calls: test_route_matrix."""
    id = sit(ann)
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        addresses = re.findall(r'(?:href|src|action)=\\?"(/[^"\\]*)', json.dumps(hear(line, "changes")))
    assert addresses
    assert all(address.startswith(f"{PREFIX}/") for address in addresses)
    ply = served.live_table(id).history.ply
    assert ann.command(id, "resign", ply).headers["location"] == f"{PREFIX}/m/{id}"


def test_the_installed_site_begins_below_the_prefix(ann: Person) -> None:
    manifest = ann.web.get("/manifest.webmanifest").json()
    assert {manifest[name] for name in ("id", "start_url", "scope")} == {f"{PREFIX}/"}
    icons = [icon["src"] for icon in manifest["icons"]]
    assert all(src.startswith(f"{PREFIX}/static/") for src in icons)
    assert ann.web.get("/api/openapi.json").json()["servers"] == [{"url": PREFIX}]


def test_other_paths_are_not_ours_but_health_is_told_beside_the_proxy(served: Served) -> None:
    root = served.url.removesuffix(PREFIX)
    for path, status in (
        ("/", 404),
        ("/games", 404),
        ("/m/abcdefgh", 404),
        ("/healthz", 200),
        ("/games/healthz", 200),
    ):
        assert httpx.get(root + path, timeout=TIMEOUT_S).status_code == status, path
    with pytest.raises(InvalidStatus):
        connect(f"{root.replace('http', 'ws')}/ws", open_timeout=TIMEOUT_S)


@pytest.mark.parametrize("secure", [False, True])
def test_cookies_are_for_the_prefix_alone_and_come_back(tmp_path: Path, secure: bool) -> None:
    with serving(tmp_path, path_prefix=PREFIX, secure=secure) as served:
        address, name = f"{served.url}{PREFIX}", "__Secure-who" if secure else "who"
        first = httpx.get(f"{address}/", timeout=TIMEOUT_S)
        (cookie,) = first.headers.get_list("set-cookie")
        assert cookie.startswith(f"{name}=")
        assert f"; Path={PREFIX}/;" in cookie
        token = cookie.partition("=")[2].partition(";")[0]
        again = httpx.get(f"{address}/", headers={"Cookie": f"{name}={token}"}, timeout=TIMEOUT_S)
        assert f"{name}={token};" in again.headers["set-cookie"], "the visitor is known"


def test_a_program_plays_below_the_prefix(served: Served) -> None:
    order = {"game": PAIR, "seats": dict.fromkeys(Game(PAIR).seats, "me")}
    made = httpx.post(f"{served.url}/api/matches", json=order, timeout=TIMEOUT_S).json()
    step = {"ply": 0, "move": fresh(), "token": legal(served, made["match"])[0]}
    answer = httpx.post(
        f"{served.url}/api/matches/{made['match']}/act",
        json=step,
        headers={"Authorization": f"Bearer {made['token']}"},
        timeout=TIMEOUT_S,
    )
    assert answer.status_code == 200


@pytest.mark.parametrize("prefix", ["games", "/games/", "/", "//x", "/a/../b", "/a b"])
def test_a_prefix_that_is_none_is_refused(prefix: str) -> None:
    with pytest.raises(BadSetting, match="path_prefix: expected a path such as /games"):
        settings(path_prefix=prefix)
