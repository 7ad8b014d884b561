"""Boards are searched for: from a seed always the same archive, whoever judges and however often it was killed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from urllib.parse import parse_qsl

import pytest
from click.testing import CliRunner

import smallchange
from smallchange import BadExperiment
from smallchange.cli import main
from smallchange.lab.design import GENERATION, Board, Search, design, finalists
from smallchange.lab.drawing_moves import Draughtsman, canvas_of, drawing_option, key, write_signs

DRAWN = [id for id in smallchange.games() if canvas_of(smallchange.Game(id))]


def search_for(id: str, symmetry: str = "none") -> Search:
    return Search(smallchange.game(id), "tree:1", n=4, greedy_games=4, symmetry=symmetry, columns=13, rows=7)


def test_one_and_three_workers_and_a_cluster_find_the_same_archive(tmp_path: Path) -> None:
    """`test_experiment.py` tries every backend."""
    search, found, logs = search_for(DRAWN[-1]), [], set[bytes]()
    for backend, workers in (("processes", 1), ("processes", 3), ("dask", 2)):
        log = tmp_path / f"{backend}-{workers}.jsonl"
        found.append(design(search, 2 * GENERATION, log, backend, workers=workers))
        logs.add(log.read_bytes())
    assert found[0].elites == found[1].elites == found[2].elites
    assert len(logs) == 1
    assert len(found[0].keys) == 2 * GENERATION


def test_a_search_that_was_killed_goes_on_to_the_same_archive(tmp_path: Path) -> None:
    search, whole, cut = search_for(DRAWN[0]), tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    archive = design(search, 2 * GENERATION, whole, workers=1)
    lines = whole.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[: GENERATION + 9]) + lines[GENERATION + 9][:20])
    heard: list[int] = []
    again = design(search, 2 * GENERATION, cut, workers=1, progress=lambda n, _: heard.append(n))
    assert (again.elites, heard) == (archive.elites, [2 * GENERATION])
    assert cut.read_bytes() == whole.read_bytes()
    with pytest.raises(BadExperiment, match="the log of another search"):
        design(search_for(DRAWN[0], "turn"), GENERATION, whole, workers=1)


def test_the_finalists_are_judged_on_fresh_deals_whoever_judges(tmp_path: Path) -> None:
    search = search_for(DRAWN[0])
    archive = design(search, GENERATION, tmp_path / "log.jsonl", workers=1)
    found = finalists(search, archive, 3, "tree:2", 6, workers=1)
    assert [each.searched for each in found] == archive.best(3)
    assert {(each.fresh.n, each.better.n) for each in found} == {(6, 6)}
    assert finalists(search, archive, 3, "tree:2", 6, workers=2) == found


@pytest.mark.parametrize("symmetry", ["none", "mirror", "turn"])
@pytest.mark.parametrize("id", DRAWN)
def test_changed_drawings_are_valid_new_and_symmetric(id: str, symmetry: str) -> None:
    game = smallchange.game(id)
    option = drawing_option(game)
    assert option is not None
    draughtsman = Draughtsman(game, symmetry, 13, 7)
    signs, known = draughtsman.start, set[str]()
    for i in range(20):
        signs = draughtsman.change(signs, Random(i), 2, known.__contains__)
        assert key(option.canvas, signs) not in known
        known.add(key(option.canvas, signs))
        lines = write_signs(option.canvas, signs).removesuffix("\n").split("\n")
        option.read("\n".join(lines) + "\n")
        blank = {" ", option.canvas.blank.character}
        width = max(map(len, lines))
        shape = {(x, y) for y, line in enumerate(lines) for x, sign in enumerate(line) if sign not in blank}
        if symmetry != "none":
            mirrored = {(width - 1 - x, y if symmetry == "mirror" else len(lines) - 1 - y) for x, y in shape}
            assert mirrored == shape


def test_the_archive_keeps_what_rewards_skill_most() -> None:
    poor, good = (Board("", bot, 0.1, 70.0, 100, 1) for bot in (0.2, 0.3))
    assert (round(good.gap, 3), good.difficulty) == (0.2, 0.3)
    assert poor.gap < good.gap
    assert Board("", 0.6, 0.52, 70.0, 100, 2).gap == pytest.approx(0.1)


def test_a_game_without_a_drawing_is_refused() -> None:
    id = next(id for id in smallchange.games() if id not in DRAWN)
    with pytest.raises(BadExperiment, match=f"{id} has no board to draw"):
        Search(smallchange.game(id))


def test_the_page_has_boards_to_play_on_and_the_command_says_what_was_luck(tmp_path: Path) -> None:
    page = tmp_path / "found.html"
    words = ["design", DRAWN[-1], "-n", "64", "--games", "4", "--finalists", "2", "--fresh-games", "6"]
    done = CliRunner().invoke(main, [*words, "--better", "tree:2", "--workers", "1", "-o", str(page)])
    assert done.exit_code == 0, done.output
    assert "64 boards judged" in done.output
    assert "2 finalists on fresh deals" in done.output
    text = page.read_text(encoding="utf-8")
    links = re.findall(r'href="http://127\.0\.0\.1:8000/games/([^"]+)"', text)
    assert len(links) == 2
    id, query = links[0].split("?")
    drawing = dict(parse_qsl(query))[drawing_option(smallchange.Game(id)).name]  # type: ignore[union-attr]
    document = json.loads(page.with_suffix(".json").read_text())
    assert drawing == document["finalists"][0]["searched"]["drawing"]
    assert "no board to draw; these have: " in CliRunner().invoke(main, ["design", "dodgem"]).output
