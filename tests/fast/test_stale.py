"""Compiled code kept on disk is never that of an older text, nor that of another game."""

import subprocess
import sys
from pathlib import Path

import pytest

from smallchange import fast
from smallchange.fast import cache

from .toy import GREEDY, RULES, totals, toy

DEAR = RULES.replace("return WORTH[a]", "return 10 * WORTH[a]")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path / "cache"))
    cache.root.cache_clear()
    return tmp_path / "cache"


def test_a_changed_rule_changes_the_compiled_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba's own cache would go on with a callee that was changed in another file."""
    cheap = totals(fast.compiled(toy(tmp_path, monkeypatch)))
    dear = totals(fast.compiled(toy(tmp_path, monkeypatch, DEAR)))
    assert dear == [10 * total for total in cheap]
    assert sum(cheap) > 0


def test_a_changed_rule_of_thumb_changes_the_compiled_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    bold = fast.compiled(game).play_games([fast.GREEDY], 1, 0, 50).steps
    (game.folder / "greedy.py").write_text(GREEDY.replace("return a", "return -a"))
    shy = fast.compiled(game).play_games([fast.GREEDY], 1, 0, 50).steps
    assert shy.max() == 2  # it throws, and stops
    assert bold.max() > 2


def test_the_next_process_sees_a_changed_rule_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a new process the answer comes from the disk."""
    code = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from pathlib import Path
import pytest
from smallchange import fast
from tests.fast.toy import toy, totals, RULES
from tests.fast.test_stale import DEAR
patch = pytest.MonkeyPatch()
rules = {{"cheap": RULES, "dear": DEAR}}[sys.argv[1]]
way = fast.compiled(toy(Path({str(tmp_path)!r}), patch, rules))
total = sum(totals(way))
print(total, sum(way._module._play_games.stats.cache_hits.values()) > 0)
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
    ways = [fast.compiled(game) for game in games]
    for _ in range(2):  # in turn, so that each has been compiled while the other was there
        for game, way in zip(games, ways, strict=True):
            assert totals(way) == totals(fast.interpreted(game))
    assert totals(ways[0]) != totals(ways[1])


def test_checked_code_reports_an_index_out_of_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = toy(tmp_path, monkeypatch, RULES.replace("return WORTH[a]", "return WORTH[a + 1]"))
    with pytest.raises(IndexError):
        totals(fast.compiled(game, checked=True))


def test_checked_and_interpreted_code_report_a_negative_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch, RULES.replace("return WORTH[a]", "return WORTH[a - 2]"))
    for way in (fast.interpreted(game), fast.compiled(game, checked=True)):
        with pytest.raises(IndexError):
            totals(way)
