"""A guest goes on in another browser, by a link that works once and for a short time."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest

from smallchange.server.database import schema
from smallchange.server.table.live.table_service import now_ms

from .rated import PASSWORD
from .serving import TIMEOUT_S, Person, Served
from .tables import PAIR, legal, table_for_two


def link_of(person: Person) -> str:
    found = re.search(r'id="transfer" href="http[^"]*(/go-on/[\w-]+)"', person.post("/account/go-on").text)
    assert found
    return found[1]


def join(maker: Person, person: Person, link: str, **fields: str) -> httpx.Response:
    """Let a person join by a link, whose maker types the number that the person's browser shows."""
    asked = person.post(link, **fields)
    number = re.search(r'id="number">(\d{6})<', asked.text)
    if number is None:
        return asked
    code = link.rpartition("/")[2]
    assert maker.post("/account/go-on/confirm", code=code, number=number[1]).status_code == 303
    return person.post(link)


def here(served: Served, id: str) -> int:
    return served.live_table(id).history.ply


def test_a_guest_goes_on_in_another_browser_and_in_the_first_too(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    with Person(served) as phone:
        assert phone.command(id, "act", here(served, id), token=legal(served, id)[0]).status_code == 403, (
            "a spectator"
        )
        link = link_of(ann)
        assert "Go on in this browser" in phone.web.get(link).text
        answer = join(ann, phone, link)
        assert (answer.status_code, answer.headers["location"]) == (303, "/mine")
        assert f"/m/{id}" in phone.web.get("/mine").text
        with Person(served, Cookie=f"who={phone.web.cookies['who']}") as again:
            assert again.command(id, "act", here(served, id), token=legal(served, id)[0]).status_code == 303
    assert ann.command(id, "act", here(served, id), token="x").status_code != 403, "she still sits there"


def test_a_stolen_link_is_refused_once_it_was_used(served: Served, ann: Person, bo: Person) -> None:
    link = link_of(ann)
    assert join(ann, bo, link).status_code == 303
    with Person(served) as thief:
        before = thief.web.cookies["who"]
        refused = thief.post(link)
        assert refused.status_code == 410
        assert "was used already" in refused.text
        assert thief.web.cookies["who"] == before


def test_to_look_at_a_link_does_not_use_it(ann: Person, bo: Person) -> None:
    link = link_of(ann)
    for _ in range(2):
        assert bo.web.get(link).status_code == 200
    assert join(ann, bo, link).status_code == 303


def test_a_link_works_for_ten_minutes(ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    link, later_ms = link_of(ann), now_ms() + 11 * 60_000
    monkeypatch.setattr("smallchange.server.accounts.transfers.now_ms", lambda: later_ms)
    assert bo.post(link).status_code == 410


def test_the_games_of_the_other_browser_come_along(ann: Person, bo: Person) -> None:
    own = bo.open(PAIR)
    join(ann, bo, link_of(ann), along="1")
    assert f"/m/{own}" in bo.web.get("/mine").text


def test_nothing_is_merged_that_was_not_chosen(ann: Person, bo: Person) -> None:
    """A link of somebody else and one click do not hand over the games of a guest."""
    own, link = bo.open(PAIR), link_of(ann)
    before = bo.web.cookies["who"]
    assert bo.post(link).status_code == 400
    assert bo.web.cookies["who"] == before
    assert f"/m/{own}" in bo.web.get("/mine").text
    assert f"/m/{own}" not in ann.web.get("/mine").text
    assert join(ann, bo, link, along="0").status_code == 303
    assert f"/m/{own}" not in ann.web.get("/mine").text


def test_a_browser_joins_once_the_maker_of_the_link_types_its_number(ann: Person, bo: Person) -> None:
    own, link = bo.open(PAIR), link_of(ann)
    code, before = link.rpartition("/")[2], bo.web.cookies["who"]
    shown = re.search(r'id="number">(\d{6})<', bo.post(link, along="1").text)
    assert shown
    for _ in range(2):
        assert bo.post(link).status_code == 200
    assert bo.web.cookies["who"] == before
    assert f"/m/{own}" not in ann.web.get("/mine").text, "not before it is confirmed"
    wrong = f"{(int(shown[1]) + 1) % 10**6:06}"
    assert ann.post("/account/go-on/confirm", code=code, number=wrong).status_code == 400
    assert ann.post("/account/go-on/confirm", code=code, number=shown[1]).status_code == 400, "guessed once"
    with Person(ann.served) as stranger:
        again = re.search(r'id="number">(\d{6})<', bo.post(link, along="1").text)
        assert again
        assert stranger.post("/account/go-on/confirm", code=code, number=again[1]).status_code == 410
    assert ann.post("/account/go-on/confirm", code=code, number=again[1]).status_code == 303
    assert bo.post(link).status_code == 303
    assert f"/m/{own}" in ann.web.get("/mine").text


def test_a_guest_sees_the_browsers_that_joined_and_ends_them(ann: Person, bo: Person) -> None:
    id = ann.open(PAIR)
    assert "have joined this one" not in ann.web.get("/account").text
    join(ann, bo, link_of(ann))
    for person in (ann, bo):
        assert "have joined this one" in person.web.get("/account").text
        assert f"/m/{id}" in person.web.get("/mine").text
    assert ann.post("/account/go-on/end").status_code == 303
    assert f"/m/{id}" in ann.web.get("/mine").text
    assert f"/m/{id}" not in bo.web.get("/mine").text
    assert "have joined this one" not in ann.web.get("/account").text


def test_the_page_of_a_link_says_whose_browser_is_joined_and_with_which_games(
    ann: Person, bo: Person
) -> None:
    ann.open(PAIR, name="Mallory")
    bo.open(PAIR)
    text = bo.web.get(link_of(ann)).text
    for said in (
        "“Mallory”",
        "Seats there: 1 (Dodg’em).",
        "Your own seats in this browser: 1",
        "each plays all games",
    ):
        assert said in text


def number_of(answer: httpx.Response) -> str:
    found = re.search(r'id="number">(\d{6})<', answer.text)
    assert found
    return found[1]


def confirm(maker: Person, link: str, number: str) -> int:
    return maker.post("/account/go-on/confirm", code=link.rpartition("/")[2], number=number).status_code


def test_games_begun_after_the_number_was_shown_are_not_left_behind_without_a_choice(
    ann: Person, bo: Person
) -> None:
    link = link_of(ann)
    assert confirm(ann, link, number_of(bo.post(link))) == 303
    own = bo.open(PAIR)
    assert bo.post(link).status_code == 400
    assert "Your own seats in this browser: 1" in bo.web.get(link).text
    assert f"/m/{own}" not in ann.web.get("/mine").text
    assert bo.post(link, along="1").status_code == 303
    assert f"/m/{own}" in ann.web.get("/mine").text


def test_three_presses_at_once_join_once_and_each_has_the_cookie(ann: Person, bo: Person) -> None:
    link = link_of(ann)
    shown = bo.post(link)
    assert confirm(ann, link, number_of(shown)) == 303
    press = re.search(r'name="press" value="([^"]+)"', shown.text)
    assert press
    cookie = {"Cookie": f"who={bo.web.cookies['who']}"}
    with (
        httpx.Client(base_url=bo.served.url, headers=cookie, timeout=TIMEOUT_S) as browser,
        ThreadPoolExecutor(3) as pool,
    ):
        answers = list(pool.map(lambda _: browser.post(link, data={"press": press[1]}), range(3)))
    assert {answer.status_code for answer in answers} == {303}
    assert {answer.cookies["who"] for answer in answers} == {ann.web.cookies["who"]}


@pytest.mark.parametrize("of", ["sign-up", "erase"])
def test_no_kind_of_a_joined_browser_outlives_the_guest(served: Served, ann: Person, of: str) -> None:
    store = served.services.tables.store
    rows = partial(store.read, lambda c: [one.agent for one in c.execute(schema.joined_browser.select())])
    with Person(served, **{"User-Agent": f"Browser of {of}"}) as phone:
        join(ann, phone, link_of(ann))
    assert f"Browser of {of}" in served.call(rows())
    name = f"Guest {of}"
    assert ann.post("/account/sign-up", name=name, password=PASSWORD).status_code == 200
    if of == "erase":
        assert ann.post("/account/erase", name=name).status_code == 303
    assert f"Browser of {of}" not in served.call(rows())


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_a_link_ends_when_its_guest_makes_an_account(ann: Person, bo: Person, is_confirmed: bool) -> None:
    ann.open(PAIR)
    link = link_of(ann)
    if is_confirmed:
        assert confirm(ann, link, number_of(bo.post(link))) == 303
    assert ann.post("/account/sign-up", name=f"Ann {is_confirmed}", password=PASSWORD).status_code == 200
    before = bo.web.cookies["who"]
    for answer in (bo.web.get(link), bo.post(link)):
        assert answer.status_code == 410
        assert "Seats there" not in answer.text, "it tells nothing of the account's games"
    assert bo.web.cookies["who"] == before


def test_two_who_play_each_other_may_join_and_play_on_alone(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    assert join(ann, bo, link_of(ann)).status_code == 400, "whose seats, is not chosen"
    assert join(ann, bo, link_of(ann), along="1").status_code == 303
    assert ann.command(id, "act", here(served, id), token=legal(served, id)[0]).status_code == 303
    assert bo.command(id, "resign", here(served, id)).status_code == 303
    assert bo.page(id)


def test_of_two_browsers_at_one_link_the_one_joins_whose_number_is_typed(ann: Person, bo: Person) -> None:
    link = link_of(ann)
    with Person(ann.served) as thief:
        first, second = number_of(bo.post(link)), number_of(thief.post(link))
        assert (confirm(ann, link, first), confirm(ann, link, second)) == (400, 400), (
            "the second ended the first"
        )
        assert confirm(ann, link, number_of(bo.post(link))) == 303
        assert bo.post(link).status_code == 303
        assert thief.post(link).status_code == 410
        assert thief.web.cookies["who"] != bo.web.cookies["who"] == ann.web.cookies["who"]


def test_a_link_of_a_browser_that_was_ended_elsewhere_leads_to_no_game(ann: Person, bo: Person) -> None:
    id = ann.open(PAIR)
    join(ann, bo, link_of(ann))
    link = link_of(ann)
    assert bo.post("/account/go-on/end").status_code == 303
    with Person(ann.served) as late:
        assert join(ann, late, link).status_code == 303
        assert f"/m/{id}" not in late.web.get("/mine").text
    assert f"/m/{id}" in bo.web.get("/mine").text


def test_a_form_of_another_site_cannot_follow_a_link(ann: Person, bo: Person) -> None:
    link = link_of(ann)
    assert bo.web.post(link, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_the_database_has_no_token_of_a_guest(served: Served, ann: Person) -> None:
    link_of(ann)
    rows = served.call(
        served.services.tables.store.read(lambda c: c.exec_driver_sql("SELECT * FROM one_time_code").all())
    )
    token = ann.web.cookies["who"]
    assert rows
    assert token not in str(rows)
    assert token.encode().hex() not in str(rows)
