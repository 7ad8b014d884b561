"""The generated text holds what its entry points call, found in kernels and in the game."""

import shutil
from pathlib import Path

import pytest

from smallchange.core.errors import DialectError, RulesError
from smallchange.engine.compile import codegen, sources
from smallchange.engine.compile.codegen import generate_source

from .toy import EVALUATION, RULES, toy


def test_a_text_holds_no_kernel_that_no_entry_point_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    playouts = generate_source(game.folder, "toy").text
    search = generate_source(game.folder, "toy", ("playouts", "mcts")).text
    assert "def _play_games(" in playouts
    assert "def _search(" not in playouts
    assert "def _search(" in search
    assert "def _mix(" in playouts  # of another module, called by a function that an entry point calls


def test_a_game_without_an_evaluation_gets_the_default_one_and_a_game_with_one_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    kernels = ("playouts", "alphabeta")
    assert "def _evaluate(" in generate_source(game.folder, "toy", kernels).text
    (game.folder / "ai" / "evaluation.py").write_text(EVALUATION.format(value="4711 + GO"))
    text = generate_source(game.folder, "toy", kernels).text
    assert "def _evaluate(" not in text
    assert "4711 + GO" in text


def test_an_evaluation_that_lacks_a_function_is_named_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    text = EVALUATION.format(value="0").replace("def plies_to_draw", "def plies_to_drow")
    (game.folder / "ai" / "evaluation.py").write_text(text)
    with pytest.raises(RulesError, match=r"toy/ai/evaluation.py: plies_to_draw is missing"):
        generate_source(game.folder, "toy", ("playouts", "alphabeta"))


def test_a_function_that_only_the_game_can_give_is_named_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    with pytest.raises(RulesError, match=r"neither rules.py nor a file of ai/ defines is_afterstate"):
        generate_source(game.folder, "toy", ("playouts", "afterstate_search"))


def test_files_of_the_game_that_are_not_needed_are_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = toy(tmp_path, monkeypatch)
    (game.folder / "ai" / "evaluation.py").write_text(EVALUATION.format(value="0.5"))
    generate_source(game.folder, "toy")
    with pytest.raises(DialectError, match=r"^toy/ai/evaluation.py:6: the constant 0.5"):
        generate_source(game.folder, "toy", ("playouts", "alphabeta"))


def test_a_name_with_two_meanings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = toy(tmp_path, monkeypatch)
    heuristic = game.folder / "ai" / "heuristic.py"
    rules = "def extra() -> int:\n    return 1\n"
    (game.folder / "rules.py").write_text(RULES.replace("    return 0\n", "    return extra()\n") + rules)
    other = heuristic.read_text().replace("return a", "return extra()")
    heuristic.write_text(other + rules.replace("1", "2"))
    with pytest.raises(RulesError, match=r"the name 'extra' has another meaning in toy/"):
        generate_source(game.folder, "toy")


def test_a_comment_in_the_rules_changes_no_generated_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So compiled code on disk is still good; the places of its lines are found anew."""
    first = generate_source(toy(tmp_path, monkeypatch).folder, "toy")
    second = generate_source(toy(tmp_path, monkeypatch, f"# a comment\n{RULES}").folder, "toy")
    assert first.text == second.text
    assert first.locations != second.locations


def test_the_text_changes_with_the_fields_of_a_bundle_that_its_kernels_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled code on disk finds a field by its place."""
    kernels = tmp_path / "kernels"
    shutil.copytree(sources.KERNELS, kernels)
    for module in (sources, codegen):
        monkeypatch.setattr(module, "KERNELS", kernels)
    game, mcts = toy(tmp_path, monkeypatch), kernels / "mcts.py"
    bundle = "\n\nclass Pair(NamedTuple):\n    {}: int\n    {}: int\n"
    text = mcts.read_text(encoding="utf-8")
    texts = []
    for names in (("left", "right"), ("right", "left")):
        mcts.write_text(text + bundle.format(*names), encoding="utf-8")
        texts.append(generate_source(game.folder, "toy", ("playouts", "mcts")).text)
    assert "# Pair: left, right\n" in texts[0]
    assert "# Pair: right, left\n" in texts[1]
    assert "Pair" not in generate_source(game.folder, "toy").text
