"""A page to print for players without a piecepack: the board, pieces to cut out, a score sheet, and the rules, as HTML.

The page needs no script and nothing from elsewhere. On paper its squares are as wide as the pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from smallchange.i18n.text import Text, plain

from .area_markup import at
from .piece_names import SUITS, VALUES
from .pieces import PlacedPiece, draw
from .reference_sheet import Sheet
from .scene import LAYERS, Area, Piece, Scene
from .shapes import shape_definitions
from .spaces import Box, spaces, tray
from .text_lines import join_lines

PAGE_WIDTH_MM, BOARD_HEIGHT_MM = 190.0, 230.0  # of A4 and of letter, without margins, title and caption
LARGEST_SQUARE_MM = 25.0
SCORE_ROWS = 10
CUT = Text("Cut along the dashed lines.")
FOLD = Text("Where two pictures share a frame, fold it in the middle and glue it.")
DICE = Text("Any dice will do: read six as null and one as ace.")
COINS = Text("Throw any coins whose sides differ.")
THROWN = {"dice": DICE, "throw": DICE, "thrown": COINS}  # by the first word of the ids of its spots
PIECES = Text("Pieces to cut out")
SCORES = Text("Score sheet")
DATE = Text("Date")
RESULT = Text("Result")
NOTES = Text("Notes")
STYLE = """\
@page{margin:10mm}body{font:10pt ui-sans-serif,system-ui,sans-serif;margin:0 auto;max-width:190mm;color:#26221C}
svg{display:block}h1,h2{break-after:avoid;margin:4mm 0 2mm}p{break-inside:avoid;margin:2mm 0}
figure,.whole{margin:0 0 6mm;break-inside:avoid}
.cut{display:flex;flex-wrap:wrap;margin:.2mm}.card{display:flex;outline:.2mm dashed #655C4F;break-inside:avoid}
table{border-collapse:collapse;width:100%}
th,td{border:.2mm solid #655C4F;padding:1.5mm 2mm;text-align:left}
.scores td{height:7mm}.page{break-before:page}@media print{*{print-color-adjust:exact}}"""


class PrintSheet(NamedTuple):
    """The content of a page to print. `pieces` has one picture for a piece, or its two sides."""

    title: Text
    areas: Sequence[Area]
    pieces: Sequence[tuple[Piece, ...]]
    players: Sequence[Text]
    sheets: Sequence[Sheet]
    rules: str = ""  # Markdown
    chosen: Sequence[Text] = ()  # options


def piecepack_pieces() -> list[tuple[Piece, ...]]:
    """Return the tiles, coins and pawns of a piecepack; a coin has its number on one side, its suit on the other."""
    pieces: list[tuple[Piece, ...]] = []
    for suit in SUITS:
        for value in VALUES:
            pieces.append((Piece(f"tile-{suit}{value}", "", "tile", plain(""), suit=suit, value=value),))
    for suit in SUITS:
        for value in VALUES:
            sides = (("", value), (suit, ""))
            pieces.append(tuple(Piece("coin", "", "coin", plain(""), suit=s, value=v) for s, v in sides))
    pawns = [Piece(f"pawn-{suit}", "", "pawn", plain(""), suit=suit) for suit in SUITS]
    return [*pieces, *((pawn, pawn) for pawn in pawns)]


def pieces_on_the_table(scene: Scene) -> list[tuple[Piece, ...]]:
    """Return every piece of a scene; a coin of heads and tails has both sides."""
    pieces: list[tuple[Piece, ...]] = []
    for piece in sorted(scene.pieces, key=lambda p: (p.kind, p.value, p.id)):
        sides = ("heads", "tails") if piece.kind == "change" else (piece.side,)
        pieces.append(
            tuple(Piece(piece.id, "", piece.kind, plain(""), piece.suit, piece.value, s) for s in sides)
        )
    return pieces


def print_page(sheet: PrintSheet, lang: str = "en") -> str:
    """Return the page as HTML."""
    square_mm = _square_mm(sheet.areas)
    boards = "".join(_board(area, square_mm, lang) for area in sheet.areas)
    cards = "".join(
        f'<div class="cut">{"".join(_card(sides, square_mm) for sides in alike)}</div>'
        for _, alike in groupby(sheet.pieces, lambda sides: sides[0].kind)
    )
    kinds = {spot.id.partition("-")[0] for area in sheet.areas for spot in area.spots}
    folds = [FOLD] if any(len(sides) > 1 for sides in sheet.pieces) else []
    throws = dict.fromkeys(text for kind, text in THROWN.items() if kind in kinds)
    instructions = sum((CUT, *folds, *throws), plain(""))
    chosen = "".join(f"<p>{escape(text[lang])}</p>" for text in sheet.chosen)
    body = (
        f"<h1>{escape(sheet.title[lang])}</h1>{chosen}{boards}"
        f'<section class="page"><h2>{escape(PIECES[lang])}</h2><p>{escape(instructions[lang])}</p>'
        f"{cards}</section>"
        f'<section class="page"><h2>{escape(SCORES[lang])}</h2>{_score_table(sheet.players, lang)}'
        f"{''.join(_reference(one, lang) for one in sheet.sheets)}</section>"
        f'<section class="page">{_rules(sheet.rules)}</section>'
    )
    shapes = f'<svg width="0" height="0" aria-hidden="true">{shape_definitions(body)}</svg>'
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        f'<meta name="generator" content="smallchange sheet"><title>{escape(sheet.title[lang])}</title>'
        f"<style>{STYLE}</style></head><body>{shapes}{body}</body></html>\n"
    )


def _square_mm(areas: Iterable[Area]) -> float:
    """Return the width of a square on paper, so that each area fits a page."""
    sizes = [tray(area, framed=False)[0].size for area in areas]
    fits = [100 * min(PAGE_WIDTH_MM / width, BOARD_HEIGHT_MM / height) for width, height in sizes]
    return min(LARGEST_SQUARE_MM, *fits)


def _board(area: Area, square_mm: float, lang: str) -> str:
    around, felt = tray(area, framed=False)
    names = "".join(
        f'<g {at(spot)}><text x="6" y="96" font-size="14" fill="#655C4F">{escape(spot.id)}</text></g>'
        for spot in area.spots
        if spot.look == "cell" and re.fullmatch(r"[a-z]+\d+", spot.id)
    )
    caption = f"<figcaption>{escape(area.text[lang])}</figcaption>"
    return f"<figure>{caption}{_svg(around, felt + spaces(area.spots) + names, square_mm)}</figure>"


def _card(sides: Sequence[Piece], square_mm: float) -> str:
    """Draw the sides of a piece beside one another in a frame to cut out."""
    drawn = ""
    for piece in sides:
        flat = LAYERS[piece.kind] == 0
        around = Box(0, 0, 100, 100) if flat else Box(-36, -36, 36, 36)
        drawn += _svg(around, draw(PlacedPiece(piece, 0, 0)), square_mm)
    return f'<div class="card">{drawn}</div>'


def _svg(around: Box, markup: str, square_mm: float) -> str:
    width, height = around.size
    return (
        f'<svg viewBox="{around.left} {around.top} {width} {height}" width="{width * square_mm / 100:.1f}mm"'
        f' height="{height * square_mm / 100:.1f}mm" aria-hidden="true">{markup}</svg>'
    )


def _score_table(players: Sequence[Text], lang: str) -> str:
    columns = [DATE, *(players if len(players) > 1 else [RESULT]), NOTES]
    head = "".join(f"<th>{escape(column[lang])}</th>" for column in columns)
    row = "<tr>" + "<td></td>" * len(columns) + "</tr>"
    return f'<table class="scores"><thead><tr>{head}</tr></thead><tbody>{row * SCORE_ROWS}</tbody></table>'


def _rules(markdown: str) -> str:
    """Write rules as HTML: paragraphs, headings and lists of a rulebook, with the lines of a table, and drawings."""
    text, drawing, after = [*re.split(r"```\w*\n", markdown, maxsplit=2), "", ""][:3]
    if drawing:
        return f"{_rules(text)}<pre>{escape(drawing)}</pre>{_rules(after)}"
    parts = []
    plain_text = re.sub(
        r" \{#[\w-]+\}|`|^\| --- .*\n|^\| | \|$",
        "",
        join_lines(escape(markdown, quote=False)),
        flags=re.MULTILINE,
    )
    for block in plain_text.split("\n\n"):
        lines = block.lstrip("#").strip()
        tag = f"h{block.count('#')}" if block.startswith("#") else "p"
        lines = re.sub(r"\*+(.+?)\*+", r"<b>\1</b>", lines.strip()).replace("\n", "<br>").replace(" | ", ": ")
        parts.append(f"<{tag}>{lines}</{tag}>")
    return "".join(parts)


def _reference(sheet: Sheet, lang: str) -> str:
    """Write a reference sheet in words."""
    about = f"<p>{escape(sheet.about[lang])}</p>" if sheet.about else ""
    rows = "".join(
        f"<tr><th>{escape(row.name[lang])}</th>{''.join(f'<td>{escape(t[lang])}</td>' for t in row.texts)}</tr>"
        for row in sheet.rows
    )
    head = "".join(f"<th>{escape(column[lang])}</th>" for column in sheet.columns)
    top = f"<thead><tr><th></th>{head}</tr></thead>" if head else ""
    table = f"<table>{top}<tbody>{rows}</tbody></table>"
    return f'<div class="whole"><h2>{escape(sheet.title[lang])}</h2>{about}{table}</div>'
