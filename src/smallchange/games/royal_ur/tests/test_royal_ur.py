"""The Royal Game of Ur: a test for every ruling, with its number, and a slow game that agrees with the rules."""

import re
from random import Random
from typing import Any

import pytest

import smallchange
from smallchange import BadOption, BadPosition, IllegalMove, Position, UnknownMove
from smallchange.i18n.text import LANGUAGES

from ..model import MAX_THROWS
from ..notation import square
from ..presets import PRESETS
from ..rules import MOST
from .positions import position_of
from .slow_game import PATHS, WAYS, SlowGame


def play_tokens(tokens: str, **options: object) -> Position:
    """Return the position after these tokens."""
    position = smallchange.game("royal-ur", **options).start()
    for token in tokens.split():
        position.play(token)
    return position


def coins_of(position: Position, seat: str) -> set[str]:
    """Return the squares of a side's coins."""
    side = position.game.seats.index(seat)
    steps = [step for step in range(1, position.game.board.goal) if position.s.coins[side] >> step & 1]
    return {square(position.game.board, side, step) for step in steps}


def after(position: Position, tokens: str) -> Position:
    for token in tokens.split():
        position.play(token)
    return position


def test_ur_1_the_odds_of_a_throw_are_those_of_four_fair_coins_and_sun_begins() -> None:
    start = smallchange.game("royal-ur").start()
    assert start.weights() == [("heads:0", 1), ("heads:1", 4), ("heads:2", 6), ("heads:3", 4), ("heads:4", 1)]
    assert start.source == "sun throws"
    assert start.played("heads:2").actor == "sun"


@pytest.mark.parametrize("seat", ["sun", "moon"])
def test_ur_2_a_coin_goes_fourteen_squares_and_then_home(seat: str) -> None:
    position = position_of("", mover=seat, coins=1)
    gone = []
    for token in ["enter", *WAYS[seat]]:
        position.s.mover = position.game.seats.index(seat)
        after(position, f"heads:1 {token}")
        gone += sorted(coins_of(position, seat))
    assert gone == WAYS[seat]
    assert position.result == {
        "winner": seat,
        "reason": "home",
        "home": {"sun": 0, "moon": 0, seat: 1},
        "throws": 15,
    }


def test_ur_3_with_no_heads_the_turn_is_over_and_so_it_is_where_no_coin_can_move() -> None:
    assert play_tokens("heads:0").source == "moon throws"
    stuck = position_of("g1", coins=1)
    assert after(stuck, "heads:2").source == "moon throws"
    again = position_of("c1", coins=1)
    assert after(again, "heads:2 c1 heads:0").source == "moon throws"


def test_ur_3_who_can_move_may_not_pass() -> None:
    with pytest.raises(IllegalMove, match="possible: enter"):
        play_tokens("heads:1 heads:1")


def test_ur_4_a_square_holds_one_coin_and_coins_are_passed() -> None:
    position = position_of("d1 b1 a2", "b2")
    assert position.played("heads:2").legal() == ["a2", "enter"]  # d1 and b1 would land on coins of its own
    assert coins_of(after(position, "heads:2 a2"), "sun") == {"d1", "b1", "c2"}


def test_ur_5_coins_are_captured_in_the_middle_row_and_begin_anew() -> None:
    position = after(position_of("a2", "b2", safe=True), "heads:1 a2")
    assert (coins_of(position, "sun"), coins_of(position, "moon")) == ({"b2"}, set())
    assert position.source == "moon throws"
    assert position.played("heads:1").legal() == ["enter"]
    apart = after(position_of("c1", "a3"), "heads:2 c1")  # both have a square four steps from the start
    assert (coins_of(apart, "sun"), coins_of(apart, "moon")) == ({"a1"}, {"a3"})


def test_ur_6_a_coin_on_the_middle_rosette_is_safe_unless_the_option_says_otherwise() -> None:
    safe = position_of("c2", "d2")
    assert safe.played("heads:1").legal() == ["enter"]
    assert "c2" in safe.played("heads:2").legal()  # it passes
    open_to_all = after(position_of("c2", "d2", safe=False), "heads:1 c2")
    assert (coins_of(open_to_all, "sun"), coins_of(open_to_all, "moon")) == ({"d2"}, set())
    assert open_to_all.source == "sun throws"


@pytest.mark.parametrize("steps", ["heads:4 enter", "heads:2 b2", "heads:2 h2"])
@pytest.mark.parametrize("seat", ["sun", "moon"])
def test_ur_7_a_rosette_gives_another_throw(steps: str, seat: str) -> None:
    own = {seat: "b2 h2"}
    position = position_of(own.get("sun", ""), own.get("moon", ""), mover=seat)
    assert after(position, steps).source == f"{seat} throws"


def test_ur_7_getting_home_gives_no_other_throw_and_no_other_square_does() -> None:
    assert after(position_of("g1"), "heads:1 g1").source == "moon throws"
    for name in ("d1", "a2", "b2", "f2"):
        assert after(position_of(name), f"heads:1 {name}").source == "moon throws"


def test_ur_8_home_takes_the_exact_throw() -> None:
    at_end = position_of("h2", coins=1)
    assert at_end.played("heads:3").legal() == ["h2"]
    assert at_end.played("heads:4").source == "moon throws"


def test_ur_9_the_last_coin_home_wins_at_once() -> None:
    position = position_of("g1", "g3", coins=1)
    after(position, "heads:1 g1")
    assert position.actor is None
    assert (position.score("sun"), position.score("moon")) == (1, -1)


def test_ur_10_a_thousand_throws_are_a_draw_unless_the_last_one_wins() -> None:
    position = position_of("g1", coins=1)
    position.s.throws, position.s.heads = MAX_THROWS - 1, 0
    assert position.played("heads:0").result == {
        "winner": "draw",
        "reason": "throws",
        "home": {"sun": 0, "moon": 0},
        "throws": 1000,
    }
    assert after(position, "heads:1 g1").result == {
        "winner": "sun",
        "reason": "home",
        "home": {"sun": 1, "moon": 0},
        "throws": 1000,
    }


def test_ur_10_the_last_move_is_still_made_and_a_rosette_then_gives_no_throw() -> None:
    position = position_of("c1")
    position.s.throws, position.s.heads = MAX_THROWS - 1, 0
    after(position, "heads:2 c1")
    assert coins_of(position, "sun") == {"a1"}
    assert (position.score("sun"), position.score("moon")) == (0, 0)


@pytest.mark.parametrize("seat", ["sun", "moon"])
@pytest.mark.parametrize("path", ["masters", "aseb"])
def test_ur_11_and_12_a_longer_way_has_sixteen_squares(path: str, seat: str) -> None:
    position = position_of("", mover=seat, coins=1, path=path)
    gone = []
    for token in ["enter", *PATHS[path][seat]]:
        position.s.mover = position.game.seats.index(seat)
        after(position, f"heads:1 {token}")
        gone += sorted(coins_of(position, seat))
    assert gone == PATHS[path][seat]
    assert position.score(seat) == 1


def test_ur_11_both_sides_meet_around_the_far_end_in_either_direction() -> None:
    met = after(position_of("g2", "h3", path="masters", safe=False), "heads:2 g2")  # sun's 13th, moon's 15th
    assert (coins_of(met, "sun"), coins_of(met, "moon")) == ({"h3"}, set())
    home = after(position_of("h2", "g1", path="masters", safe=False), "heads:2 h2")  # a rosette
    assert (coins_of(home, "sun"), coins_of(home, "moon")) == ({"g1"}, set())
    assert home.source == "sun throws"
    safe = position_of("h2", "g1", path="masters")
    assert safe.played("heads:2").legal() == ["enter"]


def test_ur_11_the_first_four_squares_are_nobody_elses() -> None:
    apart = after(position_of("c1", "a3", path="masters", safe=False), "heads:2 c1")
    assert (coins_of(apart, "sun"), coins_of(apart, "moon")) == ({"a1"}, {"a3"})


@pytest.mark.parametrize("square", ["d2", "h2", "l2"])
def test_ur_12_the_board_of_aseb_has_three_rosettes_in_its_long_row(square: str) -> None:
    start = PATHS["aseb"]["sun"][PATHS["aseb"]["sun"].index(square) - 1]
    assert after(position_of(start, path="aseb"), f"heads:1 {start}").source == "sun throws"
    assert start not in position_of(start, square, path="aseb").played("heads:1").legal()
    taken = after(position_of(start, square, path="aseb", safe=False), f"heads:1 {start}")
    assert (coins_of(taken, "sun"), coins_of(taken, "moon")) == ({square}, set())


def test_ur_13_of_three_coins_none_is_worth_four() -> None:
    start = smallchange.game("royal-ur", dice="three").start()
    assert start.weights() == [("heads:1", 6), ("heads:2", 6), ("heads:3", 2), ("heads:4", 2)]
    thrown = start.played("heads:4")
    pieces = thrown.game.layout.scene(thrown.game.board, thrown.s).pieces
    assert [piece.side for piece in pieces if piece.kind == "change"] == 3 * ["tails"]
    assert coins_of(after(thrown, "enter"), "sun") == {"a1"}


def test_ur_14_a_capture_gives_one_more_throw_where_the_option_says_so() -> None:
    again = position_of("a2", "b2", capture_again=True)
    assert after(again.copy(), "heads:1 a2").source == "sun throws"
    assert after(again, "heads:2 a2").source == "moon throws"
    both = after(position_of("c2", "d2", capture_again=True, safe=False), "heads:1 c2")
    assert both.source == "sun throws"
    assert after(both, "heads:0").source == "moon throws"  # on a rosette too it is one throw


def test_ur_15_a_card_named_for_a_set_of_rules_sets_all_of_it() -> None:
    sets = {preset.title.en: smallchange.game("royal-ur", **preset.options).options for preset in PRESETS}
    names = ("coins", "safe", "path", "dice", "capture_again")
    whole = {title: tuple(options[name] for name in names) for title, options in sets.items()}
    assert whole["Classic"] == (7, True, "bell", "four", False)
    assert whole["Masters"] == (7, False, "masters", "three", False)
    assert whole["Masters, four coins"] == (7, False, "masters", "four", False)
    assert whole["Blitz"] == (5, False, "masters", "four", True)
    assert whole["Aseb"] == (5, True, "aseb", "four", False)


SLOW = (
    {},
    {"coins": 3, "safe": False},
    {"coins": 1},
    {"path": "masters", "dice": "three", "capture_again": True},
    {"path": "aseb", "safe": False, "capture_again": True},
    *(preset.options for preset in PRESETS[3:]),
)


@pytest.mark.parametrize("options", SLOW, ids=str)
def test_a_slow_game_by_the_names_of_squares_agrees_in_every_position(options: dict[str, Any]) -> None:
    luck = Random(str(options))
    for _ in range(40):
        position, slow = smallchange.game("royal-ur", **options).start(), SlowGame(**options)
        while slow.stage != "over":
            if slow.stage == "throw":
                assert position.source == f"{slow.side} throws"
                heads = luck.choices([*slow.odds], [*slow.odds.values()])[0]
                slow.throw(heads)
                position.play(f"heads:{heads}")
            else:
                assert (position.actor, position.legal()) == (slow.side, sorted(slow.moves()))
                token = luck.choice(position.legal())
                slow.move(token)
                position.play(token)
            for seat in position.game.seats:
                assert coins_of(position, seat) == {name for name, side in slow.on.items() if side == seat}
            assert dict(zip(position.game.seats, position.s.home, strict=True)) == slow.home
        result = position.result
        assert result is not None
        assert (result["winner"], result["throws"]) == (slow.side, slow.throws)


def test_the_coins_are_never_more_or_fewer_and_lie_as_the_picture_shows() -> None:
    position, luck = smallchange.game("royal-ur").start(), Random(2)
    while position.actor:
        pieces = position.game.layout.scene(position.game.board, position.s).pieces
        for suit, seat in zip("SM", position.game.seats, strict=True):
            lying = [piece.spot for piece in pieces if piece.suit == suit]
            assert len(lying) == 7
            assert coins_of(position, seat) <= set(lying)
            assert lying.count(f"{seat}-home") == position.s.home[position.game.seats.index(seat)]
        showing = [piece.side for piece in pieces if piece.kind == "change"]
        assert showing.count("heads") == max(0, position.s.heads)
        position.play(luck.choice(list(position)))


def test_seven_coins_have_at_most_seven_moves() -> None:
    position = position_of("c1 a1 b2 d2 f2 h2")
    assert len(position.played("heads:1").legal()) == MOST


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_worked_example_is_a_whole_game_that_moon_wins(lang: str) -> None:
    game = smallchange.game("royal-ur", coins=1)
    block = re.search(r"```steps\n(.*?)```", game.rulebook(lang), re.DOTALL)
    assert block is not None
    position = play_tokens(" ".join(line.split("  ")[0] for line in block[1].splitlines()), coins=1)
    assert position.result == {
        "winner": "moon",
        "reason": "home",
        "home": {"sun": 0, "moon": 1},
        "throws": 19,
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_move_says_where_from_where_to_and_what_comes_of_it(lang: str) -> None:
    position = position_of("c2", "d2", safe=False).played("heads:1")
    said = position.describe("c2")[lang]
    assert re.findall(r"[a-h][1-3]", said) == ["c2", "d2"]
    assert {"en": "captures", "ja": "取る", "de": "schlägt"}[lang] in said
    assert {"en": "rosette", "ja": "ロゼット", "de": "Rosette"}[lang] in said


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ("turn=-1 mover=0 heads=1 coins=32,32 home=0,0 throws=9 reason=0", "both sides have a coin on a2"),
        ("turn=-1 mover=0 heads=1 coins=32,0 home=7,0 throws=99 reason=0", "sun has 8 coins, not at most 7"),
        ("turn=0 mover=0 heads=0 coins=0,0 home=0,0 throws=9 reason=0", "do not go together"),
        ("turn=-1 mover=0 heads=2 coins=0,0 home=0,0 throws=0 reason=0", "heads is 2 after 0 throws"),
        ("turn=-1 mover=0 heads=2 coins=0,0 home=0,0 throws=1000 reason=0", "goes on after 1000 throws"),
        ("turn=-2 mover=0 heads=2 coins=0,0 home=0,0 throws=70 reason=1", "not for reason 1"),
        ("turn=1 mover=1 heads=2 coins=3,64 home=1,1 throws=99 reason=0", "coins is 3, with bits outside"),
    ],
)
def test_a_typed_position_that_cannot_be_is_refused(fields: str, why: str) -> None:
    with pytest.raises(BadPosition, match=f"{why}|contradict one another"):
        Position.parse(f"royal-ur / {fields}")


@pytest.mark.parametrize(("option", "value"), [("coins", 0), ("coins", 8), ("safe", "yes")])
def test_a_wrong_option_is_named_with_what_it_accepts(option: str, value: object) -> None:
    with pytest.raises(BadOption, match=option):
        smallchange.game("royal-ur", **{option: value})


def test_a_square_in_the_gap_is_no_move() -> None:
    with pytest.raises(UnknownMove):
        play_tokens("heads:1 e1")


def test_the_rules_are_named_after_irving_finkel_of_the_british_museum() -> None:
    game = smallchange.game("royal-ur")
    for lang in LANGUAGES:
        rulings = game.rulebook(lang).partition("{#rulings}")[2]
        assert rulings.count("Irving") >= 2, "with the rulings and with the source"
        assert "Finkel" in rulings
    assert any(preset.note and "Irving Finkel" in preset.note.en and not preset.options for preset in PRESETS)
