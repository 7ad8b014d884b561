"""Games played by an independent implementation of the same rules must agree with ours at every step."""

import json
from pathlib import Path
from typing import Any

import pytest

import smallchange
from smallchange import Position
from tests.oracle.records import COUNTS, RECORDS, file_label

UNRECORDED = {"royal-ur"}  # games of which no independent implementation has recorded matches


def test_there_are_records_of_every_game() -> None:
    assert {path.stem for path in RECORDS} >= set(smallchange.games()) - UNRECORDED


@pytest.mark.parametrize("path", RECORDS, ids=file_label)
def test_every_step_of_every_record_agrees(path: Path) -> None:
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        replay(json.loads(text), f"{path.name}, line {line}")


def replay(record: dict[str, Any], place: str) -> None:
    """Replay a record; an assertion names the step and the tokens that lead to it."""
    position = smallchange.game(record["game"], **record["options"]).start()
    so_far: list[str] = []
    for step in record["steps"]:
        here = f"{place}, {record['options']}, after {' '.join(so_far) or 'nothing'}"
        assert position.actor == step["actor"], here
        assert possible(position) == step["legal"], here
        position.play(step["take"])
        so_far.append(step["take"])
        assert position.s.violations() == [], f"{here} {step['take']}"
    assert position.actor is None, f"{place}: the game should be over"
    assert position.result == record["result"], place


def possible(position: Position) -> list[Any]:
    """Return a record's description of a step: the legal tokens, or chance's tokens with their weights."""
    return position.legal() or [list(chance) for chance in position.weights()]


@pytest.mark.parametrize("path", COUNTS, ids=file_label)
def test_the_numbers_of_token_sequences_agree(path: Path) -> None:
    said = json.loads(path.read_text(encoding="utf-8"))
    for place in said["positions"]:
        start = smallchange.game(said["game"], **place["options"]).start()
        depths = range(1, len(place["counts"]) + 1)
        assert [perft(start, depth) for depth in depths] == place["counts"], place["options"]


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` tokens; a game over before adds nothing."""
    if depth == 1:
        return len(list(position))
    return sum(perft(position.played(token), depth - 1) for token in position)
