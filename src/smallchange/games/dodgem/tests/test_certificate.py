"""Certificates of a blockade: the search, its file, the checker, and a bot that keeps to one."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import smallchange
from research.__main__ import main
from smallchange import BadTable, Position
from smallchange.bots.engines.tablebase import existing_certificate, held_moves
from smallchange.tablebase.blockade import (
    Search,
    blockers_of,
    few_steps,
    lanes_of,
    profiles_by_progress,
    steps_from,
)
from smallchange.tablebase.certificate import certificate_of, make_certificate, open_certificate

DOCS = Path(__file__).parents[5] / "docs" / "dodgem"
BLOCKED = {"pass": 0, "wins": 1, "loses": -1}


@pytest.fixture(autouse=True)
def kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "kept"))
    existing_certificate.cache_clear()


@pytest.mark.parametrize("blocked", BLOCKED)
@pytest.mark.parametrize("start", ["facing", "crosswise"])
@pytest.mark.parametrize("size", [3, 4])
def test_without_a_limit_of_steps_the_search_finds_what_the_solved_board_has(
    size: int, start: str, blocked: str
) -> None:
    lanes = lanes_of(size, start, BLOCKED[blocked])
    search = Search(lanes, blockers_of(lanes, few_steps(lanes, None)))
    moving = dict[tuple[int, ...], list[object]]()
    totals = [0, 0]
    for pieces in [pieces for layer in reversed(profiles_by_progress(size)[:-1]) for pieces in layer]:
        waiting, moving[pieces] = search.hold(pieces, moving.__getitem__)
        counts = search.counts(pieces, waiting, moving[pieces])
        totals = [total + more for total, more in zip(totals, counts, strict=True)]
    solved = json.loads((DOCS / f"{size}x{size}-{start}-{blocked}.json").read_text())
    lost, drawn, won, ended = (solved[name] for name in ("lost", "drawn", "won", "ended"))
    assert totals == [lost + drawn + (blocked == "loses") * ended, won + drawn + (blocked == "wins") * ended]


@pytest.mark.parametrize("size", range(3, 8))
def test_a_step_of_a_side_is_what_the_rules_make_of_it(size: int) -> None:
    for start in ("facing", "crosswise"):
        position, luck = smallchange.game("dodgem", size=size, start=start).start(), Random(size)
        across = lanes_of(size, start, 0).across.tolist()
        while position.actor:
            mine, theirs = position.s.coins[position.s.turn], position.s.coins[1 - position.s.turn]
            if position.s.turn == 1:
                mine, theirs = (
                    sum(1 << across[i] for i in range(size**2) if side >> i & 1) for side in (mine, theirs)
                )
            steps = sorted(after for after, square in steps_from(size, mine) if not theirs >> square & 1)
            after = [position.played(token) for token in position.legal() if token != "pass"]
            found = [there.s.coins[position.s.turn] for there in after]
            if position.s.turn == 1:
                found = [sum(1 << across[i] for i in range(size**2) if side >> i & 1) for side in found]
            assert steps == sorted(found)
            position.play(luck.choice(position.legal()))


def test_a_search_that_was_stopped_goes_on_to_the_same_file(tmp_path: Path) -> None:
    certificate = certificate_of(smallchange.game("dodgem", size=5), forward_steps=2)
    whole = make_certificate(tmp_path / "whole", certificate)

    def stop(line: str) -> None:
        if line.startswith("progress 9:"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_certificate(tmp_path / "halted", certificate, stop)
    resumed: list[str] = []
    again = make_certificate(tmp_path / "halted", certificate, resumed.append)
    assert len(resumed) == 9
    assert again.digest == whole.digest
    assert not list(tmp_path.glob("*.part*"))
    (tmp_path / "halted").write_bytes((tmp_path / "whole").read_bytes()[:-9])
    with pytest.raises(BadTable, match="is no certificate, or damaged"):
        open_certificate(tmp_path / "halted")


def test_a_bot_that_keeps_to_a_certificate_of_six_by_six_does_not_lose() -> None:
    game, luck = smallchange.game("dodgem"), Random(1)
    ran = CliRunner().invoke(main, ["certify", "dodgem"])
    assert ran.output.endswith("the second player holds the start\nthe first player holds the start\n")
    for bot in (0, 1) * 3:
        position = game.start()
        while position.actor:
            ways = position.legal()
            position.play(
                luck.choice(held_moves(position, ways) if position.s.turn == bot else forward(position))
            )
        assert position.s.winner != 1 - bot


def forward(position: Position) -> list[str]:
    """Return the steps forward, or else all legal ones."""
    return [token for token in position.legal() if position.played(token).s.quiet == 0] or position.legal()


def test_where_no_wall_is_known_the_command_asks_for_a_number_of_steps() -> None:
    for options in (["--size", "5"], ["--start", "crosswise"]):
        ran = CliRunner().invoke(main, ["certify", "dodgem", *options])
        assert ran.exit_code == 2
        assert "name --forward-steps" in ran.output
    ran = CliRunner().invoke(main, ["certify", "dodgem", "--size", "4", "--forward-steps", "1", "--json"])
    found = json.loads(ran.stdout)
    assert (found["second"], found["first"], found["placements"]) == (False, True, 28)
