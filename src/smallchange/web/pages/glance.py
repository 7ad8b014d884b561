"""What a player looks up at the table: a game's sheets, drawn."""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

from smallchange.draw.sheet import Row
from smallchange.draw.svg import alone, board_svg
from smallchange.draw.table import Area, Table
from smallchange.game import Game, Position
from smallchange.text import Text
from smallchange.web.view import Visit

from .frame import page


@cache
def looked_up(game: str) -> Text | None:
    """What a game's sheets are called, if it has any."""
    sheet = Game(game).sheet
    return sheet.TITLE if sheet else None


def glance(match: str, position: Position, visit: Visit) -> str:
    """The sheets of a game as it stands."""
    game = position.game
    table = game.face.table(game.board, position.s)
    drawn = [
        (sheet, [(row, Markup(_picture(row, table, visit.lang))) for row in sheet.rows])
        for sheet in game.sheet.sheets(game.board, position.s)
    ]
    return page("glance.html", visit, game.words.TITLE, match=match, name=game.sheet.TITLE, sheets=drawn)


def _picture(row: Row, table: Table, lang: str) -> str:
    """Without ids, for the sheet may lie beside the table."""
    if row.spots:
        area = Area("glance", row.name, row.spots)
        return re.sub(r' id="[^"]*"', "", board_svg(area, table, lang))
    return "".join(alone(piece) for piece in row.pieces)
