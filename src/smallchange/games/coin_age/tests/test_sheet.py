"""The reference sheet of Coin Age: points by region, actions, coins."""

from random import Random

import pytest

import smallchange
from smallchange.render.reference_sheet import Sheet
from smallchange.render.sheet_text import sheet_text

from ..reference import sheets
from ..rules import points


def sheets_of(position: smallchange.Position) -> list[Sheet]:
    return list(sheets(position.game.board, position.s))


def value(said: str) -> int:
    """Return the total in a cell such as "(4 + 1) × 2 = 10"."""
    return int(said.rpartition(" = ")[2])


@pytest.mark.parametrize("seed", range(5))
def test_regions_and_banks_on_the_sheet_add_up_to_the_points(seed: int) -> None:
    """CA-8, CA-9"""
    position, luck = smallchange.game("coin-age").start(), Random(seed)
    while position.actor:
        position.play(luck.choice(list(position)))
        *parts, together = sheets_of(position)[0].rows
        for side in (0, 1):
            assert sum(value(row.texts[side].en) for row in parts) == value(together.texts[side].en)
            assert value(together.texts[side].en) == points(position.game.board, position.s, side)


def test_a_region_that_is_owned_is_said_to_count_twice() -> None:
    position = smallchange.game("coin-age").start()
    for token in ("1=H", "2=T", "3=H", "4=H", "4@b1", "3@c1"):
        position.play(token)
    said = {row.name.en: tuple(text.en for text in row.texts) for row in sheets_of(position)[0].rows}
    assert said["Silver City"] == ("4 × 2 = 8", "0")
    assert said["Copper Peaks"] == ("0", "0")


def test_each_number_of_matching_coins_is_pictured_with_what_one_may_do() -> None:
    sheet = sheets_of(smallchange.game("coin-age").start())[1]
    for n, row in zip((4, 3, 2, 1, 0), sheet.rows, strict=False):
        assert [piece.state for piece in row.pieces].count("match") == n
    assert "pay one and place three" in sheet.rows[0].texts[0].en


def test_before_the_map_is_drawn_there_are_no_points() -> None:
    assert len(sheets_of(smallchange.game("coin-age", map="random").start())) == 2


def test_the_tally_counts_each_region_and_the_bank_of_both_sides() -> None:
    position = smallchange.game("coin-age").start()
    for token in ("1=H", "2=T", "3=H", "4=H", "4@b1", "3@c1"):
        position.play(token)
    heads = position.tally()["heads"]
    assert heads["Silver City"] == 8  # a quarter in a region that is heads'
    assert heads["bank"] == sum(position.s.bank[:4])
    assert sum(heads.values()) == 2 * heads["total"]


def test_the_tally_and_the_table_of_actions_can_be_read_as_text() -> None:
    texts = [sheet_text(sheet, "en") for sheet in smallchange.game("coin-age").start().sheets()]
    assert any("Copper Peaks" in text and "Total" in text for text in texts)
    assert any(
        "4 matching" in text and "place two coins; or pay one and place three" in text for text in texts
    )
