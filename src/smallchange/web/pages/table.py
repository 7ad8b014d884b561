"""A table: the parts of its page that change, and the page around them."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from smallchange.draw.parts import Markup, Part, whole
from smallchange.draw.table import Tally
from smallchange.draw.words import filled
from smallchange.game import Game
from smallchange.text import Text
from smallchange.web.refused import WHY
from smallchange.web.view import View, Visit

from . import phrases as p
from .board import Stage, linked, stage, trays
from .ending import parted
from .frame import button, copier, escape, page, section
from .glance import looked_up
from .log import rows, steps
from .options import varied
from .panel import act, deeds
from .seats import seated, you
from .signs import signed

COINS = 30  # the most that a tally is drawn for
DOTTED = 2  # the most tallies that are drawn
MANY = 4  # the most pictures, the board among them, with the trays beside the board; more trays lie below it


def table(view: View, visit: Visit) -> str:
    """The page of a table: one form for all deeds, the fragments, and the log."""
    lang = visit.lang
    log = "".join(reversed(rows(view, 0, lang)))
    pick = _possible(view, visit.pick)
    drawn = stage(view, lang, linked(view, lang, pick))
    parts = {
        id: whole(part)
        for id, part in (_common(view, lang, drawn).parts | _own(view, lang, drawn, pick)).items()
    }
    about = {
        "game": Game(view.game),
        "variant": varied(view.game, view.options),
        "many": len(drawn.svgs) > MANY,
        "over": WHY["over"],
    }
    return page("table.html", visit, view.title, view=view, parts=parts, log=log, **about)


class Common(NamedTuple):
    """What all viewers of a table are shown alike."""

    stage: Stage
    parts: dict[str, Markup]


def common(view: View, lang: str, before: Common | None = None) -> Common:
    """Drawn once for all viewers of this ply; `before` is what they were shown last."""
    return _common(view, lang, stage(view, lang, before=before.stage if before else None))


def own(view: View, lang: str, shared: Common) -> dict[str, Markup]:
    """What depends on the seats that a viewer holds."""
    return _own(view, lang, shared.stage, ())


def fragments(view: View, lang: str) -> dict[str, Markup]:
    """The parts of a table that change, by element id. The same for all who hold the same seats."""
    shared = common(view, lang)
    return shared.parts | own(view, lang, shared)


def _common(view: View, lang: str, stage: Stage) -> Common:
    parts: dict[str, Markup] = {
        "to-rules": _to_rules(view.game, view.phase, lang),
        "facts": _facts(view),
        "board": _stage(stage.svgs[0], lang),
        "moves": _moves(view, lang),
        "status": _status(view, lang),
        "tally": _tallies(view.table.tallies, view.match, view.game, lang),
        "trays": Part(_around_trays(lang)[0], trays(stage, lang), _around_trays(lang)[1]),
        "steps": steps(view, lang),
    }
    return Common(stage, parts)


def _own(view: View, lang: str, stage: Stage, pick: tuple[str, ...]) -> dict[str, Markup]:
    return {
        "notice": _notice(view, lang),
        "act": act(view, lang, stage, pick),
        "deeds": deeds(view, lang),
        "you": you(view.game, view.seats, view.you, view.at < view.length, lang),
        "seats": seated(view.game, view.seats, view.you, view.presence, _call(view), lang),
    }


def _call(view: View) -> Text | None:
    """What the window's title says first, for who looks elsewhere."""
    if view.ended:
        return p.OVER if view.started else None
    if view.offered_to_you:
        return p.AN_OFFER
    turn = any(seat.turn and seat.you for seat in view.seats) and not all(seat.you for seat in view.seats)
    return p.YOUR_TURN if turn else None


@cache
def _around_trays(lang: str) -> tuple[str, str]:
    opened, closed = section("trays", p.TRAYS[lang], "<>").split("<>")
    return opened, closed


def _possible(view: View, pick: tuple[str, ...]) -> tuple[str, ...]:
    """What was picked, if a choice begins like that."""
    return pick if any(choice.touch.path[: len(pick)] == pick for choice in view.choices) else ()


@lru_cache(maxsize=256)
def _to_rules(game: str, phase: str, lang: str) -> str:
    return f'<a id="to-rules" href="/rules/{game}#{phase}" aria-keyshortcuts="?">{escape(p.RULES[lang])}</a>'


def _stage(svg: Part, lang: str) -> Part:
    opened, closed = _around_board(svg.open, lang)
    return Part(opened, svg.inner, svg.close + closed)


@lru_cache(maxsize=512)
def _around_board(svg: str, lang: str) -> tuple[str, str]:
    opened, closed = section("board", p.BOARD[lang], "<>", 'class="stage" tabindex="-1"').split("<>")
    return opened + svg, closed


def _facts(view: View) -> str:
    """What the client has to know of the table besides."""
    return (
        f'<div id="facts" hidden data-match="{view.match}" data-ply="{view.ply}" data-at="{view.at}"'
        f' data-length="{view.length}"></div>'
    )


def _moves(view: View, lang: str) -> str:
    """The game, and how many decisions it is old: what chance did is counted in the log alone."""
    decided = view.log[-1].decided if view.log else 0
    move = escape(filled(p.MOVE, n=decided + (view.ended is None))[lang])
    return f'<p id="moves">{escape(view.title[lang])}<span>{move}</span></p>'


def _status(view: View, lang: str) -> str:
    happened, asks = escape(view.happened[lang]), escape(view.asks[lang])
    if view.ended and len(view.seats) == 1:
        cause, verdict = parted(view.asks, lang)
        if cause:  # the panel shows the verdict large
            asks = f'{escape(cause)}<span class="unseen"> {escape(verdict)}</span>'
    return (
        f'<section id="status"><div class="says"><p class="asks">{asks}</p>'
        f'<p class="happened">{happened}</p></div></section>'
    )


@lru_cache(maxsize=4096)
def _tallies(tallies: tuple[Tally, ...], match: str, game: str, lang: str) -> str:
    dotted = len(tallies) <= DOTTED
    drawn = "".join(_tally(tally, dotted, game, lang) for tally in tallies)
    if sheet := looked_up(game):
        drawn += f'<a id="to-sheet" href="/m/{match}/sheet">{escape(sheet[lang])}</a>'
    return f'<div id="tally">{drawn}</div>'


def _tally(tally: Tally, dotted: bool, game: str, lang: str) -> str:
    """A number in words, with signs and a row of dots where there are few others."""
    most = f" / {tally.most}" if tally.most else ""
    words = tally.text[lang]
    dots, text = (_dots(tally), signed(words, game, lang)) if dotted else ("", escape(words))
    return f'<p class="tally" id="tally-{tally.id}">{dots}<span>{text}</span> <b>{tally.number}{most}</b></p>'


def _dots(tally: Tally) -> str:
    if not 0 < tally.most <= COINS:
        return ""
    rows = 2 if tally.most > 15 else 1
    across = -(-tally.most // rows)
    dots = "".join(
        f'<circle class="pip{" on" if i < tally.number else ""}" cx="{10 + 20 * (i % across)}"'
        f' cy="{10 + 20 * (i // across)}" r="7.5"/>'
        for i in range(tally.most)
    )
    width, height = 20 * across, 20 * rows
    return (
        f'<svg class="pips" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' aria-hidden="true">{dots}</svg>'
    )


def _notice(view: View, lang: str) -> str:
    """What stands above the status: an offer, an invitation, practice, looking back."""
    said = ""
    if view.practice:
        there = f'<a href="/m/{view.practice}">{escape(p.THAT_GAME[lang])}</a>'
        how = p.PRACTICE if view.told else p.ONCE_MORE
        said += f'<p class="note">{escape(how[lang])} {there}</p>'
    if view.at < view.length:
        back = escape(p.LOOKING_BACK.fill(at=view.at, n=view.length)[lang])
        now = f'<a href="/m/{view.match}" data-to="now">{escape(p.NOW[lang])}</a>'
        said += f'<p class="note back">{back} {now}</p>'
    if view.declined:
        said += f'<p class="note">{escape(view.declined[lang])}</p>'
    if view.offered:
        said += f'<p class="note">{escape(view.offered[lang])}</p>'
        if view.offered_to_you:
            yes = button(view.match, "answer", p.ACCEPT[lang], 'name="yes" value="1"', "primary")
            no = button(view.match, "answer", p.DECLINE[lang], 'name="yes" value="0"')
            said += f'<div class="buttons">{yes}{no}</div>'
    if view.invite:
        label = escape(p.INVITE_LINK[lang])
        link = f'<a id="invite-link" href="{view.invite}" aria-label="{label}">{view.invite}</a>'
        said += (
            f'<div class="invite"><p>{escape(p.INVITE[lang])}</p><div class="buttons">'
            f"{link}{copier(view.invite, lang, 'primary')}</div></div>"
        )
    return f'<div id="notice" class="notice">{said}</div>'
