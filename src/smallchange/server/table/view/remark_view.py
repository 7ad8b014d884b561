"""Set phrases in words: what was said, and the buttons to say something."""

from __future__ import annotations

from smallchange.i18n.text import Text, capital
from smallchange.server.table.model.history import History
from smallchange.server.table.view.seats import seat_name
from smallchange.server.web import phrases as p

TEXTS = {
    "hello": p.SAY_HELLO,
    "luck": p.SAY_LUCK,
    "well-played": p.SAY_WELL_PLAYED,
    "thanks": p.SAY_THANKS,
    "moment": p.SAY_MOMENT,
    "leaving": p.SAY_LEAVING,
}


def remark_texts(history: History, held: tuple[int, ...]) -> tuple[Text, ...]:
    """Return what was said lately, as the holder of these seats hears it."""
    if not history.remarks.last:
        return ()
    return tuple(
        [
            p.SAID.fill(who=capital(seat_name(history, one.seat)), what=TEXTS[one.phrase])
            for one in history.remarks.audible(held, history.ply)
        ]
    )
