"""The delay of spectators: no route tells them of a move that is still hidden, and at the end everything is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection

from tests.support.site_paths import PATHS

from .sample_requests import MESSAGES, POSTS, required_fields
from .serving import TIMEOUT_S, Person, Served, say, serving
from .tables import ALONE, PAIR, legal

SHOWN, HIDDEN = 4, 2  # moves
PLIES = (0, SHOWN, SHOWN + HIDDEN + 1)
CHANGING = [
    (r"[0-9a-f]{64}", "SEAL"),
    (r'(name="(?:move|press)" value=)"[^"]*"', r"\1"),
    (r'"at":\d+|.now.: ?\d+|data-now="\d+"|<time[^>]*>[^<]*</time>', ""),
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("delay")) as served:
        yield served


@pytest.fixture
def eve(served: Served) -> Iterator[Person]:
    with Person(served) as person:
        yield person


def begin(ann: Person, bo: Person, delay: int = HIDDEN, **more: str) -> str:
    """Return a table with Ann on the first seat and Bo on the second."""
    id = ann.open(PAIR, delay=str(delay), name="Ann", **more)
    assert bo.post(ann.invite(id), name="Bo").status_code == 303
    return id


def move(served: Served, people: tuple[Person, Person], id: str, choice: int = 0) -> None:
    """Make the first or the last of the possible moves."""
    history = served.live_table(id).history
    answer = people[history.turn].command(id, "act", history.ply, token=legal(served, id)[choice])
    assert answer.status_code == 303, answer.text


def all_answers(eve: Person, id: str) -> dict[str, str]:
    """Ask everything about a table that a spectator can ask, and return the answers without what always changes."""
    found = {}
    for path in [path for paths in PATHS.values() for path in paths if "{id}" in path]:
        answer = eve.web.get(path.replace("{id}", id), headers={"Authorization": f"Bearer {'x' * 43}"})
        found[path] = f"{answer.status_code} {answer.text}"
    for path, fields in POSTS.items():
        for ply in PLIES if path.startswith("/m/{id}/") else ():
            sent = fields | {"ply": str(ply), "move": f"spectator-{ply}"}
            answer = eve.post(path.replace("{id}", id), **sent)
            found[f"{path} at {ply}"] = f"{answer.status_code} {answer.text}"
    with httpx.stream("GET", f"{eve.served.url}/api/matches/{id}/stream", timeout=TIMEOUT_S) as stream:
        found["stream"] = next(line for line in stream.iter_lines() if line.startswith("data: "))
    with eve.socket() as line:
        for n, message in enumerate(MESSAGES):
            for ply in PLIES:
                asked = message | ({"ply": ply} if "ply" in message else {})
                say(line, **(required_fields(message, id, ply, n) | asked))
                found[f"{asked} at {ply}"] = "".join(map(str, receive_all(line)))
    return {what: _constant(answer, id) for what, answer in found.items()}


def receive_all(line: ClientConnection) -> list[dict[str, Any]]:
    """Return the messages that have come, without the number of spectators.

    The server sends a change one step of its loop after the change, so wait for two pongs.
    """
    found: list[dict[str, Any]] = []
    for _ in range(2):
        say(line, **{"is": "ping"})
        while (message := json.loads(line.recv(TIMEOUT_S)))["is"] != "pong":
            found += [] if message["is"] == "spectators" else [message]
    return found


def _constant(answer: str, id: str) -> str:
    for changing, constant in CHANGING:
        answer = re.sub(changing, constant, answer)
    return answer.replace(id, "ID")


def test_no_route_tells_a_spectator_of_a_hidden_move(
    served: Served, ann: Person, bo: Person, eve: Person
) -> None:
    tables = [begin(ann, bo, open="1"), begin(ann, bo, open="1")]
    for choice, id in zip((0, -1), tables, strict=True):
        for _ in range(SHOWN):
            move(served, (ann, bo), id)
        for _ in range(HIDDEN):
            move(served, (ann, bo), id, choice)
    first, second = (served.live_table(id).history.match.steps for id in tables)
    assert first[:SHOWN] == second[:SHOWN]
    assert first != second
    shown, other = (all_answers(eve, id) for id in tables)
    for what, answer in shown.items():
        assert answer == other[what], what
    assert "2 moves behind" in eve.page(tables[0])


def test_a_spectator_who_follows_hears_of_a_move_when_it_is_old_enough_and_of_the_end_at_once(
    served: Served, ann: Person, bo: Person, eve: Person
) -> None:
    id = begin(ann, bo)
    with eve.socket() as line, ann.socket() as own:
        for socket in (line, own):
            say(socket, **{"is": "watch", "match": id, "ply": -1, "drawn": False})
        assert [message["ply"] for message in receive_all(line)] == [1]
        receive_all(own)
        for _ in range(HIDDEN):
            move(served, (ann, bo), id)
            assert not receive_all(line)
            assert len(receive_all(own)) == 1
        move(served, (ann, bo), id)
        assert [message["ply"] for message in receive_all(line)] == [2]
        assert ann.command(id, "resign", HIDDEN + 2).status_code == 303
        (last,) = receive_all(line)
        assert (last["ply"], last["over"]) == (HIDDEN + 3, True)
    assert "moves behind" not in eve.page(id)


def test_a_spectator_who_takes_the_free_seat_sees_the_game_as_it_is_played(
    served: Served, ann: Person, bo: Person
) -> None:
    id = ann.open(PAIR, delay="2", name="Ann")
    with bo.socket() as line:
        say(line, **{"is": "watch", "match": id, "ply": -1})
        receive_all(line)
        assert bo.post(ann.invite(id), name="Bo").status_code == 303
        receive_all(line)
        move(served, (ann, bo), id)
        assert [message["ply"] for message in receive_all(line)] == [2]


def test_the_list_of_running_games_shows_the_board_that_spectators_see(
    served: Served, ann: Person, bo: Person, eve: Person
) -> None:
    id = begin(ann, bo, open="1", time="5+3")
    before = watch_lists(eve, id)
    for _ in range(HIDDEN):
        move(served, (ann, bo), id)
    assert watch_lists(eve, id) == before
    assert '"delay":2' in before[1]
    move(served, (ann, bo), id)
    assert watch_lists(eve, id)[0] != before[0]
    assert [" data-now=" in person.page(id) for person in (ann, eve)] == [True, False]  # the clock


def watch_lists(eve: Person, id: str) -> list[str]:
    """Return the lists of running games without what always changes."""
    return [_constant(eve.web.get(path).text, id) for path in ("/watch", "/api/watch")]


def test_a_rematch_keeps_the_delay(served: Served, ann: Person, bo: Person) -> None:
    id = begin(ann, bo)
    move(served, (ann, bo), id)
    ann.command(id, "resign", served.live_table(id).history.ply)
    ann.command(id, "rematch", 0)
    again = bo.command(id, "rematch", 0).headers["location"].removeprefix("/m/")
    assert again != id
    assert served.live_table(again).history.head.delay == HIDDEN


@pytest.mark.parametrize(("game", "delay", "most"), [(PAIR, "21", 20), (ALONE, "2", 0)])
def test_a_delay_that_is_not_possible_is_refused_with_what_is_accepted(
    ann: Person, game: str, delay: str, most: int
) -> None:
    answer = ann.post(f"/games/{game}", delay=delay)
    assert answer.status_code == 400
    assert f"choose a number from 0 to {most}." in answer.text
