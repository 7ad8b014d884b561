"""Pictures of every game at its beginning, in the middle and at its end, to look at:

    python -m tests.browser.pictures [FOLDER]

Both themes and three sizes, 18 a game, and the lobby; docs/pictures keeps the few named in KEPT, as small
as they can be.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, sync_playwright

from .conftest import CHROMIUM, QUIET, Server
from .playing import GAMES, MOST, begin, by_mouse, moved_on, over, ply, settled

SIZES = ((1280, 720), (768, 1024), (360, 640))
THEMES = ("light", "dark")
MIDDLE = 4  # decisions before the middle of a game
DOCS = Path(__file__).parents[2] / "docs" / "pictures"
KEPT = ("-middle-light-1280", "-end-light-360", "lobby-light-1280", "lobby-dark-1280")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with serving() as server, chromium() as browser:
        page = coming(browser, server)
        page.goto("/")
        take(page, folder, "lobby")
        for game in GAMES:
            play(coming(browser, server), game, folder)


def play(page: Page, game: str, folder: Path) -> None:
    """One game with its three pictures."""
    begin(page, game)
    luck = Random(11)
    for n in range(MOST):
        settled(page)
        if n in (0, MIDDLE) or over(page):
            take(page, folder, f"{game}-{'end' if over(page) else 'middle' if n else 'early'}")
        if over(page):
            return
        since = ply(page)
        by_mouse(page, luck)
        moved_on(page, since)


def take(page: Page, folder: Path, name: str) -> None:
    """The page as it is now, in both themes and all sizes."""
    for theme in THEMES:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            file = folder / f"{name}-{theme}-{width}.png"
            page.screenshot(path=file)
            if any(file.stem.endswith(kept) or file.stem == kept for kept in KEPT):
                DOCS.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=DOCS / f"{file.stem}.jpg", type="jpeg", quality=72)
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


def coming(browser: Browser, server: Server) -> Page:
    """A new visitor."""
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
