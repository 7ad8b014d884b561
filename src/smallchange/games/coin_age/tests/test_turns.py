"""Coin Age turn by turn: what each begins with, what a toss leaves, and that no coin is lost."""

from random import Random

import smallchange
from smallchange import Position

from ..rules import START
from .positions import SQUARE, bank, position_with, result


def by_rank(position: Position) -> list[int]:
    """Return the number of coins of each rank in the banks and on the map."""
    s = position.s
    return [
        sum(s.bank[4 * side + i] + s.coins[4 * side + i].bit_count() for side in (0, 1)) for i in range(4)
    ]


def test_every_turn_begins_with_nothing_tossed_and_nothing_done_and_no_coin_is_ever_lost() -> None:
    luck, turns = Random(1), 0
    for _ in range(20):
        position = smallchange.game("coin-age").start()
        while position.actor:
            s = position.s
            assert by_rank(position) == [2 * n for n in START]
            if position.actor == "chance" and s.tossed == 0:
                assert (s.tails, s.match, s.matches, s.placed) == (0, 0, 0, 0)
                assert (s.paid, s.captured, s.moved) == (0, 0, 0)
                turns += 1
            token, mover = luck.choice(list(position)), s.mover
            position.play(token)
            if token[1] == "=" and s.mover == mover:  # the turn did not end by itself
                coin = 1 << int(token[0]) - 1
                assert (s.tails & coin > 0, s.match & coin > 0) == (token[2] == "T", token[2] == "HT"[mover])
    assert turns > 100


def test_what_one_side_did_the_other_may_do_after_it() -> None:
    """Paying, capturing and moving, once a turn each."""
    position = position_with("a3:4t", "HHHH")
    for token in ["pay1", "end", "1=T", "2=T", "3=T", "4=T"]:
        position.play(token)
    assert "pay2" in position.legal()
    position = position_with("a1:4t c3:3h", "TTTT")
    for token in ["xa1", "c3>b3", "1=H", "2=H", "3=H", "4=H"]:
        position.play(token)
    assert {"xb3", "b3>a3"} <= set(position.legal())
    position.play("xb3")
    assert (bank(position, "heads"), bank(position, "tails")) == ([4, 3, 2, 2], [4, 3, 3, 1])


def test_ca_7_a_bank_with_a_coin_of_any_rank_is_not_empty() -> None:
    for rank in range(1, 4):
        position = smallchange.game("coin-age").start()
        position.s.bank[:4] = [1 if i in (0, rank) else 0 for i in range(4)]
        for token in ("1=H", f"{rank + 1}=T", "1@a1"):
            position.play(token)
        assert position.actor is not None


def test_ca_9_every_coin_of_either_bank_is_a_point_and_the_score_is_of_both_sides() -> None:
    for heads, tails in (([0, 0, 2, 0], [2, 0, 0, 0]), ([0, 0, 1, 0], [0, 0, 0, 3])):
        position = position_with("a1:4h b1:4t a2:3h", map=SQUARE)
        position.s.bank = [*heads, *tails]
        while position.actor == "chance":
            position.play(position.weights()[0][0])  # heads
        position.play("3@b2")
        assert result(position)["score"] == {"heads": 8 + 6 + 6 + sum(heads) - 1, "tails": 8 + sum(tails)}
        assert (position.score("heads"), position.score("tails")) == (1, -1)
