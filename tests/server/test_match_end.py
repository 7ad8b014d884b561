"""The end of a match: giving up, a rematch, practice, the record that proves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from smallchange.core import record
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.server.table.model.history import Fork
from smallchange.server.web.errors import ErrorCode
from smallchange.server.web.phrases import AGAIN_SWAPPED, ASK_REMATCH
from tests.support.site_paths import PATHS

from .serving import Person, Served, fresh, hear, say, serving
from .tables import ALONE, LUCKY_PAIR, PAIR, greedy, legal, page_text, table_for_two, under_way


def test_resigning_opens_the_envelope(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(LUCKY_PAIR, words="mine")
    bo.post(ann.invite(id), words="yours")
    history = served.live_table(id).history
    secret = history.head.secret.hex()
    assert secret not in ann.web.get(f"/m/{id}/envelope").text
    assert ann.command(id, "resign", history.ply).status_code == 303
    assert secret in bo.web.get(f"/m/{id}/envelope").text
    assert history.envelope.is_valid
    assert [words for _, words in history.envelope.words] == ["mine", "yours"]
    for form in ("txt", "json"):
        match = record.verify(bo.web.get(f"/m/{id}/record.{form}").text)
        assert match.deal == history.envelope.deal()
        assert match.result == {"ended": "resigned", "by": history.seats[0].player}


def test_a_record_is_replayed_once_however_many_look_at_the_envelope(
    served: Served, ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = ann.open(LUCKY_PAIR, **dict.fromkeys(map("seat.{}".format, Game(LUCKY_PAIR).seats), "me"))
    ann.command(id, "resign", served.live_table(id).history.ply)
    read, replayed, pages = record.read, [], []

    def replay(text: str) -> Match:
        replayed.append(text)
        return read(text)

    monkeypatch.setattr(record, "read", replay)
    for person in (ann, bo):
        with person.socket() as line:  # the table is drawn anew
            say(line, **{"is": "watch", "match": id})
            hear(line, "changes")
        pages.append(person.web.get(f"/m/{id}/envelope").text)
    assert all("Verified: every throw" in page for page in pages)
    assert len(replayed) == 1


def test_names_and_words_of_signs_that_are_joined_are_in_a_record_that_verifies(
    served: Served, ann: Person
) -> None:
    family, persian = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "می\u200cخواهم"
    players = Game(LUCKY_PAIR).seats
    id = ann.open(LUCKY_PAIR, name=family, words=persian, **{f"seat.{player}": "me" for player in players})
    ann.command(id, "resign", served.live_table(id).history.ply)
    for form in ("txt", "json"):
        match = record.verify(ann.web.get(f"/m/{id}/record.{form}").text)
        assert set(match.seats.values()) == {family}
        assert match.envelope
        assert {words for _, words in match.envelope.words} == {persian}


def test_a_rematch_seats_nobody_who_did_not_agree(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    ann.command(id, "resign", 1)
    assert "Ask for a rematch" in ann.page(id)
    for _ in range(55):
        assert ann.post(f"/m/{id}/rematch").headers["location"] == f"/m/{id}"
    history = served.live_table(id).history
    assert (history.ply, history.rematch) == (3, None)
    assert "You asked for a rematch." in ann.page(id)
    assert "asks for a rematch." in bo.page(id)
    assert 'data-call="An offer"' in bo.page(id)
    assert bo.command(id, "answer", 3, yes="0").status_code == 303
    assert "declined the rematch." in ann.page(id)
    assert ann.post(f"/m/{id}/rematch").status_code == 400, "asked once is enough"
    assert bo.post(f"/m/{id}/rematch").headers["location"] == f"/m/{id}", "the other may ask now"
    answer = ann.command(id, "answer", 5, yes="1")
    assert answer.headers["location"] == f"/m/{history.rematch}" != f"/m/{id}"


def test_a_rematch_is_asked_for_and_accepted_over_the_socket(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    ann.command(id, "resign", 1)
    with ann.socket() as a, bo.socket() as b:
        for line in (a, b):
            say(line, **{"is": "watch", "match": id, "drawn": False})
            hear(line, "state")
        say(a, **{"is": "offer", "match": id, "ply": 2, "move": fresh(), "what": "rematch"})
        assert hear(b, "state")["offered"]["what"] == "rematch"
        assert hear(a, "state").get("again") is None
        yes = {"is": "answer", "match": id, "ply": 3, "move": fresh(), "yes": True}
        for _ in range(2):  # sent twice it is done once
            say(b, **yes)
            assert hear(b, "ack")
        assert hear(a, "state")["again"] == served.live_table(id).history.rematch


def test_a_program_asks_for_a_rematch_and_accepts_one_by_the_same_call(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    ann.command(id, "resign", 1)
    calls = [
        who.web.post(
            f"/api/matches/{id}/again", json={}, headers={"Authorization": f"Bearer {who.web.cookies['who']}"}
        )
        for who in (ann, bo)
    ]
    asked, opened = (call.json()["table"] for call in calls)
    assert (asked["match"], asked["offered"]["what"], asked["again"]) == (id, "rematch", None)
    assert opened["match"] == served.live_table(id).history.rematch


def test_who_played_both_sides_has_no_seats_to_swap(served: Served, ann: Person, bo: Person) -> None:
    alone = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    ann.command(alone, "resign", 0)
    assert AGAIN_SWAPPED.en not in ann.page(alone)
    together = table_for_two(ann, bo)
    bo.command(together, "resign", 1)
    assert ASK_REMATCH.en in ann.page(together)


def test_practice_from_a_running_game_has_luck_of_its_own_and_says_so(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    history = served.live_table(id).history
    answer = ann.post(f"/m/{id}/fork", at=str(len(history.match)))
    fork = served.live_table(answer.headers["location"].removeprefix("/m/")).history
    assert fork.match.steps[: len(history.match)] == history.match.steps
    assert fork.head.secret != history.head.secret
    assert fork.head.origin == Fork(id, len(history.match), proven=False)
    assert record.read(record.write(fork.record)).deal is None
    assert fork.record.envelope is None, "it would prove nothing"


def test_practice_from_a_finished_game_meets_the_same_luck(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    history = served.live_table(id).history
    steps = list(history.match.steps)
    ann.command(id, "resign", history.ply)
    answer = ann.post(f"/m/{id}/rematch", same="1")
    again = served.live_table(answer.headers["location"].removeprefix("/m/")).history
    while len(again.match) < len(steps):
        token = steps[len(again.match)].token
        ann.command(again.head.id, "act", again.ply, token=token)
    assert again.match.steps[: len(steps)] == steps
    assert again.head.origin == Fork(id, 0, proven=True)
    ann.command(again.head.id, "resign", again.ply)
    said = ann.web.get(f"/m/{again.head.id}/record.txt").text
    assert f'[Practice "{id}"]' in said
    assert record.verify(said).practice == id, "it verifies, and says that its luck may have been known"
    assert record.verify(ann.web.get(f"/m/{again.head.id}/record.json").text).practice == id


def test_the_same_deal_again_is_the_same_where_practice_had_luck_of_its_own_too(
    served: Served, ann: Person
) -> None:
    id = under_way(served, ann)
    at = len(served.live_table(id).history.match)
    fork = ann.post(f"/m/{id}/fork", at=at).headers["location"].removeprefix("/m/")
    ann.command(fork, "resign", served.live_table(fork).history.ply)
    again = ann.post(f"/m/{fork}/rematch", same="1").headers["location"].removeprefix("/m/")
    assert served.live_table(again).history.match.deal == served.live_table(fork).history.match.deal


def test_practice_from_the_start_of_a_running_game_is_sealed_as_any_game(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    fork = ann.post(f"/m/{id}/fork", at="0").headers["location"].removeprefix("/m/")
    assert served.live_table(fork).history.head.secret != served.live_table(id).history.head.secret
    ann.command(fork, "resign", served.live_table(fork).history.ply)
    assert record.verify(ann.web.get(f"/m/{fork}/record.txt").text).practice == id


def test_practice_of_what_was_practice_claims_no_more_than_that(served: Served, ann: Person) -> None:
    """Its first steps are of no deal."""
    id = under_way(served, ann)
    at = len(served.live_table(id).history.match)
    for _ in range(2):
        id = ann.post(f"/m/{id}/fork", at=at).headers["location"].removeprefix("/m/")
        ann.command(id, "resign", served.live_table(id).history.ply)
        assert record.read(ann.web.get(f"/m/{id}/record.txt").text).deal is None
        assert not served.live_table(id).history.head.is_proven


def test_practice_against_a_bot_is_against_that_bot(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{Game(PAIR).seats[1]}": "bot:greedy"})
    ann.command(id, "resign", 0)
    for who in (ann, bo):
        fork = who.post(f"/m/{id}/fork", at="0").headers["location"].removeprefix("/m/")
        seats = served.live_table(fork).history.seats
        assert [(seat.kind, seat.bot) for seat in seats] == [("person", ""), ("bot", "greedy")]


def test_practice_from_a_step_that_is_none_says_which_there_are(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    last = len(served.live_table(id).history.match)
    asked = f"/api/matches/{id}/fork"
    headers = {"Authorization": f"Bearer {ann.web.cookies['who']}"}
    told = ann.web.post(asked, json={"at": last + 1}, headers=headers)
    said = ErrorCode.BAD_STEP.text.fill(last=last, at=last + 1)
    assert (told.status_code, told.json()["code"], told.json()["why"]) == (400, "bad-step", said.en)
    assert said.en in ann.post(f"/m/{id}/fork", at=last + 1).text
    played = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    while (history := served.live_table(played).history).ending is None:
        ann.command(played, "act", history.ply, token=legal(served, played)[0])
    said = ErrorCode.BAD_STEP.text.fill(last=len(history.match) - 1, at=len(history.match))
    assert said.en in ann.post(f"/m/{played}/fork", at=len(history.match)).text, "nothing is left to play"
    assert ann.post(f"/m/{played}/fork", at=len(history.match) - 1).status_code == 303


def test_no_practice_from_somebody_elses_running_game(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(ALONE)
    assert bo.post(f"/m/{id}/fork", at="0").status_code == 400


def test_no_practice_from_a_running_game_against_a_person(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    for who in (ann, bo):
        assert who.post(f"/m/{id}/fork", at="0").status_code == 400


@pytest.mark.parametrize("game", [ALONE, PAIR, LUCKY_PAIR])
def test_a_whole_game_by_forms_ends_in_a_record_that_verifies(served: Served, ann: Person, game: str) -> None:
    players = Game(game).seats
    id = ann.open(game, **{f"seat.{player}": "me" for player in players})
    live_table = served.live_table(id)
    while not live_table.history.ending:
        token = greedy(live_table.history.match.position)
        assert ann.command(id, "act", live_table.history.ply, token=token).status_code == 303
    assert live_table.history.ending.how == "played"
    said = ann.web.get(f"/m/{id}/record.txt").text
    assert record.read(said).position.result == live_table.history.match.position.result
    assert (record.verify(said) == live_table.history.match) if Game(game).sources else True
    assert Game(game).words.ending(
        live_table.history.match.game.board, live_table.history.match.position.s
    ).en in page_text(ann.page(id))


def test_a_match_is_over_for_every_stranger_at_one_moment_at_every_process(
    served: Served, ann: Person, bo: Person, tmp_path: Path
) -> None:
    """The other process has the table in memory and hears of no end."""
    id = ann.open(LUCKY_PAIR)
    bo.post(ann.invite(id))
    secret = served.live_table(id).history.head.secret.hex()
    paths = [path.replace("{id}", id) for route, found in PATHS.items() if "{id}" in route for path in found]
    paths = [path for path in paths if not path.endswith(("/news", "/stream", "/events"))]

    def ask(asked: Served) -> dict[str, tuple[int, bool]]:
        """Return what a stranger is answered: the status, and whether the luck is told."""
        with Person(asked) as stranger:
            answers = {path: stranger.web.get(path) for path in paths}
            answers |= {"fork": stranger.post(f"/m/{id}/fork", at="0")}
            answers |= {
                what: stranger.post(f"/m/{id}/{what}", ply="1") for what in ("hint", "review", "rematch")
            }
            return {path: (one.status_code, secret in one.text) for path, one in answers.items()}

    with serving(tmp_path / "there", database=served.settings.database, roles="none") as there:
        there.services.tables.bus.local = False  # as one that hears of the others, if late
        before = ask(served)
        assert ask(there) == before
        assert not any(told for _, told in before.values())
        assert before["fork"][0] == 400
        ann.command(id, "resign", served.live_table(id).history.ply)
        after = ask(there)
        assert after == ask(served)
    assert after["fork"][0] == 303
    assert after[f"/m/{id}/envelope"][1]
