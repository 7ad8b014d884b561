"""The panel below the status: dice to mark, buttons, all moves as a list; and the section of rarer actions."""

from __future__ import annotations

from functools import lru_cache

from smallchange import bots as mind
from smallchange.i18n.text import Text
from smallchange.render.markup_diff import Markup, Part
from smallchange.render.piece_names import fill_phrase
from smallchange.server.table.view.board import BoardDrawing, describe_piece, dice_chooser, marking_words
from smallchange.server.table.view.ending import further_steps, next_steps
from smallchange.server.table.view.seats import seat_label
from smallchange.server.table.view.table_view import Choice, TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode
from smallchange.server.web.frame import ahead_path, command_button, copy_button, escape, section

MATCHING = '<div class="matching-moves" id="matching-moves"></div>'
ICONS = {  # paths in a square of 24
    "undo": "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
    "hint": "M9 18h6M10 21h4M9 15a6 6 0 1 1 6 0v3H9z",
    "plan": "M12 7v5l3 2M12 3a9 9 0 1 1-8 5M4 3v5h5",
    "moves": "M4 6h.01M4 12h.01M4 18h.01M9 6h11M9 12h11M9 18h11",
    "rules": "M12 7C10 5 7 4 4 5v14c3-1 6 0 8 1.5 2-1.5 5-2.5 8-1.5V5c-3-1-6 0-8 2v13.5",
    "share": "M12 15V3M8 7l4-4 4 4M5 12v8h14v-8",
    "more": "M4.5 12h1M11.5 12h1M18.5 12h1",
}


@lru_cache(maxsize=1024)
def _icon(name: str, label: str) -> str:
    return f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{ICONS[name]}"/></svg><span>{label}</span>'


def action_panel(view: TableView, lang: str, stage: BoardDrawing, pick: tuple[str, ...]) -> Part:
    """Return the panel of actions besides touching the board, with a row of tools at its foot.

    At the end it has the dice and the next steps. It carries the reasons why something cannot be touched, now and
    after a selection.
    """
    pathed = [choice for choice in view.choices if choice.touch.path]
    more = f'class="action-panel" tabindex="-1" data-why="{escape(_refusal_text(view)[lang])}"'
    if view.choices:
        more += f' data-not-there="{escape(_concatenate(p.NOT_THERE, view.decision)[lang])}"'
    ply = f'<input type="hidden" form="command-form" name="ply" value="{view.ply}">'
    dice = dice_chooser(view, lang, stage)
    below = next_steps(view, lang) if view.outcome else _buttons(view, lang, pick, pathed)
    tools = _tools(view, lang, [] if pick else pathed)
    opening = section("actions", p.TO_DO[lang], f'{ply}{dice}{below}<div class="tools" id="tools">', more)
    return Part(opening.removesuffix("</section>"), tools, "</div></section>")


def looking_back(view: TableView) -> Text:
    """Say at which move of how many the viewer looks. Moves are decisions, as in the log."""
    return p.LOOKING_BACK.fill(at=view.log[-1].decided if view.log else 0, n=view.move_count)


def _refusal_text(view: TableView) -> Text:
    """Say why something without a ring cannot be touched."""
    if view.back:
        return looking_back(view)
    if view.outcome:
        return (ErrorCode.OVER if view.started else ErrorCode.WITHDRAWN).text
    if not view.started:
        return ErrorCode.NOT_STARTED.text
    if view.choices:
        touched = any(choice.touch.path for choice in view.choices)
        return _concatenate(p.RINGS if touched else p.NOT_HERE, view.decision)
    on = [seat for seat in view.seats if seat.turn]
    sentence = fill_phrase(ErrorCode.NOT_YOUR_TURN.text, who=seat_label(on[0])) if on else p.NOT_HERE
    return sentence if view.own_seats else _concatenate(p.WATCHING, sentence)


@lru_cache(maxsize=1024)
def _concatenate(first: Text, second: Text) -> Text:
    return first + second


def _buttons(view: TableView, lang: str, pick: tuple[str, ...], pathed: list[Choice]) -> str:
    """Return the buttons of moves that are not touched on the board; of an earlier step, the one to practise there."""
    if view.back and view.may_fork:
        here = command_button(view.match, "fork", p.PRACTICE_HERE[lang], f'name="at" value="{view.at}"')
        return f'<div class="buttons">{here}</div>'
    marking = [choice for choice in view.choices if choice.touch.marks]
    alone = [choice for choice in view.choices if not choice.touch.path and not choice.touch.marks]
    drawn = _mark_button(view, marking, lang) if marking else ""
    first = "primary" if len(alone) == 1 and not marking and not pathed else ""
    drawn += "".join([_move_button(one.token, one.text[lang], first) for one in alone])
    if drawn:
        drawn = f'<div class="buttons">{drawn}</div>'
    if pick:
        return drawn + _picked_moves(view, pathed, lang, pick)
    return MATCHING * bool(pathed) + drawn


def _tools(view: TableView, lang: str, listed: list[Choice]) -> dict[str, Markup]:
    """Return the row of tools by their ids. A tool that can do nothing now keeps its place."""
    tools: dict[str, Markup] = {}
    if view.own_seats and view.started and not (view.outcome or view.back):
        tools["undo"] = _undo_button(view, lang)
        if hint := _hint_button(view, lang):
            tools["ask-hint"] = hint
        if view.may_plan:
            icon, to = _icon("plan", escape(p.PLAN_AHEAD[lang])), ahead_path(view.match)
            title = f' title="{escape(p.HOW_TO_PLAN[lang])}"'
            tools["plan-ahead"] = f'<a class="tool" id="plan-ahead" href="{to}"{title}>{icon}</a>'
        if listed:
            tools["move-details"] = _move_list(listed, lang)
    if view.can_share and not view.back:
        icon = _icon("share", escape(p.SHARE[lang]))
        tools["share"] = f'<a class="tool" id="share" href="/m/{view.match}/card">{icon}</a>'
    rules, more = _icon("rules", escape(p.RULES[lang])), _icon("more", escape(p.MORE[lang]))
    to = f'href="/rules/{view.game}#{view.phase}" aria-keyshortcuts="?"'
    tools["to-rules"] = f'<a class="tool" id="to-rules" {to}>{rules}</a>'
    tools["to-more"] = f'<a class="tool" id="to-more" href="#in-more">{more}</a>'
    return tools


@lru_cache(maxsize=4096)
def _tool(match: str, command: str, icon: str, label: str, more: str) -> str:
    """Return a tool that posts a command. `more` is markup."""
    to = f'form="command-form" formaction="/m/{match}/{command}"'
    return f'<button class="tool" {to} {more}>{_icon(icon, escape(label))}</button>'


def _undo_button(view: TableView, lang: str) -> str:
    """Return the button for undo, or for asking for it."""
    title, off = view.undo_text or view.undo_rule, not view.undo_text and "undo" not in view.possible_offers
    more = f'id="undo" aria-keyshortcuts="u" title="{escape(title[lang])}"{" disabled" if off else ""}'
    if view.alone:
        return _tool(view.match, "undo", "undo", p.UNDO[lang], more)
    more += ' name="what" value="undo"'
    return _tool(view.match, "offer", "undo", p.OFFER["undo"][lang], more)


def _hint_button(view: TableView, lang: str) -> str:
    """Return the button that asks the best bot, where no other person plays."""
    if not view.alone or view.sealed or (mind.install_advice() and not view.local):
        return ""
    off = "" if view.choices else " disabled"
    return _tool(view.match, "hint", "hint", p.HINT[lang], f'id="ask-hint" aria-keyshortcuts="h"{off}')


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


def _move_list(pathed: list[Choice], lang: str) -> str:
    """Return every move that is touched on the board as a list of buttons, in a fold that the keyboard comes to."""
    summary = f'<summary class="tool" id="all-moves">{_icon("moves", escape(p.EVERY_MOVE[lang]))}</summary>'
    listed = f'<ul class="move-list" id="move-list">{_listed_moves(pathed, lang)}</ul>'
    return f'<details class="move-details" id="move-details">{summary}{listed}</details>'


def _picked_moves(view: TableView, pathed: list[Choice], lang: str, pick: tuple[str, ...]) -> str:
    """Return the moves that continue a pick, for a browser without script."""
    fits = [choice for choice in pathed if choice.touch.path[: len(pick)] == pick]
    label = describe_piece(view.scene, pick[0], p.CHOSEN, p.CHOSEN_SPOT)[lang]
    return (
        f'<div class="picked-moves"><p class="hint">{escape(label)}</p>'
        f'<ul class="move-list">{_listed_moves(fits, lang)}</ul>'
        f'<a class="btn quiet" href="/m/{view.match}">{escape(p.LET_GO[lang])}</a></div>'
    )


def _listed_moves(pathed: list[Choice], lang: str) -> str:
    return "".join([_listed_move(one.token, one.touch.path, one.text[lang]) for one in pathed])


@lru_cache(maxsize=16384)
def _listed_move(token: str, path: tuple[str, ...], text: str) -> str:
    return (
        f'<li><button class="btn" form="command-form" name="token" value="{escape(token)}"'
        f' data-path="{" ".join(path)}">{escape(text)}</button></li>'
    )


def _move_button(token: str, text: str, look: str = "") -> str:
    """Return the button of a move. The page's form posts moves unless a button says otherwise."""
    look = f"btn {look}".strip()
    return f'<button class="{look}" form="command-form" name="token" value="{escape(token)}">{escape(text)}</button>'


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
        drawn += _resignation_question(view.match, lang)
    elif view.may_resign:
        drawn += command_button(view.match, "resign", p.WITHDRAW[lang], "", "quiet")
    running = view.started and not view.outcome
    by_post = view.clock and not view.clock.control.live and len(view.clock.left_ms) > 1
    if running and by_post and view.own_seats:
        drawn += f'<a class="btn quiet" href="/m/{view.match}/analysis">{escape(p.TRY_MOVES[lang])}</a>'
    if running and not view.sealed and not view.local:
        drawn += copy_button(f"/m/{view.match}", lang, "quiet")
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
    return _confirmation("agree", p.AGREE[lang], _draw_button(match, lang, p.AGREED))


@lru_cache(maxsize=4096)
def _resignation_question(match: str, lang: str) -> str:
    return _confirmation("resign-question", p.RESIGN[lang], command_button(match, "resign", p.RESIGNED[lang]))


def _confirmation(id: str, question: str, yes: str) -> str:
    """Return a question that must be confirmed, because it ends the match."""
    summary = f'<summary class="btn quiet">{escape(question)}</summary>'
    return f'<details class="confirmation" id="{id}" name="end-question">{summary}{yes}</details>'
