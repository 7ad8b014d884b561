"""Portable Piecepack Notation: a strict reader of a match finds the pieces as they lie on the table."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import smallchange
from smallchange import Game, Match
from smallchange.contract.piecepack_reader import Reading, read
from smallchange.core.errors import NoPiecepackGame
from smallchange.core.piecepack_notation import portable_piecepack
from smallchange.render.scene import LAYERS

from .variants import GAMES, variants

WITH_PIECEPACK = [id for id in GAMES if smallchange.game(id).piecepack]
LETTERS = {"tile": "t", "back": "t", "coin": "c", "die": "d", "pawn": "p"}


def random_match(game: Game, seed: int) -> Match:
    luck = Random(seed)
    match = Match(game, luck.randbytes(16))
    match.settle()
    while not match.over and len(match) < 400:
        match.play(luck.choice(match.position.legal()))
        match.settle()
    return match


def assert_lies_as_the_scene_shows(reading: Reading, match: Match) -> None:
    game = match.game
    backs = len(list(game.piecepack.tile_backs(game.board))) if game.piecepack else 0
    position = game.start()
    place_of_spot: dict[str, str] = {}
    for ply, piles in enumerate(reading.piles):
        if ply:
            position.play(match.steps[ply - 1].token)
        scene = game.layout.scene(game.board, position.s)
        by_spot: dict[str, list[str]] = {}
        for piece in sorted(scene.pieces, key=lambda p: (LAYERS[p.kind], p.level, p.id)):
            by_spot.setdefault(piece.spot, []).append(LETTERS[piece.kind] + piece.suit + piece.value)
        assert Counter(map(tuple, piles.values())) == Counter(
            [*map(tuple, by_spot.values()), *[("t",)] * backs]
        )
        for spot, pile in by_spot.items():
            place = place_of_spot.get(spot)
            if place is None:
                place = next(
                    p for p, lies in piles.items() if lies == pile and p not in place_of_spot.values()
                )
                if list(piles.values()).count(pile) > 1:
                    continue  # several look alike: another step will tell which is which
                place_of_spot[spot] = place
            assert piles[place] == pile, (ply, spot)
    assert len(reading.piles) == len(match) + 1


@pytest.mark.parametrize("id", WITH_PIECEPACK)
def test_every_position_of_a_match_is_read_back_from_its_notation(id: str) -> None:
    for seed, game in enumerate(variants(id)):
        match = random_match(game, seed)
        reading = read(portable_piecepack(match))
        assert_lies_as_the_scene_shows(reading, match)
        assert all(f"[{step.token}]" in said for step, said in zip(match, reading.comments[1:], strict=True))


@pytest.mark.parametrize("id", WITH_PIECEPACK)
def test_no_piece_of_a_piecepack_is_there_twice(id: str) -> None:
    match = random_match(smallchange.game(id), 7)
    for piles in read(portable_piecepack(match)).piles:
        pieces = Counter(spec for pile in piles.values() for spec in pile if len(spec) == 3 or spec[0] == "p")
        assert max(pieces.values(), default=1) == 1
        kinds = Counter(spec[0] for pile in piles.values() for spec in pile)
        assert kinds["t"] <= 24
        assert kinds["c"] <= 24
        assert kinds["d"] <= 4
        assert kinds["p"] <= 4


def test_a_game_without_a_piecepack_says_so() -> None:
    without = [id for id in GAMES if id not in WITH_PIECEPACK]
    for id in without:
        with pytest.raises(NoPiecepackGame, match="not played with a piecepack"):
            portable_piecepack(Match(smallchange.game(id)))
