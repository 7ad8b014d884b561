"""The folder that plays without a server, in Chromium: on a plain host of files, and behind a server's Play offline."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

from smallchange import bots
from smallchange.core import record
from smallchange.core.game import games
from smallchange.core.match import Match
from tests.support.browser import Server
from tests.support.offline_folder import build_folder
from tests.support.play import unfold

LONGEST_MS = 120_000  # for what a busy machine has to load or play
MAX_FILES, MAX_BYTES = 1_000, 15_000_000
LANGUAGES = ("en", "de", "ja")
SHORT = {"royal-ur": ("coins", "2"), "dodgem": ("size", "4")}  # variants whose games by chance end soon
BOT = {
    "royal-ur": "level5",
    "dodgem": "level3",
}  # one on learned values, and one that plays games to their ends
# Take the moves that the page offers, by chance, until the game is over. In the page, as a game has many of them.
# A page that does not change in time is a fault.
PLAY = """async ([luck, longest]) => {
  const pick = (rows) => rows[Math.floor((luck = (luck * 16807) % 2147483647) / 2147483647 * rows.length)];
  const ply = () => document.querySelector("#table-data").dataset.ply;
  for (;;) {
    if (document.querySelector(".result")) return document.querySelector(".result").textContent;
    const before = ply();
    const sets = [...document.querySelectorAll("#actions .sets li")];
    const moves = [...document.querySelectorAll("#actions button[name=token]:not([value=marks])")];
    if (sets.length && !moves.length) {
      const marks = pick(sets).dataset.marks.split(" ");
      for (const box of document.querySelectorAll("input[name=marks]"))
        if (box.checked !== marks.includes(box.value)) box.click();
      document.querySelector("#marked").click();
    } else if (moves.length) pick(moves).click();
    for (const until = performance.now() + longest; ply() === before; ) {
      if (performance.now() > until) throw new Error(`nothing follows ply ${before}`);
      await new Promise((done) => setTimeout(done, 5));
    }
  }
}"""


TYPEFACES = "async (el) => (await document.fonts.load(getComputedStyle(el).font)).map((face) => face.status)"
UPDATE = """async () => {
  const { installing } = await (await navigator.serviceWorker.getRegistration()).update();
  return new Promise((done) => (installing.onstatechange = () => done(installing.state)));
}"""


class HostKind(NamedTuple):
    """A host of files: the folder it has them below, the types and headers that it sends, whether it compresses.

    `missing` are parts of paths that it does not have.
    """

    path: str = ""
    types: dict[str, str] | None = None
    headers: tuple[tuple[str, str], ...] = ()
    compresses: bool = False
    missing: tuple[str, ...] = ()


NGINX = {  # of what a current nginx knows, the types of files in the folder
    ".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".json": "application/json",
    ".svg": "image/svg+xml", ".png": "image/png", ".txt": "text/plain", ".woff2": "font/woff2",
    ".wasm": "application/wasm", ".zip": "application/zip", ".bin": "application/octet-stream",
    "": "application/octet-stream",
}  # fmt: skip
STRICT = "default-src 'self'; base-uri 'none'; object-src 'none'; style-src 'self' 'unsafe-inline'"
HOSTS = {
    "plain": HostKind(),
    "sub-folder": HostKind("/shop/small-change"),
    "nginx's list of types": HostKind(types=NGINX, headers=(("X-Content-Type-Options", "nosniff"),)),
    "compressed": HostKind(compresses=True),
    "strict policy": HostKind(
        headers=(("Content-Security-Policy", f"{STRICT}; script-src 'self' 'wasm-unsafe-eval'"),)
    ),
    "framing forbidden": HostKind(
        headers=(("Content-Security-Policy", "frame-ancestors 'none'"), ("X-Frame-Options", "DENY"))
    ),
}


class Host(SimpleHTTPRequestHandler):
    """A host of files that says nothing. It holds those of Python back while `has_python` is not set."""

    kind = HostKind()
    has_python = threading.Event()
    has_python.set()

    def do_GET(self) -> None:
        if "/python/" in self.path:
            self.has_python.wait(LONGEST_MS / 1000)
        if any(part in self.path for part in self.kind.missing):
            self.send_error(404)
        else:
            super().do_GET()

    def guess_type(self, path: Any) -> str:
        return (
            super().guess_type(path)
            if self.kind.types is None
            else self.kind.types.get(Path(path).suffix, self.kind.types[""])
        )

    def send_head(self) -> Any:
        file = Path(self.translate_path(self.path))
        if not self.kind.compresses or not file.is_file():
            return super().send_head()
        content = gzip.compress(file.read_bytes(), 1)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(file))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return BytesIO(content)

    def end_headers(self) -> None:
        for name, value in self.kind.headers:
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *given: Any) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the folder below that of another site. It is built once for all processes of tests."""
    own = tmp_path_factory.getbasetemp()
    site = (own if worker_id == "master" else own.parent) / "host"
    folder = site / "shop" / "small-change"
    with FileLock(f"{site}.lock"):
        if not folder.exists():
            build_folder(folder)
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert len(files) <= MAX_FILES
    assert sum(file.stat().st_size for file in files) <= MAX_BYTES, (
        "so is its ZIP, with index.html at the root"
    )
    return folder


@contextmanager
def host_files(folder: Path, kind: HostKind = HOSTS["plain"]) -> Iterator[str]:
    """Serve files, as `python -m http.server` does, and yield the address."""
    handler = partial(type("HostOfKind", (Host,), {"kind": kind}), directory=str(folder))
    host = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=host.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{host.server_port}"
    finally:
        host.shutdown()
        thread.join()
        host.server_close()


@contextmanager
def open_folder(browser: Browser, address: str) -> Iterator[tuple[BrowserContext, Page]]:
    """Open the folder in a fresh browser, wait until it keeps its files, and fail on any fault of its pages."""
    faults: list[str] = []
    context = browser.new_context(locale="en-US", reduced_motion="reduce", accept_downloads=True)
    context.set_default_timeout(LONGEST_MS)
    page = context.new_page()
    page.on("pageerror", lambda wrong: faults.append(str(wrong)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on(
        "request", lambda sent: None if sent.url.startswith((address, "blob:")) else faults.append(sent.url)
    )
    page.goto(address)
    expect(frame_of(page).locator("h1")).to_have_text("Six games of coins, tiles and dice")
    page.locator("progress[hidden]").wait_for(state="attached")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    yield context, page
    context.close()
    assert not faults


def frame_of(page: Page) -> FrameLocator:
    return page.frame_locator("iframe:not([hidden])")


def play_to_the_end(page: Page, luck: int) -> str:
    """Play the table in view by chance, and return its result in words."""
    expect(frame_of(page).locator("#connection[data-is=open]")).to_be_attached(timeout=LONGEST_MS)
    inside = next(frame for frame in page.frames if frame.parent_frame)
    said = inside.evaluate(PLAY, [luck, LONGEST_MS])
    assert isinstance(said, str)
    return said


def record_of(page: Page) -> str:
    """Save the record of the table in view."""
    frame_of(page).locator("#to-more").press("Enter")  # by a key: see press_guard.js
    expect(frame_of(page).locator("a[download]")).to_be_visible()
    with page.expect_download() as saved:
        frame_of(page).locator("a[download]").press("Enter")
    return Path(saved.value.path()).read_text(encoding="utf-8")


def moves_of_bot(match: Match, seat: int, name: str | None = None) -> list[str]:
    """Return the moves of a seat, or those that a bot of this name would have played there."""
    bot = bots.bot(name, inf, deal=match.deal) if name else None
    before = ((match.until(ply).position, step.token) for ply, step in enumerate(match))
    return [bot(position) if bot else token for position, token in before if position.s.turn == seat]


def test_all_games_are_played_without_a_network_from_a_folder_below_another_site(
    browser: Browser, folder: Path
) -> None:
    with (
        host_files(folder.parents[1]) as host,
        open_folder(browser, f"{host}/shop/small-change/") as (context, page),
    ):
        typefaces = frame_of(page).locator("h1").evaluate(TYPEFACES)  # used if they come within 0.1 s
        assert set(typefaces) == {"loaded"}, "the page has a typeface of its own"
        context.set_offline(True)
        page.reload()
        for i, game in enumerate(games()):
            lang = LANGUAGES[i % len(LANGUAGES)]
            page.goto(f"{host}/shop/small-change/#/games/{game}")
            form = frame_of(page).locator(f"#setup[action$='/games/{game}']")
            expect(form).to_be_visible(timeout=LONGEST_MS)
            frame_of(page).locator("html").evaluate("html => { html.dataset.left = '' }")
            frame_of(page).locator(f".site-footer [name=lang][value={lang}]").click()
            expect(frame_of(page).locator(f"html[lang={lang}]:not([data-left]) #setup")).to_be_visible(
                timeout=LONGEST_MS
            )
            unfold(frame_of(page))
            seats = form.locator("select[name^='seat.']")
            if seats.count():  # two who share the screen, or a bot
                seats.last.select_option(f"bot:{BOT[game]}" if game in BOT else "me")
            else:
                frame_of(page).locator(".presets").first.locator(".preset").last.click()
            if game in SHORT:
                name, value = SHORT[game]
                form.locator(f"[name={name}]").evaluate("(field, value) => (field.value = value)", value)
            form.locator(".btn.primary").click()
            assert play_to_the_end(page, i + 1)
            match = record.verify(record_of(page))
            assert match.game.id == game
            assert match.game.non_default_options or game == "coin-age"
            if game in BOT:
                assert moves_of_bot(match, 1) == moves_of_bot(match, 1, BOT[game])
        page.goto(f"{host}/shop/small-change/#/mine")
        expect(frame_of(page).locator(".table-rows li[id]")).to_have_count(len(games()))
        page.reload()  # what is kept is there again, and so are the pages
        expect(frame_of(page).locator(".table-rows li[id]")).to_have_count(len(games()), timeout=LONGEST_MS)
        page.goto(f"{host}/shop/small-change/#/train/dodgem")
        frame_of(page).locator(".puzzle-marks summary").click(timeout=LONGEST_MS)
        frame_of(page).get_by_role("checkbox").first.check()
        frame_of(page).locator(".puzzle-board a[href]").first.click(timeout=LONGEST_MS)
        frame_of(page).locator(".puzzle-board a[data-token]").first.click(timeout=LONGEST_MS)
        expect(frame_of(page).locator(".puzzle-verdict")).to_be_visible(timeout=LONGEST_MS)
        expect(frame_of(page).get_by_text(re.compile("considered|dacht|候補"))).to_be_visible()
        page.goto(f"{host}/shop/small-change/#/train")
        page.reload()  # ratings are kept too
        expect(frame_of(page).locator(".card-facts")).to_have_count(1, timeout=LONGEST_MS)


def test_the_next_visit_begins_with_a_snapshot_of_python(browser: Browser, folder: Path) -> None:
    with host_files(folder) as host, open_folder(browser, f"{host}/") as (context, page):
        page.locator("html[data-kept]").wait_for(state="attached")
        context.set_offline(True)
        page.goto(f"{host}/#/games/dodgem")
        page.reload()
        form = frame_of(page).locator("#setup[action$='/games/dodgem']")
        expect(form).to_be_visible(timeout=LONGEST_MS)
        unfold(frame_of(page))
        form.locator("select[name^='seat.']").last.select_option("bot:level2")
        form.locator("[name=size]").evaluate("field => (field.value = 4)")
        form.locator(".btn.primary").click()
        assert play_to_the_end(page, 3)
        record.verify(record_of(page))
        page.goto(f"{page.url}/review")
        frame_of(page).locator("#choice-before, #choice-after").first.click(timeout=LONGEST_MS)
        expect(page).to_have_url(re.compile(r"#/m/\w+/review[?]at=\d+"))
        page.reload()  # the address is that of the choice
        expect(frame_of(page).locator("#shown-moves")).to_contain_text("%", timeout=LONGEST_MS)
        frame_of(page).get_by_role("link", name="Analyse from here").click()
        frame_of(page).locator(".solved-moves a").first.click(timeout=LONGEST_MS)
        expect(frame_of(page).locator(".variation li")).to_have_count(1, timeout=LONGEST_MS)
        kept = page.evaluate(f"caches.match('{version_of(folder)}/python/snapshot').then(Boolean)")
        assert kept, "one that cannot be used is removed"


def test_a_server_offers_the_same_files_and_takes_what_was_played(
    browser: Browser, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_OFFLINE", str(folder))
    server = Server(tmp_path)
    try:
        address = f"http://localhost:{server.port}/offline/site/"
        with open_folder(browser, address) as (context, page):
            context.set_offline(True)
            page.goto(f"{address}#/learn/thrag")
            expect(frame_of(page).locator("#lesson-text")).to_be_visible(timeout=LONGEST_MS)
            page.goto(f"{address}#/")
            frame_of(page).locator("form.buttons[action$='/games/coin-collectors'] button.btn").click()
            said = play_to_the_end(page, 5)
            kept = json.loads(record_of(page))
            context.set_offline(False)
        with open_folder(browser, address) as (_, page):
            page.goto(f"{address}#/mine")
            file = {"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(kept).encode()}
            frame_of(page).locator("#record").set_input_files(file)  # type: ignore[arg-type]
            frame_of(page).locator("form[action$='/mine/bring'] button.btn").click()
            expect(frame_of(page).locator(".result")).to_have_text(said)
    finally:
        server.stop()


def test_a_game_is_brought_to_the_server_that_it_was_played_beside(
    browser: Browser, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_OFFLINE", str(folder))
    server = Server(tmp_path)
    context = browser.new_context(
        base_url=f"http://localhost:{server.port}", reduced_motion="reduce", locale="en-US"
    )
    try:
        page = context.new_page()
        page.goto("/offline")
        page.get_by_role("link", name="Play offline").click()
        frame_of(page).locator("form.buttons[action$='/games/thrag'] button.btn").click(timeout=LONGEST_MS)
        said = play_to_the_end(page, 7)
        frame_of(page).get_by_role("button", name="Save it to your games").press("Enter")
        page.wait_for_url(re.compile("//[^/]+/m/"))
        expect(page.get_by_text("Played offline,")).to_be_visible()
        expect(page.locator(".result")).to_have_text(said)
    finally:
        context.close()
        server.stop()


@pytest.mark.parametrize("kind", HOSTS.values(), ids=HOSTS)
def test_every_host_of_files_has_a_board_at_once_and_a_game(
    browser: Browser, folder: Path, kind: HostKind
) -> None:
    context = browser.new_context(locale="en-US", reduced_motion="reduce", service_workers="block")
    context.set_default_timeout(LONGEST_MS)
    page = context.new_page()
    with host_files(folder.parents[1] if kind.path else folder, kind) as host:
        page.goto(f"{host}{kind.path}/")
        play = frame_of(page).locator("form.buttons[action$='/games/dodgem'] button.btn")
        play.click(click_count=3)
        expect(frame_of(page).locator("#connection[data-is=open]")).to_be_attached()
        inside = next(frame for frame in page.frames if frame.parent_frame)
        ply = frame_of(page).locator("#table-data")
        for _ in range(2):
            before = int(ply.get_attribute("data-ply") or "")
            inside.evaluate("document.querySelector('#actions button[name=token]').click()")
            expect(ply).to_have_attribute("data-ply", str(before + 2), timeout=LONGEST_MS)
        page.goto(f"{host}{kind.path}/#/mine")
        expect(frame_of(page).locator(".table-rows li[id]")).to_have_count(1)
        page.go_back()
        expect(page).to_have_title(re.compile("Dodg’em|Dodg'em"))
        page.goto(f"{host}{kind.path}/#//elsewhere.example/")
        expect(frame_of(page).locator("main")).to_contain_text("Page not found.")
    context.close()


def test_an_update_of_which_only_a_part_has_come_changes_nothing(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    site = shutil.copytree(folder, tmp_path / "site")
    with host_files(site) as host, open_folder(browser, f"{host}/") as (context, page):
        version = version_of(site)
        update(site)
        next(site.glob("*/static/page.js")).write_bytes(b"")
        assert page.evaluate(UPDATE) == "redundant"
        context.set_offline(True)
        page.reload()
        assert page.locator("html").get_attribute("data-version") == version
        expect(frame_of(page).locator("h1")).to_be_visible()


def version_of(site: Path) -> str:
    (version,) = re.findall('data-version="(.+?)"', (site / "index.html").read_text(encoding="utf-8"))
    return str(version)


def update(site: Path, stays: bool = False) -> None:
    """Put another version, all of whose scripts differ, in the place of a folder; the old files may stay beside."""
    old = version_of(site)
    new = old[::-1]
    shutil.copytree(site / old, site / new) if stays else (site / old).rename(site / new)
    worker = (site / "service_worker.js").read_text(encoding="utf-8").replace(old, new)
    around = [site / "index.html", site / "manifest.webmanifest"]
    for file in [*around, *(site / new / "static").glob("*.js"), site / new / "python" / "pyodide.asm.js"]:
        before = file.read_bytes()
        file.write_bytes(before.replace(old.encode(), new.encode()) + b"\n/**/" * (file not in around))
        was, now = (b64encode(sha256(content).digest()).decode() for content in (before, file.read_bytes()))
        worker = worker.replace(was, now)
    (site / "service_worker.js").write_text(worker, encoding="utf-8")


def play_a_move(page: Page) -> str:
    """Play the first move, wait for the bot's, and return the ply."""
    table = frame_of(page).locator("#table-data")
    move = frame_of(page).locator("#actions button[name=token]").first
    move.wait_for(state="attached")
    before = int(table.get_attribute("data-ply") or "")
    move.evaluate("button => button.click()")
    expect(table).to_have_attribute("data-ply", str(before + 2), timeout=LONGEST_MS)
    return str(before + 2)


OWN_TABLES_OR_A_BUTTON = """() => document.querySelector("#wait button") ??
  document.querySelector("iframe:not([hidden])")?.contentDocument.querySelector(".table-rows li[id]")"""


@pytest.mark.parametrize(
    ("kept", "stays"),
    [("kept before", False), ("kept after", False), ("kept after", True), ("never kept", False)],
)
def test_an_update_while_a_game_runs_mixes_nothing_and_the_game_goes_on(
    browser: Browser, folder: Path, tmp_path: Path, kept: str, stays: bool
) -> None:
    site = shutil.copytree(folder, tmp_path / "site")
    worker = site / "service_worker.js"
    context = browser.new_context(locale="en-US", reduced_motion="reduce")
    context.set_default_timeout(LONGEST_MS)
    with host_files(site) as host:
        if kept != "kept before":
            worker.rename(tmp_path / worker.name)
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda sent: asked.append(sent.url))
        page.goto(f"{host}/")
        frame_of(page).locator("form.buttons[action$='/games/dodgem'] button.btn").click()
        page.locator("progress[hidden]").wait_for(state="attached")
        if kept == "kept before":
            page.wait_for_function("navigator.serviceWorker.controller")
        play_a_move(page)
        if kept != "kept before":
            (tmp_path / worker.name).rename(worker)
        update(site, stays)
        if kept == "kept before":
            assert page.evaluate(UPDATE) == "installed"
        elif kept == "kept after":
            page.evaluate("navigator.serviceWorker.register('service_worker.js')")
            page.wait_for_function("navigator.serviceWorker.controller")
        else:
            worker.unlink()
        ply = play_a_move(page)
        table = page.url

        def is_of_one_version() -> None:
            version = page.locator("html").get_attribute("data-version")
            assert set(re.findall(rf"{host}/(\w{{16}})/", "\n".join(asked))) <= {version}

        frame_of(page).locator("a[href$='#/mine']").first.evaluate("link => link.click()")
        row, newer = frame_of(page).locator(".table-rows li[id]"), page.locator("#wait button")
        page.wait_for_function(OWN_TABLES_OR_A_BUTTON)
        is_of_one_version()
        asked.clear()
        if newer.count():
            expect(page.locator("#wait")).to_contain_text("A newer version of the games has come.")
            newer.click()
            expect(frame_of(page).locator("#table-data")).to_have_attribute("data-ply", ply)
        else:
            page.reload()
            expect(row).to_have_count(1)
        is_of_one_version()
        for again in (page, context.new_page()):
            asked.clear()
            again.goto(table)
            expect(frame_of(again).locator("#table-data")).to_have_attribute("data-ply", ply)
            is_of_one_version()
        play_a_move(again)
        for one in context.pages:
            one.close()
        page = context.new_page()
        page.goto(table)
        expect(frame_of(page).locator("#table-data")).to_have_attribute("data-ply", str(int(ply) + 2))
        expect(page.locator("html")).to_have_attribute("data-version", version_of(site))
    context.close()


def test_a_board_and_the_answer_to_a_move_come_before_python(browser: Browser, folder: Path) -> None:
    context = browser.new_context(locale="en-US", reduced_motion="reduce", service_workers="block")
    context.set_default_timeout(LONGEST_MS)
    with host_files(folder) as host:
        Host.has_python.clear()
        page = context.new_page()
        page.goto(f"{host}/")
        frame_of(page).locator("form.buttons[action$='/games/dodgem'] button.btn").click()
        expect(frame_of(page).locator("#connection[data-is=open]")).to_be_attached()
        inside = next(frame for frame in page.frames if frame.parent_frame)
        move = "document.querySelector('#actions button[name=token]').click()"
        ply = frame_of(page).locator("#table-data")
        before = int(ply.get_attribute("data-ply") or "")
        inside.evaluate(move)
        expect(ply).to_have_attribute("data-ply", str(before + 2))
        inside.evaluate(move)
        expect(page.locator("#wait")).to_have_text("The game begins in a moment.")
        Host.has_python.set()
        expect(ply).to_have_attribute("data-ply", str(before + 4), timeout=LONGEST_MS)
        expect(page.locator("#wait")).to_be_hidden()
        page.wait_for_function("Object.keys(localStorage).some((name) => name.includes('/m/'))")
        Host.has_python.clear()
        page.reload()  # the next visit begins with the board as it was left
        expect(ply).to_have_attribute("data-ply", str(before + 4), timeout=LONGEST_MS)
        Host.has_python.set()
        inside = next(frame for frame in page.frames if frame.parent_frame)
        inside.evaluate(move)  # and the game goes on
        expect(ply).to_have_attribute("data-ply", str(before + 6), timeout=LONGEST_MS)
        context.close()


def test_a_board_is_drawn_by_touch_and_played_on(browser: Browser, folder: Path) -> None:
    with host_files(folder) as host, open_folder(browser, f"{host}/") as (_, page):
        page.goto(f"{host}/#/games/solo/draw")
        frame_of(page).locator("#sheet [role=gridcell]").first.click(timeout=LONGEST_MS)
        fault = frame_of(page).locator(".fault-line")
        expect(fault).to_contain_text("exactly 20 tiles", timeout=LONGEST_MS)
        frame_of(page).get_by_role("button", name="Undo").click()
        expect(fault).to_have_text("", timeout=LONGEST_MS)
        frame_of(page).get_by_role("button", name="Use this board").click()
        expect(frame_of(page).locator("#setup[action$='/games/solo']")).to_be_visible(timeout=LONGEST_MS)
        expect(page).to_have_url(re.compile("[.]drawn="))


DEAD_ENDS = {
    "forbids WebAssembly": HostKind(headers=(("Content-Security-Policy", f"{STRICT}; script-src 'self'"),)),
    "could not be fetched": HostKind(missing=("python/package.bin", "python/first")),
    "newer browser": HostKind(),
    "window of their own": HostKind(),
}


@pytest.mark.parametrize("reason", DEAD_ENDS)
def test_where_nothing_can_run_the_page_says_why(browser: Browser, folder: Path, reason: str) -> None:
    assert "<noscript>" in (folder / "index.html").read_text(encoding="utf-8")
    context = browser.new_context(locale="en-US", service_workers="block")
    page = context.new_page()
    if reason == "newer browser":
        page.add_init_script("delete self.DecompressionStream")
    with host_files(folder, DEAD_ENDS[reason]) as host:
        if reason == "window of their own":
            page.set_content(f'<iframe sandbox="allow-scripts" src="{host}/"></iframe>')
        else:
            page.goto(f"{host}/")
        said = page.frame_locator("iframe") if reason == "window of their own" else page
        expect(said.locator("body")).to_contain_text(reason, timeout=LONGEST_MS)
        context.close()


def test_python_that_ends_without_a_word_is_missed(browser: Browser, folder: Path) -> None:
    context = browser.new_context(locale="en-US", service_workers="block")
    with host_files(folder) as host:
        page = context.new_page()
        script = next(folder.glob("*/static/offline_shell.js")).read_text(encoding="utf-8")
        script = script.replace("60_000", "3_000")
        page.route(
            "**/offline_shell.js", lambda asked: asked.fulfill(body=script, content_type="text/javascript")
        )
        page.goto(f"{host}/")
        page.locator("progress[hidden]").wait_for(state="attached", timeout=LONGEST_MS)
        page.workers[0].evaluate("close()")
        frame_of(page).locator("form.buttons[action$='/games/solo'] button.btn").click()
        expect(page.locator("#wait")).to_contain_text("The games have stopped.")
        page.get_by_role("button", name="Go on here").click()
        expect(frame_of(page).locator("h1")).to_be_visible(timeout=LONGEST_MS)
        context.close()


def test_the_tab_that_was_opened_last_owns_the_games(browser: Browser, folder: Path) -> None:
    with host_files(folder) as host, open_folder(browser, f"{host}/") as (context, page):
        other = context.new_page()
        other.goto(f"{host}/")
        expect(page.locator("#wait")).to_contain_text("The games have been opened in another tab.")
        page.get_by_role("button", name="Go on here").click()
        expect(other.locator("#wait")).to_contain_text("The games have been opened in another tab.")
        expect(page.locator("#wait")).to_be_hidden()


def test_a_browser_that_is_full_says_so_and_the_game_can_be_saved(browser: Browser, folder: Path) -> None:
    with host_files(folder) as host, open_folder(browser, f"{host}/") as (context, page):
        page.locator("html[data-kept]").wait_for(state="attached")
        session = context.new_cdp_session(page)
        session.send("Storage.overrideQuotaForOrigin", {"origin": host, "quotaSize": 1000})
        frame_of(page).locator("form.buttons[action$='/games/solo'] button.btn").click()
        expect(page.locator("#wait")).to_contain_text("This browser keeps no more games.")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the game").click()
        assert record.read_any(Path(saved.value.path()).read_text(encoding="utf-8")).game.id == "solo"


def test_a_page_that_is_opened_as_a_file_says_what_it_needs(browser: Browser, folder: Path) -> None:
    page = browser.new_page()
    page.goto((folder / "index.html").as_uri())
    expect(page.locator("body")).to_contain_text("python3 -m http.server")
    page.close()
