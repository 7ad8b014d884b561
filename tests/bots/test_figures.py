"""Figures carry the versions of what they measured, and none is older than that."""

import json
import re
from pathlib import Path

import pytest

import smallchange
from smallchange.bots.levels import best_bot, description
from smallchange.core.measurements import BASELINE_FILE, WIN_RATES_FILE
from smallchange.server.table.view import measured_odds

ODDS = Path(__file__).parents[2] / "docs" / "odds.md"


@pytest.mark.parametrize("id", smallchange.games())
def test_win_rates_and_baselines_are_of_these_rules_and_this_bot(id: str) -> None:
    game = smallchange.game(id)
    measured = json.loads((game.folder / WIN_RATES_FILE).read_text())
    assert (measured["rules"], measured["bot"]) == (game.version, best_bot(game).identity)
    if (game.folder / BASELINE_FILE).exists():
        assert json.loads((game.folder / BASELINE_FILE).read_text())["rules"] == game.version


def test_the_page_of_odds_is_of_these_rules_and_bots() -> None:
    page = ODDS.read_text()
    rules = dict(re.findall(r"\brules ([a-z-]+) (\d+)", page))
    assert rules == {id: str(smallchange.game(id).version) for id in smallchange.games()}
    for id in smallchange.games():
        about = description(best_bot(smallchange.game(id))).en
        (told,) = set(re.findall(rf"level5 of {id} is ([^;.\n]*)", page))
        assert told.split("(")[0].strip() in about, id


def test_figures_of_another_bot_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from smallchange.bots.engines import alphabeta

    assert measured_odds._best("dodgem")
    measured_odds._best.cache_clear()
    monkeypatch.setattr(alphabeta, "PLAYS", alphabeta.PLAYS + 1)
    assert measured_odds._best("dodgem") == {}
    measured_odds._best.cache_clear()


def test_no_figure_says_that_a_solved_draw_is_won_by_a_side() -> None:
    """5 x 5 is drawn by perfect play, which level 5 plays there."""
    options = {"size": 5}
    for start in ("facing", "crosswise"):
        game = smallchange.game("dodgem", **options, start=start)
        assert game not in measured_odds._best("dodgem")
