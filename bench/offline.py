"""Measure the folder that plays without a server, in Chromium on a phone-like throttle.

    python bench/offline.py [--rates 1 4] [-n 5] [--folder FOLDER] [--before FOLDER]

Needs Chromium, npm and node (scripts/install). The network has 10 Mbit/s and 40 ms; the page's process,
with the worker in it, runs for one of every RATE slices of 10 ms, at each of these rates in turn. The folder is built
first, or is the one that is given. Each wait ends after two minutes, with an error.
Medians of N fresh browsers, in milliseconds; with an older folder they are taken by turns, and the ratio to it is told:

lobby, board: painted, after the first visit begins; a board of Dodg'em after a click on Play as soon as that is painted
first, second: one's own moves on it, each clicked as soon as it can be, until the changed page is painted
whole: Python is there
later, later move: the board as it was left, on the next visit, in a new process, and a move on it
requests, kB: that the host has answered until the board, and until the second move; kept: what the browser keeps, in MB
and by game: from a click to the changed page, and from there to the bot's move, median and worst
"""

from __future__ import annotations

import contextlib
import gzip
import os
import signal
import statistics
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

from playwright.sync_api import Browser, BrowserContext, Page

from page import chromium
from smallchange.core.game import games
from smallchange.server.offline.folder import build

LONGEST_MS = 120_000
SLICE_S = 0.01
MBIT_BYTES_S = 1_000_000 / 8
STEPS = 12  # of each game that are measured
# Play as soon as one can, and note when each thing was painted: in the page, as asking from outside takes time.
VISIT = """(() => {
  if (self !== top) return;
  const times = (window.times = {});
  const until = (find) => new Promise((done) => {
    const look = () => { const found = find(); if (found) done(found); else setTimeout(look, 3); };
    look();
  });
  const painted = (name) => new Promise((done) =>
    requestAnimationFrame(() => setTimeout(() => done((times[name] = performance.now())))));
  const page = () => document.querySelector("iframe:not([hidden])")?.contentDocument;
  const move = async (name) => {
    const button = await until(() => page()?.querySelector("#actions button[name=token]"));
    const ply = () => page().querySelector("#table-data").dataset.ply;
    const before = ply();
    button.click();
    await until(() => ply() !== before);
    await painted(name);
  };
  (async () => {
    if (await until(() => page()?.querySelector("form.buttons[action$='/games/dodgem'] button.btn, #board"))
        .then((found) => found.id !== "board")) {
      await painted("lobby");
      page().querySelector("form.buttons[action$='/games/dodgem'] button.btn").click();
      await until(() => page()?.querySelector("#board"));
      await painted("board");
      await move("first");
      await move("second");
      await until(() => document.querySelector("progress[hidden]"));
      await painted("whole");
    } else {
      await painted("later");
      await move("later move");
    }
    times.all = true;
  })();
})()"""
# Take moves, and return for each the time to the changed page, and to the bot's move after it
STEP = """async ([n, longest]) => {
  const until = performance.now() + longest;
  const data = () => document.querySelector("#table-data").dataset.ply;
  const quiet = () => new Promise((done, fail) => {
    if (performance.now() > until) fail(new Error("nothing follows a move"));
    setTimeout(done, 3);
  });
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


def end_page_processes(browser: Browser) -> None:
    """End the processes that run pages, and wait until the browser has missed them: else it takes one for the next."""
    ended = page_processes(browser)
    for pid in ended:
        os.kill(pid, signal.SIGKILL)
    for _ in range(100):
        if not set(page_processes(browser)) & set(ended):
            return
        time.sleep(0.1)
    raise TimeoutError("the browser has not missed its processes")


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


class Host(SimpleHTTPRequestHandler):
    """A host that compresses texts, as most do, and notes when it sends how much."""

    sent: ClassVar[list[tuple[float, int]]] = []

    def send_head(self) -> Any:
        file = Path(self.translate_path(self.path))
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file():
            return super().send_head()
        content, kind = file.read_bytes(), self.guess_type(file)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if kind.startswith("text/") or kind.endswith(("javascript", "json", "xml")):
            content = gzip.compress(content, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        Host.sent.append((time.time(), len(content)))
        return BytesIO(content)

    def log_message(self, *given: object) -> None:
        pass


@contextlib.contextmanager
def host_files(folder: Path) -> Iterator[str]:
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(folder)))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{host.server_port}/"
    host.shutdown()


def begin(page: Page, address: str, game: str) -> None:
    """Open the folder and begin a game."""
    page.goto(address, wait_until="commit")
    frame = page.frame_locator("iframe:not([hidden])")
    frame.locator(f"form.buttons[action$='/games/{game}'] button.btn").first.click()
    frame.locator("#connection[data-is=open]").wait_for(state="attached")
    page.locator("progress[hidden]").wait_for(state="attached")


def time_visit(
    browser: Browser, context: BrowserContext, address: str, rate: int
) -> tuple[Page, dict[str, float]]:
    """Return a page that plays at once, and when it painted what, in milliseconds."""
    page = context.new_page()
    slow_network(context, page)
    page.add_init_script(VISIT)
    with slow_down(browser, rate):
        page.goto(address, wait_until="commit")
        page.wait_for_function("window.times?.all", polling=200)
        times: dict[str, float] = page.evaluate("times")
    del times["all"]
    return page, times


def visit(folder: Path, rate: int) -> dict[str, float]:
    """Return the figures of a first and a later visit in a fresh browser."""
    with chromium() as browser, host_files(folder) as address:
        context = browser.new_context(reduced_motion="reduce", locale="en-US")
        context.set_default_timeout(LONGEST_MS)
        Host.sent.clear()
        page, found = time_visit(browser, context, address, rate)
        begun = page.evaluate("performance.timeOrigin")
        for name in ("board", "second"):
            sent = [size for at, size in Host.sent if 1000 * at < begun + found[name]]
            found |= {f"{name} requests": len(sent), f"{name} kB": sum(sent) / 1000}
        page.locator("html[data-kept]").wait_for(state="attached")
        found["kept MB"] = page.evaluate("navigator.storage.estimate()")["usage"] / 1e6
        left = page.url
        page.close()
        end_page_processes(browser)
        return found | time_visit(browser, context, left, rate)[1]


def clicks(folder: Path, rate: int) -> Iterator[str]:
    """Yield by game how long a click takes, and the bot's move after it."""
    with chromium() as browser, host_files(folder) as address:
        context = browser.new_context(reduced_motion="reduce", locale="en-US")
        context.set_default_timeout(LONGEST_MS)
        page = context.new_page()
        for game in games():
            rows: list[tuple[float, float]] = []
            while not rows:  # a game for one may be over before its first choice
                page.goto(f"{address}#/")
                begin(page, f"{address}#/", game)
                with slow_down(browser, rate):
                    rows = next(one for one in page.frames if one.parent_frame).evaluate(
                        STEP, [STEPS, LONGEST_MS]
                    )
            own, bot = zip(*rows, strict=True)
            yield (
                f"{game:16} click {statistics.median(own):5.0f}  worst {max(own):5.0f}"
                f"  bot {statistics.median(bot):5.0f}  worst {max(bot):5.0f}  n {len(own)}"
            )


def main() -> None:
    read = ArgumentParser(description=__doc__)
    read.add_argument("--rates", type=int, nargs="+", default=[1, 4])
    read.add_argument("-n", type=int, default=5)
    read.add_argument("--folder", type=Path)
    read.add_argument("--before", type=Path)
    given = read.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = given.folder or Path(place)
        files = [file for file in folder.rglob("*") if file.is_file()] if given.folder else build(folder)
        size = sum(file.stat().st_size for file in files) / 1e6
        print(f"{len(files)} files, {size:.1f} MB, load {os.getloadavg()[0]:.1f}")
        for rate in given.rates:
            print(f"\nat 1/{rate} of the speed")
            measure(rate, given.n, [folder, *([given.before] if given.before else [])])
        print(f"load {os.getloadavg()[0]:.1f}")


def measure(rate: int, n: int, folders: list[Path]) -> None:
    """Print the figures of folders, taken by turns."""
    rows: list[list[dict[str, float]]] = [[] for _ in folders]
    for _ in range(n):
        for folder, found in zip(folders, rows, strict=True):
            found.append(visit(folder, rate))
    for name in rows[0][0]:
        now, *before = (statistics.median(one[name] for one in found) for found in rows)
        ratio = f"  before {before[0]:8.1f}  ratio {now / before[0]:.2f}" if before else ""
        print(f"{name:16} {now:8.1f}{ratio}  n {n}", flush=True)
    for folder in folders:
        for line in clicks(folder, rate):
            print(line, flush=True)


if __name__ == "__main__":
    main()
