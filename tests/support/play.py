"""Playing as a person does: with the mouse, with the keyboard alone, by what a screen reader says."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from random import Random

from playwright.sync_api import FrameLocator, Locator, Page, expect

import smallchange
from smallchange.server.web.phrases import PLAY_THIS

GAMES = smallchange.games()
FOR_TWO = [id for id in GAMES if len(smallchange.game(id).seats) == 2]
FOR_ONE = [id for id in GAMES if len(smallchange.game(id).seats) == 1]
WITHOUT_CHANCE = next(
    id for id in FOR_TWO if not smallchange.game(id).sources
)  # its boards have several sizes
WITH_REFERENCE = [id for id in GAMES if smallchange.game(id).reference]
WINDOW_SIZES = ((360, 640), (768, 1024), (1280, 720))
LOCALES = ("en-US", "ja-JP")
LAYOUTS = [
    FOR_TWO[0],
    WITHOUT_CHANCE,
    GAMES[-1],
]  # hexes with trays, a plain square board, and cards with dice
MOST = 400  # decisions in which a game has to come to its end
TIMEOUT_S = 120.0  # seconds in which something has to happen


SHORT_VARIANTS = {
    "coin-age": "map=a+a+b+b",
    "dodgem": "size=3",
    "royal-ur": "coins=1",
}  # where random play of the base game takes a minute


def begin_short(page: Page, game: str, scripted: bool = True) -> None:
    """Go from the lobby to a table of the base game, or of a variant where that takes too long."""
    if game not in SHORT_VARIANTS:
        from_the_lobby(page, game, scripted)
        return
    page.goto(f"/games/{game}?{SHORT_VARIANTS[game]}")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#board")).to_be_visible()
    page.wait_for_load_state()
    if scripted:
        wait_for_connection(page)


def from_the_lobby(page: Page, game: str, scripted: bool = True) -> None:
    """Press the game's button in the lobby until the deal itself does not end the game."""
    while True:
        page.goto("/")
        lang = page.locator("html").get_attribute("lang") or ""
        name = PLAY_THIS.fill(game=smallchange.game(game).words.TITLE)[lang]
        page.locator("input[name=toss]").evaluate_all("all => all.forEach((toss) => toss.remove())")
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#board")).to_be_visible()
        page.wait_for_load_state()
        if scripted:
            wait_for_connection(page)
        if not over(page):
            return


def begin(page: Page, game: str, scripted: bool = True) -> None:
    """Send what the lobby's button sends, and go to the table: one where the deal itself does not end the game.

    One has the first seat, not that of a toss. With its line to the server, unless the page has no script or no line.
    """
    requests = page.context.request
    while True:
        lobby = requests.get("/").text()
        form = lobby.partition(f'action="/games/{game}">')[2].partition("</form>")[0]
        fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
        page.goto(requests.post(f"/games/{game}", form={**fields, "toss": ""}).url)
        expect(page.locator("#board")).to_be_visible()
        page.wait_for_load_state()
        if scripted:
            wait_for_connection(page)
        if not over(page):
            return


def at_one_screen(page: Page, game: str) -> None:
    """Open a table of the base game where one person sits on every seat."""
    page.goto(f"/games/{game}")
    unfold(page)
    for seat in page.locator("select[name^='seat.']").all():
        seat.select_option("me")
    page.get_by_role("button", name="Play", exact=True).click()
    wait_for_connection(page)


def wait_for_connection(page: Page) -> None:
    """Wait until the page has its socket. A page that never had one posts forms."""
    page.locator("#connection[data-is=open]").wait_for(state="attached")


def ply(page: Page) -> int:
    return int(page.locator("#table-data").get_attribute("data-ply") or 0)


def over(page: Page) -> bool:
    return page.locator(".result").count() > 0


def wait_for_turn(page: Page) -> None:
    """Wait until it is one's own turn, or the game is over."""
    page.locator(".result, #actions [name=token]").first.wait_for(state="attached")


def wait_for_paint(page: Page) -> None:
    """Wait until what has changed is fitted to its place and painted."""
    page.evaluate(
        "new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted))))"
    )


def until(page: Page, happened: Callable[[], object]) -> None:
    """Go on until this has happened."""
    end = time.monotonic() + TIMEOUT_S
    while not happened():
        assert time.monotonic() < end, "it does not happen"
        page.evaluate("new Promise(requestAnimationFrame)")


def moved_on(page: Page, since: int) -> None:
    page.locator(f"#table-data:not([data-ply='{since}'])").wait_for(state="attached")


def play_out(page: Page, decide: Callable[[Page, Random], None], luck: Random) -> None:
    """Make one decision after the other until the result stands there."""
    for _ in range(MOST):
        wait_for_turn(page)
        if over(page):
            return
        before = ply(page)
        decide(page, luck)
        moved_on(page, before)
    raise AssertionError(f"no end after {MOST} decisions")


def by_mouse(page: Page, luck: Random) -> None:
    """Click on dice, and on pieces with a ring, until something happens."""
    boxes = page.locator("#actions label.die-choice")
    if boxes.count():
        _mark(page, boxes, luck)
    elif live_ids(page) and luck.random() < 0.95:
        _click(page, luck.choice(live_ids(page)))
        while picked_ids(page):
            _click(
                page,
                luck.choice([id for id in live_ids(page) if id not in picked_ids(page)] or picked_ids(page)),
            )
    else:
        _press_one(page, luck)


def live_ids(page: Page) -> list[str]:
    """Return the ids of what has a ring now."""
    found: list[str] = page.evaluate("[...document.querySelectorAll('a.live')].map(el => el.id)")
    return found


def picked_ids(page: Page) -> list[str]:
    """Return the ids of what was touched and waits for where it goes."""
    found: list[str] = page.evaluate("[...document.querySelectorAll('a.picked')].map(el => el.id)")
    return found


def by_keyboard(page: Page, luck: Random) -> None:
    """Use Tab, arrow keys, Space and Enter alone."""
    boxes = page.locator("#actions input[type=checkbox]")
    if boxes.count():
        toggled = 0
        while toggled < boxes.count() or not _confirms(page):
            if toggled >= boxes.count() or luck.random() < 0.6:
                _tab_to(page, f"#actions .die-choice:nth-child({luck.randrange(boxes.count()) + 1}) input")
                page.keyboard.press("Space")
            toggled += 1
        _tab_to(
            page, "#marked" if page.locator("#marked").is_enabled() else "#actions .buttons .btn:last-child"
        )
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
        _tab_to(page, "#actions .buttons .btn")
        page.keyboard.press("Enter")


def by_links(page: Page, luck: Random) -> None:
    """Play without script: a set of dice, a piece by its link and then its actions, or a button."""
    sets, buttons = (
        page.locator("#actions .sets li"),
        page.locator("#actions .buttons [name=token]:not(#marked)"),
    )
    pieces: list[str] = page.locator("a[href*='?pick=']").evaluate_all("all => all.map((el) => el.id)")
    if sets.count():
        marks = sets.nth(luck.randrange(sets.count())).get_attribute("data-marks") or ""
        for die in marks.split():
            page.locator(f"#actions [value='{die}']").check()
        page.locator("#marked").click()
    elif pieces and not (buttons.count() and luck.random() < 0.2):
        piece = luck.choice(pieces)
        leads = page.locator(f"[id='{piece}']").get_attribute("href") or ""
        _click(page, piece)
        page.wait_for_url(lambda url: url.endswith(leads))
        page.locator("#actions .move-list button").first.click()
    else:
        buttons.nth(luck.randrange(buttons.count())).click()


def _confirms(page: Page) -> bool:
    """Return whether there is a button for the marked pieces, or one that needs no mark."""
    return page.locator("#actions .buttons .btn:enabled").count() > 0


def by_name(page: Page, luck: Random) -> None:
    """Use only elements with a role and a name."""
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
    listed = panel.get_by_text("All moves", exact=True)
    if listed.count() and not panel.locator("details[open]").count():
        page.get_by_role("link", name="More").click()
        page.get_by_role("link", name="All moves").click()
    named = [name for name in moves.all_inner_texts() if name]
    panel.get_by_role("button", name=luck.choice(named), exact=True).first.click()


def _mark(page: Page, boxes: Locator, luck: Random) -> None:
    for i in range(boxes.count()):
        if luck.random() < 0.6:
            boxes.nth(i).click()
    marked = page.locator("#marked:enabled")
    if marked.count():
        marked.click()
    elif page.locator("#actions .buttons .btn:enabled").count():
        page.locator("#actions .buttons .btn:enabled").last.click()
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
    buttons = page.locator("#actions .buttons .btn:enabled")
    if buttons.count():
        buttons.nth(luck.randrange(buttons.count())).click()
    else:
        by_mouse(page, luck)


def _click(page: Page, id: str) -> None:
    """Click in the middle of the touchable part."""
    touchable = page.locator(f"[id='{id}'] .hit")
    page.mouse.click(*middle(touchable))


def middle(of: Locator) -> tuple[float, float]:
    """Scroll to an element, and return its middle in pixels of the window."""
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


def some_moves(page: Page, n: int) -> None:
    luck = Random(9)
    for _ in range(n):
        wait_for_turn(page)
        since = ply(page)
        by_mouse(page, luck)
        moved_on(page, since)


def invite(ann: Page, game: str, name: str = "Ann <b>&", listed: bool = False, variant: str = "") -> str:
    """Let Ann open a table and get the link for her friend."""
    ann.goto(f"/games/{game}?{variant}")
    unfold(ann)
    ann.get_by_label("Your name").fill(name)
    ann.locator("select[name^='seat.']").last.select_option("open")
    ann.get_by_label("List this table").set_checked(listed)
    ann.get_by_role("button", name="Play", exact=True).click()
    link = ann.get_by_role("link", name="Invitation link").get_attribute("href")
    ann.wait_for_load_state()  # with its scripts
    assert link is not None
    assert link.startswith("/j/")
    return link


def unfold(page: Page | FrameLocator) -> None:
    """Open every fold of a page, those too of which one alone is open."""
    page.locator("details.fold").evaluate_all(
        "all => { for (const fold of all) fold.name = '', fold.open = true; }"
    )


def sit_down(bo: Page, link: str, name: str = "Bo") -> None:
    bo.goto(link)
    bo.get_by_label("Your name").fill(name)
    bo.get_by_role("button", name="Take the seat").click()
    bo.wait_for_url("**/m/*")  # with its scripts


def post_first_move(page: Page) -> None:
    page.locator("#actions [name=token]").first.dispatch_event("click")


def expect_rows(page: Page, n: int) -> None:
    expect(page.locator("#log li")).to_have_count(n)
