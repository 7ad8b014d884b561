"""The plainest pages that let one do everything: no style, no script. What each function is given is settled
here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from smallchange import mind
from smallchange.dice import Envelope
from smallchange.draw.text import screen
from smallchange.game import Game
from smallchange.options import Flag
from smallchange.text import Text
from smallchange.web.view import Entry, Listed, Lobby, View, Visit


def lobby(lobby: Lobby, visit: Visit) -> str:
    """The first page."""
    games = "".join(_link(f"/games/{id}", Game(id).words.TITLE[visit.lang]) for id in lobby.games)
    return _page(
        "Small Change", visit, f"<ul>{games}</ul>{_list(lobby.open, visit)}{_list(lobby.mine, visit)}"
    )


def new(game: Game, visit: Visit, given: Mapping[str, str]) -> str:
    """The form that opens a table: every option of the game, who sits where. `given` are the fields as they
    were posted, if they were refused (then `visit.wrong` says why)."""
    fields = ""
    for option in game.offered:
        value = given.get(option.name, str(option.default))
        if isinstance(option, Flag):
            value = value.lower()
        label = escape(game.words.OPTIONS[option.name][visit.lang])
        fields += f'<p><label>{label} <input name="{option.name}" value="{escape(value)}"></label></p>'
    for i, player in enumerate(game.seats):
        who = given.get(f"seat.{player}", "me" if i == 0 else "open")
        choices = ["me", "open", *(f"bot:{name}" for name in mind.names())]
        options = "".join(f"<option{' selected' * (c == who)}>{c}</option>" for c in choices)
        title = escape(game.words.PLAYERS[player][visit.lang])
        fields += f'<p><label>{title} <select name="seat.{player}">{options}</select></label></p>'
    fields += f'<p><label>Name <input name="name" value="{escape(visit.name)}"></label></p>'
    fields += '<p><label>Words <input name="words"></label></p>'
    fields += '<p><label>Open <input type="checkbox" name="open" value="1"></label></p>'
    form = f'<form method="post">{_hidden(visit)}{fields}<button>Play</button></form>'
    return _page(game.words.TITLE[visit.lang], visit, form)


def table(view: View, visit: Visit) -> str:
    """A table: one form for all deeds, then the fragments, then the log."""
    inside = "".join(fragments(view, visit.lang).values())
    log = "".join(rows(view.log, visit.lang))
    move = f'<input type="hidden" name="move" value="{visit.move}">'
    form = f'<form id="deed" method="post">{_hidden(visit)}{move}</form>'
    return _page(view.title[visit.lang], visit, f'{form}{inside}<ol id="log">{log}</ol>')


def fragments(view: View, lang: str) -> dict[str, str]:
    """The parts of a table that change, by element id. The same for all who hold the same seats."""
    ply = f'<input type="hidden" form="deed" name="ply" value="{view.ply}">'
    moves = "".join(
        _button(view, "act", c.text[lang], f'name="token" value="{c.token}"') for c in view.choices
    )
    others = _button(view, "undo", view.undo[lang]) if view.undo else ""
    others += "".join(_button(view, "offer", what, f'name="what" value="{what}"') for what in view.ask)
    if view.offered_to_you:
        others += _button(view, "answer", "yes", 'name="yes" value="1"')
        others += _button(view, "answer", "no", 'name="yes" value="0"')
    others += _button(view, "resign", "resign") if view.resign else ""
    others += _button(view, "again", "again") if view.ended and view.you else ""
    others += _button(view, "fork", "practice", f'name="at" value="{view.at}"') if view.fork else ""
    others += _link(view.invite, "invite") if view.invite else ""
    others += _link(f"/m/{view.again}", "rematch") if view.again else ""
    offered = escape(view.offered[lang]) if view.offered else ""
    seats = "".join(
        f"<li>{escape(s.title[lang])}: {escape(s.name)} {s.kind} {s.here}</li>" for s in view.seats
    )
    return {
        "status": f'<p id="status" role="status">{escape((view.happened + view.asks)[lang])}</p>',
        "board": f'<pre id="board">{escape(screen(view.table, lang))}</pre>',
        "moves": f'<div id="moves">{ply}{moves}</div>',
        "deeds": f'<div id="deeds">{offered}{others}</div>',
        "seats": f'<div id="seats"><ul>{seats}</ul><p>{escape(view.presence[lang])}</p></div>',
    }


def rows(entries: Sequence[Entry], lang: str) -> list[str]:
    """Rows of the log, one for each entry."""
    return [f'<li id="log-{e.number}">{escape(e.token)} {escape(e.text[lang])}</li>' for e in entries]


def join(view: View, visit: Visit) -> str:
    """What an invitation leads to, for somebody who has no seat there and may take one; the form posts
    here."""
    fields = f'<input name="name" value="{escape(visit.name)}"><input name="words"><button>Sit down</button>'
    return _page(view.title[visit.lang], visit, f'<form method="post">{_hidden(visit)}{fields}</form>')


def mine(listed: Sequence[Listed], visit: Visit) -> str:
    """One's running and finished games."""
    return _page("My games", visit, _list(listed, visit))


def rules(game: Game, visit: Visit) -> str:
    """The rulebook, its headings with their anchors as ids."""
    return _page(game.words.TITLE[visit.lang], visit, f"<pre>{escape(game.rulebook(visit.lang))}</pre>")


def envelope(view: View, envelope: Envelope, verified: bool | None, visit: Visit) -> str:
    """The sealed envelope of a table, explained. `verified`: None before the end, else whether the record's
    luck is the one that the sealed secret and the players' words make."""
    secret = envelope.secret.hex() if envelope.secret else "sealed"
    return _page("Envelope", visit, f"<p>{envelope.seal}</p><p>{secret}</p><p>{verified}</p>")


def wrong(text: Text, visit: Visit) -> str:
    """Something that cannot be shown, and why."""
    return _page("Small Change", visit, f"<p>{escape(text[visit.lang])}</p>")


def _page(title: str, visit: Visit, inside: str) -> str:
    said = f'<p role="alert">{escape(visit.wrong[visit.lang])}</p>' if visit.wrong else ""
    return (
        f'<!doctype html><html lang="{visit.lang}"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<body><h1>{escape(title)}</h1>{said}{inside}</body></html>"
    )


def _hidden(visit: Visit) -> str:
    return f'<input type="hidden" name="forgery" value="{visit.forgery}">'


def _button(view: View, deed: str, label: str, more: str = "") -> str:
    return f'<button form="deed" formaction="/m/{view.match}/{deed}" {more}>{escape(label)}</button>'


def _link(path: str, label: str) -> str:
    return f'<li><a href="{path}">{escape(label)}</a></li>'


def _list(listed: Sequence[Listed], visit: Visit) -> str:
    links = (_link(f"/m/{t.match}", f"{t.title[visit.lang]}: {t.state[visit.lang]}") for t in listed)
    return f"<ul>{''.join(links)}</ul>"
