"""The board, its trays and the dice of a view, with what can be touched. The same for all with the same
seats; `pick` are the pieces touched so far where there is no script."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from smallchange.draw.lying import Lying, Piles, lying, moved, news, piles
from smallchange.draw.parts import Markup, Part
from smallchange.draw.svg import Link, Marks, alone, under
from smallchange.draw.table import Area, Piece, Table
from smallchange.draw.words import SUIT, VALUE, capital
from smallchange.text import Text, plain
from smallchange.web.view import Choice, View

from . import phrases as p
from .frame import escape

FEW = 6  # the most dice that lie in a row of their own
MANY = 8  # the most pieces that are marked as just rolled
TOUCHABLE = Marks(later=True)  # the client shows what can be touched when


class Stage(NamedTuple):
    """The board and the trays as drawn for all who see this table in this language; `dice` lie in rows of
    their own, in the panel below the status."""

    on: Piles
    lies: dict[str, Lying]
    svgs: list[Part]
    dice: tuple[Piece, ...]
    rolled: frozenset[str]
    fell: bool  # right now


def stage(view: View, lang: str, marks: Marks = TOUCHABLE, before: Stage | None = None) -> Stage:
    """Drawn again only where it is not as on the stage `before`, which had the same marks."""
    table, on = view.table, piles(view.table)
    rows = {area.id: dice_row(area, on) for area in table.areas[1:]}
    areas = [area for area in table.areas if not rows.get(area.id)]
    was, elsewhere = (before.lies, moved(before.on, on)) if before else ({}, [])
    lies = {area.id: lying(area, on, lang, marks, was.get(area.id), elsewhere) for area in areas}
    rolled = _rolled(view)
    fell = bool(view.log) and view.log[-1].seat < 0
    last = [id for id in view.last if id not in rolled] if fell else view.last
    new = [news(area, table, on, last, rolled, view.preview, fell) for area in areas]
    svgs = [under(area, table, lang, lies[area.id], fresh) for area, fresh in zip(areas, new, strict=True)]
    return Stage(on, lies, svgs, tuple(die for row in rows.values() for die in row), rolled, fell)


def _rolled(view: View) -> frozenset[str]:
    """The pieces that chance has answered with."""
    if not view.rolled:
        return frozenset()
    tops = _tops(view.table)
    rolled = {tops[id].id if id in tops else id for id in view.rolled}
    if len(rolled) > MANY:  # a whole set-up: only the dice are news
        rolled &= {piece.id for piece in view.table.pieces if piece.kind == "die"}
    return frozenset(rolled)


def linked(view: View, lang: str, pick: tuple[str, ...]) -> Marks:
    """The same with links, for a page without script."""
    touched = _next(view.choices, pick)
    links = {id: _link(view, lang, pick, id, choices) for id, choices in touched.items()}
    return Marks(links, selected=pick, later=True)


def _next(choices: Sequence[Choice], pick: tuple[str, ...]) -> dict[str, list[Choice]]:
    """What can be touched after `pick`, and the choices that it leads to."""
    found: dict[str, list[Choice]] = {}
    for choice in choices:
        path = choice.touch.path
        if path[: len(pick)] == pick and len(path) > len(pick):
            found.setdefault(path[len(pick)], []).append(choice)
    return found


def _link(view: View, lang: str, pick: tuple[str, ...], id: str, choices: list[Choice]) -> Link:
    picked = (*pick, id)
    href = f"/m/{view.match}?" + "&".join(f"pick={one}" for one in picked) + "#act"
    if len(choices) == 1 and choices[0].touch.path == picked:
        return Link(href, choices[0].text[lang], choices[0].token)
    return Link(href, named(view.table, id, p.CHOOSE_WHERE)[lang])


def named(table: Table, id: str, phrase: Text) -> Text:
    """A piece and where it lies, or a spot and what lies there, in a phrase with {what} and {place}."""
    places = {spot.id: spot.text for area in table.areas for spot in area.spots}
    tops = _tops(table)
    for piece in table.pieces:
        if piece.id == id:
            return phrase.fill(what=capital(piece.text), place=places[piece.spot])
    what = tops[id].text if id in tops else plain("")
    if not what.en:
        return Text(phrase.en.replace("{what}, ", ""), phrase.ja.replace("{what}、", "")).fill(
            place=places.get(id, plain(id))
        )
    return phrase.fill(what=capital(what), place=places.get(id, plain(id)))


def trays(stage: Stage, lang: str) -> dict[str, Markup]:
    """All areas but the board, each with its name."""
    figures: dict[str, Markup] = {}
    for lies, svg in list(zip(stage.lies.values(), stage.svgs, strict=True))[1:]:
        id = f"tray-{lies.area.id}"
        figures[id] = Part(_figure(id, lies.area.text[lang], svg.open), svg.inner, f"{svg.close}</figure>")
    return figures


@lru_cache(maxsize=512)
def _figure(id: str, name: str, svg: str) -> str:
    """What opens the picture of a tray; `svg` opens the tray itself."""
    return f'<figure class="tray-of" id="{id}"><figcaption>{escape(name)}</figcaption>{svg}'


def dice_row(area: Area, on: Piles) -> tuple[Piece, ...]:
    """The dice of an area where nothing else can lie; () for any other area."""
    if len(area.spots) > FEW:
        return ()
    pieces = tuple(piece for spot in area.spots for piece in on.get(spot.id, ()))
    return pieces if all(piece.kind == "die" for piece in pieces) else ()


def chooser(view: View, lang: str, stage: Stage) -> str:
    """The dice of the row, and whatever else can be marked, as checkboxes where there is a choice."""
    markable = {id for choice in view.choices for id in choice.touch.marks}
    row = stage.dice
    if not row and not markable:
        return ""
    others = [piece for piece in view.table.pieces if piece.id in markable and piece not in row]
    legend = called(view)[0] if markable else p.DICE
    picks = "".join(
        _pick(piece, piece.id in markable, piece.id in stage.rolled, stage.fell, lang)
        for piece in (*row, *others)
    )
    named = f"<legend>{escape(legend[lang])}</legend>"
    return f'<fieldset class="chooser">{named}<div class="dice">{picks}</div></fieldset>'


def called(view: View) -> tuple[Text, Text]:
    """What marking is called above the pieces, and on the button."""
    return view.marking or (p.TO_MARK, p.DO_MARKED)


@lru_cache(maxsize=1024)
def _pick(piece: Piece, markable: bool, rolled: bool, fell: bool, lang: str) -> str:
    """A piece with its name below; a label with a checkbox if it can be marked."""
    value = VALUE[piece.value][lang] if piece.value in VALUE else piece.value
    if piece.suit:
        suit = escape(capital(SUIT[piece.suit])[lang])
        glyph = f'<svg class="ig suit-{piece.suit}" viewBox="0 0 24 24"><use href="#s-{piece.suit}"/></svg>'
        caption = f'{glyph}<span><span class="nm">{suit} </span><b>{escape(value)}</b></span>'
    else:
        caption = f"<b>{escape(value)}</b>"
    inside = f'{alone(piece, rolled)}<span class="cap" aria-hidden="true">{caption}</span>'
    said = escape(capital(piece.text)[lang])
    look = "die-pick fell" if rolled and fell else "die-pick"
    if not markable:
        return f'<span class="{look}" id="d-{piece.id}" role="img" aria-label="{said}">{inside}</span>'
    box = f'<input type="checkbox" form="deed" name="marks" value="{piece.id}" aria-label="{said}">'
    return f'<label class="{look}" id="d-{piece.id}">{box}{inside}</label>'


def _tops(table: Table) -> dict[str, Piece]:
    """By spot: the piece on top."""
    return {piece.spot: piece for piece in sorted(table.pieces, key=lambda piece: piece.level)}
