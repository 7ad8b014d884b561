"""Dodg'em 6 x 6 written in Python for OpenSpiel, for `mcts.py` alone; without a draw by long play.

Squares are column * 6 + row; an action is 4 * square + way: 0 forward, 1 down, 2 up, 3 off the board.
"""

from __future__ import annotations

import pyspiel

SIZE = 6
PASS = SIZE * SIZE * 4
TYPE = pyspiel.GameType(
    short_name="python_dodgem",
    long_name="Python Dodg'em",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={},
)
INFO = pyspiel.GameInfo(
    num_distinct_actions=PASS + 1,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=2000,
)


class DodgemGame(pyspiel.Game):  # type: ignore[misc]
    """The game."""

    def __init__(self, params: object = None) -> None:
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> DodgemState:
        return DodgemState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> None:
        return None


class DodgemState(pyspiel.State):  # type: ignore[misc]
    """A position: the player on each square, -1 for an empty one, and the coins that each has left."""

    def __init__(self, game: DodgemGame) -> None:
        super().__init__(game)
        self.squares = [-1] * (SIZE * SIZE)
        for i in range(SIZE - 1):
            self.squares[i] = 0
            self.squares[SIZE * (SIZE - 1) + i + 1] = 1
        self.left = [SIZE - 1, SIZE - 1]
        self.turn = 0
        self.winner = -1

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.winner >= 0 else self.turn

    def _legal_actions(self, player: int) -> list[int]:
        squares, actions = self.squares, []
        last = SIZE - 1 if player == 0 else 0
        ahead = SIZE if player == 0 else -SIZE
        for i in range(SIZE * SIZE):
            if squares[i] != player:
                continue
            leaves = i // SIZE == last
            if not leaves and squares[i + ahead] < 0:
                actions.append(4 * i)
            if i % SIZE > 0 and squares[i - 1] < 0:
                actions.append(4 * i + 1)
            if i % SIZE < SIZE - 1 and squares[i + 1] < 0:
                actions.append(4 * i + 2)
            if leaves:
                actions.append(4 * i + 3)
        return actions or [PASS]

    def _apply_action(self, action: int) -> None:
        player = self.turn
        self.turn = 1 - player
        if action == PASS:
            return
        square, way = divmod(action, 4)
        self.squares[square] = -1
        if way == 3:
            self.left[player] -= 1
            if self.left[player] == 0:
                self.winner = player
            return
        self.squares[square + ((SIZE if player == 0 else -SIZE), -1, 1)[way]] = player

    def _action_to_string(self, player: int, action: int) -> str:
        return "pass" if action == PASS else f"{action // 4}-{action % 4}"

    def is_terminal(self) -> bool:
        return self.winner >= 0

    def returns(self) -> list[float]:
        if self.winner < 0:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        return f"{self.turn} {self.squares}"


pyspiel.register_game(TYPE, DodgemGame)
