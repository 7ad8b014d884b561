"""Playing as a person does: with the mouse, with the keyboard alone, by what a screen reader says."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from random import Random

from playwright.sync_api import Locator, Page, expect

import smallchange
from smallchange.web.pages.phrases import PLAY_THIS

GAMES = smallchange.games()
FOR_TWO = [id for id in GAMES if len(smallchange.game(id).seats) == 2]
MOST = 400  # decisions in which a game has to come to its end
PATIENCE = 60.0  # seconds in which something has to happen


def begin(page: Page, game: str, scripted: bool = True) -> None:
    """From the lobby to a table of the base game, against a bot where it takes two; one where the deal itself
    does not end the game.

    With its line to the server, unless the page has no script or no line.
    """
    while True:
        page.goto("/")
        lang = page.locator("html").get_attribute("lang") or ""
        name = PLAY_THIS.fill(game=smallchange.game(game).words.TITLE)[lang]
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#board")).to_be_visible()
        page.wait_for_load_state()
        if scripted:
            connected(page)
        if not over(page):
            return


def at_one_screen(page: Page, game: str) -> None:
    """A table of the base game where one sits on every seat."""
    page.goto(f"/games/{game}")
    for seat in page.locator("select[name^='seat.']").all():
        seat.select_option("me")
    page.get_by_role("button", name="Play", exact=True).click()
    connected(page)


def connected(page: Page) -> None:
    """Until the page has its line to the server: where it never had one, buttons post the form."""
    page.locator("#line[data-is=open]").wait_for(state="attached")


def ply(page: Page) -> int:
    return int(page.locator("#facts").get_attribute("data-ply") or 0)


def over(page: Page) -> bool:
    return page.locator("#act .result").count() > 0


def settled(page: Page) -> None:
    """Until it is one's own turn, or the game is over."""
    page.locator("#act .result, #act [name=token]").first.wait_for(state="attached")


def until(page: Page, happened: Callable[[], object]) -> None:
    """The page goes on until this has happened."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it does not happen"
        page.evaluate("new Promise(requestAnimationFrame)")


def moved_on(page: Page, since: int) -> None:
    page.locator(f"#facts:not([data-ply='{since}'])").wait_for(state="attached")


def play_out(page: Page, decide: Callable[[Page, Random], None], luck: Random) -> None:
    """One decision after the other until the result stands there."""
    for _ in range(MOST):
        settled(page)
        if over(page):
            return
        before = ply(page)
        decide(page, luck)
        moved_on(page, before)
    raise AssertionError(f"no end after {MOST} decisions")


def by_mouse(page: Page, luck: Random) -> None:
    """Dice by clicking on them, pieces by clicking on what has a ring until something happens."""
    boxes = page.locator("#act label.die-pick")
    if boxes.count():
        _mark(page, boxes, luck)
    elif live(page) and luck.random() < 0.95:
        _click(page, luck.choice(live(page)))
        while picked(page):
            _click(page, luck.choice([id for id in live(page) if id not in picked(page)] or picked(page)))
    else:
        _press_one(page, luck)


def live(page: Page) -> list[str]:
    """The ids of what has a ring now."""
    found: list[str] = page.evaluate("[...document.querySelectorAll('a.live')].map(el => el.id)")
    return found


def picked(page: Page) -> list[str]:
    """The ids of what was touched and waits for where it goes."""
    found: list[str] = page.evaluate("[...document.querySelectorAll('a.picked')].map(el => el.id)")
    return found


def by_keyboard(page: Page, luck: Random) -> None:
    """Tab, arrow keys, Space and Enter alone."""
    boxes = page.locator("#act input[type=checkbox]")
    if boxes.count():
        toggled = 0
        while toggled < boxes.count() or not _confirms(page):
            if toggled >= boxes.count() or luck.random() < 0.6:
                _tab_to(page, f"#act .die-pick:nth-child({luck.randrange(boxes.count()) + 1}) input")
                page.keyboard.press("Space")
            toggled += 1
        _tab_to(page, "#marked" if page.locator("#marked").is_enabled() else "#act .buttons .btn:last-child")
        page.keyboard.press("Enter")
    elif page.locator("a.live").count():
        page.keyboard.press("Escape")
        _tab_to(page, "a.live")
        for _ in range(luck.randrange(5)):
            page.keyboard.press(luck.choice(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")))
        page.keyboard.press("Enter")
        if page.locator("a.picked").count():
            _tab_to(page, "a.live:not(.picked)")
            page.keyboard.press("Enter")
    else:
        _tab_to(page, "#act .buttons .btn")
        page.keyboard.press("Enter")


def by_links(page: Page, luck: Random) -> None:
    """Without script: a set of dice, a piece by its link and then what it can do, or a button."""
    sets, buttons = page.locator("#act .sets li"), page.locator("#act .buttons [name=token]:not(#marked)")
    pieces: list[str] = page.locator("a[href*='?pick=']").evaluate_all("all => all.map((el) => el.id)")
    if sets.count():
        marks = sets.nth(luck.randrange(sets.count())).get_attribute("data-marks") or ""
        for die in marks.split():
            page.locator(f"#act [value='{die}']").check()
        page.locator("#marked").click()
    elif pieces and not (buttons.count() and luck.random() < 0.2):
        piece = luck.choice(pieces)
        leads = page.locator(f"[id='{piece}']").get_attribute("href") or ""
        _click(page, piece)
        page.wait_for_url(lambda url: url.endswith(leads))
        page.locator("#act .moves button").first.click()
    else:
        buttons.nth(luck.randrange(buttons.count())).click()


def _confirms(page: Page) -> bool:
    """Is there a button for what is marked, or one that needs no mark?"""
    return page.locator("#act .buttons .btn:enabled").count() > 0


def by_name(page: Page, luck: Random) -> None:
    """Only what has a role and a name."""
    panel = page.get_by_role("region", name="What to do")
    moves = panel.get_by_role("button", disabled=False).filter(has_not_text=re.compile("Hint|Undo|take back"))
    boxes = panel.get_by_role("checkbox")
    if boxes.count():
        for i in range(boxes.count()):
            if luck.random() < 0.6:
                boxes.nth(i).check()
        while not moves.count():  # these do not make a set: another choice
            box = boxes.nth(luck.randrange(boxes.count()))
            box.set_checked(not box.is_checked())
        moves.nth(0).click()
        return
    listed = panel.get_by_text(re.compile(r"All moves \("))
    if listed.count() and not panel.locator("details[open]").count():
        listed.click()
    named = [name for name in moves.all_inner_texts() if name]
    panel.get_by_role("button", name=luck.choice(named), exact=True).first.click()


def _mark(page: Page, boxes: Locator, luck: Random) -> None:
    for i in range(boxes.count()):
        if luck.random() < 0.6:
            boxes.nth(i).click()
    marked = page.locator("#marked:enabled")
    if marked.count():
        marked.click()
    elif page.locator("#act .buttons .btn:enabled").count():
        page.locator("#act .buttons .btn:enabled").last.click()
    else:  # these do not make a set: one more
        for i in range(boxes.count()):
            if not boxes.nth(i).locator("input").is_checked():
                boxes.nth(i).click()
                if page.locator("#marked:enabled").count():
                    break
        while not page.locator("#marked:enabled").count():
            boxes.nth(luck.randrange(boxes.count())).click()
        page.locator("#marked").click()


def _press_one(page: Page, luck: Random) -> None:
    buttons = page.locator("#act .buttons .btn:enabled")
    if buttons.count():
        buttons.nth(luck.randrange(buttons.count())).click()
    else:
        by_mouse(page, luck)


def _click(page: Page, id: str) -> None:
    """In the middle of what one can touch."""
    touchable = page.locator(f"[id='{id}'] .hit")
    page.mouse.click(*middle(touchable))


def middle(of: Locator) -> tuple[float, float]:
    """Where it is seen, in pixels of the window: its middle."""
    of.scroll_into_view_if_needed()
    box = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _tab_to(page: Page, selector: str) -> None:
    """Press Tab until what is wanted has the focus."""
    for _ in range(120):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")
