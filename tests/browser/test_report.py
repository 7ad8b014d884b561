"""The page of an experiment in a narrow window."""

from pathlib import Path

from playwright.sync_api import Browser

from smallchange.lab.experiment import run
from smallchange.lab.experiment_grid import read
from smallchange.lab.report import report
from smallchange.lab.results import read_results


def test_headings_of_a_table_that_is_scrolled_are_not_a_word_a_line(browser: Browser, tmp_path: Path) -> None:
    asked = read('n = 20\n[[grid]]\ngame = "thrag"\npolicies = "random"\noptions = { null_coins = [0, 2] }')
    run(asked, tmp_path / "a.parquet", workers=1)
    page = browser.new_page(viewport={"width": 360, "height": 800})
    page.set_content(report(read_results(tmp_path / "a.parquet")))
    heads = page.locator("thead")
    lines = [round(heads.nth(i).bounding_box()["height"] / 20) for i in range(heads.count())]  # type: ignore[index]
    fits = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
    assert lines
    assert max(lines) <= 2
    assert fits
