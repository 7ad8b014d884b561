"""The plates of the players with their clocks, and what may be claimed from a player who has left."""

from __future__ import annotations

from functools import cache, lru_cache

from smallchange.bots.levels import title
from smallchange.i18n.formats import clock_digits, day_at
from smallchange.i18n.text import capital
from smallchange.render.markup_diff import Markup, Part
from smallchange.render.scene import Tally
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.view.board import with_signs
from smallchange.server.table.view.seats import NAMES, occupant, rounded_rating
from smallchange.server.table.view.table_view import SeatView, TableView, duration_text
from smallchange.server.table.view.tallies import tally_dots
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import command_button, escape, section


def clock_section(view: TableView, lang: str) -> Markup:
    """Draw a plate for each of two players: who it is, what is home, and the time left as of the time of the view.

    Where there are scripts, `clocks.js` lets the clock that runs go on until `data-deadline`.
    """
    if len(view.seats) == 1 and view.clock is None:
        return '<section id="clocks" hidden></section>'
    timed = view.clock is not None
    plates = {f"plate-{i}": _plate(view, i, lang) for i in range(len(view.seats))}
    return Part(_opening(timed, lang), plates, "</ul></section>")


@cache
def _opening(timed: bool, lang: str) -> str:
    """Return what opens the section, with the words that `clocks.js` needs."""
    words = {
        "days": p.DAYS_AND_HOURS,
        "unknown": p.CLOCK_UNKNOWN,
        "120": p.TWO_MINUTES_LEFT,
        "30": p.THIRTY_SECONDS_LEFT,
    }
    more = " ".join(f'data-{name}="{escape(text[lang])}"' for name, text in words.items()) if timed else ""
    return section("clocks", (p.CLOCKS if timed else p.PLAYERS)[lang], "<ul>", more).removesuffix(
        "</section>"
    )


def _plate(view: TableView, i: int, lang: str) -> Part:
    seat = view.seats[i]
    held = view.own_seats[0] if len(view.own_seats) == 1 else 0
    looks = ["plate", "below" if i == held else "above"]
    looks += ["turn"] * (seat.turn and not view.back)
    looks += ["away"] * (not seat.here)
    time = _time(view, i, lang)
    if time and view.clock and view.clock.running == i:
        looks.append("running")
        looks += ["first"] * (view.clock.first_turn and view.clock.control.live)
    home = next((tally for tally in view.tallies if tally.id == seat.player), None)
    parts: dict[str, Markup] = {f"who-{i}": _who(view.game, seat, i, lang), f"home-{i}": _home(home, i, lang)}
    return Part(f'<li class="{" ".join(looks)}" id="plate-{i}">', parts, f"{time}</li>")


@lru_cache(maxsize=1024)
def _home(home: Tally | None, i: int, lang: str) -> str:
    """Return what a player has at home, in words, dots and figures."""
    count = ""
    if home:
        said = escape(home.text[lang])
        count = f'<span class="visually-hidden">{said}</span>{tally_dots(home)} <b>{home.figures}</b>'
    return f'<span class="plate-home" id="home-{i}">{count}</span>'


@lru_cache(maxsize=4096)
def _who(game: str, seat: SeatView, i: int, lang: str) -> str:
    """Return the side, the name and the rating of a player."""
    side = with_signs(capital(seat.title)[lang], game, lang)
    sitter = (p.YOU if seat.you and not seat.name else occupant(seat))[lang]
    if seat.kind == SeatKind.BOT and seat.name in NAMES:
        sitter = f"{sitter} · {title(seat.name)[lang]}"
    rating = f" <small>{rounded_rating(seat.rating)}</small>" if seat.rating else ""
    return f'<span class="plate-who" id="who-{i}"><b>{side}</b> {escape(sitter)}{rating}</span>'


def _time(view: TableView, i: int, lang: str) -> str:
    """Draw the clock of a seat; "" where none runs or it is not known.

    The first turn of a live game has a limit of its own, which is said beside the time that was agreed. By
    correspondence each clock has the time for a turn and the time in hand.
    """
    clock, seat = view.clock, view.seats[i]
    left = clock.left_ms[i] if clock and view.started and not view.back else None
    if clock is None or left is None:
        return ""
    off = clock.off_until[i] if clock.off_until else 0
    note = f"<small>{escape(p.DAYS_OFF_UNTIL.fill(day=day_at(off))[lang])}</small>" if off else ""
    runs = i == clock.running and clock.deadline is not None
    facts = f' data-deadline="{clock.deadline}"' if runs else ""
    facts += " data-you" if seat.you else ""
    label = escape(p.TIME_OF.fill(who=seat.title)[lang])
    if runs and clock.first_turn and clock.control.live:
        label, bank = escape(p.FIRST_MOVE[lang]), clock_digits(clock.control.bank_ms)
        timer = (
            f'<b id="clock-{seat.player}" role="timer" aria-label="{label}"{facts}>{clock_digits(left)}</b>'
        )
        return f'{note}<small>{label} {timer}</small><b class="clock">{bank}</b>'
    left += 0 if i == clock.running else clock.control.allowance_ms
    digital = escape(duration_text(left)[lang])
    return f'{note}<b class="clock" id="clock-{seat.player}" role="timer" aria-label="{label}"{facts}>{digital}</b>'


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
