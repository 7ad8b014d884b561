"""The page of running games that anybody may watch."""

from __future__ import annotations

from collections.abc import Sequence

from smallchange.i18n.text import Text, plain
from smallchange.server.ratings.view import rating_digits
from smallchange.server.table.board_pictures import scene_picture
from smallchange.server.table.clock_view import control_text
from smallchange.server.table.options import describe_options
from smallchange.server.table.seats import occupant
from smallchange.server.table.table_view import SeatView, WatchedTable
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page


def watch_page(found: Sequence[WatchedTable], visit: PageContext) -> str:
    """Return the page of running games; the first of them is the featured one."""
    return render_page(
        "watch.html",
        visit,
        p.WATCH_GAMES,
        rows=[_row(table) for table in found],
        picture=scene_picture(found[0].scene, visit.lang) if found else "",
    )


def _row(watched: WatchedTable) -> dict[str, object]:
    """Return a running game for the list."""
    table = watched.listed
    options = describe_options(table.game, table.options)
    about = [
        options,
        table.control and control_text(table.control),
        p.RATED if table.rated else None,
        p.BEHIND.fill(n=watched.delay) if watched.delay else None,
        p.SPECTATORS.fill(n=watched.spectators) if watched.spectators else None,
    ]
    return {
        "match": table.match,
        "title": table.title,
        "players": [(_player(seat), seat.turn) for seat in table.players],
        "about": [text for text in about if text],
    }


def _player(seat: SeatView) -> Text:
    """Name a player, with the rating at a rated table."""
    if seat.rating is None:
        return occupant(seat)
    return occupant(seat) + plain(rating_digits(seat.rating.points, seat.rating.deviation))
