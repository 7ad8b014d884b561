"""The network is cut around every frame: who plays is told, sees the server's position once it is back, and a
move that was sent once has one effect."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Page, expect

import smallchange
from smallchange.match import Match
from smallchange.state import CHANCE
from smallchange.web.story import STEP
from tests.web.serving import Person, Served, serving, settled

from .cable import AFTER, BEFORE, BETWEEN, DURING, PATIENCE, UNHEARD, Cable
from .conftest import Visitor
from .playing import FOR_TWO, by_mouse, moved_on, over, ply
from .program import Program
from .test_together import sit_down

WAYS = (BEFORE, AFTER, UNHEARD, DURING)
SHORT = {"size": "3", "seat.red": "me", "seat.green": "me"}  # of Dodg'em, at one screen
SOME = 4  # decisions of a game with chance
CUTS = ((1,), (1, 1), (1, 2))  # a move; then the question where the table is; or the move sent again
ASKING: tuple[tuple[int, ...], ...] = ((), (1,))  # once the line is back, it is cut again as the page asks
NEWS = [(how, again) for how in (UNHEARD, DURING, AFTER) for again in ASKING]
PARTS = ("board", "status", "tally", "act", "trays", "deeds", "seats", "log")
LOOK = """ids => {
  const plain = (el) => el.nodeType !== 1 ? el.data.trim() : [el.localName,
    [...el.attributes].map(({ name, value }) => [name, name !== "href" && value.split(" ").sort()]).sort(),
    [...el.childNodes].map(plain)];
  return JSON.stringify(ids.map((id) => plain(document.getElementById(id))));
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served


@pytest.fixture
def cable(served: Served) -> Iterator[Cable]:
    with Cable(served.port) as cable:
        yield cable


@pytest.fixture
def ann(served: Served) -> Iterator[Person]:
    with Person(served) as ann:
        yield ann


# Without a browser.


@pytest.mark.parametrize("how", [*WAYS, BETWEEN])
@pytest.mark.parametrize("game", ["dodgem", "solo", "thrag"])
def test_a_move_sent_again_after_a_cut_has_one_effect(
    served: Served, cable: Cable, ann: Person, game: str, how: str
) -> None:
    seats = {f"seat.{player}": "me" for player in smallchange.game(game).seats}
    id = ann.open(game, **(SHORT if game == "dodgem" else seats))
    cable.cut_at(how, 1)  # the question where the table is
    luck = Random(1)
    with Program(ann, cable, id) as program:
        while not program.over and (game == "dodgem" or len(program.sent) < SOME):
            cable.cut_at(how, *CUTS[len(program.sent) % len(CUTS)])
            program.act(luck)
    assert decided(served, id) == program.sent
    assert served.room(id).story.ply == program.ply


def decided(served: Served, id: str) -> list[object]:
    """The move ids of the players' steps as they are in the database."""
    return [move for kind, seat, _, move in settled(served, id) if kind == STEP and seat != CHANCE]


# With one.


@pytest.mark.parametrize("how", WAYS)
def test_a_game_is_played_to_its_end_though_every_frame_is_cut(
    visitor: Visitor, served: Served, cable: Cable, how: str
) -> None:
    page, witness = opened(visitor, served, cable, "dodgem", SHORT)
    for n, token in enumerate(short_game()):
        cable.cut_at(how, *CUTS[n if n < len(CUTS) else 0])
        since = ply(page)
        page.locator(f"#act button[value='{token}']").first.dispatch_event("click")
        comes_back(page, witness, cable, since)
        assert len(decided(served, match(page))) == n + 1
    assert over(page)


@pytest.mark.parametrize("game", ["solo"])
def test_what_chance_shows_is_drawn_once_however_the_line_is_cut(
    visitor: Visitor, served: Served, cable: Cable, game: str
) -> None:
    seats = {f"seat.{player}": "me" for player in smallchange.game(game).seats}
    page, witness = opened(visitor, served, cable, game, seats if game in FOR_TWO else {})
    luck = Random(2)
    for n, how in enumerate(WAYS):
        if over(page):
            break
        cable.cut_at(how, 1)
        since = ply(page)
        by_mouse(page, luck)
        comes_back(page, witness, cable, since)
        assert len(decided(served, match(page))) == n + 1


@pytest.mark.parametrize("game", FOR_TWO)
def test_the_others_moves_are_shown_in_the_end_though_the_line_is_cut_around_each(
    visitor: Visitor, served: Served, cable: Cable, game: str
) -> None:
    page, witness = opened(visitor, served, cable, game, {})
    link = page.get_by_role("link", name="Invitation link").get_attribute("href") or ""
    other = visitor()
    sit_down(other, served.url + link)
    expect(page.locator("#seats").get_by_text("is here")).to_be_visible()
    room = served.room(match(page))
    for how, again in NEWS:
        while room.story.turn == 0:
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
        assert ply(page) == room.story.ply


def decide(mover: Page, *shown: Page) -> None:
    """Somebody takes the first move there is, and sees it, as others do."""
    since = ply(mover)
    mover.locator("#act button[name=token]").first.dispatch_event("click")
    for page in shown:
        moved_on(page, since)


def test_who_went_away_while_the_line_was_cut_is_said_to_be_away(
    visitor: Visitor, served: Served, cable: Cable
) -> None:
    page, other = visitor(), visitor()
    page.goto(f"{cable.url}/games/dodgem")
    page.get_by_role("button", name="Play", exact=True).click()
    link = page.get_by_role("link", name="Invitation link").get_attribute("href") or ""
    sit_down(other, served.url + link)
    expect(page.locator("#seats").get_by_text("is here")).to_be_visible()
    page.context.new_page().goto(f"{served.url}/m/{match(page)}")  # so that only the other's seat changes
    cable.cut()
    other.close()
    expect(page.get_by_text("No connection")).to_be_visible()
    cable.mend()
    expect(page.locator("#seats").get_by_text("is away")).to_be_visible()


def test_a_network_that_swallows_everything_is_noticed_and_left(
    visitor: Visitor, served: Served, cable: Cable
) -> None:
    page, witness = opened(visitor, served, cable, "dodgem", SHORT)
    cable.swallow()
    witness.locator("#act button[name=token]").first.dispatch_event(
        "click"
    )  # of which the page hears nothing
    page.clock.fast_forward(16_000)  # it asks whether anybody is there
    expect(page.get_by_text("No connection")).to_be_hidden()
    page.clock.fast_forward(7_000)
    expect(page.get_by_text("No connection")).to_be_visible()
    cable.mend()
    comes_to_itself(page, witness)


def test_a_move_that_is_swallowed_is_sent_again_on_another_line(
    visitor: Visitor, served: Served, cable: Cable
) -> None:
    page, witness = opened(visitor, served, cable, "dodgem", SHORT)
    cable.swallow()
    page.locator("#act button[name=token]").first.dispatch_event("click")
    page.clock.fast_forward(7_000)
    expect(page.get_by_text("No connection")).to_be_visible()
    cable.mend()
    comes_to_itself(page, witness)
    assert len(decided(served, match(page))) == 1
    assert ply(page) == 1


def comes_to_itself(page: Page, witness: Page) -> None:
    """The page finds another line, says so, and shows what the other does."""
    expect(witness.locator("#log li")).to_have_count(1)
    for _ in range(2):
        page.clock.fast_forward(8_000)
    expect(page.locator("#log li")).to_have_count(1)
    same_as(page, witness)
    page.clock.fast_forward(4_000)
    expect(page.locator("#line")).to_be_hidden()


def opened(
    visitor: Visitor, served: Served, cable: Cable, game: str, fields: dict[str, str]
) -> tuple[Page, Page]:
    """A page whose line can be cut, and another of the same person, whose line holds."""
    page = visitor()
    page.clock.install()
    page.goto(f"{cable.url}/games/{game}")
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
    """The page says each time that the line is cut, and in the end shows what the move did."""
    while True:
        cable.wait()
        expect(page.get_by_text("No connection")).to_be_visible()
        page.clock.fast_forward(4000)  # in which it tried again in vain
        expect(page.get_by_text("No connection")).to_be_visible()
        last = not cable.planned
        cable.mend()
        page.clock.fast_forward(8000)
        if last:
            break
    witness.locator(f"#facts:not([data-ply='{since}'])").wait_for(state="attached")
    same_as(page, witness)
    page.clock.fast_forward(4000)
    expect(page.locator("#line")).to_be_hidden()


def same_as(page: Page, witness: Page) -> None:
    """Until both show the same of everything."""
    until = time.monotonic() + PATIENCE
    while page.evaluate(LOOK, PARTS) != witness.evaluate(LOOK, PARTS):
        assert time.monotonic() < until, "the page shows something else"


def match(page: Page) -> str:
    return page.url.rpartition("/m/")[2]


def short_game() -> list[str]:
    """The shortest of some random games."""
    found: list[list[str]] = []
    for seed in range(200):
        luck, played = Random(seed), Match(smallchange.game("dodgem", size=3))
        while not played.over:
            played.play(luck.choice(played.position.legal()))
        found.append([step.token for step in played.steps])
    return min(found, key=len)
