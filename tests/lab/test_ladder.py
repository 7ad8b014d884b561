"""Ladders: who is how strong."""

import re
from math import log

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import bots
from smallchange.bots.policy import Policy
from smallchange.cli import main
from smallchange.core.game import Game
from smallchange.lab.ladder import games_of, ladder, usual
from smallchange.lab.ratings import ratings
from smallchange.lab.result_tables import percent

GAMES = [Game(id) for id in smallchange.games()]
strengths = st.lists(st.floats(-600, 600), min_size=2, max_size=6)
results = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, 40).map(lambda x: x / 2), min_size=k, max_size=k), min_size=k, max_size=k
    )
)


def off_diagonal(points: list[list[float]]) -> list[list[float]]:
    return [[0.0 if i == j else x for j, x in enumerate(row)] for i, row in enumerate(points)]


@given(strengths)
@settings(deadline=None)
def test_ratings_are_those_that_made_the_points(elo: list[float]) -> None:
    apart = np.subtract.outer(elo, elo)
    points = 1e6 / (1 + np.exp(-apart * log(10) / 400))
    np.fill_diagonal(points, 0)
    found = [rating.elo for rating in ratings(points)]
    assert found == pytest.approx(np.subtract(elo, np.mean(elo)), abs=0.5)


@given(results)
@settings(deadline=None)
def test_ratings_are_finite_and_do_not_depend_on_the_order(points: list[list[float]]) -> None:
    """Even where somebody won or lost everything."""
    made = np.array(off_diagonal(points)) + 0.5 * (1 - np.eye(len(points)))
    found = ratings(made)
    assert all(rating.low < rating.elo < rating.high for rating in found)
    assert sum(rating.elo for rating in found) == pytest.approx(0, abs=0.01)
    turned = ratings(made[::-1, ::-1])[::-1]
    assert [r.elo for r in turned] == pytest.approx([r.elo for r in found], abs=0.1)


def test_more_games_make_intervals_narrower() -> None:
    few, many = (ratings([[0, 0.6 * n], [0.4 * n, 0]])[0] for n in (100, 10_000))
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(10, rel=0.02)
    assert many.elo == pytest.approx(400 * log(1.5, 10) / 2, abs=1)


def test_an_interval_holds_the_true_rating_nineteen_times_of_twenty() -> None:
    """Of two players, one 100 Elo better, who meet 200 times."""
    luck, share = np.random.default_rng(1), 1 / (1 + 10 ** (-100 / 400))
    wins = luck.binomial(200, share, 300)
    found = [ratings([[0, won], [200 - won, 0]])[0] for won in wins.tolist()]
    held = sum(rating.low <= 50 <= rating.high for rating in found)
    assert 275 <= held <= 295


def test_players_who_never_met_are_not_compared() -> None:
    points = np.zeros((4, 4))
    points[0, 1] = points[2, 3] = 5
    with pytest.raises(ValueError, match="not all players are joined by games"):
        ratings(points)


@pytest.mark.parametrize("id", [id for id in smallchange.games() if len(smallchange.Game(id).seats) == 2])
def test_the_rule_of_thumb_stands_above_random_play(id: str) -> None:
    done = ladder(smallchange.game(id), ["random", "greedy"], 300, workers=1)
    weak, strong = done.ratings
    assert weak.high < strong.low
    assert sum(sample.n for sample in done.results.samples) == 300
    assert [sample.policy for sample in done.results.samples] == ["random,greedy", "greedy,random"]
    standings, pairs = (sheet.rows for sheet in done.sheets)
    assert [row[0] for row in standings] == ["greedy", "random"]
    games = done.results.samples
    made = sum(float(sample.points(sample.policy.split(",").index("greedy")).sum()) for sample in games)
    assert made > 150
    assert [row[2:] for row in standings] == [["300", percent(made / 300)], ["300", percent(1 - made / 300)]]
    assert pairs == [["random", "", percent(1 - made / 300)], ["greedy", percent(made / 300), ""]]


@pytest.mark.parametrize("bots", ["random,greedy", "greedy,random"])
def test_in_a_game_for_one_all_play_the_same_deals(bots: str) -> None:
    done = CliRunner().invoke(main, ["ladder", "thrag", "--bots", bots, "-n", "400", "--workers", "1"])
    assert done.exit_code == 0
    assert re.search(r"greedy over random +400 +\+", done.stdout)
    assert f"again: smallchange ladder thrag --bots {bots} -n 400 --seed 1" in done.stdout


def test_a_player_is_found_however_its_number_is_written() -> None:
    done = ladder(smallchange.game("dodgem", size=3), ["tree:05", "random"], 4, workers=1)
    assert [row[0] for row in done.sheets[0].rows] == ["tree:5", "random"]


@pytest.mark.parametrize("game", [game for game in GAMES if usual(game) != bots.names(game)], ids=repr)
def test_bots_of_the_same_make_have_places_of_their_own(game: Game) -> None:
    twin = next(name for name in bots.names(game) if name not in usual(game))
    first = next(
        name for name in usual(game) if Policy(name).fingerprint(game) == Policy(twin).fingerprint(game)
    )
    done = ladder(game, ["random", first, twin], 20, workers=1)
    asked = games_of(game, ["random", first, twin], 20, 1)
    assert [(sample.policy, sample.n) for sample in done.results.samples] == [
        (cell.who, cell.n) for cell in asked.cells
    ]


def test_the_usual_players_are_different_ones() -> None:
    for id in smallchange.games():
        game = smallchange.game(id)
        assert usual(game)[:2] == ["random", "greedy"]
        assert len(usual(game)) >= 4


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ("greedy", "a ladder needs at least two different players, not greedy"),
        ("", "a ladder needs at least two different players, not none"),
        ("greedy,greedy", "two different players"),
        ("tree:10,tree:010", "two different players"),
        ("greedy,clever", "unknown policy 'clever'; a policy is one of random, greedy, "),
    ],
)
def test_players_that_cannot_be_are_said_in_one_line(bots: str, said: str) -> None:
    done = CliRunner().invoke(main, ["ladder", smallchange.games()[0], "--bots", bots])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_a_ladder_has_so_many_games_at_most() -> None:
    done = CliRunner().invoke(main, ["ladder", smallchange.games()[0], "-n", "1000001"])
    assert done.exit_code == 2
    assert "1000001 is not in the range 1 to 1,000,000" in done.stderr
