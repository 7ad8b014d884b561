"""The outcomes of pawns, tiles, die and coins in Solo, and where they lead."""

import pytest

from smallchange import Position
from smallchange import game as a_game

from .positions import after, position_with_tiles, scene, stands

NAMES = ("suns", "moons", "crowns", "arms")
SQUARES = [f"{column}{row}" for row in (1, 2, 3, 4) for column in "abcde"]  # as `position_with_tiles` does


def even(position: Position) -> int:
    """Return the number of possible outcomes, all equally likely."""
    assert {weight for _, weight in position.weights()} == {1}
    return len(position.weights())


def test_pawns_tiles_and_faces_are_equally_likely_and_come_from_their_own_object() -> None:
    position = a_game("solo", free_moves=0).start()
    drawn = {"pawn order": [4, 3, 2, 1], "tile stack": range(20, 0, -1), "random die": [24]}
    for source, counts in drawn.items():
        for n in counts:
            assert (position.source, even(position)) == (source, n)
            position.play(position.weights()[-1][0])
    position = after(scene("a1=S2 c1=S1", "a1"), "flip:2")
    assert even(after(position, "to:c1")) == 5


@pytest.mark.parametrize("square", SQUARES)
def test_a_face_of_the_die_leads_to_its_tile_and_a_null_to_any(square: str) -> None:
    tile = "SMCA"[int(square[1]) - 1] + "=" + "5a423"["abcde".index(square[0])]
    for tokens in ([tile], ["C=n", f"@{square}"]):
        position = after(position_with_tiles(free_moves=0), *tokens)
        # on an ace or a two lies no coin: moons enter on the three, the closest
        pawn, at = ("M", "e2") if square[0] in "bd" else ("S", square)
        assert stands(position) == (pawn, at)
        assert (position.source, even(position)) == (f"{NAMES[int(at[1]) - 1]} coins", 6)


def test_no_pawn_stands_anywhere_until_one_has_entered() -> None:
    position = position_with_tiles(free_moves=1)
    pieces = position.game.layout.scene(position.game.board, position.s).pieces
    assert not [piece.spot for piece in pieces if piece.id.startswith("pawn") and piece.spot in SQUARES]
    assert stands(after(position, "done", "S=5")) == ("S", "a1")


def test_the_last_square_is_like_the_others() -> None:
    position = position_with_tiles("4a325", free_moves=2)
    assert stands(after(position, "e4>d4", "done", "A=2")) == ("S", "d4")
    assert stands(after(scene("a1=S1 e4=C1", "a1"), "flip:n")) == ("A", "e4")


@pytest.mark.parametrize("suit", range(3))
def test_so_13_the_closest_number_may_be_the_farthest_there_is(suit: int) -> None:
    """ "Entering on a tile of the same number or the closest is compulsory." """
    for at, enters in (("b1", f"a{suit + 2}"), ("a1", f"b{suit + 2}")):  # from an ace to a five, and back
        assert stands(after(scene(f"{at}=S1 {enters}=A1", at), "flip:n")) == ("MCA"[suit], enters)


def test_a_free_move_carries_one_coin_of_its_suit() -> None:
    position = position_with_tiles(free_moves=3)
    before = [position.s.suit[i].bit_count() for i in range(4)]
    after(position, "a4>b4")
    assert [mask.bit_count() for mask in position.s.coins] == [13, 8, 3]
    assert [position.s.suit[i].bit_count() for i in range(4)] == [*before[:3], before[3] + 1]
    assert stands(after(position, "done", "A=a")) == ("S", "b4")


def test_a_tile_whose_last_coin_was_flipped_has_no_suit_left() -> None:
    position = after(scene("a1=S2 c1=S1", "a1"), "flip:2", "to:c1", "flip:n")
    assert [position.s.suit[0] >> SQUARES.index(square) & 1 for square in ("a1", "c1")] == [1, 0]


def test_so_10_aces_are_held_in_the_order_they_were_flipped() -> None:
    """ "The oldest ace is spent." """
    position = after(scene("a1=A1 a2=C1 a3=M2", "a1"), "flip:a", "to:a2", "flip:a", "to:a3")
    assert position.s.aces == [3, 2, -1, -1]
