"""In a game that is played by memory nobody sees more of the past than the last turn, until it is over."""

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from websockets.sync.client import ClientConnection

from smallchange import games
from smallchange.core.game import Game
from smallchange.i18n.text import LANGUAGES
from smallchange.server.app import route_lines
from smallchange.server.table.model.history import History
from smallchange.server.table.view.timeline import Timeline

from .serving import TIMEOUT_S, Person, Served, hear, say
from .tables import greedy

BY_MEMORY = [id for id in games() if Game(id).memory is not None]
TURNS = 7  # played before anything is asked
HELD_OPEN = ("/stream", "/news")  # the rest of such a path is read as far as its first event
ROUTES = sorted({line.path for line in route_lines() if line.method == "GET" and line.path.count("{") == 1})
OF_A_TABLE = [path for path in ROUTES if re.search(r"/(m|matches)/\{\w+\}", path)]
QUERIES = ("", "at=1&after=1&ply=0", "at=3&after=5&ply=2&lang=de")
both = pytest.mark.parametrize("by_memory", [False, True])


@pytest.mark.parametrize("id", BY_MEMORY)
@both
def test_the_log_is_hidden_until_the_game_is_over(
    served: Served, ann: Person, id: str, by_memory: bool
) -> None:
    match = ann.open(id, by_memory=str(by_memory).lower())
    assert served.live_table(match).history.head.game.is_by_memory == by_memory
    assert is_hidden(ann.page(match)) == by_memory
    assert ann.command(match, "resign", served.live_table(match).history.ply).status_code == 303
    assert not is_hidden(ann.page(match))


@pytest.mark.parametrize("id", BY_MEMORY)
@both
def test_no_route_tells_anybody_of_earlier_states(
    served: Served, ann: Person, bo: Person, id: str, by_memory: bool
) -> None:
    match = played(served, ann, id, by_memory)
    history = served.live_table(match).history
    past, hidden = tokens_of_the_past(history), hidden_texts(history)
    told = set()
    with httpx.Client(base_url=served.url, timeout=TIMEOUT_S) as anonymous:
        for client in (ann.web, bo.web, anonymous):
            for path, query in ((path, query) for path in OF_A_TABLE for query in QUERIES):
                body = answer_text(
                    client, f"{re.sub(r'{.*?}', match, path)}?{query}", path.endswith(HELD_OPEN)
                )
                if any(text in body for text in hidden) or past(body):
                    told.add(path)
    if by_memory:
        assert not told
    else:  # so the test finds what it looks for
        assert {"/m/{id}", "/m/{id}/record.txt", "/api/matches/{id}", "/api/matches/{id}/stream"} <= told


@pytest.mark.parametrize("id", BY_MEMORY)
def test_nobody_looks_back_in_a_game_by_memory_before_its_end(served: Served, ann: Person, id: str) -> None:
    match = played(served, ann, id, True)
    end = len(served.live_table(match).history.match)
    for at in (0, 1, end - 1):
        assert ann.web.get(f"/m/{match}/look?at={at}").json()["at"] == end
        assert ann.web.get(f"/m/{match}/turns?after={at}").json()["turns"] == []
        assert "Back to now" not in ann.web.get(f"/m/{match}?at={at}").text
    resign(served, ann, match)
    assert ann.web.get(f"/m/{match}/look?at=1").json()["at"] == 1


@pytest.mark.parametrize("id", BY_MEMORY)
@both
def test_no_socket_tells_of_earlier_states(
    served: Served, ann: Person, bo: Person, id: str, by_memory: bool
) -> None:
    match = played(served, ann, id, by_memory)
    past = tokens_of_the_past(served.live_table(match).history)
    for person, drawn, ply in ((p, d, n) for p in (ann, bo) for d in (True, False) for n in (-1, 0, 2)):
        with person.socket() as line:
            say(line, **{"is": "watch", "match": match, "ply": ply, "drawn": drawn})
            assert past(str(hear(line, "changes", "state"))) != by_memory


@pytest.mark.parametrize("id", BY_MEMORY)
def test_programs_are_not_told_what_players_have_to_remember(served: Served, ann: Person, id: str) -> None:
    for by_memory in (False, True):
        match = played(served, ann, id, by_memory)
        memory = served.live_table(match).history.head.game.memory
        assert memory
        position = ann.web.get(f"/api/matches/{match}").json()["position"]
        assert [f"{name}=?" in position for name in memory.UNSEEN] == [by_memory]


@pytest.mark.parametrize("id", BY_MEMORY)
def test_no_practice_branches_off_a_game_by_memory_before_its_end(
    served: Served, ann: Person, id: str
) -> None:
    """Practice can be ended, and then its record would tell."""
    match = played(served, ann, id, True)
    length = len(served.live_table(match).history.match)
    headers = {"Authorization": f"Bearer {ann.web.cookies['who']}"}

    def fork(at: int) -> list[int]:
        form = ann.post(f"/m/{match}/fork", at=at, move="a" * 12)
        call = ann.web.post(f"/api/matches/{match}/fork", json={"at": at}, headers=headers)
        return [form.status_code, call.status_code]

    assert [fork(at) for at in (1, length - 1, length)] == 3 * [[403, 403]]
    assert fork(0) == [303, 200]  # a new deal
    resign(served, ann, match)
    assert fork(1) == [303, 200]


@pytest.mark.parametrize("id", BY_MEMORY)
def test_all_is_told_at_the_end(served: Served, ann: Person, id: str) -> None:
    match = played(served, ann, id, True)
    tokens = [step.token for step in served.live_table(match).history.match.steps]
    with ann.socket() as drawn, ann.socket() as program:
        lines: list[tuple[ClientConnection, str, bool]] = [
            (drawn, "changes", True),
            (program, "state", False),
        ]
        for line, kind, is_drawn in lines:
            say(line, **{"is": "watch", "match": match, "ply": -1, "drawn": is_drawn})
            hear(line, kind)
        resign(served, ann, match)
        changes, state = (hear(line, kind) for line, kind, _ in lines)
    assert changes["kept"] == 0
    assert len(changes["rows"]) == len(tokens)
    assert (state["kept"], state["tokens"]) == (0, tokens)
    assert f"{tokens[0]}" in ann.web.get(f"/m/{match}/record.txt").text
    assert ann.web.get(f"/m/{match}/look?at=1").json()["at"] == 1


def played(served: Served, person: Person, id: str, by_memory: bool) -> str:
    """Return a table after some turns."""
    while True:
        match = person.open(id, by_memory=str(by_memory).lower())
        for _ in range(TURNS):
            history = served.live_table(match).history
            if history.ending is None:
                token = greedy(history.match.position)
                assert person.command(match, "act", history.ply, token=token).status_code == 303
        if served.live_table(match).history.ending is None:
            return match


def resign(served: Served, person: Person, match: str) -> None:
    assert person.command(match, "resign", served.live_table(match).history.ply).status_code == 303


def last_turn(history: History) -> int:
    """Return the number of steps before the last decision."""
    steps = history.match.steps
    return max(i for i, step in enumerate(steps) if step.actor != "chance")


def tokens_of_the_past(history: History) -> Callable[[str], bool]:
    """Return whether a text has one of the steps before the last turn that cannot be seen now."""
    now = {step.token for step in history.match.steps[last_turn(history) :]}.union(
        history.match.position.legal()
    )
    past = {step.token for step in history.match.steps[: last_turn(history)]} - now
    found = re.compile(rf"(?<![\w:+=])({'|'.join(map(re.escape, past))})(?![\w:+=])")
    return lambda text: found.search(text) is not None


def hidden_texts(history: History) -> set[str]:
    """Return what the log says of the decisions before the last turn, and nothing else says now."""
    timeline = Timeline(history.head.game)
    timeline.follow(history)
    before = last_turn(history)
    later = {entry.text[lang] for entry in timeline.log[before:] for lang in LANGUAGES}
    later |= {
        text[lang]
        for text in map(history.match.position.describe, history.match.position.legal())
        for lang in LANGUAGES
    }
    return {
        entry.text[lang] for entry in timeline.log[:before] if entry.seat >= 0 for lang in LANGUAGES
    } - later


def answer_text(client: httpx.Client, path: str, is_held_open: bool) -> str:
    """Return the answer, or of one that is held open the first event."""
    with client.stream("GET", path) as answer:
        if not is_held_open or answer.status_code != 200:
            return answer.read().decode()
        lines: Iterator[str] = answer.iter_lines()
        return next(line for line in lines if line.startswith("data:"))


def is_hidden(page: str) -> bool:
    (steps,) = re.findall(r'<nav id="steps"[^>]*>', page)
    return " hidden" in steps
