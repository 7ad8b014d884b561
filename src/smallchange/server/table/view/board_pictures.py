"""Pictures of a game's board without ids, for cards and invitations. Several may be on one page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import product
from random import Random

from smallchange import bots as mind
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.core.options import Value
from smallchange.render.scene import Area, Scene, Spot
from smallchange.render.spaces import Box, box
from smallchange.render.svg import board_svg

Spots = tuple[Spot, ...]

PICTURE_DECISIONS = 14  # decisions after which a game's picture is taken
CLOSE_UP_UNITS = (330, 155)  # units of a board that an invitation shows
EDGE_UNITS = 14  # units of felt around a board, and units that a frame of another shape may cut


@cache
def whole_board(id: str, lang: str) -> str:
    """Draw the whole board some moves into a game, for a card, without ids and coordinates."""
    return scene_picture(_sample_scene(id), lang)


@cache
def opening_board(id: str, options: tuple[tuple[str, Value], ...], lang: str) -> str:
    """Draw the whole board as a match with these options may begin."""
    match = Match(Game(id, dict(options)), bytes(16))
    match.settle()
    return scene_picture(match.game.layout.scene(match.game.board, match.position.s), lang)


def scene_picture(table: Scene, lang: str) -> str:
    """Draw the whole board of a scene, without ids, coordinates and badges, which are too small to be read."""
    drawn = _without_names(board_svg(table.areas[0], replace(table, badges=()), lang))
    return drawn.replace('role="group"', 'aria-hidden="true"', 1)


@cache
def close_up(id: str, size: tuple[int, int], lang: str) -> str:
    """Draw the middle of the board some moves into a game."""
    return art(_sample_scene(id), size, lang)


@cache
def _sample_scene(id: str) -> Scene:
    """Return the scene some moves into a game of the simple bot."""
    game = Game(id)
    match = Match(game, bytes(15) + b"\x05")
    match.settle()
    player = mind.bot("greedy", luck=Random(5))
    for _ in range(PICTURE_DECISIONS):
        if not match.over:
            match.play(player(match.position))
            match.settle()
    scene: Scene = game.layout.scene(game.board, match.position.s)
    return scene


def art(table: Scene, size: tuple[int, int], lang: str) -> str:
    """Draw the part of the board with the most pieces, to fill a frame of about this shape.

    It has no ids, because there may be several on a page, and no coordinates.
    """
    board = table.areas[0]
    frame = max(_windows(board.spots, size), key=partial(_frame_score, table))
    part = tuple(spot for spot in board.spots if _overlaps(spot, frame))
    kept = {spot.id for spot in part}
    near = Scene((Area(board.id, board.text, part),), tuple(p for p in table.pieces if p.spot in kept))
    spaces = '<g class="spaces">'  # without the tray and its rim
    inside = spaces + board_svg(near.areas[0], near, lang).partition(spaces)[2]
    inside = _without_names(inside)
    view = f"{frame.left} {frame.top} {frame.size[0]} {frame.size[1]}"
    return f'<svg viewBox="{view}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">{inside}'


def _without_names(drawn: str) -> str:
    """Return a drawing without ids, because a page may have several, and without words."""
    return re.sub(r' id="[^"]*"| role="img" aria-label="[^"]*"|<text.*?</text>', "", drawn)


def _windows(spots: Spots, size: tuple[int, int]) -> Iterator[Box]:
    """Yield frames of this size, none larger than the board, around each square and between two."""
    edges = box(spots).expand(EDGE_UNITS)
    width, height = min(size[0], edges.size[0]), min(size[1], edges.size[1])
    for spot, beside in product(spots, (0, 50)):
        left = min(max(spot.x + 50 + beside - width // 2, edges.left), edges.right - width)
        top = min(max(spot.y + 50 - height // 2, edges.top), edges.bottom - height)
        yield Box(left, top, left + width, top + height)


def _frame_score(table: Scene, frame: Box) -> tuple[int, int]:
    """Return the score of a frame, and the number of spots wholly inside it.

    A spot with pieces counts once in the frame, three times wholly inside it.
    """
    spots = table.areas[0].spots
    part = {spot.id for spot in spots if _overlaps(spot, frame)}
    whole = {spot.id for spot in spots if box((spot,)).within(frame.expand(-EDGE_UNITS))}
    lain = {piece.spot for piece in table.pieces if piece.kind not in ("tile", "back")}
    return 2 * len(whole & lain) + len(part & lain), len(whole)


def _overlaps(spot: Spot, frame: Box) -> bool:
    left, top, right, bottom = box((spot,))
    return left < frame.right and right > frame.left and top < frame.bottom and bottom > frame.top
