"""Tables of large boards, on boards small enough to be held against tables with plies."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import smallchange
from smallchange import BadPosition, BadTable, Position
from smallchange.bots.engines.tablebase import safe_moves
from smallchange.core.game import Game
from smallchange.tablebase import Table, open_table
from smallchange.tablebase.layered_solve import solve_layers
from smallchange.tablebase.make_table import make_table
from smallchange.tablebase.position_counts import counts_of
from smallchange.tablebase.table import LAYERED as MAGIC
from smallchange.tablebase.table import digest, header_line
from smallchange.tablebase.verify import check_sample
from tests.support.small_solved_games import every_position

VARIANTS = [(start, blocked) for start in ("facing", "crosswise") for blocked in ("pass", "wins", "loses")]


@pytest.fixture(scope="module", params=VARIANTS)
def tables(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Table, Table]:
    """Return a table by layers, and one with plies, of the same board."""
    start, blocked = request.param
    game = smallchange.game("dodgem", size=3, start=start, blocked=blocked)
    folder = tmp_path_factory.mktemp("tables")
    solve_layers(folder / "layers.table", game, threads=2)
    return open_table(folder / "layers.table"), make_table(folder / "plies.table", game)


def test_every_value_is_that_of_the_solve_with_plies(tables: tuple[Table, Table]) -> None:
    layers, plies = tables
    assert layers.positions == plies.positions
    assert counts_of(layers) == counts_of(plies)
    for position in every_position(plies):
        assert layers.value(position).outcome == plies.value(position).outcome, position.key()
    assert sum(check_sample(layers, 1000).values()) > 900


def test_what_is_won_is_won_without_wandering_against_the_longest_resistance(
    tables: tuple[Table, Table],
) -> None:
    layers, plies = tables
    luck = Random(1)
    for position in every_position(plies)[::5]:
        if plies.value(position).outcome == "win":
            winner = position.s.turn
            here = Position(Game("dodgem", {**position.game.options, "quiet_limit": 1000}), position.s)
            for _ in range(100):
                if here.actor is None:
                    break
                if here.s.turn == winner:
                    here.play(luck.choice(safe_moves(here, here.legal(), layers)))
                else:
                    here.play(luck.choice(plies.best(here)))
            assert here.actor is None, position.key()
            assert here.s.winner == winner, position.key()


def test_no_position_is_lost_that_is_not(tables: tuple[Table, Table]) -> None:
    layers, plies = tables
    for position in every_position(plies):
        value = plies.value(position).outcome
        for token in safe_moves(position, position.legal(), layers):
            assert plies.after(position, token).outcome == value, position.key()


GO_ON = """
import os, sys
from pathlib import Path
import smallchange
from smallchange.tablebase.layered_solve import solve_layers

def progress(done, whole):
    if done > whole // 2:
        os._exit(9)

solve_layers(Path(sys.argv[1]), smallchange.game("dodgem", size=3), progress=progress)
"""


def test_a_killed_solve_goes_on_and_makes_the_same_file(tmp_path: Path) -> None:
    file, whole = tmp_path / "killed.table", tmp_path / "whole.table"
    assert subprocess.run([sys.executable, "-c", GO_ON, str(file)], check=False).returncode == 9
    assert not file.exists()
    begun = []
    game = smallchange.game("dodgem", size=3)
    solve_layers(file, game, progress=lambda done, _: begun.append(done))
    assert begun[0] > 0
    solve_layers(whole, game)
    assert file.read_bytes() == whole.read_bytes()
    assert sorted(tmp_path.iterdir()) == [file, whole]


def test_the_beginning_of_another_table_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "killed.table"
    subprocess.run([sys.executable, "-c", GO_ON, str(file)], check=False)
    with pytest.raises(BadTable, match="the beginning of another table"):
        solve_layers(file, smallchange.game("dodgem", size=3, start="crosswise"))


def test_a_part_holds_the_positions_near_the_end(tmp_path: Path) -> None:
    game = smallchange.game("dodgem", size=3)
    solve_layers(tmp_path / "part.table", game, lowest=6)
    solve_layers(tmp_path / "whole.table", game)
    part, whole = open_table(tmp_path / "part.table"), open_table(tmp_path / "whole.table")
    held = [
        position
        for position in every_position(make_table(tmp_path / "plies.table", game))
        if position in part
    ]
    assert 0 < len(held) < whole.positions
    assert all(part.value(position) == whole.value(position) for position in held)
    assert game.start() not in part
    with pytest.raises(BadPosition, match="farther from the end"):
        part.value(game.start())


def test_any_single_changed_byte_is_found(tmp_path: Path) -> None:
    file, broken = tmp_path / "whole.table", tmp_path / "broken.table"
    solve_layers(file, smallchange.game("dodgem", size=3))
    content = file.read_bytes()
    for at in range(0, len(content), 7):
        changed = bytearray(content)
        changed[at] ^= 1 << at % 8
        broken.write_bytes(changed)
        with pytest.raises(BadTable) as refused:
            open_table(broken)
        assert "\n" not in str(refused.value)


def test_a_forged_table_is_refused_in_one_line_though_its_digests_fit(tmp_path: Path) -> None:
    file, luck = tmp_path / "forged.table", Random(1)
    solve_layers(file, smallchange.game("dodgem", size=3))
    whole, refused, accepted = file.read_bytes(), 0, 0
    body = whole[: -8 - int.from_bytes(whole[-8:], "little")]
    line = whole[len(body) : -8]
    odd: list[object] = [0, -1, 1, 10**9, 10**30, "x", [], {}, True, 1.5]
    for n in range(300):
        header, content = json.loads(line), bytearray(body)
        section = luck.choice(header["diagonals"])
        there = luck.choice([header, section, luck.choice(section["blocks"])])
        if n % 2:
            there[luck.choice([*there, "more"])] = luck.choice(odd)
        else:
            content[luck.randrange(len(MAGIC), len(body))] ^= 1 << n % 8
            at = len(MAGIC)
            for about in header["diagonals"]:
                about["sha256"] = hashlib.sha256(content[at : at + about["bytes"]]).hexdigest()
                at += about["bytes"]
        forged = header_line({**header, "digest": digest(header)})
        file.write_bytes(content + forged + len(forged).to_bytes(8, "little"))
        try:
            check_sample(open_table(file), 300)
        except BadTable as wrong:
            refused += "\n" not in str(wrong)
            continue
        accepted += 1
    assert (refused > 150, refused + accepted) == (True, 300)
