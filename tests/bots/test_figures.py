"""Figures carry the versions of what they measured, and none is older than that."""

import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import smallchange
from research.puzzles.ratings import FILE as RATINGS_FILE
from smallchange.bots.engines import learned_values
from smallchange.bots.levels import LEVELS, best_bot, identities, load_bots
from smallchange.core.game import Game
from smallchange.core.measurements import BASELINE_FILE, VALUES_FILE, WIN_RATES_FILE
from smallchange.server.table.view import measured_odds

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("id", smallchange.games())
def test_win_rates_and_baselines_are_of_these_rules_and_this_bot(id: str) -> None:
    game = smallchange.game(id)
    measured = json.loads((game.folder / WIN_RATES_FILE).read_text())
    assert (measured["rules"], measured["bot"]) == (game.version, best_bot(game).identity(game))
    if (game.folder / BASELINE_FILE).exists():
        assert json.loads((game.folder / BASELINE_FILE).read_text())["rules"] == game.version


@pytest.mark.parametrize("id", smallchange.games())
def test_what_was_measured_of_bots_is_of_these_rules_and_bots(id: str) -> None:
    game = smallchange.game(id)
    measured = list[tuple[int, str]]()
    expected = list[str]()
    for name, level in load_bots(game).items():
        if level.measured:
            measured.append((level.measured.rules, level.measured.bot))
            expected.append(identities(game, name, level.measured.against))
        if level.given:
            measured.append((level.given.rules, level.given.bot))
            expected.append(identities(game, name, LEVELS[-1]))
        measured += [(odds.rules, odds.bot) for odds in level.odds]
        expected += [level.identity(game)] * len(level.odds)
    ratings = json.loads((game.folder / RATINGS_FILE).read_text())
    calibration = json.loads((DOCS / "calibration.json").read_text())[id]
    measured += [(figures["rules"], figures["bot"]) for figures in (ratings, calibration)]
    expected += [identities(game, *LEVELS), identities(game, LEVELS[-1])]
    assert measured == [(game.version, bot) for bot in expected]


def test_pages_of_figures_are_of_these_rules_and_bots() -> None:
    page = (DOCS / "odds.md").read_text()
    bots = {id: best_bot(id).identity(smallchange.game(id)) for id in smallchange.games()}
    said = {(id, str(smallchange.game(id).version), bot) for id, bot in bots.items()}
    assert set(re.findall(r"\brules ([a-z-]+) (\d+) \(best bot `([^`]*)`", page)) == said
    about_ur = (DOCS / "ur-solved.md").read_text()
    assert all(f"`{identities(smallchange.game('royal-ur'), name)}`" in about_ur for name in LEVELS)


def test_another_net_is_another_bot(tmp_path: Path) -> None:
    there = shutil.copytree(smallchange.game("thrag").folder, tmp_path / "thrag")
    game, level = cast(Game, SimpleNamespace(folder=there)), best_bot("thrag")
    assert level.identity(game) == level.identity(smallchange.game("thrag"))
    (there / VALUES_FILE).write_text("{}")
    assert level.identity(game) != level.identity(smallchange.game("thrag"))


def test_a_folder_that_leaves_nets_out_shows_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [id for id in smallchange.games() if measured_odds._best(id)]
    monkeypatch.setattr(learned_values, "VALUES_FILE", "none")
    monkeypatch.setattr(learned_values, "VARIANT_VALUES_FILE", "none")
    measured_odds._best.cache_clear()
    assert len(ids) == 6
    assert all(map(measured_odds._best, ids))
    measured_odds._best.cache_clear()


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
