"""The tables of results, cell by cell, for a few games made by hand."""

import re

import numpy as np
import pytest

import smallchange
from smallchange.lab.ladder import table_of_points
from smallchange.lab.result_tables import changes, endings, odds, players, spreads
from smallchange.lab.results import Results, Sample

ALONE, TWO = (
    next(id for id in smallchange.games() if len(smallchange.Game(id).seats) == seats) for seats in (1, 2)
)
OPTION = next(option.name for option in smallchange.Game(ALONE).offered if option.default is False)


def alone(policy: str, first: int, won: list[int], **options: object) -> Sample:
    """Return games for one with deals from `first` on; scores and steps go by the deal; wins have twice both."""
    deals, wins = np.arange(first, first + len(won)), np.array(won)
    numbers = deals * (1 + wins)
    return Sample(
        smallchange.game(ALONE, **options), policy, deals, wins - 1, 10 * numbers, numbers[:, None], wins,
        ["lost", "won"],
    )  # fmt: skip


def two(policy: str, winners: list[int]) -> Sample:
    """Return games for two by the seat that won, -1 for none; the n-th has n steps."""
    won = np.array(winners)
    scores = np.stack([np.where(won < 0, 0, np.where(won == seat, 1, -1)) for seat in (0, 1)], axis=1)
    return Sample(
        smallchange.game(TWO), policy, np.arange(len(won)), won, np.arange(1, len(won) + 1), scores, won + 1,
        ["nobody", "one", "other"],
    )  # fmt: skip


WEAK = alone("random", 10, [0, 0, 1, 0, 0, 0])  # scores 10 11 24 13 14 15
STRONG = alone("greedy", 12, [0, 1, 1, 1, 0, 1])  # scores 12 26 28 30 16 34
OTHER = alone("random", 13, [1, 0, 0], **{OPTION: True})  # scores 26 14 15
PLAYED = ("deal", "winner", "steps", "scores", "outcome", "outcomes")
FOR_ONE = Results({}, [WEAK, STRONG, OTHER], {})
FOR_TWO = Results({}, [two("greedy", [0, 0, 0, 1, -1, -1]), two("greedy,random", [1, 1, 1, 1, -1, 0])], {})


def numbers(cells: list[str]) -> list[float]:
    """Return the first number of each cell, its interval left out."""
    found = [re.match(r"[-+]?[\d.]+", cell) for cell in cells]
    assert all(found), cells
    return [float(number[0]) for number in found if number]


def about(expected: list[float]) -> object:
    """Return a number to compare with, as near as its digits."""
    return pytest.approx(expected, abs=0.06)


def test_the_odds_of_a_game_for_one() -> None:
    rows = odds(FOR_ONE, ALONE).rows
    assert [row[:3] for row in rows[:2]] == [["base", "random", "6"], ["base", "greedy", "6"]]
    assert numbers(rows[0][3:7]) == about([100 / 6, 87 / 6, 870 / 6, 240])
    assert numbers(rows[1][3:7]) == about([400 / 6, 146 / 6, 1460 / 6, 340])


def test_the_odds_of_a_game_for_two_and_what_moving_first_is_worth() -> None:
    """A draw is half a point: four of six are two thirds."""
    alike, apart = odds(FOR_TWO, TWO).rows
    assert numbers(alike[3:9]) == about([300 / 6, 200 / 6, 100 / 6, 100 * (4 / 6 - 1 / 2), 3.5, 6])
    assert numbers(apart[3:6]) == about([100 / 6, 100 / 6, 400 / 6])
    assert apart[6] == ""


def test_what_better_play_is_worth_on_the_deals_that_both_have() -> None:
    """Deals 12 to 15: scores 12 26 28 30 against 24 13 14 15, three wins against one."""
    sheet = players(FOR_ONE, ALONE)
    assert sheet
    (row,) = sheet.rows
    assert row[:3] == ["base", "greedy over random", "4"]
    assert numbers(row[3:]) == about([100 * (3 - 1) / 4, (96 - 66) / 4, 10 * (96 - 66) / 4])


def test_different_drawings_are_different_boards() -> None:
    """They have rows of their own under names of their own, and are not compared as two policies are."""
    boards = ["\n".join([*["#####"] * 3, row, "#...."]) for row in ("####.", ".####")]
    drawn = [
        Sample(smallchange.game("solo", board=board), policy, *(getattr(WEAK, name) for name in PLAYED))
        for board in boards
        for policy in ("random", "greedy")
    ]
    results = Results({}, drawn, {})
    names = [row[0] for row in odds(results, "solo").rows]
    assert names[0] == names[1] != names[2] == names[3]
    compared = players(results, "solo")
    assert compared
    assert [row[:2] for row in compared.rows] == [[name, "greedy over random"] for name in names[::2]]


def test_what_an_option_changes_on_the_deals_that_both_have() -> None:
    """Deals 13 to 15: scores 26 14 15 against 13 14 15, one win against none."""
    sheet = changes(FOR_ONE, ALONE)
    assert sheet
    (row,) = sheet.rows
    assert row[1:4] == ["base", "random", "3"]
    assert numbers([row[4], *row[6:]]) == about([100 / 3, 13 / 3, 130 / 3])
    assert changes(FOR_TWO, TWO) is None
    assert players(FOR_TWO, TWO) is None


def test_how_scores_are_spread_or_steps_in_a_game_for_two() -> None:
    for results, id, of in ((FOR_ONE, ALONE, WEAK.scores[:, 0]), (FOR_TWO, TWO, FOR_TWO.samples[0].steps)):
        row = numbers(spreads(results, id).rows[0][3:])
        ordered = sorted(of.tolist())
        least = [ordered[max(0, int(np.ceil(share * 6 / 100)) - 1)] for share in (0, 5, 25, 50, 75, 95, 100)]
        assert row == about([float(of.mean()), float(of.std(ddof=1)), *least])


def test_how_games_end_the_commonest_first() -> None:
    sheet = endings(FOR_TWO, TWO)
    assert sheet.head[3:] == ["other", "one", "nobody"]
    assert [numbers(row[3:]) for row in sheet.rows] == [
        about([100 / 6, 300 / 6, 200 / 6]),
        about([400 / 6, 100 / 6, 100 / 6]),
    ]


def test_points_of_a_ladder_are_those_of_the_row_against_the_column() -> None:
    samples = [two("greedy,random", [0, 0, 1]), two("random,greedy", [1, 1, 1, -1])]
    assert table_of_points(samples, ["random", "greedy"]) == [[0, 1.5], [5.5, 0]]
