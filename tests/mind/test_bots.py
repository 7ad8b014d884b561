"""The bots of every game: legal, whatever the budget; what a bot lacks is said; and a hint with odds."""

import random
import subprocess
import sys
import threading

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import Position, mind
from smallchange.mind import _search
from smallchange.mind._ready import Ready
from smallchange.mind.levels import percent


def walked(id: str, seed: int, steps: int) -> Position:
    """The last player's step within so many random steps, or the first."""
    luck = random.Random(seed)
    position = smallchange.game(id).start()
    while position.actor == "chance":
        position.take(luck.choice(list(position)))
    if position.actor is None:  # lost before it began
        return walked(id, seed + 1, steps)
    seen = position.copy()
    for _ in range(steps):
        if position.actor is None:
            break
        position.take(luck.choice(list(position)))
        if position.s.turn >= 0:
            seen = position.copy()
    return seen


@pytest.fixture(autouse=True, scope="module")
def _ready() -> None:
    """Compile first, so that the budgets below are spent on searching."""
    for id in smallchange.games():
        for name in mind.names(smallchange.game(id)):
            mind.bot(name, 30.0, random.Random(1))(walked(id, 0, 0))


@pytest.mark.parametrize("id", smallchange.games())
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    steps=st.integers(0, 120),
    seconds=st.sampled_from([0.0, -1.0, 1e-6, 0.001, 0.01]),
    name=st.sampled_from(mind.names()),
)
def test_a_bot_plays_a_legal_move_whatever_the_position_and_the_budget(
    id: str, seed: int, steps: int, seconds: float, name: str
) -> None:
    position = walked(id, seed, steps)
    assume(name in mind.names(position.game))
    before = position.copy()
    assert mind.bot(name, seconds, random.Random(seed))(position) in position.legal()
    assert position == before


@pytest.mark.parametrize("id", smallchange.games())
def test_a_bot_answers_before_its_code_is_compiled(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_search, "_searchers", Ready(_search._make))
    position = walked(id, 3, 10)
    for name in mind.names(position.game):
        assert mind.bot(name, 0.0, wait=0.0)(position) in position.legal()


SEARCHING = [
    (id, level)
    for id in smallchange.games()
    for level in mind.levels.bots(smallchange.game(id)).values()
    if not (level.quick or level.blunders)
]


@pytest.mark.parametrize(("id", "level"), SEARCHING, ids=lambda it: getattr(it, "name", it))
def test_a_bot_waits_for_its_code_however_little_it_may_think(
    id: str, level: mind.Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kept,) = [name for name, it in vars(level.module).items() if isinstance(it, Ready)]
    ready = Ready(lambda position: threading.Event().wait(0.02) or level.module._make(position))
    monkeypatch.setattr(level.module, kept, ready)
    position = next(here for here in (walked(id, seed, 10) for seed in range(9)) if len(here.legal()) > 1)
    assert mind.bot(level.name, 0.001)(position) in position.legal()
    assert ready.engine(position, 0.0) is not None


def test_a_bot_says_that_no_player_is_to_move() -> None:
    for id in smallchange.games():
        position = smallchange.game(id).start()
        while position.actor is not None:
            if position.actor == "chance":
                with pytest.raises(ValueError, match="at a player's step; here chance is next"):
                    mind.bot("greedy")(position)
            position.take(next(iter(position)))
        with pytest.raises(ValueError, match="at a player's step; here nobody is next"):
            mind.bot("random")(position)


@pytest.mark.parametrize("id", smallchange.games())
def test_a_hint_is_a_legal_move_with_its_odds(id: str) -> None:
    position = walked(id, 1, 30)
    hint = mind.hint(position, 2.0, random.Random(1), wait=600.0)  # its code may have to be compiled
    assert hint is not None
    assert hint.token in position.legal()
    assert 0 <= hint.odds <= 1
    assert f"{percent(hint.odds)} %" in hint.says(position).en
    assert hint.says(position).en.startswith(f"Hint: {position.says(hint.token).en}")


def test_a_program_ends_without_waiting_for_code_that_nobody_will_use() -> None:
    program = """
from threading import Event
import smallchange
from smallchange.mind._ready import Ready
print(Ready(lambda position: Event().wait()).engine(smallchange.game(smallchange.games()[0]).start(), 0))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("None\n", "")


def test_waiting_for_its_code_takes_nothing_from_what_a_hint_may_think() -> None:
    position = walked(smallchange.games()[0], 1, 3)
    for wait, whole in ((600.0, True), (0.0, False)):
        compiled = Ready(lambda position: threading.Event().wait(0.02) or "compiled")
        made, left = compiled.waited(position, 60.0, wait)
        assert made == "compiled"
        assert (left == 60.0) is whole


def test_where_chance_is_next_there_is_no_hint() -> None:
    for id in smallchange.games():
        position = smallchange.game(id).start()
        if position.actor == "chance":
            with pytest.raises(ValueError, match="for a player's step; here chance is next"):
                mind.hint(position)


WITHOUT = """
import sys
sys.modules["numba"] = None  # as if it were not installed
import smallchange
from smallchange import mind
position = smallchange.game(smallchange.games()[-1]).start()
while position.actor == "chance":
    position.take(next(iter(position)))
try:
    mind.bot(mind.names(position.game)[-1])(position)
except ModuleNotFoundError as lacking:
    print(lacking)
"""


def test_without_numba_the_bot_says_what_to_install() -> None:
    run = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    assert run.stdout == "this bot needs numba: pip install 'smallchange[fast]'\n"


def test_a_bot_is_chosen_without_numpy_and_numba() -> None:
    code = (
        "import sys; from smallchange import mind; mind.bot(mind.names()[-1]); print('numba' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
