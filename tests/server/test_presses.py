"""A form that creates something does so once, however often it is pressed before its answer comes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

import smallchange.server
from smallchange.core.game import Game
from smallchange.server.database import schema

from .rated import PASSWORD, sign_up
from .serving import TIMEOUT_S, Person, Served, serving
from .tables import PAIR

NAMES = count()
FORM = re.compile(r'<form\b(?=[^>]*method="post")(?:[^>]|\}\}|%\})*?>(.*?)</form>', re.DOTALL)
# what the forms do that set something, answer, or lead to what is there: pressed again they change nothing more
SETTING = (
    "/lang", "/theme", "/settings", "/keepers/act", "/keepers/unban", "/keepers/block", "/keepers/unblock",
    "/notifications/choose", "/notifications/push/end", "/notifications/read", "/challenges/", "/daily/", "/follow",
    "/people/{{ name|urlencode }}/block", "/withdraw", "/mute", "/plan", "/remove",
    "/tournaments/{{ head.id }}/{{ action }}",
)  # fmt: skip


def press_of(page: str, action: str) -> str:
    """Return the id of the form with this action on a page."""
    forms = (form[0] for form in FORM.finditer(page) if f'action="{action}"' in form[0])
    return next(found[1] for form in forms if (found := re.search(r'name="press" value="([^"]+)"', form)))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("presses")) as served:
        yield served


@pytest.fixture(scope="module")
def other_process(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield another process on the same database."""
    with serving(tmp_path_factory.mktemp("other"), database=served.settings.database, roles="none") as other:
        yield other


@pytest.fixture
def kim(served: Served) -> Iterator[Person]:
    with Person(served) as kim:
        sign_up(kim, f"Kim {next(NAMES)}x")
        yield kim


def press_thrice(
    browser: httpx.Client, action: str, fields: dict[str, str], at_once: bool, second: str = ""
) -> list[httpx.Response]:
    """Return the answers of three presses, the second at another address. Fields that scripts add differ each time."""
    sent = [(f"{second if n == 1 else ''}{action}", fields | {"added": f"words {n}"}) for n in range(3)]
    if not at_once:
        return [browser.post(path, data=one) for path, one in sent]
    with ThreadPoolExecutor(3) as pool:
        return list(pool.map(lambda one: browser.post(one[0], data=one[1]), sent))


def row_count(served: Served, table: str) -> int:
    """Return how many rows a table of the database has; of matches those without a clock, which only forms open.

    A tournament of the hour may begin one meanwhile, and two tests' people who seek the same game may be paired.
    """
    rows = schema.metadata.tables[table]
    ask = select(func.count()).select_from(rows)
    if rows is schema.match:
        ask = ask.where(rows.c.control.is_(None))
    return int(served.call(served.services.tables.store.read(lambda c: c.execute(ask).scalar_one())))


def test_every_form_of_a_page_has_an_id_or_creates_nothing() -> None:
    here = Path(smallchange.server.__file__).parent
    for path in [*here.glob("*/templates/*.html"), *here.glob("**/view/*.py")]:
        for form in FORM.finditer(path.read_text().replace("{hidden}", 'name="press"')):
            sets = any(action in form[0] for action in SETTING) or "action=" not in form[0]
            assert sets or 'name="press"' in form[0] or path.stem in ("authenticate", "puzzle"), form[0]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(
    ("page", "action", "table", "typed"),
    [
        ("/", f"/games/{PAIR}", "match", {}),
        (f"/games/{PAIR}", f"/games/{PAIR}", "match", {}),
        ("/play", "/play", "seek", {"game": PAIR, "time": "5+3"}),
        ("/tournaments", "/tournaments", "tournament", {
            "name": "Cup", "kind": "arena", "game": PAIR, "time": "5+3", "minutes": "60", "rounds": "3",
            "begins_in": "60",
        }),
        ("/people/{other}", "/people/{other}/challenge", "challenge", {"game": PAIR, "time": "5+3"}),
        ("/account/bots", "/account/bots", "account", {"name": "{bot}"}),
    ],
)  # fmt: skip
def test_three_presses_of_a_form_at_two_processes_create_one(
    served: Served,
    other_process: Served,
    kim: Person,
    page: str,
    action: str,
    table: str,
    typed: dict[str, str],
    at_once: bool,
) -> None:
    names = {"other": f"Other {next(NAMES)}x", "bot": f"Robot {next(NAMES)}x"}
    with Person(served) as other:
        sign_up(other, names["other"])
    page, action = page.format(**names), action.format(**names)
    shown = kim.web.get(page)
    assert shown.status_code == 200
    fields = {name: value.format(**names) for name, value in typed.items()}
    fields["press"] = press_of(shown.text, action.replace(" ", "%20"))
    before = row_count(served, table)
    answers = press_thrice(kim.web, action, fields, at_once, other_process.url)
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer.headers["location"] for answer in answers}) == 1
    assert row_count(served, table) == before + 1


def test_three_presses_of_the_next_game_after_an_end_open_one(
    served: Served, other_process: Served, kim: Person
) -> None:
    first, second = Game(PAIR).seats
    id = kim.open(PAIR, **{f"seat.{first}": "me", f"seat.{second}": "bot:level3"})
    kim.command(id, "resign", served.live_table(id).history.ply)
    page = kim.page(id)
    fields = {
        f"seat.{first}": "me",
        f"seat.{second}": "bot:level2",
        "press": press_of(page, f"/games/{PAIR}"),
    }
    before = row_count(served, "match")
    answers = press_thrice(kim.web, f"/games/{PAIR}", fields, True, other_process.url)
    assert len({answer.headers["location"] for answer in answers}) == 1
    assert row_count(served, "match") == before + 1


def test_a_form_that_is_drawn_anew_or_filled_in_anew_creates_another(served: Served, kim: Person) -> None:
    found, first = [], press_of(kim.web.get("/").text, f"/games/{PAIR}")
    again = press_of(kim.web.get("/").text, f"/games/{PAIR}")
    for fields in (
        {"press": first},
        {"press": again},
        {"press": first, "size": "4"},
        {"press": ""},
        {"press": ""},
        {},
    ):
        found.append(kim.post(f"/games/{PAIR}", **fields).headers["location"])
    assert len({*found}) == 6
    with Person(served) as other:
        stranger = other.post(f"/games/{PAIR}", press=first)
        assert stranger.headers["location"] not in found, "another browser has ids of its own"


def test_a_press_that_was_refused_may_be_tried_again(kim: Person) -> None:
    press = press_of(kim.web.get("/account/bots").text, "/account/bots")
    assert kim.post("/account/bots", name="..", press=press).status_code == 400
    assert kim.post("/account/bots", name=f"Robot {next(NAMES)}x", press=press).status_code == 303


def test_who_presses_sign_up_twice_sees_the_recovery_codes_all_the_same(served: Served) -> None:
    with Person(served) as lou:
        press = press_of(lou.web.get("/account").text, "/account/sign-up")
        fields = {"name": f"Lou {next(NAMES)}x", "password": PASSWORD, "press": press}
        cookie = {"Cookie": f"who={lou.web.cookies['who']}"}
        with httpx.Client(base_url=served.url, headers=cookie, timeout=TIMEOUT_S) as browser:
            answers = press_thrice(browser, "/account/sign-up", fields, at_once=True)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert len({answer.headers["set-cookie"] for answer in answers}) == 1


def test_a_token_of_a_bot_is_made_and_shown_once(other_process: Served, kim: Person) -> None:
    kim.post("/account/bots", name=f"Robot {next(NAMES)}x")
    page = kim.web.get("/account/bots").text
    bot = re.search(r'name="bot" value="([^"]+)"', page)
    assert bot
    fields = {"bot": bot[1], "label": "one", "press": press_of(page, "/account/bots/token")}
    answers = press_thrice(kim.web, "/account/bots/token", fields, at_once=True)
    assert len({answer.text for answer in answers}) == 1
    assert "bot_" in answers[0].text
    elsewhere = kim.web.post(f"{other_process.url}/account/bots/token", data=fields)
    assert (elsewhere.status_code, "bot_" in elsewhere.text) == (409, False), "it is stored nowhere"


@pytest.mark.parametrize(
    ("path", "table", "body"),
    [
        ("/matches", "match", {"game": PAIR}),
        ("/matches/{match}/fork", "match", {"at": 0}),
        ("/accounts/{other}/challenge", "challenge", {"game": PAIR, "time": "5+3"}),
        ("/seek", "seek", {"wishes": [{"game": PAIR, "time": "5+3"}]}),
        (
            "/tournaments",
            "tournament",
            {"name": "Cup", "kind": "arena", "game": PAIR, "time": "5+3", "minutes": 60},
        ),
        ("/accounts", "account", {"name": "{new}", "password": PASSWORD}),
    ],
)
def test_a_call_that_is_sent_again_with_its_key_creates_one(
    served: Served, other_process: Served, kim: Person, path: str, table: str, body: dict[str, Any]
) -> None:
    names = {"other": f"Other {next(NAMES)}x", "new": f"New {next(NAMES)}x"}
    with Person(served) as other:
        sign_up(other, names["other"])
    web = httpx.Client(timeout=TIMEOUT_S, headers={"Idempotency-Key": f"a key that I made up {next(NAMES)}"})
    if path != "/accounts":
        web.headers["Authorization"] = f"Bearer {kim.web.cookies['who']}"
    seats = {f"seat.{seat}": "me" for seat in Game(PAIR).seats}
    names["match"] = kim.open(PAIR, **seats)
    sent = {name: value.format(**names) if isinstance(value, str) else value for name, value in body.items()}
    before = row_count(served, table)
    with web:
        first, elsewhere, again = (
            web.post(f"{one.url}/api{path.format(**names)}", json=sent)
            for one in (served, other_process, served)
        )
        assert first.is_success, first.text
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert elsewhere.json()["code"] == "done-already"
        assert row_count(served, table) == before + 1
        other_key = {"Idempotency-Key": "another key of mine"}
        assert (
            web.post(f"{served.url}/api/matches", json={"game": PAIR}, headers=other_key).status_code == 201
        )
        assert (
            web.post(f"{served.url}/api/seek", json=sent, headers={"Idempotency-Key": "1"}).status_code == 400
        )
