"""Results and the page that shows them."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import escape

import smallchange
from smallchange.cli import main
from smallchange.lab.comparisons import Mean, effects
from smallchange.lab.experiment import run
from smallchange.lab.experiment_grid import read
from smallchange.lab.report import report
from smallchange.lab.result_tables import changes, odds
from smallchange.lab.results import Results, read_results
from smallchange.lab.simulate import simulate

TEXT = """
title = "Weapons & <boards>"
n = 2_000
seeds = [1, 2]
[[grid]]
game = "thrag"
options = { null_coins = [0, 2], weapons = ["SCA", "none"] }
[[grid]]
game = "dodgem"
options = { size = 3 }
policies = ["greedy,random", "random"]
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "small.parquet"
    run(read(TEXT), out, "smallchange experiment small.toml", workers=1)
    return out


@pytest.fixture(scope="module")
def results(file: Path) -> Results:
    return read_results(file)


def test_results_are_those_of_simulate(results: Results) -> None:
    """The same seed plays the same games, whichever command plays them."""
    sample = next(s for s in results.of("thrag") if s.policy == "greedy" and not s.options)
    done = simulate(smallchange.game("thrag"), 2000, "greedy", seed=1)
    first = sample.deal < 1 << 40
    assert (sample.scores[first, 0].mean(), sample.steps[first].mean()) == pytest.approx(
        (*(spread.mean for spread in done.score.values()), done.mean_steps)
    )
    assert sample.n == 4000


def test_an_option_is_compared_with_its_default_on_the_same_deals(results: Results) -> None:
    found = effects(results.of("thrag"))
    named = {(e.option, e.value, tuple(e.others), e.policy) for e in found}
    assert ("null_coins", 2, (), "greedy") in named
    assert ("null_coins", 2, ("weapons",), "greedy") in named
    assert len(named) == 8
    coins = next(e for e in found if (e.option, e.others, e.policy) == ("null_coins", {}, "greedy"))
    assert coins.difference.points.n == 4000
    assert coins.difference.points.low > 0
    assert coins.difference.points.half < coins.difference.alone


def test_the_table_of_a_game_for_two_names_both_orders(results: Results) -> None:
    sheet = odds(results, "dodgem")
    assert [row[1] for row in sheet.rows] == ["greedy,random", "random,greedy", "random"]
    assert "red wins, %" in sheet.head
    assert [bool(row[6]) for row in sheet.rows] == [False, False, True]
    assert changes(results, "dodgem") is None


class Page(HTMLParser):
    """Tags opened and not closed, and everything that is fetched from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"]] if found.get("id") else []  # type: ignore[list-item]
        for name in ("src", "href", "xlink:href"):
            link = found.get(name) or ""
            if link and not link.startswith("#"):
                self.fetched.append(link)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(results: Results) -> None:
    text = report(results)
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.fetched == []
    assert len(page.ids) == len(set(page.ids))
    assert "Weapons &amp; &lt;boards&gt;" in text
    for id in ("thrag", "dodgem"):
        assert id in page.ids
    assert text.count("<svg") == 4 + 4, "a chart of scores for each variant of Thrag"
    assert text.count("<table ") == 5 + 3
    assert not re.search(r"#(?:26221c|7a3b6b)", text)  # charts take the page's colours, light or dark


def test_the_page_says_who_plays_and_what_base_is(results: Results) -> None:
    text = report(results)
    for name, what in results.metadata["policies"]["thrag"].items():
        assert f"<dt>{name}</dt><dd>{escape(what)}</dd>" in text
    assert text.count("<dt>base</dt>") == 2


def test_a_chart_that_does_not_show_every_row_says_so(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of Thrag's four variants with two policies each, and of four changes of an option."""
    assert "The first" not in report(results)
    monkeypatch.setattr("smallchange.lab.report.MOST", 3)
    text = report(results)
    assert text.count("The first 3 of 4 rows; all figures are in the table below.") == 2
    assert text.count("The same figures are in the table below.") == 1


def test_the_spread_is_drawn_of_the_base_game_wherever_it_stands(tmp_path: Path) -> None:
    text = 'n = 40\n[[grid]]\ngame = "thrag"\noptions = {null_coins = [2, %s]}\n'
    for other, drawn in ((0, "base"), (1, "null coins 2")):
        run(read(text % other), tmp_path / "few.parquet", workers=1)
        page = report(read_results(tmp_path / "few.parquet"))
        assert f"How often each number came up, {drawn};" in page
        assert f">score ({drawn})</text>" in page


def test_the_same_results_make_the_same_page(file: Path, results: Results, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["report", str(file), "-o", str(tmp_path / "page.html")])
    assert done.exit_code == 0
    assert (tmp_path / "page.html").read_text("utf-8") == report(results)


def test_the_page_goes_to_standard_output_too(
    file: Path, results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, ["report", str(file), "-o", "-"]).stdout == report(results)
    assert not list(tmp_path.iterdir())


def test_a_home_that_cannot_be_written_is_no_news(file: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "smallchange", "report", str(file), "-o", str(tmp_path / "page.html")]
    homeless = os.environ | {"HOME": "/dev/null", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": ""}
    homeless.pop("MPLCONFIGDIR", None)
    assert subprocess.run(words, check=True, capture_output=True, env=homeless).stderr == b""


def test_a_file_that_holds_no_results_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "other.parquet").write_text("no")
    done = CliRunner().invoke(main, ["report", str(tmp_path / "other.parquet")])
    assert done.exit_code == 1
    assert re.fullmatch(r"Error: .*other\.parquet holds no results of an experiment .*\n", done.stderr)


@given(st.lists(st.integers(-50, 50), min_size=2))
@settings(deadline=None)
def test_a_mean_lies_within_its_interval(numbers: list[int]) -> None:
    found = Mean.of(numbers)
    assert found.low <= found.mean <= found.high
    assert found.mean == pytest.approx(np.mean(numbers))


@given(st.integers(2, 500), st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]))
@settings(deadline=None)
def test_equal_points_are_no_certainty(n: int, point: float) -> None:
    """One other game in n may well not have been seen; eight would have been."""
    found = Mean.of([point] * n, (-1, 1))
    assert found.low < point < found.high
    assert 1 / n < found.half < 8 / n
    assert found.half > Mean.of([point] * (n + 1), (-1, 1)).half


def test_one_that_never_wins_is_not_sure_to_lose(tmp_path: Path) -> None:
    """Nor is a difference between two of them nothing, nor the edge of a player who always wins all of it."""
    text = 'n = 50\n[[grid]]\ngame = "coin-collectors"\noptions = {stay_home = [0, 3]}\npolicies = "random"\n'
    text += '[[grid]]\ngame = "dodgem"\noptions = {size = 3, start = "crosswise"}\npolicies = "greedy"\n'
    run(read(text), tmp_path / "lost.parquet", workers=1)
    results = read_results(tmp_path / "lost.parquet")
    assert [sample.wins for sample in results.samples] == [[0], [0], [50, 0]]
    (row,) = changes(results, "coin-collectors").rows  # type: ignore[union-attr]
    assert row[4:6] == ["+0.00 ± 7.13", "10.09"]
    assert odds(results, "dodgem").rows[0][6] == "+50.00 ± 7.13"


NAMED = """
n = 200
policies = "random"
[[grid]]
game = "solo"
name = "cross"
options.board = '''
..##..
..##..
######
######
..##..
..##..
'''
[[grid]]
game = "solo"
"""


def test_a_named_variant_goes_by_its_name_and_is_seen_with_its_scores(tmp_path: Path) -> None:
    out = tmp_path / "named.parquet"
    run(read(NAMED), out, "smallchange experiment named.toml", workers=1)
    results = read_results(out)
    assert [row[0] for row in odds(results, "solo").rows] == ["cross", "base"]
    page = report(results)
    variants, rest = page[page.index(">Variants</h3>") :].split("</section>", 1)
    assert variants.count("<figure><svg") == 1
    assert "<b>cross</b><br>board ..##../..##../###" in variants
    assert rest.count("How often each number came up") == 2
