"""Offline play on the server's side: its pages, the table in the browser, and the records that are brought."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from smallchange.core import record
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.server.offline import bundle
from smallchange.server.offline.browser_modules import own_modules
from smallchange.server.offline.local_table import LocalTable, table_id
from smallchange.server.offline.stand_ins import digests, typed_classes
from tests.support.play import FOR_ONE

from .serving import Person, Served

SECRET = bytes(range(32))


def play_offline(game: str, secret: bytes = SECRET) -> str:
    """Return the record of a game that was played offline to its end."""
    table = LocalTable(game, "en", secret)
    said = json.loads(table.show())
    while not said["over"]:
        act = {"is": "act", "match": said["match"], "ply": said["ply"], "move": f"move-{said['ply']}"}
        said = json.loads(table.take(json.dumps(act | {"token": table.first_choice()})))
    return table.save()


def refusal(person: Person, text: str) -> str:
    answer = person.post("/offline/bring", record=text)
    assert answer.status_code == 400
    (said,) = re.findall(r'role="alert">([^<]*)<', answer.text)
    return str(said)


def test_the_games_for_one_are_offered_and_begin_as_tables_of_the_browser(ann: Person) -> None:
    page = ann.web.get("/offline").text
    assert re.findall(r'href="/m/offline-([\w-]+)"', page) == list(FOR_ONE)
    for game in FOR_ONE:
        table = ann.page(table_id(game))
        assert 'data-local="1"' in table
        assert "You play offline" in table
        assert not re.search(r'href="/m/offline-[\w-]+/', table), "there is no page of it on the server"
    assert ann.web.get("/m/offline-dodgem").status_code == 404


def test_without_the_packages_the_page_says_so(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "is_installed", lambda: False)
    page = ann.web.get("/offline").text
    assert "This server cannot prepare games to be played offline." in page
    assert "/m/offline-" not in page
    for path in ("/m/offline-solo", "/offline/python.js", "/offline/brython.js"):
        assert ann.web.get(path).status_code == 404


def test_a_table_goes_on_from_its_record_takes_back_and_says_why_not() -> None:
    table = LocalTable("coin-collectors", "de", SECRET)
    shown = json.loads(table.show())
    command = {"match": shown["match"], "ply": shown["ply"], "move": "move-one"}
    wrong = json.loads(table.take(json.dumps(command | {"is": "act", "token": "nonsense"})))
    assert (wrong["is"], wrong["move"]) == ("refusal", "move-one")
    resigned = json.loads(table.take(json.dumps(command | {"is": "resign"})))
    assert resigned["over"]
    again = LocalTable("coin-collectors", "de", bytes(32), table.save())
    assert again.over
    assert again.save() == table.save()
    assert json.loads(again.look(0))["at"] == 0


@pytest.mark.parametrize("game", FOR_ONE)
def test_a_game_is_brought_checked_and_listed_and_counts_for_nobody(ann: Person, game: str) -> None:
    answer = ann.post("/offline/bring", record=play_offline(game))
    assert answer.status_code == 303
    path = answer.headers["location"]
    assert "Played offline" in ann.web.get(path).text
    mine = ann.web.get("/mine").text
    assert path in mine
    assert "played offline" in mine
    assert 'id="results"' not in mine, "it counts for nobody"
    assert record.read(ann.web.get(f"{path}/record.txt").text).deal is None, "its luck is not proven"


def test_the_same_game_is_the_same_table_for_its_player_alone(ann: Person, bo: Person) -> None:
    text = play_offline("solo", bytes(32))
    first, again = (ann.post("/offline/bring", record=text).headers["location"] for _ in range(2))
    assert first == again
    assert "somebody else" in refusal(bo, text)


def test_a_record_that_was_tampered_with_is_refused_with_one_error(ann: Person, served: Served) -> None:
    document = json.loads(play_offline("solo", bytes([1] * 32)))
    forged = document | {"result": document["result"] | {"score": 0}}
    assert "its steps give" in refusal(ann, json.dumps(forged))
    assert "is not valid" in refusal(ann, json.dumps(document | {"deal": "00" * 16}))
    assert "is not valid" in refusal(ann, "nonsense")
    begun = LocalTable("solo", "en", SECRET).save()
    assert "not finished" in refusal(ann, begun)
    for_two = Match(Game("dodgem"))
    for_two.end("resigned", "red")
    assert "only games for one" in refusal(ann, record.to_json_text(for_two))


def test_what_stands_in_for_pythons_library_does_the_same() -> None:
    rows: Any = type(typed_classes.NamedTuple)
    Point = rows("Point", (), {"__fields__": ("x", "y"), "y": 2})
    assert Point(1) == (1, 2)
    assert Point(y=5, x=4)._replace(x=1) == (1, 5)
    assert repr(Point(1)) == "Point(x=1, y=2)"
    assert digests.digest(b"key", b"message", "sha256").hex()[:8] == "6e9ef29b"


def test_every_part_of_the_games_is_made_ready_for_the_browser() -> None:
    modules = own_modules()
    for game in FOR_ONE:
        for part in ("rules", "model", "notation", "words", "layout"):
            assert f"smallchange.games.{game.replace('-', '_')}.{part}" in modules
    assert "import numpy" not in "".join(text for _, text, *_ in modules.values())
