"""Turns of Solo, told in short."""

from .positions import after, position_with_tiles, scene, stands


def test_why_a_pawn_is_retired_is_told_in_every_way() -> None:
    four = "c1=S2 a2=M1 a3=C1 a4=A1"
    ways = (
        (position_with_tiles(free_moves=0), "S=a", "b1 has no coin, so the suns", "b1にコインがなく、太陽の"),
        (
            after(position_with_tiles(free_moves=0), "S=n"),
            "@b1",
            "b1 has no coin, so the suns",
            "b1にコインがなく、太陽の",
        ),
        (scene(four, "c1"), "flip:n", "the null retires the suns", "ヌルなので太陽の"),
        (scene("c2=S1 a2=M1", "c2"), "flip:5", "no tile can be reached, so the", "行けるタイルがなく、"),
        (after(scene("b2=M1 e2=M1", "b2"), "flip:5"), "to:e4", "e4 has no coin, so", "e4にコインがなく、"),
        (
            after(scene(four, "c1", "C"), "flip:n", "rescue:?"),
            "S=a",
            "b1 has no coin, so",
            "b1にコインがなく、",
        ),
        (after(scene(four, "c1", "C"), "flip:n"), "retire", "No rescue; the suns", "救出しない。太陽の"),
        (scene("c1=S1 a4=A1", "c1"), "flip:n", "no moons tile has a coin, so", "月のタイルにコインがなく、"),
    )
    for position, token, en, ja in ways:
        said = position.describe(token)
        assert en in said.en
        assert ja in said["ja"]
        assert stands(after(position, token))[0] != "S"


def test_a_turn_is_told_in_short() -> None:
    first = position_with_tiles(free_moves=1)
    assert (first.describe("done").en, first.summarize(["done"])[0].en) == (
        "End the free moves",
        "The free moves are over",
    )
    assert [said.en for said in first.summarize(["done", "S=a", "flip:3"])] == [
        "The free moves are over",
        "The suns die shows ace; b1 has no coin, so the suns pawn is retired",
        "The moons coin on e2 shows 3",
    ]
