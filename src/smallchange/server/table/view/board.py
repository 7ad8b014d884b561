"""The board, its trays and the dice of a view, with the pieces and spots that can be touched.

They are the same for all who hold the same seats. `pick` are the pieces touched so far, on a page without
script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from smallchange.core.game import Game, Position
from smallchange.i18n.text import Text, capital, plain
from smallchange.render.area_markup import Lying, Piles, draw_area, news, piles
from smallchange.render.markup_diff import Markup, Part
from smallchange.render.piece_names import SUIT, VALUE
from smallchange.render.scene import COUNTER_CLOCKWISE, Area, Piece, Scene, Touch, turn_area
from smallchange.render.svg import Link, Marks, alone, under
from smallchange.server.table.view.table_view import Choice, TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, escape

MAX_DICE_IN_ROW = 6  # the most dice that lie in a row of their own
MAX_MARKED_ROLLS = 8  # the most pieces that are marked as just rolled
TOUCHABLE = Marks(later=True)  # the client marks the things that can be touched


class BoardDrawing(NamedTuple):
    """The board and the trays, drawn for all who see this table in this language.

    `dice` are those that lie in a row of their own, in the panel below the status. `fell`: chance has just
    thrown them.
    """

    on: Piles
    lies: dict[str, Lying]
    svgs: list[Part]
    dice: tuple[Piece, ...]
    rolled: frozenset[str]
    fell: bool  # right now


def draw_board(view: TableView, lang: str, marks: Marks = TOUCHABLE) -> BoardDrawing:
    """Draw the board and the trays."""
    board, *trays = view.scene.areas
    table = replace(view.scene, areas=(turn_area(board, view.turn), *trays)) if view.turn else view.scene
    on = piles(table)
    rows = {area.id: dice_row(area, on) for area in table.areas[1:]}
    areas = [area for area in table.areas if not rows.get(area.id)]
    lies = {area.id: draw_area(area, on, lang, marks) for area in areas}
    rolled = _rolled_ids(view)
    fell = bool(view.log) and view.log[-1].seat < 0
    last = [id for id in view.last_touched if id not in rolled] if fell else view.last_touched
    new = [news(area, table, on, last, rolled, view.preview, fell) for area in areas]
    svgs = [under(area, table, lang, lies[area.id], fresh) for area, fresh in zip(areas, new, strict=True)]
    return BoardDrawing(on, lies, svgs, tuple(die for row in rows.values() for die in row), rolled, fell)


def quarter_turns(game: Game, held: Sequence[int]) -> int:
    """Return the quarters by which the board is turned, so that the one side that a viewer holds goes upwards.

    It is 0 where the game does not say where its sides go, and for who holds no seat or several.
    """
    heading = getattr(game.layout, "heading", None)
    if heading is None or len(held) != 1:
        return 0
    return -COUNTER_CLOCKWISE.index(heading(game.board, held[0])) % 4


def _rolled_ids(view: TableView) -> frozenset[str]:
    """Return the ids of the pieces with which chance has answered."""
    if not view.rolled_ids:
        return frozenset()
    tops = _top_pieces(view.scene)
    rolled = {tops[id].id if id in tops else id for id in view.rolled_ids}
    if len(rolled) > MAX_MARKED_ROLLS:  # a whole set-up: only the dice are news
        rolled &= {piece.id for piece in view.scene.pieces if piece.kind == "die"}
    return frozenset(rolled)


def link_marks(view: TableView, lang: str, pick: tuple[str, ...]) -> Marks:
    """Return the marks of a page without script: links on everything that can be touched."""
    touched = _next_touches(view.choices, pick)
    links = {id: _link(view, lang, pick, id, choices) for id, choices in touched.items()}
    return Marks(links, selected=pick, later=True)


def _next_touches(choices: Sequence[Choice], pick: tuple[str, ...]) -> dict[str, list[Choice]]:
    """Return the ids that can be touched after `pick`, each with the choices that it leads to."""
    found: dict[str, list[Choice]] = {}
    for choice in choices:
        path = choice.touch.path
        if path[: len(pick)] == pick and len(path) > len(pick):
            found.setdefault(path[len(pick)], []).append(choice)
    return found


def _link(view: TableView, lang: str, pick: tuple[str, ...], id: str, choices: list[Choice]) -> Link:
    """Return the link of something that can be touched: to pick it up, or to take the only choice."""
    picked = (*pick, id)
    href = f"/m/{view.match}?" + "&".join(f"pick={one}" for one in picked) + "#actions"
    if len(choices) == 1 and choices[0].touch.path == picked:
        return Link(href, choices[0].text[lang], choices[0].token)
    return Link(href, describe_piece(view.scene, id, p.CHOOSE_WHERE, p.CHOOSE_FROM)[lang])


def describe_piece(table: Scene, id: str, phrase: Text, empty: Text) -> Text:
    """Describe a piece and its place, or a spot and the piece on it, by a phrase with {what} and {place}.

    An empty spot is described by `empty`, with {place} alone.
    """
    places = {spot.id: spot.text for area in table.areas for spot in area.spots}
    tops = _top_pieces(table)
    for piece in table.pieces:
        if piece.id == id:
            return phrase.fill(what=capital(piece.text), place=places[piece.spot])
    what = tops[id].text if id in tops else plain("")
    if not what.en:
        return empty.fill(place=places.get(id, plain(id)))
    return phrase.fill(what=capital(what), place=places.get(id, plain(id)))


def tray_figures(stage: BoardDrawing, lang: str) -> dict[str, Markup]:
    """Draw the trays, each with its name."""
    figures: dict[str, Markup] = {}
    for lies, svg in list(zip(stage.lies.values(), stage.svgs, strict=True))[1:]:
        id, seat = f"tray-{lies.area.id}", lies.area.seat
        opening = _tray_opening(id, seat, lies.area.text[lang], svg.open)
        figures[id] = Part(opening, svg.inner, f"{svg.close}</figure>")
    return figures


@lru_cache(maxsize=512)
def _tray_opening(id: str, seat: int, name: str, svg: str) -> str:
    """Return the markup that opens the picture of a tray; `svg` opens the tray itself."""
    look = "tray-of" if seat < 0 else f"tray-of seat-{seat}"
    return f'<figure class="{look}" id="{id}"><figcaption>{escape(name)}</figcaption>{svg}'


def dice_row(area: Area, on: Piles) -> tuple[Piece, ...]:
    """Return the dice of an area where nothing else can lie; () for any other area."""
    if len(area.spots) > MAX_DICE_IN_ROW:
        return ()
    pieces = tuple(piece for spot in area.spots for piece in on.get(spot.id, ()))
    return pieces if all(piece.kind == "die" for piece in pieces) else ()


def dice_chooser(view: TableView, lang: str, stage: BoardDrawing) -> str:
    """Draw the dice of the row, and all else that can be marked, with checkboxes where there is a choice."""
    markable = {id for choice in view.choices for id in choice.touch.marks}
    row = stage.dice
    if not row and not markable:
        return ""
    others = [piece for piece in view.scene.pieces if piece.id in markable and piece not in row]
    legend = marking_words(view)[0] if markable else p.DICE
    picks = "".join(
        _die_markup(piece, piece.id in markable, piece.id in stage.rolled, stage.fell, lang)
        for piece in (*row, *others)
    )
    named = f"<legend>{escape(legend[lang])}</legend>"
    return f'<fieldset class="chooser">{named}<div class="dice">{picks}</div></fieldset>'


def marking_words(view: TableView) -> tuple[Text, Text]:
    """Return the words above the pieces to be marked, and those on the button."""
    return view.marking or (p.TO_MARK, p.DO_MARKED)


@lru_cache(maxsize=1024)
def _die_markup(piece: Piece, markable: bool, rolled: bool, fell: bool, lang: str) -> str:
    """Draw a piece with its name below it: a label with a checkbox if it can be marked."""
    value = VALUE[piece.value][lang] if piece.value in VALUE else piece.value
    if piece.suit:
        suit = escape(capital(SUIT[piece.suit])[lang])
        sign = f'<use href="#s-{piece.suit}"/>'
        glyph = f'<svg class="inline-sign suit-{piece.suit}" viewBox="0 0 24 24">{sign}</svg>'
        caption = f'{glyph}<span><span class="suit-name">{suit} </span><b>{escape(value)}</b></span>'
    else:
        caption = f"<b>{escape(value)}</b>"
    inside = f'{alone(piece, rolled)}<span class="die-caption" aria-hidden="true">{caption}</span>'
    label = escape(capital(piece.text)[lang])
    look = "die-choice fell" if rolled and fell else "die-choice"
    if not markable:
        return f'<span class="{look}" id="d-{piece.id}" role="img" aria-label="{label}">{inside}</span>'
    box = f'<input type="checkbox" form="command-form" name="marks" value="{piece.id}" aria-label="{label}">'
    return f'<label class="{look}" id="d-{piece.id}">{box}{inside}</label>'


def _top_pieces(table: Scene) -> dict[str, Piece]:
    """Return the piece on top of each spot, by the spot's id."""
    return {piece.spot: piece for piece in sorted(table.pieces, key=lambda piece: piece.level)}


def token_touch(position: Position, token: str) -> Touch:
    """Return the things that are touched for an action."""
    game = position.game
    touch: Touch = game.layout.touch(game.board, position.s, game.actions[token])
    return touch


def link_touches(
    position: Position,
    visit: PageContext,
    move_link: Callable[[str], Link],
    pick_path: Callable[[Sequence[str]], str],
) -> Marks:
    """Link the next things to touch, on a page that works by links: to a move, or to the page with one more picked."""
    touches = {token: token_touch(position, token).path for token in position.legal()}
    scene = position.game.layout.scene(position.game.board, position.s)
    pick = visit.pick if any(path[: len(visit.pick)] == visit.pick for path in touches.values()) else ()
    links = dict[str, Link]()
    for token, path in touches.items():
        if path[: len(pick)] != pick or len(path) <= len(pick):
            continue
        touched = path[len(pick)]
        if len(path) == len(pick) + 1:
            links[touched] = move_link(token)
        else:
            links[touched] = Link(
                pick_path((*pick, touched)),
                describe_piece(scene, touched, p.CHOOSE_WHERE, p.CHOOSE_FROM)[visit.lang],
            )
    return Marks(links, selected=pick)


SUITS = {name: suit for suit, name in SUIT.items()}


@lru_cache(maxsize=16384)
def with_signs(words: str, game: str, lang: str) -> str:
    """Return words of a game as markup, with a sign before the first mention of each thing that has one."""
    signs = _signs(game, lang)
    left = set(signs.values())

    def sign(found: re.Match[str]) -> str:
        id = signs[found[0].lower()]
        if id not in left:
            return found[0]
        left.remove(id)
        drawn = f'<use href="#s-{id}"/>'
        svg = f'<svg class="inline-sign suit-{id}" viewBox="0 0 24 24" aria-hidden="true">{drawn}</svg>'
        return f'<span class="named">{svg}{found[0]}</span>'

    return _mention_pattern(game, lang).sub(sign, escape(words))


@cache
def _signs(game: str, lang: str) -> dict[str, str]:
    """Return the signs of a game by the words for them. Sign NAME is the shape `s-NAME`."""
    signs = getattr(Game(game).layout, "SIGNS", SUITS)
    return {text[lang].lower(): id for text, id in signs.items()}


@cache
def _mention_pattern(game: str, lang: str) -> re.Pattern[str]:
    named = "|".join(map(re.escape, _signs(game, lang)))
    words = named.upper() != named.lower()  # without capitals, as in Japanese, nothing stands between words
    return re.compile(rf"\b(?:{named})\b" if words else named, re.IGNORECASE)
