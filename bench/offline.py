"""Measure the games for one in a browser without a network: bytes, loading, drawing.

    python bench/offline.py

Needs Chromium (scripts/install) and the extra `offline`. Milliseconds, on loopback:

python, brython: the bytes of the scripts, those of gzip -9, and the time of the answer, the first of which makes them
kept in: the time to fetch all that the games need
and by game, with the network cut: from asking for its page to its first board, and from a click to the changed page
"""

from __future__ import annotations

import gzip
import statistics
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page

from page import chromium, serving
from smallchange.server.offline.browser_modules import playable_games

LONGEST_MS = 120_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (url, _), chromium() as browser:
        for script in ("python", "brython"):
            begun = time.perf_counter()
            with urllib.request.urlopen(f"{url}/offline/{script}.js") as answer:
                text = answer.read()
            took = time.perf_counter() - begun
            packed = len(gzip.compress(text, 9))
            print(
                f"{script:16} {len(text):9} bytes, {packed:8} compressed, answered in {1000 * took:6.0f} ms"
            )
        browser_context = browser.new_context(base_url=url, reduced_motion="reduce")
        browser_context.set_default_timeout(LONGEST_MS)
        page = browser_context.new_page()
        page.goto("/offline")
        begun = time.perf_counter()
        page.locator("#keep").click()
        page.locator("#kept", has_text="are kept").wait_for()
        print(f"{'kept in':16} {1000 * (time.perf_counter() - begun):6.0f} ms")
        browser_context.set_offline(True)
        for game in playable_games():
            first, steps = play(page, game)
            middle, worst = statistics.median(steps), max(steps)
            print(
                f"{game:16} first board {first:6.0f}  step {middle:5.0f}  worst {worst:5.0f}  n {len(steps)}"
            )


def play(page: Page, game: str) -> tuple[float, list[float]]:
    """Play a game to its end by its first moves; return the times of the first board and of each step."""
    begun = time.perf_counter()
    page.goto(f"/m/offline-{game}")
    page.locator("#connection[data-is=open]").wait_for(state="attached")
    page.locator("#main:not([inert])").wait_for()
    first = 1000 * (time.perf_counter() - begun)
    steps = []
    while not page.locator(".result").count():
        ply = page.locator("#table-data").get_attribute("data-ply")
        begun = time.perf_counter()
        listed = page.locator("#actions button[name=token]:not([value=marks])")
        if not listed.count():
            for id in (page.locator(".sets li").first.get_attribute("data-marks") or "").split():
                page.locator(f"input[name=marks][value='{id}']").check(force=True)
        (listed if listed.count() else page.locator("#marked")).first.dispatch_event("click")
        page.locator(f"#table-data:not([data-ply='{ply}'])").wait_for(state="attached")
        steps.append(1000 * (time.perf_counter() - begun))
    return first, steps


if __name__ == "__main__":
    main()
