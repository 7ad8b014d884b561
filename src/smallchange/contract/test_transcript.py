"""Order, tokens, numbers and words change only on purpose: every game's transcript is pinned."""

from itertools import zip_longest

import pytest

import smallchange

from .transcript import command, path, transcript
from .variants import every_game


@every_game
def test_a_game_still_tells_its_golden_transcript(id: str) -> None:
    game = smallchange.game(id)
    if not path(game).exists():
        pytest.fail(f"{id} has no transcript yet; write it, and read it: {command(game)}", pytrace=False)
    golden, now = path(game).read_text(encoding="utf-8"), transcript(game)
    for number, (was, is_now) in enumerate(zip_longest(golden.splitlines(), now.splitlines()), 1):
        if was != is_now:
            pytest.fail(
                f"{id} differs from its transcript at line {number}\n  it was {was!r}\n  now is {is_now!r}\n"
                f"If that is meant (does rules.VERSION grow?), write it anew, and read it: {command(game)}",
                pytrace=False,
            )
    assert golden == now
