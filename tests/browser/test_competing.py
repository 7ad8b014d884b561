"""People who compete: a duel, a duplicate pair, and a house bot where nobody else looks for a game."""

from __future__ import annotations

import re
from itertools import count
from random import Random

from playwright.sync_api import Page, expect

from smallchange.server.daily.days import daily_games
from smallchange.server.meeting.view import BOT_OFFERED_MS
from smallchange.server.web.sessions import cookie_name
from tests.support.browser import Server, Visitor, assert_fits
from tests.support.play import moved_on, ply, post_first_move, wait_for_connection, wait_for_paint

PASSWORD = "correct horse battery"
PHONE = {"width": 320, "height": 640}
GAME = daily_games()[-1]
FOR_TWO = "coin-age"
NUMBERS = count()
BOTS = re.compile("Pip|Nell|Otto|Vera|Magnus")


def sign_up(page: Page, server: Server) -> str:
    """Create an account by the API, let the browser be signed in to it, and return the token."""
    account = {"name": f"Ada {next(NUMBERS)}x", "password": PASSWORD}
    token = str(page.context.request.post("/api/accounts", data=account).json()["token"])
    page.context.add_cookies([{"name": cookie_name("who", secure=False), "value": token, "url": server.url}])
    return token


def play_deal(page: Page, token: str) -> str:
    """Begin the deal by its button, play it to its end as a program of the account, and return its path."""
    page.get_by_role("button", name="Play the deal").click()
    page.wait_for_url(re.compile(r"/m/\w+$"))
    id, web, luck = page.url.partition("/m/")[2], page.context.request, Random(3)
    page.goto("about:blank")  # or each move would be drawn
    own = {"Authorization": f"Bearer {token}"}
    table = web.get(f"/api/matches/{id}", headers=own).json()
    while table["actor"] is not None:
        command = {
            "ply": table["ply"],
            "move": f"move-{table['ply']:06}",
            "token": luck.choice(table["legal"]),
        }
        answer = web.post(f"/api/matches/{id}/act", headers=own, data=command)
        assert answer.ok, answer.text()
        table = answer.json()["table"]
    return f"/m/{id}"


def test_two_people_play_a_duel_and_then_see_both_games(visitor: Visitor, server: Server) -> None:
    ann, bo = visitor(), visitor(viewport=PHONE)
    tokens = {page: sign_up(page, server) for page in (ann, bo)}
    ann.goto("/tournaments")
    ann.get_by_role("link", name="Duel with the same luck").click()
    ann.locator("#game").select_option(GAME)
    ann.get_by_role("button", name="Open a tournament").click()
    ann.wait_for_url(re.compile(r"/tournaments/\w+$"))
    path = "/tournaments/" + ann.url.rpartition("/")[2]
    bo.goto(path)
    bo.get_by_role("button", name="Enter", exact=True).click()
    for page in (ann, bo):
        expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
        assert_fits(page)
    expect(bo.get_by_role("button", name="Play the deal")).to_be_visible()
    game = play_deal(ann, tokens[ann])
    expect(bo.locator("#live")).to_contain_text("Finished the deal: 1 of 2.")
    assert bo.context.request.get(game).status == 403, "the deal is not sealed"
    ann.goto(path)
    expect(ann.locator("#live")).to_contain_text("You have played this deal.")
    play_deal(bo, tokens[bo])
    expect(ann.locator(".state")).to_have_text("Over")
    expect(ann.locator("[aria-labelledby=results] tbody tr")).to_have_count(2)
    bo.goto(path)
    bo.locator(f'.standings a[href="{game}"]').click()
    expect(bo.locator(".result")).to_be_visible()


def test_two_people_begin_the_same_pair_against_a_bot(visitor: Visitor, server: Server) -> None:
    ann, bo = visitor(), visitor(viewport=PHONE)
    for page in (ann, bo):
        sign_up(page, server)
    ann.goto("/tournaments?kind=duel")
    ann.locator("#game").select_option(FOR_TWO)
    ann.get_by_role("button", name="Open a tournament").click()
    ann.wait_for_url(re.compile(r"/tournaments/\w+$"))
    expect(ann.locator(".facts")).to_contain_text("Duplicate pair")
    bo.goto(ann.url)
    bo.get_by_role("button", name="Enter", exact=True).click()
    expect(bo.get_by_role("button", name="Play the deal")).to_be_visible()
    assert_fits(bo)
    ann.get_by_role("button", name="Play the deal").click()
    ann.wait_for_url(re.compile(r"/m/\w+$"))
    expect(ann.locator("#seats")).to_contain_text(BOTS)
    assert bo.context.request.get(ann.url).status == 403, "the pair is not sealed"


def test_a_house_bot_is_offered_after_ten_seconds_and_met_at_a_rated_table(
    visitor: Visitor, server: Server
) -> None:
    ann = visitor(viewport=PHONE)
    sign_up(ann, server)
    ann.clock.install()
    ann.goto("/play")
    for box in ann.locator("[type=checkbox][name=game]").all():
        box.set_checked(box.get_attribute("value") == FOR_TWO)
    ann.get_by_role("button", name="Look for an opponent").click()
    ann.wait_for_url(re.compile(r"/play/\w+$"))
    offer = ann.locator("#house")
    expect(offer).to_be_hidden()
    ann.clock.run_for(BOT_OFFERED_MS)
    expect(offer).to_contain_text(BOTS)
    offer.get_by_role("button").click()
    ann.wait_for_url(re.compile(r"/m/\w+$"))
    expect(ann.locator(".table-footer")).to_contain_text("Rated")
    expect(ann.locator("#seats")).to_contain_text(BOTS)


def test_an_arena_leads_both_to_each_of_their_matches_and_calls_who_is_elsewhere(
    visitor: Visitor, server: Server
) -> None:
    ann, bo = visitor(), visitor(viewport=PHONE)
    for page in (ann, bo):
        sign_up(page, server)
    ann.goto("/tournaments?kind=arena")
    ann.locator("#name").fill("Friday")
    ann.locator("#game").select_option(FOR_TWO)
    ann.locator("#time").select_option("5+3")
    ann.get_by_role("button", name="Open a tournament").click()
    ann.wait_for_url(re.compile(r"/tournaments/\w+$"))
    bo.goto(ann.url)
    for page in (ann, bo):
        page.get_by_role("button", name="Enter", exact=True).click()
        expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    ann.get_by_role("button", name="Begin now").click()
    for page in (ann, bo):
        page.wait_for_url(re.compile(r"/m/\w+$"))
        wait_for_connection(page)
    first = ann.url
    for _ in range(2):  # who does not move is taken for absent
        mover = next(page for page in (ann, bo) if page.locator("#actions [name=token]").count())
        before = {page: ply(page) for page in (ann, bo)}
        post_first_move(mover)
        for page in (ann, bo):
            moved_on(page, before[page])
    bo.locator("#resign-question summary").click()
    bo.locator("#resign-question button").press("Enter")
    for page in (ann, bo):
        page.wait_for_url(lambda url: "/m/" in url and url != first)
    mover = next(page for page in (ann, bo) if page.locator("#actions [name=token]").count())
    mover.goto("/daily")
    call = mover.locator("#awaited")
    expect(call).to_contain_text("Your move in Coin Age")
    expect(call.locator("b")).to_have_text(re.compile(r"0:\d\d"))
    expect(mover).to_have_title(re.compile("^Your move in Coin Age"))
    call.get_by_role("link").click()
    mover.wait_for_url(re.compile(r"/m/\w+$"))
    mover.goto(first)
    back = mover.get_by_role("link", name="Back to the tournament")
    expect(back).to_be_attached()
    other = bo if mover is ann else ann
    wait_for_connection(mover)
    other.goto(first)
    expect(mover.get_by_text(re.compile("is here")).first).to_be_attached()
    wait_for_paint(mover)
    assert mover.url == first, "who looks back is led nowhere by what happens there"
