"""Solo's rule of thumb against luck alone."""

import random

import smallchange
from smallchange.bots.engines import greedy


def test_the_rule_of_thumb_leaves_fewer_coins_than_luck_alone() -> None:
    luck, left = random.Random(1), {"greedy": 0, "random": 0}
    for player in list(left) * 25:
        position = smallchange.game("solo").start()
        while position.actor:
            legal = position.legal()
            if not legal:
                position.play(luck.choice(position.weights())[0])
            else:
                wise = player == "greedy"
                position.play(greedy.choose(position, legal, 0, luck) if wise else luck.choice(legal))
        left[player] -= position.score("player") or 0
    assert left["greedy"] < 0.7 * left["random"]
