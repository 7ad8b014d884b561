"""The panel below the status: dice to mark, buttons, all moves as a list; and the section of rarer actions."""

from __future__ import annotations

from functools import lru_cache

from smallchange import bots as mind
from smallchange.i18n.text import Text
from smallchange.render.markup_diff import SLOT, Filled, Slot, whole
from smallchange.render.piece_names import fill_phrase
from smallchange.server.table.board import BoardDrawing, describe_piece, dice_chooser, marking_words
from smallchange.server.table.ending import further_steps, next_steps
from smallchange.server.table.seats import seat_label
from smallchange.server.table.table_view import Choice, TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode
from smallchange.server.web.frame import command_button, copy_button, escape, section
from smallchange.server.web.refusal_texts import REFUSAL_TEXTS

MATCHING = Filled('<div class="matching-moves" id="matching-moves"></div>')
MOVE_LIST = (
    f'<details class="move-details" id="move-details"><summary id="all-moves">{SLOT}</summary>'
    f'<ul class="move-list">{SLOT}</ul></details>'
)
LISTED_MOVE = (
    f'<li><button class="btn" form="command-form" name="token" value="{SLOT}" data-path="{SLOT}">{SLOT}'
    "</button></li>"
)


def action_panel(view: TableView, lang: str, stage: BoardDrawing, pick: tuple[str, ...]) -> Filled:
    """Return the panel of actions besides touching the board; at the end, of the dice and the next steps."""
    dice = dice_chooser(view, lang, stage)
    if view.outcome:
        below: tuple[Slot, ...] = (next_steps(view, lang),)
    else:
        below = _buttons(view, lang, pick, _undo_or_practice(view, lang))
    decides = view.decision if view.choices else None
    filled = bool(dice) or any(below)
    return Filled(_panel(filled, _refusal_text(view), decides, lang), (view.ply, dice, below))


@lru_cache(maxsize=4096)
def _panel(filled: bool, why: Text, decides: Text | None, lang: str) -> str:
    """Return the template of the panel, for the ply, the dice, and all below them.

    It carries the reasons why something cannot be touched, now and after a selection.
    """
    look = "action-panel" if filled else "action-panel empty"
    more = f'class="{look}" tabindex="-1" data-why="{escape(why[lang])}"'
    if decides:
        more += f' data-not-there="{escape((p.NOT_THERE + decides)[lang])}"'
    ply = f'<input type="hidden" form="command-form" name="ply" value="{SLOT}">'
    return section("actions", p.TO_DO[lang], f"{ply}{SLOT}{SLOT}", more)


def looking_back(view: TableView) -> Text:
    """Say at which move of how many the viewer looks. Moves are decisions, as in the log."""
    return p.LOOKING_BACK.fill(at=view.log[-1].decided if view.log else 0, n=view.move_count)


def _refusal_text(view: TableView) -> Text:
    """Say why something without a ring cannot be touched."""
    if view.back:
        return looking_back(view)
    if view.outcome:
        return REFUSAL_TEXTS[ErrorCode.OVER if view.started else ErrorCode.WITHDRAWN]
    if not view.started:
        return REFUSAL_TEXTS[ErrorCode.NOT_STARTED]
    if view.choices:
        touched = any(choice.touch.path for choice in view.choices)
        return _concatenate(p.RINGS if touched else p.NOT_HERE, view.decision)
    on = [seat for seat in view.seats if seat.turn]
    sentence = (
        fill_phrase(REFUSAL_TEXTS[ErrorCode.NOT_YOUR_TURN], who=seat_label(on[0])) if on else p.NOT_HERE
    )
    return sentence if view.own_seats else _concatenate(p.WATCHING, sentence)


@lru_cache(maxsize=1024)
def _concatenate(first: Text, second: Text) -> Text:
    return first + second


def _buttons(view: TableView, lang: str, pick: tuple[str, ...], back: Slot) -> tuple[Slot, ...]:
    if not view.choices:
        return (back,)
    pathed = [choice for choice in view.choices if choice.touch.path]
    marking = [choice for choice in view.choices if choice.touch.marks]
    alone = [choice for choice in view.choices if not choice.touch.path and not choice.touch.marks]
    drawn = _mark_button(view, marking, lang) if marking else ""
    first = "primary" if len(alone) == 1 and not marking and not pathed else ""
    drawn += "".join([whole(_move_button(one.token, one.text[lang], first)) for one in alone])
    if drawn:
        drawn = f'<div class="buttons">{drawn}</div>'
    listed = _move_list(view, pathed, lang, pick)
    hint = _hint_button(view, lang)
    if pick:
        return drawn, listed, back, hint
    return MATCHING if pathed else "", drawn, back, hint, listed


def _undo_or_practice(view: TableView, lang: str) -> str | Filled:
    """Return the button for undo, or for asking for it; for an earlier step, the button to practise from there.

    Undo keeps its place when there is nothing to take back.
    """
    if view.back and view.may_fork:
        return command_button(view.match, "fork", p.PRACTICE_HERE[lang], f'name="at" value="{view.at}"')
    if not view.own_seats or not view.started:
        return ""
    title, off = view.undo_text or view.undo_rule, not view.undo_text and "undo" not in view.possible_offers
    return Filled(_undo_button(view.match, off, view.alone, lang), (escape(title[lang]),))


@lru_cache(maxsize=4096)
def _undo_button(match: str, off: bool, alone: bool, lang: str) -> str:
    """Return the template of the button, for its title."""
    more = f'id="undo" aria-keyshortcuts="u" title="{SLOT}"{" disabled" if off else ""}'
    if alone:
        return command_button(match, "undo", p.UNDO[lang], more, "quiet")
    return command_button(match, "offer", p.OFFER["undo"][lang], f'name="what" value="undo" {more}', "quiet")


def _hint_button(view: TableView, lang: str) -> str | Filled:
    """Return the button that asks the best bot, where no other person plays."""
    if not view.alone or view.sealed or not view.choices or (mind.install_advice() and not view.local):
        return ""
    return Filled(
        command_button(view.match, "hint", p.HINT[lang], 'id="ask-hint" aria-keyshortcuts="h"', "quiet")
    )


def _mark_button(view: TableView, marking: list[Choice], lang: str) -> str:
    """Return the button for the marked pieces, and the effect of each set of marks."""
    sets = "".join(
        f'<li data-marks="{" ".join(choice.touch.marks)}" data-token="{escape(choice.token)}">'
        f"{escape(choice.text[lang])}</li>"
        for choice in marking
    )
    say = marking_words(view)[1][lang]
    words = f'data-not="{escape(p.NOT_THESE[lang])}" data-none="{escape(say)}"'
    confirm = command_button(view.match, "act", say, 'name="token" value="marks" id="marked"', "primary")
    return f'<ul class="sets" hidden {words}>{sets}</ul>{confirm}'


def _move_list(view: TableView, pathed: list[Choice], lang: str, pick: tuple[str, ...]) -> Slot:
    """Return every move that is touched on the board as a list of buttons; after a pick, those that continue it."""
    fits = [choice for choice in pathed if choice.touch.path[: len(pick)] == pick] if pick else pathed
    if not fits:
        return ""
    moves = tuple([_listed_move(one.token, one.touch.path, one.text[lang]) for one in fits])
    if pick:
        label = describe_piece(view.scene, pick[0], p.CHOSEN, p.CHOSEN_SPOT)[lang]
        return Filled(
            f'<p class="hint">{escape(label)}</p><ul class="move-list">{SLOT}</ul>'
            f'<a class="btn quiet" href="/m/{view.match}">{escape(p.LET_GO[lang])}</a>',
            (moves,),
        )
    return Filled(MOVE_LIST, (escape(fill_phrase(p.EVERY_MOVE, n=len(fits))[lang]), moves))


@lru_cache(maxsize=16384)
def _listed_move(token: str, path: tuple[str, ...], text: str) -> Filled:
    return Filled(LISTED_MOVE, (escape(token), " ".join(path), escape(text)))


def _move_button(token: str, text: str, look: str = "") -> Filled:
    """Return the button of a move. The page's form posts moves unless a button says otherwise."""
    look = f"btn {look}".strip()
    return Filled(
        f'<button class="{look}" form="command-form" name="token" value="{SLOT}">{SLOT}</button>',
        (escape(token), escape(text)),
    )


def more_actions(view: TableView, lang: str) -> str:
    """Return the rarer actions: to offer a draw or agree on one, to withdraw an offer, to resign; all after the end."""
    if view.outcome:
        return section("more-actions", p.MORE[lang], further_steps(view, lang))
    drawn = ""
    if "draw" in view.possible_offers:
        drawn += _agreement_question(view.match, lang) if view.alone else _draw_button(view.match, lang)
    elif view.offer_text and view.own_seats and not view.may_answer:
        drawn += command_button(view.match, "answer", p.WITHDRAW_OFFER[lang], 'name="yes" value="0"')
    if view.clock and view.clock.abort:
        drawn += command_button(view.match, "abort", p.ABORT[lang], "", "quiet")
    if view.may_resign and view.started:
        drawn += _resignation_question(view.match, view.alone, lang)
    elif view.may_resign:
        drawn += command_button(view.match, "resign", p.WITHDRAW[lang], "", "quiet")
    running = view.started and not view.outcome
    if running and not view.sealed and not view.local:
        drawn += copy_button(f"/m/{view.match}", lang, "quiet")
    if running and view.has_luck and not view.local:
        sealed = escape(p.SEALED_LUCK[lang])
        drawn += f'<a class="btn quiet" href="/m/{view.match}/envelope">{sealed}</a>'
    return _more_section(drawn, view.undo_rule[lang] if view.started and view.may_resign else "", lang)


@lru_cache(maxsize=1024)
def _more_section(buttons: str, rule: str, lang: str) -> str:
    note = f'<p class="small-print">{escape(rule)}</p>' if rule else ""
    return section("more-actions", p.MORE[lang], f'<div class="buttons">{buttons}</div>{note}')


def _draw_button(match: str, lang: str, say: Text = p.OFFER["draw"]) -> str:
    return command_button(match, "offer", say[lang], 'name="what" value="draw"')


@lru_cache(maxsize=4096)
def _agreement_question(match: str, lang: str) -> str:
    """Return the question that agrees on a draw: a player of both sides has nobody to offer it to."""
    return _confirmation("agree", p.AGREE[lang], _draw_button(match, lang, p.SURE))


@lru_cache(maxsize=4096)
def _resignation_question(match: str, alone: bool, lang: str) -> str:
    question = p.RESIGN_ALONE if alone else p.RESIGN
    return _confirmation("resign-question", question[lang], command_button(match, "resign", p.SURE[lang]))


def _confirmation(id: str, question: str, yes: str) -> str:
    """Return a question that must be confirmed, because it ends the match."""
    summary = f'<summary class="btn quiet">{escape(question)}</summary>'
    return f'<details class="confirmation" id="{id}" name="end-question">{summary}{yes}</details>'
