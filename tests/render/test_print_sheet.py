"""The page to print has every piece once, at the size of the squares."""

from __future__ import annotations

import re
from html import escape

import pytest

import smallchange
from smallchange import Game
from smallchange.core.options import Whole
from smallchange.i18n.text import LANGUAGES
from smallchange.render.print_sheet import piecepack_pieces

GAMES = smallchange.games()


@pytest.mark.parametrize("id", GAMES)
def test_a_page_to_print_stands_alone_in_every_language(id: str) -> None:
    game = smallchange.game(id)
    for lang in LANGUAGES:
        page = smallchange.print_sheet(game, lang)
        assert f'<html lang="{lang}">' in page
        assert game.words.TITLE[lang] in page
        assert "<script" not in page
        assert "http" not in page
        assert {"1", "2", "3"} <= set(re.findall(r">(\d+)\. \S", page)), "the rules are numbered"
        assert not re.search(r"\*|`|\{#| \| ", page.partition("<section")[2])
        assert all(
            re.fullmatch(r"[a-z]+\d+", name)
            for name in re.findall(r'font-size="14" fill="#655C4F">(.*?)<', page)
        )
        assert set(re.findall(r'href="#([\w-]+)"', page)) <= set(re.findall(r'id="([\w-]+)"', page))


def test_a_piecepack_has_24_tiles_24_coins_and_4_pawns() -> None:
    kinds = [sides[0].kind for sides in piecepack_pieces()]
    assert [kinds.count(kind) for kind in ("tile", "coin", "pawn")] == [24, 24, 4]
    coins = {sides for sides in piecepack_pieces() if sides[0].kind == "coin"}
    assert {(number.value, suit.suit) for number, suit in coins} == {(v, s) for v in "na2345" for s in "SMCA"}


def test_a_board_without_chance_needs_only_the_pieces_on_it() -> None:
    assert smallchange.print_sheet("dodgem").count('class="card"') == 10
    assert smallchange.print_sheet("thrag").count('class="card"') == 52


def test_nothing_is_larger_than_the_paper() -> None:
    drawn = [smallchange.game("solo", board=board) for board in ("#" * 20, "#\n" * 20)]
    games: list[str | Game] = [*GAMES, *drawn, smallchange.game("dodgem", size=7)]
    for game in games:
        page = smallchange.print_sheet(game)
        assert max(map(float, re.findall(r'width="([\d.]+)mm"', page))) <= 190
        assert max(map(float, re.findall(r'height="([\d.]+)mm"', page))) <= 230


def test_a_page_says_only_what_its_pieces_need() -> None:
    told = {id: smallchange.print_sheet(id).partition("Cut along the dashed lines.")[2][:200] for id in GAMES}
    assert [id for id in GAMES if "fold it" in told[id]] == ["coin-age", "coin-collectors", "solo", "thrag"]
    assert [id for id in GAMES if "dice will do" in told[id]] == ["coin-collectors", "thrag"]
    assert [id for id in GAMES if "Throw any coins" in told[id]] == ["royal-ur"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_variant_is_named_on_its_sheet_and_its_rules_have_the_options(lang: str) -> None:
    for id in GAMES:
        game = smallchange.game(id)
        option = next(one for one in game.offered if isinstance(one, Whole))
        value = option.high if option.low == option.default else option.low
        page = smallchange.print_sheet(smallchange.game(id, **{option.name: value}), lang)
        assert f"<p>{escape(game.words.OPTIONS[option.name][lang])}: {value}</p>" in page, id
        heading = re.findall(r"## (.*) \{#options\}", game.rulebook(lang))[0]
        assert f"<h2>{heading}</h2>" in page, id
        assert f"<h2>{heading}</h2>" not in smallchange.print_sheet(id, lang), id
