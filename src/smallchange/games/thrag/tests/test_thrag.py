"""One Man: Thrag!: a test for every ruling, with its number."""

from typing import Any

import pytest

from smallchange import IllegalMove, Position

from .positions import (
    VALUES,
    fighting,
    hour_space,
    mask,
    meet,
    take_tokens,
)


def result_of(position: Position) -> dict[str, Any]:
    """Return the result of a game that is over."""
    result = position.result
    assert result is not None
    return result


def test_th_1_one_coin_a_fight_and_of_the_beasts_own_suit_while_it_has_one() -> None:
    """ "No fight takes more than one attack coin." """
    position = meet("a23", "2222")
    assert [t for t in position.legal() if t.startswith("fight:S")] == ["fight:S", "fight:S+S"]
    take_tokens(position, "fight:S+S coin:5")
    assert position.s.coins == [mask("na234"), mask(VALUES), mask(VALUES)]
    assert position.s.slain[0] == mask("a")


def test_th_1_another_suits_coin_only_when_the_beasts_own_has_none_left() -> None:
    """ "A coin of another suit is possible only when the beast's own suit has none left." """
    position = meet("a23", "2222")
    position.s.coins[0] = 0
    suns = ["fight:S", "fight:S+A", "fight:S+C"]
    assert [t for t in position.legal() if t.startswith("fight:S")] == suns
    position.s.coins[1] = 0
    assert [t for t in position.legal() if t.startswith("fight")] == [
        *("fight:A", "fight:A+A", "fight:C", "fight:C+A", "fight:S", "fight:S+A")
    ]


def test_th_2_a_hopeless_fight_without_a_coin_is_allowed() -> None:
    """ "You may always fight without a coin, even where it cannot be won." """
    position = meet("5aa", "5nnn")
    assert "fight:S" in position.legal()
    position.play("fight:S")
    end = result_of(position)
    assert (end["reason"], end["turn"], end["beasts_left"], end["score"]) == ("killed", 1, 15, -15)


def test_th_3_weapons_are_spent_before_the_first_fight_and_several_in_a_row() -> None:
    """ "Before the first fight, between fights, several one after the other." """
    position = take_tokens(meet("345", "5555"), "weapon:S S=n weapon:C C=a")
    assert position.s.die == [0, 1, 5, 5]
    assert [t for t in position.legal() if "weapon" in t] == ["weapon:A"]
    assert "rest" not in position.legal()


def test_th_3_no_fight_need_follow_a_weapon() -> None:
    """ "And without a fight to follow." """
    position = take_tokens(meet("a45", "n555"), "fight:S weapon:C C=5 rest")
    assert position.source == "moons tiles"


def test_th_3_a_weapon_needs_its_beast_in_front_of_thrag() -> None:
    """ "To throw a beast's die again, that beast must lie in front of you and live." """
    position = take_tokens(meet("a45", "n555"), "fight:S")
    with pytest.raises(IllegalMove):
        position.play("weapon:S")


@pytest.mark.parametrize(
    ("hits", "damage", "payments"),
    [
        ("n24", 1, ["pay:2", "pay:4"]),
        ("n24", 3, []),
        ("na2345", 4, ["pay:23", "pay:4", "pay:5", "pay:a3"]),
        ("na2345", 6, ["pay:24", "pay:25", "pay:34", "pay:35", "pay:45", "pay:a23", "pay:a5"]),
        ("n35", 4, []),
        ("na", 1, []),
    ],
)
def test_th_4_sets_without_a_coin_too_many(hits: str, damage: int, payments: list[str]) -> None:
    """ "Any set of numbered coins pays that is worth the damage or more, if no coin could be left out." """
    die = min(damage, 5)
    position = fighting("5--", f"{VALUES[die]}--{VALUES[5 + die - damage]}")
    position.s.hits = mask(hits)
    position.play("fight:S")
    assert position.actor == "player"
    assert [t for t in position.legal() if t.startswith("pay")] == payments
    assert ("rest" in position.legal()) == (not payments)


def test_th_4_the_only_set_is_paid_without_asking() -> None:
    """ "Where only one set is possible, it is paid without asking." """
    position = fighting("5--", "3--5")
    position.play("fight:S")
    assert position.s.hits == mask("n2")


def test_th_4_what_is_paid_goes_to_the_pool_and_no_change_is_given() -> None:
    """ "They go to the healing pool, and no change is given." """
    position = take_tokens(fighting("5--", "a--5"), "fight:S pay:4 rest heal:4")
    assert position.s.hits == mask("n24")
    position = take_tokens(fighting("5--", "a--5"), "fight:S pay:4 rest heal:3")
    assert position.s.hits == mask("n23")


def test_th_5_with_the_null_alone_thrag_lives_until_the_next_damage() -> None:
    """ "If it is exactly as much, he lives on with the null alone." """
    position = fighting("5--", "5--4")
    position.play("fight:S")
    assert (position.actor, position.s.hits) == ("player", mask("n"))
    position.play("fight:S")
    end = result_of(position)
    assert (end["reason"], end["turn"], end["score"]) == ("killed", 7, -1)


def test_th_6_a_pawn_turns_black_when_the_last_beast_of_its_suit_falls() -> None:
    """ "The moment the last beast of its suit falls, provided that it has not been spent." """
    position = fighting("a5-", "n5-2")
    assert "weapon:A>M" in position.legal()
    assert "weapon:S>M" not in position.legal()
    position.play("fight:S")
    assert "weapon:S>M" in position.legal()
    take_tokens(position, "weapon:S>M M=4")
    assert (position.s.die[3], position.s.pawns) == (4, 0b110)
    assert "weapon:S>M" not in position.legal()


def test_th_6_a_spent_pawn_does_not_turn_black() -> None:
    """ "Provided that it has not been spent." """
    position = take_tokens(fighting("a5-", "45-2"), "weapon:S S=n fight:S")
    assert [t for t in position.legal() if t.startswith("weapon:S")] == []


def last_coin(damage: int, **options: Any) -> Position:
    """Return one attack coin, a null of arms, is left; the fight with it costs so much damage."""
    position = fighting("5--", f"{VALUES[damage]}--5", **options)
    position.s.coins = [0, 0, 1]
    return position


def test_th_7_the_eighteenth_coin_ends_the_game_without_payment() -> None:
    """ "The game ends right after the fight for which the eighteenth attack coin was used." """
    position = take_tokens(last_coin(1), "fight:S+A coin:n")
    end = result_of(position)
    assert (end["reason"], end["beasts_left"]) == ("exhausted", 1)
    assert position.s.hits == mask("n24")


def test_th_7_killed_comes_before_exhausted() -> None:
    """ "If it is more than Thrag can pay, he has been killed rather than exhausted." """
    position = last_coin(3)
    position.s.hits = mask("n2")
    end = result_of(take_tokens(position, "fight:S+A coin:n"))
    assert end["reason"] == "killed"


def test_th_7_a_beast_slain_with_the_eighteenth_coin_does_not_help_if_others_live() -> None:
    """ "The game ends right after the fight .. unless it slew the last beast." """
    position = fighting("55-", "nn-5")
    position.s.coins = [1, 0, 0]
    end = result_of(take_tokens(position, "fight:S+S coin:n"))
    assert (end["reason"], end["beasts_left"]) == ("exhausted", 1)


def test_th_7_the_last_beast_slain_with_the_eighteenth_coin_wins() -> None:
    """ "Unless it slew the last beast." """
    position = fighting("5--", "n--5")
    position.s.coins = [1, 0, 0]
    end = result_of(take_tokens(position, "fight:S+S coin:n"))
    assert end["reason"] == "slain"


def test_th_7_fight_on_asks_for_the_payment_and_goes_on_without_coins() -> None:
    """ "With `fight_on` nothing ends: you fight without coins." """
    position = take_tokens(last_coin(1, exhausted="fight_on"), "fight:S+A coin:n")
    assert position.legal() == ["pay:2", "pay:4"]
    position.play("pay:2")
    assert position.legal() == ["fight:S", "rest", "weapon:A>M", "weapon:C>M", "weapon:S"]


def test_th_8_the_fifteenth_beast_wins_at_once() -> None:
    """ "There is no healing after it, and the clock does not move." """
    position = take_tokens(fighting("a--", "n--2"), "fight:S")
    assert position.result == {
        "won": True,
        "reason": "slain",
        "turn": 7,
        "beasts_left": 0,
        "weapons_left": 3,
        "score": 5 + 3,
    }
    assert (position.s.hour, position.score("player")) == (6, 8)


def test_th_9_a_suit_without_living_beasts_draws_nothing_and_throws_no_die() -> None:
    """ "A suit without living beasts draws no tile and throws no die." """
    position = take_tokens(fighting("5-3", "5-52"), "rest heal:5")
    sources = []
    while position.actor == "chance":
        sources.append(position.source)
        position.play(next(iter(position)))
    assert sources == ["suns tiles", "arms tiles", "suns die", "arms die", "moons die"]
    position.s.coins[0] = 0
    assert [t for t in position.legal() if t.startswith("fight:S")] == ["fight:S", "fight:S+A", "fight:S+C"]


def test_th_10_only_empty_stacks_are_reshuffled_and_slain_beasts_stay_away() -> None:
    """ "Each suit reshuffles alone, and only when its draw stack is empty." """
    position = take_tokens(meet("a23", "nnnn"), "weapon:A A=n")
    position.s.stack[0] = 0
    position.s.discards[0] = mask("45")
    position.s.slain[0] = mask("23")
    position.s.stack[1], position.s.discards[1] = mask("345"), mask("a")
    take_tokens(position, "fight:S+S coin:5 rest heal:2")
    assert [position.s.stack[d] for d in (0, 1)] == [mask("45"), mask("345")]
    assert [position.s.discards[d] for d in (0, 1)] == [0, mask("a2")]


def test_th_10_the_healing_tiles_are_reshuffled_after_five_hours() -> None:
    """ "Each suit reshuffles alone" (moons too)."""
    position = fighting("5--", "5--2")
    position.s.stack[3], position.s.discards[3] = mask("4"), mask("a235")
    take_tokens(position, "rest heal:4")
    assert (position.s.stack[3], position.s.discards[3]) == (mask("a2345"), 0)


def test_th_11_twelve_hours_and_the_clock_is_back_in_its_corner() -> None:
    """ "Two by two tiles have twelve outer spaces, so the pawn is back after twelve hours." """
    position = fighting("5--", "5--2")
    position.s.hour = 11
    take_tokens(position, "rest heal:3")
    end = result_of(position)
    assert (end["reason"], end["turn"], end["score"]) == ("breakfast", 12, -1)
    assert hour_space(position) == (0, 0)


def test_th_11_after_nine_hours_the_pawn_is_in_the_lower_left_corner() -> None:
    """ "After nine it stands in the lower left corner." """
    position = fighting("5--", "5--2")
    position.s.hour = 8
    assert hour_space(take_tokens(position, "rest heal:3")) == (0, 300)


def test_th_12_nothing_is_shuffled_for_a_suit_whose_beasts_are_all_slain() -> None:
    """ "Then there is nothing to shuffle, and nothing happens." """
    position = take_tokens(fighting("5--", "5--2"), "rest heal:3")
    assert position.s.stack[:3] == [mask("5"), 0, 0]
    assert position.source == "suns tiles"


def test_th_13_null_coins_is_about_attack_coins_alone() -> None:
    """ "The black null among the hit points is worth nothing whatever the option says." """
    slain = take_tokens(fighting("a--", "2--n", null_coins=3), "fight:S+S coin:n")
    assert slain.s.slain[0] == mask("a2345")
    killed = take_tokens(fighting("5--", "2--n", null_coins=5), "fight:S")
    assert (
        result_of(killed)["reason"] == "killed"
    )  # 7 damage against 2 and 4: the black null and the die count 0
