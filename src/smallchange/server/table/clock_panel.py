"""The clocks of a table, drawn, and what may be claimed from a player who has left."""

from __future__ import annotations

from smallchange.i18n.formats import clock_digits, day_at
from smallchange.i18n.text import capital
from smallchange.server.table.clock_view import duration_text
from smallchange.server.table.table_view import TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import command_button, escape, section


def clock_section(view: TableView, lang: str) -> str:
    """Draw the clocks: the time that each seat has left, the running one marked, as of the time of the view.

    Where there are scripts, `clocks.js` lets the running one go on until `data-deadline`.
    """
    clock = view.clock
    if clock is None or view.back or not view.started:
        return '<section id="clocks" hidden></section>'
    shown = ""
    for i, seat in enumerate(view.seats):
        left = clock.left_ms[i]
        if left is None:
            continue
        running = i == clock.running
        label = escape(p.TIME_OF.fill(who=seat.title)[lang])
        off = clock.off_until[i] if clock.off_until else 0
        note = f"<small>{escape(p.DAYS_OFF_UNTIL.fill(day=day_at(off))[lang])}</small>" if off else ""
        facts = f' data-deadline="{clock.deadline}"' if running and clock.deadline is not None else ""
        facts += " data-you" if seat.you else ""
        digital = escape(duration_text(left)[lang])
        time = f'<b id="clock-{seat.player}" role="timer" aria-label="{label}"{facts}>{digital}</b>'
        look = "clock running" if running else "clock"
        shown += f'<li class="{look}"><span>{escape(capital(seat.title)[lang])}</span> {time}{note}</li>'
    words = {
        "days": p.DAYS_AND_HOURS,
        "unknown": p.CLOCK_UNKNOWN,
        "120": p.TWO_MINUTES_LEFT,
        "30": p.THIRTY_SECONDS_LEFT,
    }
    more = " ".join(f'data-{name}="{escape(text[lang])}"' for name, text in words.items())
    return section("clocks", p.CLOCKS[lang], f"<ul>{shown}</ul>", more)


def clock_notes(view: TableView, lang: str) -> str:
    """Say that the clock was given time back, and that the other player has left, with what may be claimed."""
    clock = view.clock
    if clock is None or view.outcome or view.back:
        return ""
    notes = ""
    if clock.given_back_ms:
        note = p.GIVEN_BACK.fill(time=duration_text(clock.given_back_ms))
        notes += f'<p class="note">{escape(note[lang])}</p>'
    if clock.claim_at is not None:
        other = next(seat for seat in view.seats if not seat.you)
        who, wait = capital(other.title), max(0, clock.claim_at - clock.at)
        later = escape(p.MAY_CLAIM.fill(who=who)[lang])
        text = escape(p.HAS_LEFT.fill(who=who)[lang]) if wait else later
        countdown = (
            f' <b role="timer" data-deadline="{clock.claim_at}">{clock_digits(wait)}</b>' if wait else ""
        )
        notes += f'<p class="note" id="left" data-then="{later}">{text}{countdown}</p>'
        hidden = " hidden" if wait else ""
        buttons = command_button(view.match, "claim", p.CLAIM_WIN[lang], 'name="what" value="win"')
        buttons += command_button(view.match, "claim", p.CLAIM_DRAW[lang], 'name="what" value="draw"')
        notes += f'<div class="buttons" id="claims"{hidden}>{buttons}</div>'
    return notes
