"""Guided first games over plain HTTP, as a browser without scripts sees them."""

from __future__ import annotations

import re
from html import unescape

import pytest

import smallchange
from smallchange.i18n.text import LANGUAGES

from .serving import Person

GUIDED = [id for id in smallchange.games() if smallchange.game(id).guide]
MAX_PAGES = 40
NEXT = re.compile(r'<a (?:class="btn primary lesson-next"|id="[ps]-[^"]*"[^>]*?) ?href="(/learn/[^"]+)"')


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GUIDED)
def test_a_guided_game_is_played_to_its_end_by_links_alone(ann: Person, game: str, lang: str) -> None:
    guide = smallchange.game(game).guide
    assert guide is not None
    path = f"/learn/{game}"
    pages: list[str] = []
    while len(pages) < MAX_PAGES:
        shown = ann.web.get(path, params=None if "?" in path else {"lang": lang}).text
        pages.append(unescape(shown))
        found = NEXT.search(shown)
        if not found:
            break
        path = unescape(found[1]) + f"&lang={lang}"
    for lesson in guide.LESSONS:
        assert any(lesson.say[lang] in page for page in pages)
    assert f'action="/games/{game}"' in pages[-1]


def test_the_badges_that_a_lesson_speaks_of_lie_over_the_veil(ann: Person) -> None:
    step = next(
        i
        for i, lesson in enumerate(smallchange.game("thrag").guide.LESSONS)  # type: ignore[union-attr]
        if lesson.move == "fight:S"
    )
    page = ann.web.get(f"/learn/thrag?step={step}").text
    board, veil, over = page.partition('class="veil"')
    assert veil
    assert (board.count('class="badge"'), over.partition("</svg>")[0].count('class="badge"')) == (3, 1)


@pytest.mark.parametrize("query", ["step=99", "step=x", "step=0&answered=0"])
def test_a_lesson_that_does_not_exist_is_not_found(ann: Person, query: str) -> None:
    assert ann.web.get(f"/learn/{GUIDED[0]}?{query}").status_code == 404


def test_what_was_touched_that_is_no_move_is_forgotten(ann: Person) -> None:
    step = next(
        i
        for i, lesson in enumerate(smallchange.game("dodgem").guide.LESSONS)  # type: ignore[union-attr]
        if lesson.move
    )
    plain, odd = (ann.web.get(f"/learn/dodgem?step={step}{pick}").text for pick in ("", "&pick=nothing"))
    assert re.findall(r'href="(/learn[^"]+)"', plain) == re.findall(r'href="(/learn[^"]+)"', odd)


@pytest.mark.parametrize("game", GUIDED)
def test_the_rules_open_with_pictures_of_the_guided_game_and_end_with_advice(ann: Person, game: str) -> None:
    page = unescape(ann.web.get(f"/rules/{game}").text)
    guide = smallchange.game(game).guide
    assert guide is not None
    pictures, _, text = page.partition("</ol>")
    said = [lesson.say.en for lesson in guide.LESSONS]
    captions = re.findall("<figcaption>(.*?)</figcaption>", pictures)
    assert len(captions) == 3
    assert captions == sorted(set(captions) & set(said), key=said.index)
    assert pictures.count('class="area board') == 3
    assert f'href="/learn/{game}"' in text
    assert len(guide.ADVICE) >= 3  # type: ignore[attr-defined]
    assert all(f"<li>{one.en}</li>" in text for one in guide.ADVICE)  # type: ignore[attr-defined]
