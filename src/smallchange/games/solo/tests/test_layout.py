"""Solo on the table: where things lie, and on what chance shows."""

from smallchange import Position

from .positions import after, position_with_tiles, scene


def test_the_table_shows_the_pawn_on_its_stack_and_what_was_found() -> None:
    position = after(scene("a1=S3 b1=S1", "a1"), "flip:a")
    table = position.game.layout.scene(position.game.board, position.s)
    pieces = {piece.id: piece for piece in table.pieces}
    assert (pieces["pawn-S"].spot, pieces["pawn-S"].level) == ("a1", 3)
    assert (pieces["coin-Sa"].spot, pieces["coin-Sa"].value, pieces["coin-Sa"].suit) == ("found-1a", "a", "")
    assert pieces["coin-a1-2"].text.en == "suns coin, number side down"
    assert [tally.number for tally in table.tallies] == [3, 1, 0]


def test_a_flip_shows_on_the_coin_that_was_found_and_the_die_on_the_tile_that_it_names() -> None:
    assert shows(scene("a1=S3 b1=S1", "a1"), "flip:4") == "coin-S4"
    assert shows(position_with_tiles(free_moves=0), "S=a") == "tile-Sa"


def shows(position: Position, token: str) -> str:
    """Return the piece on which chance shows, once it has answered with this token."""
    game, s = position.game, position.s
    (touched,) = game.layout.touch(game.board, s, game.actions[token]).path
    position.play(token)
    found: list[str] = [p.id for p in game.layout.scene(game.board, s).pieces if touched in (p.id, p.spot)]
    return found[-1]
