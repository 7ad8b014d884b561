"""Coin Collectors: a test for every ruling, with its number."""

import functools
import operator
import random
import re
from typing import Any

import pytest

import smallchange
from smallchange import BadOption, IllegalMove, Position
from smallchange.core.variants import idle_options
from smallchange.i18n.text import LANGUAGES

from ..ai.heuristic import reachable
from ..layout import preview
from ..rules import COLLECTING, HOLE, beside, opens, uncollected_squares
from .positions import SUITS, VALUES, position_with, square, take_tokens

DEAD = "nnnn"  # dice that open nothing, where no null is about


def after_setup(dice: str, **options: Any) -> Position:
    """Return the position after the setup, tiles and coins laid in order around the hole: c2=Ma:a b3=M5:2 .."""
    position = smallchange.game("coin-collectors", **options).start()
    for _ in range(48):
        position.play(min((token for token, _ in position.weights()), key=order))
    return take_tokens(position, " ".join(f"{suit}={face}" for suit, face in zip(SUITS, dice, strict=True)))


def order(token: str) -> tuple[int, int]:
    return SUITS.find(token[3]), VALUES.index(token[-1])


def result_of(position: Position) -> dict[str, Any]:
    """Return the result of a game that is over."""
    result = position.result
    assert result is not None
    return result


def test_a_coin_is_open_by_its_tile_to_every_pawn_beside_it() -> None:
    """ "the die of the tile's suit shows the tile's value." """
    position = position_with("b2=C3:5 e5=S2:5", "a2 b1 e1 c2", "nn3n")
    assert position.legal() == ["Ab2", "Mb2", "Sb2"]


def test_a_coin_is_open_by_its_number_to_the_pawn_of_that_die_alone() -> None:
    """ "the die of the pawn's suit shows the number on the coin." """
    position = position_with("b2=C3:5 e5=S2:5", "a2 b1 e1 c2", "n5nn")
    assert position.legal() == ["Mb2"]


def test_the_coins_that_the_dice_open_are_those_that_pawns_can_take() -> None:
    for seed in range(20):
        position, luck = smallchange.game("coin-collectors").start(), random.Random(seed)
        while position.actor is not None:
            board: Any = position.game.board
            s = position.s
            if s.phase == COLLECTING:
                live = uncollected_squares(s)
                reach = reachable(board, s, live)
                mine = [beside(board, s, i, live) for i in range(4)]
                opened = [opens(s, i, face, mine[i], reach) for i, face in enumerate(s.dice)]
                taken = {1 << square(token[1:]) for token in position.legal()}
                assert sum(taken) == functools.reduce(operator.or_, opened)
            position.play(luck.choice(list(position)))


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize(("name", "beside"), [("a1", "b1"), ("e5", "d5")])
def test_the_pawn_of_a_token_takes_the_coin_of_its_square(suit: str, name: str, beside: str) -> None:
    position = position_with(f"{name}=C3:5 c2=S2:5", f"{beside} {beside} {beside} {beside}", "nn3n")
    position.play(f"{suit}{name}")
    assert position.s.pawns == [square(name if other == suit else beside) for other in SUITS]
    assert uncollected_squares(position.s) == 1 << square("c2")


def test_only_neighbouring_squares_can_be_reached() -> None:
    position = position_with("a1=S2:5 b2=S3:5 e1=S4:5 a2=S5:5", "b1 e5 e4 d5", "5nnn")
    assert position.legal() == ["Sa1", "Sb2"]


def test_a_column_does_not_run_over_into_the_next_row() -> None:
    position = position_with("e1=S2:5 a3=S4:5 b2=C3:5", "a2 d5 e5 d4", "5nnn")
    assert position.legal() == ["Sa3", "Sb2"]


def test_the_deal_goes_row_by_row_and_leaves_out_the_hole() -> None:
    position = smallchange.game("coin-collectors").start()
    asked: list[list[str]] = []
    sources = []
    while position.source != "suns die":
        assert (position.s.pawns, position.s.dice) == ([HOLE] * 4, [-1] * 4), "nothing is thrown yet"
        asked.append([token for token, _ in position.weights()])
        sources.append(position.source)
        position.play(asked[-1][0])
    assert sources == ["tile stack"] * 24 + ["coins"] * 24
    squares = [row[0][:2] for row in asked[:48]]
    in_rows = [f"{column}{row}" for row in range(1, 6) for column in "abcde" if f"{column}{row}" != "c3"]
    assert squares == in_rows * 2
    assert [len(row) for row in asked[:24]] == list(range(24, 0, -1))


def test_a_coin_is_as_likely_as_there_are_coins_of_its_number_left() -> None:
    position = smallchange.game("coin-collectors").start()
    while position.source == "tile stack":
        assert {weight for _, weight in position.weights()} == {1}
        position.play(position.weights()[0][0])
    assert [weight for _, weight in position.weights()] == [4] * 6
    position.play("a1:5")
    position.play("b1:5")
    assert dict(position.weights())["c1:5"] == 2
    position.play("c1:5")
    position.play("d1:5")
    assert [token for token, _ in position.weights()] == ["e1:2", "e1:3", "e1:4", "e1:a", "e1:n"]


def test_cc_1_collecting_is_compulsory() -> None:
    """ "Collecting is not a choice: each turn takes one coin." """
    position = take_tokens(position_with("c2=C3:5 b2=S2:4 e5=S3:4", "c3 c3 c3 c3", "nn3n"), "Sc2")
    take_tokens(position, "roll:SM S=4 M=n")
    assert position.legal() == ["Sb2"]
    with pytest.raises(IllegalMove):
        position.play("Mc2")  # the tile is empty, though its die still shows it
    with pytest.raises(IllegalMove):
        position.play("keep")


def test_the_coins_previewed_are_those_that_can_be_taken_with_the_dice_as_they_lie() -> None:
    position = take_tokens(after_setup("nn53"), "Ad3")
    game, s = position.game, position.s
    previewed = preview(game.board, s)
    position.play("keep")
    assert previewed
    assert {token[1:] for token in position.legal()} == {*previewed}
    assert preview(game.board, s) == previewed, "they glow before a pawn is picked too"


def test_cc_2_a_setup_roll_that_opens_nothing_loses_with_no_coins() -> None:
    """ "If no pawn can collect after it, the game is lost with no coins at all." """
    position = after_setup("nn5n")
    assert result_of(position) == {"score": 0, "won": False, "rating": "sad"}
    assert after_setup("nn53").legal() == ["Ad3"]  # the 3 on d3 is open to the arms pawn


def test_cc_3_the_24th_coin_wins_at_once() -> None:
    """ "The last coin wins on the spot." """
    for stud in (False, True):
        position = take_tokens(position_with("b2=C3:5", "a2 b1 e1 c2", "nn3n", stud=stud), "Sb2")
        assert result_of(position) == {"score": 24, "won": True, "rating": "win"}
        assert list(position) == []


def test_cc_4_null_and_ace_are_faces_like_the_others() -> None:
    """ "a null die matches a null." """
    position = position_with("b2=C3:n d4=An:5 e1=Ma:2", "a2 d1 d5 e5", "nann")
    assert position.legal() == ["Cd4", "Me1", "Sb2"]


def test_cc_5_all_dice_may_be_kept_where_nobody_can_then_collect() -> None:
    """ "You may keep all four dice even if nobody can collect with them." """
    position = take_tokens(position_with("b2=C3:5 e5=S2:5", "a2 b1 e1 c2", "nn3n"), "Sb2")
    assert len(position.legal()) == 16
    position.play("keep")
    assert result_of(position) == {"score": 23, "won": False, "rating": "above average"}


def test_cc_6_with_stud_four_dice_are_rolled_straight_after_the_coin() -> None:
    """ "With `stud` nothing is asked after a coin: the four dice are rolled at once." """
    position = take_tokens(position_with("b2=C3:5 c2=S2:5", "a2 b1 e1 d5", "nn3n", stud=True), "Sb2")
    rolls = []
    while position.actor == "chance":
        rolls.append(position.source)
        position.play(next(token for token, _ in position.weights() if token.endswith("5")))
    assert rolls == ["suns die", "moons die", "crowns die", "arms die"]
    assert position.legal() == ["Sc2"]


def test_cc_7_once_enough_pawns_have_left_the_others_stay_in_the_hole() -> None:
    """ "at most 4 - k pawns ever leave the hole. Which ones, your play decides" """
    laid = "c2=C3:5 b3=C4:5 d3=C5:5 b2=S2:5"
    position = position_with(laid, "c3 c3 c3 c3", "nn3n", stay_home=3)
    assert position.legal() == ["Ac2", "Cc2", "Mc2", "Sc2"]
    take_tokens(position, "Mc2 roll:SMCA S=5 M=5 C=5 A=5")
    assert position.legal() == ["Mb2"]
    free = take_tokens(
        position_with(laid, "c3 c3 c3 c3", "nn3n", stay_home=2), "Mc2 roll:SMCA S=5 M=5 C=5 A=5"
    )
    assert free.legal() == ["Ab3", "Ad3", "Cb3", "Cd3", "Mb2", "Sb3", "Sd3"]


def test_cc_8_a_stuck_player_gives_up_a_pawn_and_rolls_all_four_dice() -> None:
    """ "Any pawn will do, on the board or in the hole." """
    position = position_with("b2=C3:5 e5=S2:5", "a2 b1 c3 c2", DEAD, acceptable_losses=True)
    assert position.legal() == ["xA", "xC", "xM", "xS"]
    take_tokens(position, "xC S=n M=n C=n A=n")
    assert position.legal() == ["xA", "xM", "xS"]
    take_tokens(position, "xS S=5 M=n C=3 A=n")
    assert position.legal() == ["Ab2", "Mb2"]  # the die of a lost pawn still opens tiles


def test_cc_8_being_stuck_with_one_pawn_loses() -> None:
    """ "With one pawn left, being stuck loses the game." """
    position = position_with("b2=C3:5 e5=S2:5", "a2 - - -", DEAD, acceptable_losses=True)
    assert result_of(position)["score"] == 22


@pytest.mark.parametrize("pawns", ["a2 b1 - -", "a2 - - b1", "- a2 b1 -", "- - a2 c3"])
def test_cc_8_with_any_two_pawns_left_one_is_given_up(pawns: str) -> None:
    position = position_with("b2=C3:5 e5=S2:5", pawns, DEAD, acceptable_losses=True)
    assert len(position.legal()) == 2
    assert result_of(take_tokens(position, f"{position.legal()[0]} S=n M=n C=n A=n"))["score"] == 22


def test_cc_8_the_setup_roll_and_kept_dice_can_cost_a_pawn_too() -> None:
    """ "be it after the setup roll, after a roll, or after keeping the dice." """
    assert after_setup("nn5n", acceptable_losses=True).legal() == ["xA", "xC", "xM", "xS"]
    position = position_with("b2=C3:5 e5=S2:5", "a2 b1 - -", "nn3n", acceptable_losses=True)
    assert take_tokens(position, "Sb2 keep").legal() == ["xM", "xS"]


def test_cc_8_a_lost_pawn_that_had_left_the_hole_still_counts() -> None:
    """ "A pawn that had left the hole still counts for CC-7 after it was given up." """
    position = position_with("c2=C3:5 e5=S2:5", "a2 c3 c3 c3", DEAD, acceptable_losses=True, stay_home=3)
    take_tokens(position, "xS S=n M=5 C=3 A=5")
    assert position.legal() == ["xA", "xC", "xM"]
    from_hole = position_with("c2=C3:5 e5=S2:5", "c3 c3 c3 c3", DEAD, acceptable_losses=True, stay_home=3)
    take_tokens(from_hole, "xS S=n M=5 C=n A=n")
    assert from_hole.legal() == ["Mc2"]


def test_cc_9_the_dice_are_rolled_once_a_turn() -> None:
    """ "The dice are rolled once a turn." """
    position = take_tokens(position_with("b2=C3:5 c2=S2:5", "a2 b1 e1 d5", "nn3n"), "Sb2 roll:SA")
    assert position.s.dice == [-1, VALUES.index("n"), VALUES.index("3"), -1], "two are in the hand"
    assert position.weights() == [(f"S={value}", 1) for value in "2345an"]
    take_tokens(position, "S=5 A=5")
    assert position.legal() == ["Sc2"]


def test_cc_10_dice_are_chosen_anew_before_each_roll_and_keeping_them_ends_it() -> None:
    """ "Before each roll you choose anew, and keeping all four ends the rolling." """
    position = take_tokens(position_with("b2=C3:5 c2=S2:5", "a2 b1 e1 d5", "nn3n", rolls=3), "Sb2")
    take_tokens(position, "roll:SA S=n A=n")
    assert len(position.legal()) == 16
    assert "Rolls left this turn: 2." in position.game.words.asks(position.game.board, position.s).en
    kept = take_tokens(position.copy(), "keep")
    assert result_of(kept)["score"] == 23, "nothing is open"
    take_tokens(position, "roll:S S=n roll:S S=5")
    assert position.legal() == ["Sc2"]


def test_cc_10_the_setup_roll_and_that_after_a_lost_pawn_stay_one_roll() -> None:
    """ "The setup roll and the roll after a pawn was given up stay one roll." """
    assert result_of(after_setup("nn5n", rolls=3))["score"] == 0
    position = position_with("b2=C3:5 e5=S2:5", "a2 b1 c3 c2", DEAD, acceptable_losses=True, rolls=2)
    assert take_tokens(position, "xC S=n M=n C=n A=n").legal() == ["xA", "xM", "xS"]


def test_cc_10_with_stud_rolls_change_nothing() -> None:
    assert idle_options(smallchange.game("coin-collectors", stud=True, rolls=3)) == ["rolls"]


def test_the_text_of_a_position_names_rolls_left_only_where_some_are() -> None:
    position = take_tokens(after_setup("nn53", rolls=2), "Ad3")
    assert position.key().endswith(" rolls_left=1")
    assert Position.parse(position.key()) == position
    assert "rolls_left" not in str(take_tokens(after_setup("nn53"), "Ad3"))


def test_pawns_given_up_stand_in_their_tray() -> None:
    position = take_tokens(position_with("b2=C3:5", "a2 b1 c3 c2", DEAD, acceptable_losses=True), "xC")
    table = position.game.layout.scene(position.game.board, position.s)
    pawn = next(piece for piece in table.pieces if piece.id == "pawn-C")
    assert (pawn.spot, pawn.state) == ("lost-C", "retired")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_worked_example_can_be_played(lang: str) -> None:
    position = position_with("a1=S4:2 b1=A2:5 e5=M3:n", "a2 d5 b3 c4", "2n5a", acceptable_losses=True)
    block = re.search(r"```steps\n(.*?)```", position.game.rulebook(lang), re.DOTALL)
    assert block is not None
    take_tokens(position, " ".join(line.split("  ")[0] for line in block[1].splitlines()))
    assert result_of(position) == {"score": 24, "won": True, "rating": "win"}


@pytest.mark.parametrize(
    ("option", "value", "accepts"),
    [
        ("stud", 1, "true or false"),
        ("acceptable_losses", "yes", "true or false"),
        ("stay_home", 4, "0 to 3"),
        ("stay_home", -1, "0 to 3"),
        ("stay_home", True, "0 to 3"),
        ("rolls", 4, "1 to 3"),
        ("rolls", 0, "1 to 3"),
        ("throws", 3, "stud, stay_home, acceptable_losses, rolls"),
    ],
)
def test_a_wrong_option_is_named_with_what_it_accepts(option: str, value: object, accepts: str) -> None:
    with pytest.raises(BadOption, match=f"{option}.*{accepts}"):
        smallchange.game("coin-collectors", **{option: value})
