"""Dodg'em: a test for every ruling, with its number, and the worked example of both rulebooks."""

import json
import random
import re
from typing import Any

import pytest

import smallchange
from smallchange import BadOption, BadPosition, IllegalMove, Position, UnknownMove
from smallchange.core.state import bit
from smallchange.i18n.text import LANGUAGES, Text

from ..presets import PRESETS
from ..rules import MOST, PASS, movable, origin
from ..words import CHOICES
from .positions import position_of


def play_tokens(tokens: str, **options: object) -> Position:
    """Return the position after these tokens."""
    position = smallchange.game("dodgem", **options).start()
    for token in tokens.split():
        position.play(token)
    return position


def test_dg_1_the_sides_face_each_other_and_leave_where_the_other_began() -> None:
    """ "The two sides face each other. Each coin heads for the column where the opponent began." """
    start = smallchange.game("dodgem").start()
    assert start.s.coins == position_of(".....g r....g r....g r....g r....g r.....").s.coins
    assert start.legal() == ["a1-b1", "a2-b2", "a3-b3", "a4-b4", "a5-a6", "a5-b5"]
    start.play("a1-b1")
    assert start.legal() == ["f2-e2", "f2-f1", "f3-e3", "f4-e4", "f5-e5", "f6-e6"]
    across = "... g.r ..."
    assert position_of(across, "red").legal() == ["c2-c1", "c2-c3", "c2-off"]
    assert position_of(across, "green").legal() == ["a2-a1", "a2-a3", "a2-off"]


def test_dg_2_leaving_the_board_is_the_whole_move() -> None:
    """ "Leaving the board is the whole move." """
    position = position_of("..r g.r ...")
    position.play("c2-off")
    assert position.actor == "green"
    assert position.s.coins == position_of("..r g.. ...").s.coins


def test_dg_2_a_coin_may_leave_from_any_square_of_the_last_column() -> None:
    """ "It can do so from any square of that column." """
    assert {"c1-off", "c3-off"} <= set(position_of("..r g.. ..r").legal())


def test_dg_3_a_player_who_can_move_may_not_pass() -> None:
    """ "Nobody may pass by choice." """
    with pytest.raises(IllegalMove, match="possible: a1-b1"):
        play_tokens("pass")


def test_dg_3_a_blocked_player_can_only_pass() -> None:
    """ "`pass` is possible only where nothing else is." """
    position = position_of("... g.. rg.")
    assert position.legal() == ["pass"]
    position.play("pass")
    assert position.actor == "green"


def test_dg_4_quiet_plies_of_both_sides_count_together_to_a_draw() -> None:
    """ "Sideways moves and passes are quiet, whoever makes them." """
    position = play_tokens("a2-a3 c2-c1 a3-a2 c1-c2", size=3, quiet_limit=4)
    assert position.result == {"winner": "draw", "reason": "quiet", "plies": 4}
    assert (position.score("red"), position.score("green")) == (0, 0)
    assert play_tokens("a2-a3 c2-c1 a3-a2", size=3, quiet_limit=4).result is None


def test_what_to_do_is_said_beside_whose_turn_it_is() -> None:
    words, passing = smallchange.game("dodgem").words, position_of("... g.. rg.")
    for position, en, ja in (
        (
            play_tokens(""),
            "Red to move. Move a coin forward or sideways.",
            "赤の番です。コインを前か横に動かします。",
        ),
        (passing, "Red is blocked and passes.", "赤は動けないのでパスです。"),
    ):
        asked = words.asks(position.game.board, position.s)
        assert (asked["en"], asked["ja"]) == (en, ja)


def test_dg_4_a_pass_is_a_quiet_ply() -> None:
    """ "Sideways moves and passes are quiet." """
    position = position_of("... g.. rg.", quiet_limit=4)
    position.play("pass")
    assert position.s.quiet == 1


def test_dg_4_a_forward_move_or_leaving_the_board_starts_the_count_again() -> None:
    """ "Stepping forward and leaving the board are not." """
    for token in ("b2-c2", "c1-off"):
        position = position_of("g.. .r. ..r", quiet_limit=4)
        position.s.quiet = 3
        position.play(token)
        assert (position.actor, position.s.quiet) == ("green", 0)


def test_dg_4_a_win_comes_before_the_quiet_limit() -> None:
    """ "Has the mover won, is the quiet limit reached, and can the next player move: in this order." """
    position = position_of("g.. ... ..r", quiet_limit=4)
    position.s.quiet = 3
    position.play("c1-off")
    assert position.result == {"winner": "red", "reason": "home", "plies": 1}


@pytest.mark.parametrize("blocked", ["wins", "loses"])
def test_dg_4_the_quiet_limit_comes_before_a_blocked_player(blocked: str) -> None:
    """ "Has the mover won, is the quiet limit reached, and can the next player move: in this order." """
    position = position_of("g.. ... rg.", "green", blocked=blocked, quiet_limit=4)
    position.s.quiet = 3
    position.play("a3-a2")
    assert position.result == {"winner": "draw", "reason": "quiet", "plies": 1}


@pytest.mark.parametrize("start", ["facing", "crosswise"])
def test_dg_5_both_sides_are_never_blocked_at_once(start: str) -> None:
    """ "Both sides are never blocked at once." """
    luck = random.Random(5)
    for _ in range(200):
        position, passes = smallchange.game("dodgem", size=3, start=start).start(), 0
        while position.actor and passes < 2:
            token = luck.choice(position.legal())
            passes = passes + 1 if token == "pass" else 0
            position.play(token)
        assert passes < 2


def test_dg_6_the_last_coin_to_leave_wins_at_once() -> None:
    """ "A side wins as soon as its last coin has left the board." """
    position = position_of("..r g.. ...")
    position.play("c3-off")
    assert position.result == {"winner": "red", "reason": "home", "plies": 1}
    assert (position.actor, position.legal()) == (None, [])
    assert (position.score("red"), position.score("green")) == (1, -1)


@pytest.mark.parametrize(("blocked", "winner"), [("wins", "red"), ("loses", "green")])
def test_dg_7_a_player_with_coins_but_no_move_wins_or_loses(blocked: str, winner: str) -> None:
    """ "A player whose turn it is, and who has coins but no move, wins or loses at once." """
    position = position_of("... .g. rg.", "green", blocked=blocked)
    position.play("b2-a2")
    assert position.result == {"winner": winner, "reason": "blocked", "plies": 1}


@pytest.mark.parametrize("start", ["facing", "crosswise"])
@pytest.mark.parametrize("blocked", ["pass", "wins", "loses"])
def test_dg_7_a_match_goes_on_while_a_coin_can_move(start: str, blocked: str) -> None:
    luck = random.Random(7)
    game = smallchange.game("dodgem", size=3, start=start, blocked=blocked)
    board: Any = game.board
    ended = {"home": 0, "quiet": 0, "blocked": 0}
    for _ in range(100):
        position = game.start()
        while actions := position.legal_actions():
            coins = {bit(origin(a)) for a in actions if a != PASS}
            assert movable(board, position.s, position.s.turn) == sum(coins), position
            assert coins or blocked == "pass", position
            position.play(luck.choice(position.legal()))
        ended[str((position.result or {})["reason"])] += 1
    assert ended["home"] > 0
    assert (ended["blocked"] > 0) == (blocked != "pass")


def test_a_typed_position_of_a_blocked_player_is_none_where_that_ends_the_match() -> None:
    fields = "/ turn=0 coins=1,10 quiet=2 plies=2 winner=0 reason=0"
    assert Position.parse(f"dodgem size=3 {fields}").legal() == ["pass"]
    for blocked in ("wins", "loses"):
        with pytest.raises(BadPosition, match="contradict"):
            Position.parse(f"dodgem size=3 blocked={blocked} {fields}")


def test_six_coins_have_at_most_eighteen_moves() -> None:
    """Compiled code has room for so many and no more."""
    position = position_of("....... r.r.r.. ....... r.r.r.. ....... ....... ......g")
    assert len(position.legal()) == MOST


def test_the_actions_of_smaller_boards_have_the_numbers_they_always_had() -> None:
    for size in range(3, 8):
        game = smallchange.game("dodgem", size=size)
        assert game.token_to_action("pass") == 180
        assert game.token_to_action("a1-b1") == 3
        assert game.action_to_token(4 + 5 * (size - 1)) == f"a{size}-off"
    assert smallchange.game("dodgem").token_to_action("f6-off") == 179
    assert smallchange.game("dodgem", size=7).token_to_action("f2-e2") == 181


def test_dg_8_coins_of_a_side_are_alike() -> None:
    """ "The coins of a side are all alike." """
    one_way = play_tokens("a1-b1 f6-e6 a2-b2 e6-d6")
    another = play_tokens("a2-b2 f6-e6 a1-b1 e6-d6")
    assert one_way == another


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_step_names_where_it_begins_and_then_where_it_ends(lang: str) -> None:
    position = play_tokens("a2-b2", size=3)
    for token in position.legal():
        assert re.findall(r"[a-c][1-3]", position.describe(token)[lang]) == token.split("-"), token


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_end_names_the_limit_that_was_reached_or_who_won(lang: str) -> None:
    quiet = play_tokens("a2-a3 c2-c1 a3-a2 c1-c2", size=3, quiet_limit=4)
    quiet.s.plies = 9
    assert re.findall(r"\d+", describe_end(quiet)[lang]) == ["4"]
    home = position_of("..r g.. ...")
    home.play("c3-off")
    blocked = position_of("... .g. rg.", "green", blocked="loses")
    blocked.play("b2-a2")
    for over, names in ((home, ["red"]), (blocked, ["red", "green"])):  # the loser first
        titles = {over.game.words.PLAYERS[seat][lang].lower(): seat for seat in over.game.seats}
        found = re.findall("|".join(titles), describe_end(over)[lang].lower())
        assert [titles[name] for name in found] == names
        assert {"en": "win", "ja": "勝", "de": "gewinnt"}[lang] in describe_end(over)[lang]


def describe_end(over: Position) -> Text:
    """Describe in words how a match ended."""
    text: Text = over.game.words.ending(over.game.board, over.s)
    return text


def test_crosswise_green_travels_up_and_goes_sideways_left_and_right() -> None:
    position = smallchange.game("dodgem", size=3, start="crosswise").start()
    assert position.s.coins == position_of("r.. r.. .gg").s.coins
    assert position.legal() == ["a2-a1", "a2-b2", "a3-b3"]
    position.play("a2-b2")
    assert position.legal() == ["b1-a1", "c1-c2"]
    top = position_of(".g. ... r..", "green", start="crosswise")
    assert top.legal() == ["b3-a3", "b3-c3", "b3-off"]


def test_a_coin_never_goes_backwards_or_off_the_board_sideways() -> None:
    position = position_of("g.. ... .r.")
    assert position.legal() == ["b1-b2", "b1-c1"]
    for token in ("b1-a1", "b1-off", "b1-c2"):
        with pytest.raises(IllegalMove):
            position.play(token)
    with pytest.raises(UnknownMove):
        position.play("b1-b0")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_worked_example_can_be_played(lang: str) -> None:
    game = smallchange.game("dodgem", size=3)
    block = re.search(r"```steps\n(.*?)```", game.rulebook(lang), re.DOTALL)
    assert block is not None
    position = play_tokens(" ".join(line.split("  ")[0] for line in block[1].splitlines()), size=3)
    assert position.result == {"winner": "red", "reason": "home", "plies": 15}


@pytest.mark.parametrize(
    ("option", "value", "accepts"),
    [
        ("size", 2, "3 to 7"),
        ("size", 8, "3 to 7"),
        ("size", "6", "3 to 7"),
        ("start", "sideways", "facing, crosswise"),
        ("blocked", "draws", "pass, wins, loses"),
        ("quiet_limit", 3, "4 to 1000"),
        ("quiet_limit", True, "4 to 1000"),
    ],
)
def test_a_wrong_option_is_named_with_what_it_accepts(option: str, value: object, accepts: str) -> None:
    with pytest.raises(BadOption, match=f"{option}.*{accepts}"):
        smallchange.game("dodgem", **{option: value})


def test_an_unknown_option_is_named_with_those_there_are() -> None:
    with pytest.raises(BadOption, match=r"'width'.*size, start, blocked, quiet_limit"):
        smallchange.game("dodgem", width=6)


def test_the_classic_dodgem_is_a_card_and_told_in_every_rulebook_and_measured() -> None:
    """3 x 3, crosswise, and a player who cannot move wins: *Winning Ways*, chapter 22."""
    classic = {"size": 3, "start": "crosswise", "blocked": "wins"}
    game = smallchange.game("dodgem", **classic)
    assert {preset.title.en: dict(preset.options) for preset in PRESETS}["Winning Ways"] == classic
    for lang in LANGUAGES:
        told = game.rulebook(lang).partition("{#source}")[2]
        assert all(word in told for word in ("Winning Ways", "`crosswise`", "`blocked`", "`wins`"))
    assert CHOICES["crosswise"].en == "crosswise", "the start alone is not the classic game"
    measured = json.loads((game.folder / "win_rates.json").read_text())["variants"]
    assert [row["wins"] for row in measured if row["options"] == classic] == [[100, 0]]


def test_the_card_wild_says_that_perfect_play_draws() -> None:
    (wild,) = (preset for preset in PRESETS if preset.title.en == "Wild")
    assert wild.note is not None
    assert "draw" in wild.note.en
