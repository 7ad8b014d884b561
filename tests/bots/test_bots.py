"""The bots of every game: legal, whatever the budget; what a bot lacks is said; and a hint with odds."""

import random
import subprocess
import sys
import threading

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import Position, bots
from smallchange.bots.engines import mcts as _search
from smallchange.bots.engines.compile_cache import CompileCache
from smallchange.bots.levels import percent
from smallchange.extras import install_command


def random_position(id: str, seed: int, steps: int) -> Position:
    """Return the last player's step within so many random steps, or the first."""
    luck = random.Random(seed)
    position = smallchange.game(id).start()
    while position.actor == "chance":
        position.play(luck.choice(list(position)))
    if position.actor is None:  # lost before it began
        return random_position(id, seed + 1, steps)
    seen = position.copy()
    for _ in range(steps):
        if position.actor is None:
            break
        position.play(luck.choice(list(position)))
        if position.s.turn >= 0:
            seen = position.copy()
    return seen


@pytest.fixture(autouse=True, scope="module")
def _ready() -> None:
    """Compile first, so that the budgets below are spent on searching."""
    for id in smallchange.games():
        for name in bots.names(smallchange.game(id)):
            bots.bot(name, 30.0, random.Random(1))(random_position(id, 0, 0))


@pytest.mark.parametrize("id", smallchange.games())
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    steps=st.integers(0, 120),
    seconds=st.sampled_from([0.0, -1.0, 1e-6, 0.001, 0.01]),
    name=st.sampled_from(bots.names()),
)
def test_a_bot_plays_a_legal_move_whatever_the_position_and_the_budget(
    id: str, seed: int, steps: int, seconds: float, name: str
) -> None:
    position = random_position(id, seed, steps)
    assume(name in bots.names(position.game))
    before = position.copy()
    assert bots.bot(name, seconds, random.Random(seed))(position) in position.legal()
    assert position == before


@pytest.mark.parametrize("id", smallchange.games())
def test_a_bot_answers_before_its_code_is_compiled(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_search, "_searchers", CompileCache(_search._make))
    position = random_position(id, 3, 10)
    for name in bots.names(position.game):
        assert bots.bot(name, 0.0, wait=0.0)(position) in position.legal()


SEARCHING = [
    (id, level)
    for id in smallchange.games()
    for level in bots.levels.load_bots(smallchange.game(id)).values()
    if not (level.instant or level.blunders)
]


@pytest.mark.parametrize(("id", "level"), SEARCHING, ids=lambda it: getattr(it, "name", it))
def test_a_bot_waits_for_its_code_however_little_it_may_think(
    id: str, level: bots.Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kept,) = [name for name, it in vars(level.module).items() if isinstance(it, CompileCache)]
    ready = CompileCache(lambda position: threading.Event().wait(0.02) or level.module._make(position))
    monkeypatch.setattr(level.module, kept, ready)
    position = next(
        here for here in (random_position(id, seed, 10) for seed in range(9)) if len(here.legal()) > 1
    )
    assert bots.bot(level.name, 0.001)(position) in position.legal()
    assert ready.get(position, 0.0) is not None


def test_a_bot_says_that_no_player_is_to_move() -> None:
    for id in smallchange.games():
        position = smallchange.game(id).start()
        while position.actor is not None:
            if position.actor == "chance":
                with pytest.raises(ValueError, match="at a player's step; here chance is next"):
                    bots.bot("greedy")(position)
            position.play(next(iter(position)))
        with pytest.raises(ValueError, match="at a player's step; here nobody is next"):
            bots.bot("random")(position)


def least_move(position: Position) -> str:
    return position.legal()[0]


def test_a_bot_is_named_as_a_policy_of_a_simulation_is() -> None:
    position = smallchange.game("dodgem", size=3).start()
    for name in ("tree:20", "level5@5", f"{__name__}:least_move"):
        assert bots.bot(name, deal=bytes(16))(position) in position.legal()
    with pytest.raises(smallchange.BadPolicy, match="whole number"):
        bots.bot("tree:many")


@pytest.mark.parametrize("id", smallchange.games())
def test_a_hint_is_a_legal_move_with_its_odds(id: str) -> None:
    position = random_position(id, 1, 30)
    hint = bots.hint(position, luck=random.Random(1), wait=600.0, simulations=200)
    assert hint is not None
    assert hint.token in position.legal()
    assert 0 <= hint.chance <= 1
    certain = hint.exact and len(position.game.seats) == 2
    said = "for certain" if certain else f"{percent(hint.chance)}%"
    assert said in hint.describe(position).en
    assert hint.describe(position).en.startswith(f"Hint: {position.describe(hint.token).en}")


def test_a_program_ends_without_waiting_for_code_that_nobody_will_use() -> None:
    program = """
from threading import Event
import smallchange
from smallchange.bots.engines.compile_cache import CompileCache
start = smallchange.game(smallchange.games()[0]).start()
print(CompileCache(lambda position: Event().wait()).get(start, 0))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ("None\n", "")


def test_waiting_for_its_code_takes_nothing_from_what_a_hint_may_think() -> None:
    position = random_position(smallchange.games()[0], 1, 3)
    for wait, whole in ((600.0, True), (0.0, False)):
        compiled = CompileCache(lambda position: threading.Event().wait(0.02) or "compiled")
        made, left = compiled.get_and_time_left(position, 600.0, wait)
        assert made == "compiled"
        assert (left == 600.0) is whole


def test_where_chance_is_next_there_is_no_hint() -> None:
    for id in smallchange.games():
        position = smallchange.game(id).start()
        if position.actor == "chance":
            with pytest.raises(ValueError, match="for a player's step; here chance is next"):
                bots.hint(position)


WITHOUT = """
import sys
sys.modules["numba"] = None  # as if it were not installed
import smallchange
from smallchange import bots
from smallchange.core.match import first_choice
position = first_choice(smallchange.game(smallchange.games()[-1]))
try:
    bots.bot(bots.names(position.game)[-1])(position)
except ModuleNotFoundError as lacking:
    print(lacking)
"""


def test_without_numba_the_bot_says_what_to_install() -> None:
    run = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    assert run.stdout == f"this bot needs numba: {install_command('fast')}\n"


def test_a_bot_is_chosen_without_numpy_and_numba() -> None:
    code = (
        "import sys; from smallchange import bots; bots.bot(bots.names()[-1]); print('numba' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
