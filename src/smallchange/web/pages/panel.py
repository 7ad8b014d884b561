"""The panel below the status: dice to mark, buttons, all moves as a list; and what else one may do."""

from __future__ import annotations

from functools import lru_cache

from smallchange import mind
from smallchange.draw.words import filled
from smallchange.text import Text
from smallchange.web.refused import WHY
from smallchange.web.view import Choice, View

from . import phrases as p
from .board import Stage, called, chooser, named
from .ending import result
from .frame import button, copier, escape, section
from .seats import titled


def act(view: View, lang: str, stage: Stage, pick: tuple[str, ...]) -> str:
    """What can be done besides touching the board; at the end, the result, below the dice as they lie."""
    ply = f'<input type="hidden" form="deed" name="ply" value="{view.ply}">'
    below = result(view, lang) if view.ended else _buttons(view, lang, pick, _back(view, lang))
    inside = chooser(view, lang, stage) + below
    opened, closed = _around(bool(inside), _why(view), view.decides if view.choices else None, lang)
    return f"{opened}{ply}{inside}{closed}"


@lru_cache(maxsize=4096)
def _around(filled: bool, why: Text, decides: Text | None, lang: str) -> tuple[str, str]:
    """What opens and closes the panel. It says why something cannot be touched, and where there are choices
    why something else has to be touched first."""
    more = f'class="{"act" if filled else "act empty"}" tabindex="-1" data-why="{escape(why[lang])}"'
    if decides:
        more += f' data-not-there="{escape((p.NOT_THERE + decides)[lang])}"'
    opened, closed = section("act", p.TO_DO[lang], "<>", more).split("<>")
    return opened, closed


def _why(view: View) -> Text:
    """Why something that has no ring cannot be touched."""
    if view.at < view.length:
        return p.LOOKING_BACK.fill(at=view.at, n=view.length)
    if view.ended:
        return WHY["over" if view.started else "withdrawn"]
    if not view.started:
        return WHY["waiting"]
    if view.choices:
        touched = any(choice.touch.path for choice in view.choices)
        return _both(p.RINGS if touched else p.NOT_HERE, view.decides)
    on = [seat for seat in view.seats if seat.turn]
    said = filled(WHY["turn"], who=titled(on[0])) if on else p.NOT_HERE
    return said if view.you else _both(p.WATCHING, said)


@lru_cache(maxsize=1024)
def _both(first: Text, second: Text) -> Text:
    return first + second


def _buttons(view: View, lang: str, pick: tuple[str, ...], back: str) -> str:
    if not view.choices:
        return back
    pathed = [choice for choice in view.choices if choice.touch.path]
    marking = [choice for choice in view.choices if choice.touch.marks]
    alone = [choice for choice in view.choices if not choice.touch.path and not choice.touch.marks]
    drawn = _marked(view, marking, lang) if marking else ""
    first = "primary" if len(alone) == 1 and not marking and not pathed else ""
    drawn += "".join([_choice(one.token, (), one.text[lang], first) for one in alone])
    if drawn:
        drawn = f'<div class="buttons">{drawn}</div>'
    listed = _listed(view, pathed, lang, pick)
    fits = '<div class="fits" id="fits"></div>' if pathed and not pick else ""
    hint = _hint(view, lang)
    return fits + drawn + (listed + back + hint if pick else back + hint + listed)


def _back(view: View, lang: str) -> str:
    """Undo, or asking for it, which has its place also where there is nothing to take back; of an earlier
    step, to play on from there, where one may."""
    if view.at < view.length and view.fork:
        return button(view.match, "fork", p.PRACTICE_HERE[lang], f'name="at" value="{view.at}"')
    if not view.you or not view.started:
        return ""
    title, off = view.undo or view.undo_rule, not view.undo and "undo" not in view.ask
    return _undo(view.match, title[lang], off, view.alone, lang)


@lru_cache(maxsize=4096)
def _undo(match: str, title: str, off: bool, alone: bool, lang: str) -> str:
    more = f'id="undo" aria-keyshortcuts="u" title="{escape(title)}"{" disabled" if off else ""}'
    if alone:
        return button(match, "undo", p.UNDO[lang], more, "quiet")
    return button(match, "offer", p.OFFER["undo"][lang], f'name="what" value="undo" {more}', "quiet")


def _hint(view: View, lang: str) -> str:
    """The button that asks the best bot, where no other person plays."""
    if not view.alone or not view.choices or mind.lacking():
        return ""
    return button(view.match, "hint", p.HINT[lang], 'id="ask-hint" aria-keyshortcuts="h"', "quiet")


def _marked(view: View, marking: list[Choice], lang: str) -> str:
    """The button for what is marked, and what each set of marks does, for the button to say."""
    sets = "".join(
        f'<li data-marks="{" ".join(choice.touch.marks)}" data-token="{escape(choice.token)}">'
        f"{escape(choice.text[lang])}</li>"
        for choice in marking
    )
    say = called(view)[1][lang]
    words = f'data-not="{escape(p.NOT_THESE[lang])}" data-none="{escape(say)}"'
    confirm = button(view.match, "act", say, 'name="token" value="marks" id="marked"', "primary")
    return f'<ul class="sets" hidden {words}>{sets}</ul>{confirm}'


def _listed(view: View, pathed: list[Choice], lang: str, pick: tuple[str, ...]) -> str:
    """Every move that is touched on the board, as a list of buttons; after a pick, only those that go on
    from it."""
    fits = [choice for choice in pathed if choice.touch.path[: len(pick)] == pick] if pick else pathed
    if not fits:
        return ""
    moves = "".join([f"<li>{_choice(one.token, one.touch.path, one.text[lang])}</li>" for one in fits])
    if pick:
        said = named(view.table, pick[0], p.CHOSEN)[lang]
        return (
            f'<p class="hint">{escape(said)}</p><ul class="moves">{moves}</ul>'
            f'<a class="btn quiet" href="/m/{view.match}">{escape(p.LET_GO[lang])}</a>'
        )
    summary = escape(filled(p.EVERY_MOVE, n=len(fits))[lang])
    return (
        f'<details class="every" id="every"><summary id="all-moves">{summary}</summary>'
        f'<ul class="moves">{moves}</ul></details>'
    )


@lru_cache(maxsize=16384)
def _choice(token: str, path: tuple[str, ...], text: str, look: str = "") -> str:
    """Its button; to act is what the page's form does unless a button says otherwise."""
    along = f' data-path="{" ".join(path)}"' if path else ""
    look = f"btn {look}".strip()
    return (
        f'<button class="{look}" form="deed" name="token" value="{escape(token)}"{along}>'
        f"{escape(text)}</button>"
    )


def deeds(view: View, lang: str) -> str:
    """What is seldom wanted: to offer a draw or agree on one, to withdraw an offer, to give up."""
    drawn = ""
    if "draw" in view.ask:
        drawn += _agree(view.match, lang) if view.alone else _offer(view.match, lang)
    elif view.offered and view.you and not view.offered_to_you:
        drawn += button(view.match, "answer", p.WITHDRAW_OFFER[lang], 'name="yes" value="0"')
    if view.resign and view.started:
        drawn += _resign(view.match, view.alone, lang)
    elif view.resign:
        drawn += button(view.match, "resign", p.WITHDRAW[lang], "", "quiet")
    running = view.started and not view.ended
    if running:
        drawn += copier(f"/m/{view.match}", lang, "quiet")
    if running and view.luck:
        sealed = escape(p.SEALED_LUCK[lang])
        drawn += f'<a class="btn quiet" href="/m/{view.match}/envelope">{sealed}</a>'
    return _seldom(drawn, view.undo_rule[lang] if view.started and view.resign else "", lang)


@lru_cache(maxsize=1024)
def _seldom(buttons: str, rule: str, lang: str) -> str:
    said = f'<p class="fine">{escape(rule)}</p>' if rule else ""
    return section("deeds", p.MORE[lang], f'<div class="buttons">{buttons}</div>{said}')


def _offer(match: str, lang: str, say: Text = p.OFFER["draw"]) -> str:
    return button(match, "offer", say[lang], 'name="what" value="draw"')


@lru_cache(maxsize=4096)
def _agree(match: str, lang: str) -> str:
    """Who plays both sides has nobody to offer a draw to."""
    return _sure("agree", p.AGREE[lang], _offer(match, lang, p.SURE))


@lru_cache(maxsize=4096)
def _resign(match: str, alone: bool, lang: str) -> str:
    said = p.RESIGN_ALONE if alone else p.RESIGN
    return _sure("sure", said[lang], button(match, "resign", p.SURE[lang]))


def _sure(id: str, said: str, yes: str) -> str:
    """What ends the match is asked twice."""
    asked = f'<summary class="btn quiet">{escape(said)}</summary>'
    return f'<details class="sure" id="{id}" name="sure">{asked}{yes}</details>'
