"""The reference sheet of every game that has one."""

from random import Random

import pytest

import smallchange
from smallchange.i18n.text import LANGUAGES
from smallchange.server.table.view.documents import reference_page
from smallchange.server.web.frame import PageContext

SHEETED = [id for id in smallchange.games() if smallchange.game(id).reference]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", SHEETED)
def test_a_sheet_is_whole_in_every_position(id: str, lang: str) -> None:
    position, luck = smallchange.game(id).start(), Random(7)
    reference = position.game.reference
    assert reference is not None
    while position.actor:
        for sheet in reference.sheets(position.game.board, position.s):
            assert all(len(row.texts) == max(1, len(sheet.columns)) for row in sheet.rows)
        position.play(luck.choice(list(position)))
    page = reference_page("match", position, PageContext(lang, "", "/"))
    assert reference.TITLE[lang] in page
    assert "{" not in page.partition('class="book')[2]
    assert page.count(' id="glance') == 0
