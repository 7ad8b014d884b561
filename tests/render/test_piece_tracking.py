"""Pieces keep their ids as they move."""

from itertools import count

import pytest

import smallchange
from smallchange.i18n.text import plain
from smallchange.render.piece_tracking import TrackedTable, follow
from smallchange.render.scene import Area, Piece, Scene, Spot, Touch

SPOTS = tuple(Spot(id, 100 * i, 0, plain(id)) for i, id in enumerate(("a", "b", "c", "bank")))
ROW = Area("board", plain("The board"), SPOTS)


def coin(spot: str, suit: str = "S", side: str = "", level: int = 0) -> Piece:
    return Piece(f"coin-{spot}-{level}", spot, "coin", plain("coin"), suit=suit, side=side, level=level)


def row(*pieces: Piece) -> Scene:
    return Scene((ROW,), tuple(sorted(pieces, key=lambda piece: piece.id)))


def where(followed: TrackedTable) -> dict[str, str]:
    return {piece.id: piece.spot for piece in followed.scene.pieces}


def test_a_coin_named_after_its_square_keeps_its_id_when_it_moves() -> None:
    first = follow(None, row(coin("a"), coin("b")))
    moved = follow(first, row(coin("a"), coin("c")), Touch(("coin-b-0", "c")))
    assert where(moved) == {"coin-a-0": "a", "coin-b-0": "c"}


def test_a_square_left_and_taken_again_does_not_mix_two_coins_up() -> None:
    followed = follow(None, row(coin("a"), coin("b")))
    followed = follow(followed, row(coin("a"), coin("c")), Touch(("coin-b-0", "c")))
    followed = follow(followed, row(coin("b"), coin("c")), Touch(("coin-a-0", "b")))
    assert where(followed) == {"coin-a-0": "b", "coin-b-0": "c"}
    followed = follow(followed, row(coin("a"), coin("b")), Touch(("coin-c-0", "a")))
    assert where(followed) == {"coin-a-0": "b", "coin-b-0": "a"}


def test_of_coins_alike_the_touched_one_goes() -> None:
    bank = row(coin("bank"), coin("bank", level=1), coin("a"))
    placed = follow(follow(None, bank), row(coin("bank"), coin("a"), coin("c")), Touch(("coin-bank-1", "c")))
    assert where(placed) == {"coin-bank-0": "bank", "coin-bank-1": "c", "coin-a-0": "a"}


def test_a_stack_moves_coin_by_coin() -> None:
    stack = row(coin("a"), coin("a", "M", level=1), coin("b"))
    moved = follow(follow(None, stack), row(coin("c"), coin("c", "M", level=1), coin("b")), Touch(("a", "c")))
    assert where(moved) == {"coin-a-0": "c", "coin-a-1": "c", "coin-b-0": "b"}


def test_a_coin_turned_over_as_it_moves_is_the_same_coin() -> None:
    turned = follow(
        follow(None, row(coin("a", side="heads"))), row(coin("bank", side="tails")), Touch(("a",))
    )
    assert where(turned) == {"coin-a-0": "bank"}


def test_a_new_piece_never_gets_an_id_in_use() -> None:
    followed = follow(follow(None, row(coin("a"))), row(coin("b")), Touch(("coin-a-0", "b")))
    followed = follow(followed, row(coin("a", "M"), coin("b")))
    assert where(followed) == {"coin-a-0": "b", "coin-a-0~2": "a"}


def test_touches_are_told_in_the_ids_of_the_table() -> None:
    followed = follow(follow(None, row(coin("a"))), row(coin("b")), Touch(("coin-a-0", "b")))
    assert followed.touch(Touch(("coin-b-0", "c"))) == Touch(("coin-a-0", "c"))


@pytest.mark.parametrize("id", smallchange.games())
def test_through_a_whole_match_pieces_stay_themselves(id: str) -> None:
    game = smallchange.game(id)
    position, followed, touch = game.start(), None, Touch()
    for step in count():
        face = game.layout.scene(game.board, position.s)
        followed = follow(followed, face, touch)
        pieces = followed.scene.pieces
        assert len({piece.id for piece in pieces}) == len(face.pieces)
        assert [piece.id for piece in pieces] == sorted(piece.id for piece in pieces)
        plainly = {(p.spot, p.level, p.kind, p.suit, p.value) for p in face.pieces}
        assert {(p.spot, p.level, p.kind, p.suit, p.value) for p in pieces} == plainly
        choices = list(position)
        if not choices or step == 200:
            break
        token = choices[7 * step % len(choices)]
        touch = game.layout.touch(game.board, position.s, position.action(token))
        position.play(token)
