"""The texts of pages for watchers, after an offer, and in games without luck."""

from __future__ import annotations

import re
from html import unescape

import httpx
import pytest

from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.core.options import Whole
from smallchange.i18n.text import LANGUAGES
from smallchange.server.table.model.events import Ending, How
from smallchange.server.table.model.outcome import outcome
from smallchange.server.table.view.ending import outcome_text

from .serving import TIMEOUT_S, Person, Served
from .tables import LUCKY_PAIR, PAIR, legal, table_for_two, under_way


def words(page: str) -> str:
    """Return the text of a page without its markup; `data-why` is said when somebody touches."""
    why = re.findall(r'data-why="([^"]*)"', page)
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)) + " ".join(why))


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("You are watching. It is the player’s turn.", "The player a guest", "The player is ")),
        ("ja", ("観戦中です。今はプレイヤーの番です。", "プレイヤー ゲスト", "プレイヤーは")),
    ],
)
def test_who_watches_a_game_for_one_is_not_taken_for_its_player(
    served: Served, ann: Person, bo: Person, lang: str, said: tuple[str, ...]
) -> None:
    page = words(bo.page(f"{under_way(served, ann)}?lang={lang}"))
    for text in said:
        assert text in page


@pytest.mark.parametrize(
    ("query", "cookie", "accepts", "lang"),
    [
        ("", "", "fr-FR, ja;q=0.9", "ja"),
        ("", "", "JA-JP", "ja"),
        ("", "", "fr", "en"),
        ("", "en", "ja", "en"),
        ("?lang=ja", "en", "", "ja"),
        ("?slang=ja", "", "", "en"),
        ("?lang=fr", "", "ja", "ja"),
        ("", "fr", "ja", "ja"),
        ("", "", "ja;q=0.1, en;q=0.9", "en"),
        ("", "", "en;q=0.5, ja;q=0.501", "ja"),
        ("", "", "ja;q=0, de;q=0.001", "de"),
        ("", "", "ja ; Q=0.5 , de ; q=0.6", "de"),
        ("", "", "de-AT, ja;q=0.9", "de"),
        ("", "", "de-Latn-CH-1996", "de"),
        ("", "", "zh-Hant, zh;q=0.9", "en"),
        ("", "", "deu, jam;q=0.9", "en"),
        ("", "", "ja;q=0, *", "en"),
        ("", "", "fr, *;q=0.5, ja;q=0.1", "ja"),
        ("", "", ",,;q=1,  de", "de"),
        ("", "", "de, ja", "de"),
    ],
)
def test_a_page_is_in_the_language_of_its_address_or_of_ones_choice_or_of_the_browser(
    served: Served, query: str, cookie: str, accepts: str, lang: str
) -> None:
    headers = {"Cookie": f"lang={cookie}", "Accept-Language": accepts}
    page = httpx.get(f"{served.url}/about{query}", headers=headers, timeout=TIMEOUT_S)
    assert page.status_code == 200
    assert f'<html lang="{lang}"' in page.text


@pytest.mark.parametrize(
    ("lang", "turn", "seat"),
    [("en", "It is Ann’s turn.", "Ann (you)"), ("ja", "今はAnnさんの番です。", "Ann(あなた)")],
)
def test_a_person_is_called_by_name_as_the_language_has_it(
    served: Served, ann: Person, bo: Person, lang: str, turn: str, seat: str
) -> None:
    id = table_for_two(ann, bo, name="Ann")
    assert turn in words(bo.page(f"{id}?lang={lang}"))
    assert seat in words(ann.page(f"{id}?lang={lang}"))


def test_the_link_of_a_running_game_can_be_copied_by_all_who_see_it(
    served: Served, ann: Person, bo: Person
) -> None:
    for id in (under_way(served, ann), table_for_two(ann, bo)):
        for who in (ann, bo):
            assert f'data-copy="/m/{id}"' in who.page(id)


@pytest.mark.parametrize(("what", "word"), [("draw", "the draw"), ("undo", "to take the move back")])
def test_who_offered_is_told_that_it_was_declined_until_the_next_step(
    served: Served, ann: Person, bo: Person, what: str, word: str
) -> None:
    id = table_for_two(ann, bo)
    ann.command(id, "act", 1, token=legal(served, id)[0])
    ann.command(id, "offer", 2, what=what)
    bo.command(id, "answer", 3, yes="0")
    assert f"Bo declined {word}." in words(ann.page(id))
    assert f"You declined {word}." in words(bo.page(id))
    bo.command(id, "act", 4, token=legal(served, id)[0])
    assert "declined" not in words(ann.page(id))


def test_an_invitation_says_who_invites_which_seat_is_free_and_what_was_chosen(
    served: Served, ann: Person, bo: Person
) -> None:
    game = Game(PAIR)
    mine, yours = (game.words.PLAYERS[seat].en for seat in game.seats)
    page = words(bo.web.get(ann.invite(ann.open(PAIR, name="Ann"))).text)
    assert f"Ann plays {mine}. Your seat: {yours}. This is the base game, as in its rulebook." in page
    whole = next(option for option in game.offered if isinstance(option, Whole))
    varied = ann.open(PAIR, name="", **{whole.name: str(whole.low)})
    page = words(bo.web.get(ann.invite(varied)).text)
    assert f"A guest plays {mine}." in page
    assert f"Variants: {game.words.OPTIONS[whole.name].en}: {whole.low}." in page


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost:8765", True),
        ("127.0.0.1", True),
        ("[::1]:80", True),
        ("play.example", False),
        ("10.0.0.7", False),
    ],
)
def test_a_link_that_leads_only_to_this_computer_says_so(
    served: Served, ann: Person, host: str, local: bool
) -> None:
    page = ann.web.get(f"/m/{ann.open(PAIR)}", headers={"Host": host}).text
    assert ("This link works on this computer only." in words(page)) is local
    assert ("smallchange serve --host 0.0.0.0" in page) is local


def test_what_programs_may_ask_is_a_link_away(ann: Person) -> None:
    assert 'href="/api/openapi.json"' in ann.web.get("/about").text
    assert ann.web.get("/api/openapi.json").status_code == 200


def test_a_game_without_luck_speaks_of_none(served: Served, ann: Person, bo: Person) -> None:
    for game, luck in ((PAIR, False), (LUCKY_PAIR, True)):
        id = ann.open(game, **{f"seat.{player}": "me" for player in Game(game).seats})
        assert ("chance" in words(ann.page(id))) is luck
        ann.command(id, "resign", served.live_table(id).history.ply)
        assert ("Verify the luck" in words(ann.page(id))) is luck
    assert "chance" not in words(ann.page(table_for_two(ann, bo)))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("seat", [0, 1])
def test_who_resigned_is_said_before_who_wins(seat: int, lang: str) -> None:
    game = Game(PAIR)
    mine, other = (game.words.PLAYERS[game.seats[i]][lang] for i in (seat, 1 - seat))
    stands = outcome(Match(game), Ending(How.RESIGNED, seat))
    text = outcome_text(Match(game), stands)[lang]
    assert text.index(mine) < text.index(other)
    assert stands.winners == (1 - seat,)


def test_settings_are_kept_by_a_form_alone_and_lead_back(ann: Person) -> None:
    chosen = {"speed": "slow", "sound": "25", "lang": "de", "theme": "dark"}
    answer = ann.post("/settings", back="/about", **chosen)
    assert (answer.status_code, answer.headers["location"]) == (303, "/about")
    page = ann.web.get("/settings").text
    assert '<html lang="de" data-theme="dark">' in page
    assert 'data-speed="slow" data-sound="25"' in page
    for name, value in chosen.items():
        assert re.search(f'name="{name}" value="{value}" checked', page)
    for wrong in ({"speed": "quicker"}, {"back": "//elsewhere.test"}):
        assert ann.post("/settings", **wrong).status_code == 400


def test_nouns_keep_their_capitals_where_a_phrase_begins_a_line(served: Served, ann: Person) -> None:
    table = ann.open(PAIR, time="5+3")
    assert "5 Min. + 3 s je Zug" in words(ann.page(f"{table}?lang=de"))
