"""People at one table, each with a browser of their own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import smallchange
from smallchange.server.web.errors import ErrorCode
from tests.server.serving import serving
from tests.support.browser import HOST, Server, Visitor
from tests.support.play import (
    FOR_TWO,
    GAMES,
    MOST,
    SHORT_VARIANTS,
    WITHOUT_CHANCE,
    at_one_screen,
    begin,
    by_mouse,
    invite,
    live_ids,
    moved_on,
    over,
    ply,
    sit_down,
    some_moves,
    unfold,
    until,
    wait_for_turn,
)


@pytest.mark.parametrize("host", [HOST])
def test_the_invitation_is_copied_where_the_clipboard_is_refused_too(
    visitor: Visitor, server: Server, host: str
) -> None:
    site = f"http://{host}:{server.port}"
    ann = visitor(base_url=site)
    ann.context.grant_permissions([], origin=site)  # none
    link = invite(ann, WITHOUT_CHANCE)
    ann.get_by_role("button", name="Copy the link").click()
    expect(ann.get_by_role("button", name="Copied")).to_be_focused()
    ann.goto(f"/games/{WITHOUT_CHANCE}")
    unfold(ann)
    ann.get_by_label("Your name").clear()
    ann.get_by_label("Your name").press("Control+V")
    expect(ann.get_by_label("Your name")).to_have_value(f"{site}{link}"[:40])


def test_an_invitation_that_cannot_be_copied_is_selected(visitor: Visitor, server: Server) -> None:
    site = f"http://{HOST}:{server.port}"
    ann = visitor(base_url=site)
    ann.add_init_script("document.execCommand = () => false")  # on plain http there is no other way
    link = invite(ann, WITHOUT_CHANCE)
    ann.locator(".copy").click()
    expect(ann.get_by_label("Copy the link")).to_have_value(f"{site}{link}")
    expect(ann.get_by_label("Copy the link")).to_be_focused()
    assert ann.evaluate("getSelection().toString()") == f"{site}{link}"
    expect(ann.get_by_text("Copied")).to_have_count(0)


@pytest.mark.parametrize("game", FOR_TWO[-1:])
def test_two_play_to_the_end_by_an_invitation_while_a_third_watches(visitor: Visitor, game: str) -> None:
    ann, bo, cy = visitor(), visitor(), visitor()
    link = invite(ann, game, variant=SHORT_VARIANTS.get(game, ""))
    sit_down(bo, link)
    cy.goto(link)
    expect(cy).to_have_url(bo.url)
    luck = Random(4)
    for n in range(MOST):
        mover, other = (ann, bo) if _has_turn(ann, bo) else (bo, ann)
        if over(mover):
            break
        if n == 6:
            mover.reload()
        since = ply(mover)
        by_mouse(mover, luck)
        for page in (mover, other, cy):
            moved_on(page, since)
        assert not live_ids(cy)
    told, watched = ann.locator(".prompt").inner_text(), cy.locator(".result").inner_text()
    for page in (bo, cy):
        expect(page.locator(".prompt")).to_have_text(told)
    verdicts = {page.locator(".result").inner_text() for page in (ann, bo)}
    assert verdicts in ({"You won.", "You lost."}, {watched})
    assert "You" not in watched
    assert cy.locator("#log li").count() == ann.locator("#log li").count()


def _has_turn(ann: Page, bo: Page) -> bool:
    """Return whether this page has the turn, once both have seen the same."""
    first = ".result, #actions [name=token]"
    until(ann, lambda: ann.locator(first).count() or bo.locator(first).count())
    return ann.locator(first).count() > 0


def test_a_name_is_shown_as_text_and_presence_in_words(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, FOR_TWO[0]))
    expect(ann.locator("#announcements")).to_contain_text("is here")
    expect(ann.locator("#announcements")).not_to_contain_text("is away")
    expect(bo.locator("#seats")).to_contain_text("Ann <b>&")
    expect(bo.locator("#seats").get_by_text("is here")).to_be_visible()
    ann.close()
    expect(bo.locator("#seats").get_by_text("is away")).to_be_visible()


def test_the_page_says_who_one_is_and_whose_turn_it_is(visitor: Visitor) -> None:
    ann, bo, cy = visitor(), visitor(), visitor()
    game = WITHOUT_CHANCE
    first, second = (smallchange.game(game).words.PLAYERS[seat].en for seat in smallchange.game(game).seats)
    link = invite(ann, game, "Ann")
    expect(ann.locator("#viewer > span")).to_have_text([f"You are {first}", f"{second} (not here yet)"])
    sit_down(bo, link)
    cy.goto(link)
    expect(ann.locator("#viewer > span")).to_have_text([f"You are {first}", "Your turn", f"{second} (Bo)"])
    expect(bo.locator("#viewer > span")).to_have_text([f"You are {second}", f"{first} to move (Ann)"])
    about = smallchange.game(game).words.TAGLINE.en
    expect(cy.locator(".last-turn")).to_have_text(about)
    some_moves(ann, 1)
    expect(cy.locator(".last-turn")).not_to_have_text(about)
    expect(ann.locator("#viewer > span")).to_have_text([f"You are {first}", f"{second} to move (Bo)"])
    watched = ["You are watching", f"{first} (Ann)", f"{second} to move (Bo)"]
    expect(cy.locator("#viewer > span")).to_have_text(watched)
    expect(ann.locator("#moves")).to_contain_text("move 2")
    expect(ann.locator("[role=status] #viewer, [role=alert] #viewer")).to_have_count(0)
    at_one_screen(cy, game)
    expect(cy.locator("#viewer > span")).to_have_text(["You play both sides"])


def test_the_title_says_that_it_is_ones_turn_and_that_the_game_is_over(visitor: Visitor) -> None:
    game = WITHOUT_CHANCE
    ann, bo = visitor(), visitor()
    sit_down(ann, invite(bo, game))
    bo.goto(f"{bo.url}?lang=ja")
    words = smallchange.game(game).words.TITLE
    hers, his = f"{words.en} · Small Change", f"{words['ja']} · スモールチェンジ"
    expect(bo).to_have_title(f"あなたの番 · {his}")
    expect(ann).to_have_title(hers)
    some_moves(bo, 1)
    expect(bo).to_have_title(his)
    expect(ann).to_have_title(f"Your turn · {hers}")
    some_moves(ann, 1)
    ann.get_by_role("link", name="First").click()
    expect(ann).to_have_title(hers)
    some_moves(bo, 1)
    expect(ann).to_have_title(f"Your turn · {hers}")
    bo.locator("#resign-question summary").click()
    bo.locator("#resign-question button").click()
    expect(ann).to_have_title(f"Game over · {hers}")
    expect(bo).to_have_title(f"ゲーム終了 · {his}")
    at_one_screen(ann, game)
    expect(ann).to_have_title(hers)


def test_a_draw_is_offered_declined_offered_again_and_accepted(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, WITHOUT_CHANCE))
    some_moves(ann, 1)
    ann.get_by_role("button", name="Offer a draw").click()
    bo.get_by_role("button", name="Decline").click()
    expect(bo.get_by_role("button", name="Decline")).to_have_count(0)
    expect(ann.locator("#notice").get_by_text("Bo declined the draw.")).to_be_visible()
    bo.get_by_role("button", name="Offer a draw").click()
    ann.get_by_role("button", name="Accept").click()
    expect(bo.locator(".result")).to_contain_text("draw")


def test_a_double_click_on_an_offer_does_not_withdraw_it(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, WITHOUT_CHANCE))
    some_moves(ann, 1)
    offer = ann.get_by_role("button", name="Offer a draw")
    offer.scroll_into_view_if_needed()
    box = offer.bounding_box()
    assert box is not None
    ann.mouse.move(box["x"] + 20, box["y"] + 20)
    for n in (1, 2):
        ann.mouse.down(click_count=n)
        ann.mouse.up(click_count=n)
        expect(ann.get_by_role("button", name="Withdraw the offer")).to_be_visible()
    bo.get_by_role("button", name="Accept").click()
    expect(ann.locator(".result")).to_contain_text("A draw")


def test_who_resigns_is_asked_once_more_and_the_rematch_swaps_seats(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    game = WITHOUT_CHANCE
    sit_down(bo, invite(ann, game))
    players = [smallchange.game(game).words.PLAYERS[seat].en for seat in smallchange.game(game).seats]
    ann.locator("#resign-question summary").click()
    ann.get_by_role("button", name="Yes, resign").press("Enter")
    expect(bo.locator(".result")).to_have_text("You won.")
    expect(ann.locator(".result")).to_have_text("You lost.")
    expect(bo.locator(".prompt")).to_contain_text(f"{players[1]} wins")
    bo.get_by_role("button", name="Ask for a rematch").click()
    ann.get_by_role("button", name="Accept").click()
    expect(bo.locator("#seats")).to_contain_text(f"{players[0]} Bo")
    expect(ann).to_have_url(bo.url)
    at_one_screen(ann, game)
    ann.locator("#resign-question summary").click()
    ann.get_by_role("button", name="Yes, resign").press("Enter")
    expect(ann.locator(".result")).to_contain_text(f"{players[1]} wins")


def test_two_at_one_screen_agree_on_a_draw(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    page.get_by_text("Resign", exact=True).click()
    page.get_by_text("Agree on a draw").click()
    page.get_by_role("button", name="Yes, a draw").press("Enter")  # asked of one of the two at a time
    expect(page.locator("#status")).to_contain_text("A draw by agreement.")
    expect(page.locator(".result")).to_be_visible()


def test_a_server_killed_in_the_middle_comes_back_with_the_position(visitor: Visitor, server: Server) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    since = ply(page)
    by_mouse(page, Random(6))
    moved_on(page, since)
    page.locator("#actions [name=token]").first.wait_for(state="attached")
    known = page.locator("#log li").count()
    server.stop(9)
    expect(page.get_by_text("No connection")).to_be_visible()
    server.start()
    expect(page.get_by_text("No connection")).to_be_hidden(timeout=60_000)
    assert page.locator("#log li").count() == known
    since = ply(page)
    by_mouse(page, Random(7))
    moved_on(page, since)


def test_a_move_made_while_the_server_is_away_is_done_once_it_is_back(
    visitor: Visitor, server: Server
) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    server.stop(9)
    expect(page.get_by_text("No connection")).to_be_visible()
    page.locator("#actions [name=token]").first.dispatch_event("click")
    page.locator("#actions [name=token]").last.dispatch_event("click")
    expect(page.locator("a.live")).to_have_count(0)
    server.start()
    expect(page.locator("#log li")).to_have_count(1, timeout=60_000)
    some_moves(page, 1)


def test_what_leads_to_another_table_leads_nowhere_while_the_server_is_away(
    visitor: Visitor, server: Server
) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    page.locator("#resign-question summary").click()
    page.get_by_role("button", name="Yes, resign").press("Enter")
    again, table = page.get_by_role("button", name=re.compile("^(Play again|Rematch)")), page.url
    again.wait_for()
    server.stop(9)
    expect(page.get_by_text("No connection")).to_be_visible()
    again.click()
    expect(page.locator("#board")).to_be_visible()
    server.start()
    expect(page.get_by_text("No connection")).to_be_hidden(timeout=60_000)
    again.click()
    page.wait_for_url(lambda url: url != table)


def test_why_the_server_stops_is_said_until_it_is_back(visitor: Visitor, server: Server) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
    server.stop()
    expect(page.locator("#connection")).to_contain_text("The server is stopping. Nothing is lost")
    server.start()
    expect(page.get_by_text("The server is stopping")).to_be_hidden(timeout=60_000)
    some_moves(page, 1)


def test_what_is_refused_can_be_tried_again(visitor: Visitor, tmp_path: Path) -> None:
    with serving(tmp_path, playing=1) as served:
        page = visitor(base_url=served.url)
        at_one_screen(page, WITHOUT_CHANCE)
        page.locator("#actions [name=token]").first.dispatch_event("click")
        expect(page.locator("#refusal")).to_contain_text("Too many")  # to open the table counted
        assert live_ids(page)


def test_a_move_is_posted_as_a_form_where_no_line_comes_about(visitor: Visitor) -> None:
    page = visitor()
    page.route_web_socket("**/ws*", lambda line: line.close())
    begin(page, WITHOUT_CHANCE, scripted=False)
    since = ply(page)
    page.locator("#move-details summary").press("Enter")
    page.locator("#move-details button").first.click()
    moved_on(page, since)


@pytest.mark.parametrize("game", [g for g in GAMES if hasattr(smallchange.game(g).layout, "preview")])
def test_what_is_open_is_ringed_for_who_decides_and_not_for_who_watches(visitor: Visitor, game: str) -> None:
    ann, eve, luck = visitor(), visitor(), Random(2)
    rings = "#board .preview"
    begin(ann, game)
    for _ in range(MOST):
        wait_for_turn(ann)
        if ann.locator(rings).count():
            break
        if over(ann):
            begin(ann, game)
            continue
        since = ply(ann)
        by_mouse(ann, luck)
        moved_on(ann, since)
    eve.goto(ann.url)
    expect(ann.locator(rings).first).to_be_visible()
    expect(eve.locator(rings).first).to_be_attached()
    expect(eve.locator(rings).first).to_be_hidden()


def test_who_is_beaten_by_another_step_is_told_so_beside_the_table_as_it_is_now(visitor: Visitor) -> None:
    """Where that was made at another server, its news comes after the answer."""
    page, held, lines = visitor(), list[str | bytes](), list[WebSocketRoute]()

    def join(line: WebSocketRoute) -> None:
        lines.append(line)
        server = line.connect_to_server()
        server.on_message(lambda said: (held.append if len(lines) and late else line.send)(said))

    late: list[bool] = []
    page.route_web_socket("**/ws*", join)
    at_one_screen(page, WITHOUT_CHANCE)
    other = page.context.new_page()
    other.goto(page.url)
    wait_for_turn(other)
    late.append(True)
    some_moves(other, 1)
    page.locator("#actions [name=token]").first.dispatch_event("click")
    until(page, lambda: any('"conflict"' in str(said) for said in held[:-1]) and '"changes"' in str(held[-1]))
    for said in sorted(held, key=lambda said: '"changes"' in str(said)):
        lines[0].send(said)
    moved_on(page, 0)
    expect(page.locator("#refusal")).to_have_text(ErrorCode.CONFLICT.text.en)
    late.clear()
    some_moves(page, 1)
    expect(page.locator("#refusal")).to_be_empty()


BESIDE_MARKUP: dict[str, Any] = {"is": "changes", "ply": 1, "kept": 0}
UNREADABLE = {
    "no JSON": "{",
    "nothing": "null",
    "another value": "7",
    "no kind": "{}",
    "no markup": BESIDE_MARKUP | {"html": None},
    "an unknown part": BESIDE_MARKUP | {"html": {"elsewhere": "<p id=elsewhere></p>"}},
    "an empty part": BESIDE_MARKUP | {"html": {"status": ""}},
    "a part that is no text": BESIDE_MARKUP | {"html": {"status": [4000]}},
    "no rows": BESIDE_MARKUP | {"rows": 1},
    "no turns": BESIDE_MARKUP | {"turns": [{}]},
}


def test_a_page_asks_for_the_whole_table_instead_of_what_it_cannot_read(visitor: Visitor) -> None:
    page, lines, asked = visitor(), list[WebSocketRoute](), list[str | bytes]()

    def join(line: WebSocketRoute) -> None:
        lines.append(line)
        server = line.connect_to_server()

        def relay(said: str | bytes) -> None:
            asked.append(said)
            server.send(said)

        line.on_message(relay)

    page.route_web_socket("**/ws*", join)
    at_one_screen(page, WITHOUT_CHANCE)
    fresh = page.context.new_page()
    for message in UNREADABLE.values():
        some_moves(page, 1)
        asked.clear()
        lines[0].send(message if isinstance(message, str) else json.dumps(message))
        until(page, lambda: any('"ply":-1' in str(said) for said in asked))
        fresh.goto(page.url)
        until(page, lambda: parts_of(page) == parts_of(fresh))
    assert len(lines) == 1


def parts_of(page: Page) -> list[str]:
    """Return what a page shows of its table: its words, and where its pieces lie."""
    words = [
        page.locator(f"#{id}").text_content() or "" for id in ("status", "moves", "seats", "log", "actions")
    ]
    places = "all => all.map((piece) => piece.id + piece.getAttribute('transform')).join()"
    return [*words, page.locator("#board a").evaluate_all(places)]
