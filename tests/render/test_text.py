"""The table in plain letters."""

import re

import smallchange
from smallchange.i18n.text import plain
from smallchange.render.scene import Area, Piece, Scene, Spot, Tally
from smallchange.render.text_screen import WIDTH, screen, wide


def spot(id: str, x: int, y: int, look: str = "cell", region: str = "") -> Spot:
    return Spot(id, x, y, plain(id), look, region=region)


def piece(spot: str, kind: str, **more: object) -> Piece:
    return Piece(f"{kind}-{spot}-{more}", spot, kind, plain(kind), **more)  # type: ignore[arg-type]


def board(*spots: Spot) -> Area:
    return Area("board", plain("The board"), spots)


def test_rows_and_columns_are_named_at_the_margins() -> None:
    area = board(spot("a1", 0, 100), spot("b1", 100, 100), spot("a2", 0, 0), spot("b2", 100, 0, "hole"))
    table = Scene((area,), (piece("a1", "coin", suit="S"), piece("b1", "coin", value="3")))
    assert screen(table, "en").splitlines() == [" 2  .   @", " 1  (S) (3)", "    a   b"]


def test_a_marked_square_has_a_star_until_something_lies_there() -> None:
    marked = Spot("a1", 0, 0, plain("a1"), "cell", ornament="M-9-9H9V9Z")
    assert screen(Scene((board(marked),), ()), "en").splitlines()[0] == " 1  *"
    assert (
        screen(Scene((board(marked),), (piece("a1", "coin", suit="S"),)), "en").splitlines()[0] == " 1  (S)"
    )


def test_what_is_on_top_is_said_last_and_pieces_alike_are_counted() -> None:
    coins = [Piece(f"coin-{i}", "a1", "coin", plain("coin"), suit="S", level=i + 1) for i in range(3)]
    pawns = [
        Piece("pawn-m", "a1", "pawn", plain("pawn"), suit="M", level=4),
        Piece("pawn-s", "a1", "pawn", plain("pawn"), suit="S", level=4),
    ]
    table = Scene((board(spot("a1", 0, 0)),), (*coins, *pawns, piece("a1", "tile", suit="S", value="4")))
    assert "S4(S)x3MS!" in screen(table, "en")


def test_used_up_pieces_lose_their_brackets() -> None:
    tray = Area("tray", plain("Tray"), (spot("t1", 0, 0, "slot"), spot("t2", 100, 0, "slot")))
    used = piece("t1", "coin", value="3", state="spent")
    gone = piece("t2", "pawn", suit="S", state="retired")
    assert "Tray: .3. S-" in screen(Scene((board(spot("a1", 0, 0)), tray), (used, gone)), "en")


def test_hexes_are_shifted_by_half_a_cell_and_say_their_own_names() -> None:
    area = board(spot("a2", 43, 0, "hex", "m"), spot("a1", 0, 75, "hex", "m"), spot("b1", 87, 75, "hex", "p"))
    table = Scene((area,), (piece("a2", "change", side="heads", value="2"),))
    lines = screen(table, "en").splitlines()
    assert [line.strip() for line in lines if line] == ["a2 m", "H2", "a1 m    b1 p", ".       ."]
    assert lines[0].index("a2") == 4  # half of a cell of eight


def test_colour_adds_nothing_but_colour() -> None:
    table = Scene((board(spot("a1", 0, 0)),), (piece("a1", "coin", suit="S"),))
    plainly, coloured = screen(table, "en"), screen(table, "en", colour=True)
    assert coloured != plainly
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plainly


def test_no_line_is_wider_than_a_terminal() -> None:
    for id in smallchange.games():
        position = smallchange.game(id).start()
        for step in range(60):
            table = position.game.layout.scene(position.game.board, position.s)
            for lang in ("en", "ja"):
                for line in screen(table, lang).splitlines():
                    assert wide(line) <= WIDTH, (id, step, line)
            choices = list(position)
            if not choices:
                break
            position.play(choices[step % len(choices)])


def test_tallies_say_how_far_and_of_how_much() -> None:
    tallies = (Tally("coins", plain("Coins"), 11, 24), Tally("hour", plain("Hour"), 3))
    assert screen(Scene((board(spot("a1", 0, 0)),), (), tallies), "en").endswith("Coins: 11/24   Hour: 3")
