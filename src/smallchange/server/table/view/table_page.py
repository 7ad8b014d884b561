"""The page of a table: the parts that change, the page around them, and turns that it has not shown yet, one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from smallchange.core.game import Game
from smallchange.i18n.text import Text, plain
from smallchange.render.markup_diff import Markup, Part, changes, whole
from smallchange.render.piece_names import fill_phrase
from smallchange.render.spaces import tray
from smallchange.server.table.model.history import BroughtFromOffline, Daily, Fork, Fresh, SeatKind
from smallchange.server.table.view.board import BoardDrawing, draw_board, link_marks, tray_figures
from smallchange.server.table.view.clock_panel import clock_notes, clock_section
from smallchange.server.table.view.documents import reference_title
from smallchange.server.table.view.ending import result_section, split_verdict
from smallchange.server.table.view.log import earlier_link, log_rows, step_links
from smallchange.server.table.view.options import DEAL_WORDS, describe_options
from smallchange.server.table.view.panel import action_panel, looking_back, more_actions
from smallchange.server.table.view.seats import TEXTS as REMARK_TEXTS
from smallchange.server.table.view.seats import counts_text, seat_list, viewer_line
from smallchange.server.table.view.table_view import TableView, control_text
from smallchange.server.table.view.tallies import tally_section
from smallchange.server.table.view.timeline import MAX_LISTED_CHANCE_STEPS, SENTENCE, Timeline, Turn
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode
from smallchange.server.web.frame import (
    PageContext,
    command_button,
    copy_button,
    escape,
    render_page,
    section,
)

LARGE = 4  # times its units is a board wider than any window: so it fills what there is, in its ratio
VIEW_BOX_SIZE = re.compile(r'viewBox="\S+ \S+ (\d+) (\d+)"')
LANDSCAPE = 2  # the least width of a board for its height that has the whole width of a window
NUMBERS = count(1)  # of what was drawn, never given twice
MAX_AREAS_BESIDE_BOARD = (
    4  # the most pictures, the board among them, with the trays beside the board; more trays lie below it
)


def table_page(view: TableView, visit: PageContext) -> str:
    """Return the page of a table: one form for all commands, the parts that change, and the log."""
    lang = visit.lang
    log = "".join(reversed(log_rows(view, 0, lang)))
    earlier = earlier_link(view, lang)
    pick = _valid_selection(view, visit.pick)
    drawn = draw_board(view, lang, link_marks(view, lang, pick))
    drawn_parts = shared_parts(view, lang, drawn) | seat_parts(view, lang, drawn)
    drawn_parts["actions"] = action_panel(view, lang, drawn, pick)
    parts = {id: whole(part) for id, part in drawn_parts.items()}
    width, height = tray(view.scene.areas[0], framed=True)[0].size
    about = {
        "game": _base_game(view.game),
        "deal_word": DEAL_WORDS.get(view.origin.difficulty) if isinstance(view.origin, Fresh) else None,
        "variant": describe_options(view.game, view.options),
        "banked": len({area.seat for area in view.scene.areas}) > 2,  # a tray of each of two
        "many": len(drawn.svgs) > MAX_AREAS_BESIDE_BOARD,
        "landscape": width >= LANDSCAPE * height,
        "reference": reference_title(view.game),
        "has_card": find_spec("cairosvg") is not None,
        "over": ErrorCode.OVER.text,
        "control": control_text(view.clock.control) if view.clock else None,
        "counts": counts_text(view.rated, any(seat.kind == SeatKind.BOT for seat in view.seats))
        if view.clock and not view.parent
        else None,
        "sayings": REMARK_TEXTS if _has_company(view) else {},
        "reportable": any(seat.kind == SeatKind.PERSON and not seat.you for seat in view.seats),
    }
    return render_page(
        "table.html", visit, view.title, view=view, parts=parts, log=log, earlier=earlier, **about
    )


def _has_company(view: TableView) -> bool:
    """Return whether the viewer plays with another person, or with one who has still to sit down."""
    others = [seat.kind for seat in view.seats if not seat.you]
    return bool(view.own_seats) and any(kind != SeatKind.BOT for kind in others)


class SharedParts(NamedTuple):
    """The parts that all viewers of a table share, by element id, and the drawing of the board.

    No others have the same `number`.
    """

    number: int
    parts: Mapping[str, Markup]
    stage: BoardDrawing


def draw_shared(view: TableView, lang: str) -> SharedParts:
    """Draw the parts that all viewers of this table share."""
    stage = draw_board(view, lang)
    return SharedParts(next(NUMBERS), shared_parts(view, lang, stage), stage)


def shared_parts(view: TableView, lang: str, stage: BoardDrawing) -> dict[str, Markup]:
    """Draw the parts that all viewers share, by element id: none shows a field that differs between viewers."""
    return {
        "table-data": _client_data(view),
        "board": _board_section(stage.svgs[0], lang),
        "moves": _move_count(view, lang),
        "status": _status_text(view, lang),
        "rule": _rule(None if view.back or view.outcome else view.decision, lang),
        "tally": tally_section(view, lang),
        "trays": _tray_section(stage, lang),
        "steps": step_links(view, lang),
    }


def seat_parts(view: TableView, lang: str, stage: BoardDrawing) -> dict[str, Markup]:
    """Draw the parts that differ between viewers, by element id."""
    rated = view.match if view.rated else ""
    called = _title_call(view)
    return {
        "notice": _notices(view, lang),
        "result": result_section(view, lang),
        "clocks": clock_section(view, lang),
        "actions": action_panel(view, lang, stage, ()),
        "more-actions": more_actions(view, lang),
        "viewer": viewer_line(view.game, view.seats, view.own_seats, view.back, lang),
        "seats": seat_list(view.game, rated, view.seats, view.own_seats, view.presence, called, lang),
    }


def all_parts(view: TableView, lang: str) -> dict[str, Markup]:
    """Draw all parts of a table, by element id."""
    stage = draw_board(view, lang)
    return shared_parts(view, lang, stage) | seat_parts(view, lang, stage)


@cache
def _base_game(id: str) -> Game:
    """Return a game with its default options. To make one looks at files."""
    return Game(id)


def _title_call(view: TableView) -> Text | None:
    """Return the beginning of the window's title, which calls a player who looks elsewhere."""
    if view.may_answer:
        return p.AN_OFFER
    if view.outcome:
        return p.OVER if view.started else None
    turn = any(seat.turn and seat.you for seat in view.seats) and not all(seat.you for seat in view.seats)
    return p.YOUR_TURN if turn else None


def _tray_section(stage: BoardDrawing, lang: str) -> Part:
    opened, closed = _tray_tags(lang)
    return Part(opened, tray_figures(stage, lang), closed)


@cache
def _tray_tags(lang: str) -> tuple[str, str]:
    opened, closed = section("trays", p.TRAYS[lang], "<>").split("<>")
    return opened, closed


def _valid_selection(view: TableView, pick: tuple[str, ...]) -> tuple[str, ...]:
    """Return the selection if a choice begins with it, else ()."""
    return pick if any(choice.touch.path[: len(pick)] == pick for choice in view.choices) else ()


def _board_section(svg: Part, lang: str) -> Part:
    opened, closed = _board_tags(svg.open, lang)
    return Part(opened, svg.inner, svg.close + closed)


@lru_cache(maxsize=512)
def _board_tags(svg: str, lang: str) -> tuple[str, str]:
    opened, closed = section("board", p.BOARD[lang], "<>", 'class="board-frame" tabindex="-1"').split("<>")
    width, height = (LARGE * int(side) for side in VIEW_BOX_SIZE.findall(svg)[0])
    return opened + svg.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1), closed


def _client_data(view: TableView) -> str:
    """Return the data that the client needs of the table."""
    return (
        f'<div id="table-data" hidden data-match="{view.match}" data-ply="{view.ply}" data-at="{view.at}"'
        f' data-length="{view.length}"></div>'
    )


def _move_count(view: TableView, lang: str) -> str:
    """Return the game's title and the number of the decision. Chance steps are counted in the log alone."""
    decided = view.log[-1].decided if view.log else 0
    move = escape(fill_phrase(p.MOVE, n=decided + (view.outcome is None))[lang])
    return f'<p id="moves">{escape(view.title[lang])}<span>{move}</span></p>'


def _status_text(view: TableView, lang: str) -> str:
    happened, asks = escape(view.last_turn[lang]), escape(view.prompt[lang])
    if view.outcome and len(view.seats) == 1:
        cause, verdict = split_verdict(view.prompt, lang)
        if cause:  # the panel shows the verdict large
            asks = f'{escape(cause)}<span class="visually-hidden"> {escape(verdict)}</span>'
    return (
        f'<section id="status"><div class="status-text"><p class="prompt">{asks}</p>'
        f'<p class="last-turn">{happened}</p></div></section>'
    )


@lru_cache(maxsize=1024)
def _rule(decides: Text | None, lang: str) -> str:
    """Return the sentence that explains what can be done now. Where there is too little room it is left out."""
    text = escape(decides[lang]) if decides else ""
    return f'<p id="rule" class="rule-line"{"" if text else " hidden"}>{text}</p>'


def _plan_notice(view: TableView, lang: str) -> str:
    """Say what the viewer has planned; `data-marks` names what is marked for it on the board."""
    rows = "".join([f"<li>{escape(one.text[lang])}</li>" for one in view.plan])
    marks = " ".join(dict.fromkeys(id for one in view.plan for id in one.path))
    drop = command_button(view.match, "plan", p.DROP_PLAN[lang], 'id="drop-plan"', "quiet")
    said = f'<p>{escape(p.PLANNED[lang])}</p><ul>{rows}</ul><div class="buttons">{drop}</div>'
    return f'<div class="note" id="plan" role="status" data-marks="{marks}">{said}</div>'


def _notices(view: TableView, lang: str) -> str:
    """Return the notices above the status: an offer, an invitation, practice, looking back."""
    notice = ""
    if isinstance(view.origin, Fork):
        there = f'<a href="/m/{view.origin.parent}">{escape(p.THAT_GAME[lang])}</a>'
        how = p.PRACTICE if view.origin.length else p.ONCE_MORE
        notice += f'<p class="note">{escape(how[lang])} {there}</p>'
    elif isinstance(view.origin, BroughtFromOffline) and view.started:
        notice += f'<p class="note">{escape(p.PLAYED_OFFLINE[lang])}</p>'
    if isinstance(view.origin, Daily):
        link = f'<a href="/daily">{escape(p.DAILY[lang])}</a>'
        notice += f'<p class="note">{link} {escape(p.IS_SEALED[lang]) if view.sealed else ""}</p>'
    elif view.sealed:
        notice += f'<p class="note">{escape(p.IS_SEALED[lang])}</p>'
    if view.back:
        back = escape(looking_back(view)[lang])
        now = f'<a href="/m/{view.match}" data-to="now">{escape(p.NOW[lang])}</a>'
        notice += f'<p class="note back">{back} {now}</p>'
    if view.declined_text:
        notice += f'<p class="note">{escape(view.declined_text[lang])}</p>'
    if view.plan_dropped:
        notice += f'<p class="note" role="status">{escape(p.PLAN_DROPPED[lang])}</p>'
    if view.plan:
        notice += _plan_notice(view, lang)
    for said in view.remarks:
        notice += f'<p class="note said" role="status">{escape(said[lang])}</p>'
    notice += clock_notes(view, lang)
    if view.offer_text:
        notice += f'<p class="note">{escape(view.offer_text[lang])}</p>'
        if view.may_answer:
            accept = "rematch" if view.outcome else "answer"  # a rematch, to which this leads
            yes = command_button(view.match, accept, p.ACCEPT[lang], 'name="yes" value="1"', "primary")
            no = command_button(view.match, "answer", p.DECLINE[lang], 'name="yes" value="0"')
            notice += f'<div class="buttons">{yes}{no}</div>'
    if view.invite_path:
        label = escape(p.INVITE_LINK[lang])
        link = f'<a id="invite-link" href="{view.invite_path}" aria-label="{label}">{view.invite_path}</a>'
        notice += (
            f'<div class="invite"><p>{escape(p.INVITE[lang])}</p><div class="buttons">'
            f"{link}{copy_button(view.invite_path, lang, 'primary')}</div></div>"
        )
    return f'<div id="notice" class="notice">{notice}</div>'


PLAYED_PARTS = ("board", "trays", "dice", "moves", "status", "tally")  # what a turn changes on a page
MAX_PLAYED_TURNS = 24  # of more than these, the present alone is shown


def turns_again(
    view: TableView, timeline: Timeline, after: int, lang: str
) -> dict[str, int | list[dict[str, object]]]:
    """Return the turn that ends at step `after`, and all later turns but the last, to be shown again."""
    first = timeline.turn_up_to(after)
    found = [first, *timeline.turns_after(after)] if first else []
    drawn = turn_fragments(view, found, lang, {})
    turns: list[dict[str, object]] = [{"at": number, "html": changed} for number, _, changed in drawn]
    return {"ply": view.ply, "turns": turns}


def turn_fragments(
    view: TableView, turns: Sequence[Turn], lang: str, before: Mapping[str, Markup]
) -> Iterator[tuple[int, dict[str, Markup], dict[str, str]]]:
    """Yield each turn: the steps after it, its parts, and those that differ from the turn before.

    `before` are the parts that the page has. Nothing is yielded for more than MAX_PLAYED_TURNS.
    """
    for turn in turns if len(turns) <= MAX_PLAYED_TURNS else ():
        then = _view_after(view, turn)
        drawn = shared_parts(then, lang, draw_board(then, lang))
        parts = {id: part for id, part in drawn.items() if id in PLAYED_PARTS}
        yield turn.number, parts, changes(before, parts)
        before = {**before, **parts}


def _view_after(view: TableView, turn: Turn) -> TableView:
    """Return the view as it was after a turn. The turn in words takes the place of the prompt."""
    sentences = [fill_phrase(SENTENCE, said=text) for text in turn.said]
    later = plain("")
    for text in sentences[1:] if len(sentences) <= MAX_LISTED_CHANCE_STEPS else ():
        later = later + text
    return replace(
        view,
        scene=turn.scene,
        tallies=turn.scene.tallies,
        log=view.log[: turn.number],
        choices=(),
        prompt=sentences[0],
        last_turn=later,
        last_touched=turn.last_touched,
        rolled_ids=turn.rolled_ids,
        preview=(),
        outcome=None,
    )
