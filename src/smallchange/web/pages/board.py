"""The board, its trays and the dice of a view, with what can be touched. The same for all with the same
seats; `pick` are the pieces touched so far where there is no script."""

from __future__ import annotations

from collections.abc import Sequence

from smallchange.draw.parts import Markup, Part
from smallchange.draw.svg import Link, Marks, alone, lying, targets, under
from smallchange.draw.table import Area, Piece, Table
from smallchange.draw.words import SUIT, VALUE, capital
from smallchange.text import Text, plain
from smallchange.web.view import Choice, View

from . import phrases as p
from .frame import escape

Pieces = dict[Area, dict[str, Markup]]
FEW = 6  # the most dice that lie in a row of their own
MANY = 8  # the most pieces that are marked as just rolled


LATER = Link("", "")  # the client shows when it can be touched


def lit(view: View) -> Marks:
    """What has just happened, the same for all viewers; any piece may be one to touch."""
    return Marks(last=_last(view), rolled=rolled(view), later=True)


def rolled(view: View) -> set[str]:
    """The pieces that chance has answered with."""
    if not view.rolled:
        return set()
    tops = _tops(view.table)
    rolled = {tops[id].id if id in tops else id for id in view.rolled}
    if len(rolled) > MANY:  # a whole set-up: only the dice are news
        rolled &= {piece.id for piece in view.table.pieces if piece.kind == "die"}
    return rolled


def _last(view: View) -> list[str]:
    just = rolled(view)
    return [id for id in view.last if id not in just]


def reachable(view: View) -> Marks:
    """All that the choices of this viewer touch."""
    return Marks({id: LATER for choice in view.choices for id in choice.touch.path})


def linked(view: View, lang: str, pick: tuple[str, ...]) -> Marks:
    """The same with links, for a page without script."""
    links = dict(reachable(view).links)
    for id, choices in _next(view.choices, pick).items():
        links[id] = _link(view, lang, pick, id, choices)
    return Marks(links, selected=pick, last=_last(view), rolled=rolled(view), later=True)


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


def areas(view: View) -> list[Area]:
    """The board and the trays; a row of dice alone belongs to the panel below the status."""
    board, *others = view.table.areas
    return [board, *(area for area in others if not dice_row(area, view.table))]


def pieces(view: View, lang: str, marks: Marks) -> Pieces:
    """What lies in each area."""
    return {area: lying(area, view.table, lang, marks) for area in areas(view)}


def drawn(view: View, lang: str, pieces: Pieces, marks: Marks) -> list[Part]:
    """The board and the trays, with the spots that can be touched."""
    table = view.table
    return [under(area, table, lang, lies | targets(area, table, marks)) for area, lies in pieces.items()]


def trays(view: View, lang: str, svgs: Sequence[Part]) -> dict[str, Markup]:
    """All areas but the board, each with its name."""
    figures: dict[str, Markup] = {}
    for area, svg in zip(areas(view)[1:], svgs, strict=True):
        name, id = escape(area.text[lang]), f"tray-{area.id}"
        opened = f'<figure class="tray-of" id="{id}"><figcaption>{name}</figcaption>{svg.open}'
        figures[id] = Part(opened, svg.inner, f"{svg.close}</figure>")
    return figures


def dice_row(area: Area, table: Table) -> tuple[Piece, ...]:
    """The dice of an area where nothing else can lie; () for any other area."""
    spots = {spot.id for spot in area.spots}
    pieces = tuple(piece for piece in table.pieces if piece.spot in spots)
    alike = pieces and all(piece.kind == "die" for piece in pieces) and len(area.spots) <= FEW
    return pieces if alike else ()


def in_rows(view: View) -> tuple[Piece, ...]:
    """All dice that lie in rows of their own, in the order of their spots."""
    places = [spot.id for area in view.table.areas for spot in area.spots]
    dice = [piece for area in view.table.areas[1:] for piece in dice_row(area, view.table)]
    return tuple(sorted(dice, key=lambda die: places.index(die.spot)))


def chooser(view: View, lang: str) -> str:
    """The dice of the row, and whatever else can be marked, as checkboxes where there is a choice."""
    markable = {id for choice in view.choices for id in choice.touch.marks}
    row = in_rows(view)
    others = [piece for piece in view.table.pieces if piece.id in markable and piece not in row]
    if not row and not others:
        return ""
    legend = p.TO_MARK if markable else p.DICE
    thrown = rolled(view)
    picks = "".join(_pick(piece, piece.id in markable, piece.id in thrown, lang) for piece in (*row, *others))
    named = f"<legend>{escape(legend[lang])}</legend>"
    return f'<fieldset class="chooser">{named}<div class="dice">{picks}</div></fieldset>'


def _pick(piece: Piece, markable: bool, rolled: bool, lang: str) -> str:
    """A piece with its name below; a label with a checkbox if it can be marked."""
    value = VALUE[piece.value][lang] if piece.value in VALUE else piece.value
    if piece.suit:
        suit = escape(capital(SUIT[piece.suit])[lang])
        glyph = f'<svg class="ig suit-{piece.suit}" viewBox="0 0 24 24"><use href="#s-{piece.suit}"/></svg>'
        caption = f'{glyph}<span><span class="nm">{suit} </span><b>{escape(value)}</b></span>'
    else:
        caption = f"<b>{escape(value)}</b>"
    inside = f'{alone(piece)}<span class="cap" aria-hidden="true">{caption}</span>'
    said = escape(capital(piece.text)[lang])
    look = f"die-pick{' just-rolled' if rolled else ''}"
    if not markable:
        return f'<span class="{look}" id="d-{piece.id}" role="img" aria-label="{said}">{inside}</span>'
    box = f'<input type="checkbox" form="deed" name="marks" value="{piece.id}" aria-label="{said}">'
    return f'<label class="{look}" id="d-{piece.id}">{box}{inside}</label>'


def _tops(table: Table) -> dict[str, Piece]:
    """By spot: the piece on top."""
    return {piece.spot: piece for piece in sorted(table.pieces, key=lambda piece: piece.level)}
