"""Measure the pages in a real browser: the time until one can play, and until a move is seen.

    python bench/page.py [--moves 60] [--rounds 5] [--games 3] [--only shift]

Needs Chromium (scripts/install). Medians, 95th percentiles and the worst, in milliseconds, on loopback:

serve: from the command to the whole first page, the database being there
board: from asking for a table's page, nothing cached, until something on it can be touched
own: from a click until the page that was clicked on has painted what it did
other: from that click, so the commit included, until the other player's page in another context has
and the bytes of the first page and of a table's page with all that they load, as they are on the wire.
shift: the cumulative layout shift of whole games against level 1 (at 360 and 1280 pixels: the worst, and each)
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from smallchange import games

GAME = "dodgem"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
# When something can be touched, and when each ply was painted, in milliseconds since 1970.
WATCH = """() => {
  window.painted = {};
  const note = (ply) => setTimeout(() => painted[ply] = performance.timeOrigin + performance.now());
  new MutationObserver(() => {
    const ply = document.getElementById("table-data")?.dataset.ply;
    if (document.querySelector("a.live")) window.touchable ??= performance.now();
    if (ply && !(ply in painted)) painted[ply] = 0, requestAnimationFrame(() => note(ply));
  }).observe(document, { subtree: true, childList: true, attributes: true });
}"""
SHIFTS = """() => {
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""
MARK_AND_CLICK = """n => {
  const boxes = [...document.querySelectorAll("#actions input[name=marks]")];
  const moves = () => [...document.querySelectorAll("#actions [name=token]:enabled")];
  const mark = (set) => boxes.forEach((box, i) => { if (box.checked !== Boolean(set >> i & 1)) box.click(); });
  mark(n);
  for (let set = n + 1; !moves().length && set <= n + 2 ** boxes.length; set++) mark(set);
  moves()[n % moves().length].click();
}"""
CLICK = """n => {
  const moves = [...document.querySelectorAll("#actions [data-path]")];
  const at = performance.timeOrigin + performance.now();
  moves[n % moves.length].click();
  return at;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=3, help="whose layout shift is measured, each")
    parser.add_argument("--only", choices=["shift"])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if asked.only:
            with serving(Path(folder)) as (url, _), chromium() as browser:
                print_shifts(browser, url, asked.games)
            return
        starts = []
        for _ in range(asked.rounds + 1):
            with serving(Path(folder)) as (_, took):
                starts.append(1000 * took)
        print_times("serve", starts[1:])  # the first one made the database
        with serving(Path(folder)) as (url, _), chromium() as browser:
            print_times("board", [interactive(browser, url) for _ in range(asked.rounds)])
            own, other = moves(browser, url, asked.moves)
            print_times("own", own)
            print_times("other", other)
            for name, path in (("first page", "/"), ("table", new_table(browser, url).url)):
                print(f"{name:10} {page_weight(browser, url, path) / 1000:6.1f} kB")
            print_shifts(browser, url, asked.games)


def print_shifts(browser: Browser, url: str, n: int) -> None:
    for game in games():
        for width in (360, 1280):
            each = [layout_shift(browser, url, game, width, seed) for seed in range(1, n + 1)]
            print(
                f"{'shift':10} {max(each):6.4f} {game} {width}  each {' '.join(f'{one:.4f}' for one in each)}"
            )


def print_times(name: str, took: Sequence[float]) -> None:
    ordered = sorted(took)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    print(
        f"{name:10} {statistics.median(took):6.0f}  p95 {high:6.0f}  worst {ordered[-1]:6.0f}  n {len(took)}"
    )


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[tuple[str, float]]:
    """Run a server; yield its address and the seconds from the command to its first page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    command = [str(Path(sys.executable).with_name("smallchange")), "serve", "--no-open", "--port", str(port)]
    database = ["--database", f"sqlite:///{folder / 'tables.db'}"]
    many = {"SMALLCHANGE_PLAYING": "100000", "SMALLCHANGE_NEW_TABLES": "100000"}
    quiet = subprocess.DEVNULL
    begun = time.perf_counter()
    server = subprocess.Popen([*command, *database], env=os.environ | many, stdout=quiet, stderr=quiet)
    while True:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/") as page:
            page.read()
            break
        assert server.poll() is None, "the server stopped"
        time.sleep(0.005)
    try:
        yield url, time.perf_counter() - begun
    finally:
        server.terminate()
        server.wait()


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET.split())


def new_table(browser: Browser, url: str, **seats: str) -> Page:
    """Open a new table for two; the seats that are not named are for a friend."""
    page = context(browser, url).new_page()
    page.goto(f"/games/{GAME}")
    page.locator("details.fold > summary").first.click()
    for name, value in ({"green": "open"} | seats).items():
        page.locator(f"[name='seat.{name}']").select_option(value)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/m/*")
    return page


def context(browser: Browser, url: str) -> BrowserContext:
    made = browser.new_context(base_url=url, locale="en-US", viewport={"width": 1280, "height": 720})
    made.add_init_script(f"({WATCH})()")
    return made


def interactive(browser: Browser, url: str) -> float:
    """Return the time in a browser with an empty cache that holds the seats."""
    first = new_table(browser, url, red="me", green="me")
    fresh = context(browser, url)
    fresh.add_cookies([dict(cookie, url=url, domain=None, path=None) for cookie in first.context.cookies()])  # type: ignore[misc]
    page = fresh.new_page()
    page.goto(first.url)
    page.wait_for_function("window.touchable !== undefined")
    took: float = page.evaluate("window.touchable")
    for done in (fresh, first.context):
        done.close()
    return took


def moves(browser: Browser, url: str, n: int) -> tuple[list[float], list[float]]:
    """Return the waiting times of the player who moves and of the other, table after table."""
    luck, own, other = Random(1), list[float](), list[float]()
    while len(own) < n:
        ann = new_table(browser, url)
        bo = context(browser, url).new_page()
        bo.goto(ann.get_by_role("link", name="Invitation link").get_attribute("href") or "")
        bo.get_by_role("button", name="Take the seat").click()
        for page in (ann, bo):
            page.wait_for_load_state("networkidle")
        mover, waiter = ann, bo
        mover.locator("#actions [name=token]").first.wait_for(state="attached")
        while len(own) < n and not mover.locator(".result").count():
            mover.wait_for_timeout(500)  # the turn before is seen for a while first: `playback.js`
            at: float = mover.evaluate(CLICK, luck.randrange(1000))
            own.append(time_first_paint(mover, at))
            other.append(time_first_paint(waiter, at))
            mover, waiter = waiter, mover
        for page in (ann, bo):
            page.context.close()
    return own, other


def time_first_paint(page: Page, at: float) -> float:
    """Return the time from this moment until the page painted its newest ply."""
    done = page.wait_for_function("at => Object.values(painted).find((when) => when > at)", arg=at)
    return float(done.json_value()) - at


def layout_shift(browser: Browser, url: str, game: str, width: int, seed: int) -> float:
    """Play a whole game by its buttons, as the page comes. Return the sum of what shifted without a touch."""
    made = browser.new_context(base_url=url, locale="en-US", viewport={"width": width, "height": 720})
    made.add_init_script(f"({SHIFTS})()")
    page, luck = made.new_page(), Random(seed)
    page.goto("/")
    page.locator(f".card form[action='/games/{game}'] .btn").first.click()
    page.locator("#connection[data-is=open]").wait_for(state="attached")
    ready = "() => document.querySelector('#main:not([data-waits], .playing) :is(.result, #actions [name=token])')"
    while not page.wait_for_function(ready).evaluate("el => el.matches('.result')"):
        ply = page.locator("#table-data").get_attribute("data-ply")
        page.keyboard.press("Shift")  # a person has touched something; what that moves is no surprise
        page.evaluate(MARK_AND_CLICK, luck.randrange(1000))
        page.locator(f"#table-data:not([data-ply='{ply}'])").wait_for(state="attached")
    total: float = page.evaluate("new Promise(requestAnimationFrame).then(() => window.shift)")
    made.close()
    return total


def page_weight(browser: Browser, url: str, path: str) -> float:
    """Return the bytes of a page and all that it loads, headers included, nothing cached."""
    page = context(browser, url).new_page()
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    sizes: list[float] = []
    line.on("Network.loadingFinished", lambda one: sizes.append(one["encodedDataLength"]))
    page.goto(path, wait_until="networkidle")
    page.context.close()
    return sum(sizes)


if __name__ == "__main__":
    main()
