"""Badges: figures on the board that say why, drawn, said in words, and kept legible on the smallest screen."""

from __future__ import annotations

import re
from random import Random

import pytest

import smallchange
from smallchange import Position
from smallchange.i18n.text import LANGUAGES
from smallchange.render.scene import Badge, Scene
from smallchange.render.spaces import tray
from smallchange.render.svg import board_svg, describe_scene, picture_of

WITH_BADGES = ("coin-age", "coin-collectors", "thrag")
NARROWEST_PX = 296  # of a board in a window 320 px wide
LEAST_PX = 11.0


def scene(position: Position) -> Scene:
    drawn: Scene = position.game.layout.scene(position.game.board, position.s)
    return drawn


def positions(id: str, n: int = 120, seed: int = 3) -> list[Position]:
    """Return positions of random games in which a player has a choice."""
    luck, found = Random(seed), list[Position]()
    while len(found) < n:
        position = smallchange.game(id).start()
        while position.actor is not None and len(found) < n:
            if position.actor == "chance":
                tokens, weights = zip(*position.weights(), strict=True)
                position.play(luck.choices(tokens, weights)[0])
            else:
                found.append(position.copy())
                position.play(luck.choice(position.legal()))
    return found


def signs(badge: Badge) -> list[str]:
    return [mark.sign for mark in badge.marks]


@pytest.mark.parametrize("id", WITH_BADGES)
def test_badges_are_drawn_and_said_in_every_language(id: str) -> None:
    position = next(one for one in positions(id) if scene(one).badges)
    for lang in LANGUAGES:
        drawn, said = picture_of(position, lang), describe_scene(scene(position))[lang]
        marked = [badge for badge in scene(position).badges if badge.marks]
        assert drawn.count('class="badge"') == len(marked)
        for badge in scene(position).badges:
            assert badge.text[lang] in said
            assert badge.marks or badge.text[lang].split()[-1] in drawn


@pytest.mark.parametrize("id", WITH_BADGES)
def test_figures_on_the_board_can_be_read_in_the_narrowest_window(id: str) -> None:
    for position in positions(id, 20):
        board = scene(position).areas[0]
        width = tray(board, framed=True)[0].size[0]
        for badge in scene(position).badges:
            if badge.spot in board.by_id and any(mark.sign for mark in badge.marks):
                assert badge.size * NARROWEST_PX / width >= LEAST_PX


def test_each_beast_says_its_strength_and_what_a_fight_without_a_coin_costs() -> None:
    said = set()
    for position in positions("thrag"):
        s, shown = position.s, {badge.spot: signs(badge) for badge in scene(position).badges}
        assert len(shown) == sum(tile > 0 for tile in s.beast)
        for x, suit in enumerate("SCA"):
            if not s.beast[x]:
                continue
            strength, fight = shown[f"beast-{suit}"]
            assert int(strength) == s.beast[x] + s.die[x]
            after = position.copy()
            if f"fight:{suit}" not in position.legal():
                continue
            after.play(f"fight:{suit}")
            if fight == "✓":
                assert after.s.slain[x] != s.slain[x]
            elif fight.endswith("†"):
                assert after.actor is None
                assert after.s.damage == int(fight[1:-1])
            else:
                assert after.s.slain[x] == s.slain[x]
            said.add(fight[-1])
    assert {"✓", "†"} < said


def test_hit_points_are_told_as_the_coins_that_they_are() -> None:
    (hits,) = [tally for tally in scene(positions("thrag", 1)[0]).tallies if tally.id == "hits"]
    assert hits.sum + hits.figures == "0 + 2 + 4 = 6 / 15"


def test_the_dice_that_open_a_coin_are_those_that_let_it_be_taken() -> None:
    seen = 0
    for position in positions("coin-collectors"):
        shown = {badge.spot for badge in scene(position).badges}
        takes = {token[1:] for token in position.legal() if re.fullmatch("[SMCA][a-e][1-5]", token)}
        if takes:
            assert shown == takes
            seen += 1
        for badge in scene(position).badges:
            (mark,) = badge.marks
            face = position.s.dice["SMCA".index(mark.look)]
            tile = next(p for p in scene(position).pieces if p.spot == badge.spot and p.kind == "tile")
            coin = next(p for p in scene(position).pieces if p.spot == badge.spot and p.kind == "coin")
            assert "na2345"[face] in (tile.value if tile.suit == mark.look else "", coin.value)
    assert seen > 20


def test_a_region_says_how_it_stands_and_whose_it_is() -> None:
    owned = 0
    for position in positions("coin-age", 60):
        shown = scene(position)
        tops = {piece.spot: piece for piece in sorted(shown.pieces, key=lambda piece: piece.level)}
        for badge in shown.badges:
            spots = shown.areas[0].by_id
            if badge.spot not in spots or not badge.marks:
                assert badge.spot not in tops or badge.marks
                continue
            heads, tails = signs(badge)
            inside = [spot.id for spot in spots.values() if spot.region == spots[badge.spot].region]
            up = [tops[spot].side for spot in inside if spot in tops]
            assert [int(heads), int(tails)] == [up.count("heads"), up.count("tails")]
            ringed = [mark.look for mark in badge.marks if mark.ringed]
            leads = up.count("heads") - up.count("tails")
            assert ringed == ([] if not leads else ["gold"] if leads > 0 else ["silver"])
            owned += bool(ringed)
    assert owned


def test_a_coin_that_matches_says_that_it_may_be_placed() -> None:
    for position in positions("coin-age", 60):
        marked = {badge.spot for badge in scene(position).badges if signs(badge) == ["✓"]}
        matching = {piece.spot for piece in scene(position).pieces if piece.state == "match"}
        assert marked == matching


@pytest.mark.parametrize("drawing", ["a a b b", "x x y y"])
def test_the_regions_of_a_drawing_have_names_too(drawing: str) -> None:
    shown = scene(smallchange.game("coin-age", map=drawing).start())
    names = [badge.text.en for badge in shown.badges if not badge.marks]
    assert names == (["Amber Hills", "Birch Wood"] if "a" in drawing else ["region x", "region y"])
    assert len({spot.text[lang] for lang in LANGUAGES for spot in shown.areas[0].spots}) > 4


def test_the_sides_of_a_game_without_dice_have_two_metals_and_arrows_that_no_coin_covers() -> None:
    position = smallchange.game("dodgem").start()
    drawn = board_svg(scene(position).areas[0], scene(position))
    assert drawn.count('href="#gold"') == drawn.count('href="#silver"') == 5
    assert drawn.count('class="chev"') == 10 + 12
