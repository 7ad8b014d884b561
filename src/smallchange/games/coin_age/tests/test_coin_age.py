"""Coin Age: a test for every ruling, with its number, and the worked example of both rulebooks."""

import re

import pytest

import smallchange
from smallchange import Position
from smallchange.core.state import OVER
from smallchange.i18n.text import LANGUAGES

from ..words import stack
from .positions import (
    SQUARE,
    bank,
    play_tokens,
    position_with,
    result,
    spaces,
)


def map_coins(position: Position) -> dict[str, str]:
    """Return the coins on the map, written as `position_with` reads them."""
    found: dict[str, str] = {}
    for i, name in enumerate(spaces(position)):
        for rank, side in reversed(stack(position.s, i)):
            found[name] = found.get(name, "") + f"{rank + 1}{'ht'[side]}"
    return found


def points_with(coins: str) -> tuple[int, int]:
    """Return the points of heads and tails with these coins on the map and nothing in the banks."""
    position = position_with(coins)
    position.s.bank = [0] * 8
    position.s.turn, position.s.reason = OVER, 1
    score = result(position)["score"]
    return score["heads"], score["tails"]


def test_the_number_of_matches_says_what_may_be_done() -> None:
    """ "The number of matching coins says what you may do." """
    may = {
        "HHHH": {"@", "pay", "end"},
        "HHHT": {"@", "end"},
        "HHTT": {"@", "end"},
        "HTTT": {"@", ">", "end"},
        "TTTT": {"x", ">", "end"},
    }
    for tosses, kinds in may.items():
        assert {re.sub(r"[a-d]\d|\d", "", token) for token in position_with("b2:4t", tosses).legal()} == kinds


def test_ca_1_any_coins_may_be_moved_and_any_top_coin_captured() -> None:
    """ "You may move the opponent's coins, and you may capture a coin of your own." """
    position = position_with("a1:4t c3:3h", "TTTT")
    assert {"xa1", "xc3", "a1>b1", "c3>b3"} <= set(position.legal())
    own = position.played("xc3")
    assert map_coins(own) == {"a1": "4t"}
    position.play("a1>b1")
    assert map_coins(position) == {"b1": "4t", "c3": "3h"}


def test_ca_1_a_move_takes_the_whole_stack_to_an_empty_space_beside_it() -> None:
    """ "Take all the coins of any one space to an empty space beside it." """
    position = position_with("b1:4h2t1t c1:3t", "HTTT")
    assert [token for token in position.legal() if token.startswith("b1>")] == ["b1>a1", "b1>b2", "b1>c2"]
    position.play("b1>c2")
    assert map_coins(position) == {"c2": "4h2t1t", "c1": "3t"}
    assert not [token for token in position.legal() if ">" in token]


def test_ca_2_a_captured_coin_goes_into_the_bank_and_matches_nothing() -> None:
    """ "A bank may grow. A captured coin is not one of this turn's matching coins." """
    position = position_with("b1:4t", "TTTT")
    position.play("xb1")
    assert bank(position, "heads") == [4, 3, 2, 2]
    assert position.actor == "chance"  # nothing is left to place or move
    top = position_with("b1:4t2h", "TTTT")
    top.play("xb1")
    assert (map_coins(top), bank(top, "heads")) == ({"b1": "4t"}, [4, 4, 2, 1])


def test_ca_2_a_paid_coin_belongs_to_the_other_bank() -> None:
    """ "A coin that is captured or paid belongs to the bank that receives it." """
    position = position_with("", "HHHH")
    position.play("pay4")
    assert bank(position, "heads") == [4, 3, 2, 0]
    assert bank(position, "tails") == [4, 3, 2, 2]


def test_ca_3_a_coin_covers_only_higher_ranks_whoever_controls_them() -> None:
    """ "A coin never covers one of its own rank. You may cover your own coins." """
    position = position_with("a1:2h b1:3t c1:3h1t", "THTT")
    assert [token for token in position.legal() if token.endswith("1") and "@" in token] == ["2@b1"]
    assert "2@a1" in position_with("a1:3h", "THTT").legal()
    position.play("2@b1")
    assert map_coins(position)["b1"] == "3t2h"


def test_ca_4_kinds_missing_from_the_bank_are_not_tossed() -> None:
    """ "You toss only ranks that your bank has." """
    position = smallchange.game("coin-age").start()
    position.s.bank[:4] = [0, 3, 0, 1]
    assert position.weights() == [("2=H", 1), ("2=T", 1)]
    assert position.source == "heads 2"
    position.play("2=H")
    assert position.weights() == [("4=H", 1), ("4=T", 1)]
    position.play("4=H")
    assert position.actor == "heads"
    assert not [token for token in position.legal() if token.startswith("pay")]


@pytest.mark.parametrize(
    "tokens", ["pay1 2@a1 3@b1 4@c1", "2@a1 pay1 3@b1 4@c1", "2@a1 3@b1 pay1 4@c1", "2@a1 3@b1 end"]
)
def test_ca_5_four_matches_place_two_or_three_with_one_paid(tokens: str) -> None:
    """ "You pay at most one coin in a turn, before placing, after it or in between." """
    *first, last = tokens.split()
    position = position_with("", "HHHH")
    for token in first:
        position.play(token)
    assert position.actor == "heads"
    position.play(last)
    assert position.actor == "chance"


def test_ca_5_no_third_coin_without_paying_and_no_second_payment() -> None:
    """ "With four matching coins you place two, or three once you have paid." """
    position = position_with("", "HHHH")
    position.play("1@a1")
    position.play("2@b1")
    assert position.legal() == ["end", "pay3", "pay4"]
    position.play("pay3")
    assert {token[:2] for token in position.legal()} == {"en", "4@"}


def test_ca_6_the_turn_ends_by_itself_after_the_last_action() -> None:
    """ "When nothing is left to do but to end the turn, it ends by itself." """
    position = position_with("", "HHTT")
    position.play("1@a1")
    assert position.actor == "heads"
    position.play("2@b1")
    assert (position.actor, position.source) == ("chance", "tails 1")


def test_ca_6_the_turn_ends_right_after_a_toss_that_allows_nothing() -> None:
    """ "This may be so right after the toss." """
    position = play_tokens("1=T 2=T 3=T")
    assert position.describe("4=T").en.endswith("No move is possible, so the turn ends")
    position.play("4=T")  # no coin on the map to capture or to move
    assert (position.actor, position.source, position.s.quiet) == ("chance", "tails 1", 1)


def test_ca_7_filling_the_map_ends_the_game_in_the_middle_of_a_turn() -> None:
    """ "Only placing ends the game at once: when no empty space is left." """
    position = position_with("a1:4h b1:4t a2:3h", "HHHH", map=SQUARE)
    position.play("1@b2")
    assert (position.actor, result(position)["reason"]) == (None, "full")


def test_ca_7_emptying_the_bank_ends_the_game_in_the_middle_of_a_turn() -> None:
    """ "Or when the bank is empty. Matching coins not placed are still in the bank." """
    position = smallchange.game("coin-age").start()
    position.s.bank[:4] = [1, 1, 0, 0]
    for token in ("1=H", "2=H", "1@a1"):
        position.play(token)
    assert position.actor == "heads"
    position.play("2@b1")
    assert result(position)["reason"] == "bank"


def test_ca_7_moving_and_capturing_do_not_end_the_game() -> None:
    """ "Only placing ends the game at once." """
    position = position_with("a1:4h b1:4t a2:3h b2:2t", "TTTT", map=SQUARE)
    assert not [token for token in position.legal() if ">" in token]
    position.play("xa1")
    assert position.actor == "heads"


def test_a_placing_that_fills_the_map_and_empties_the_bank_counts_as_full() -> None:
    position = position_with("a1:4h b1:4t a2:3h", map=SQUARE)
    position.s.bank[:4] = [1, 0, 0, 0]
    position.play("1=H")
    position.play("1@b2")
    assert result(position)["reason"] == "full"


def test_ca_8_a_region_needs_strictly_more_of_its_spaces() -> None:
    """ "Empty spaces count for nobody. A region of one space is a region like any other." """
    assert points_with("a3:1h") == (2, 0)  # one of four spaces, the others empty
    assert points_with("a3:1h b3:4t") == (1, 4)  # as many each: nobody's
    assert points_with("a3:1h b3:4t c3:1h") == (4, 4)
    assert points_with("b1:3t") == (0, 6)  # the region of one


def test_ca_9_only_top_coins_count() -> None:
    """ "Only top coins count for points, and covered ones for nothing." """
    assert points_with("b1:4h3h1t c1:2h") == (4, 2)


def test_ca_9_each_coin_in_the_bank_is_a_point() -> None:
    """ "Each coin in your bank is one more point." """
    position = position_with("a1:4h b1:4t a2:3h", "HTTT", map=SQUARE)
    position.play("1@b2")
    assert position.result == {
        "winner": "heads",
        "reason": "full",
        "score": {"heads": 8 + 6 + 2 + 9, "tails": 8 + 10},
        "bank_value": {"heads": 19, "tails": 20},
    }
    assert (position.score("heads"), position.score("tails")) == (1, -1)


@pytest.mark.parametrize(("heads", "winner"), [([0, 0, 2], "heads"), ([1, 0, 1], "draw")])
def test_ca_9_equal_points_are_decided_by_the_ranks_in_the_bank(heads: list[int], winner: str) -> None:
    """ "Equal points are decided by the total rank in the bank, and equal totals make a draw." """
    position = position_with("a1:4h b1:4t a2:3t", map=SQUARE)
    position.s.bank = [*heads, 0, 1, 0, 0, 0]
    while position.actor == "chance":
        position.play(position.weights()[0][0])  # heads
    position.play("3@b2")
    ended = result(position)
    assert (ended["score"], ended["winner"]) == ({"heads": 15, "tails": 15}, winner)


def test_ca_10_turns_without_a_coin_placed_are_counted() -> None:
    """ "The count goes back to 0 if a coin was placed, and grows by one if not." """
    position = play_tokens("1=T 2=T 3=T 4=T", quiet_limit=2)  # heads' turn ends by itself
    assert position.s.quiet == 1
    for token in ("1=T", "2=T", "3=H", "4=H", "1@a1", "end"):
        position.play(token)
    assert position.s.quiet == 0


def test_ca_10_the_game_ends_and_is_scored_before_the_next_toss() -> None:
    """ "If it reaches the limit, the game ends and is scored before anybody tosses again." """
    position = play_tokens("1=T 2=T 3=T 4=T 1=H 2=H 3=H 4=H", quiet_limit=2)
    assert position.result == {
        "winner": "draw",
        "reason": "quiet",
        "score": {"heads": 10, "tails": 10},
        "bank_value": {"heads": 20, "tails": 20},
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_worked_example_can_be_played(lang: str) -> None:
    book = smallchange.game("coin-age").rulebook(lang)
    block = re.search(r"```steps\n(.*?)```", book, re.DOTALL)
    assert block is not None
    position = play_tokens(" ".join(line.split("  ")[0] for line in block[1].splitlines()))
    assert position.result == {
        "winner": "heads",
        "reason": "full",
        "score": {"heads": 23, "tails": 21},
        "bank_value": {"heads": 6, "tails": 1},
    }
