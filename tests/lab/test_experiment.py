"""Experiments: the same file whoever plays, however often it was killed."""

import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import BadExperiment, Match, bots, engine
from smallchange.bots.engines import mcts as _search
from smallchange.bots.engines.compile_cache import CompileCache
from smallchange.bots.policy import COMPILED as POLICIES
from smallchange.bots.policy import Policy
from smallchange.cli import main
from smallchange.core.simulated_deal import SimulatedDeal
from smallchange.extras import install_hint
from smallchange.lab import play_portion as play
from smallchange.lab.experiment import _work, run
from smallchange.lab.experiment_grid import Cell, Experiment, read
from smallchange.lab.report import report
from smallchange.lab.result_store import Store, read_metadata
from smallchange.lab.results import read_results
from smallchange.lab.simulate import simulate

from .small_experiments import GAME, LEVELLED, TWO, command

SEARCHED = next(id for id in LEVELLED if bots.level("level5", smallchange.Game(id)).engine == "mcts")
TEXT = f"""
title = "A small one"
n = 12_000
seeds = [1, 7]
[[grid]]
game = "{GAME}"
[[grid]]
game = "{TWO}"
policies = "greedy,random"
"""


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[Experiment, bytes]:
    """Return an experiment, and its results in one go."""
    out = tmp_path_factory.mktemp("reference") / "small.parquet"
    experiment = read(TEXT)
    run(experiment, out, "smallchange experiment small.toml", workers=1)
    return experiment, out.read_bytes()


def test_a_cluster_gives_the_same_file(tmp_path: Path, reference: tuple[Experiment, bytes]) -> None:
    (tmp_path / "small.toml").write_text(TEXT)
    out = tmp_path / "small.parquet"
    words = command(tmp_path, "-o", str(out), "--workers", "2", "--backend", "dask")
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == reference[1]


@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_whatever_parts_are_lost_or_damaged_the_file_is_the_same(
    data: st.DataObject, reference: tuple[Experiment, bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    experiment, whole = reference
    out = tmp_path_factory.mktemp("lost") / "small.parquet"
    portions = experiment.portions()
    there = data.draw(st.lists(st.sampled_from(portions), unique=True), "there")
    store = Store(out.with_suffix(".parts"))
    for portion in there:
        store.add(portion, *play.play(portion))
    harmed = data.draw(st.lists(st.sampled_from(there), unique=True) if there else st.just([]), "harmed")
    for portion in harmed:
        path = store.path(portion)
        content = bytearray(path.read_bytes())
        share = data.draw(st.integers(0, 99), "share")
        path.write_bytes(content[: len(content) * share // 100])
    done = run(experiment, out, "smallchange experiment small.toml", workers=1)
    assert done.games_played == experiment.n - sum(p.n for p in there if p not in harmed)
    assert out.read_bytes() == whole


@pytest.mark.parametrize("id", smallchange.games())
def test_two_runs_with_the_same_seed_give_the_same_numbers_whatever_the_workers(id: str) -> None:
    """Batches fall differently among three threads than in one."""
    game = smallchange.game(id)
    assert simulate(game, 700, "greedy", seed=9, workers=3) == simulate(
        game, 700, "greedy", seed=9, workers=1
    )


def test_what_is_there_already_is_not_played_again(tmp_path: Path) -> None:
    out = tmp_path / "small.parquet"
    experiment = read(TEXT)
    assert run(experiment, out, workers=1).games_played == experiment.n
    first = out.read_bytes()
    again = run(experiment, out, workers=1)
    assert (again.games_played, out.read_bytes()) == (0, first)


def twins(id: str) -> list[str]:
    """Return two names of a game's bots that play alike, if it has such."""
    game, seen = smallchange.Game(id), dict[str, str]()
    for name in bots.names(game):
        first = seen.setdefault(Policy(name).fingerprint(game), name)
        if first != name:
            return [first, name]
    return []


@pytest.mark.parametrize("id", [id for id in smallchange.games() if twins(id)])
def test_bots_that_play_alike_keep_their_names(id: str, tmp_path: Path) -> None:
    """The names stay if both are asked for together, and if one is played after the other beside the same parts."""
    one, other = twins(id)
    text = f'n = 10\n[[grid]]\ngame = "{id}"\npolicies = %s\n'
    for asked in ([one], [other], [one, other]):
        out = tmp_path / "twins.parquet"
        done = run(read(text % asked), out, workers=1)
        assert [(sample.policy, sample.n) for sample in read_results(out).samples] == [(w, 10) for w in asked]
        assert done.games_played == (10 if len(asked) == 1 else 0)
    first, second = read_results(out).samples
    assert first.steps.tolist() == second.steps.tolist()
    assert "<table " in report(read_results(out))


def test_more_games_of_the_same_go_on_from_those_that_are_there(tmp_path: Path) -> None:
    few, more = (read(f'n = {n}\n[[grid]]\ngame = "{GAME}"\n') for n in (10_000, 20_000))
    run(few, tmp_path / "a.parquet", workers=1)
    done = run(more, tmp_path / "a.parquet", workers=1)
    assert (done.n, done.games_played) == (40_000, 20_000)


def test_the_file_says_how_it_can_be_had_again(tmp_path: Path) -> None:
    out = tmp_path / "small.parquet"
    experiment = read(TEXT)
    run(experiment, out, "smallchange experiment small.toml", workers=1)
    said = read_metadata(out) or {}
    assert said["command"] == "smallchange experiment small.toml"
    assert (said["experiment"], said["seeds"], said["games"]) == (TEXT, [1, 7], experiment.n)
    assert {"smallchange", "python", "numpy", "numba"} <= said["versions"].keys()
    assert said["rules"] == {id: smallchange.Game(id).version for id in (GAME, TWO)}
    assert said["policies"][TWO] == {name: Policy(name).about(smallchange.Game(TWO)) for name in POLICIES}
    assert said["policies"][TWO]["random"] == "any legal move"


def test_what_a_policy_is_is_said_in_words() -> None:
    game = smallchange.Game(SEARCHED)
    assert Policy.parse("tree:1000").about(game) == "tree search (1,000 play-outs a move)"
    assert Policy.parse("level5@40").about(game).startswith("tree search (")
    assert Policy.parse("level5@40").about(game).endswith(", 40 ms a move")


def test_a_game_for_two_is_played_in_both_orders() -> None:
    cells = read(f'[[grid]]\ngame = "{TWO}"\npolicies = ["greedy,random", "greedy"]\n').cells
    assert [cell.who for cell in cells] == ["greedy,random", "random,greedy", "greedy"]


@pytest.mark.parametrize("id", LEVELLED)
def test_no_bot_looks_at_the_clock_unless_it_is_told_to(id: str) -> None:
    game = smallchange.game(id)
    for name in bots.names(game):
        assert not Policy(name).depends_on_clock(game), name
    assert Policy("level5", ms=40).depends_on_clock(game)


@pytest.mark.parametrize("id", smallchange.games())
def test_bots_that_are_asked_meet_the_throws_of_compiled_games(id: str) -> None:
    """One step at a time or a million games a second: what chance does first is the same under one seed."""
    game = smallchange.game(id)
    for number in range(5):
        match = Match(game, simulated=SimulatedDeal(3, number))
        steps = len(match.settle())
        way = engine.compile_game(game)
        played = way.play_games([engine.RANDOM] * len(game.seats), 3, number, 1, steps)
        assert way.plain(played.states[0]) == match.position.s


def test_a_worker_that_would_play_otherwise_plays_nothing() -> None:
    """It has another program, or other tables."""
    (portion, *_) = read(TEXT).portions()
    assert _work((portion, portion.digest))[0] == portion
    with pytest.raises(BadExperiment, match="a worker has another program, or other tables"):
        _work((portion, "another"))


def test_bots_that_are_not_compiled_play_portions_too() -> None:
    (cell,) = read(f'n = 6\n[[grid]]\ngame = "{TWO}"\npolicies = "level1"\n').cells
    assert [portion.n for portion in cell.portions()] == [4, 2]
    once, again = (play.play(portion)[0] for portion in [next(cell.portions())] * 2)
    assert once == again
    assert once["number"] == [0, 1, 2, 3]


@pytest.mark.parametrize("level", ["level1", "level5@5"])
def test_games_that_chance_alone_ends_are_measured_too(level: str) -> None:
    board = "\\n".join(["#.#.#.#.#.", ".........."] * 4)
    text = f'n = 3\n[[grid]]\ngame = "solo"\npolicies = "{level}"\noptions = {{ board = "{board}" }}\n'
    (cell,) = read(text).cells
    assert {played for part in cell.portions() for played in play.play(part)[0]["winner"]} == {-1}


def test_a_bot_that_is_never_compiled_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would play by the rule of thumb."""
    never = Event()
    monkeypatch.setattr(_search, "_searchers", CompileCache(lambda position: never.wait()))
    monkeypatch.setattr(play, "WAIT_S", 0.01)
    play._warm_up.cache_clear()
    (cell,) = read(f'n = 1\n[[grid]]\ngame = "{SEARCHED}"\npolicies = "level5@5"\n').cells
    with pytest.raises(RuntimeError, match=f"level5 is not ready to play {SEARCHED} after 0.3 seconds"):
        play.play(next(cell.portions()))
    never.set()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n = ", "this is no TOML"),
        ("n = " + "[" * 9999, "this TOML has lists or tables within too many others"),
        ("n = 5", "needs at least one [[grid]]"),
        ("games = 5\n[[grid]]", "knows no 'games', only about, grid, n, policies, seeds, title"),
        ("[[grid]]\nn = 5", "grid 1 has no game"),
        ("[[grid]]\ngame = 'chess'", "grid 1: unknown game 'chess'; the games are: "),
        ("[[grid]]\ngame = 'solo'\nsize = 3", "grid 1 knows no 'size'"),
        ("[[grid]]\ngame = 'solo'\noptions = {free_moves = [4, 13]}", "a whole number from 0 to 12, not 13"),
        ("[[grid]]\ngame = 'solo'\noptions = {size = 3}", "unknown option 'size'; the options are: "),
        (
            "[[grid]]\ngame = ['solo', 'thrag']\noptions = {topology = 'torus'}",
            "grid 1, thrag: unknown option",
        ),
        ("[[grid]]\ngame = 'solo'\noptions = 3", "must be a table"),
        ("[[grid]]\ngame = 'solo'\noptions = {free_moves = []}", "there must be at least one"),
        ("[[grid]]\ngame = 'solo'\npolicies = 'clever'", "unknown policy 'clever'; a policy is one of "),
        ("[[grid]]\ngame = 'solo'\npolicies = 'tree:0'", "needs a whole number from 1"),
        (f"[[grid]]\ngame = 'solo'\npolicies = 'tree:{2 * 10**11:023}'", "needs a whole number from 1"),
        (f"[[grid]]\ngame = 'solo'\npolicies = 'tree:{'9' * 5000}'", "needs a whole number from 1"),
        ("[[grid]]\ngame = 'solo'\npolicies = 'greedy@3'", "answers at once"),
        ("[[grid]]\ngame = 'solo'\npolicies = 'level5@x'", "needs a whole number from 1"),
        ("[[grid]]\ngame = 'solo'\npolicies = 'greedy,random'", "names 2 players, but the game has 1"),
        ("[[grid]]\ngame = 'solo'\npolicies = [1]", "a policy is a word, not 1"),
        ("[[grid]]\ngame = 'solo'\nn = 0", "n must be a whole number from 1"),
        ("[[grid]]\ngame = 'solo'\nseeds = [-1]", "a seed must be a whole number from 0"),
        ("[[grid]]\ngame = 'solo'\nname = 3", "name must be a text of at most 40 characters"),
        (
            "[[grid]]\ngame = 'solo'\nname = 'a'\noptions = {whip = [true, false]}",
            "names 2 variants 'a': give each a [[grid]]",
        ),
        (
            "[[grid]]\ngame = 'solo'\nname = 'a'\n[[grid]]\ngame = 'solo'\nname = 'b'",
            "has two names: 'a' and 'b'",
        ),
        ("title = 3\n[[grid]]\ngame = 'solo'", "a title is a text"),
    ],
)
def test_what_is_wrong_with_an_experiment_is_said_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadExperiment) as wrong:
        read(text)
    assert said in str(wrong.value)
    (tmp_path / "wrong.toml").write_text(text)
    done = CliRunner().invoke(main, ["experiment", str(tmp_path / "wrong.toml")])
    assert done.exit_code == 1
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_options_that_change_nothing_are_named_and_their_games_played_once(tmp_path: Path) -> None:
    text = (
        "n = 20\npolicies = 'random'\n[[grid]]\ngame = 'solo'\n"
        "options = { outside = ['walls', 'virtual'], board = ['rectangle', 'galaxy'] }"
    )
    assert [dict(cell.options) for cell in read(text).cells] == [
        {},
        {"board": "galaxy"},
        {"board": "galaxy", "outside": "virtual"},
    ]
    (tmp_path / "idle.toml").write_text(text)
    out = tmp_path / "idle.parquet"
    words = ["experiment", str(tmp_path / "idle.toml"), "-o", str(out), "--workers", "1"]
    done = CliRunner().invoke(main, words)
    assert done.stderr.splitlines() == [
        "note: no effect on this board, counted as the same variant: "
        "smallchange.game('solo', outside='virtual'): outside"
    ]
    assert [sample.n for sample in read_results(out).samples] == [20, 20, 20]


def test_results_of_older_versions_count_a_variant_once_too(tmp_path: Path) -> None:
    """They have a cell for each set of options, whether or not an option changes anything."""
    policy = Policy.parse("random")
    cells = tuple(
        Cell("solo", options, (policy,), 1, n)
        for options, n in (((), 20), ((("outside", "virtual"),), 30), ((("hole", "fly"),), 10))
    )
    out = tmp_path / "older.parquet"
    run(Experiment("", cells), out, workers=1)
    results = read_results(out)
    assert [(sample.options, sample.n) for sample in results.samples] == [({}, 30)]
    assert results.cpu_seconds(results.samples[0]) is not None
    assert "outside" not in report(results)


def test_the_experiments_of_the_documentation_can_be_read() -> None:
    text = (Path(__file__).parents[2] / "docs" / "laboratory.md").read_text(encoding="utf-8")
    found = [read(block.partition("```")[0]) for block in text.split("```toml\n")[1:]]
    assert len(found) == 2
    usual = read("[[grid]]\ngame = 'thrag'")
    assert [(cell.who, cell.seed, cell.n) for cell in usual.cells] == [
        ("random", 1, 1000),
        ("greedy", 1, 1000),
    ]
    assert "plays 2,000 games" in text


def test_more_games_than_can_be_kept_are_refused_at_once_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "large.toml").write_text(
        f'n = 1_000_000_000\n[[grid]]\ngame = "{TWO}"\npolicies = "level1"\n'
    )
    done = CliRunner().invoke(main, ["experiment", "large.toml"])
    assert (done.exit_code, done.stderr) == (
        1, "Error: these games would be 250,000,000 files, and 1,000,000 may be: ask for fewer\n",
    )  # fmt: skip
    assert [file.name for file in tmp_path.iterdir()] == ["large.toml"]


def test_what_cannot_be_read_or_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_bytes(b"\xff")
    (tmp_path / "other.toml").write_text(f'n = 1\n[[grid]]\ngame = "{GAME}"\n')
    (tmp_path / "other.parts").write_text("in the way")
    out = tmp_path / "other.parquet"
    for name, says in [
        ("small.toml", f"{tmp_path / 'small.toml'}: this is no TOML: it is not UTF-8"),
        ("other.toml", f"cannot write {out}: File exists ({out.with_suffix('.parts')})"),
    ]:
        done = CliRunner().invoke(main, ["experiment", str(tmp_path / name), "-o", str(out)])
        assert (done.exit_code, done.output) == (1, f"Error: {says}\n")


def test_a_mark_of_utf_8_at_the_beginning_is_no_part_of_an_experiment(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(f'n = 1\n[[grid]]\ngame = "{GAME}"\n', encoding="utf-8-sig")
    done = CliRunner().invoke(main, command(tmp_path, "-o", str(tmp_path / "out.parquet"))[3:])
    assert done.exit_code == 0


def test_an_unknown_backend_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(TEXT)
    out = tmp_path / "out.parquet"
    run(read(TEXT), out, "smallchange experiment small.toml", workers=1)  # nothing is left to play
    done = CliRunner().invoke(
        main, ["experiment", str(tmp_path / "small.toml"), "--backend", "slurm", "-o", str(out)]
    )
    assert (done.exit_code, done.stderr) == (
        1, "Error: unknown backend 'slurm': processes, dask or dask@ADDRESS\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "broken"),
    [
        (["simulate", GAME], "simulate.engine.compile_game"),
        (["experiment", "small.toml"], "experiment.distribute"),
    ],
)
def test_an_error_of_ours_keeps_its_traceback(
    words: list[str], broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*asked: object) -> None:
        raise ValueError("ours")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(f"smallchange.lab.{broken}", fails)
    (tmp_path / "small.toml").write_text(TEXT)
    done = CliRunner().invoke(main, words)
    assert isinstance(done.exception, ValueError)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("nowhere://x", "unknown address scheme 'nowhere'"),
        ("tcp://127.0.0.1:1", "Connection refused"),
        ("[::1]:1" + 20 * "0", "Servname not supported"),
    ],
)
def test_an_address_where_no_cluster_is_is_said_in_one_line(address: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(TEXT)
    words = ["experiment", str(tmp_path / "small.toml"), "--backend", f"dask@{address}"]
    done = CliRunner().invoke(main, [*words, "-o", str(tmp_path / "out.parquet")])
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert f"there is no cluster at '{address}': " in done.stderr
    assert why in done.stderr


def test_no_other_file_is_taken_for_results(tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"
    other.write_text("nothing")
    with pytest.raises(ValueError, match="holds no results"):
        read_results(other)
    with pytest.raises(BadExperiment, match=r"there is no file .*none\.parquet"):
        read_results(str(tmp_path / "none.parquet"))


@pytest.mark.parametrize(
    ("lacking", "extra", "words"),
    [
        ("pyarrow", "lab", []),
        ("distributed", "dask", ["--backend", "dask"]),
    ],
)
def test_what_has_to_be_installed_is_said_in_one_line(
    lacking: str, extra: str, words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "small.toml").write_text(f'n = 1\n[[grid]]\ngame = "{GAME}"\n')
    arguments = ["experiment", str(tmp_path / "small.toml"), "-o", str(tmp_path / "out.parquet"), *words]
    code = (
        f"import sys; sys.modules[{lacking!r}] = None; from smallchange.cli import main; main({arguments!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    said = f"Error: {install_hint(lacking, extra)}\n"
    assert (done.returncode, done.stderr) == (1, said)
