"""Batches of games for learners: the games are those of plain Python, and what is shown is their positions."""

from collections import defaultdict

import numpy as np
import pytest
from numpy.typing import NDArray

import smallchange
from smallchange import engine
from smallchange.core.game import Game
from smallchange.environments.batch import Batch
from smallchange.lab.play_portion import one_game

N, STEPS = 6, 250


def last_legal(mask: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the greatest legal action of each game."""
    last: NDArray[np.intp] = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    return last


@pytest.mark.parametrize("id", smallchange.games())
def test_a_batch_plays_the_games_of_plain_python(id: str) -> None:
    game = smallchange.game(id)
    games = smallchange.batch(game, N, seed=5)
    view, by_number = games.reset(), {}
    for _ in range(STEPS):
        for number, scores, steps in zip(
            view.finished.number, view.finished.scores, view.finished.steps, strict=True
        ):
            by_number[int(number)] = (scores.tolist(), int(steps))
        view = games.step(last_legal(view.mask))
    assert len(by_number) >= 2

    def player(position: smallchange.Position) -> str:
        return game.action_to_token(position.legal_actions()[-1])

    for number, (scores, steps) in sorted(by_number.items(), key=lambda game: game[1][1])[:1]:
        last, taken = one_game(game, [player] * len(game.seats), 5, number)
        assert (scores, steps) == ([last.score(seat) for seat in game.seats], taken)


@pytest.mark.parametrize("id", smallchange.games())
def test_random_actions_of_a_batch_play_the_games_of_the_random_policy(id: str) -> None:
    game = smallchange.game(id)
    games = smallchange.batch(game, N, seed=9, copy=False)
    view, found = games.reset(), defaultdict(list)
    for _ in range(STEPS):
        for number, steps in zip(view.finished.number.tolist(), view.finished.steps.tolist(), strict=True):
            found[number].append(steps)
        view = games.step(games.sample())
    played = engine.compile_game(game).play_games([engine.RANDOM] * len(game.seats), 9, 0, max(found) + 1)
    assert {number: [int(played.steps[number])] for number in found} == found


@pytest.mark.parametrize("id", smallchange.games())
def test_a_view_shows_the_positions_as_python_does(id: str) -> None:
    game = smallchange.game(id)
    games = smallchange.batch(game, N, seed=2)
    view = games.reset()
    compiled = engine.compile_game(game)
    for _ in range(40):
        view = games.step(games.sample())
        for i in range(N):
            position = smallchange.Position(game, compiled.plain(games.states[i]))
            assert view.observation[i].tolist() == position.observation()
            assert view.mask[i].tolist() == position.action_mask()
            assert view.turn[i] == position.s.turn


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    def play(seed: int) -> bytes:
        games = smallchange.batch(smallchange.game("solo"), N, seed=seed)
        views = [games.reset()] + [games.step(games.sample()) for _ in range(60)]
        return b"".join(array.tobytes() for view in views for array in (*view[:-1], *view.finished))

    assert play(3) == play(3)
    assert play(3) != play(4)


def test_compiled_and_interpreted_batches_show_the_same() -> None:
    game = smallchange.game("coin-age")
    one, other = Batch(game, 3, 1), Batch(game, 3, 1, compiled=False)
    views = [(games.reset(), *(games.step(games.sample()) for _ in range(15))) for games in (one, other)]
    for here, there in zip(*views, strict=True):
        assert all((a == b).all() for a, b in zip(here[:-1], there[:-1], strict=True))


def test_an_end_gives_the_reward_of_each_seat_and_the_last_position() -> None:
    game = smallchange.game("dodgem", size=3)
    games = smallchange.batch(game, N, seed=1)
    view = games.reset()
    while not view.done.any():
        view = games.step(games.sample())
    over = int(view.done.sum())
    assert view.final.shape == (over, game.observation_size)
    assert view.finished.outcomes.tolist() == view.reward[view.done].astype(int).tolist()
    assert (view.reward.sum(axis=1) == 0).all()
    start = np.array(game.start().observation())
    assert (view.observation[view.done] == start).all()
    assert not (view.final == start).all(axis=1).any()


def test_a_greedy_opponent_moves_within_the_step() -> None:
    games = smallchange.batch(smallchange.game("coin-age"), N, seed=1, opponents=[None, "greedy"])
    view = games.reset()
    for _ in range(30):
        assert (view.turn == 0).all()
        view = games.step(games.sample())


def test_games_that_end_before_a_choice_are_counted_and_passed_over() -> None:
    games = smallchange.batch(smallchange.game("coin-collectors"), 512, seed=1)
    view = games.reset()
    dead = view.finished.choices == 0
    assert dead.all()
    assert dead.size > 0
    assert view.mask.any(axis=1).all()
    assert (view.finished.outcomes == -1).all()


def test_an_illegal_action_is_named_and_changes_nothing() -> None:
    games = smallchange.batch(smallchange.game("dodgem"), 3, seed=1)
    with pytest.raises(ValueError, match="call reset"):
        games.step([0, 0, 0])
    games.reset()
    before = games.states.tobytes()
    legal = games.sample()
    with pytest.raises(
        smallchange.IllegalMove, match=r"action 180 \(pass\) of game 1 is not legal; legal there: 3 8 "
    ):
        games.step([legal[0], 180, legal[2]])
    with pytest.raises(smallchange.IllegalMove, match="action -1 of game 2"):
        games.step([legal[0], legal[1], -1])
    with pytest.raises(ValueError, match="3 whole numbers"):
        games.step([0.5, 1, 2])
    assert games.states.tobytes() == before
    games.step(legal)


@pytest.mark.parametrize("opponents", [["level3", None], ["greedy"], ["greedy", "greedy"], "greedy"])
def test_opponents_that_cannot_play_inside_are_refused(opponents: object) -> None:
    with pytest.raises(smallchange.BadPolicy, match="one of greedy, random for each of the seats red, green"):
        Batch(Game("dodgem"), 2, 1, opponents)  # type: ignore[arg-type]
