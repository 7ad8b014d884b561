"""Programs at the table."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from smallchange import games
from smallchange.core import record
from smallchange.core.game import Game
from smallchange.server.web.limits import KeyedRateLimit

from .outside import until
from .serving import Person, Served, fresh, hear, say
from .tables import ALONE, LUCKY_PAIR, PAIR

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


class Program:
    """A program with its token."""

    def __init__(self, served: Served) -> None:
        self.web = httpx.Client(base_url=f"{served.url}/api", timeout=300)

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        answer = self.web.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def seat(self, path: str, status: int = 200, **body: Any) -> Any:
        said = self.post(path, status, **body)
        if said["token"]:
            self.web.headers["Authorization"] = f"Bearer {said['token']}"
        return said["table"]

    def act(self, table: dict[str, Any], token: str, status: int = 200) -> Any:
        return self.post(
            f"/matches/{table['match']}/act", status, ply=table["ply"], move=fresh(), token=token
        )


@pytest.fixture
def one(served: Served) -> Iterator[Program]:
    program = Program(served)
    yield program
    program.web.close()


@pytest.fixture
def two(served: Served) -> Iterator[Program]:
    program = Program(served)
    yield program
    program.web.close()


def test_a_program_finds_the_games_and_how_to_set_them_up(one: Program) -> None:
    said = one.web.get("/games").json()
    assert [game["id"] for game in said["games"]] == games()
    assert {"random", "greedy"} <= set(said["bots"])
    assert all(option["accepts"] for game in said["games"] for option in game["options"])


@pytest.mark.parametrize("game", [ALONE, PAIR, LUCKY_PAIR])
def test_a_program_plays_a_game_to_its_end_and_the_record_verifies(one: Program, game: str) -> None:
    table = one.seat("/matches", 201, game=game, seats=dict.fromkeys(Game(game).seats, "me"))
    start = Game(game).start()
    while not table["ended"]:
        assert table["legal"] == start.parse(table["position"]).legal()
        table = one.act(table, table["legal"][0])["table"]
    text = one.web.get(f"/matches/{table['match']}/record.txt").text
    assert [step.token for step in record.read(text)] == table["tokens"]
    assert (
        json.loads(one.web.get(f"/matches/{table['match']}/record.json").text)["result"]
        == table["ended"]["result"]
    )
    winner = table["ended"]["result"].get("winner", "draw")
    assert table["ended"]["winners"] == ([] if winner == "draw" else [winner])
    assert table["ended"]["won"] is table["ended"]["result"].get("won")
    assert [own["ended"] for own in one.web.get("/mine").json()["matches"]] == [table["ended"]]
    if Game(game).sources:
        assert one.web.post("/verify", content=text).json() == {"holds": True, "why": "", "practice": ""}
        unfinished = record.write(record.read(text).until(3))
        for other in (text.replace("\n\n", "\n# a comment\n\n", 1), unfinished):
            assert record.read(other), "it can be read, and is no proof"
            assert not one.web.post("/verify", content=other).json()["holds"]


def test_a_program_that_gives_a_game_for_one_up_has_lost_it(one: Program) -> None:
    table = one.seat("/matches", 201, game=ALONE)
    assert [own["ended"] for own in one.web.get("/mine").json()["matches"]] == [None]
    ended = one.post(f"/matches/{table['match']}/resign", ply=table["ply"], move=fresh())["table"]["ended"]
    assert (ended["how"], ended["won"]) == ("resigned", False)
    described = one.web.get("/openapi.json").json()["components"]["schemas"]["Ended"]["properties"]
    assert ended["how"] in described["how"]["enum"]


def test_who_takes_another_seat_leaves_the_first_open_as_is_described(one: Program) -> None:
    first, *_, last = Game(PAIR).seats
    table = one.seat("/matches", 201, game=PAIR, seats={last: "me"}, open=True)
    kinds = {seat["player"]: seat["kind"] for seat in table["seats"]}
    assert (kinds[first], kinds[last]) == ("open", "person")
    described = one.web.get("/openapi.json").json()
    schemas = described["components"]["schemas"]
    assert set(kinds.values()) < set(schemas["Seat"]["properties"]["kind"]["enum"])
    assert "If no player is `me`, the first player without an entry is" in schemas["NewTable"]["description"]
    assert table["match"] not in [open["match"] for open in one.web.get("/tables").json()["tables"]]
    assert "except your own" in described["paths"]["/api/tables"]["get"]["summary"]


def test_two_programs_meet_by_a_code(one: Program, two: Program) -> None:
    mine = one.seat("/matches", 201, game=PAIR, name="One", open=True)
    assert mine["code"]
    assert mine["code"] in [table["code"] for table in two.web.get("/tables").json()["tables"]]
    yours = two.seat(f"/join/{mine['code']}", name="Two")
    assert yours["started"]
    assert yours["legal"] == []
    assert two.act(yours, "x", 400)["code"] == "not-your-turn"
    mine = one.web.get(f"/matches/{mine['match']}").json()
    done = one.act(mine, mine["legal"][0])
    conflict = one.act(mine, mine["legal"][0], 409)
    assert conflict["code"] == "conflict"
    assert conflict["table"]["ply"] == done["table"]["ply"]
    assert [own["your_turn"] for own in two.web.get("/mine").json()["matches"]] == [True]


def test_a_third_program_may_look_and_not_touch(one: Program, two: Program) -> None:
    table = one.seat("/matches", 201, game=ALONE)
    two.seat("/matches", 201, game=ALONE)
    seen = two.web.get(f"/matches/{table['match']}").json()
    assert seen["legal"] == []
    assert seen["secret"] is None
    assert two.act(seen, "x", 403)["code"] == "spectator"


def test_a_stream_tells_every_step_from_the_ply_known(one: Program, two: Program) -> None:
    table = one.seat("/matches", 201, game=PAIR, seats=dict.fromkeys(Game(PAIR).seats, "me"))
    heard: list[str] = []
    with two.web.stream("GET", f"/matches/{table['match']}/stream?ply=0") as stream:
        assert stream.headers["x-accel-buffering"] == "no"
        events = (
            json.loads(line.removeprefix("data: ")) for line in stream.iter_lines() if line.startswith("data")
        )
        for _ in range(4):
            table = one.act(table, table["legal"][0])["table"]
            while len(heard) < len(table["tokens"]):
                heard += next(events)["tokens"]
    assert heard == table["tokens"]


def test_a_program_is_told_of_offers_their_answers_the_end_and_the_rematch(
    served: Served, one: Program, two: Program
) -> None:
    first, second = Game(PAIR).seats
    mine = one.seat("/matches", 201, game=PAIR)
    id = two.seat(f"/join/{mine['code']}")["match"]

    def does(who: Program, kind: str, ply: int, **said: Any) -> Any:
        return who.post(f"/matches/{id}/{kind}", ply=ply, move=fresh(), **said)["table"]

    headers = {"Authorization": two.web.headers["Authorization"]}
    with connect(
        f"{served.url.replace('http', 'ws')}/ws", additional_headers=headers, open_timeout=300
    ) as line:
        say(line, **{"is": "watch", "match": id, "ply": 1, "drawn": False})
        assert hear(line, "state")["ply"] == 1, "a program that knows the ply is told the rest all the same"
        table = does(one, "offer", 1, what="draw")
        assert table["offered"] == hear(line, "state")["offered"] == {"what": "draw", "player": first}
        does(two, "answer", 2, yes=False)
        assert "offered" not in hear(line, "state"), "declined"
        table = does(one, "resign", 3)
        told = hear(line, "state")
        assert told["ended"] == table["ended"]
        assert (told["ended"]["how"], told["ended"]["winners"]) == ("resigned", [second])
        assert one.post(f"/matches/{id}/again")["match"] == id, "the other has to agree"
        assert hear(line, "state")["offered"] == {"what": "rematch", "player": first}
        again = two.post(f"/matches/{id}/again")["match"]
        assert hear(line, "state")["again"] == again
        assert one.web.get(f"/matches/{id}").json()["again"] == again


def test_who_asks_for_the_head_of_a_stream_alone_has_it_and_goes_on(one: Program) -> None:
    id = one.seat("/matches", 201, game=PAIR)["match"]
    for _ in range(2):  # over the same connection
        assert one.web.head(f"/matches/{id}/stream").status_code == 200
        assert one.web.get("/games").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/nothing", 404), ("GET", "/", 404), ("DELETE", "/games", 405)]
)
def test_a_call_that_is_none_has_an_error_of_the_same_shape(
    one: Program, method: str, path: str, status: int
) -> None:
    answer = one.web.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (status, "no-call")
    assert "set-cookie" not in answer.headers


def test_a_stream_opened_before_sitting_down_tells_what_is_legal_then(one: Program, two: Program) -> None:
    table = one.seat("/matches", 201, game=PAIR)
    two.seat("/matches", 201, game=PAIR)  # for a token
    with two.web.stream("GET", f"/matches/{table['match']}/stream") as stream:
        events = (
            json.loads(line.removeprefix("data: ")) for line in stream.iter_lines() if line.startswith("data")
        )
        assert next(events)["legal"] == []
        table = two.seat(f"/join/{table['code']}")
        done = one.act(table, Game(PAIR).start().parse(table["position"]).legal()[0])
        while (told := next(events))["ply"] < done["table"]["ply"]:
            pass
    assert told["legal"] == Game(PAIR).start().parse(done["table"]["position"]).legal()


def test_undo_offer_answer_resign_again_and_fork_are_there_for_programs(one: Program, two: Program) -> None:
    table = one.seat("/matches", 201, game=LUCKY_PAIR)
    two.seat(f"/join/{table['code']}")
    path = f"/matches/{table['match']}"
    ply = one.web.get(path).json()["ply"]
    assert one.post(f"{path}/undo", 400, ply=ply, move=fresh())["code"] == "must-ask-to-undo"
    one.post(f"{path}/offer", ply=ply, move=fresh(), what="draw")
    two.post(f"{path}/answer", ply=ply + 1, move=fresh(), yes=False)
    ended = one.post(f"{path}/resign", ply=ply + 2, move=fresh())["table"]["ended"]
    assert (ended["how"], ended["winners"]) == ("resigned", [Game(LUCKY_PAIR).seats[1]])
    assert one.web.get(path).json()["secret"]
    assert one.post(f"{path}/again")["match"] == table["match"], "the other has to agree"
    again = two.post(f"{path}/again")["match"]
    assert again == one.post(f"{path}/again")["match"] != table["match"]
    practice = two.post(f"{path}/fork", at=0)["table"]
    assert practice["practice"] == table["match"]


def test_a_body_that_is_no_json_is_an_error_that_says_so(one: Program) -> None:
    """What is JSON and no such body, test_api_description tries."""
    for body in (b"{", b"[]", b"null", b"\xff\xfe", b'{"game": "\xff"}', b"[" * 5000):
        answer = one.web.post("/matches", content=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-message"), body
        assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("path", "body", "accepted"),
    [
        ("/matches/{id}/stream?ply=last", None, "ply must be a whole number from -1 to 999999, not 'last'"),
        ("/matches/{id}/stream?ply=-2", None, "ply must be a whole number from -1 to 999999, not '-2'"),
        ("/played/Nobody?result=win", None, "result must be one of drawn, lost, won, not 'win'"),
        ("/played/Nobody?page=0", None, "page must be a whole number from 1 to 999999, not '0'"),
        ("/matches/{id}/offer", {"what": "money"}, "what must be one of draw, rematch, undo"),
        ("/matches/{id}/act", {"ply": -1}, "Expected `int` >= 0 - at `$.ply`"),
    ],
)
def test_a_value_that_is_not_accepted_is_told_what_is(
    one: Program, path: str, body: dict[str, Any] | None, accepted: str
) -> None:
    path = path.format(id=one.seat("/matches", 201, game=PAIR)["match"])
    command = (
        {"ply": 0, "move": fresh(), "token": "x"} if path.endswith("act") else {"ply": 0, "move": fresh()}
    )
    answer = one.web.post(path, json=command | body) if body else one.web.get(path)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-message")
    assert answer.json()["why"] == f"This message cannot be read: {accepted}"


def test_one_address_has_so_many_records_verified_a_minute(
    served: Served, one: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.services.limits, "records", KeyedRateLimit(1, 600.0))
    statuses = [one.web.post("/verify", content="no record").status_code for _ in range(2)]
    assert statuses == [200, 429]


LONG = "x" * 9999


@pytest.mark.parametrize(
    "body",
    [
        {"game": LONG},
        {"game": PAIR, LONG: 1},
        {"game": PAIR, "seats": {LONG: "me"}},
        {"game": PAIR, "seats": {Game(PAIR).seats[0]: LONG}},
        {"game": PAIR, "options": {LONG: 1}},
    ],
)
def test_of_a_long_text_that_is_refused_only_the_beginning_is_repeated(
    one: Program, body: dict[str, Any]
) -> None:
    why = one.post("/matches", 400, **body)["why"]
    assert 40 * "x" in why
    assert 100 * "x" not in why


@pytest.mark.parametrize("token", ["x", "Bearer", "Bearer short", "Bearer " + "é" * 30, "Basic " + "a" * 40])
def test_a_token_that_is_none_is_refused(served: Served, one: Program, token: str) -> None:
    headers = {b"Authorization": token.encode()}
    answer = one.web.get("/mine", headers=headers)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize("game", [ALONE, PAIR])
def test_the_example_bot_plays_a_whole_game(served: Served, game: str) -> None:
    done = subprocess.run(
        [sys.executable, str(BOT), served.url, game], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "/m/" in done.stdout


def test_the_example_bot_says_in_a_line_what_is_wrong(served: Served) -> None:
    def error_of(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, str(BOT), *arguments], capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 1
        return done.stderr

    for wrong in ([], [served.url], [served.url, "--join"], ["localhost", ALONE]):
        assert error_of(*wrong).startswith("A program that plays"), wrong
    assert error_of(served.url, "chess").startswith("unknown game 'chess'; the games are: ")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        away = f"http://127.0.0.1:{taken.getsockname()[1]}"
    for lines in (error_of(served.url, "--join", "nobody"), error_of(away, ALONE)):
        assert "Traceback" not in lines
        assert lines.count("\n") == 1


def test_the_example_bot_goes_on_when_the_news_are_cut(served: Served, ann: Person) -> None:
    """As by a server that is started again behind a proxy."""
    id = ann.open(PAIR)
    code = ann.invite(id).removeprefix("/j/")
    bot = subprocess.Popen(
        [sys.executable, str(BOT), served.url, "--join", code], stdout=subprocess.PIPE, text=True
    )

    async def cut() -> None:
        while not served.services.streams:
            await asyncio.sleep(0.01)
        served.services.closing.set()
        for news in served.services.streams:
            news.set()
        while served.services.streams:
            await asyncio.sleep(0.01)
        served.services.closing.clear()

    served.call(cut())
    ann.command(id, "resign", 1)
    said, _ = bot.communicate(timeout=300)
    ended = ann.web.get(f"/api/matches/{id}").json()["ended"]
    assert (bot.returncode, said.splitlines()[-1]) == (0, ended["text"]["en"])


def test_a_person_and_a_program_play_each_other(served: Served, ann: Person) -> None:
    id = ann.open(PAIR)
    code = ann.invite(id).removeprefix("/j/")
    bot = subprocess.Popen(
        [sys.executable, str(BOT), served.url, "--join", code], stdout=subprocess.PIPE, text=True
    )
    history = served.live_table(id).history
    while not history.ending:
        until(lambda: history.turn == 0 or history.ending or bot.poll() is not None)
        assert history.turn == 0 or history.ending
        if not history.ending:
            ann.command(id, "act", history.ply, token=history.match.position.legal()[0])
    said, _ = bot.communicate(timeout=300)
    assert bot.returncode == 0
    assert history.ending
    assert id in said
