"""A strict reader of the Portable Piecepack Notation that we write: each piece, move and place it can contain.

It shares nothing with the writer. Anything unknown is an error.
"""

from __future__ import annotations

import re
from typing import NamedTuple

PLACE = r"[a-z]\d+|\(-?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?\)"
SPEC = r"t|t[SMCA][na2345]|c[SMCA]?[na2345]?|d[SMCA][na2345]|p[SMCA]"
PIECE = rf"({PLACE})(?:\[(\d+)\])?"
PUT = re.compile(rf"({SPEC})@({PLACE})")
MOVE = re.compile(rf"{PIECE}-({PLACE})")
TAKE = re.compile(rf"\*{PIECE}")
TURN = re.compile(rf"{PIECE}=({SPEC})")
LINE = re.compile(r"(Setup|\d+)\.((?: [^ {}]+)*)(?: \{ ([^{}]+) \})?")


class Reading(NamedTuple):
    """The contents of a file: its metadata as lines, and the piles after each move, by place, bottom first."""

    metadata: list[str]
    piles: list[dict[str, list[str]]]
    comments: list[str]


def read(text: str) -> Reading:
    lines = text.split("\n")
    assert lines[0] == "---"
    assert lines[-1] == ""
    end = lines.index("...")
    piles: dict[str, list[str]] = {}
    reading = Reading(lines[1:end], [], [])
    for number, line in enumerate(lines[end + 1 : -1]):
        matched = LINE.fullmatch(line)
        assert matched, line
        assert matched[1] == ("Setup" if number == 0 else str(number))
        for move in matched[2].split():
            make(move, piles)
        reading.piles.append({place: list(pile) for place, pile in piles.items() if pile})
        reading.comments.append(matched[3] or "")
    return reading


def make(move: str, piles: dict[str, list[str]]) -> None:
    """Make one move; an IndexError or KeyError means that there is no such piece."""
    if put := PUT.fullmatch(move):
        piles.setdefault(put[2], []).append(put[1])
    elif take := TAKE.fullmatch(move):
        piles[take[1]].pop(-int(take[2] or 1))
    elif turn := TURN.fullmatch(move):
        piles[turn[1]][-int(turn[2] or 1)] = turn[3]
    elif moved := MOVE.fullmatch(move):
        piles.setdefault(moved[3], []).append(piles[moved[1]].pop(-int(moved[2] or 1)))
    else:
        raise AssertionError(f"no move: {move}")
