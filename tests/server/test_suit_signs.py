"""The signs of suits and sides in words: the same in both languages, and never in a name that was typed."""

import re
from random import Random

import pytest

import smallchange
from smallchange.i18n.text import LANGUAGES
from smallchange.server.table.view.board import with_signs
from smallchange.server.table.view.seats import viewer_line
from smallchange.server.table.view.table_view import SeatView


def signs(markup: str) -> list[str]:
    return re.findall(r'href="#s-(\w+)"', markup)


@pytest.mark.parametrize("id", smallchange.games())
def test_every_step_has_the_same_signs_in_both_languages(id: str) -> None:
    position, luck = smallchange.game(id).start(), Random(1)
    game, found = position.game, set()
    while position.actor:
        token = luck.choice(position.legal() or [token for token, _ in position.weights()])
        said = game.words.step(game.board, position.s, game.actions[token])
        drawn = [sorted(signs(with_signs(said[lang], id, lang))) for lang in LANGUAGES]
        assert drawn[0] == drawn[1], said
        assert len(set(drawn[0])) == len(drawn[0])
        found.update(drawn[0])
        position.play(token)
    assert len(found) == (len(game.seats) if len(game.seats) > 1 else 4)


def test_a_sign_changes_no_word() -> None:
    markup = with_signs("The suns pawn takes the suns ace & goes", "solo", "en")
    assert signs(markup) == ["S"]
    assert re.sub("<.*?>", "", markup) == "The suns pawn takes the suns ace &amp; goes"


def test_a_name_that_was_typed_has_no_sign() -> None:
    words = smallchange.game("dodgem").words.PLAYERS
    sitters = tuple(
        SeatView(seat, words[seat], "person", name, you=name == "me", turn=False, here=True)
        for seat, name in (("red", "me"), ("green", "Red <b>Green</b>"))
    )
    said = viewer_line("dodgem", sitters, (0,), False, "en")
    assert signs(said) == ["S", "C"]
    assert "(Red &lt;b&gt;Green&lt;/b&gt;)" in said
