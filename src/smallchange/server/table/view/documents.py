"""Pages beside a table: invitation, sealed envelope, reference sheets, fairness, and a record that cannot be shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from markupsafe import Markup

from smallchange.core.commitment import Envelope
from smallchange.core.game import Game, Position
from smallchange.i18n.formats import decimal, number
from smallchange.i18n.text import Text, capital
from smallchange.render.reference_sheet import Row
from smallchange.render.scene import Area, Scene
from smallchange.render.svg import alone, board_svg
from smallchange.server.table.view.board_pictures import CLOSE_UP_UNITS, close_up
from smallchange.server.table.view.options import describe_options
from smallchange.server.table.view.table_view import TableView, control_text
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page


def envelope_page(view: TableView, envelope: Envelope, verified: bool | None, visit: PageContext) -> str:
    """Return the page that explains the sealed envelope of a table.

    `verified` is None before the end. After it, it says whether the sealed secret and the players' words make
    the luck of the record.
    """
    return render_page(
        "envelope.html",
        visit,
        p.OF_GAME.fill(game=view.title, what=p.SEALED),
        view=view,
        envelope=envelope,
        verified=verified,
        titles={seat.player: capital(seat.title) for seat in view.seats},
        explained=p.ENVELOPE_EXPLAINED,
    )


@cache
def reference_title(game: str) -> Text | None:
    """Return the title of a game's reference sheets; None if it has none."""
    sheet = Game(game).reference
    return sheet.TITLE if sheet else None


def reference_page(match: str, position: Position, visit: PageContext) -> str:
    """Return the reference sheets of a position."""
    game = position.game
    reference = game.reference
    assert reference is not None
    table = game.layout.scene(game.board, position.s)
    drawn = [
        (sheet, [(row, Markup(_row_picture(row, table, visit.lang))) for row in sheet.rows])
        for sheet in reference.sheets(game.board, position.s)
    ]
    return render_page(
        "glance.html", visit, game.words.TITLE, match=match, name=reference.TITLE, sheets=drawn
    )


def _row_picture(row: Row, table: Scene, lang: str) -> str:
    """Draw a row's picture without ids, because the sheet may lie beside the table."""
    if row.spots:
        area = Area("glance", row.name, row.spots)
        return re.sub(r' id="[^"]*"', "", board_svg(area, table, lang))
    return "".join(alone(piece) for piece in row.pieces)


def record_page(match: str, record: str, text: Text, visit: PageContext) -> str:
    """Return the page of a match that can only be shown as its record, with the reason."""
    return render_page("record.html", visit, p.RECORD, match=match, record=record, text=text)


def join_page(view: TableView, visit: PageContext) -> str:
    """Return the page of an invitation, for a visitor who has no seat and may take one."""
    return render_page(
        "join.html",
        visit,
        p.INVITATION.fill(game=view.title),
        view=view,
        game=Game(view.game),
        picture=close_up(view.game, CLOSE_UP_UNITS, visit.lang),
        control=control_text(view.clock.control) if view.clock else None,
        said=_invitation_text(view) + (describe_options(view.game, view.options) or p.BASE_GAME),
    )


def _invitation_text(view: TableView) -> Text:
    """Name the host, and the seat that is free."""
    host = next(seat for seat in view.seats if seat.kind == "person")
    free = next(seat for seat in view.seats if seat.kind == "open")
    who = p.CALLED.fill(name=host.name) if host.name else capital(p.A_PERSON)
    return p.INVITED_BY.fill(who=who, theirs=host.title, yours=free.title)


class TestRow(NamedTuple):
    """One object and its throws: how many, over how many outcomes, and the chi-square test of them."""

    game: Text
    source: str
    throws: Text
    outcomes: int
    chi_square: Text
    p: Text


def fairness_page(tests: Mapping[str, Any] | None, visit: PageContext) -> str:
    """Return the page. `tests` are those that `smallchange server dump` has written; None where there is no dump."""
    if tests is None:
        return render_page("fairness.html", visit, p.FAIRNESS, explained=p.FAIRNESS_TEXTS, published=False)
    return render_page(
        "fairness.html",
        visit,
        p.FAIRNESS,
        explained=p.FAIRNESS_TEXTS,
        published=True,
        counts=p.SITE_THROWS.fill(games=number(tests["games"]), throws=number(tests["throws"])),
        p_value=None if tests["p"] is None else decimal(f"{tests['p']:.3f}"),
        rows=[_row(test) for test in tests["tests"]],
        untested=p.UNTESTED_THROWS.fill(n=number(tests["untested"])),
    )


def _row(test: Mapping[str, Any]) -> TestRow:
    return TestRow(
        Game(test["game"]).words.TITLE,
        test["source"],
        number(test["throws"]),
        len(test["counts"]),
        decimal(f"{test['chi_square']:.2f}"),
        decimal(f"{test['p']:.3f}"),
    )
