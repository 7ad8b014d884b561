"""The picture of a result in the deal of the day: for its player alone, in every language, and no luck in it."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from html import unescape

import pytest

from smallchange.core.game import Game
from smallchange.i18n.text import LANGUAGES
from smallchange.server.daily.days import DailyCard
from smallchange.server.daily.view import daily_picture
from smallchange.server.table.model.history import History
from smallchange.server.table.model.outcome import outcome
from smallchange.server.table.view.ending import outcome_text, split_verdict

from .dailies import GAME, begin, finish, have_place
from .serving import Person, Served, serving

PICTURE = f"/daily/{GAME}/picture"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("picture"), bot_workers=1, bot_seconds=0.01) as served:
        yield served


@pytest.fixture(scope="module")
def cy(served: Served) -> Iterator[Person]:
    with Person(served) as cy:
        have_place(served, cy)
        yield cy


@pytest.fixture(scope="module")
def history(served: Served, cy: Person) -> History:
    """The deal of the day, played to its end."""
    assert cy.web.get(f"{PICTURE}.svg").status_code == 404, "before the end"
    return finish(served, cy, begin(cy))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_says_the_result_and_where_to_play_and_nothing_of_the_luck(
    served: Served, cy: Person, history: History, lang: str
) -> None:
    drawn = cy.web.get(f"{PICTURE}.svg?lang={lang}")
    assert drawn.headers["content-type"] == "image/svg+xml"
    game = Game(GAME, history.head.game.non_default_options)
    verdict = outcome_text(history.match, outcome(history.match, history.ending))  # type: ignore[arg-type]
    # the same picture follows from the result and the place alone, whatever the deal and the moves were
    card = DailyCard(served.services.daily.today, game, None, verdict, 1, 1)
    assert drawn.text == daily_picture(card, served.url, lang)
    said = re.sub(r"\s", "", unescape("".join(re.findall("<text[^>]*>([^<]*)", drawn.text))))
    assert re.sub(r"\s", "", split_verdict(verdict, lang)[1]) in said
    assert game.words.TITLE[lang].replace(" ", "") in said
    assert f"127.0.0.1:{served.port}/daily" in said
    for secret in (history.head.secret.hex(), history.head.seal, history.head.id, history.head.code):
        assert secret not in drawn.text


def test_the_board_in_it_is_the_same_every_day_and_for_every_result() -> None:
    def board(day: int, worse: int) -> str:
        card = DailyCard(day, Game(GAME), None, Game(GAME).words.TITLE, 1, 11, worse)
        drawn = daily_picture(card, "https://x.test", "en")
        assert drawn is not None
        return drawn[drawn.index("<svg x=") : drawn.rindex("</svg>")].partition("</svg>")[0]

    assert board(20_000, 0) == board(20_783, 10)


def test_it_is_a_png_too_without_any_words_in_its_file(cy: Person, history: History) -> None:
    pytest.importorskip("cairosvg")
    found = cy.web.get(f"{PICTURE}.png").content
    assert found.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", found[16:24]) == (1200, 630)
    kinds, at = set(), 8
    while at < len(found):
        (length,) = struct.unpack(">I", found[at : at + 4])
        kinds.add(found[at + 4 : at + 8])
        at += 12 + length
    assert kinds <= {b"IHDR", b"IDAT", b"IEND", b"sBIT", b"bKGD", b"pHYs", b"sRGB", b"PLTE"}


def test_nobody_else_gets_it_and_the_page_offers_it(served: Served, cy: Person, history: History) -> None:
    with Person(served) as other:
        assert other.web.get(f"{PICTURE}.svg").status_code == 404
        assert other.web.get(f"{PICTURE}.png").status_code == 404
    page = cy.web.get("/daily").text
    assert f'src="{PICTURE}.svg"' in page
    assert f'href="{PICTURE}.png"' in page
