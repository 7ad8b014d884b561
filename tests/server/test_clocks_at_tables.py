"""Clocks at tables: time-outs, aborted matches, claims, and what is told of them. Time is injected."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from smallchange.core import record
from smallchange.server.table.model.events import How
from smallchange.server.table.model.history import History
from smallchange.server.table.model.outcome import Points, points
from smallchange.server.table.storage import clock_rows as deadlines

from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, serving
from .tables import ALONE, PAIR, greedy, legal, table_for_two

MINUTE_MS = 60_000


class Time:
    """The time of the server, in milliseconds since 1970, which stands still until it is set."""

    def __init__(self, served: Served) -> None:
        self.now = 1_790_000_000_000
        self._served = served

    def __call__(self) -> int:
        return self.now

    def pass_s(self, seconds: float) -> None:
        """Let time pass in which the server looks for deadlines all the while."""
        tables = self._served.services.tables

        async def leap() -> None:
            await tables.wake()
            self.now = tables.live.looked_at = self.now + int(1000 * seconds)

        self._served.call(leap())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server that ends no match by itself, so that the tests say when."""
    with serving(tmp_path_factory.mktemp("data"), roles="none") as served:
        yield served


@pytest.fixture
def time(served: Served) -> Iterator[Time]:
    tables = served.services.tables
    clock = Time(served)
    before, tables.now = tables.now, clock
    yield clock
    tables.now = before


def step(served: Served, id: str, *people: Person) -> None:
    """Let whoever is on turn move; the first person sits on the first seat."""
    history = served.live_table(id).history
    mover = people[history.turn]
    answer = mover.command(id, "act", history.ply, token=greedy(history.match.position))
    assert answer.status_code == 303, answer.text


def begin(served: Served, ann: Person, bo: Person, time: str = "5+3", turns: int = 2) -> str:
    """Return a table at which each has moved."""
    id = table_for_two(ann, bo, time=time)
    for _ in range(turns):
        step(served, id, ann, bo)
    return id


def stored_history(served: Served, id: str) -> History:
    history: History = served.call(served.services.tables.store.load(id))
    return history


def deadline_of(served: Served, id: str) -> int | None:
    """Return the deadline that is stored of a table."""
    rows = served.call(served.services.tables.store.read(lambda c: deadlines.due_tables(c, None, 1000)))
    return next((row.at for row in rows if row.match == id), None)


def test_a_table_without_a_time_control_has_no_clock(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    assert served.live_table(id).history.clock is None
    assert deadline_of(served, id) is None
    assert 'role="timer"' not in ann.page(id)
    own, other = (f'<li class="plate {side}' for side in ("below", "above"))
    assert ann.page(id).count(own) == ann.page(id).count(other) == 1
    told = ann.web.get(f"/api/matches/{id}").json()
    assert (told["time"], told["clock"]) == (None, None)


def test_who_is_out_of_time_has_lost_and_no_move_is_taken(
    served: Served, ann: Person, bo: Person, time: Time
) -> None:
    id = begin(served, ann, bo, turns=6)
    tables, history = served.services.tables, served.live_table(id).history
    time.pass_s(5 * 60 + 6)  # two increments
    assert not served.call(tables.enforce_time(id)), "never early: a move may be on its way for a second"
    late = ann.command(id, "act", history.ply, token=legal(served, id)[0])
    assert (late.status_code, "Your time is up." in late.text) == (400, True)
    time.pass_s(1)
    ply = history.ply
    assert ann.command(id, "act", ply, token=legal(served, id)[0]).status_code == 409
    assert not served.call(tables.enforce_time(id)), "once is enough"
    assert history.ply == ply + 1
    assert history.ending is not None
    assert (history.ending.how, history.ending.seat) == (How.TIMED_OUT, 0)
    assert stored_history(served, id).ending == history.ending
    assert points(history)[1] == Points.WIN
    assert deadline_of(served, id) is None
    assert "ran out of time, so " in bo.page(id)
    assert "ran out of time, so " in bo.web.get("/mine").text
    text = bo.web.get(f"/m/{id}/record.txt").text
    assert record.verify(text).result == {"ended": "timeout", "by": history.seats[0].player}
    ended = bo.web.get(f"/api/matches/{id}").json()["ended"]
    assert (ended["how"], ended["by"], ended["winners"]) == (
        "timeout",
        history.seats[0].player,
        [history.seats[1].player],
    )


def test_a_match_is_aborted_before_the_second_move_alone(
    served: Served, ann: Person, bo: Person, time: Time
) -> None:
    id = begin(served, ann, bo, turns=1)
    assert "Abort the game" in ann.page(id)
    step(served, id, ann, bo)
    assert "Abort the game" not in ann.page(id)
    assert ann.command(id, "abort", 3).status_code == 400
    other, move = table_for_two(ann, bo, time="1d+3d"), fresh()
    for _ in range(2):
        assert bo.command(other, "abort", 1, move=move).status_code == 303
    assert "No result.<" in bo.page(other)
    assert served.live_table(other).history.ending is not None
    assert bo.command(table_for_two(ann, bo), "abort", 1).status_code == 400, "without a clock one resigns"


def test_who_waits_a_minute_may_claim_from_who_has_left(
    served: Served, ann: Person, bo: Person, time: Time
) -> None:
    id = begin(served, ann, bo)
    with ann.socket() as a:
        say(a, **{"is": "watch", "match": id})
        hear(a, "changes", "unchanged")
        with bo.socket() as b:
            say(b, **{"is": "watch", "match": id})
            hear(b, "changes", "unchanged")
        while "has left" not in str(hear(a, "changes")):
            pass
        ply = served.live_table(id).history.ply
        assert "claim the game after this time:" in ann.page(id)
        assert ann.command(id, "claim", ply, what="win").status_code == 400
        time.pass_s(50)
        bo.page(id)  # without scripts, nobody has a window open
        assert bo.command(id, "claim", ply, what="win").status_code == 400, "Ann is here"
        time.pass_s(50)
        assert ann.command(id, "claim", ply, what="win").status_code == 400
        time.pass_s(11)
        assert '<div class="buttons" id="claims">' in ann.page(id)
        assert ann.command(id, "claim", ply, what="win").status_code == 303
    history = served.live_table(id).history
    assert history.ending is not None
    assert (history.ending.how, history.ending.seat) == (How.ABANDONED, 1)
    assert "left the game, so " in ann.page(id)
    assert record.verify(ann.web.get(f"/m/{id}/record.txt").text).result == {
        "ended": "abandoned",
        "by": history.seats[1].player,
    }


def test_the_clock_is_told_on_the_page_by_the_api_and_over_the_socket(
    served: Served, ann: Person, bo: Person, time: Time
) -> None:
    id = begin(served, ann, bo)
    time.pass_s(63)
    page = ann.page(id)
    assert ">3:57</b>" in page
    assert ">5:00</b>" in page
    assert "5 min + 3 s a turn" in page
    one, other = (seat.player for seat in served.live_table(id).history.seats)
    told = ann.web.get(f"/api/matches/{id}").json()
    assert told["time"] == "5+3"
    assert told["clock"] == {
        "now": time.now,
        "left": {one: 237_000, other: 300_000},
        "running": one,
        "deadline": time.now + 237_000,
    }
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id, "drawn": False})
        assert hear(line, "state")["clock"] == told["clock"]
    with ann.web.stream("GET", f"/api/matches/{id}/stream") as stream:
        event = next(line for line in stream.iter_lines() if line.startswith("data: "))
    state = json.loads(event.removeprefix("data: "))
    assert (state["now"], state["clock"]) == (time.now, told["clock"])


def test_whoever_comes_later_is_told_the_time_of_then(
    served: Served, ann: Person, bo: Person, time: Time
) -> None:
    id = begin(served, ann, bo)
    for _ in range(2):
        with Person(served) as watcher, watcher.socket() as line:
            say(line, **{"is": "watch", "match": id})
            message = json.loads(line.recv(TIMEOUT_S))
            assert (message["is"], message["now"]) == ("changes", time.now)
        time.pass_s(30)


@pytest.mark.parametrize("fields", [{"time": "soon"}, {"time.own": "0+1"}])
def test_a_time_that_is_none_is_refused_on_the_form(ann: Person, fields: dict[str, str]) -> None:
    answer = ann.post(f"/games/{PAIR}", **fields)
    assert answer.status_code == 400
    assert "is neither minutes and seconds a turn" in answer.text
    assert 'name="time.own"' in answer.text


def test_a_game_for_one_has_no_clock(ann: Person) -> None:
    answer = ann.post(f"/games/{ALONE}", time="5+3")
    assert answer.status_code == 400
    assert 'name="time"' not in ann.web.get(f"/games/{ALONE}").text


def test_a_time_of_ones_own_is_listed_in_the_lobby(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR, open="1", time="5+3", **{"time.own": "2d+5dw"})
    assert str(served.live_table(id).history.head.control) == "2d+5dw"
    assert "2 days a turn, 5 in hand, not at weekends" in bo.web.get("/lists").text
    assert ("2d+5dw") in [table["time"] for table in bo.web.get("/api/tables").json()["tables"]]


def test_days_off_stop_all_clocks_by_correspondence_at_once_from_a_stock(
    served: Served, ann: Person, bo: Person, time: Time
) -> None:
    slow, other, live = (
        begin(served, ann, bo, "1d+3d"),
        begin(served, bo, ann, "2d+4d"),
        begin(served, ann, bo),
    )
    assert "Left this year: 30." in ann.web.get("/mine").text
    assert ann.post("/mine/days-off", days="31").status_code == 400
    assert ann.post("/mine/days-off", days="20").status_code == 303
    assert ann.post("/mine/days-off", days="1").status_code == 400, "not twice at a time"
    assert "You are off until" in ann.web.get("/mine").text
    assert "days off until" in bo.page(slow)
    off, day = time.now + 20 * 86_400_000, 86_400_000
    assert deadline_of(served, slow) == off + 4 * day
    assert deadline_of(served, other) == time.now + 6 * day, "it is the other's turn"
    assert deadline_of(served, live) == time.now + 301_000
    step(served, other, bo, ann)
    assert deadline_of(served, other) == off + 6 * day
    for id in (slow, other):
        assert stored_history(served, id).clock == served.live_table(id).history.clock
    time.pass_s(21 * 86_400)
    assert ann.post("/mine/days-off", days="11").status_code == 400
    assert ann.post("/mine/days-off", days="10").status_code == 303
