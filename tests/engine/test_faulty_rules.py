"""Faulty rules end in one error that names the file and the line, never in a crash."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import smallchange
from smallchange import engine
from smallchange.core.errors import DialectError, RulesError, RulesIndexError
from smallchange.engine.compile import build, cache
from smallchange.engine.compile.build import build_module
from smallchange.engine.compile.codegen import generate_source
from smallchange.engine.compile.diagnostics import find_location

from .toy import EVALUATION, GREEDY, RULES, totals, toy

RARE = RULES.replace("s.total += worth(a)", "s.total += worth(a + s.total // 25)")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path / "cache"))
    cache.cache_folder.cache_clear()


def line_of(text: str, rules: str) -> int:
    return next(i for i, line in enumerate(rules.split("\n"), start=1) if text in line)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("return WORTH[a]", "return WORTH[a + 1]", "index 6 is out of bounds"),
        ("return WORTH[a]", "return WORTH[a - 2]", "the index -1 is negative"),
        ("out[1] = GO", "out[b.faces] = GO", "the index 6 is outside out, which has 6 numbers"),
        ("weights[i] = 1", "weights[7 * i] = 1", "the index 7 is outside weights"),
    ],
)
def test_a_wrong_index_is_an_error_with_file_and_line_before_any_game_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, reason: str
) -> None:
    rules = RULES.replace(old, new)
    with pytest.raises(IndexError) as raised:
        engine.compile_game(toy(tmp_path, monkeypatch, rules))
    assert str(raised.value).startswith(f"toy/rules.py:{line_of(new, rules)}: {reason}")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("s.total += worth(a)", "s.total += 40000", "40000 does not fit s.total, whose range is 0 to 30000"),
        ("s.total += worth(a)", "s.total = -a", "does not fit s.total"),
        ("s.total += worth(a)", "s.total = a // s.total", "integer division or modulo by zero"),
    ],
)
def test_a_value_that_does_not_fit_is_an_error_with_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, reason: str
) -> None:
    rules = RULES.replace(old, new)
    with pytest.raises(RulesError) as raised:
        engine.compile_game(toy(tmp_path, monkeypatch, rules))
    assert f"toy/rules.py:{line_of(new, rules)}: " in str(raised.value)
    assert reason in str(raised.value)


def test_a_step_without_an_action_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        RulesError, match=rf"^toy/rules.py:{line_of('def legal', RULES)}: legal gives 0 actions"
    ):
        engine.compile_game(toy(tmp_path, monkeypatch, RULES.replace("    return 2\n", "    return 0\n")))


def test_a_wrong_index_in_the_heuristic_is_an_error_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    text = GREEDY.replace("import Board, State", "import Board, State\nfrom ..rules import WORTH")
    (game.folder / "ai" / "heuristic.py").write_text(text.replace("return a", "return WORTH[a]"))
    with pytest.raises(RulesIndexError, match=r"^toy/ai/heuristic.py:6: index [67] is out of bounds"):
        engine.compile_game(game)


def test_a_wrong_index_in_the_evaluation_is_an_error_where_a_search_uses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    evaluation = EVALUATION.format(value="GO").replace("import GO", "import GO, WORTH")
    wrong = evaluation.replace("return GO", "return WORTH[GO]")
    (game.folder / "ai" / "evaluation.py").write_text(wrong)
    engine.compile_game(game)
    with pytest.raises(RulesIndexError, match=r"^toy/ai/evaluation.py:6: index 7 is out of bounds"):
        build_module(game, "alphabeta", ("playouts", "alphabeta"))


def test_rules_that_passed_are_not_run_again_and_changed_ones_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[object] = []
    monkeypatch.setattr(build, "check_rules", lambda game, kernels: runs.append(game.board))
    for _ in range(2):
        engine.compile_game(toy(tmp_path, monkeypatch, RULES, "passed"))
    assert len(runs) == 1
    engine.compile_game(
        toy(tmp_path, monkeypatch, RULES.replace("STOP, GO = 6, 7", "GO, STOP = 6, 7"), "passed")
    )
    assert len(runs) == 2


@pytest.mark.parametrize(
    ("most", "old", "new"),
    [
        (4, "STOP, GO = 6, 7", "STOP, GO = 6, 7"),  # more outcomes than MOST
        (6, "WORTH = (0, 1, 2, 3, 4, 5)", "WORTH = (0, 1, 2, 3)"),
        (6, "s.total += worth(a)", "s.total += 20000 * (b.faces // 5)"),
        (6, "    return b.faces", "    return b.faces + 2 * (b.faces // 6)"),
        (5, "    return 2", "    for i in range(b.faces):\n        out[i] = STOP\n    return b.faces"),
        (6, "out[1] = GO", "out[b.faces + 1] = GO\n    out[1] = GO"),
    ],
)
def test_rules_that_passed_on_one_board_are_run_on_each_other_before_it_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, old: str, new: str
) -> None:
    game = toy(tmp_path, monkeypatch, RULES.replace(old, new), "other")
    game.rules.MOST = most
    for _ in range(2):
        game.board.faces = 4
        engine.compile_game(game)
        game.board.faces = 6
        for _ in range(2):
            with pytest.raises(RulesError, match=r"^other/rules\.py:"):
                engine.compile_game(game)
        cache._passed.clear()  # as in another process


def test_each_board_of_a_game_takes_the_one_text_of_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [toy(tmp_path, monkeypatch, RULES, "boards") for _ in range(3)]
    for faces, game in zip((4, 5, 6), games, strict=True):
        game.board.faces = faces
        engine.compile_game(game)
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_a_rare_wrong_index_has_file_and_line_where_compiled_code_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The few random games of the first run do not meet it."""
    monkeypatch.setenv("SMALLCHANGE_CHECKED", "1")
    game = engine.compile_game(toy(tmp_path, monkeypatch, RARE))
    with pytest.raises(
        RulesIndexError, match=rf"^toy/rules.py:{line_of('return WORTH', RARE)}: index \d+ is"
    ):
        totals(game, 20_000)


RARE_FAULTS = [  # far from what a first run of a few random games meets
    ("s.total += worth(a)", "s.total += worth(a + s.total // 25)"),
    ("s.total += worth(a)", "s.row[s.total // 5] = 1\n        s.total += worth(a)"),
    ("s.total += worth(a)", "s.row[2 - s.total // 5] = 1\n        s.total += worth(a)"),
    ("    return 2\n", "    out[2 + s.total] = STOP\n    return 2\n"),
    ("    return 2\n", "    return 2 + s.total * s.total\n"),
    ("        weights[i] = 1", "        weights[i] = 1 - s.total // 30"),
    ("        s.turn = 0", "        s.turn = s.total * s.total // 200"),
    ("    return 0\n", "    return s.total * s.total\n"),
    ("s.total += worth(a)", "s.total += worth(a) + a // (6 - s.total) % 1"),
    ("s.total += worth(a)", "while s.total > 20:\n            s.row[0] = 1\n        s.total += worth(a)"),
]


@pytest.mark.parametrize(("old", "new"), RARE_FAULTS)
def test_a_rare_fault_in_a_game_from_outside_touches_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    """In compiled code that is not checked most of these end the process or spoil what others hold."""
    monkeypatch.setattr(build, "check_rules", lambda game, kernels: None)
    game = engine.compile_game(toy(tmp_path, monkeypatch, RULES.replace(old, new), digest="0" * 64))
    with pytest.raises(RulesError, match=r"^toy: (an index|a division|a loop)"):
        totals(game, 20_000)


def test_interpreted_rules_name_their_own_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = RULES.replace("return WORTH[a]", "return WORTH[a - 2]")
    game = toy(tmp_path, monkeypatch, rules)
    with pytest.raises(IndexError) as raised:
        totals(engine.interpret_game(game))
    place = find_location(raised.value, generate_source(game.folder, "toy"))
    assert str(place) == f"toy/rules.py:{line_of('return WORTH', rules)}"


def test_faults_of_the_dialect_are_one_error_with_a_line_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = RULES.replace("s.total += worth(a)", "s.totl += 1.5").replace("return 0", "return None + x")
    with pytest.raises(DialectError) as raised:
        engine.compile_game(toy(tmp_path, monkeypatch, rules))
    line, other = line_of("s.totl", rules), line_of("return None", rules)
    assert str(raised.value).splitlines() == [
        f"toy/rules.py:{other}: x is not defined",
        f"toy/rules.py:{line}: State has no field 'totl'; did you mean 'total'?",
        f"toy/rules.py:{line}: the constant 1.5 is neither an integer nor a bool",
    ]


def test_what_numba_cannot_compile_is_an_error_with_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable that is given a row in one place and a number in another; no random game gets there."""
    rules = RULES.replace(
        "    return s.total", "    if s.total == 29999:\n        seat = b.faces + b\n    return seat"
    )
    game = engine.compile_game(toy(tmp_path, monkeypatch, rules))
    with pytest.raises(RulesError) as raised:
        totals(game)
    assert str(raised.value).startswith(f"toy/rules.py:{line_of('b.faces + b', rules)}: ")
    assert "\n" not in str(raised.value)


def test_every_statement_of_the_generated_text_has_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    source = generate_source(game.folder, "toy")
    lines = source.text.split("\n")
    at = next(i for i, line in enumerate(lines, start=1) if "s.total = " in line or "s.total +=" in line)
    assert str(source.locations[at]) == f"toy/rules.py:{line_of('s.total += worth(a)', RULES)}"


def test_no_wrong_index_ends_the_process(tmp_path: Path) -> None:
    """Compiled code would read far outside the table."""
    code = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from pathlib import Path
import pytest
import smallchange
from smallchange import engine
from tests.engine.toy import toy, totals, RULES
rules = RULES.replace("s.total += worth(a)", "s.total = WORTH[a * 1000000]")
totals(engine.compile_game(toy(Path({str(tmp_path)!r}), pytest.MonkeyPatch(), rules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "toy/rules.py:37: index" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("s.coins[7] = 1", "the index 7 is outside s.coins, which has 3 numbers"),
        ("s.cions[0] = 1", "State has no field 'cions'; did you mean 'coins'?"),
    ],
)
def test_a_fault_in_a_game_s_rules_is_one_line_of_simulate(tmp_path: Path, line: str, reason: str) -> None:
    """In a copy of the package, as someone who changes a rule would have it."""
    package = tmp_path / "smallchange"
    shutil.copytree(Path(smallchange.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    rules = package / "games" / "solo" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    changed = text.replace("        s.spent += 1\n", f"        s.spent += 1\n        {line}\n")
    rules.write_text(changed, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "smallchange", "simulate", "solo", "-n", "10"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stderr == f"Error: solo/rules.py:{line_of(line, changed)}: {reason}\n"
    assert done.returncode == 1
