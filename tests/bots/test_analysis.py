"""An analysis walks through a match, leaves it by other moves and throws, and finds back."""

from __future__ import annotations

from random import Random

import pytest
from click.testing import CliRunner

from smallchange import IllegalMove, game, record
from smallchange.bots.analysis import Analysis
from smallchange.bots.review import evaluate_choice
from smallchange.cli import main
from smallchange.core.match import Match
from tests.support.matches import greedy_match

FEW = 30  # simulations


@pytest.fixture(scope="module")
def match() -> Match:
    return greedy_match("coin-age", 1)


def test_a_variation_leaves_the_match_and_the_main_line_goes_back(match: Match) -> None:
    analysis = Analysis(match, at=0)
    while analysis.position.actor == "chance":
        analysis.go(analysis.at + 1)
    begun = analysis.at
    played = match.steps[begun].token
    analysis.play(played)
    assert analysis.line == [step.token for step in match.steps]
    analysis.go(begun)
    other = next(token for token in analysis.position.legal() if token != played)
    analysis.play(other)
    assert (analysis.left_at, analysis.line[begun]) == (begun, other)
    analysis.main_line()
    assert (analysis.at, analysis.line) == (begun, [step.token for step in match.steps])
    with pytest.raises(IllegalMove):
        analysis.play("nothing")
    with pytest.raises(ValueError, match="is not among 0 to"):
        analysis.go(len(match) + 1)


def test_chance_is_chosen_or_thrown_by_its_odds(match: Match) -> None:
    analysis = Analysis(match, at=0, luck=Random(1))
    outcomes = analysis.outcomes()
    assert sum(odds for _, odds in outcomes) == pytest.approx(1)
    token = analysis.throw()
    assert token in dict(outcomes)
    analysis.go(0)
    analysis.play(outcomes[-1][0])
    while analysis.position.actor == "chance":
        analysis.throw()
    assert analysis.outcomes() == []
    with pytest.raises(ValueError, match="chance is not next"):
        analysis.throw()


def test_the_odds_of_moves_are_those_of_a_review_the_best_first() -> None:
    board = game("dodgem", size=3)
    analysis = Analysis(Match(board))
    found = analysis.moves(FEW)
    assert sorted(one.token for one in found) == sorted(analysis.position.legal())
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)  # type: ignore[type-var]
    for one in found:
        choice = evaluate_choice(analysis.position, 0, one.token, wait=60.0, simulations=FEW)
        assert choice is not None
        assert choice.chance == one.chance
    line = analysis.best_line(steps=4, simulations=FEW)
    for token in line:
        analysis.play(token)


def test_at_the_prompt_one_walks_through_a_record(
    tmp_path_factory: pytest.TempPathFactory, match: Match
) -> None:
    file = tmp_path_factory.mktemp("records") / "game.txt"
    file.write_text(record.write(match), "utf-8")
    lines = "?\nu\nback\nnonsense\nmain\ngo 2\nq\n"
    ran = CliRunner().invoke(main, ["analyse", str(file), "--at", "1", "--lang", "en"], input=lines)
    assert ran.exit_code == 0
    assert ran.output.index("Before move 1.") < ran.output.index("Type a move") < ran.output.index("  1 ")
    assert ran.output.count("Before move 1.") == 1
    assert "or type throw" in ran.output
    assert "nonsense is not possible here." in ran.output
    assert "Before move 2." in ran.output
