"""The preview of a link in a messenger shows the game, and nothing of a table."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import httpx
import pytest

import smallchange
from smallchange.server.web.frame import PREVIEW_FILE

from .serving import TIMEOUT_S, Person, Served, serving
from .tables import PAIR, table_for_two

GAMES = smallchange.games()
WORDS = smallchange.game(PAIR).words
TOLD = re.compile(r'<(?:meta (?:name|property)="(?:description|og:\w+)" content="([^"]*)"|title>([^<]*)<)')


def preview_texts(page: str) -> list[str]:
    """Return the title and all that a messenger reads."""
    return [unescape(content or title) for content, title in TOLD.findall(page)]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_link_to_a_table_tells_the_game_alone(served: Served, ann: Person, bo: Person, lang: str) -> None:
    waiting = ann.invite(ann.open(PAIR, name="Ann of Gables"))
    going = f"/m/{table_for_two(ann, bo, name='Ann of Gables')}"
    for path in (waiting, going):
        said = preview_texts(httpx.get(f"{served.url}{path}?lang={lang}", timeout=TIMEOUT_S).text)
        assert WORDS.TAGLINE[lang] in said
        assert all("Ann" not in part for part in said)
        assert WORDS.TITLE[lang] in said[0]


@pytest.mark.parametrize(
    "game", [id for id in GAMES if (smallchange.Game(id).folder / PREVIEW_FILE).exists()]
)
def test_the_picture_has_a_whole_address_and_is_one(served: Served, game: str) -> None:
    page = httpx.get(f"{served.url}/games/{game}", timeout=TIMEOUT_S).text
    found = re.search(r'property="og:image" content="([^"]+)"', page)
    assert found
    assert found[1].startswith(served.url)
    answer = httpx.get(found[1], timeout=TIMEOUT_S)
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")


def test_behind_tls_the_address_is_of_tls(tmp_path: Path) -> None:
    with serving(tmp_path, secure=True) as served:
        page = httpx.get(f"{served.url}/rules/{PAIR}", timeout=TIMEOUT_S).text
    assert f'property="og:image" content="https{served.url.removeprefix("http")}/' in page


def test_a_page_is_told_from_another_by_its_title(served: Served, ann: Person) -> None:
    waiting = ann.open(PAIR)
    paths = (f"/rules/{PAIR}", f"/games/{PAIR}", f"/m/{waiting}", ann.invite(waiting), "/", "/mine")
    assert len(
        {preview_texts(httpx.get(served.url + path, timeout=TIMEOUT_S).text)[0] for path in paths}
    ) == len(paths)


def test_an_icon_for_the_first_screen_of_a_phone(served: Served) -> None:
    found = re.search(r'rel="apple-touch-icon" href="([^"]+)"', httpx.get(served.url, timeout=TIMEOUT_S).text)
    assert found
    assert httpx.get(served.url + found[1], timeout=TIMEOUT_S).content.startswith(b"\x89PNG")
