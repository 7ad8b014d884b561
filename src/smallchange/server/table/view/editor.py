"""The editor: the page on which a board is drawn, whose options then stand in the address of a new game."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from markupsafe import Markup

from smallchange.core.errors import BadOption
from smallchange.core.game import Game
from smallchange.core.options import Drawing
from smallchange.i18n.text import plain
from smallchange.server.table.view.options import (
    DRAWING_SUFFIX,
    field_fault,
    field_values,
    opening_picture,
    parse_options,
)
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page


def drawing_option(game: Game) -> Drawing | None:
    """Return the option of a game that may be drawn."""
    return next((option for option in game.offered if isinstance(option, Drawing)), None)


def editor_page(game: Game, option: Drawing, visit: PageContext, given: Mapping[str, str]) -> str:
    """Return the page on which a drawing is made; `given` are the fields so far."""
    drawing = _drawing(option, given)
    fields = dict(given) | {option.name + DRAWING_SUFFIX: drawing}
    try:
        variant, wrong = Game(game.id, parse_options(game, fields)), None
    except BadOption as found:
        variant, wrong = game, found
    drawn, caption = ("", p.PICTURE) if wrong else opening_picture(variant, visit.lang)
    canvas = option.canvas
    return render_page(
        "editor.html",
        visit,
        p.DRAW_BOARD.fill(game=game.words.TITLE),
        game=game,
        option=option,
        canvas=canvas,
        signs=canvas.signs_for(drawing),
        drawing=drawing,
        fault=field_fault(option, wrong),
        others=[
            field_values(game, other, given) | {"fault": field_fault(other, wrong)}
            for other in game.offered
            if other is not option
        ],
        others_open=wrong is not None and wrong.option != option.name,
        starts=[
            (game.words.CHOICES.get(name, plain(name)), urlencode({option.name + DRAWING_SUFFIX: start}))
            for name, start in ((name, text.strip("\n")) for name, text in canvas.drawings)
        ],
        picture=Markup(drawn),
        caption=caption,
    )


def _drawing(option: Drawing, given: Mapping[str, str]) -> str:
    """Return the drawing in the fields, or else that of the chosen name, or the first to begin with."""
    typed = given.get(option.name + DRAWING_SUFFIX, "").replace("\r\n", "\n").strip("\n")
    drawings = option.canvas.drawings
    chosen = dict(drawings).get(given.get(option.name, option.default), drawings[0][1])
    return typed or chosen.strip("\n")
