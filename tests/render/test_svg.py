"""Boards and pictures as SVG."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache

import pytest

import smallchange
from smallchange.i18n.text import LANGUAGES, plain
from smallchange.render.area_markup import draw_area, news, piles
from smallchange.render.markup_diff import whole
from smallchange.render.scene import Area, Piece, Scene, Spot, Tally
from smallchange.render.shapes import SHAPES, defs
from smallchange.render.svg import NO_MARKS, Link, Marks, alone, board_svg, picture, picture_of, under
from smallchange.render.theme import stylesheet

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "\"><script>alert('&')</script>"


@cache
def tables() -> list[Scene]:
    """Yield tables of every game from its first steps to its last."""
    found = []
    for id in smallchange.games():
        position = smallchange.game(id).start()
        for step in range(150):
            choices = list(position)
            if step % 25 == 0 or not choices:
                found.append(position.game.layout.scene(position.game.board, position.s))
            if not choices:
                break
            position.play(choices[7 * step % len(choices)])
    return found


def drawings() -> Iterator[str]:
    """Yield every area of every table, with all of it marked, and every picture."""
    for table in tables():
        ids = [piece.id for piece in table.pieces] + [spot.id for a in table.areas for spot in a.spots]
        links = {id: Link("/go?a=1&b=2", f"to {id}", id) for id in ids}
        for area in table.areas:
            yield board_svg(area, table, "en")
            yield draw_area_news(area, table, ids, ids, Marks(links, ids[:3]))
        yield picture(table, "A title", "ja")


def draw_area_news(
    area: Area, table: Scene, last: Collection[str], rolled: Collection[str], marks: Marks = NO_MARKS
) -> str:
    """Return one area with its news."""
    on = piles(table)
    return whole(
        under(area, table, "en", draw_area(area, on, "en", marks), news(area, table, on, last, rolled))
    )


def square(x: int = 0, y: int = 0, **pieces: str) -> Scene:
    """Return a board of two squares, the second somewhere, with coins of these ids on these spots."""
    spots = (Spot("a1", 0, 0, plain("a1"), "cell"), Spot("b1", 100 + x, y, plain("b1"), "cell"))
    laid = tuple(Piece(id, spot, "coin", plain("coin"), suit="S") for id, spot in sorted(pieces.items()))
    return Scene((Area("board", plain("The board"), spots),), laid)


def test_everything_drawn_is_well_formed() -> None:
    for drawing in drawings():
        ET.fromstring(drawing)


def test_nothing_drawn_has_style_or_script() -> None:
    for drawing in drawings():
        for element in ET.fromstring(drawing).iter():
            assert element.tag.removeprefix(SVG) not in ("style", "script", "foreignObject", "image")
            assert not [name for name in element.attrib if name == "style" or name.startswith("on")]


def test_ids_are_unique_on_a_page() -> None:
    for table in tables():
        links = {spot.id: Link("#", "here") for area in table.areas for spot in area.spots}
        page = defs() + "".join(board_svg(area, table, "en", Marks(links)) for area in table.areas)
        ids = re.findall(r' id="([^"]*)"', page)
        assert len(set(ids)) == len(ids)


def test_the_same_table_is_drawn_in_the_same_bytes() -> None:
    assert list(drawings()) == list(drawings())


def test_a_picture_stands_alone_and_says_the_position() -> None:
    for table in tables():
        for lang in LANGUAGES:
            drawn = ET.fromstring(picture(table, "A title", lang))
            assert drawn.findtext(f"{SVG}title") == "A title"
            said = drawn.findtext(f"{SVG}desc") or ""
            assert all(area.text[lang] in said for area in table.areas)
            ids = {element.get("id") for element in drawn.iter()}
            used = [e.get("href", "#")[1:] for e in drawn.iter(f"{SVG}use")]
            assert used
            assert set(used) <= ids


def test_a_page_has_every_shape_that_a_board_refers_to() -> None:
    for drawing in drawings():
        assert set(re.findall(r'href="#([\w-]+)"', drawing)) <= SHAPES.keys()


def test_hostile_words_stay_words() -> None:
    spot = Spot('"a&<1', 0, 0, plain(HOSTILE), "hex", region="<")
    laid = Piece("\"'><b>", spot.id, "coin", plain(HOSTILE))
    above = Piece(
        "above", spot.id, "pawn", plain("a pawn"), suit="S"
    )  # what lies below has a name of its own
    bad = Scene((Area("board", plain(HOSTILE), (spot,)),), (laid, above), (Tally("t", plain(HOSTILE), 1),))
    links = {spot.id: Link(HOSTILE, HOSTILE, HOSTILE), laid.id: Link(HOSTILE, HOSTILE, HOSTILE)}
    for drawing in (board_svg(bad.areas[0], bad, "en", Marks(links)), picture(bad, HOSTILE)):
        assert "<script" not in drawing
        assert HOSTILE in [*ET.fromstring(drawing).itertext(), *ET.fromstring(drawing).attrib.values()]


def test_what_can_be_touched_is_a_link_with_words_as_large_as_its_square() -> None:
    table = square(coin="a1")
    marks = Marks({"coin": Link("/pick", "Pick the coin"), "b1": Link("/move", "Move it to b1", "a1-b1")})
    drawn = ET.fromstring(board_svg(table.areas[0], table, "en", marks))
    links = {a.get("aria-label"): a for a in drawn.iter("a") if a.get("href")}
    assert {label: a.get("href") for label, a in links.items()} == {
        "Pick the coin": "/pick",
        "Move it to b1": "/move",
    }
    assert links["Move it to b1"].get("data-token") == "a1-b1"
    for a in links.values():
        hit = a.find("rect[@class='hit']")
        assert hit is not None
        assert hit.get("width") == hit.get("height") == "100"


@pytest.mark.parametrize(("pawns", "size"), [(1, (100, 100)), (2, (50, 100)), (3, (50, 50)), (4, (50, 50))])
def test_pawns_in_one_square_share_it_and_no_ring_is_on_the_next_one(
    pawns: int, size: tuple[int, int]
) -> None:
    table = square()
    laid = tuple(Piece(f"p{i}", "a1", "pawn", plain("pawn"), suit="S") for i in range(pawns))
    marks = Marks({piece.id: Link("/pick", "Pick it") for piece in laid})
    drawn = ET.fromstring(board_svg(table.areas[0], Scene(table.areas, laid), "en", marks))
    parts = set()
    for a in drawn.findall(".//*[@class='pieces']/a"):
        hit, ring = (a.find(f"*[@class='{name}']") for name in ("hit", "ring"))
        assert hit is not None
        assert ring is not None
        left, top, width, height = (float(hit.get(name, 0)) for name in ("x", "y", "width", "height"))
        x, y, r = (float(ring.get(name, 0)) for name in ("cx", "cy", "r"))
        assert (width, height) == size
        assert left <= x - r - 3 < x + r + 3 <= left + width
        assert top <= y - r - 3 < y + r + 3 <= top + height
        parts.add((left, top))
    assert len(parts) == pawns


def test_what_cannot_be_touched_is_said_but_is_no_link_and_so_is_an_empty_square() -> None:
    table = square(coin="a1")
    drawn = list(ET.fromstring(board_svg(table.areas[0], table)).iter("a"))
    assert all((one.get("role"), one.get("href")) == ("img", None) for one in drawn)
    said = [one.get("aria-label") for one in drawn]
    assert said[0] == "a1: coin"
    assert "b1: empty" in said
    assert len(said) == len(table.areas[0].spots)


def test_a_piece_that_moves_keeps_its_place_among_its_like() -> None:
    before, after = square(p="a1", q="b1"), square(p="b1", q="a1")
    orders = [re.findall(r'id="(p-\w+)"', board_svg(table.areas[0], table)) for table in (before, after)]
    assert orders[0] == orders[1] == ["p-p", "p-q"]


def test_the_last_move_is_outlined_by_its_piece_or_its_square() -> None:
    table = square(coin="a1")
    for id in ("coin", "a1"):
        drawn = draw_area_news(table.areas[0], table, [id], [])
        assert '<g class="last-move" transform="translate(0 0)">' in drawn
    assert "last-move" not in board_svg(table.areas[0], table)


def test_the_last_move_lies_below_the_pieces_and_what_chance_answered_with_above_them() -> None:
    table = square(coin="a1")
    drawn = ET.fromstring(draw_area_news(table.areas[0], table, ["b1"], ["coin"]))
    layers = {layer.get("id"): layer for layer in drawn}
    order = [id for id in layers if id in ("board-last", "board-pieces", "board-rolled")]
    assert order == ["board-last", "board-pieces", "board-rolled"]
    assert [e.get("class") for e in layers["board-last"]] == ["last-move"]
    assert [e.get("class") for e in layers["board-rolled"].iter("circle")] == ["rolled"]
    nothing = ET.fromstring(draw_area_news(table.areas[0], table, [], []))
    assert not [e for layer in nothing if layer.get("id") in ("board-last", "board-rolled") for e in layer]


def test_a_picture_counts_what_there_is_of_what_there_can_be() -> None:
    table = replace(square(), tallies=(Tally("won", plain("won"), 11, 24), Tally("plies", plain("plies"), 7)))
    written = [text.text for text in ET.fromstring(picture(table, "A title")).iter(f"{SVG}text")]
    assert {"won: 11 / 24", "plies: 7"} <= set(written)


@pytest.mark.parametrize("id", ["die", "a1"])
def test_a_throw_shows_on_the_die_also_where_it_is_told_by_its_place(id: str) -> None:
    table = square()
    die = Piece("die", "a1", "die", plain("die"), suit="S", value="4")
    drawn = draw_area_news(table.areas[0], Scene(table.areas, (die,)), [], [id])
    assert drawn.count('class="rolled"') == 1


def test_what_is_open_has_a_dashed_ring_below_the_pieces_and_is_not_to_be_touched() -> None:
    table = square(coin="a1")
    (area,), on = table.areas, piles(table)
    new = news(area, table, on, (), (), ["a1", "b1", "elsewhere"])
    drawn = whole(under(area, table, "en", draw_area(area, on, "en", NO_MARKS), new))
    assert drawn.count("stroke-dasharray") == drawn.count('class="preview"') == 2
    assert drawn.index('id="board-preview"') < drawn.index('id="board-pieces"')
    assert "href" not in new[2]


@pytest.mark.parametrize("kind", ["tile", "back", "coin", "die", "pawn"])
def test_the_dot_of_what_chance_answered_with_lies_in_its_square_at_the_upper_right(kind: str) -> None:
    table = square()
    piece = Piece("x", "a1", kind, plain("x"), suit="S", value="4")
    drawn = draw_area_news(table.areas[0], Scene(table.areas, (piece,)), [], ["x"])
    found = re.search(r'class="rolled" cx="([-.\d]+)" cy="([-.\d]+)"', drawn)
    assert found
    assert (50 < float(found[1]) < 94, 6 < float(found[2]) < 50) == (True, True)


def test_a_coin_face_down_shows_nothing_of_its_other_side() -> None:
    down = alone(Piece("c", "a1", "coin", plain("a coin, face down")))
    assert re.findall(r'href="#([\w-]+)"', down) == ["coin"]


def test_an_ornament_is_drawn_on_its_square_below_the_pieces() -> None:
    marked = Spot("a1", 0, 0, plain("a1"), "cell", ornament="M-9-9H9V9Z")
    coin = Piece("coin", "a1", "change", plain("heads"), side="heads")
    area = Area("board", plain("The board"), (marked,))
    drawn = board_svg(area, Scene((area,), (coin,)))
    assert 0 < drawn.index('d="M-9-9H9V9Z"') < drawn.index("#s-heads")


def test_every_position_has_its_picture_in_both_languages() -> None:
    for id in smallchange.games():
        position = smallchange.game(id).start()
        titles = [ET.fromstring(picture_of(position, lang)).findtext(f"{SVG}title") for lang in LANGUAGES]
        assert position._repr_svg_() == picture_of(position, "en")
        assert titles == [position.game.words.TITLE[lang] for lang in LANGUAGES]


def test_the_stylesheet_knows_the_classes_of_the_shapes() -> None:
    sheet = stylesheet()
    assert sheet.count("{") == sheet.count("}")
    for name in re.findall(r'class="(f-\w+|l-\w+|st-\w)"', defs()):
        assert f".{name}{{" in sheet, name
