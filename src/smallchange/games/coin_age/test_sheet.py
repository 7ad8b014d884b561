"""What a player looks up: points by region, actions, coins."""

from random import Random

import pytest

import smallchange
from smallchange.draw.sheet import Sheet


def drawn(position: smallchange.Position) -> list[Sheet]:
    return list(position.game.sheet.sheets(position.game.board, position.s))


def value(said: str) -> int:
    """What a cell such as "(4 + 1) × 2 = 10" comes to."""
    return int(said.rpartition(" = ")[2])


@pytest.mark.parametrize("seed", range(5))
def test_regions_and_banks_on_the_sheet_add_up_to_the_points(seed: int) -> None:
    """CA-8, CA-9"""
    position, luck = smallchange.game("coin-age").start(), Random(seed)
    while position.actor:
        position.take(luck.choice(list(position)))
        *parts, together = drawn(position)[0].rows
        for side in (0, 1):
            assert sum(value(row.texts[side].en) for row in parts) == value(together.texts[side].en)
            assert value(together.texts[side].en) == position.game.rules.points(
                position.game.board, position.s, side
            )


def test_a_region_that_is_owned_is_said_to_count_twice() -> None:
    position = smallchange.game("coin-age").start()
    for token in ("1=H", "2=T", "3=H", "4=H", "4@b1", "3@c1"):
        position.take(token)
    said = {row.name.en: tuple(text.en for text in row.texts) for row in drawn(position)[0].rows}
    assert said["Region t"] == ("4 × 2 = 8", "0")
    assert said["Region m"] == ("0", "0")


def test_each_number_of_matching_coins_is_pictured_with_what_one_may_do() -> None:
    sheet = drawn(smallchange.game("coin-age").start())[1]
    for n, row in zip((4, 3, 2, 1, 0), sheet.rows, strict=False):
        assert [piece.state for piece in row.pieces].count("match") == n
    assert "pay one and place three" in sheet.rows[0].texts[0].en


def test_before_the_map_is_drawn_there_are_no_points() -> None:
    assert len(drawn(smallchange.game("coin-age", map="random").start())) == 2
