"""The luck of a whole site, checked by anybody: the dump of its records, and the page on fairness."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from smallchange.cli import main
from smallchange.core import record
from smallchange.core.game import Game, games
from smallchange.core.match import Match
from smallchange.core.throws import Throw, throws
from smallchange.lab.fairness import ThrowCounts
from smallchange.server.table.model.new_tables import may_end_at_once
from smallchange.server.table.storage.retention import site_records
from smallchange.server.table.storage.store import Store

from .serving import Person, serving
from .tables import page_text

FOR_ONE = [id for id in games() if len(Game(id).seats) == 1 and Game(id).sources]
CHOSEN = [id for id in FOR_ONE if may_end_at_once(Game(id))]  # whose deals are chosen, so no fair sample
PUBLISHED = [id for id in FOR_ONE if id not in CHOSEN]
THROWN = PUBLISHED[0]


def finish(person: Person, game: str) -> str:
    """Play a table for one to its end, by resigning after a move; return its id."""
    table = person.open(game, name="Somebody", words="luck")
    history = person.served.live_table(table).history
    person.command(table, "act", history.ply, token=history.match.position.legal()[0])
    person.command(table, "resign", person.served.live_table(table).history.ply)
    return table


def test_anybody_can_check_the_throws_of_a_whole_site(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with serving(tmp_path) as served, Person(served) as ann:
        played = [finish(ann, game) for game in PUBLISHED for _ in range(2)]
        for game in CHOSEN:
            finish(ann, game)
        running = served.live_table(ann.open(THROWN)).history.head.secret
        secrets = {served.live_table(id).history.head.secret.hex() for id in played}
    done = CliRunner().invoke(main, ["server", "dump", str(file), "--database", database])
    lines = file.read_text("utf-8").splitlines()
    assert (done.exit_code, done.output) == (0, f"{file}: {len(lines)} games\n")
    assert CHOSEN == ["coin-collectors"]
    assert {json.loads(line)["secret"] for line in lines} == secrets
    assert running.hex() not in file.read_text("utf-8")
    assert "Somebody" not in file.read_text("utf-8")
    drawn = sum(step.actor == "chance" for line in lines for step in record.verify(line))
    checked = CliRunner().invoke(main, ["check", "--site", str(file), "--json"])
    found = json.loads(checked.output)
    assert (found["games"], found["throws"]) == (
        len(lines),
        sum(len(list(throws(record.verify(line)))) for line in lines),
    )
    assert 0 < found["throws"] <= drawn
    tests = json.loads((tmp_path / "games.jsonl.tests.json").read_text("utf-8"))
    assert {key: found[key] for key in tests} == tests
    with serving(tmp_path, dump=str(file)) as served, Person(served) as eve:
        page = page_text(eve.web.get("/fairness").text)
        assert f"Finished games: {len(lines)}; throws: {found['throws']:,}" in page
        assert eve.web.get("/fairness/games.jsonl").content == file.read_bytes()


def test_a_changed_throw_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    with serving(tmp_path) as served, Person(served) as ann:
        for _ in range(2):
            finish(ann, THROWN)
    CliRunner().invoke(
        main, ["server", "dump", str(file), "--database", f"sqlite:///{tmp_path / 'tables.db'}"]
    )
    first, second = map(json.loads, file.read_text("utf-8").splitlines())
    second["secret"] = first["secret"]
    file.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n", "utf-8")
    done = CliRunner().invoke(main, ["check", "--site", str(file)])
    assert done.exit_code == 1
    assert done.output.startswith(f"{file}: line 2: ")


def test_the_deal_of_a_day_is_in_the_dump_once_its_day_has_closed(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        begun = ann.post(f"/daily/{THROWN}").headers["location"].removeprefix("/m/")
        ann.command(begun, "resign", served.live_table(begun).history.ply)
        history = served.live_table(begun).history
    closing = history.head.closes_at
    assert closing is not None

    async def verify_dump(now_ms: int) -> list[bool]:
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
        await store.open()
        try:
            found = [match async for match in site_records(store, now_ms)]
            return [
                match is not None and record.verify(record.to_json_text(match)) == match for match in found
            ]
        finally:
            await store.close()

    assert asyncio.run(verify_dump(closing - 1)) == []
    verified = asyncio.run(verify_dump(closing))
    assert verified
    assert all(verified)  # also the match of the bot that sets the par


def test_a_throw_that_many_people_met_is_counted_once() -> None:
    game = Game(THROWN)
    matches = [Match(game, bytes(16)) for _ in range(2)] + [Match(game, bytes([1] * 16))]
    for match in matches:
        match.settle()
        match.play(match.position.legal()[0])
        match.settle()
    counts = ThrowCounts()
    for match in matches:
        counts.add_match(match)
    assert counts.test().throws == sum(len(list(throws(match))) for match in matches[1:])


def test_throws_that_one_of_two_players_of_a_deal_has_met_are_counted_too() -> None:
    shorter, longer = (Match(Game(THROWN), bytes(16)) for _ in range(2))
    shorter.settle()
    longer.settle()
    longer.play(longer.position.legal()[0])
    longer.settle()
    for order in ((shorter, longer), (longer, shorter)):
        counts = ThrowCounts()
        for match in order:
            counts.add_match(match)
        assert counts.test().throws == len(list(throws(longer)))


def test_a_site_without_a_dump_says_so(ann: Person) -> None:
    assert "has not published" in page_text(ann.web.get("/fairness").text)
    assert ann.web.get("/fairness/games.jsonl").status_code == 404


def test_throws_too_few_to_be_tested_are_called_neither_fair_nor_loaded(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served):
        pass
    file = tmp_path / "games.jsonl"
    CliRunner().invoke(
        main, ["server", "dump", str(file), "--database", f"sqlite:///{tmp_path / 'tables.db'}"]
    )
    said = CliRunner().invoke(main, ["check", "--site", str(file)]).output
    assert said.endswith("0 throws of objects with too few throws not tested.\n")
    assert "p = " not in said
    with serving(tmp_path, dump=str(file)) as served, Person(served) as eve:
        page = page_text(eve.web.get("/fairness").text)
    assert "p = " not in page
    assert "too few throws: 0" in page


@pytest.mark.parametrize(("loaded", "low", "high"), [(0, 0.001, 1), (10, 0, 1e-6)])
def test_loaded_dice_are_found_and_fair_ones_are_not_accused(loaded: int, low: float, high: float) -> None:
    luck, counts = Random(3), ThrowCounts()
    for _ in range(3000):
        face = luck.choice([*range(6), *range(6), *[5] * loaded])
        counts.add([Throw("solo", "suns die", (1,) * 6, face)])
    p = counts.test().p
    assert p is not None
    assert low <= p <= high
