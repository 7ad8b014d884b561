"""Compiled code kept on disk is never that of an older text, nor that of another game."""

import subprocess
import sys
from pathlib import Path

import pytest

from smallchange import engine
from smallchange.engine.compile import cache
from tests.engine.toy import DEAR

from .toy import GREEDY, RULES, totals, toy


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path / "cache"))
    cache.cache_folder.cache_clear()
    return tmp_path / "cache"


def test_a_changed_rule_changes_the_compiled_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba's own cache would go on with a callee that was changed in another file."""
    cheap = totals(engine.compile_game(toy(tmp_path, monkeypatch)))
    dear = totals(engine.compile_game(toy(tmp_path, monkeypatch, DEAR)))
    assert dear == [10 * total for total in cheap]
    assert sum(cheap) > 0


def test_a_changed_rule_of_thumb_changes_the_compiled_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    bold = engine.compile_game(game).play_games([engine.GREEDY], 1, 0, 50).steps
    (game.folder / "ai" / "heuristic.py").write_text(GREEDY.replace("return a", "return -a"))
    shy = engine.compile_game(game).play_games([engine.GREEDY], 1, 0, 50).steps
    assert shy.max() == 2  # it throws, and stops
    assert bold.max() > 2


def test_the_next_process_sees_a_changed_rule_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a new process the answer comes from the disk."""
    code = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from pathlib import Path
import pytest
from smallchange import engine
from tests.engine.toy import toy, totals, RULES
from tests.engine.toy import DEAR
patch = pytest.MonkeyPatch()
rules = {{"cheap": RULES, "dear": DEAR}}[sys.argv[1]]
way = engine.compile_game(toy(Path({str(tmp_path)!r}), patch, rules))
total = sum(totals(way))
print(total, sum(way._module.play_games.function.stats.cache_hits.values()) > 0)
"""

    def run(which: str) -> tuple[int, bool]:
        ran = subprocess.run([sys.executable, "-c", code, which], capture_output=True, text=True, check=True)
        total, hit = ran.stdout.split()
        return int(total), hit == "True"

    cheap, _ = run("cheap")
    again, kept = run("cheap")
    dear, _ = run("dear")
    back, kept_too = run("cheap")
    assert (again, dear, back) == (cheap, 10 * cheap, cheap)
    assert kept, "the second process should find the first one's code"
    assert kept_too


def test_two_games_that_look_alike_keep_their_own_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Same fields, same functions, same file sizes; only one number in a callee differs."""
    games = [
        toy(tmp_path, monkeypatch, RULES.replace("WORTH[a]", f"WORTH[a] + {extra}"), f"toy{extra}")
        for extra in (1, 2)
    ]
    ways = [engine.compile_game(game) for game in games]
    for _ in range(2):  # in turn, so that each has been compiled while the other was there
        for game, way in zip(games, ways, strict=True):
            assert totals(way) == totals(engine.interpret_game(game))
    assert totals(ways[0]) != totals(ways[1])
