"""Scenes and touches are right in every state of seeded matches."""

import re
from functools import lru_cache

from smallchange import Game, Position
from smallchange.contract.phrases import is_complete
from smallchange.i18n.text import Text
from smallchange.render.scene import Scene, Touch

from .variants import every_variant, walks

KINDS = {"tile", "back", "coin", "change", "die", "pawn"}
SIDE_BY_SIDE = {"pawn", "die"}  # several on one spot do not stand on one another
LOOKS = {"felt", "cell", "hex", "hole", "black-hole", "exit", "slot"}


@lru_cache(1)
def tables(game: Game) -> list[tuple[Position, Scene]]:
    return [(position, game.layout.scene(game.board, position.s)) for position in walks(game)]


def ids(table: Scene) -> set[str]:
    """Return the ids that can be touched."""
    return {spot.id for area in table.areas for spot in area.spots} | {piece.id for piece in table.pieces}


@every_variant
def test_ids_are_unique_and_plain(game: Game) -> None:
    for position, table in tables(game):
        spots = [spot.id for area in table.areas for spot in area.spots]
        pieces = [piece.id for piece in table.pieces]
        for named in (spots + pieces, [area.id for area in table.areas], [t.id for t in table.tallies]):
            assert len(set(named)) == len(named), (position, named)
            assert all(re.fullmatch(r"[!-~]+", id) for id in named), (position, named)


@every_variant
def test_the_board_comes_first_and_pieces_are_sorted_by_id(game: Game) -> None:
    for position, table in tables(game):
        assert table.areas[0].id == "board"
        assert list(table.pieces) == sorted(table.pieces, key=lambda piece: piece.id), position


@every_variant
def test_every_piece_stands_on_a_spot_that_exists(game: Game) -> None:
    for position, table in tables(game):
        spots = {spot.id for area in table.areas for spot in area.spots}
        assert {piece.spot for piece in table.pieces} <= spots, position
        stacked = [(p.spot, p.kind, p.level) for p in table.pieces if p.kind not in SIDE_BY_SIDE]
        assert len(set(stacked)) == len(stacked), position


@every_variant
def test_spots_and_pieces_are_of_kinds_that_can_be_drawn(game: Game) -> None:
    for position, table in tables(game):
        assert {spot.look for area in table.areas for spot in area.spots} <= LOOKS, position
        assert {piece.kind for piece in table.pieces} <= KINDS, position
        for piece in table.pieces:
            assert piece.suit in ("", *"SMCA"), piece
            assert piece.value in ("", *"na12345"), piece
            assert piece.level >= 0, piece
        for area in table.areas:
            places = [(spot.x, spot.y) for spot in area.spots]
            assert len(set(places)) == len(places), (position, area.id)


@every_variant
def test_a_badge_lies_on_a_spot_and_has_words_and_marks(game: Game) -> None:
    for position, table in tables(game):
        for badge in table.badges:
            assert badge.spot in ids(table), position
            assert badge.text.en, position
            assert badge.marks or badge.spot not in {piece.spot for piece in table.pieces}, position


@every_variant
def test_everything_on_the_table_has_words(game: Game) -> None:
    said: set[Text] = set()
    for position, table in tables(game):
        said |= {piece.text for piece in table.pieces}
        said |= {spot.text for area in table.areas for spot in area.spots}
        said |= {*(area.text for area in table.areas), *(tally.text for tally in table.tallies)}
        assert all(t.number >= 0 and (not t.most or t.number <= t.most) for t in table.tallies), position
    assert not [text for text in said if not is_complete(text)]


@every_variant
def test_a_touch_names_things_on_the_table_and_one_action_at_most(game: Game) -> None:
    for position, table in tables(game):
        there = ids(table)
        touches = {a: game.layout.touch(game.board, position.s, a) for a in position.legal_actions()}
        for a, touch in touches.items():
            assert {*touch.path, *touch.marks} <= there, (position, game.tokens[a], touch)
            assert not (touch.path and touch.marks), (position, game.tokens[a], touch)
            assert len(set(touch.marks)) == len(touch.marks), (position, game.tokens[a], touch)
        told = [meaning(touch) for touch in touches.values() if touch != Touch()]
        assert len(set(told)) == len(told), (position, touches)


@every_variant
def test_a_preview_names_spots_on_the_table(game: Game) -> None:
    if hasattr(game.layout, "preview"):
        for position, table in tables(game):
            spots = {spot.id for area in table.areas for spot in area.spots}
            assert {*game.layout.preview(game.board, position.s)} <= spots, position


def meaning(touch: Touch) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the meaning of a touch: a path has an order, marks have none."""
    return touch.path, frozenset(touch.marks)


@every_variant
def test_a_chance_outcome_shows_on_something_on_the_table(game: Game) -> None:
    for position, table in tables(game):
        for a in position.outcome_actions()[0]:
            touch = game.layout.touch(game.board, position.s, a)
            assert {*touch.path, *touch.marks} <= ids(table), (position, game.tokens[a], touch)
