"""The network is cut around every frame: who plays is told, sees the server's position once it is back, and a
move that was sent once has one effect."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Page, expect

import smallchange
from smallchange.core.match import Match
from smallchange.core.state import CHANCE
from smallchange.server.table.model.events import Step, tag_of
from tests.server.serving import Served, serving, stored_events
from tests.support.browser import Visitor
from tests.support.cut_proxy import AFTER, BEFORE, DURING, TIMEOUT_S, UNHEARD, Cable
from tests.support.play import FOR_TWO, by_mouse, moved_on, over, ply, sit_down, unfold

CUT_MOMENTS = (BEFORE, AFTER, UNHEARD, DURING)
SHORT = {"size": "3", "seat.red": "me", "seat.green": "me"}  # of Dodg'em, at one screen
INVITING = {game: {f"seat.{smallchange.game(game).seats[-1]}": "open"} for game in FOR_TWO}
SHOWN_MS = 200  # for each look at both pages
SOME = 4  # decisions of a game with chance
CUTS = ((1,), (1, 1), (1, 2))  # a move; then the question where the table is; or the move sent again
ASKING: tuple[tuple[int, ...], ...] = ((), (1,))  # once the line is back, it is cut again as the page asks
NEWS = [(how, again) for how in (UNHEARD, DURING, AFTER) for again in ASKING]
PARTS = ("board", "status", "tally", "actions", "trays", "more-actions", "seats", "log")
LOOK = """ids => {
  const plain = (el) => el.nodeType !== 1 ? el.data.trim() : [el.localName,
    [...el.attributes].map(({ name, value }) => [name, name !== "href" && value.split(" ").sort()]).sort(),
    [...el.childNodes].map(plain)];
  return JSON.stringify(ids.map((id) => plain(document.getElementById(id))));
}"""

MAX_SHIFT = 0.02  # of a layout, where 1 is the whole window
KEEP = """() => {  // the ids of pieces that are other elements than at the last call, and how much has shifted
  if (!window.kept) {
    window.kept = new Map();
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift += entry.value;
    }).observe({ type: "layout-shift" });
  }
  const pieces = [...document.querySelectorAll("#board a.piece")];
  const others = pieces.filter((el) => kept.has(el.id) && kept.get(el.id) !== el).map((el) => el.id);
  for (const el of pieces) kept.set(el.id, el);
  return [others, window.shift, pieces.length];
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served


@pytest.fixture
def cable(served: Served) -> Iterator[Cable]:
    with Cable(served.port) as cable:
        yield cable


def stored_moves(served: Served, id: str) -> list[object]:
    """Return the move ids of the players' steps as they are in the database."""
    return [
        move for kind, seat, _, move in stored_events(served, id) if kind == tag_of(Step) and seat != CHANCE
    ]


@pytest.mark.parametrize("how", [BEFORE, UNHEARD])
def test_a_game_is_played_to_its_end_though_every_frame_is_cut(
    visitor: Visitor, served: Served, cable: Cable, how: str
) -> None:
    page, witness = open_pages(visitor, served, cable, "dodgem", SHORT)
    for n, token in enumerate(short_game()):
        cable.cut_at(how, *CUTS[n if n < len(CUTS) else 0])
        since = ply(page)
        page.locator(f"#actions button[value='{token}']").first.dispatch_event("click")
        comes_back(page, witness, cable, since)
        assert len(stored_moves(served, match(page))) == n + 1
    assert over(page)


@pytest.mark.parametrize("game", ["solo"])
def test_what_chance_shows_is_drawn_once_however_the_line_is_cut(
    visitor: Visitor, served: Served, cable: Cable, game: str
) -> None:
    seats = {f"seat.{player}": "me" for player in smallchange.game(game).seats}
    page, witness = open_pages(visitor, served, cable, game, seats if game in FOR_TWO else {})
    luck = Random(2)
    for n, how in enumerate(CUT_MOMENTS):
        if over(page):
            break
        cable.cut_at(how, 1)
        since = ply(page)
        by_mouse(page, luck)
        comes_back(page, witness, cable, since)
        assert len(stored_moves(served, match(page))) == n + 1


def test_pieces_stay_the_same_elements_and_nothing_shifts(
    visitor: Visitor, served: Served, cable: Cable
) -> None:
    page, witness = open_pages(visitor, served, cable, "dodgem", SHORT)
    _, _, pieces = page.evaluate(KEEP)
    decide(page, page, witness)
    decide(page, page, witness)
    assert page.evaluate(KEEP)[::2] == [[], pieces]
    since = ply(page)
    page.locator("#undo").dispatch_event("click")
    moved_on(page, since)
    assert page.evaluate(KEEP)[::2] == [[], pieces]
    cable.cut_now()
    expect(page.get_by_text("No connection")).to_be_visible()
    page.clock.fast_forward(40_000)
    since = ply(page)
    decide(witness, witness)
    cable.mend()
    page.clock.fast_forward(40_000)
    moved_on(page, since)
    same_as(page, witness)
    others, shift, left = page.evaluate(KEEP)
    assert (others, left) == ([], pieces)
    assert shift <= MAX_SHIFT


@pytest.mark.parametrize("game", FOR_TWO[:1])
def test_the_others_moves_are_shown_in_the_end_though_the_line_is_cut_around_each(
    visitor: Visitor, served: Served, cable: Cable, game: str
) -> None:
    page, witness = open_pages(visitor, served, cable, game, INVITING[game])
    link = page.get_by_role("link", name="Invitation link").get_attribute("href") or ""
    other = visitor()
    sit_down(other, served.url + link)
    expect(page.locator("#seats").get_by_text("is here")).to_be_visible()
    live_table = served.live_table(match(page))
    for how, again in NEWS:
        while live_table.history.turn == 0:
            decide(page, page, other)
        cable.cut_at_news(how, *again)
        since = ply(page)
        decide(other, other)
        cable.wait()
        if how == AFTER:
            moved_on(page, since)
        else:
            assert ply(page) == since
        comes_back(page, witness, cable, since)
        assert ply(page) == live_table.history.ply


def decide(mover: Page, *shown: Page) -> None:
    """Take the first move there is, and see it on both pages."""
    since = ply(mover)
    mover.locator("#actions button[name=token]").first.dispatch_event("click")
    for page in shown:
        moved_on(page, since)


def test_who_went_away_while_the_line_was_cut_is_said_to_be_away(
    visitor: Visitor, served: Served, cable: Cable
) -> None:
    page, other = visitor(), visitor()
    page.goto(f"{cable.url}/games/dodgem")
    unfold(page)
    page.locator("[name='seat.green']").select_option("open")
    page.get_by_role("button", name="Play", exact=True).click()
    link = page.get_by_role("link", name="Invitation link").get_attribute("href") or ""
    sit_down(other, served.url + link)
    expect(page.locator("#seats").get_by_text("is here")).to_be_visible()
    page.context.new_page().goto(f"{served.url}/m/{match(page)}")  # so that only the other's seat changes
    cable.cut_now()
    other.close()
    expect(page.get_by_text("No connection")).to_be_visible()
    cable.mend()
    expect(page.locator("#seats").get_by_text("is away")).to_be_visible()


def test_a_network_that_swallows_everything_is_noticed_and_left(
    visitor: Visitor, served: Served, cable: Cable
) -> None:
    page, witness = open_pages(visitor, served, cable, "dodgem", SHORT)
    cable.swallow()
    witness.locator("#actions button[name=token]").first.dispatch_event(
        "click"
    )  # of which the page hears nothing
    page.clock.fast_forward(4_100)  # it asks whether anybody is there
    expect(page.get_by_text("No connection")).to_be_hidden()
    page.clock.fast_forward(5_600)
    expect(page.get_by_text("No connection")).to_be_visible()
    cable.mend()
    comes_to_itself(page, witness)


def test_a_move_that_is_swallowed_is_sent_again_on_another_line(
    visitor: Visitor, served: Served, cable: Cable
) -> None:
    page, witness = open_pages(visitor, served, cable, "dodgem", SHORT)
    cable.swallow()
    page.locator("#actions button[name=token]").first.dispatch_event("click")
    page.clock.fast_forward(7_000)
    expect(page.get_by_text("No connection")).to_be_visible()
    cable.mend()
    comes_to_itself(page, witness)
    assert len(stored_moves(served, match(page))) == 1
    assert ply(page) == 1


@pytest.mark.parametrize(
    ("button", "says"),
    [("#actions button[name=token]", "Your move waits"), ("#resign-question button", "What you chose waits")],
)
def test_what_is_done_while_the_line_is_cut_is_said_to_wait_and_has_its_effect_later(
    visitor: Visitor, served: Served, cable: Cable, button: str, says: str
) -> None:
    page, witness = open_pages(visitor, served, cable, "dodgem", SHORT)
    cable.cut_now()
    expect(page.locator("#connection")).to_contain_text("The board stays as it is")
    page.locator(button).first.dispatch_event("click")
    expect(page.locator("#connection")).to_contain_text(says)
    cable.mend()
    expect(page.locator("#connection")).to_be_hidden()
    for one in (page, witness):
        expect(one.locator("#log li, #result .result")).to_have_count(1)


def comes_to_itself(page: Page, witness: Page) -> None:
    """Check that the page finds another line, says so, and shows the other's moves."""
    expect(witness.locator("#log li")).to_have_count(1)
    for _ in range(2):
        page.clock.fast_forward(8_000)
    expect(page.locator("#log li")).to_have_count(1)
    same_as(page, witness)
    page.clock.fast_forward(4_000)
    expect(page.locator("#connection")).to_be_hidden()


def open_pages(
    visitor: Visitor, served: Served, cable: Cable, game: str, fields: dict[str, str]
) -> tuple[Page, Page]:
    """Return a page whose line can be cut, and another of the same person, whose line holds."""
    page = visitor()
    page.clock.install()
    page.goto(f"{cable.url}/games/{game}")
    unfold(page)
    for name, value in fields.items():
        field = page.locator(f"[name='{name}']")
        field.fill(value) if name == "size" else field.select_option(value)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/m/*")
    witness = page.context.new_page()
    witness.goto(f"{served.url}/m/{match(page)}")
    same_as(page, witness)
    return page, witness


def comes_back(page: Page, witness: Page, cable: Cable, since: int) -> None:
    """Check that the page announces each cut, and in the end shows the move."""
    while True:
        cable.wait()
        expect(page.get_by_text("No connection")).to_be_visible()
        page.clock.fast_forward(2_100)  # in which it tried again in vain
        expect(page.get_by_text("No connection")).to_be_visible()
        last = not cable.planned
        cable.mend()
        page.clock.fast_forward(2_100)
        if last:
            break
    witness.locator(f"#table-data:not([data-ply='{since}'])").wait_for(state="attached")
    same_as(page, witness)
    page.clock.fast_forward(3_100)  # less than after which it asks whether anybody is there
    expect(page.locator("#connection")).to_be_hidden()


def same_as(page: Page, witness: Page) -> None:
    """Wait until both pages show the same."""
    until = time.monotonic() + TIMEOUT_S
    while (shown := page.evaluate(LOOK, PARTS)) != (expected := witness.evaluate(LOOK, PARTS)):
        if time.monotonic() > until:
            assert json.loads(shown) == json.loads(expected)
        page.clock.run_for(SHOWN_MS)  # in which the turn of another is shown step by step


def match(page: Page) -> str:
    return page.url.rpartition("/m/")[2]


def short_game() -> list[str]:
    """Return the shortest of some random games."""
    found: list[list[str]] = []
    for seed in range(200):
        luck, played = Random(seed), Match(smallchange.game("dodgem", size=3))
        while not played.over:
            played.play(luck.choice(played.position.legal()))
        found.append([step.token for step in played.steps])
    return min(found, key=len)
