"""One Man: Thrag!: what tiles, dice and coins can give, what they are worth, and when they are put away."""

import pytest

from smallchange import Position

from ..rules import MOST, WORTH
from .positions import VALUES, fighting, mask, meet, night, take_tokens


def chances(position: Position) -> tuple[str, str]:
    """Return the object that decides, and the values that it may give, all equally likely."""
    found = position.weights()
    assert {weight for _, weight in found} == {1}
    return position.source, "".join(sorted((token[-1] for token, _ in found), key=VALUES.index))


def test_every_tile_coin_and_face_left_is_equally_likely() -> None:
    position = night()
    assert chances(position) == ("suns tiles", "a2345")
    take_tokens(position, "S:2 C:3 A:4")
    assert chances(position) == ("suns die", VALUES)
    take_tokens(position, "S=3 C=3 A=3 M=5 fight:C+C")
    assert chances(position) == ("crowns coins", VALUES)
    take_tokens(position, "coin:2 rest")
    assert chances(position) == ("moons tiles", "a2345")
    take_tokens(position, "heal:a")
    assert chances(position) == ("suns tiles", "a345")
    take_tokens(position, "S:3 C:4 A:5 S=n C=n A=n M=5 fight:C+C")
    assert chances(position) == ("crowns coins", "na345")
    take_tokens(position, "coin:3 weapon:A")
    assert chances(position) == ("arms die", VALUES)


def test_a_new_hour_begins_without_dice_and_without_a_fight() -> None:
    position = take_tokens(fighting("5--", "5--2"), "rest")
    assert (position.s.beast, position.s.discards[0]) == ([0] * 3, mask("5"))
    position.play("heal:3")
    assert position.s.die == [-1] * 4
    take_tokens(position, "S:5 S=5 M=2")
    assert position.legal() == ["fight:S", "fight:S+S", "weapon:A>M", "weapon:C>M", "weapon:S"]


@pytest.mark.parametrize(("coin", "worth"), [("n", 3), ("a", 1), ("2", 2), ("5", 5)])
def test_a_null_coin_is_worth_what_the_option_says_and_the_others_their_value(coin: str, worth: int) -> None:
    for die in range(6):
        position = take_tokens(meet("5aa", f"{VALUES[die]}nnn", null_coins=3), f"fight:S+S coin:{coin}")
        assert (position.s.slain[0] == mask("5")) == (5 + die <= worth)
        assert position.s.damage in (0, 5 + die - worth)


def test_th_4_a_set_of_coins_is_worth_their_sum() -> None:
    for coins in range(32):
        assert WORTH[coins] == sum(i + 1 for i in range(5) if coins >> i & 1)
    position = fighting("5--", "n--4")
    position.s.hits = mask("na2")
    assert take_tokens(position, "fight:S").legal()[:2] == ["pay:2", "pay:a"]


@pytest.mark.parametrize("suit", range(3))
def test_th_7_a_coin_left_of_any_suit_keeps_the_night_going(suit: int) -> None:
    position = fighting("5--", "n--4")
    position.s.coins = [mask("n") if x == suit else 0 for x in range(3)]
    assert take_tokens(position, "fight:S").actor == "player"


def test_eleven_things_may_be_done_at_most() -> None:
    """Compiled code has room for so many and no more."""
    position = fighting("555", "5555")
    position.s.coins[0] = 0
    assert len(position.legal()) == MOST
