"""Bounds: no play that is tried does better, and games can be looked through to the end."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import smallchange
from research.__main__ import main
from research.bounds import ForesightSearch, bound_from_start, foreseen, solved_deals
from research.kernels.information_relaxation import BY_OBJECT
from smallchange.engine import GREEDY, compiled

ALONE = [id for id in smallchange.games() if len(smallchange.game(id).seats) == 1]


@pytest.fixture(scope="module", params=ALONE)
def eyes(request: pytest.FixtureRequest) -> ForesightSearch:
    return ForesightSearch(smallchange.game(request.param), 20_000)


def test_who_knows_the_throws_wins_wherever_the_rule_of_thumb_wins_on_the_same_deal(
    eyes: ForesightSearch,
) -> None:
    """The rule of thumb's ties fall by chance, the throws do not: so no end of its may be better."""
    games = compiled(eyes.game).play_games([GREEDY], 7, 0, 4)
    for number, last in enumerate(games.states):
        won = (smallchange.Position(eyes.game, eyes.plain(last)).result or {})["won"]
        aim, _, settled = eyes.best(7, number, BY_OBJECT)
        assert not won or aim == 1000 or not settled


def test_a_deal_that_is_lost_at_once_is_lost_for_all(eyes: ForesightSearch) -> None:
    lost = 0
    for number in range(120):
        start = eyes.first_move(3, number)
        if start.actor is None:
            lost += 1
            aim, _, settled = eyes.best(3, number, BY_OBJECT)
            assert settled
            assert (aim > 500) == bool((start.result or {})["won"])
    assert lost >= (2 if eyes.game.id == "coin-collectors" else 0)


def test_a_win_that_one_long_search_misses_is_found_by_short_ones() -> None:
    """One search does not settle these deals with ten times as many positions."""
    eyes = ForesightSearch(smallchange.game("coin-collectors"), 20_000)
    assert [eyes.best(0, number, BY_OBJECT)[::2] for number in (6, 8, 9, 16, 20)] == [(1000, True)] * 5


def test_a_bound_is_the_same_again_and_says_how_it_was_found() -> None:
    game = smallchange.game(ALONE[0])
    one, two = (foreseen(game, 20, 5, "move", 5000) for _ in range(2))
    assert one == two
    assert one.low <= one.rate <= one.high
    ran = CliRunner().invoke(main, [*one.command.split()[3:], "--json"])
    assert ran.exit_code == 0, ran.output
    again = json.loads(ran.stdout)
    assert (again["rate"], again["unsettled"], again["command"]) == (one.rate, one.unsettled, one.command)


@pytest.mark.parametrize("id", ALONE)
def test_deals_whose_search_gave_up_count_as_won(id: str) -> None:
    game = smallchange.game(id)
    found = foreseen(game, 20, 5, most=1)
    assert found.unsettled > 10
    eyes = ForesightSearch(game, 1)
    over = [eyes.first_move(5, number).actor is None for number in range(20)]
    assert found.rate * 20 == pytest.approx(20 - sum(over))


def test_to_come_farther_is_never_likelier() -> None:
    game = smallchange.game(ALONE[0])
    rates = [bound_from_start(game, 5, far, 1).rate for far in (0, 1, 2)]
    assert rates == sorted(rates, reverse=True)
    assert 0 < rates[-1] <= 1


@pytest.mark.parametrize("far", [0, 2])
def test_a_few_deals_leave_much_open_even_where_they_are_alike(far: int) -> None:
    found = bound_from_start(smallchange.game(ALONE[0]), 5, far, 1)
    assert found.low <= found.rate <= found.high
    assert found.high - found.low > 0.3


def test_a_bound_is_for_games_for_one() -> None:
    for id in smallchange.games():
        if id not in ALONE:
            ran = CliRunner().invoke(main, ["bound", id])
            assert ran.exit_code == 1
            assert "a game for two" in ran.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--far", "99999999999999999999"], "is not in the range"),
        (["--most", "100000000000"], "is not in the range"),
        (["--far", "2", "--most", "5"], "--far is without foresight"),
        (["--far", "2", "--manner", "object"], "--far is without foresight"),
    ],
)
def test_numbers_that_are_none_or_say_nothing_are_refused(words: list[str], says: str) -> None:
    ran = CliRunner().invoke(main, ["bound", ALONE[0], *words])
    assert ran.exit_code == 2
    assert says in ran.output.splitlines()[-1]


def test_a_score_to_get_to_is_for_games_whose_scores_grow_from_0() -> None:
    """Elsewhere the odds of it are those of whole games: too much to find."""
    for id in ALONE:
        first = ForesightSearch(smallchange.game(id)).first_move(0, 0)
        begins = first.game.rules.score(first.game.board, first.s, 0)
        if begins:
            ran = CliRunner().invoke(main, ["bound", id, "--far", "1"])
            assert ran.exit_code == 1
            said = f"Error: --far is where scores grow from 0; in {id} they begin at {begins}\n"
            assert ran.output == said


def test_odds_that_are_too_much_to_find_are_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smallchange.tablebase.exact.LEVELS", 3)
    ran = CliRunner().invoke(main, ["bound", ALONE[0], "-n", "1", "--far", "9"])
    assert ran.exit_code == 1
    assert ran.output.startswith("Error: no odds found of getting to a score of 9: a line of play has more")
    assert len(ran.output.splitlines()) == 1


def kept_deals(file: Path, seed: int, odds: list[float]) -> None:
    head = {"game": "coin-collectors", "version": 1, "options": {}, "seed": seed}
    lines = (json.dumps(head | {"number": number, "odds": p}) for number, p in enumerate(odds))
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def test_solved_deals_are_kept_and_not_solved_again(tmp_path: Path) -> None:
    kept_deals(tmp_path / "deals", 4, 2 * [0.5, 0.7, 0.6, 0.5, 0.7])
    found = solved_deals(smallchange.game("coin-collectors"), 10, 4, tmp_path / "deals")
    half = 2.262 * (0.08 / 9) ** 0.5 / 10**0.5  # by Student's t with 9 degrees of freedom
    assert (found.rate, found.low, found.high) == pytest.approx((0.6, 0.6 - half, 0.6 + half), abs=0.001)


def test_deals_of_another_seed_are_refused(tmp_path: Path) -> None:
    kept_deals(tmp_path / "deals", 4, [0.5, 0.7, 0.6])
    with pytest.raises(ValueError, match="other deals"):
        solved_deals(smallchange.game("coin-collectors"), 3, 5, tmp_path / "deals")


def test_a_game_that_cannot_be_solved_is_refused(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["bound", "thrag", "--solve", str(tmp_path / "deals"), "-n", "10"])
    assert ran.exit_code == 1
    assert "solved in coin-collectors with the usual rules" in ran.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--solve", "deals", "--far", "2"], "say nothing beside it"),
        (["--solve", "deals", "-n", "1"], "10 deals or more"),
    ],
)
def test_what_does_not_go_together_with_solving_is_named(words: list[str], says: str) -> None:
    ran = CliRunner().invoke(main, ["bound", "coin-collectors", *words])
    assert ran.exit_code == 2
    assert says in ran.output
