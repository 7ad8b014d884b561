"""Learn Coin Collectors by proximal policy optimisation (PPO), with NumPy alone.

    python examples/ppo_coin_collectors.py --processor-minutes 30 --seed 1

Thirty minutes of processor time are fifteen minutes on two cores. It prints the learning curve, and at the end how
often the net and the bot `greedy` win on the same new deals, each with its 95 % interval. PPO: Schulman and others,
"Proximal policy optimization algorithms" (2017), arXiv:1707.06347; illegal actions have probability 0.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import smallchange
from smallchange.environments.batch import Batch, View
from smallchange.lab.simulate import simulate
from smallchange.lab.statistics import Rate

GAMES, HORIZON, EPOCHS, MINIBATCH = 256, 64, 3, 2048
DISCOUNT, TRACE, CLIP, ENTROPY = 0.997, 0.95, 0.2, 0.01
MAX_DIVERGENCE = 0.03  # from the policy that played, after which its games teach no more
LEARNING_RATE, HIDDEN = 2.5e-4, (128, 128)
COIN_REWARD, WIN_REWARD = 0.1, 2.0  # a coin at a time: wins alone are too rare to begin with
TEST_SEED = 1_000_003
TRAITS, TRAIT_SCALE = 10, np.float32(6)  # of an action; the scale lets their weights be learned soon

Array = NDArray[np.float32]


class Observations(NamedTuple):
    """The features of n positions, as the net takes them."""

    position: (
        Array  # [n, ..] the observation, the coins beside each pawn, and the faces of dice that open one
    )
    actions: Array  # [n, actions, TRAITS] of each action: what there is to reach, and the chance to go on


class Features:
    """Features of observations, all without looking ahead."""

    def __init__(self, game: smallchange.Game) -> None:
        self._fields = {field.name: field for field in game.observed_fields}
        self._near = np.zeros((26, 25), np.float32)  # a pawn that is gone has no neighbours
        for i in range(25):
            for j in range(25):
                self._near[i, j] = game.board.near[i] >> j & 1

    def _field(self, observation: NDArray[np.uint8], name: str) -> Array:
        field = self._fields[name]
        entries = observation[:, field.start : field.start + field.length * field.width]
        return entries.reshape(len(entries), field.length, field.width).astype(np.float32)

    def coins_left(self, observation: NDArray[np.uint8]) -> Array:
        """Return how many coins each position still has, [n]."""
        return self._field(observation, "coins").sum((1, 2))

    def __call__(self, observation: NDArray[np.uint8]) -> Observations:
        """Return the features of each observation."""
        n = len(observation)
        coins, pawns = self._field(observation, "coins"), self._field(observation, "pawns")
        spot, dice = self._field(observation, "spot")[:, :, 1:], self._field(observation, "dice")[:, :, 1:]
        live = coins.sum(1)
        beside = (pawns @ self._near) * live[:, None]  # [n, pawns, squares]
        reach = beside.max(1)
        by_tile = (spot.reshape(n, 4, 6, 25) @ reach[:, None, :, None])[..., 0]
        by_number = beside @ coins.transpose(0, 2, 1)
        opens = np.minimum(by_tile + by_number, 1.0)  # [n, dice, faces]
        suits = spot.reshape(n, 4, 6, 25).sum(2)
        parts = [
            self._field(observation, "phase"), self._field(observation, "left"),
            self._field(observation, "rolls_left"), pawns, dice, coins, suits, beside, opens, by_number,
            (opens * dice).sum(2), opens.sum(2) / 6, live @ self._near[:25] / 4 * live,
        ]  # fmt: skip
        flat = [part.reshape(n, -1) for part in parts]
        fails = 1 - opens.mean(2), 1 - (opens * dice).sum(2)  # of a die that is rolled, and that is kept
        return Observations(np.concatenate(flat, axis=1), self._traits(live, pawns, beside, fails))

    def _traits(self, live: Array, pawns: Array, beside: Array, fails: tuple[Array, Array]) -> Array:
        """Return the traits [n, actions, TRAITS]: of coins to take first, then of dice to roll."""
        n, near = len(live), self._near[:25]
        ways = live @ near + pawns[:, :, :25].sum(1) @ near  # into each square, from coins and pawns
        traits = np.zeros((n, 4 * 25 + 16, TRAITS), np.float32)
        coins = traits[:, :100].reshape(n, 4, 25, TRAITS)
        coins[..., 0] = (live @ near)[:, None] / 4  # coins beside the square
        coins[..., 1] = (beside.sum(2) / 4)[:, :, None]  # coins beside the pawn now
        coins[..., 2] = ways[:, None] / 4
        coins[..., 3] = ((live * (ways <= 1)) @ near)[:, None]  # coins that only this square leads to
        coins[..., 4] = ((live * (ways == 2)) @ near)[:, None]
        coins[..., 5] = (ways <= 1)[:, None]
        coins[..., 6] = (beside.sum(2) == 1)[:, :, None]
        for rolled in range(16):
            chosen = [fails[0 if rolled >> die & 1 else 1][:, die] for die in range(4)]
            chance = 1 - np.prod(chosen, axis=0)
            traits[:, 100 + rolled, 7] = 4 * chance
            traits[:, 100 + rolled, 8] = chance > 0.999
            traits[:, 100 + rolled, 9] = 4 - np.sum(chosen, axis=0)  # dice that open a coin, on average
        return TRAIT_SCALE * traits


class Net:
    """A policy and a value on two hidden layers, trained by Adam."""

    def __init__(self, sizes: list[int], luck: np.random.Generator) -> None:
        self.weights: list[Array] = []
        for before, after in pairwise(sizes):
            scale = np.sqrt(2 / before) if after != sizes[-1] else 0.01
            self.weights.append((scale * luck.standard_normal((before, after))).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.weights.append(np.zeros(TRAITS, np.float32))
        self._first = [np.zeros_like(weight) for weight in self.weights]
        self._second = [np.zeros_like(weight) for weight in self.weights]
        self._updates = 0

    def layers(self, seen: Observations) -> list[Array]:
        """Return the input, the output of each hidden layer, and at the end logits and the value in one row."""
        out, x = [seen.position], seen.position
        last = len(self.weights) - 3
        for i in range(0, last + 1, 2):
            x = x @ self.weights[i] + self.weights[i + 1]
            out.append(np.maximum(x, 0) if i < last else x)
        out[-1][:, :-1] += seen.actions @ self.weights[-1]
        return out

    def learn(self, seen: Observations, layers: list[Array], slope: Array, rate: float) -> None:
        """Take one step of Adam against the slope of a loss by the output."""
        slopes: list[Array] = [np.tensordot(slope[:, :-1], seen.actions, 2)]
        for i in range(len(self.weights) - 3, -1, -2):
            slopes[:0] = [layers[i // 2].T @ slope, slope.sum(0)]
            if i:
                slope = (slope @ self.weights[i].T) * (layers[i // 2] > 0)
        size = np.sqrt(sum(float((it * it).sum()) for it in slopes))
        self._updates += 1
        rate *= np.sqrt(1 - 0.999**self._updates) / (1 - 0.9**self._updates)
        for weight, first, second, slope in zip(self.weights, self._first, self._second, slopes, strict=True):
            slope *= min(1.0, 0.5 / (size + 1e-8))
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            weight -= (rate * first / (np.sqrt(second) + 1e-8)).astype(np.float32)


def log_probabilities(logits: Array, mask: NDArray[np.bool_]) -> Array:
    """Return the logarithms of the probabilities of legal actions; of the others a very low number."""
    masked = np.where(mask, logits, np.float32(-1e9))
    masked -= masked.max(1, keepdims=True)
    result: Array = masked - np.log(np.exp(masked).sum(1, keepdims=True))
    return result


def sample(logs: Array, luck: np.random.Generator) -> NDArray[np.int64]:
    """Return an action for each row, by its probabilities."""
    return (logs + luck.gumbel(size=logs.shape)).argmax(1)


class Learner:
    """PPO on a batch of games."""

    def __init__(self, seed: int) -> None:
        self.game = smallchange.game("coin-collectors")
        self.features = Features(self.game)
        self.luck = np.random.default_rng(seed)
        self.batch = Batch(self.game, GAMES, seed)
        self.view = self.batch.reset()
        self.num_actions = player_actions(self.game)
        self.seen = self.features(self.view.observation)
        self.net = Net([self.seen.position.shape[1], *HIDDEN, self.num_actions + 1], self.luck)
        self.steps = 0
        self.wins: list[int] = []
        self.scores: list[int] = []

    def iterate(self, rate: float) -> None:
        """Play HORIZON choices in every game and learn from them; `rate` is a share of the learning rate."""
        rows = self._play()
        values, rewards, ends = rows.pop("value"), rows.pop("reward"), rows.pop("done")
        next_value = self.net.layers(self.seen)[-1][:, -1]
        advantage, carried = np.zeros_like(values), np.zeros(GAMES, np.float32)
        for t in range(HORIZON - 1, -1, -1):
            surprise = rewards[t] + DISCOUNT * next_value * ~ends[t] - values[t]
            carried = surprise + DISCOUNT * TRACE * carried * ~ends[t]
            advantage[t], next_value = carried, values[t]
        rows |= {"advantage": advantage, "target": advantage + values}
        flat = {name: row.reshape(-1, *row.shape[2:]) for name, row in rows.items()}
        for _ in range(EPOCHS):
            order = self.luck.permutation(GAMES * HORIZON)
            for first in range(0, len(order), MINIBATCH):
                chosen = order[first : first + MINIBATCH]
                if self._learn({name: row[chosen] for name, row in flat.items()}, rate) > MAX_DIVERGENCE:
                    return

    def _play(self) -> dict[str, Any]:
        columns: dict[str, list[Any]] = {}
        for _ in range(HORIZON):
            mask = self.view.mask[:, : self.num_actions]
            out = self.net.layers(self.seen)[-1]
            logs = log_probabilities(out[:, :-1], mask)
            action = sample(logs, self.luck)
            before = self.features.coins_left(self.view.observation)
            view = self.batch.step(action)
            row = {
                "position": self.seen.position, "traits": self.seen.actions, "mask": mask, "action": action,
                "log": logs[np.arange(GAMES), action],
                "value": out[:, -1], "reward": self._rewards(before, view), "done": view.done,
            }  # fmt: skip
            for name, column in row.items():
                columns.setdefault(name, []).append(column)
            self.view, self.seen = view, self.features(view.observation)
            self.wins += (view.finished.outcomes[:, 0] == 1).tolist()
            self.scores += view.finished.scores[:, 0].tolist()
        self.steps += GAMES * HORIZON
        return {name: np.stack(column) for name, column in columns.items()}

    def _rewards(self, before: Array, view: View) -> Array:
        after = self.features.coins_left(view.observation)
        after[view.done] = self.features.coins_left(view.final)
        rewards: Array = COIN_REWARD * (before - after) + WIN_REWARD * (view.reward[:, 0] > 0)
        return rewards

    def _learn(self, rows: dict[str, Any], rate: float) -> float:
        """Take one step; return an estimate of the divergence (Kullback and Leibler) from the policy that played."""
        n = len(rows["action"])
        seen = Observations(rows["position"], rows["traits"])
        layers = self.net.layers(seen)
        logs = log_probabilities(layers[-1][:, :-1], rows["mask"])
        p = np.exp(logs)
        at = np.arange(n), rows["action"]
        gain = rows["advantage"]
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        ratio = np.exp(logs[at] - rows["log"])
        moves = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        slope = np.zeros_like(layers[-1])
        by_log = -gain * ratio * moves
        slope[:, :-1] = -p * by_log[:, None]
        slope[at] += by_log
        entropy = -(p * np.where(rows["mask"], logs, 0)).sum(1, keepdims=True)
        slope[:, :-1] += ENTROPY * rate * p * (np.where(rows["mask"], logs, 0) + entropy)
        slope[:, -1] = layers[-1][:, -1] - rows["target"]
        self.net.learn(seen, layers, slope / n, LEARNING_RATE * rate)
        return float((ratio - 1 - np.log(ratio)).mean())

    def evaluate(self, n: int, seed: int = TEST_SEED) -> tuple[int, float]:
        """Return how many of n games the net wins, taking its likeliest action, and its mean score."""
        games = Batch(self.game, n, seed)
        view = games.reset()
        won, score, open_games = 0, 0, np.ones(n, np.bool_)
        while True:
            first = view.finished.number < n
            won += int((view.finished.outcomes[first, 0] == 1).sum())
            score += int(view.finished.scores[first, 0].sum())
            open_games[view.finished.number[first]] = False
            if not open_games.any():
                return won, score / n
            out = self.net.layers(self.features(view.observation))[-1][:, :-1]
            mask = view.mask[:, : self.num_actions]
            view = games.step(np.where(mask, out, -np.inf).argmax(1))


def player_actions(game: smallchange.Game) -> int:
    """Return how many of the first numbers of actions are a player's, as random games show; the rest are chance's."""
    batch = smallchange.batch(game, 1024, seed=0)
    seen = batch.reset().mask.any(0)
    for _ in range(100):
        seen |= batch.step(batch.sample()).mask.any(0)
    return int(seen.nonzero()[0].max()) + 1


def share(won: int, n: int) -> str:
    """Write a win rate with its 95 % interval (Wilson)."""
    rate = Rate.of(won, n)
    return f"{rate.p:.2%} ({rate.low:.2%} to {rate.high:.2%}) of {n:,}"


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--processor-minutes", type=float, default=30.0, help="of all cores together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test-games", type=int, default=10_000)
    parser.add_argument("--curve", type=Path, help="a JSON file for the learning curve")
    asked = parser.parse_args()
    learner = Learner(asked.seed)
    begun, wall, limit = process_time(), perf_counter(), 60 * asked.processor_minutes
    curve: list[dict[str, float]] = []
    print("  min.      choices    games  score   won, %  (the last games played, which explore)", flush=True)
    while (spent := process_time() - begun) < limit:
        learner.iterate(1 - spent / limit)
        if spent >= len(curve) * limit / 30 and len(learner.scores) >= 100:
            scores, wins = learner.scores[-5000:], learner.wins[-5000:]
            point = {"minutes": spent / 60, "choices": learner.steps, "games": len(learner.scores)}
            point |= {"score": float(np.mean(scores)), "won": float(np.mean(wins))}
            curve.append(point)
            print(
                "{minutes:6.1f} {choices:12,} {games:8,} {score:6.2f} {won:8.2%}".format(**point), flush=True
            )
    minutes = (process_time() - begun) / 60, (perf_counter() - wall) / 60
    print(f"seed {asked.seed}: {minutes[0]:.1f} minutes of processor time, {minutes[1]:.1f} by the clock")
    n = asked.test_games
    won, score = learner.evaluate(n)
    greedy = simulate(learner.game, n, "greedy", TEST_SEED)
    print(f"net:    wins {share(won, n)}, mean score {score:.2f}")
    [scores] = greedy.score.values()
    print(f"greedy: wins {share(greedy.outcomes.get('won', 0), n)}, mean score {scores.mean:.2f}")
    if asked.curve:
        asked.curve.write_text(json.dumps({"seed": asked.seed, "won": won, "n": n, "curve": curve}) + "\n")


if __name__ == "__main__":
    main()
