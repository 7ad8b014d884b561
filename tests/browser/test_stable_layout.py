"""Things under the hand stay in place: undo, pieces that name themselves, the board and the dice."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import smallchange
from tests.support.browser import Visitor
from tests.support.combinations import covering
from tests.support.play import (
    FOR_ONE,
    FOR_TWO,
    GAMES,
    LAYOUTS,
    LOCALES,
    WINDOW_SIZES,
    WITHOUT_CHANCE,
    at_one_screen,
    begin,
    live_ids,
    middle,
    moved_on,
    over,
    ply,
    some_moves,
    unfold,
    until,
    wait_for_connection,
    wait_for_turn,
)

PARTS = ("#board .board", "#actions", ".tray")
NAMELESS = """() => [...document.querySelectorAll("a.live, a.picked")]
    .map((el) => el.getAttribute("aria-label")).filter((name) => !/^[^\\s.,:。、]/.test(name ?? ""))"""


# what slides from now on: its id, its tray and its place there
SLIDES = """() => {
  const animate = Element.prototype.animate;
  window.slid = [];
  Element.prototype.animate = function (frames, how) {
    if (Array.isArray(frames.translate)) window.slid.push([this.id, ...window.lies(this)]);
    return animate.call(this, frames, how);
  };
  window.lies = (el) => [el.closest(".tray-of")?.id, el.getAttribute("transform")];
}"""
TALLER = """() => {  // the words above the trays, until they are drawn again
  const more = document.createElement("p");
  more.id = "more", more.style.height = "300px";
  document.querySelector("#status").append(more);
}"""
LIES = """() => [...document.querySelectorAll(".tray-of a.piece")].map((el) => [el.id, ...window.lies(el)])"""

SHIFT = """() => new Promise((done) => {  // of the layout since the page began, where 1 is the whole window
  new PerformanceObserver((list) => done(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(0), 300);
})"""
SLOW = {"offline": False, "latency": 20, "downloadThroughput": 30_000, "uploadThroughput": 30_000}
MAX_SHIFT = 0.05


def place(of: Locator) -> tuple[float, float]:
    """Return the left and the upper edge of the first, in pixels of the window."""
    box = of.first.bounding_box()
    assert box is not None
    return box["x"], box["y"]


def places(page: Page) -> list[tuple[float, float]]:
    page.evaluate("scrollTo(0, 0)")
    return [place(page.locator(part)) for part in PARTS if page.locator(part).count()]


@pytest.mark.parametrize(("game", "size"), covering(GAMES, [(360, 720), (1280, 720)]))
def test_nothing_moves_while_a_table_comes_slowly(visitor: Visitor, game: str, size: tuple[int, int]) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]})
    begin(page, game)
    wait_for_connection(page)
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
    page.reload()
    wait_for_connection(page)
    assert page.evaluate(SHIFT) <= MAX_SHIFT


@pytest.mark.parametrize(("game", "size"), covering(GAMES, [(360, 720), (1280, 720)]))
def test_at_its_end_a_page_stays_where_it_is_as_the_scripts_come(
    visitor: Visitor, game: str, size: tuple[int, int]
) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]})
    begin(page, game)
    held = list[Route]()
    page.route("**/table.js", lambda route: held.append(route))
    page.goto(page.url, wait_until="commit")
    resign = page.get_by_text("Resign", exact=True)
    resign.wait_for()
    page.evaluate("document.fonts.ready.then(() => scrollTo(0, document.documentElement.scrollHeight))")
    _, before = middle(resign)
    until(page, lambda: bool(held))
    held[0].continue_()
    wait_for_connection(page)
    _, after = middle(resign)
    assert abs(after - before) < 8, "pressed before and let go after, it is pressed; it is 46 pixels high"


def test_nothing_moves_where_one_signs_in(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 720})
    held = list[Route]()
    page.route("**/passkeys.js", lambda route: held.append(route))
    page.goto("/account", wait_until="commit")
    page.wait_for_function("() => performance.getEntriesByType('paint').length && document.forms.length > 2")
    held[0].continue_()
    page.locator("#passkey-sign-in").wait_for()
    assert page.evaluate(SHIFT) <= MAX_SHIFT


@pytest.mark.parametrize(("game", "size"), covering(LAYOUTS, WINDOW_SIZES))
def test_undo_is_seen_without_scrolling_and_stays_where_it_is(
    visitor: Visitor, game: str, size: tuple[int, int]
) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]})
    begin(page, game)
    found = 0
    for _ in range(8):
        some_moves(page, 1)
        wait_for_turn(page)
        if over(page):
            break
        page.evaluate("scrollTo(0, 0)")
        undo = page.get_by_role("button", name="Undo")
        expect(undo).to_be_attached()
        if undo.is_enabled():
            found += 1
            expect(undo).to_be_in_viewport(ratio=1)
    assert found or smallchange.game(game).sources


def test_undo_has_a_key_that_does_nothing_where_nothing_can_be_taken_back(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.keyboard.press("u")
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator("#log li")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_attribute("aria-keyshortcuts", "u")


def test_without_script_undo_is_in_the_panel_too(visitor: Visitor) -> None:
    page = visitor(java_script_enabled=False)
    page.goto(f"/games/{WITHOUT_CHANCE}")
    unfold(page)
    for seat in page.locator("select[name^='seat.']").all():
        seat.select_option("me")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("#move-details summary").press("Enter")
    page.locator("#actions .move-list button").first.click()
    expect(page.locator("#log li").first).to_be_attached()
    page.get_by_role("region", name="What to do").get_by_role("button", name="Undo").click()
    expect(page.locator("#log li")).to_have_count(0)


def test_looking_back_one_practises_from_the_panel(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 640})
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 2)
    page.get_by_role("checkbox", name="So far").check()
    page.locator("#log a").last.click()
    button = page.get_by_role("region", name="What to do").get_by_role("button", name="Practise from here")
    page.evaluate("scrollTo(0, 0)")
    expect(button).to_be_in_viewport(ratio=1)
    button.press("Enter")  # a tap so soon after a change is swallowed
    expect(page.get_by_text("Practice: branched off")).to_be_visible()


@pytest.mark.parametrize(("game", "size", "locale"), covering(LAYOUTS, WINDOW_SIZES, LOCALES))
def test_nothing_moves_when_a_touch_is_refused(
    visitor: Visitor, game: str, locale: str, size: tuple[int, int]
) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]}, locale=locale)
    begin(page, game)
    for _ in range(3):
        wait_for_turn(page)
        if over(page):
            return
        before = places(page)
        page.locator("#board .board").click(position={"x": 5, "y": 5})
        expect(page.locator("#refusal")).not_to_be_empty()
        expect(page.locator("#refusal")).to_be_in_viewport(ratio=1)
        assert places(page) == before
        some_moves(page, 1)


@pytest.mark.parametrize(("game", "size"), [(FOR_ONE[0], WINDOW_SIZES[0])])
def test_nothing_moves_when_a_hint_comes(visitor: Visitor, game: str, size: tuple[int, int]) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]})
    begin(page, game)
    wait_for_turn(page)
    if over(page):
        return
    before = places(page)
    page.keyboard.press("h")
    expect(page.locator("#hint")).to_have_text(re.compile("^Hint: "), timeout=60_000)
    expect(page.locator("#hint")).to_be_in_viewport(ratio=1)
    assert places(page) == before


@pytest.mark.parametrize(("game", "locale"), covering(LAYOUTS, LOCALES))
def test_what_a_touch_would_do_is_seen_before_it_and_moves_nothing(
    visitor: Visitor, game: str, locale: str
) -> None:
    page = visitor(viewport={"width": 360, "height": 640}, locale=locale)
    begin(page, game)
    goals, ahead, seen = page.locator("a.live[data-goal]"), page.locator("#touch-preview"), 0
    for _ in range(5):
        wait_for_turn(page)
        if over(page):
            break
        before = places(page)
        if live_ids(page) and not goals.count():
            page.locator(f"[id='{live_ids(page)[0]}'] .hit").click()
        for goal in goals.all()[:3]:
            page.mouse.move(*middle(goal.locator(".hit")))
            expect(ahead).to_contain_text(goal.get_attribute("aria-label") or "")
            assert places(page) == before
            seen += 1
        page.keyboard.press("Escape")
        page.mouse.move(1, 1)
        expect(ahead).to_be_empty()
        some_moves(page, 1)
    assert seen


def test_the_only_thing_that_a_picked_piece_can_do_is_said_on_a_screen_that_is_touched(
    visitor: Visitor,
) -> None:
    page = visitor(viewport={"width": 360, "height": 640}, has_touch=True)
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
    firsts = page.locator("#move-details [data-path]").evaluate_all(
        "all => all.map((el) => [el.dataset.path.split(' ')[0], el.textContent])"
    )
    starts = [first for first, _ in firsts]
    first, said = next((first, said) for first, said in firsts if starts.count(first) == 1)
    page.locator(f"[id='p-{first}'] .hit").tap()
    expect(page.locator("#touch-preview")).to_have_text(f"Touch the ring: {said}")
    page.locator("#board .board").tap(position={"x": 5, "y": 5})
    expect(page.locator("#touch-preview")).to_be_empty()
    expect(page.locator("#refusal")).to_be_visible()


def test_the_panel_with_the_dice_keeps_its_height(visitor: Visitor) -> None:
    page, heights = visitor(), set[tuple[int, float]]()
    for game in (game for game in GAMES if smallchange.game(game).sources):
        begin(page, game)
        for _ in range(3 if page.locator("#actions .dice").count() else 0):
            wait_for_turn(page)
            if over(page):
                break
            for width, height in WINDOW_SIZES[::2]:
                page.set_viewport_size({"width": width, "height": height})
                box = page.locator("#actions").bounding_box()
                assert box is not None
                heights.add((width, box["height"]))
            some_moves(page, 1)
    assert len(heights) == 2


def test_a_refused_touch_keeps_the_rings_until_one_lets_go(visitor: Visitor) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
    piece = live_ids(page)[0]
    for let_go in ("Escape", "touch"):
        page.locator(f"[id='{piece}'] .hit").click()
        goals = live_ids(page)
        page.locator("#board .board").click(position={"x": 5, "y": 5})
        expect(page.locator("#refusal")).to_contain_text("Rings show where it can go.")
        expect(page.locator("a.picked")).to_have_id(piece)
        assert live_ids(page) == goals
        if let_go == "Escape":
            page.keyboard.press("Escape")
        else:
            page.locator(f"[id='{piece}'] .hit").click()
        expect(page.locator("a.picked")).to_have_count(0)
        expect(page.locator("#refusal")).to_be_empty()


@pytest.mark.parametrize("game", [FOR_TWO[0]])
def test_the_trays_stay_where_they_are_when_all_moves_are_listed(visitor: Visitor, game: str) -> None:
    page = visitor(viewport={"width": 1280, "height": 720})
    begin(page, game)
    wait_for_turn(page)
    before = place(page.locator(".tray-of"))
    page.locator("#move-details summary").press("Enter")
    expect(page.locator("#move-details .move-list")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    assert place(page.locator(".tray-of")) == before
    page.locator("#move-details summary").press("Enter")
    some_moves(page, 1)
    page.evaluate("scrollTo(0, 0)")
    assert place(page.locator(".tray-of")) == before


@pytest.mark.parametrize(("game", "locale"), covering(LAYOUTS, LOCALES))
def test_everything_that_can_be_touched_says_what_it_is(visitor: Visitor, game: str, locale: str) -> None:
    page = visitor(locale=locale)
    begin(page, game)
    for _ in range(4):
        wait_for_turn(page)
        if over(page):
            return
        assert page.evaluate(NAMELESS) == []
        for id in live_ids(page)[:4]:
            if page.locator("#actions [data-path*=' ']").count():  # else one touch is the move
                page.locator(f"[id='{id}']").focus()
                since = ply(page)
                page.keyboard.press("Enter")
                if page.locator("a.picked").count():
                    assert page.evaluate(NAMELESS) == []
                    page.keyboard.press("Escape")
                else:
                    moved_on(page, since)
                    wait_for_turn(page)
                    break
        if over(page):
            return
        some_moves(page, 1)


def test_after_a_move_by_the_keyboard_the_focus_is_on_the_board_still(visitor: Visitor) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    for _ in range(3):
        wait_for_turn(page)
        expect(page.locator("a.live").first).to_be_attached()
        if not page.locator("#board a:focus").count():
            page.locator("a.live").first.focus()
        since = ply(page)
        page.keyboard.press("Enter")
        expect(page.locator("a.picked")).to_be_focused()
        goal = page.locator("a.live:not(.picked)").first
        goal.focus()
        expect(page.locator("#touch-preview")).to_contain_text(goal.get_attribute("aria-label") or "")
        page.keyboard.press("Enter")
        moved_on(page, since)
        wait_for_turn(page)
        expect(page.locator("#touch-preview")).to_be_empty()
        expect(page.locator("#board a.live:focus, #board a.picked:focus")).to_have_count(1)


def test_pieces_stay_in_a_tray_that_moves_as_a_whole(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 600}, reduced_motion="no-preference")
    begin(page, FOR_TWO[0])
    wait_for_turn(page)
    page.evaluate(SLIDES)
    page.evaluate(TALLER)
    since, lay, tray = ply(page), page.evaluate(LIES), place(page.locator(".tray-of"))
    page.locator("#actions .buttons .btn").first.click()
    moved_on(page, since)
    assert place(page.locator(".tray-of")) != tray
    assert [piece for piece in page.evaluate("window.slid") if piece in lay] == []


def test_a_step_that_has_been_taken_back_meanwhile_leads_to_now(visitor: Visitor) -> None:
    ann = visitor()
    at_one_screen(ann, WITHOUT_CHANCE)
    some_moves(ann, 3)
    page = ann.context.new_page()
    page.route_web_socket("**/ws*", lambda line: None)  # which tells nothing of it
    page.goto(ann.url)
    ann.keyboard.press("u")
    expect(ann.locator("#log li")).to_have_count(2)
    with page.expect_response("**/look?*"):
        page.locator("#log-2 a").click()
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator("#table-data")).to_have_attribute("data-at", "3")
    page.locator("#log-1 a").click()
    expect(page.locator("#table-data")).to_have_attribute("data-at", "1")


def test_to_give_up_is_asked_anew_after_every_step(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    page.get_by_text("Resign", exact=True).first.click()
    sure = page.get_by_role("button", name="Yes, resign")
    expect(sure).to_be_visible()
    some_moves(page, 1)
    expect(sure).to_be_hidden()


def test_a_second_touch_lets_go_and_the_button_does_what_could_be_done_there(visitor: Visitor) -> None:
    """A space from which coins can move, and be captured too."""
    page = visitor(viewport={"width": 360, "height": 640})
    for _ in range(200):
        at_one_screen(page, FOR_TWO[0])
        for _ in range(30):
            wait_for_turn(page)
            if over(page) or _two_ways(page):
                break
            since = ply(page)
            page.locator("#actions button[name=token]").last.evaluate("el => el.click()")
            moved_on(page, since)
        if _two_ways(page):
            break
    id, since = _two_ways(page), ply(page)
    page.locator(f"[id='{id}'] .hit").click()
    fits = page.locator("#matching-moves button")
    expect(fits).to_have_count(1)
    page.locator(f"[id='{id}'] .hit").click()
    expect(page.locator("a.picked")).to_have_count(0)
    assert ply(page) == since
    page.locator(f"[id='{id}'] .hit").click()
    fits.click()
    moved_on(page, since)


def _two_ways(page: Page) -> str:
    """Return the id of a space that can be acted on alone and from which one can go on; "" where there is none."""
    paths = [
        path.split()
        for path in page.locator("#move-details [data-path]").evaluate_all(
            "all => all.map((el) => el.dataset.path)"
        )
    ]
    alone = [path[0] for path in paths if len(path) == 1]
    ids = [first for first in alone if any(len(path) > 1 and path[0] == first for path in paths)]
    return (
        page.evaluate("id => document.querySelector(`#board [id$='-${id}'].live`)?.id ?? ''", ids[0])
        if ids
        else ""
    )
