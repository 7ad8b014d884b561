"""What a player looks up at the table, of every game that has it."""

from random import Random

import pytest

import smallchange
from smallchange.text import LANGUAGES
from smallchange.web import pages
from smallchange.web.view import Visit

SHEETED = [id for id in smallchange.games() if smallchange.game(id).sheet]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", SHEETED)
def test_a_sheet_is_whole_in_every_position(id: str, lang: str) -> None:
    position, luck = smallchange.game(id).start(), Random(7)
    while position.actor:
        for sheet in position.game.sheet.sheets(position.game.board, position.s):
            assert all(len(row.texts) == max(1, len(sheet.columns)) for row in sheet.rows)
        position.take(luck.choice(list(position)))
    page = pages.glance("match", position, Visit(lang, "", "/"))
    assert position.game.sheet.TITLE[lang] in page
    assert "{" not in page.partition('class="book')[2]
    assert page.count(' id="glance') == 0
