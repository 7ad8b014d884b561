"""Moving pictures: the SVG stands alone and can stand still, the GIF has a picture for each step."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest

import smallchange
from smallchange import Match
from smallchange.core.match_pictures import animated_gif, animated_svg, frames
from smallchange.render.animation import still_svg

SVG = "{http://www.w3.org/2000/svg}"
GAMES = smallchange.games()


def short_match(id: str, steps: int = 6) -> Match:
    match = Match(smallchange.game(id), bytes(range(16)))
    match.settle()
    for _ in range(steps):
        if match.over:
            break
        match.play(match.position.legal()[0])
        match.settle()
    return match


def groups(svg: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(svg).findall(f"{SVG}g")


@pytest.mark.parametrize("id", GAMES)
def test_an_animation_needs_no_script_and_nothing_from_elsewhere(id: str) -> None:
    svg = animated_svg(short_match(id))
    assert "<script" not in svg
    assert not re.search(r'\bon\w+="', svg)
    assert set(re.findall(r'(?:href|src)="([^"#]*)', svg)) <= {""}
    assert "@import" not in svg
    assert "url(http" not in svg
    named = set(re.findall(r"@keyframes ([\w-]+)", svg))
    assert named == set(re.findall(r"animation:([\w-]+) ", svg)) - {"none"}


@pytest.mark.parametrize("id", GAMES)
def test_without_motion_it_shows_what_lies_there_at_the_end(id: str) -> None:
    match = short_match(id)
    shown = frames(match)
    svg = animated_svg(match)
    assert "@media (prefers-reduced-motion:reduce){svg *{animation:none!important}}" in svg
    seen = [g for g in groups(svg) if g.get("opacity") != "0"]
    last = groups(still_svg(shown, len(shown) - 1, ""))

    def place_and_picture(group: ElementTree.Element) -> tuple[str | None, bytes]:
        inner = b"".join(ElementTree.tostring(child) for child in group)
        return group.get("transform"), inner

    assert [place_and_picture(group) for group in seen] == [place_and_picture(group) for group in last]


def test_two_animations_on_one_page_share_no_names() -> None:
    one, other = (animated_svg(short_match(GAMES[0], steps)) for steps in (3, 6))
    assert not set(re.findall(r"@keyframes ([\w-]+)", one)) & set(re.findall(r"@keyframes ([\w-]+)", other))


def test_a_part_of_a_match_begins_and_ends_where_it_is_told() -> None:
    match = short_match(GAMES[0])
    game = match.game
    shown = frames(match, 2, 4)
    assert len(shown) == 3
    assert shown[0].scene == game.layout.scene(game.board, match.until(2).position.s)
    assert shown[-1].scene == game.layout.scene(game.board, match.until(4).position.s)
    for first, last in ((4, 2), (0, len(match) + 1), (-1, 2)):
        with pytest.raises(ValueError, match=f"not {first} to {last}"):
            frames(match, first, last)


@pytest.mark.slow
def test_a_gif_has_a_picture_for_each_step_and_goes_on_for_ever() -> None:
    image = pytest.importorskip("PIL.Image")
    match = short_match(GAMES[0])
    gif = image.open(BytesIO(animated_gif(match, len(match) - 3, len(match))))
    assert gif.format == "GIF"
    assert gif.n_frames == 4
    assert gif.info["loop"] == 0
