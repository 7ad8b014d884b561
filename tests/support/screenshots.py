"""Pictures of every game at its beginning, in the middle and at its end, to look at:

    python -m tests.support.screenshots [FOLDER]

Both languages, both themes and three sizes, 36 a game and 12 of its review, and the lobby; docs/pictures
keeps the few in KEPT, as small as they can be, and of each game a sheet of the game itself in English.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.browser import CHROMIUM, QUIET, Server
from tests.support.play import GAMES, begin, by_mouse, moved_on, over, ply, wait_for_turn

SIZES = ((1280, 720), (768, 1024), (360, 640))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PHASES = ("early", "middle", "end")
HIGH = 300  # pixels of a picture on a sheet
MIDDLE = 4  # decisions before the middle of a game
DOCS = Path(__file__).parents[2] / "docs" / "pictures"
KEPT = (
    "-middle-light-1280",
    "-end-light-360",
    "age-review-light-1280",
    "lobby-light-1280",
    "lobby-dark-1280",
)
SLOW = 120_000  # milliseconds that a review may take


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with serving() as server, chromium() as browser:
        page = coming(browser, server)
        page.goto("/")
        take(page, folder, "lobby")
        for game in GAMES:
            play(coming(browser, server), game, folder)
            sheet(browser, game, folder)


def play(page: Page, game: str, folder: Path) -> None:
    """Play one game with its three pictures; another one where it ended before its middle."""
    luck, n = Random(11), 0
    while n <= MIDDLE:
        begin(page, game)
        wait_for_turn(page)
        n = 0
        while not over(page):
            if n in (0, MIDDLE):
                take(page, folder, f"{game}-{'middle' if n else 'early'}")
            since = ply(page)
            by_mouse(page, luck)
            moved_on(page, since)
            wait_for_turn(page)
            n += 1
    take(page, folder, f"{game}-end")
    link = page.get_by_role("link", name="Review", exact=True)
    if link.count():
        link.click()
        page.locator(".odds-chart").wait_for(timeout=SLOW)
        take(page, folder, f"{game}-review")


def sheet(browser: Browser, game: str, folder: Path) -> None:
    """Write all pictures of a game in English beside one another: a row for each phase."""
    rows = ""
    for phase in PHASES:
        names = [f"{game}-{phase}-{theme}-{width}.png" for theme in THEMES for width, _ in SIZES]
        rows += "".join(f'<img src="{name}" height="{HIGH}"> ' for name in names) + "<br>"
    file = folder / f"{game}.html"
    file.write_text(f'<body style="margin:0;width:max-content;line-height:0">{rows}', encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    page.locator("body").screenshot(path=DOCS / f"{game}-sheet.jpg", type="jpeg", quality=66)
    page.close()


def take(page: Page, folder: Path, name: str) -> None:
    """Take the page as it is now, in both languages, both themes and all sizes; end in English."""
    address = page.url.partition("?")[0]
    for lang in ("ja", "en"):
        page.goto(f"{address}?lang={lang}")
        for theme, (width, height) in itertools.product(THEMES, SIZES):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            file = folder / f"{name}{'-ja' if lang == 'ja' else ''}-{theme}-{width}.png"
            page.screenshot(path=file)
            if any(file.stem.endswith(kept) or file.stem == kept for kept in KEPT):
                DOCS.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=DOCS / f"{file.stem}.jpg", type="jpeg", quality=72)
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


def coming(browser: Browser, server: Server) -> Page:
    """Yield a new visitor."""
    return browser.new_context(base_url=server.url, reduced_motion="reduce", locale="en-US").new_page()


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        yield server
        server.stop()


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET.split())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "smallchange-pictures")
