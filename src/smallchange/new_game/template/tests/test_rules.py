"""The rules of My Game, one test for each ruling."""

import smallchange


def test_mg_1_a_player_may_not_pass() -> None:
    position = smallchange.game("my-game").start()
    assert position.legal() == ["take1", "take2", "take3"]


def test_the_player_who_takes_the_last_coin_wins() -> None:
    position = smallchange.game("my-game", coins=5).start()
    for token in ("take1", "take1", "take3"):
        position.play(token)
    assert position.result() == {"winner": "first"}
