"""The emblems of the beasts: a horned head of suns, a wolf of crowns, a bat of arms, with an eye for each point."""

from functools import cache

HEADS = (
    "M-22-10C-34-13-37-26-31-37C-28-28-20-24-12-24C-5-27 5-27 12-24C20-24 28-28 31-37C37-26 34-13 22-10"
    "C23 8 14 20 9 29C5 34-5 34-9 29C-14 20-23 8-22-10Z",
    "M-26-37L-9-22C-4-24 4-24 9-22L26-37C29-20 28-6 23 5L11 18L5 32C3 35-3 35-5 32L-11 18L-23 5C-28-6-29-20-26-37Z",
    "M0-15C4-18 7-23 9-31L14-19C24-27 36-25 45-13C37-11 35-3 35 6C27 1 21 5 17 12C12 18 6 24 0 31"
    "C-6 24-12 18-17 12C-21 5-27 1-35 6C-35-3-37-11-45-13C-36-25-24-27-14-19L-9-31C-7-23-4-18 0-15Z",
)
EYES = (  # their middles, by value
    (),
    ((0, -6),),
    ((-9, -7), (9, -7)),
    ((-10, -9), (10, -9), (0, 2)),
    ((-10, -10), (10, -10), (-6, 3), (6, 3)),
    ((-12, -9), (12, -9), (0, -9), (-6, 3), (6, 3)),
)


@cache
def emblem(x: int, value: int) -> str:
    """Return the emblem of a beast as the data of an SVG path, whose eyes are holes by the rule of even and odd."""
    holes = "".join(f"M{across - 4} {down}a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z" for across, down in EYES[value])
    return HEADS[x] + holes
