"""The games in OpenSpiel: `import smallchange.openspiel`, then `pyspiel.load_game("python_smallchange_GAME")`.

The options of a game are its parameters: `python_smallchange_GAME(NAME=VALUE,..)`. Chance is explicit.
Actions and outcomes of chance have the numbers that they have everywhere here. A tensor is the position as zeros
and ones (`docs/environments.md`), at chance nodes too. Needs the extra `openspiel`.
"""

from __future__ import annotations

from typing import Any

from smallchange.extras import require

require("openspiel", "pyspiel", "numpy")

import numpy as np  # noqa: E402
import pyspiel  # noqa: E402

from .core.game import Game, Position, game, games  # noqa: E402
from .core.observation import observe  # noqa: E402
from .core.options import Drawing  # noqa: E402
from .core.state import CHANCE, OVER  # noqa: E402

__all__ = ["SmallChangeGame", "SmallChangeState", "register_games", "spiel_name"]

ONE_LINE, MANY_LINES = str.maketrans("\n ", "/_"), str.maketrans("/_", "\n ")  # of a drawing
MAX_GAME_LENGTH = 100_000  # steps: a bound, which no game comes near


def spiel_name(game_id: str) -> str:
    """Return the name of a game in OpenSpiel.

    >>> spiel_name("heads-or-tails")
    'python_smallchange_heads_or_tails'
    """
    return f"python_smallchange_{game_id.replace('-', '_')}"


def register_games() -> None:
    """Register every game that `games()` lists; those that OpenSpiel knows already are left."""
    known = set(pyspiel.registered_names())
    for id in games():
        if spiel_name(id) not in known:
            # a class, because OpenSpiel holds it until after the end of Python, where a function cannot be freed
            made_by = type(spiel_name(id), (SmallChangeGame,), {"id": id, "__module__": __name__})
            globals()[made_by.__name__] = made_by  # pickle finds it by name
            pyspiel.register_game(_game_type(game(id)), made_by)


def _game_type(plain: Game) -> Any:
    kinds = pyspiel.GameType
    seats = len(plain.seats)
    return kinds(
        short_name=spiel_name(plain.id),
        long_name=plain.words.TITLE.en,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=(
            kinds.ChanceMode.EXPLICIT_STOCHASTIC if plain.sources else kinds.ChanceMode.DETERMINISTIC
        ),
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if seats > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: option.default for option in plain.offered},
    )


class SmallChangeGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options. BadOption for parameters that are not accepted."""

    id: str  # of a subclass for each game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.plain: Game = Game(self.id, _rewrite_drawings(self.id, params, MANY_LINES))
        seats = len(self.plain.seats)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.plain.num_actions,
            max_chance_outcomes=self.plain.num_actions if self.plain.sources else 0,
            num_players=seats,
            min_utility=-1.0 if seats > 1 else 0.0,
            max_utility=1.0,
            utility_sum=0.0 if seats > 1 else None,
            max_game_length=MAX_GAME_LENGTH,
        )
        written = _rewrite_drawings(self.id, params, ONE_LINE)
        super().__init__(_game_type(self.plain), info, written)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the name and the parameters."""
        return _load, (str(self),)

    def new_initial_state(self) -> SmallChangeState:
        """Return the state before the first step."""
        return SmallChangeState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of the whole position, which hides nothing from anybody."""
        return Observer(self.plain)


def _load(name_and_parameters: str) -> Any:
    """Return a game, in a process too that has imported nothing yet."""
    return pyspiel.load_game(name_and_parameters)


def _rewrite_drawings(game_id: str, params: dict[str, Any], signs: dict[int, int]) -> dict[str, Any]:
    """Return parameters with these signs of their drawings replaced.

    OpenSpiel can write and read a drawing on one line, without blanks.

    >>> "##\\n .".translate(ONE_LINE), "##/_.".translate(MANY_LINES)
    ('##/_.', '##\\n .')
    """
    drawn = {option.name for option in game(game_id).offered if isinstance(option, Drawing)}
    return {
        name: value.translate(signs) if name in drawn and isinstance(value, str) else value
        for name, value in params.items()
    }


class SmallChangeState(pyspiel.State):  # type: ignore[misc]
    """A position, with the steps that led to it."""

    def __init__(self, game: SmallChangeGame) -> None:
        super().__init__(game)
        self.position: Position = game.plain.start()

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number of chance or of the end."""
        turn: int = self.position.s.turn
        if turn == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if turn == OVER else turn

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions() if player == self.position.s.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance step with their probabilities."""
        actions, weights = self.position.outcome_actions()
        total = sum(weights)
        return [(action, weight / total) for action, weight in zip(actions, weights, strict=True)]

    def _apply_action(self, action: int) -> None:
        self.position.play_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.game.action_to_token(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return bool(self.position.s.turn == OVER)

    def returns(self) -> list[float]:
        """Return 1 for a win, 0 for a draw, -1 for a loss, which is 0 in a game for one; 0 before the end."""
        here = self.position
        if not self.is_terminal():
            return [0.0] * len(here.game.seats)
        return [float(here.reward(player) or 0) for player in here.game.seats]

    def __str__(self) -> str:
        return self.position.key()


class Observer:
    """Sees a position as zeros and ones, or as text."""

    def __init__(self, plain: Game) -> None:
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] = np.zeros(plain.observation_size, np.float32)
        self.dict: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {"observation": self.tensor}

    def set_from(self, state: SmallChangeState, player: int) -> None:
        """Write the observation of a state into `tensor`."""
        self.tensor[:] = observe(state.position.s)

    def string_from(self, state: SmallChangeState, player: int) -> str:
        """Return the text of a state."""
        return state.position.key()


register_games()
