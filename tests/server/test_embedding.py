"""Tables inside pages of other sites: the frame, the picture, and oEmbed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest

from smallchange.core.game import Game, games

from .serving import TIMEOUT_S, Person, Served, serving
from .tables import PAIR

ALONE = next(id for id in games() if len(Game(id).seats) == 1)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("embedding")) as served:
        yield served


@pytest.fixture
def ann(served: Served) -> Iterator[Person]:
    with Person(served) as ann:
        yield ann


def seats(ann: Person) -> str:
    """Return a table at which Ann plays both sides, some steps into the game."""
    seats = {f"seat.{player}": "me" for player in Game(PAIR).seats}
    id = ann.open(PAIR, name="Ann <1>", **seats)
    for _ in range(3):
        history = ann.served.live_table(id).history
        ann.command(id, "act", history.ply, token=history.match.position.legal()[0])
    return id


def test_a_frame_has_no_script_and_no_form_and_is_the_same_for_all(ann: Person) -> None:
    id = seats(ann)
    answer = ann.web.get(f"/embed/{id}")
    page = answer.text
    assert "<script" not in page
    assert "<form" not in page
    assert "Ann &lt;1&gt;" in page
    assert page == httpx.get(answer.url, timeout=TIMEOUT_S).text  # the player's cookie changes nothing


def test_a_frame_steps_through_the_game_and_loads_a_running_one_again(ann: Person) -> None:
    id = seats(ann)
    now = ann.web.get(f"/embed/{id}").text
    assert 'http-equiv="refresh"' in now
    back = re.findall(rf"/embed/{id}\?at=\d+", now)
    length = ann.served.live_table(id).history.ply
    assert f"/embed/{id}?at={length - 1}" in back
    earlier = ann.web.get(back[-1]).text
    assert 'http-equiv="refresh"' not in earlier
    assert f'href="/embed/{id}"' in earlier  # forward, to the present
    ann.command(id, "resign", ann.served.live_table(id).history.ply)
    assert 'http-equiv="refresh"' not in ann.web.get(f"/embed/{id}").text


def test_the_picture_is_the_table_as_it_was_then(ann: Person) -> None:
    id = seats(ann)
    pictures = [ann.web.get(f"/embed/{id}/board.svg{at}") for at in ("", "?at=0", "?at=1")]
    for answer in pictures:
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        ElementTree.fromstring(answer.text)
    assert len({answer.text for answer in pictures}) == 3


def test_oembed_describes_a_table_and_the_page_leads_to_it(ann: Person) -> None:
    id = seats(ann)
    found = re.search(r'type="application/json\+oembed" href="([^"]+)"', ann.page(id))
    assert found
    described = httpx.get(unescape(found[1]), timeout=TIMEOUT_S).json()
    assert (described["version"], described["type"]) == ("1.0", "rich")
    assert f'src="{ann.served.url}/embed/{id}"' in described["html"]
    assert "Ann &lt;1&gt;" in described["html"]
    assert "Ann <1>" in described["title"]
    path = f"/oembed?url={ann.served.url}/m/{id}"
    small = ann.web.get(f"{path}&maxwidth=300&maxheight=200").json()
    assert (small["width"], small["height"]) == (300, 200)
    assert "thumbnail_url" not in small
    assert ann.web.get(f"{path}&format=xml").status_code == 501
    for other in ("https://elsewhere.test/m/abc", f"{ann.served.url}/m/abcdefgh", "x", "http://[", ""):
        assert ann.web.get("/oembed", params={"url": other}).status_code == 404


def test_a_table_offers_the_codes_to_copy_once_it_has_begun(ann: Person) -> None:
    id = seats(ann)
    page = unescape(ann.page(id))
    assert f'<iframe src="{ann.served.url}/embed/{id}"' in page
    assert f'<img src="{ann.served.url}/embed/{id}/board.svg"' in page
    first, *_ = Game(PAIR).seats
    assert "<iframe" not in unescape(ann.page(ann.open(PAIR, **{f"seat.{first}": "me"})))


def test_a_deal_of_the_day_that_is_sealed_is_shown_in_no_frame(ann: Person) -> None:
    id = ann.post(f"/daily/{ALONE}", name="Ann").headers["location"].removeprefix("/m/")
    for path in (f"/embed/{id}", f"/embed/{id}/board.svg", f"/oembed?url={ann.served.url}/m/{id}"):
        assert ann.web.get(path).status_code == 403
    page = unescape(ann.page(id))
    assert "oembed" not in page
    assert "<iframe" not in page


def test_an_address_under_a_prefix_is_whole(tmp_path: Path) -> None:
    with serving(tmp_path, path_prefix="/games") as served:
        opened = httpx.post(f"{served.url}/games/api/matches", json={"game": ALONE}, timeout=TIMEOUT_S)
        id = opened.json()["match"]
        described = httpx.get(f"{served.url}/games/oembed?url={served.url}/games/m/{id}", timeout=TIMEOUT_S)
        assert f"{served.url}/games/embed/{id}" in described.json()["html"]
        page = httpx.get(f"{served.url}/games/embed/{id}", timeout=TIMEOUT_S).text
        assert f'src="/games/embed/{id}/board.svg"' in page
