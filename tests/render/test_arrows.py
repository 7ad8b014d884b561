"""Moves drawn over a board: from where to where, and each in its look."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import smallchange
from smallchange.core.match import first_choice
from smallchange.render.arrows import BETTER, PLAYED, draw_by_hand, draw_moves, is_touched
from smallchange.render.scene import Touch
from smallchange.render.svg import board_svg


@pytest.mark.parametrize("id", smallchange.games())
def test_a_move_is_drawn_wherever_it_touches_something(id: str) -> None:
    position = first_choice(smallchange.game(id))
    game, scene = position.game, position.game.layout.scene(position.game.board, position.s)
    for token in position.legal():
        touch = game.layout.touch(game.board, position.s, game.actions[token])
        drawn = [draw_moves(area, scene, {PLAYED: touch}) for area in scene.areas]
        assert [bool(one) for one in drawn] == [is_touched(area, scene, [touch]) for area in scene.areas]
        assert any(drawn) == any(touch), token
        ElementTree.fromstring(board_svg(scene.areas[0], scene, over=drawn[0]))


def test_an_arrow_leads_from_the_piece_to_the_place_it_goes_to() -> None:
    position = smallchange.game("dodgem").start()
    scene = position.game.layout.scene(position.game.board, position.s)
    board = scene.areas[0]
    piece = next(piece for piece in scene.pieces if piece.spot in board.by_id)
    start = board.by_id[piece.spot]
    goal = next(spot for spot in board.spots if (spot.x, spot.y) == (start.x, start.y - 100))
    drawn = draw_moves(board, scene, {BETTER: Touch((piece.id, goal.id))})
    turn = re.search(r"translate\(([-.\d]+) ([-.\d]+)\) rotate\(([-.\d]+)\)", drawn)
    assert turn
    x, y, degrees = map(float, turn.groups())
    assert degrees == -90
    assert abs(x - start.x - 50) < 25
    assert abs(y - start.y - 50) < 25


def test_what_is_drawn_by_hand_is_a_ring_an_arrow_or_nothing() -> None:
    position = smallchange.game("dodgem").start()
    scene = position.game.layout.scene(position.game.board, position.s)
    ring, arrow = (draw_by_hand(scene.areas[0], scene, [ids]) for ids in ("b2", "b2 b3"))
    assert "rotate" not in ring
    assert "rotate" in arrow
    assert draw_by_hand(scene.areas[0], scene, ["b2", "b2 b3"]) == ring + arrow
    for nothing in ("", "x9", "x9 y9", "</svg> <script>"):
        assert not draw_by_hand(scene.areas[0], scene, [nothing])


def test_the_two_moves_differ_by_more_than_colour() -> None:
    position = smallchange.game("dodgem").start()
    scene = position.game.layout.scene(position.game.board, position.s)
    touch = Touch((scene.pieces[0].id,))
    played, better = (draw_moves(scene.areas[0], scene, {look: touch}) for look in (PLAYED, BETTER))
    assert "stroke-dasharray" in better
    assert "stroke-dasharray" not in played
