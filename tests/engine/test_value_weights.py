"""Learned values as a file: whole or not there, and believed only where they can be right."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import smallchange
from smallchange import BadValues
from smallchange.core.measurements import VALUES_FILE, VARIANT_VALUES_FILE, learned_values_file
from smallchange.engine.search.value_weights import (
    Weights,
    has_features,
    new_weights,
    read_weights,
    write_weights,
)

GAME = next(game for id in smallchange.games() if has_features(game := smallchange.game(id)))


@pytest.fixture
def net() -> Weights:
    return new_weights(GAME, 4, 1)


def test_the_variants_of_a_game_may_have_values_of_their_own() -> None:
    ur, aseb = smallchange.game("royal-ur"), smallchange.game("royal-ur", path="aseb")
    assert learned_values_file(ur) == ur.folder / VALUES_FILE
    assert learned_values_file(aseb) == ur.folder / VARIANT_VALUES_FILE
    assert (read_weights(ur).first != read_weights(aseb).first).any()
    assert learned_values_file(smallchange.game("coin-age", map="lagoon")).name == VALUES_FILE


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_weights_that_are_not_finite_are_not_written(bad: float, net: Weights, tmp_path: Path) -> None:
    file = tmp_path / VALUES_FILE
    write_weights(file, GAME, net)
    before = file.read_bytes()
    net.first[2, 1] = bad
    with pytest.raises(BadValues, match="is not written: not all weights are finite"):
        write_weights(file, GAME, net)
    assert [file] == list(tmp_path.iterdir())
    assert file.read_bytes() == before


def test_whoever_reads_a_file_while_it_is_written_again_reads_the_old_one(
    net: Weights, tmp_path: Path
) -> None:
    file = tmp_path / VALUES_FILE
    write_weights(file, GAME, net)
    before = file.read_bytes()
    with file.open("rb") as reading:
        write_weights(file, GAME, replace(net, blend=0.5))
        assert reading.read() == before
    assert read_weights(GAME, file).blend == 0.5
    assert [file] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("second", 3, "it holds a net of"),
        ("second", [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], "it holds a net of"),
        ("second", [float("nan")] * 5, "not all weights are finite"),
        ("second", [float("inf")] * 5, "not all weights are finite"),
        ("second", [10**400] * 5, "does not hold learned values"),
        ("scales", [0] * len(new_weights(GAME, 4, 1).scales), "not all scales are above 0"),
        ("blend", float("nan"), "blend is a number from 0 to 1"),
        ("blend", 9, "blend is a number from 0 to 1"),
    ],
)
def test_numbers_that_no_net_has_are_refused(
    name: str, value: object, says: str, net: Weights, tmp_path: Path
) -> None:
    file = tmp_path / VALUES_FILE
    write_weights(file, GAME, net)
    file.write_text(json.dumps(json.loads(file.read_text()) | {name: value}))
    with pytest.raises(BadValues, match=says) as refused:
        read_weights(GAME, file)
    assert str(file) in str(refused.value)


def test_what_cannot_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / VALUES_FILE
    file.write_text("[" * 100_000)
    for path in (tmp_path, file):
        with pytest.raises(BadValues, match="does not hold learned values") as refused:
            read_weights(GAME, path)
        assert "\n" not in str(refused.value)
