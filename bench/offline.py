"""Measure the folder that plays without a server, in Chromium on a phone-like throttle.

    python bench/offline.py [--rate 4]

Needs Chromium, npm and node (scripts/install). The network has 10 Mbit/s and 40 ms; the page's process,
with the worker in it, runs for one of every RATE slices of 10 ms. Milliseconds, in a fresh browser:

lobby, first board: after the first visit begins; the board after a click on Play as soon as there is one
again: the same on the next visit, in a new process, with the files and the code that the browser keeps
and by game: from a click to the changed page, and from there to the bot's move, median and worst
"""

from __future__ import annotations

import contextlib
import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page

from page import chromium
from smallchange.core.game import games
from smallchange.server.offline.folder import build

LONGEST_MS = 300_000
SLICE_S = 0.01
MBIT_BYTES_S = 1_000_000 / 8
STEPS = 12  # of each game that are measured
# Take moves, and return for each the time to the changed page, and to the bot's move after it
STEP = """async (n) => {
  const data = () => document.querySelector("#table-data").dataset.ply;
  const quiet = () => new Promise((done) => setTimeout(done, 3));
  const rows = [];
  while (rows.length < n && !document.querySelector(".result")) {
    const sets = document.querySelector("#actions .sets li");
    const button = document.querySelector("#actions button[name=token]:not([value=marks])");
    if (!button && !sets) { await quiet(); continue; }
    if (!button) for (const box of document.querySelectorAll("input[name=marks]"))
      if (box.checked !== sets.dataset.marks.split(" ").includes(box.value)) box.click();
    const before = data(), begun = performance.now();
    (button ?? document.querySelector("#marked")).click();
    while (data() === before) await quiet();
    const own = performance.now();
    while (!document.querySelector(".result") && !document.querySelector("#actions button[name=token]")) await quiet();
    rows.push([own - begun, performance.now() - own]);
  }
  return rows;
}"""


def page_processes(browser: Browser) -> list[int]:
    """Return the ids of the processes that run pages."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return [one["id"] for one in processes if one["type"] == "renderer"]


@contextlib.contextmanager
def slow_down(browser: Browser, rate: int) -> Iterator[None]:
    """Let the processes of pages run in one of every `rate` slices of time."""
    pids, over = page_processes(browser), threading.Event()

    def run() -> None:
        while not over.wait(SLICE_S):
            for how, pause in ((signal.SIGSTOP, SLICE_S * (rate - 1)), (signal.SIGCONT, 0)):
                for pid in pids:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, how)
                time.sleep(pause)

    thread = threading.Thread(target=run)
    if rate > 1:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if rate > 1:
            thread.join()


def slow_network(context: BrowserContext, page: Page) -> None:
    session = context.new_cdp_session(page)
    speed = {"downloadThroughput": 10 * MBIT_BYTES_S, "uploadThroughput": 10 * MBIT_BYTES_S, "latency": 40}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False, **speed})


def visit(page: Page, address: str, game: str) -> tuple[float, float]:
    """Open the folder and begin a game as soon as that can be clicked; return the times of both."""
    begun = time.perf_counter()
    page.goto(address, wait_until="commit")
    frame = page.frame_locator("iframe:not([hidden])")
    play = frame.locator(f"form[action$='/games/{game}'] .btn.primary")
    play.wait_for()
    lobby = 1000 * (time.perf_counter() - begun)
    play.click()
    frame.locator("#board").wait_for()
    return lobby, 1000 * (time.perf_counter() - begun)


def main() -> None:
    rate = int(sys.argv[sys.argv.index("--rate") + 1]) if "--rate" in sys.argv else 4
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        files = build(Path(place))
        size = sum(file.stat().st_size for file in files)
        print(f"{len(files)} files, {size / 1e6:.1f} MB")

        class Host(SimpleHTTPRequestHandler):
            def log_message(self, *given: object) -> None:
                pass

        host = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=place))
        threading.Thread(target=host.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{host.server_port}/"
        context = browser.new_context(reduced_motion="reduce", locale="en-US")
        context.set_default_timeout(LONGEST_MS)
        page = context.new_page()
        slow_network(context, page)
        with slow_down(browser, rate):
            print("lobby {:6.0f}  first board {:6.0f}".format(*visit(page, address, games()[0])))
        page.locator("html[data-kept]").wait_for(state="attached")
        page.close()
        for pid in page_processes(browser):
            os.kill(pid, signal.SIGKILL)
        page = context.new_page()
        slow_network(context, page)
        with slow_down(browser, rate):
            print("again {:6.0f}  first board {:6.0f}".format(*visit(page, address, games()[0])))
        for game in games():
            rows: list[tuple[float, float]] = []
            while not rows:  # a game for one may be over before its first choice
                page.goto(f"{address}#/")
                visit(page, f"{address}#/", game)
                frame = next(one for one in page.frames if one.parent_frame)
                frame.locator("#connection[data-is=open]").wait_for(state="attached")
                with slow_down(browser, rate):
                    rows = frame.evaluate(STEP, STEPS)
            own, bot = zip(*rows, strict=True)
            print(
                f"{game:16} click {statistics.median(own):5.0f}  worst {max(own):5.0f}"
                f"  bot {statistics.median(bot):5.0f}  worst {max(bot):5.0f}  n {len(own)}"
            )
        host.shutdown()


if __name__ == "__main__":
    main()
