"""Planned moves: played by the server once they fall due, also through throws, and seen by nobody else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from smallchange.core.game import Game, Position
from smallchange.server.table.model.plans import ANY, OWN, futures
from smallchange.server.table.view.planning import premoves

from .outside import until
from .serving import Person, Served, fresh, hear, say, serving
from .tables import LUCKY_PAIR, PAIR, legal, table_for_two

FOR_TWO = [PAIR, LUCKY_PAIR]


def plan(person: Person, id: str, ply: int, *lines: str, more: bool = False) -> httpx.Response:
    body = {"ply": ply, "move": fresh(), "lines": [line.split() for line in lines], "more": more}
    return person.web.post(f"/api/matches/{id}/plan", json=body, headers=as_program(person))


def as_program(person: Person) -> dict[str, str]:
    return {"Authorization": f"Bearer {person.web.cookies['who']}"}


def plan_of(person: Person, id: str) -> list[list[str]]:
    found: list[list[str]] = person.web.get(f"/api/matches/{id}", headers=as_program(person)).json()["plan"]
    return found


def find_seats(people: dict[int, Person], served: Served, id: str) -> tuple[int, Person, Person]:
    """Return the seat that waits, who holds it, and who is to move."""
    turn = served.live_table(id).history.turn
    return 1 - turn, people[1 - turn], people[turn]


def act(served: Served, person: Person, id: str, token: str) -> None:
    assert person.command(id, "act", served.live_table(id).history.ply, token=token).status_code == 303


@pytest.mark.parametrize("game", FOR_TWO)
def test_a_planned_move_is_played_at_once_whatever_happened_before(
    served: Served, ann: Person, bo: Person, game: str
) -> None:
    id = ann.open(game)
    assert bo.post(ann.invite(id)).status_code == 303
    seat, waits, moves = find_seats({0: ann, 1: bo}, served, id)
    history = served.live_table(id).history
    lines = [" ".join(one.line) for one in premoves(history.match.position, seat)]
    assert plan(waits, id, history.ply, *lines[:40]).status_code == 200
    assert 'id="drop-plan"' in waits.page(id)
    assert plan_of(waits, id)
    with Person(served) as eve:
        for other in (moves, eve):
            assert 'id="plan"' not in other.page(id)
            assert not plan_of(other, id)
    act(served, moves, id, legal(served, id)[0])
    until(lambda: any(event.seat == seat for event in served.live_table(id).history.events))


def test_a_plan_answers_only_the_steps_that_it_names_and_says_when_it_fits_no_longer(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    expected, other = legal(served, id)[:2]
    reply = next(futures(Game(PAIR).start().played(expected), 1)).position.legal()[0]
    assert plan(bo, id, 0, f"{expected} {OWN}{reply}").status_code == 200
    act(served, ann, id, other)
    assert "Your planned move no longer fits." in bo.page(id)
    assert 'id="drop-plan"' not in bo.page(id)
    assert served.live_table(id).history.turn == 1
    act(served, bo, id, legal(served, id)[0])
    assert "no longer fits" not in bo.page(id), "who has moved need not know"
    history = served.live_table(id).history
    assert plan(bo, id, history.ply, f"{ANY} {OWN}{legal(served, id)[0]}").status_code == 200
    act(served, ann, id, legal(served, id)[0])
    assert "no longer fits" in bo.page(id), "a move of the other is none of one's own"


def test_a_line_of_several_moves_goes_on_by_itself_and_over_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann, Person(served) as bo:
        id, position = table_for_two(ann, bo), Game(PAIR).start()
        tokens: list[str] = []
        for _ in range(4):
            tokens.append(position.legal()[0])
            position.play(tokens[-1])
        line = f"{ANY} {OWN}{tokens[1]} {tokens[2]} {OWN}{tokens[3]}"
        assert plan(bo, id, 0, line).status_code == 200
        act(served, ann, id, tokens[0])
        until(lambda: len(served.live_table(id).history.match) == 2)
        assert plan_of(bo, id) == [line.split()[2:]]
        kept = ann.web.cookies["who"]
    with serving(tmp_path) as served, Person(served) as ann:
        ann.web.cookies.set("who", kept)
        act(served, ann, id, tokens[2])
        until(lambda: len(served.live_table(id).history.match) == 4)
        assert [step.token for step in served.live_table(id).history.match.steps] == tokens


def test_what_is_planned_in_several_windows_at_once_is_kept_whole_and_once(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    position = served.live_table(id).history.match.position
    lines = [f"{token} {OWN}{next(iter(position.played(token).legal()))}" for token in position.legal()]
    with ThreadPoolExecutor(len(lines)) as pool:
        for _ in range(3):
            answers = list(pool.map(lambda line: plan(bo, id, 0, line, more=True).status_code, lines))
            assert set(answers) == {200}
            assert sorted(map(" ".join, plan_of(bo, id))) == sorted(lines)


def test_what_cannot_be_planned_is_refused(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    first = legal(served, id)[0]
    with Person(served) as eve:
        eve.page(id)
        assert plan(eve, id, 0, f"{ANY} {OWN}{first}").status_code == 403
    assert plan(bo, id, 0, f"{ANY} {OWN}nothing").json()["code"] == "unknown-token"
    alone = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    assert plan(ann, alone, 0, f"{ANY} {OWN}{first}").json()["code"] == "cannot-plan"
    assert bo.web.get(f"/m/{id}/ahead", params={"after": "nothing"}).status_code == 404


def test_a_form_and_a_socket_plan_and_drop(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    page = bo.web.get(f"/m/{id}/ahead").text
    assert "Whatever happens, then I play" in page
    line = " ".join(premoves(served.live_table(id).history.match.position, 1)[0].line)
    assert f'value="{line}"' in page
    assert bo.command(id, "plan", 0, line=line, more="1").status_code == 303
    assert 'id="drop-plan"' in bo.page(id)
    with bo.socket() as wire:
        say(wire, **{"is": "watch", "match": id})
        hear(wire, "changes", "unchanged")
        say(wire, **{"is": "plan", "match": id, "ply": 0, "move": "planned-1", "lines": []})
        heard = hear(wire, "changes", "ack")
        assert heard.get("ack", heard.get("move")) == "planned-1"
    assert 'id="drop-plan"' not in bo.page(id)


@pytest.mark.parametrize("game", FOR_TWO)
def test_no_token_can_be_taken_for_a_sign_of_a_line(game: str) -> None:
    tokens = Game(game).tokens.values()
    assert not [token for token in tokens if token[0] in ANY + OWN or token.split() != [token]]


def test_a_move_that_another_throw_takes_elsewhere_is_planned_for_its_throw() -> None:
    def throws(position: Position) -> set[str]:
        return {future.throw for future in futures(position, 1)}

    position = Game("royal-ur").start().played("heads:1")
    lines = {one.line for one in premoves(position, 1)}
    assert {(ANY, throw, f"{OWN}enter") for throw in throws(position)} <= lines
