"""The lobby: pictures of whole pieces, how difficult each game is, and a table for a friend."""

from __future__ import annotations

import re
from datetime import datetime
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, Route, expect

from smallchange.server.web.phrases import THE_BASE
from tests.support.browser import Visitor
from tests.support.play import (
    FOR_TWO,
    GAMES,
    WITHOUT_CHANCE,
    begin,
    from_the_lobby,
    live_ids,
    middle,
    some_moves,
    unfold,
    until,
    wait_for_turn,
)

# by card: how far all that is drawn lies inside its picture
SEEN = """[...document.querySelectorAll(".card .game-picture")].map((art) => {
  const frame = art.getBoundingClientRect();
  return Math.min(...[...art.querySelectorAll("svg rect, .piece")].flatMap((el) => {
    const box = el.getBoundingClientRect();
    return [box.left - frame.left, frame.right - box.right, box.top - frame.top, frame.bottom - box.bottom];
  }));
})"""
LATER = 5_000  # milliseconds after which the lobby asks for its lists again


@pytest.mark.parametrize(("width", "locale"), [(360, "ja-JP"), (1280, "en-US")])
def test_cards_show_whole_boards(visitor: Visitor, width: int, locale: str) -> None:
    page = visitor(viewport={"width": width, "height": 720}, locale=locale)
    page.goto("/")
    seen = page.evaluate(SEEN)
    assert len(seen) == len(GAMES)
    assert min(seen) >= 0


@pytest.mark.parametrize(("width", "locale"), [(360, "en-US"), (1000, "ja-JP")])
def test_cards_leave_no_hole_and_their_buttons_stand_in_one_row(
    visitor: Visitor, width: int, locale: str
) -> None:
    page = visitor(viewport={"width": width, "height": 720}, locale=locale)
    page.goto("/")
    right = page.locator(".cards").evaluate("el => el.getBoundingClientRect().right")
    last = page.locator(".card").last.evaluate("el => el.getBoundingClientRect().right")
    assert abs(right - last) < 1
    tops = "els => els.map(el => new Set([...el.querySelectorAll('.btn')].map(b => b.offsetTop)).size)"
    assert set(page.locator(".card .buttons").evaluate_all(tops)) == {1}


def test_a_game_for_two_is_opened_for_a_friend_by_one_button(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    page.locator(f"[aria-labelledby='game-{FOR_TWO[0]}']").get_by_text("Invite").click()
    expect(page.get_by_role("link", name="Invitation link")).to_be_visible()


def test_who_looks_at_the_lobby_sees_tables_come_and_go(visitor: Visitor) -> None:
    looking, ann, bo = visitor(), visitor(), visitor()
    looking.clock.install()
    looking.goto("/")
    row = looking.get_by_role("listitem").filter(has_text="Ann of the lobby")
    expect(row).to_have_count(0)
    ann.goto(f"/games/{WITHOUT_CHANCE}")
    unfold(ann)
    ann.get_by_label("Your name").fill("Ann of the lobby")
    ann.locator("select[name^='seat.']").last.select_option("open")
    ann.get_by_label("List this table").check()
    ann.get_by_role("button", name="Play", exact=True).click()
    looking.clock.fast_forward(LATER)
    expect(row).to_be_visible()
    bo.goto(row.get_by_role("link").get_attribute("href") or "")
    bo.get_by_role("button", name="Take the seat").click()
    expect(bo.locator("#board")).to_be_visible()
    looking.clock.fast_forward(LATER)
    expect(row).to_have_count(0)


@pytest.mark.parametrize("width", [360])
def test_a_game_that_goes_on_is_in_the_first_window(visitor: Visitor, width: int) -> None:
    page = visitor(viewport={"width": width, "height": 720})
    page.goto("/")
    free = top(page)
    begin(page, GAMES[0])
    some_moves(page, 1)
    wait_for_turn(page)
    page.goto("/")
    expect(page.get_by_role("link", name="Continue")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Continue").click()
    page.get_by_text("Resign", exact=True).click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(".result")).to_be_visible()
    page.goto("/")
    assert top(page) < free, "who returns is told nothing before what can be played"


def test_the_game_to_go_on_with_stands_above_the_cards_and_one_without_a_move_is_forgotten(
    visitor: Visitor,
) -> None:
    page = visitor()
    begin(page, FOR_TWO[0])
    page.goto("/")
    expect(page.locator("#running a")).to_have_count(0)
    page.go_back()
    some_moves(page, 1)
    wait_for_turn(page)
    table = page.url
    for _ in range(2):
        page.goto("/")
        page.locator(f"[aria-labelledby='game-{FOR_TWO[0]}']").get_by_text("Invite").click()
        expect(page.get_by_role("link", name="Invitation link")).to_be_visible()
    page.goto("/")
    running = page.locator("#running")
    expect(running.locator(".btn")).to_have_count(1)
    expect(running.locator(f"a[href='{urlsplit(table).path}']")).to_be_visible()
    expect(running.get_by_role("link", name="Your games")).to_be_visible()


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue"])
def test_lists_have_the_visitors_own_day(visitor: Visitor, zone: str) -> None:
    page = visitor(timezone_id=zone)
    begin(page, GAMES[0])
    page.goto("/mine")
    listed = page.locator("time").first
    moment = datetime.fromisoformat(listed.get_attribute("datetime") or "")
    local = moment.astimezone(ZoneInfo(zone))
    expect(listed).to_have_text(f"{local.day} {local:%b %Y}")


@pytest.mark.parametrize("down", [200])
def test_no_card_moves_when_a_game_begins_or_ends_elsewhere(visitor: Visitor, down: int) -> None:
    looking = visitor()
    other = looking.context.new_page()
    looking.clock.install()
    looking.goto("/")
    looking.evaluate("down => scrollTo(0, down)", down)
    rows = looking.locator("#running .btn")
    expect(rows).to_have_count(0)
    stands = top(looking)
    begin(other, GAMES[0])
    some_moves(other, 1)
    looking.clock.fast_forward(LATER)
    expect(rows).to_have_count(1)
    assert abs(top(looking) - stands) < 1
    other.get_by_text("Resign", exact=True).click()
    other.get_by_role("button", name="Yes, resign").click()
    expect(other.locator(".result")).to_be_visible()
    looking.clock.fast_forward(LATER)
    expect(rows).to_have_count(0)
    assert abs(top(looking) - stands) < 1


def top(page: Page) -> float:
    """Return the upper edge of the cards, in pixels of the window."""
    found: float = page.locator(".cards").evaluate(
        "el => document.fonts.ready.then(() => el.getBoundingClientRect().top)"
    )
    return found


@pytest.mark.parametrize("width", [360, 1280])
def test_the_picture_of_ones_own_map_is_seen_with_what_one_writes(visitor: Visitor, width: int) -> None:
    page = visitor(viewport={"width": width, "height": 720})
    page.goto(f"/games/{FOR_TWO[0]}")
    unfold(page)
    name = page.locator("#picture .on-hex").first
    assert name.evaluate("el => parseFloat(getComputedStyle(el).fontSize) * el.getScreenCTM().a") > 11
    field = page.get_by_label("A drawing of your own")
    field.fill("a b c d e")
    expect(page.locator("#picture .spot, #picture .hex")).not_to_have_count(0)
    field.fill("a")
    expect(field).to_have_accessible_description(re.compile("^A map has 4 to 16 spaces, not 1.$"))
    fault = page.get_by_text("A map has 4 to 16 spaces, not 1.")
    below = fault.evaluate("el => el.getBoundingClientRect().top")
    ends = field.evaluate("el => el.getBoundingClientRect().bottom")
    assert 0 <= below - ends < 20
    expect(page.locator("#picture.stale .hex")).not_to_have_count(0)
    field.fill("a b c d e f")
    expect(page.locator("#picture:not(.stale) .hex")).not_to_have_count(0)
    expect(fault).to_have_count(0)


def test_how_hard_a_variant_is_stands_below_its_picture(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/games/solo")
    unfold(page)
    said = page.locator("#difficulty")
    expect(said).to_contain_text("A beginner wins")
    page.get_by_label("a sphere").check()
    expect(said).to_contain_text("A strong player wins nearly always.", timeout=60_000)
    page.get_by_label("A drawing of your own").fill("x")
    expect(page.locator("#picture.stale")).to_be_visible()
    expect(said).to_be_empty()


def test_how_hard_a_variant_is_is_asked_of_the_last_alone_that_was_passed_by(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/games/solo")
    unfold(page)
    expect(page.locator("#difficulty")).to_contain_text("A beginner wins")
    asked: list[str] = []
    held: list[Route] = []
    page.on("request", lambda request: asked.append(request.url) if "/difficulty?" in request.url else None)
    page.route("**/difficulty?*", lambda route: route.continue_() if held else held.append(route))
    for n in "321":
        page.get_by_label("Free moves at the start").fill(n)
        expect(page.locator("#chosen")).to_contain_text(n)
    held[0].continue_()  # an answer that took its time
    until(page, lambda: "free_moves=1" in asked[-1])
    expect(page.locator("#difficulty")).to_contain_text("A beginner", timeout=60_000)
    first, last = dict.fromkeys(asked)  # what is measured slowly is asked for again
    assert ["free_moves=3" in first, "free_moves=1" in last] == [True, True]


def test_a_drawing_that_is_pasted_arrives_whole_however_long(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/games/coin-age")
    unfold(page)
    drawn = "\n".join(" " * (30 + i % 2) + "a" for i in range(16))
    page.get_by_label("A drawing of your own").fill(drawn)
    expect(page.get_by_label("A drawing of your own")).to_have_value(drawn)
    expect(page.locator("#picture .on-hex", has_text="a16")).to_have_count(1)


def test_how_hard_a_variant_is_can_be_asked_without_script(visitor: Visitor) -> None:
    page = visitor(java_script_enabled=False)
    page.goto("/games/solo")
    unfold(page)
    page.get_by_label("a sphere").check()
    page.get_by_role("button", name="How hard is it?").click()
    expect(page.locator("#difficulty")).to_contain_text("A strong player wins nearly always.", timeout=60_000)
    page.get_by_role("link", name="Options").click()
    expect(page.get_by_label("a sphere")).to_be_checked()


def test_who_adds_no_words_has_random_ones_from_the_browser(visitor: Visitor) -> None:
    page = visitor()
    said = []
    for _ in range(2):
        from_the_lobby(page, "coin-collectors")
        page.goto(f"{page.url}/envelope")
        said.append(page.locator("main li").text_content() or "")
    assert said[0] != said[1]
    assert all(len(words) == len("The player: ") + 16 for words in said)


def test_what_is_chosen_is_said_and_kept_when_the_language_changes(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/games/solo")
    unfold(page)
    expect(page.locator("#chosen")).to_have_text(THE_BASE.en)
    page.locator("[name=board]").select_option("galaxy")
    expect(page.locator("#chosen")).to_contain_text("Galaxy", ignore_case=True)
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator("[name=board]")).to_have_value("galaxy")
    expect(page.locator("#chosen")).not_to_have_text(THE_BASE["ja"])


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_first_board_is_played_on_and_one_can_go_back(visitor: Visitor, motion: str) -> None:
    page = visitor(reduced_motion=motion)
    page.goto("/")
    page.evaluate("window.samePage = true")
    page.locator("#start input[type=radio]").first.check()
    page.locator("#start g:has(:checked) button").first.click()
    page.wait_for_url("**/m/*")
    wait_for_turn(page)
    assert page.evaluate("window.samePage ?? false") == (motion != "reduce")
    expect(page.locator("#log li")).to_have_count(2)
    expect(page.locator("link[href*=lobby]")).to_have_count(0)
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(4)
    page.go_back()
    expect(page.locator(".cards")).to_be_visible()
    assert urlsplit(page.url).path == "/"


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_a_board_that_grows_is_touched_where_it_is_seen(visitor: Visitor, by: str) -> None:
    page = visitor(reduced_motion="no-preference", has_touch=by == "finger")
    page.goto("/")
    page.evaluate("""() => {
        const { animate } = Element.prototype;
        Element.prototype.animate = function (...how) {
            const motion = animate.apply(this, how);
            if (!this.matches("#board > svg")) return motion;
            motion.pause();
            window.growth = motion;
            return motion;
        };
    }""")
    page.locator("#start input[type=radio]").first.check()
    page.locator("#start g:has(:checked) button").first.click()
    page.locator("a.live").first.wait_for(state="attached")
    expect(page.locator(".stage.held")).to_have_count(1)
    widths = []
    for part in (0.0, 0.3, 0.6, 0.9):
        page.evaluate(
            "at => { growth.pause(); growth.currentTime = at * growth.effect.getTiming().duration; }", part
        )
        widths.append(page.locator("#board > svg").evaluate("board => board.getBoundingClientRect().width"))
        piece = live_ids(page)[0]
        press = page.touchscreen.tap if by == "finger" else page.mouse.click
        press(*middle(page.locator(f"[id='{piece}'] .hit")))
        expect(page.locator("a.picked")).to_have_id(piece)
        page.keyboard.press("Escape")
    assert widths == sorted(set(widths))
    expect(page.locator(".stage.held")).to_have_count(0)


def test_a_first_move_that_is_lost_once_is_made_by_the_form(visitor: Visitor) -> None:
    page = visitor(reduced_motion="no-preference")
    page.goto("/")
    page.route("**/games/*", lambda route: route.abort(), times=1)
    page.locator("#start input[type=radio]").first.check()
    page.locator("#start g:has(:checked) button").first.click()
    page.wait_for_url("**/m/*")
    wait_for_turn(page)
    expect(page.locator("#log li")).to_have_count(2)
