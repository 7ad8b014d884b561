"""The page of a table: the fragments that change, and the page around them."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from smallchange.core.game import Game
from smallchange.i18n.text import Text
from smallchange.render.markup_diff import SLOT, Filled, Markup, Part, whole
from smallchange.render.piece_names import fill_phrase
from smallchange.render.scene import Tally
from smallchange.server.table.board import BoardDrawing, draw_board, link_marks, tray_figures
from smallchange.server.table.clock_panel import clock_notes, clock_section
from smallchange.server.table.clock_view import control_text
from smallchange.server.table.documents import reference_title
from smallchange.server.table.embedding import oembed_path, share_codes
from smallchange.server.table.ending import result_section, split_verdict
from smallchange.server.table.history import SeatKind
from smallchange.server.table.log import earlier_link, log_rows, step_links
from smallchange.server.table.options import DEAL_WORDS, describe_options
from smallchange.server.table.origins import BroughtFromOffline, Daily, Fork, Fresh
from smallchange.server.table.panel import action_panel, looking_back, more_actions
from smallchange.server.table.remark_view import TEXTS as REMARK_TEXTS
from smallchange.server.table.seats import counts_text, seat_list, viewer_line
from smallchange.server.table.suit_signs import with_signs
from smallchange.server.table.table_view import TableView
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
from smallchange.server.web.refusal_texts import REFUSAL_TEXTS

MAX_TALLY_DOTS = 30  # the most that a tally is drawn for
MAX_DOTTED_TALLIES = 2  # the most tallies that are drawn
MAX_AREAS_BESIDE_BOARD = (
    4  # the most pictures, the board among them, with the trays beside the board; more trays lie below it
)

CLIENT_DATA = (
    f'<div id="table-data" hidden data-match="{SLOT}" data-ply="{SLOT}" data-at="{SLOT}"'
    f' data-length="{SLOT}"></div>'
)
MOVE_COUNT = f'<p id="moves">{SLOT}<span>{SLOT}</span></p>'
STATUS = (
    f'<section id="status"><div class="status-text"><p class="prompt">{SLOT}</p>'
    f'<p class="last-turn">{SLOT}</p></div></section>'
)


def table_page(view: TableView, visit: PageContext) -> str:
    """Return the page of a table: one form for all commands, the fragments, and the log."""
    lang = visit.lang
    log = "".join(map(whole, reversed(log_rows(view, 0, lang))))
    earlier = earlier_link(view, lang)
    pick = _valid_selection(view, visit.pick)
    drawn = draw_board(view, lang, link_marks(view, lang, pick))
    parts = {
        id: whole(part)
        for id, part in (
            _draw_shared(view, lang, drawn).parts | _draw_for_seats(view, lang, drawn, pick)
        ).items()
    }
    about = {
        "game": _base_game(view.game),
        "deal_word": DEAL_WORDS.get(view.origin.difficulty) if isinstance(view.origin, Fresh) else None,
        "variant": describe_options(view.game, view.options),
        "many": len(drawn.svgs) > MAX_AREAS_BESIDE_BOARD,
        "over": REFUSAL_TEXTS[ErrorCode.OVER],
        "control": control_text(view.clock.control) if view.clock else None,
        "counts": counts_text(view.rated, any(seat.kind == SeatKind.BOT for seat in view.seats))
        if view.clock and not view.parent
        else None,
        "oembed_path": None if view.sealed or view.local else oembed_path(view.match, visit.origin),
        "share_codes": [] if view.sealed or view.local or not view.started else share_codes(view, visit),
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


class SharedFragments(NamedTuple):
    """The fragments that all viewers of a table share."""

    stage: BoardDrawing
    parts: dict[str, Markup]


def shared_fragments(view: TableView, lang: str, before: SharedFragments | None = None) -> SharedFragments:
    """Draw the fragments that all viewers of this ply share. `before` are those they were shown last."""
    return _draw_shared(view, lang, draw_board(view, lang, before=before.stage if before else None))


def seat_fragments(view: TableView, lang: str, shared: SharedFragments) -> dict[str, str | Filled]:
    """Draw the fragments that depend on the seats that a viewer holds."""
    return _draw_for_seats(view, lang, shared.stage, ())


def all_fragments(view: TableView, lang: str) -> dict[str, Markup]:
    """Return all fragments of a table, by element id."""
    shared = shared_fragments(view, lang)
    return shared.parts | seat_fragments(view, lang, shared)


@cache
def _base_game(id: str) -> Game:
    """Return a game with its default options. To make one looks at files."""
    return Game(id)


def _draw_shared(view: TableView, lang: str, stage: BoardDrawing) -> SharedFragments:
    parts: dict[str, Markup] = {
        "to-rules": Filled(_rules_link(view.game, view.phase, lang)),
        "table-data": _client_data(view),
        "board": _board_section(stage.svgs[0], lang),
        "moves": _move_count(view, lang),
        "status": _status_text(view, lang),
        "rule": Filled(
            _rule_line(view.decision if view.at == view.length and not view.outcome else None, lang)
        ),
        "tally": _tally_section(view.scene.tallies, view.match, view.game, lang),
        "trays": Part(_tray_tags(lang)[0], tray_figures(stage, lang), _tray_tags(lang)[1]),
        "steps": step_links(view, lang),
    }
    return SharedFragments(stage, parts)


def _draw_for_seats(
    view: TableView, lang: str, stage: BoardDrawing, pick: tuple[str, ...]
) -> dict[str, str | Filled]:
    return {
        "notice": _notices(view, lang),
        "result": result_section(view, lang),
        "clocks": clock_section(view, lang),
        "actions": action_panel(view, lang, stage, pick),
        "more-actions": more_actions(view, lang),
        "viewer": Filled(
            viewer_line(view.game, view.seats, view.own_seats, view.at < view.length, view.delay, lang)
        ),
        "seats": Filled(
            seat_list(
                view.game,
                view.match if view.rated else "",
                view.seats,
                view.own_seats,
                view.presence,
                _title_call(view),
                lang,
            )
        ),
    }


def _title_call(view: TableView) -> Text | None:
    """Return the beginning of the window's title, which calls a player who looks elsewhere."""
    if view.may_answer:
        return p.AN_OFFER
    if view.outcome:
        return p.OVER if view.started else None
    turn = any(seat.turn and seat.you for seat in view.seats) and not all(seat.you for seat in view.seats)
    return p.YOUR_TURN if turn else None


@cache
def _tray_tags(lang: str) -> tuple[str, str]:
    opened, closed = section("trays", p.TRAYS[lang], "<>").split("<>")
    return opened, closed


def _valid_selection(view: TableView, pick: tuple[str, ...]) -> tuple[str, ...]:
    """Return the selection if a choice begins with it, else ()."""
    return pick if any(choice.touch.path[: len(pick)] == pick for choice in view.choices) else ()


@lru_cache(maxsize=256)
def _rules_link(game: str, phase: str, lang: str) -> str:
    return f'<a id="to-rules" href="/rules/{game}#{phase}" aria-keyshortcuts="?">{escape(p.RULES[lang])}</a>'


def _board_section(svg: Part, lang: str) -> Part:
    opened, closed = _board_tags(svg.open, lang)
    return Part(opened, svg.inner, svg.close + closed)


@lru_cache(maxsize=512)
def _board_tags(svg: str, lang: str) -> tuple[str, str]:
    opened, closed = section("board", p.BOARD[lang], "<>", 'class="board-frame" tabindex="-1"').split("<>")
    return opened + svg, closed


def _client_data(view: TableView) -> Filled:
    """Return the data that the client needs of the table."""
    return Filled(CLIENT_DATA, (view.match, view.ply, view.at, view.length))


def _move_count(view: TableView, lang: str) -> Filled:
    """Return the game's title and the number of the decision. Chance steps are counted in the log alone."""
    decided = view.log[-1].decided if view.log else 0
    move = escape(fill_phrase(p.MOVE, n=decided + (view.outcome is None))[lang])
    return Filled(MOVE_COUNT, (escape(view.title[lang]), move))


def _status_text(view: TableView, lang: str) -> Filled:
    happened, asks = escape(view.last_turn[lang]), escape(view.prompt[lang])
    if view.outcome and len(view.seats) == 1:
        cause, verdict = split_verdict(view.prompt, lang)
        if cause:  # the panel shows the verdict large
            asks = f'{escape(cause)}<span class="visually-hidden"> {escape(verdict)}</span>'
    return Filled(STATUS, (asks, happened))


@lru_cache(maxsize=1024)
def _rule_line(decides: Text | None, lang: str) -> str:
    """Return the sentence that explains what can be done now. Where there is little room it is opened."""
    text = escape(decides[lang]) if decides else ""
    return (
        f'<details id="rule" class="rule-line"{"" if text else " hidden"}><summary>{text}</summary></details>'
    )


@lru_cache(maxsize=4096)
def _tally_section(tallies: tuple[Tally, ...], match: str, game: str, lang: str) -> str:
    dotted = len(tallies) <= MAX_DOTTED_TALLIES
    drawn = "".join(_tally(tally, dotted, game, lang) for tally in tallies)
    if sheet := reference_title(game):
        drawn += f'<a id="to-reference" href="/m/{match}/sheet">{escape(sheet[lang])}</a>'
    return f'<div id="tally">{drawn}</div>'


def _tally(tally: Tally, dotted: bool, game: str, lang: str) -> str:
    """Return a number in words, with signs and a row of dots if there are few tallies."""
    words = tally.text[lang]
    parts = f'<span class="parts">{tally.sum}</span>' if tally.sum else ""
    dots, text = (_tally_dots(tally), with_signs(words, game, lang)) if dotted else ("", escape(words))
    return (
        f'<p class="tally" id="tally-{tally.id}">{dots}<span>{text}</span> <b>{parts}{tally.figures}</b></p>'
    )


def _tally_dots(tally: Tally) -> str:
    if not 0 < tally.most <= MAX_TALLY_DOTS:
        return ""
    rows = 2 if tally.most > 15 else 1
    across = -(-tally.most // rows)
    dots = "".join(
        f'<circle class="tally-dot{" on" if i < tally.number else ""}" cx="{10 + 20 * (i % across)}"'
        f' cy="{10 + 20 * (i // across)}" r="7.5"/>'
        for i in range(tally.most)
    )
    width, height = 20 * across, 20 * rows
    return (
        f'<svg class="tally-dots" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' aria-hidden="true">{dots}</svg>'
    )


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
    if view.at < view.length:
        back = escape(looking_back(view)[lang])
        now = f'<a href="/m/{view.match}" data-to="now">{escape(p.NOW[lang])}</a>'
        notice += f'<p class="note back">{back} {now}</p>'
    if view.declined_text:
        notice += f'<p class="note">{escape(view.declined_text[lang])}</p>'
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
