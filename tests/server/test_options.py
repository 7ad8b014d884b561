"""Errors in a table's options: on a page in its language and words, in the API by their names."""

from html import unescape

import pytest

from smallchange import Game, games
from smallchange.bots import levels
from smallchange.core.options import Whole
from smallchange.server.table.view.measured_odds import best_bot_rates
from smallchange.server.web.phrases import EXAMPLE, PICTURE

from .serving import Person

GAME = "solo"
LABEL = Game(GAME).words.OPTIONS
WRONG = [
    (
        "board",
        {"board.drawn": "xyz"},
        "a drawing has # (a tile), . (no tile), o (a black hole); line 1 has 'x' as character 1.",
        "図に使えるのは#(タイル)、.(タイルなし)、o(ブラックホール)だけです。1行目の1文字目は'x'です。",
    ),
    (
        "free_moves",
        {"free_moves": "13"},
        "must be a whole number from 0 to 12, not 13.",
        "0から12までの整数にしてください(「13」は使えません)。",
    ),
    (
        "free_moves",
        {"free_moves": ""},
        "must be a whole number from 0 to 12.",
        "0から12までの整数にしてください。",
    ),
    (
        "topology",
        {"board": "galaxy", "topology": "sphere"},
        "a sphere needs an even number of columns, but this board has 7.",
        "球面には偶数の列が必要ですが、この盤は7列です。",
    ),
    (
        "whip",
        {"whip": "true"},
        "works only with black holes that may be flown over.",
        "ブラックホールを飛び越えてよい設定でだけ使えます。",
    ),
]


@pytest.mark.parametrize(("option", "fields", "en", "ja"), WRONG)
def test_a_page_calls_an_option_as_its_form_does(
    ann: Person, option: str, fields: dict[str, str], en: str, ja: str
) -> None:
    for lang, why in (("en", en), ("ja", ja)):
        here = f'id="fault-{option}" role="status">{why[0].upper()}{why[1:]}<'
        shown = ann.web.get(f"/games/{GAME}?lang={lang}", params={"lang": lang, **fields})
        assert here in unescape(shown.text)
        refused = ann.post(f"/games/{GAME}?lang={lang}", **fields)
        assert refused.status_code == 400
        assert unescape(refused.text).count(f"{LABEL[option][lang]}: {why}") == 1  # above the form
        assert here in unescape(refused.text)
        assert "option '" not in unescape(refused.text)
        assert f'aria-describedby="fault-{option}" aria-invalid="true"' in refused.text
        for page in (shown.text, refused.text):
            assert '<p class="small-print" id="chosen" role="status"></p>' in page, "nothing is chosen yet"


def test_words_that_nobody_typed_are_not_shown_to_them(ann: Person) -> None:
    game = next(id for id in games() if Game(id).sources and Game(id).options != {})
    option = next(option for option in Game(game).offered if isinstance(option, Whole))
    wrong = {option.name: str(option.high + 1)}
    refused = ann.post(f"/games/{game}", words="", added="q8s1", **wrong)
    assert refused.status_code == 400
    assert 'name="words" maxlength="100" autocomplete="off" value=""' in refused.text
    assert 'value="of mine"' in ann.post(f"/games/{game}", words="of mine", added="q8s1", **wrong).text


def test_a_link_to_the_editor_has_the_options_and_nothing_else_of_a_refused_form(ann: Person) -> None:
    refused = ann.post("/games/solo", words="of mine", name="Ann", **{"board.drawn": "xyz"}).text
    assert 'href="/games/solo/draw?board.drawn=xyz"' in refused


def test_the_api_calls_an_option_by_its_name(ann: Person) -> None:
    wish = {"game": GAME, "options": {"free_moves": 13}}
    said = ann.web.post("/api/matches", json=wish).json()
    assert "option 'free_moves' must be a whole number from 0 to 12, not 13" in said["why"], said


def test_a_table_of_bots_alone_is_refused_in_the_forms_words(ann: Person) -> None:
    bots = {"seat.red": "bot:greedy", "seat.green": "bot:greedy"}
    assert "choose “me” for one of the seats" in ann.post("/games/dodgem", **bots).text
    assert "どれか1つの席を「自分」にしてください" in ann.post("/games/dodgem?lang=ja", **bots).text


@pytest.mark.parametrize("game", games())
def test_the_page_says_of_every_bot_what_it_is(ann: Person, game: str) -> None:
    for lang in "en", "ja":
        page = unescape(ann.web.get(f"/games/{game}?lang={lang}").text)
        for level in levels.load_bots(Game(game)).values():
            assert levels.description(level)[lang] in page


def test_the_picture_says_whether_the_game_always_begins_so(ann: Person) -> None:
    for game, options, caption in (
        ("coin-age", {"map": "random"}, EXAMPLE),
        ("coin-age", {"map": "lagoon"}, PICTURE),
        ("dodgem", {}, PICTURE),
        ("solo", {}, EXAMPLE),
    ):
        page = ann.web.get(f"/games/{game}", params=options).text
        assert f"<figcaption>{caption.en}</figcaption>" in page, (game, options)


def test_an_option_that_changes_nothing_on_its_board_says_so_and_counts_as_the_base_game(ann: Person) -> None:
    page = ann.web.get("/games/solo", params={"outside": "virtual", "hole": "fly", "free_moves": "4"}).text
    assert page.count("which has no effect on this board") == 2
    assert (
        best_bot_rates(Game("solo", {"outside": "virtual"}))
        == best_bot_rates(Game("solo"))
        != best_bot_rates(Game("solo", {"free_moves": 1}))
    )


def test_lists_name_only_the_options_that_change_something(ann: Person) -> None:
    id = ann.open(GAME, outside="virtual", hole="fly", free_moves="2")
    row = unescape(ann.web.get("/mine").text).partition(f'id="row-{id}"')[2].partition("</li>")[0]
    assert LABEL["free_moves"].en in row
    assert LABEL["outside"].en not in row
    assert LABEL["hole"].en not in row


@pytest.mark.parametrize("id", games())
def test_cards_say_what_is_known_of_their_game(ann: Person, id: str) -> None:
    offered = Game(id).presets
    for preset in offered.PRESETS if offered else ():
        if preset.note is not None:
            for lang in ("en", "ja", "de"):
                page = unescape(ann.web.get(f"/games/{id}", params={"lang": lang}).text)
                assert preset.note[lang] in page
