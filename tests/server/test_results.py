"""The results of one's matches in the list of one's games."""

from __future__ import annotations

from pathlib import Path

import pytest

from smallchange.core.game import Game
from smallchange.server.table.model.outcome import MIN_COUNTED_MOVES
from smallchange.server.table.storage.store import PAGE_SIZE
from tests.server.result_rows import result_rows

from .serving import Person, Served, serving
from .tables import ALONE, LUCKY_PAIR, PAIR, greedy, table_after_moves, table_for_two, under_way


def title(id: str) -> str:
    name: str = Game(id).words.TITLE.en
    return name


def played_out(served: Served, person: Person, game: str, **fields: str) -> str:
    """Return a game that one person plays to its end, on every seat that no bot has."""
    id = person.open(game, **fields)
    while not served.live_table(id).history.ending:
        history = served.live_table(id).history
        person.command(id, "act", history.ply, token=greedy(history.match.position))
    return id


def short_match(served: Served, ann: Person, bo: Person) -> str:
    """Return a table of two, with a few moves of each."""
    return table_after_moves(served, ann, bo, id=table_for_two(ann, bo))


def resign(served: Served, who: Person, id: str) -> None:
    assert who.command(id, "resign", served.live_table(id).history.ply).status_code == 303


def test_a_match_that_hardly_began_counts_for_nobody(served: Served, ann: Person, bo: Person) -> None:
    """Else whoever resigns forty times makes somebody a master."""
    for _ in range(3):
        bo.command(table_for_two(ann, bo), "resign", 1)
    id = table_for_two(ann, bo)
    ann.command(id, "offer", 1, what="draw")
    bo.command(id, "answer", 2, yes="1")
    alone = ann.open(ALONE)
    resign(served, ann, alone)
    assert served.live_table(alone).history.ending
    assert result_rows(ann) == result_rows(bo) == []


def test_who_resigns_has_lost_and_the_other_has_won(served: Served, ann: Person, bo: Person) -> None:
    assert result_rows(ann) == []
    for who in (ann, ann, bo):
        resign(served, who, short_match(served, ann, bo))
    assert result_rows(ann) == [(title(PAIR), "1 won, 0 drawn, 2 lost against people")]
    assert result_rows(bo) == [(title(PAIR), "2 won, 0 drawn, 1 lost against people")]
    assert ann.web.get("/mine").text.count("You lost. ") == 2
    assert bo.web.get("/mine").text.count("You won. ") == 2
    with Person(served) as third:
        assert result_rows(third) == []


def test_a_draw_that_is_agreed_counts_for_both(served: Served, ann: Person, bo: Person) -> None:
    id = short_match(served, ann, bo)
    ply = served.live_table(id).history.ply
    ann.command(id, "offer", ply, what="draw")
    bo.command(id, "answer", ply + 1, yes="1")
    assert result_rows(ann) == result_rows(bo) == [(title(PAIR), "0 won, 1 drawn, 0 lost against people")]


def test_a_game_for_one_is_won_or_not(served: Served, ann: Person) -> None:
    ends = [served.live_table(played_out(served, ann, ALONE)).history.match.result for _ in range(6)]
    id = under_way(served, ann)
    ann.command(id, "resign", served.live_table(id).history.ply)
    won = sum(end["won"] for end in ends if end)
    assert result_rows(ann) == [(title(ALONE), f"{won} of 7 won")]


@pytest.mark.parametrize("game", [PAIR, LUCKY_PAIR])
def test_bots_are_told_apart_the_weakest_first(served: Served, ann: Person, game: str) -> None:
    first, second = Game(game).seats
    for bot in ("greedy", "random", "greedy"):
        id = ann.open(game, **{f"seat.{first}": "me", f"seat.{second}": f"bot:{bot}"})
        while not served.live_table(id).history.ending:  # the bot may be faster
            history = served.live_table(id).history
            enough = sum(step.actor == first for step in history.match.steps) > MIN_COUNTED_MOVES
            if enough:
                ann.command(id, "resign", history.ply)
            elif history.turn == 0:
                ann.command(id, "act", history.ply, token=history.match.position.legal()[-1])
    assert result_rows(ann) == [
        (title(game), "0 won, 0 drawn, 1 lost against a random player"),
        (title(game), "0 won, 0 drawn, 2 lost against a greedy player"),
    ]


def test_what_says_nothing_of_ones_play_does_not_count(served: Served, ann: Person, bo: Person) -> None:
    played_out(served, ann, PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    withdrawn = ann.open(PAIR)
    ann.command(withdrawn, "resign", 0)
    assert served.live_table(withdrawn).history.ending
    assert result_rows(ann) == []
    id = short_match(served, ann, bo)
    resign(served, bo, id)
    practice = ann.post(f"/m/{id}/fork", at="0").headers["location"].removeprefix("/m/")
    ann.command(practice, "resign", served.live_table(practice).history.ply)
    assert served.live_table(practice).history.ending
    assert result_rows(ann) == [(title(PAIR), "1 won, 0 drawn, 0 lost against people")]


def test_results_stay_when_the_server_starts_again(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann, Person(served) as bo:
        cookies = ann.web.cookies
        resign(served, bo, short_match(served, ann, bo))
        known = result_rows(ann)
        assert known
    with serving(tmp_path) as served, Person(served) as ann:
        ann.web.cookies = cookies
        assert result_rows(ann) == known


def test_they_are_those_of_all_pages_and_stand_on_the_first(served: Served, ann: Person, bo: Person) -> None:
    resign(served, bo, short_match(served, ann, bo))
    for _ in range(PAGE_SIZE):
        ann.command(ann.open(PAIR), "resign", 0)
    assert result_rows(ann) == [(title(PAIR), "1 won, 0 drawn, 0 lost against people")]
    assert "Finished" in ann.web.get("/mine?page=2").text
    assert result_rows(ann, page=2) == []
