"""On small screens nothing is wider than the screen, whatever the names are."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from random import Random

import pytest
from playwright.sync_api import expect

import smallchange
from smallchange import Match, bots
from smallchange.i18n.text import LANGUAGES
from smallchange.server.table.view.timeline import Timeline
from smallchange.server.web.errors import ErrorCode
from smallchange.server.web.phrases import RINGS
from tests.support.browser import Visitor, assert_fits
from tests.support.combinations import covering
from tests.support.play import (
    FOR_TWO,
    GAMES,
    LAYOUTS,
    LOCALES,
    WINDOW_SIZES,
    WITH_REFERENCE,
    WITHOUT_CHANCE,
    at_one_screen,
    begin,
    begin_short,
    by_mouse,
    invite,
    middle,
    moved_on,
    over,
    play_out,
    ply,
    sit_down,
    some_moves,
    unfold,
    until,
    wait_for_paint,
    wait_for_turn,
)

LANGS = LANGUAGES

SITE = (
    "/",
    "/mine",
    "/about",
    "/nowhere",
    *(f"/games/{id}" for id in GAMES),
    *(f"/rules/{id}" for id in GAMES),
)
# of what is said: the pixels that are cut, and those that stay empty below it
CUT = """() => {
  const parts = [".status-slot", ".match-line", ".status-text"];
  const [told, who, says] = parts.map((part) => document.querySelector(part));
  return [says.scrollHeight - says.clientHeight, told.clientHeight - who.offsetHeight - says.clientHeight];
}"""
# by how many pixels these are cut, asks and what happened
CUTS = """rows => rows.map((row) => {
  [".prompt", ".last-turn"].forEach((said, i) => (document.querySelector(said).textContent = row[i]));
  const says = document.querySelector(".status-text");
  return says.scrollHeight - says.clientHeight;
})"""
# by how many pixels these take more than their place: asks, what happened, why something cannot be done
GROWN = """rows => rows.map((row) => {
  const told = document.querySelector(".status-slot"), room = parseFloat(getComputedStyle(told).minHeight);
  const parts = [".prompt", ".last-turn", "#refusal"];
  parts.forEach((said, i) => (document.querySelector(said).textContent = row[i]));
  return told.getBoundingClientRect().height - room;
})"""
LINE = 18  # pixels
TOPS = """texts => texts.map((text) => {
  document.querySelector(".prompt").textContent = text;
  return document.querySelector("#board .board").getBoundingClientRect().top;
})"""
PLACES = """() => ["#board .board", "#actions", ".log"].map(
  (part) => document.querySelector(part).getBoundingClientRect().top + scrollY
)"""
# does the line stand between the head of the page and the status, over neither?
BETWEEN = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [top, line, told] = [".site-header", "#connection", ".status-slot"].map(box);
  return top.bottom <= line.top && line.bottom <= told.top;
}"""
# what can be touched on the first screen, but for a part of the page that lies above it
COVERED = """() => [...document.querySelectorAll("a.live")].filter((piece) => {
  const box = piece.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return y < innerHeight && !document.elementFromPoint(x, y)?.closest("svg");
}).map((piece) => piece.id)"""
LONG = "W" * 40  # the longest name


@pytest.mark.parametrize("lang", LANGS)
def test_every_page_fits_a_phone_in_every_language(visitor: Visitor, lang: str) -> None:
    page = visitor(viewport={"width": 320, "height": 640})
    for path in SITE:
        page.goto(f"{path}?lang={lang}")
        assert_fits(page)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert_fits(page)


def test_lists_of_games_fit_a_phone_in_letters_twice_as_large(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 640})
    for game in GAMES:
        begin(page, game)
    for path in ("/", "/mine"):
        page.goto(f"{path}?lang=de")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert_fits(page)


@pytest.mark.parametrize("lang", ["de"])  # the longest
def test_languages_and_colours_stand_in_a_row_each_on_a_phone(visitor: Visitor, lang: str) -> None:
    page = visitor(viewport={"width": 360, "height": 640})
    page.goto(f"/about?lang={lang}")
    for row in page.locator(".site-footer form").all():
        tops = "all => all.map((button) => button.getBoundingClientRect().top)"
        assert len(set(row.get_by_role("button").evaluate_all(tops))) == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_table_fits_every_screen_in_every_language_and_no_bar_covers_what_can_be_played(
    visitor: Visitor, game: str
) -> None:
    """In letters twice as large too."""
    page = visitor(viewport={"width": 320, "height": 568})
    begin(page, game)
    wait_for_turn(page)
    expect(page.locator("a.live").first).to_be_attached()
    assert page.evaluate(COVERED) == []
    for lang in LANGS:
        page.goto(f"{page.url.partition('?')[0]}?lang={lang}")
        assert_fits(page)
        for width in (360, 1280):
            page.evaluate("document.documentElement.style.fontSize = ''")
            page.set_viewport_size({"width": width, "height": 720})
            lines = page.locator(".tally span").evaluate_all("all => all.map((el) => el.offsetHeight)")
            assert max(lines) < 30, (lang, width)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            assert_fits(page)
            cut = page.locator("#viewer").evaluate("el => el.scrollWidth - el.clientWidth")
            assert not cut, "whose turn it is"
        page.set_viewport_size({"width": 320, "height": 640})


def test_a_tall_board_of_ones_own_is_seen_whole_on_a_phone(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 640})
    page.goto("/games/solo")
    unfold(page)
    page.get_by_label("A drawing of your own").fill("\n".join(["##"] * 10))
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/m/*")  # until its style sheets are there too
    board = page.locator("#board .board").bounding_box()
    assert board is not None
    assert board["height"] < 500


def test_the_game_that_rules_tell_is_read_without_scrolling_in_it(visitor: Visitor) -> None:
    page = visitor()
    for game, lang in product(GAMES, LANGS):
        page.goto(f"/rules/{game}?lang={lang}")
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 640})
            assert page.locator("pre:has(.language-steps)").evaluate_all(
                "all => all.length && all.every((el) => el.scrollHeight <= el.clientHeight + 1"
                " && el.scrollWidth <= el.clientWidth)"
            ), (game, lang, width)


@pytest.mark.parametrize("game", WITH_REFERENCE)
def test_what_one_looks_up_fits_a_phone(visitor: Visitor, game: str) -> None:
    page = visitor(viewport={"width": 360, "height": 640})
    begin(page, game)
    some_moves(page, 4)
    wait_for_turn(page)
    table = page.url
    for lang in LANGS:
        page.goto(f"{table}/sheet?lang={lang}")
        assert_fits(page)


def test_the_names_of_spaces_are_large_enough_to_read_in_what_one_looks_up(visitor: Visitor) -> None:
    page = visitor()
    begin(page, "coin-age")
    page.goto(f"{page.url.partition('?')[0]}/sheet")
    names = page.locator(".reference-picture .on-hex")
    expect(names).to_have_count(10)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        heights = names.evaluate_all("all => all.map((name) => name.getBoundingClientRect().height)")
        assert min(heights) > 9


@pytest.mark.parametrize("game", FOR_TWO[:1])
def test_a_long_name_breaks_into_lines(visitor: Visitor, game: str) -> None:
    ann, bo, cy = (visitor(viewport={"width": 360, "height": 640}) for _ in range(3))
    link = invite(ann, game, LONG, listed=True)
    table = ann.url
    cy.goto("/")
    expect(cy.get_by_text(LONG).first).to_be_visible()
    assert_fits(cy)
    bo.goto(link)
    assert_fits(bo)
    sit_down(bo, link, LONG)
    for page in (ann, bo, cy):
        page.goto(table)
    ann.get_by_role("button", name="Offer a draw").click()
    expect(bo.get_by_role("button", name="Decline")).to_be_visible()
    for page in (ann, bo, cy):
        page.locator("#board .board").click(position={"x": 5, "y": 5})
        expect(page.locator("#refusal")).not_to_be_empty()
        assert_fits(page)
    bo.get_by_role("button", name="Accept").click()
    expect(ann.locator(".result")).to_be_visible()
    assert_fits(ann)
    ann.goto("/mine")
    assert_fits(ann)


@pytest.mark.parametrize(("game", "locale"), covering(LAYOUTS, LOCALES))
def test_the_board_stays_where_it_is_whatever_is_said_above_it(
    visitor: Visitor, game: str, locale: str
) -> None:
    page = visitor(viewport={"width": 360, "height": 640}, locale=locale)
    begin(page, game)
    places = set[float]()
    for turn in range(9):
        wait_for_turn(page)
        if over(page):  # nothing is held free any more
            assert len(places) == 1
            return
        if turn == 8:
            break
        page.evaluate("scrollTo(0, 0)")
        places.add(page.locator("#board .board").evaluate("el => el.getBoundingClientRect().top"))
        wait_for_paint(page)
        cut, empty = page.evaluate(CUT)
        assert cut < LINE / 2 or empty < LINE, "what is said is cut where there is room for more"
        some_moves(page, 1)
    page.evaluate("scrollTo(0, 0)")
    page.locator("#connection").evaluate(
        "el => { el.hidden = false; el.textContent = 'No connection. '.repeat(9) }"
    )
    page.locator(".last-turn").evaluate("el => { el.textContent = 'So much happened. '.repeat(9) }")
    places.update(page.evaluate(TOPS, questions(game, locale[:2])))
    assert len(places) == 1


@pytest.mark.parametrize(("game", "size", "locale"), covering(LAYOUTS, WINDOW_SIZES, LOCALES))
def test_that_the_line_is_cut_is_said_over_nothing_and_moves_nothing(
    visitor: Visitor, game: str, locale: str, size: tuple[int, int]
) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]}, locale=locale)
    begin(page, game)
    wait_for_turn(page)
    before = page.evaluate(PLACES)
    page.locator("#connection").evaluate(
        "(el, said) => { el.hidden = false; el.textContent = said }",
        ErrorCode.SHUTTING_DOWN.text[locale[:2]],
    )
    assert page.evaluate(PLACES) == before
    assert page.evaluate(BETWEEN)
    assert page.locator("#connection").evaluate("el => el.scrollHeight - el.clientHeight") < LINE / 2
    page.locator("#board .board").click(position={"x": 5, "y": 5})
    expect(page.locator("#refusal")).not_to_be_empty()
    assert page.evaluate(PLACES) == before, "why something cannot be done has room then too"


def questions(game: str, lang: str) -> list[str]:
    """Return all that the player is asked in some games."""
    luck, found = Random(1), set()
    for _ in range(40):
        position = smallchange.game(game).start()
        while position.actor is not None:
            found.add(position.game.words.asks(position.game.board, position.s)[lang])
            position.play(luck.choice(list(position)))
    return sorted(found)


@pytest.mark.parametrize(("game", "size"), covering(LAYOUTS, [(844, 390), (667, 375), (640, 360)]))
def test_on_a_phone_on_its_side_the_board_and_what_is_asked_are_seen_at_once(
    visitor: Visitor, game: str, size: tuple[int, int]
) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]})
    begin(page, game)
    wait_for_turn(page)
    page.evaluate("scrollTo(0, 0)")
    for part in ("#board .board", ".prompt"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]
    assert_fits(page)


@pytest.mark.parametrize("width", [360])
def test_the_invitation_is_one_line(visitor: Visitor, width: int) -> None:
    page = visitor(viewport={"width": width, "height": 720})
    invite(page, FOR_TWO[0])
    link, button = page.locator("#invite-link"), page.locator(".invite .copy")
    expect(link).to_have_text(re.compile("^http"))
    above, below = link.bounding_box(), button.bounding_box()
    assert above is not None
    assert below is not None
    assert above["height"] < 44
    assert below["height"] < 50


@pytest.mark.parametrize(("game", "size", "locale"), covering(LAYOUTS, WINDOW_SIZES, LOCALES))
def test_what_is_asked_what_happened_and_why_something_cannot_be_done_fit_their_slot(
    visitor: Visitor, game: str, size: tuple[int, int], locale: str
) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]}, locale=locale)
    begin(page, game)
    wait_for_turn(page)
    said = panel_texts(game, locale[:2])
    cut = [row for row, pixels in zip(said, page.evaluate(CUTS, said), strict=True) if pixels >= LINE / 2]
    assert not cut
    rings = RINGS[locale[:2]]
    said = sorted({(asks, "", f"{rings} {rule}") for asks, _, rule in panel_texts(game, locale[:2])})
    grown = [row for row, pixels in zip(said, page.evaluate(GROWN, said), strict=True) if pixels > 0]
    assert not grown


@cache
def panel_texts(game: str, lang: str) -> list[tuple[str, str, str]]:
    """Return the question, the news and the reason at every decision of some games."""
    luck, found = Random(1), []
    play = bots.bot("greedy", bots.MOVE_TIME_S, luck)
    for _ in range(4):
        match = Match(smallchange.game(game), luck.randbytes(16))
        scene, position = Timeline(match.game), match.position
        while not match.over:
            if position.actor != "chance":
                asks = match.game.words.asks(match.game.board, position.s)
                found.append(
                    (
                        asks[lang],
                        scene.shared_fields["last_turn"][lang],
                        scene.shared_fields["decision"][lang],
                    )
                )
            match.play(match.next_outcome() if position.actor == "chance" else play(position))
            scene.add(match.steps[-1:])
    return found


def test_the_buttons_under_the_thumb_cover_nothing_that_is_scrolled_to(visitor: Visitor) -> None:
    """One person plays both sides: the other side's tray lies below one's own."""
    page, luck = visitor(viewport={"width": 360, "height": 720}), Random(4)
    at_one_screen(page, "coin-age")
    trays = page.locator("#trays .seat-1 a.live")
    while not trays.count():
        wait_for_turn(page)
        if over(page):
            at_one_screen(page, "coin-age")
        since, moves = ply(page), page.locator("#actions button[name=token]")
        moves.nth(luck.randrange(moves.count())).dispatch_event("click")
        moved_on(page, since)
    hit = "([x, y, id]) => document.elementFromPoint(x, y).closest('a')?.id === id"
    for coin in trays.all():
        assert page.evaluate(hit, [*middle(coin.locator(".hit")), coin.get_attribute("id")])


def test_a_pawn_smaller_than_a_fingertip_is_met_by_a_touch_beside_it(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 640}, has_touch=True)
    begin(page, "coin-collectors")
    wait_for_turn(page)
    page.evaluate("scrollTo(0, 0)")
    id = page.locator(".piece.live").first.get_attribute("id") or ""
    box = page.locator(f"#{id} .hit").bounding_box()
    assert box is not None
    assert box["width"] < 44, "or there is nothing to see here"
    hole = page.locator(".piece.live .hit").evaluate_all(
        "els => els.map(el => el.getBoundingClientRect().left)"
    )
    outside = -5 if box["x"] == min(hole) else box["width"] + 5
    x, y = box["x"] + outside, box["y"] + box["height"] / 2
    assert page.evaluate("([x, y]) => !document.elementFromPoint(x, y).closest('.live')", [x, y])
    page.touchscreen.tap(x, y)
    expect(page.locator("a.picked")).to_have_id(id)
    page.locator(".piece.picked .hit").tap()
    expect(page.locator("a.picked")).to_have_count(0)
    page.mouse.click(x, y)
    expect(page.locator("a.picked")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(320, 256), (1280, 720)])
def test_what_is_said_can_be_read_to_its_end_however_long_it_is(
    visitor: Visitor, width: int, height: int
) -> None:
    page = visitor(viewport={"width": width, "height": height})
    begin(page, FOR_TWO[0])
    wait_for_turn(page)
    says = page.locator(".status-text")
    unread = "el => el.scrollHeight - el.clientHeight - el.scrollTop"
    for part, is_offline in product((".last-turn", ".prompt"), (False, True)):
        page.locator("#connection").evaluate("(el, isOffline) => { el.hidden = !isOffline }", is_offline)
        page.locator(part).evaluate(
            "el => { el.textContent = 'So much happened. '.repeat(40);"
            " el.dispatchEvent(new Event('change', { bubbles: true })) }"
        )
        wait_for_paint(page)
        if says.evaluate("el => el.scrollHeight > el.clientHeight"):
            says.focus()
            expect(says).to_be_focused()
            page.keyboard.press("End")
        until(page, lambda: says.evaluate(unread) <= 1)
        box, end = says.bounding_box(), page.locator(part).bounding_box()
        assert box is not None
        assert end is not None
        assert end["y"] + end["height"] <= box["y"] + box["height"] + 1


@pytest.mark.parametrize(("game", "locale"), [("coin-age", "en-US"), ("thrag", "de-DE")])
def test_the_rule_below_the_question_is_whole_or_not_there_and_moves_no_board(
    visitor: Visitor, game: str, locale: str
) -> None:
    page = visitor(viewport={"width": 360, "height": 640}, locale=locale)
    begin(page, game)
    wait_for_turn(page)
    rule, top = page.locator("#rule"), page.locator("#board .board").bounding_box()
    seen = set()
    for told, says in ((0, 1), (1, 40), (9, 4), (0, 2)):
        page.evaluate(
            """([told, says]) => {
                const say = (what, text) => { document.querySelector(what).textContent = text }
                say(".prompt", "And now?")
                say(".last-turn", "So much happened. ".repeat(told))
                say("#rule", "A pawn may do this. ".repeat(says))
            }""",
            [told, says],
        )
        wait_for_paint(page)
        cut = rule.evaluate("el => el.scrollWidth - el.clientWidth + el.scrollHeight - el.clientHeight")
        assert cut <= 1, (told, says)
        assert page.locator("#board .board").bounding_box() == pytest.approx(top, abs=1)
        seen.add(rule.is_visible())
    assert seen == {True, False}


@pytest.mark.parametrize("game", [WITHOUT_CHANCE, "thrag"])
def test_the_tip_after_a_game_is_seen_whole_on_a_phone(visitor: Visitor, game: str) -> None:
    page, luck = visitor(viewport={"width": 360, "height": 640}), Random(1)
    begin_short(page, game)
    play_out(page, by_mouse, luck)
    for lang in LANGS:
        page.goto(f"{page.url.partition('?')[0]}?lang={lang}")
        expect(page.locator("#tip")).not_to_be_empty()
        cut = page.locator(".status-slot").evaluate("el => el.scrollHeight - el.clientHeight")
        assert cut <= 1, lang


def test_what_can_be_taken_glows_before_a_pawn_is_picked_and_says_which_die_opens_it(
    visitor: Visitor,
) -> None:
    page = visitor(viewport={"width": 360, "height": 640})
    begin(page, "coin-collectors")
    wait_for_turn(page)
    glow = page.locator("#board .preview:visible")
    expect(glow.first).to_be_visible()
    expect(page.locator("#board-badges").get_by_role("img").first).to_be_visible()
    page.locator("a.live").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("a.picked")).to_have_count(1)
    expect(glow).to_have_count(0)
