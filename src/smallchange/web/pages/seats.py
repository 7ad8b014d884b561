"""Who sits at a table: the line above the status, and the list at the end of the page."""

from __future__ import annotations

from functools import lru_cache

from smallchange.draw.words import capital
from smallchange.mind.levels import title
from smallchange.text import Text, plain
from smallchange.web.view import Sitter

from . import phrases as p
from .frame import escape, section
from .signs import signed


def who(seat: Sitter) -> Text:
    """Who sits on a seat."""
    if seat.kind == "open":
        return p.NOBODY_YET
    if seat.kind == "bot":
        return title(seat.name)
    return plain(seat.name) if seat.name else p.YOU if seat.you else p.A_PERSON


def titled(seat: Sitter) -> Text:
    """A seat by the name of who sits there, or by its title, in a sentence."""
    return p.CALLED.fill(name=seat.name) if seat.kind == "person" and seat.name else seat.title


@lru_cache(maxsize=4096)
def you(game: str, seats: tuple[Sitter, ...], held: tuple[int, ...], back: bool, lang: str) -> str:
    """Who the viewer is, whose turn it is, and against whom: to be read, never told again at every step.
    `back`: the viewer looks back, where it is nobody's turn."""
    said = [] if held else [escape(p.WATCHING[lang].rstrip(".。"))]
    if len(seats) > 1:
        on = [] if back else [seat for seat in seats if seat.turn]
        if len(held) == 1:
            said.append(signed(p.YOU_ARE.fill(yours=seats[held[0]].title)[lang], game, lang))
            said += [escape(p.YOUR_TURN[lang]) for seat in on if seat.you]
        elif held:
            said.append(escape(p.YOU_ARE_BOTH[lang]))
        for seat in seats:
            name = p.THEIR_TURN.fill(who=seat.title) if seat in on else seat.title
            sitter = p.OPTION.fill(name=signed(name[lang], game, lang), value=escape(who(seat)[lang]))
            said += [] if seat.you else [sitter[lang]]
    parts = "".join(f"<span>{part}</span>" for part in said)
    return f'<p id="you">{parts}</p>'


@lru_cache(maxsize=4096)
def seated(
    game: str, seats: tuple[Sitter, ...], held: tuple[int, ...], said: Text, called: Text | None, lang: str
) -> str:
    """Who sits where; `said` is who is there. `called`: what the window's title says first."""
    if len(seats) == 1 and held:
        return '<section id="seats"></section>'
    call = f'data-call="{escape(called[lang])}"' if called else ""
    sitters = ""
    for seat in seats:
        sitter = who(seat)
        if seat.you and seat.name:
            sitter = p.OPTION.fill(name=sitter, value=p.YOU)
        look = "".join(f" {how}" for how, on in (("turn", seat.turn), ("away", not seat.here)) if on)
        name = signed(capital(seat.title)[lang], game, lang)
        sitters += f'<li class="seat{look}"><b>{name}</b> <span>{escape(sitter[lang])}</span></li>'
    presence = f'<p class="fine">{escape(said[lang])}</p>' if said.en else ""
    return section("seats", p.AT_THE_TABLE[lang], f"<ul>{sitters}</ul>{presence}", call)
