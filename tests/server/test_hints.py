"""Hints: where no other person plays, by socket and by form, to nobody else; and moves do not wait."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from smallchange import games
from smallchange.core.game import Game
from smallchange.server.table.live.bot_turns import hint_position
from smallchange.server.table.model import clock
from smallchange.server.table.model.history import TournamentGame, origin_columns, read_origin
from smallchange.server.table.model.new_tables import Sitter, tournament_table
from smallchange.server.web.errors import ErrorCode, Refused

from .serving import Person, Served, hear, say, serving
from .tables import greedy, legal, table_for_two, under_way


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server whose bots look at no clock: a hint depends on the position alone."""
    with serving(tmp_path_factory.mktemp("data"), bot_simulations=100) as served:
        yield served


def best_hint(line: Any) -> Any:
    """Return the best bot's hint, after the guess where there is one."""
    found = hear(line, "hint-found", "refusal")
    return hear(line, "hint-found", "refusal") if found.get("guess") else found


@pytest.mark.parametrize("game", games())
def test_a_hint_is_a_legal_move_its_marks_and_its_odds_in_words(
    served: Served, ann: Person, game: str
) -> None:
    id = ann.open(game, **{f"seat.{player}": "bot:greedy" for player in Game(game).seats[1:]})
    history = served.live_table(id).history
    said = []
    with ann.socket() as line:
        for _ in range(2):
            say(line, **{"is": "hint", "match": id, "ply": history.ply})
            said.append(best_hint(line))
    hinted, again = said
    assert hinted == again, "the same position has the same hint"
    assert hinted["is"] == "hint-found", hinted
    assert hinted["token"] in legal(served, id)
    step = history.match.position.describe(hinted["token"])
    assert step.en in hinted["text"]
    assert re.search(r"[\d.]+% of (games|the points) from there|for certain", hinted["text"])
    choices = served.live_table(id).view((0,)).choices
    touch = next(choice.touch for choice in choices if choice.token == hinted["token"])
    assert hinted["marks"] == [*touch.path, *touch.marks]
    assert hinted["first"] == list(touch.path[:1] or touch.marks)
    assert hinted["nudge"].startswith("Hint: ")
    assert not hinted["why"] or hinted["why"].startswith("Why: ")
    assert len(history.match) == len(served.live_table(id).history.match), "nothing has changed"


def test_a_hint_comes_without_script_and_in_the_readers_language(served: Served, ann: Person) -> None:
    for _ in range(12):
        id = under_way(served, ann)
        ply = served.live_table(id).history.ply
        assert 'id="ask-hint"' in ann.page(id)
        answer = ann.post(f"/m/{id}/hint", ply=ply)
        assert answer.status_code == 200
        assert "Hint: " in unescape(answer.text)
        assert 'name="step" value="move"' in answer.text
        answer = ann.web.post(f"/m/{id}/hint?lang=ja", data={"ply": ply, "step": "move"})
        assert "ヒント: " in answer.text
        if 'name="step" value="why"' in answer.text:
            break  # not every move is better in a feature of its game
    answer = ann.post(f"/m/{id}/hint", ply=ply, step="why")
    assert "Why: " in unescape(answer.text)
    assert 'name="step"' not in answer.text
    assert ann.post(f"/m/{id}/hint", ply=ply, step="odds").status_code == 400
    assert "Hint: " not in answer.text
    assert served.live_table(id).history.ply == ply


def test_who_only_watches_or_looks_at_an_older_table_gets_none(
    served: Served, ann: Person, bo: Person
) -> None:
    id = under_way(served, ann)
    ply = served.live_table(id).history.ply
    assert 'id="ask-hint"' not in bo.page(id)
    assert bo.post(f"/m/{id}/hint", ply=ply).status_code == 403
    assert ann.post(f"/m/{id}/hint", ply=ply - 1).status_code == 409
    ann.command(id, "resign", ply)
    assert ann.post(f"/m/{id}/hint", ply=ply + 1).status_code == 400
    assert 'id="ask-hint"' not in ann.page(id)


def test_there_are_no_hints_against_another_person(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    assert 'id="ask-hint"' not in ann.page(id)
    with ann.socket() as line:
        say(line, **{"is": "hint", "match": id, "ply": 0})
        assert hear(line, "hint-found", "refusal")["code"] == "no-hint"


def test_a_move_does_not_wait_for_a_hint_that_was_asked_before(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    history = served.live_table(id).history
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        say(line, **{"is": "hint", "match": id, "ply": history.ply})
        token = greedy(history.match.position)
        say(line, **{"is": "act", "match": id, "ply": history.ply, "move": "justmoved", "token": token})
        heard = hear(line, "changes", "ack", "hint-found")
        assert "justmoved" in json.dumps(heard), "the move is answered first"
        assert hear(line, "hint-found", "conflict")["is"] == "conflict", "and the hint has come too late"


@pytest.mark.parametrize("drawn", [True, False])
def test_a_hint_for_a_table_that_has_moved_on_brings_it_as_a_move_would(
    served: Served, ann: Person, drawn: bool
) -> None:
    id = under_way(served, ann)
    history = served.live_table(id).history
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id, "drawn": drawn})
        hear(line, "changes", "state")
        say(line, **{"is": "hint", "match": id, "ply": history.ply - 1})
        conflict = hear(line, "conflict", "refusal")
        assert (conflict["is"], conflict["move"], conflict["ply"]) == ("conflict", "", history.ply)
        brought = hear(line, "changes", "state")
    assert (brought["ply"], brought["kept"]) == (history.ply, 0), "the whole of it"


def test_the_next_steps_of_a_hint_cost_nothing(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    ply = served.live_table(id).history.ply
    answers = [ann.post(f"/m/{id}/hint", ply=ply).status_code for _ in range(served.settings.hints + 1)]
    assert answers == [200] * (served.settings.hints + 1)


def test_hints_run_out(served: Served, bo: Person) -> None:
    id = under_way(served, bo)
    ply = served.live_table(id).history.ply
    answers = [bo.post(f"/m/{id}/hint", ply=ply + 1).status_code for _ in range(served.settings.hints + 1)]
    assert answers == [409] * served.settings.hints + [429]


def test_a_guess_comes_at_once_where_the_best_bot_takes_longer_and_its_hint_follows(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallchange.server.table.live.bot_turns.FIRST_GUESS_S", 0.0)
    id = under_way(served, ann)
    with ann.socket() as line:
        say(line, **{"is": "hint", "match": id, "ply": served.live_table(id).history.ply})
        guess, best = hear(line, "hint-found"), hear(line, "hint-found")
    assert guess["guess"]
    assert not best.get("guess")
    assert guess["token"] in legal(served, id)
    assert "The best bot is still looking" in guess["text"]
    assert "still looking" not in best["text"]


def test_nobody_is_helped_in_a_game_of_a_tournament() -> None:
    sitters = (Sitter("Ann", "ann"), Sitter("Pip", "bot", "level1"))
    history, _ = tournament_table(
        Game("dodgem"), clock.PRESETS[0], False, sitters, lambda size: "x" * size, 0
    )
    with pytest.raises(Refused) as refused:
        hint_position(history, "ann", history.ply)
    assert refused.value.code == ErrorCode.RATED_AGAINST_BOT
    assert not history.alone, "so nothing is taken back either, nor tried out beside"
    row = type("Row", (), origin_columns(TournamentGame()))
    assert read_origin(row) == TournamentGame()
