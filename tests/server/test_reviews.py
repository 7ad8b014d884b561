"""Reviews: once a match is over, what the best bot makes of its choices; for whoever may see the match."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from html import unescape
from math import inf
from pathlib import Path
from random import Random
from typing import cast

import httpx
import pytest

from smallchange import games
from smallchange.bots.review import Choice, accounts, choices, review, to_json
from smallchange.core import record
from smallchange.core.game import Game, Position
from smallchange.server.insight import reviews as reviewing
from smallchange.server.insight.review_view import review_page, review_progress_page
from smallchange.server.insight.reviews import (
    ABANDONED_AFTER_S,
    CHOICES_PER_HINT,
    MAX_REVIEWS,
    MAX_WAITED_FOR_PER_ADDRESS,
    Review,
    Reviews,
)
from smallchange.server.table.live.bot_workers import MAX_HINTS, BotWorkers
from smallchange.server.table.model.command_events import execute
from smallchange.server.table.model.commands import NewTable, PlayMove, Resign
from smallchange.server.table.model.history import Fork, History
from smallchange.server.table.model.new_tables import new_table, random_id
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext

from .serving import TIMEOUT_S, Person, Served, fresh, serving
from .tables import PAIR, greedy, table_for_two

VISIT = PageContext("en", "", "")
SIMULATIONS = 40
ALONE = [id for id in games() if len(Game(id).seats) == 1][-1]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server whose bots look at no clock: reviews do not depend on how busy the machine is."""
    with serving(tmp_path_factory.mktemp("data"), bot_simulations=SIMULATIONS, hints=1000) as served:
        served.services.insight.reviews._now_s = (
            Clock()
        )  # so that all are waited for, however busy the machine is
        yield served


def wait_for_reviews(served: Served) -> None:
    """Wait for all reviews that are being worked out."""
    served.call(all_of(served.services.insight.reviews._tasks))


async def all_of(tasks: set[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks)


def losing_table(served: Served, person: Person) -> tuple[str, Choice]:
    """Return a resigned table where a choice gave something away, and the choice that gave away most."""
    while True:
        id = resigned_table(served, person, ALONE)
        expected = review(served.live_table(id).history.match, simulations=SIMULATIONS)
        worst = max(expected, key=lambda choice: choice.cost)
        if worst.cost:
            return id, worst


def resigned_table(served: Served, person: Person, game: str, decisions: int = 6) -> str:
    """Return a table where so many decisions were made before the game was given up."""
    while True:
        id = person.open(game, **{f"seat.{player}": "me" for player in Game(game).seats})
        history = served.live_table(id).history
        for _ in range(decisions):
            if not history.ending:
                person.command(id, "act", history.ply, token=greedy(history.match.position))
        if not history.ending:
            person.command(id, "resign", history.ply)
            return id


@pytest.mark.parametrize("game", games())
def test_a_review_says_what_the_best_bot_makes_of_every_choice(
    served: Served, ann: Person, bo: Person, game: str
) -> None:
    id = resigned_table(served, ann, game)
    assert f'href="/m/{id}/review">Review<' in bo.page(id), "for spectators too"
    going = ann.web.get(f"/m/{id}/review").text
    made = served.services.insight.reviews.find(served.live_table(id).history)
    assert made is not None
    assert made.total > 0
    if made.running:
        assert f'max="{made.total}"' in going
    wait_for_reviews(served)
    page = unescape(bo.web.get(f"/m/{id}/review").text)
    match = record.read(ann.web.get(f"/m/{id}/record.txt").text)
    expected = review(match, simulations=SIMULATIONS)
    assert made.choices == expected, "as on one's own computer"
    table = page.partition("<tbody>")[2]
    assert re.findall(rf'href="/m/{id}/review\?at=(\d+)#shown"', table) == [str(c.at) for c in expected]
    worst = sorted(expected, key=lambda choice: -choice.cost)[:3]
    assert len(re.findall('class="better-move"', page)) == sum(choice.cost > 0 for choice in worst)
    kept = re.findall("ccuracy:? .*%", page)
    assert len(kept) == len(accounts(match, expected)), "a sentence for each player"
    assert "in points of 100" in page.partition("odds-chart")[0], "the sum says in what it counts"
    assert "正確さ" in bo.web.get(f"/m/{id}/review?lang=ja").text
    for choice in expected[:: len(expected) // 3 + 1]:
        shown = unescape(bo.web.get(f"/m/{id}/review?at={choice.at}").text)
        before = match.until(choice.at).position
        moves = [choice.token, choice.best] if choice.cost else [choice.token]
        said = re.sub("<[^>]*>", "", shown.partition('id="shown-moves"')[2].partition("</dl>")[0])
        assert all(before.describe(token).en in said for token in moves)
        assert 'aria-current="true">' in shown
        assert shown.count('class="area board') == 1, "the board before the choice"
        touched = any(
            any(before.game.layout.touch(before.game.board, before.s, before.game.actions[token]))
            for token in moves
        )
        assert ('class="move-' in shown) == touched, "and the moves on it"


def test_every_turning_point_can_be_tried_again(served: Served, ann: Person) -> None:
    id = resigned_table(served, ann, ALONE)
    ann.web.get(f"/m/{id}/review")
    wait_for_reviews(served)
    page = ann.web.get(f"/m/{id}/review").text
    ats = re.findall(r'formaction="/m/[^"]*/fork" name="at" value="(\d+)"', page)
    assert ats
    answer = ann.post(f"/m/{id}/fork", at=ats[0])
    assert answer.status_code == 303
    practice = served.live_table(answer.headers["location"].removeprefix("/m/")).history
    assert isinstance(practice.head.origin, Fork)
    assert (practice.head.origin.parent, len(practice.match)) == (id, int(ats[0]))


def test_the_end_comes_with_a_tip_that_the_review_makes_better(
    served: Served, ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, worst = losing_table(served, ann)
    tip = re.compile('<p id="tip">(.*?)</p>')
    found = tip.search(ann.page(id))
    assert found
    assert not found[1], "nothing is said before it is known"
    with monkeypatch.context() as crowd:
        crowd.setattr(reviewing, "MAX_REVIEWS", 0)
        assert not ann.web.get(f"/m/{id}/tip").json()["done"], "it comes when there is room"
    assert not ann.web.get(f"/m/{id}/tip").json()["done"]
    wait_for_reviews(served)
    told = ann.web.get(f"/m/{id}/tip").json()
    assert told["done"]
    position = served.live_table(id).history.match.until(worst.at).position
    assert position.describe(worst.best).en in unescape(told["html"])
    assert f'href="/m/{id}/review?at={worst.at}#shown"' in told["html"]
    assert told["html"] in ann.page(id), "without scripts, by loading the page again"
    assert tip.search(bo.page(id))[1] == "", "for players alone"  # type: ignore[index]
    assert bo.web.get(f"/m/{id}/tip").status_code == 404


def test_reviews_add_up_to_the_statistics_of_their_player(served: Served, ann: Person, bo: Person) -> None:
    sums = [0.0, 0.0]
    for decisions in (3, 6):
        id = resigned_table(served, ann, ALONE, decisions)
        ann.web.get(f"/m/{id}/review")
        wait_for_reviews(served)
        history = served.live_table(id).history
        (account,) = accounts(history.match, review(history.match, simulations=SIMULATIONS))
        sums = [sums[0] + account.luck, sums[1] + account.given]
    page = ann.web.get("/mine/statistics").text
    row = page.partition(f'<th scope="row">{Game(ALONE).words.TITLE.en}</th>')[2].partition("</tr>")[0]
    cells = re.findall("<td>([^<]*)</td>", row)
    assert cells[2:4] == ["2", "2"], "lost, and reviewed"
    luck, given = [float(cell.replace("\N{MINUS SIGN}", "-")) for cell in cells[4:]]
    assert (luck, given) == pytest.approx(tuple(sums), abs=0.051)
    assert "not finished a game yet" in bo.web.get("/mine/statistics").text, "nobody sees those of others"


def test_a_program_is_told_the_same(served: Served) -> None:
    with httpx.Client(base_url=f"{served.url}/api", timeout=TIMEOUT_S) as web:
        seats = dict.fromkeys(Game(ALONE).seats, "me")
        said = web.post("/matches", json={"game": ALONE, "seats": seats}).json()
        web.headers["Authorization"] = f"Bearer {said['token']}"
        table = said["table"]
        where = f"/matches/{table['match']}"
        assert web.get(f"{where}/review").json()["code"] == "no-review", "not before the end"
        while not table["ended"]:
            token = table["legal"][0]
            done = web.post(f"{where}/act", json={"ply": table["ply"], "move": fresh(), "token": token})
            table = done.json()["table"]
        going = web.get(f"{where}/review").json()
        assert 0 <= going["done"] <= going["total"]
        wait_for_reviews(served)
        told = web.get(f"{where}/review").json()
        match = record.read(web.get(f"{where}/record.txt").text)
        assert told["done"] == told["total"] > 0
        assert {"choices": told["choices"], "accounts": told["accounts"]} == to_json(
            match, review(match, simulations=SIMULATIONS)
        )
        del web.headers["Authorization"]
        assert web.get(f"{where}/review").json()["code"] == "bad-token"


def test_a_review_is_worked_out_once_however_many_ask(served: Served, ann: Person, bo: Person) -> None:
    id = resigned_table(served, ann, ALONE)
    ann.web.get(f"/m/{id}/review")
    begun = served.services.insight.reviews.find(served.live_table(id).history)
    bo.web.get(f"/m/{id}/review")
    wait_for_reviews(served)
    bo.web.get(f"/m/{id}/review")
    assert served.services.insight.reviews.find(served.live_table(id).history) is begun


def test_there_is_none_before_the_end(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    assert "/review" not in ann.page(id)
    answer = ann.web.get(f"/m/{id}/review")
    assert answer.status_code == 400
    assert "once the game is over" in answer.text
    assert served.services.insight.reviews.find(served.live_table(id).history) is None


def test_there_is_none_of_a_match_that_would_hold_up_all_others(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = resigned_table(served, ann, ALONE)
    monkeypatch.setattr(
        "smallchange.server.table.model.history.MAX_REVIEWED_STEPS",
        len(served.live_table(id).history.match) - 1,
    )
    answer = ann.web.get(f"/m/{id}/review")
    assert answer.status_code == 400
    assert "at most 1,000 steps" in answer.text
    assert f'href="/m/{id}"' in answer.text, "the way back"


def test_a_match_without_a_choice_has_a_review_that_says_so(served: Served, ann: Person) -> None:
    id = resigned_table(served, ann, ALONE, 0)
    assert "Nobody has chosen anything" in ann.web.get(f"/m/{id}/review").text


def test_a_review_goes_on_however_many_hints_are_asked_for(served: Served, ann: Person) -> None:
    id = resigned_table(served, ann, ALONE)
    desk = served.services.insight.reviews._bots._hints
    desk.open += MAX_HINTS  # as many wait as may
    try:
        ann.web.get(f"/m/{id}/review")
        wait_for_reviews(served)
    finally:
        desk.open -= MAX_HINTS
    assert 'class="odds-chart"' in ann.web.get(f"/m/{id}/review").text


def test_what_fails_is_said_once_and_tried_again(served: Served, ann: Person) -> None:
    id = resigned_table(served, ann, ALONE)
    desk = served.services.insight.reviews._bots._hints
    desk._paused_until_s = inf  # no process starts
    try:
        ann.web.get(f"/m/{id}/review")
        wait_for_reviews(served)
        answer = ann.web.get(f"/m/{id}/review")
    finally:
        desk._paused_until_s = 0.0
    assert answer.status_code == 503
    assert ErrorCode.BOT_FAILED.text.en in answer.text
    assert f'class="btn primary" href="/m/{id}/review">Ask again' in answer.text
    ann.web.get(f"/m/{id}/review")
    wait_for_reviews(served)
    assert 'class="odds-chart"' in ann.web.get(f"/m/{id}/review").text


def test_what_is_waited_for_is_counted_in_words_from_the_first_moment(served: Served, ann: Person) -> None:
    match = served.live_table(resigned_table(served, ann, ALONE)).history.match
    said = review_progress_page("x", match, [], 21, VISIT)
    assert ">Choice 0 of 21<" in said
    assert re.search("<noscript>[^/]*/m/x/review", said), "it is asked for by itself where there is script"


def test_the_costliest_choices_so_far_are_shown_while_a_review_goes_on(served: Served, ann: Person) -> None:
    match = served.live_table(resigned_table(served, ann, ALONE)).history.match
    (at, position), *_ = choices(match)
    one, other, *_ = position.legal()
    found = [Choice(at, position.actor or "", one, 0.534, other, 0.566)]
    said = review_progress_page("x", match, found, 21, VISIT)
    assert ">Choice 1 of 21<" in said
    assert re.findall(r'class="odds">(\d+%)', said) == ["53%", "57%"]
    assert f'href="/m/x?at={at}"' in said


def test_odds_are_whole_and_what_was_given_away_is_their_difference(served: Served, ann: Person) -> None:
    match = served.live_table(resigned_table(served, ann, ALONE)).history.match
    (at, position), *_ = choices(match)
    one, other, *_ = position.legal()
    said = review_page("x", match, [Choice(at, position.actor or "", one, 0.534, other, 0.566)], VISIT)
    assert re.findall(r'class="odds">(\d+%)', said) == ["53%", "57%"]
    assert "\N{MINUS SIGN}4<" in said


def test_each_is_told_which_side_they_held_and_nothing_of_the_bots_insides(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    history = served.live_table(id).history
    for who in (ann, bo):
        who.command(id, "act", history.ply, token=greedy(history.match.position))
    ann.command(id, "resign", history.ply)
    ann.web.get(f"/m/{id}/review")
    wait_for_reviews(served)
    for who in (ann, bo):
        said = who.web.get(f"/m/{id}/review").text.partition('<details class="small-print')
        assert said[0].count("(you)") == 1
        assert said[0].count("Your accuracy") == 1
        assert "alpha-beta" not in said[0].lower()
        assert "alpha-beta" in said[2].lower()


def test_a_review_that_failed_goes_on_where_it_was(served: Served, ann: Person) -> None:
    id = resigned_table(served, ann, ALONE)
    history, reviews = served.live_table(id).history, served.services.insight.reviews
    desk = reviews._bots._hints

    async def failed_after(choices: int) -> Review:
        begun = reviews.begin(history, "192.0.2.1")
        while len(begun.choices) < choices:
            await asyncio.sleep(0)
        desk._paused_until_s = inf  # no process starts
        await all_of(reviews._tasks)
        desk._paused_until_s = 0.0
        return begun

    begun: Review = served.call(failed_after(2))
    found = list(begun.choices)
    assert len(found) < begun.total
    with pytest.raises(Refused):
        reviews.find(history)
    served.call(begun_again(reviews, history))
    wait_for_reviews(served)
    assert reviews.find(history) == begun
    assert len(begun.choices) == begun.total
    assert [choice.at for choice in begun.choices[: len(found)]] == [choice.at for choice in found]
    assert begun.choices == review(history.match, simulations=SIMULATIONS), "as if it had not failed"


async def begun_again(reviews: Reviews, history: History) -> None:
    reviews.begin(history, "192.0.2.1")


def test_hints_are_still_given_while_reviews_are_worked_out(served: Served, ann: Person) -> None:
    ids = [resigned_table(served, ann, ALONE) for _ in range(MAX_WAITED_FOR_PER_ADDRESS + 1)]
    asked = [ann.web.get(f"/m/{id}/review").status_code for id in ids]
    assert set(asked) <= {200, 503}, "too many at once are refused"
    id = ann.open(ALONE)
    assert ann.post(f"/m/{id}/hint", ply=served.live_table(id).history.ply).status_code == 200
    wait_for_reviews(served)


def test_one_address_leaves_room_for_the_reviews_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviewing, "MAX_WAITED_FOR_PER_ADDRESS", 2)
    where = "192.0.2.1"
    with (
        serving(tmp_path, proxies="127.0.0.1") as served,
        Person(served, **{"X-Forwarded-For": where}) as ann,
    ):
        ids = [resigned_table(served, ann, ALONE) for _ in range(4)]
        desk = served.services.insight.reviews._bots._hints

        async def end() -> None:
            desk._free.release()

        served.call(desk._free.acquire())  # it is busy, so none of them ends meanwhile
        asked = [ann.web.get(f"/m/{id}/review").status_code for id in ids]
        assert asked == [200, 200, 503, 503]
        with Person(served, **{"X-Forwarded-For": "192.0.2.2"}) as bo:
            assert bo.web.get(f"/m/{ids[-1]}/review").status_code == 200
        assert ann.web.get(f"/m/{ids[-1]}/review").status_code == 200, "it is going on"
        served.call(end())
        wait_for_reviews(served)


class Judge:
    """Workers that judge a choice without thinking, and count."""

    def __init__(self) -> None:
        self.judged = 0

    async def judge(self, position: Position, at: int, token: str) -> Choice:
        await asyncio.sleep(0)
        self.judged += 1
        return Choice(at, position.actor or "", token, 0.5, token, 0.5)


class Clock:
    """A clock that stands until it is moved on."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def table_of(choices_made: int) -> History:
    """Return a table where this many choices were made, at random, before it was given up."""
    for seed in range(1000):
        history, events = new_table(
            NewTable(PAIR, {}, dict.fromkeys(Game(PAIR).seats, "me")), "", random_id, 0
        )
        history.append(events)
        random = Random(seed)
        while len(history.match) < choices_made and not history.ending:
            token = random.choice(history.match.position.legal())
            new = execute(history, "", PlayMove(history.head.id, history.ply, random_id(9), token), 0)
            history.append(new.events, after=new.after)
        if not history.ending:
            resign = execute(history, "", Resign(history.head.id, history.ply, random_id(9)), 0)
            history.append(resign.events)
            return history
    raise AssertionError("no game takes as long")


def test_a_short_review_beside_four_long_ones_takes_at_most_three_times_as_long() -> None:
    """From another address than the long ones, and from the same."""
    long, short = [table_of(120) for _ in range(4)], table_of(12)

    async def judged_until_done(addresses: list[str], before: int) -> int:
        judge = Judge()
        reviews = Reviews(cast(BotWorkers, judge), Clock())
        for history, address in zip(long, addresses, strict=False):
            reviews.begin(history, address)
        while judge.judged < before:
            await asyncio.sleep(0)
        begun = reviews.begin(short, addresses[-1])
        while begun.running:
            await asyncio.sleep(0)
        await reviews.close()
        return judge.judged - before

    for addresses in (["a", "a", "b", "b", "c"], ["a"] * 5):
        for before in (0, 50, 200):
            assert asyncio.run(judged_until_done(addresses, before)) <= 3 * 12


def test_an_address_with_many_short_reviews_does_not_keep_a_long_one_waiting_for_ever() -> None:
    long, short = table_of(60), [table_of(12) for _ in range(9)]

    async def short_before_long() -> int:
        reviews = Reviews(cast(BotWorkers, Judge()), Clock())
        begun = reviews.begin(long, "192.0.2.1")
        for i, history in enumerate(short):
            one = reviews.begin(history, "192.0.2.2")
            while one.running and begun.running:
                await asyncio.sleep(0)
            if not begun.running:
                return i
        return len(short)

    assert asyncio.run(short_before_long()) <= 60 // 12 + 1


def test_a_review_that_nobody_waits_for_stops_and_goes_on_when_it_is_asked_for() -> None:
    long = table_of(100)

    async def find_choices() -> list[int]:
        judge, clock = Judge(), Clock()
        reviews = Reviews(cast(BotWorkers, judge), clock)
        begun = reviews.begin(long, "192.0.2.1")
        while judge.judged < 10:
            await asyncio.sleep(0)
        clock.now_s = ABANDONED_AFTER_S + 1
        await all_of(reviews._tasks)
        stopped = len(begun.choices)
        assert reviews.find(long) is begun
        await all_of(reviews._tasks)
        return [stopped, len(begun.choices)]

    stopped, done = asyncio.run(find_choices())
    assert stopped < 20
    assert done == 100


def test_a_long_review_costs_as_much_as_several_hints(served: Served) -> None:
    assert served.services.insight.reviews.cost(table_of(12)) == 1
    assert served.services.insight.reviews.cost(table_of(2 * CHOICES_PER_HINT)) == 3


def test_who_begins_one_pays_as_for_a_hint(tmp_path: Path) -> None:
    with serving(tmp_path, hints=1) as other, Person(other) as cleo:
        one, two = (resigned_table(other, cleo, ALONE) for _ in range(2))
        assert cleo.web.get(f"/m/{one}/review").status_code == 200
        assert cleo.web.get(f"/m/{two}/review").status_code == 429
        assert cleo.web.get(f"/m/{one}/review").status_code == 200


def test_one_that_is_worked_out_is_reviews_whatever_else_is_asked_for(served: Served, ann: Person) -> None:
    reviews = served.services.insight.reviews
    ids = [resigned_table(served, ann, ALONE, decisions) for decisions in [6] + [0] * MAX_REVIEWS]
    long, *short = [served.live_table(id).history for id in ids]

    async def others_begun_meanwhile() -> None:
        begun = reviews.begin(long, "192.0.2.1")
        for history in short:
            reviews.begin(history, "192.0.2.1")
        assert begun.running
        assert reviews.find(long) is begun

    served.call(others_begun_meanwhile())
    wait_for_reviews(served)


def test_only_so_many_are_reviews(served: Served, ann: Person) -> None:
    ids = [resigned_table(served, ann, ALONE, 0) for _ in range(MAX_REVIEWS + 1)]
    for id in ids:
        ann.web.get(f"/m/{id}/review")
    kept = [bool(served.services.insight.reviews.find(served.live_table(id).history)) for id in ids]
    assert kept == [False] + [True] * MAX_REVIEWS
