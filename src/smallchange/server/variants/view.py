"""The editor of a drawing, and the page of a variant that somebody saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from markupsafe import Markup

from smallchange.core.errors import BadOption
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.core.options import Drawing, Value
from smallchange.i18n.text import Text, plain
from smallchange.render.svg import picture
from smallchange.server.table.model.commands import MAX_NAME
from smallchange.server.table.view.board_pictures import opening_board
from smallchange.server.table.view.options import (
    DRAWING_SUFFIX,
    chosen_words,
    field_fault,
    field_values,
    gentle_seats,
    opening_picture,
    parse_options,
    short_odds,
)
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page
from smallchange.server.web.paths import field_text

if TYPE_CHECKING:
    from smallchange.server.variants.rows import OwnVariant

TITLE_FIELD = "title"  # the name of a variant, on the form of the editor


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
        own_name=given.get(TITLE_FIELD, ""),
        max_name=MAX_NAME,
        picture=Markup(drawn),
        caption=caption,
    )


def _drawing(option: Drawing, given: Mapping[str, str]) -> str:
    """Return the drawing in the fields, or else that of the chosen name, or the first to begin with."""
    typed = given.get(option.name + DRAWING_SUFFIX, "").replace("\r\n", "\n").strip("\n")
    drawings = option.canvas.drawings
    chosen = dict(drawings).get(given.get(option.name, option.default), drawings[0][1])
    return typed or chosen.strip("\n")


def variant_page(found: OwnVariant, game: Game, own: bool, visit: PageContext) -> str:
    """Return the page of a saved variant: its picture, its link, and how to play it. `own`: the visitor saved it."""
    drawn, caption = opening_picture(game, visit.lang)
    return render_page(
        "variant.html",
        visit,
        _title(found),
        game=game,
        found=found,
        own=own,
        said=chosen_words(game),
        odds=short_odds(game),
        fields=_fields(game),
        query=urlencode(_fields(game)),
        seats=gentle_seats(game),
        picture=Markup(drawn),
        caption=caption,
    )


def variant_picture(found: OwnVariant, game: Game, lang: str) -> str:
    """Draw how a match of a saved variant begins, as an SVG that stands alone."""
    match = Match(game, bytes(16))
    match.settle()
    return picture(game.layout.scene(game.board, match.position.s), _title(found)[lang], lang)


def variant_cards(own: Sequence[tuple[OwnVariant, Game]], lang: str) -> list[dict[str, object]]:
    """Return the cards of a visitor's saved variants: name, picture and options."""
    return [
        {
            "id": found.id,
            "title": _title(found),
            "game": game.words.TITLE,
            "art": Markup(opening_board(game.id, tuple(game.non_default_options.items()), lang)),
        }
        for found, game in own
    ]


def _title(found: OwnVariant) -> Text:
    return plain(found.name) if found.name else p.UNNAMED


def _fields(game: Game) -> list[tuple[str, str]]:
    """Return the options of a game as the fields of its form."""
    return [
        _drawing_field(option, value) if isinstance(option, Drawing) else (option.name, field_text(value))
        for option, value in zip(game.offered, game.options.values(), strict=True)
    ]


def _drawing_field(option: Drawing, value: Value) -> tuple[str, str]:
    named = value in option.names
    return option.name + ("" if named else DRAWING_SUFFIX), str(value)
