"""A text that is read as a position can be played by compiled code, which checks no index, to its end."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from smallchange import BadPosition, Position, engine
from smallchange import bots as mind
from smallchange.contract.check import LONGEST
from smallchange.contract.variants import every_game, variants, walks
from smallchange.core.state import OVER, Range

TRIES = 200  # changed positions a game, over all its variants
ANSWERS = 12


def change_number(value: int, other: int, bounds: Range, luck: Random) -> int:
    """Return a number of a field as it might be mistaken: any, one off, one bit off, or another position's."""
    bit = luck.randrange(max(1, bounds.high.bit_length()))
    return luck.choice([luck.randint(bounds.low, bounds.high), value + 1, value - 1, value ^ 1 << bit, other])


def forge_position(positions: list[Position], luck: Random) -> Position:
    """Return one of these positions with one or two fields changed, each in one or two places."""
    position, other = luck.choice(positions).copy(), luck.choice(positions)
    for name in luck.sample(list(position.s.ranges), luck.randint(1, 2)):
        bounds = position.s.ranges[name]
        value, theirs = getattr(position.s, name), getattr(other.s, name)
        if bounds.length:
            value = value[:]
            for i in luck.sample(range(bounds.length), min(bounds.length, luck.randint(1, 2))):
                value[i] = change_number(value[i], theirs[i], bounds, luck)
        else:
            value = change_number(value, theirs, bounds, luck)
        setattr(position.s, name, value)
    return position


def accepted_forgeries(id: str) -> Iterator[Position]:
    """Yield the forged positions that are read back as if they could be."""
    luck, games = Random(id), variants(id)
    for game in games:
        positions = walks(game)
        for _ in range(TRIES // len(games)):
            position = forge_position(positions, luck)
            try:
                yield Position.parse(position.key())
            except BadPosition as refused:
                assert f"no position of {id}: " in str(refused)  # noqa: PT017


@every_game
def test_what_is_read_as_a_position_can_be_played_to_its_end(id: str) -> None:
    luck, played = Random(id), 0
    for position in accepted_forgeries(id):
        end = played_out(engine.compile_game(position.game, checked=True), position, luck)
        assert end.turn == OVER, position
        assert end.violations() == [], position
        played += 1
    assert played > TRIES // 100, "too few to tell anything"


def played_out(way: engine.CompiledGame, position: Position, luck: Random) -> Any:
    """Return the end of random play from a position."""
    s = way.record(position.s)
    for _ in range(LONGEST):
        if s.turn == OVER:
            break
        actions = way.actions(s) if s.turn >= 0 else way.chances(s)[0]
        way.play(way.board, s, luck.choice(actions))
    return way.plain(s)


@every_game
@pytest.mark.parametrize("name", ["greedy", "level5"])
def test_bots_have_an_answer_wherever_a_player_is_to_move(id: str, name: str) -> None:
    play = mind.bot(name, seconds=0.02, luck=Random(1), wait=300)
    asked = [position for position in accepted_forgeries(id) if position.s.turn >= 0]
    for position in asked[:ANSWERS]:
        assert play(position) in position.legal(), position
