"""The end of a match compares it with the player's others, and its result can be shared as a card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from smallchange.i18n.text import LANGUAGES
from smallchange.server.table.model.outcome import outcome

from .dailies import finish
from .serving import Person, Served, serving
from .tables import write

FOR_ONE, FOR_TWO = "solo", "dodgem"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("best"), bot_workers=1, bot_seconds=0.01) as served:
        yield served


@pytest.fixture
def ann(served: Served) -> Iterator[Person]:
    with Person(served) as ann:
        yield ann


def best_so_far(person: Person, id: str) -> str:
    """Return the best so far as the page says it; the tip brings the same to a page that is open."""
    found = re.search('<p id="best-so-far">(.*?)</p>', person.page(id))
    assert found
    assert unescape(found[1]) == person.web.get(f"/m/{id}/tip").json()["best"]
    return unescape(found[1])


def played(served: Served, person: Person) -> str:
    id = person.open(FOR_ONE)
    finish(served, person, id, choice=1)
    return id


def test_a_score_is_compared_with_the_best_of_the_others(served: Served, ann: Person) -> None:
    first = played(served, ann)
    assert not best_so_far(ann, first)
    second = played(served, ann)
    write(served, f"UPDATE seat SET score = 1 WHERE match_id = '{first}'")  # better than any
    history = served.live_table(second).history
    assert history.ending is not None
    (score,) = outcome(history.match, history.ending).scores
    words: Any = history.head.game.words
    assert best_so_far(ann, second) == f"Your best so far: {words.score_text(1).en}."
    write(served, f"UPDATE seat SET score = -24 WHERE match_id = '{first}'")
    assert best_so_far(ann, second) == f"Your best so far. Before: {words.score_text(-24).en}."
    write(served, f"UPDATE seat SET score = {score} WHERE match_id = '{first}'")
    assert best_so_far(ann, second) == "As good as your best so far."
    write(served, f"UPDATE match SET options = '{{}} ' WHERE id = '{first}'")
    assert not best_so_far(ann, second), "it is the first with these options"


def test_games_against_the_same_bot_are_counted(served: Served, ann: Person) -> None:
    seats = {"seat.red": "me", "seat.green": "bot:level1"}
    for said in ("", "Against Pip so far: 0 won, 2 lost."):
        id = ann.open(FOR_TWO, **seats)
        ann.command(id, "resign", served.live_table(id).history.ply)
        write(served, f"UPDATE seat SET points = 2 * number WHERE match_id = '{id}'")  # as after a few moves
        assert best_so_far(ann, id) == said
    write(served, f"UPDATE seat SET points = 1 WHERE match_id = '{id}'")
    assert best_so_far(ann, id) == "Against Pip so far: 0 won, 1 drawn, 1 lost."


def test_both_sides_of_one_person_compare_with_nobody(served: Served, ann: Person) -> None:
    id = ann.open(FOR_TWO, **{"seat.red": "me", "seat.green": "me"})
    ann.command(id, "resign", served.live_table(id).history.ply)
    assert best_so_far(ann, id) == ""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_result_is_a_card_for_everybody(served: Served, ann: Person, lang: str) -> None:
    id = ann.open(FOR_ONE)
    assert ann.web.get(f"/m/{id}/card.svg").status_code == 404, "before the end"
    assert 'id="share"' not in ann.page(id)
    history = finish(served, ann, id)
    assert f'id="share" href="/m/{id}/card"' in ann.page(id)
    with Person(served) as other:
        assert other.web.get(f"/m/{id}/card?lang={lang}").status_code == 200
        drawn = other.web.get(f"/m/{id}/card.svg?lang={lang}")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert history.head.game.words.TITLE[lang] in unescape(drawn.text)
    assert f"127.0.0.1:{served.port}/m/{id}" in drawn.text


def test_messengers_are_given_the_card_of_an_ended_match(served: Served, ann: Person) -> None:
    pytest.importorskip("cairosvg")
    id = ann.open(FOR_ONE)
    assert "/preview.png" in ann.page(id)
    finish(served, ann, id)
    assert f'property="og:image" content="{served.url}/m/{id}/card.png"' in ann.page(id)
    assert ann.web.get(f"/m/{id}/card.png").content.startswith(b"\x89PNG")
