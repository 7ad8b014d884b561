"""The page of a table: the fragments that change, and the page around them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import compress
from operator import attrgetter, is_, is_not
from typing import Any, NamedTuple

from msgspec.structs import astuple

from smallchange.core.game import Game
from smallchange.i18n.text import Text
from smallchange.render.markup_diff import SLOT, Filled, Markup, Part, whole
from smallchange.render.piece_names import fill_phrase
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.origins import BroughtFromOffline, Daily, Fork, Fresh
from smallchange.server.table.view.board import BoardDrawing, draw_board, link_marks, tray_figures
from smallchange.server.table.view.clock_panel import clock_notes, clock_section
from smallchange.server.table.view.clock_view import control_text
from smallchange.server.table.view.ending import result_section, split_verdict
from smallchange.server.table.view.log import earlier_link, log_rows, step_links
from smallchange.server.table.view.options import DEAL_WORDS, describe_options
from smallchange.server.table.view.panel import action_panel, looking_back, more_actions
from smallchange.server.table.view.remark_view import TEXTS as REMARK_TEXTS
from smallchange.server.table.view.seats import counts_text, seat_list, viewer_line
from smallchange.server.table.view.table_view import TableView
from smallchange.server.table.view.tallies import tally_section
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
        id: whole(fragment.draw(view, lang, drawn))
        for id, fragment in (SHARED_FRAGMENTS | SEAT_FRAGMENTS).items()
    }
    parts["actions"] = whole(action_panel(view, lang, drawn, pick))
    about = {
        "game": _base_game(view.game),
        "deal_word": DEAL_WORDS.get(view.origin.difficulty) if isinstance(view.origin, Fresh) else None,
        "variant": describe_options(view.game, view.options),
        "banked": len({area.seat for area in view.scene.areas}) > 2,  # a tray of each of two
        "many": len(drawn.svgs) > MAX_AREAS_BESIDE_BOARD,
        "below": len(view.seats) == 2
        and len(drawn.svgs) == 2,  # one tray is no lower than a wide board leaves
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


class Fragment(NamedTuple):
    """A part of the page: the function that draws it, and the fields of the view of the present that it shows.

    After the end of the match one that shows the outcome may show any field.
    """

    draw: Callable[[TableView, str, BoardDrawing], Markup]
    fields: frozenset[str]
    inputs: (
        Callable[[TableView], tuple[object, ...]] | None
    )  # these fields of a view; None if they never come again


@dataclass(slots=True)
class DrawnFragment:
    """A fragment, its hash, and the fields of the view from which it was drawn; `encoded` once it was sent."""

    inputs: tuple[object, ...]
    markup: Markup
    hash: int
    encoded: Any = None


class SeatFragments:
    """The fragments of one kind of viewer, each as it was drawn last and before that.

    The turn goes to and fro, so most of them are as they were two steps ago, and are not drawn again.
    """

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._drawn: dict[str, tuple[DrawnFragment, ...]] = {}

    def draw_changed(
        self, view: TableView, stage: BoardDrawing, known: Container[str], changed: AbstractSet[str]
    ) -> dict[str, DrawnFragment]:
        """Return those fragments that are not known, or that show one of these fields."""
        return {
            id: self._fragment(id, fragment, view, stage)
            for id, fragment in changed_fragments(SEAT_FRAGMENTS, view, known, changed)
        }

    def _fragment(self, id: str, fragment: Fragment, view: TableView, stage: BoardDrawing) -> DrawnFragment:
        if fragment.inputs is None:
            markup = fragment.draw(view, self._lang, stage)
            return DrawnFragment((), markup, hash(markup))
        inputs = (view,) if view.outcome else fragment.inputs(view)
        before = self._drawn.get(id, ())
        for one in before:
            if all(map(is_, one.inputs, inputs)):
                return one
        markup = fragment.draw(view, self._lang, stage)
        drawn = DrawnFragment(inputs, markup, hash(markup))
        self._drawn[id] = (drawn, *before[:1])
        return drawn


class SharedFragments(NamedTuple):
    """The fragments that all viewers of a table share, and the view from which they were drawn."""

    view: TableView
    stage: BoardDrawing
    parts: dict[str, Markup]


def shared_fragments(view: TableView, lang: str, before: SharedFragments | None = None) -> SharedFragments:
    """Draw the fragments that all viewers of this ply share. Of `before`, those are reused that would be the same."""
    if before is None:
        stage = draw_board(view, lang)
        return SharedFragments(view, stage, _draw(SHARED_FRAGMENTS.items(), view, lang, stage))
    changed, stage = changed_fields(before.view, view), before.stage
    if not STAGE_FIELDS.isdisjoint(changed):
        stage = draw_board(view, lang, before=stage)
    drawn = _draw(changed_fragments(SHARED_FRAGMENTS, view, before.parts, changed), view, lang, stage)
    return SharedFragments(view, stage, before.parts | drawn)


def all_fragments(view: TableView, lang: str) -> dict[str, Markup]:
    """Return all fragments of a table, by element id."""
    shared = shared_fragments(view, lang)
    return shared.parts | _draw(SEAT_FRAGMENTS.items(), view, lang, shared.stage)


def _draw(
    fragments: Iterable[tuple[str, Fragment]], view: TableView, lang: str, stage: BoardDrawing
) -> dict[str, Markup]:
    return {id: fragment.draw(view, lang, stage) for id, fragment in fragments}


def changed_fields(was: TableView | None, now: TableView) -> set[str]:
    """Return the names of the fields that may differ from an earlier view: those that are other objects."""
    if was is None:
        return set()
    return set(compress(TableView.__struct_fields__, map(is_not, astuple(was), astuple(now))))


def changed_fragments(
    fragments: Mapping[str, Fragment], view: TableView, known: Container[str], changed: AbstractSet[str]
) -> list[tuple[str, Fragment]]:
    """Return those fragments that are not known, or that show one of these fields."""
    if view.outcome and changed:
        changed = {*changed, "outcome"}
    return [
        (id, fragment)
        for id, fragment in fragments.items()
        if id not in known or not fragment.fields.isdisjoint(changed)
    ]


@cache
def _base_game(id: str) -> Game:
    """Return a game with its default options. To make one looks at files."""
    return Game(id)


def _viewer_line(view: TableView, lang: str) -> Filled:
    return Filled(viewer_line(view.game, view.seats, view.own_seats, view.back, lang))


def _seat_list(view: TableView, lang: str) -> Filled:
    rated = view.match if view.rated else ""
    called = _title_call(view)
    return Filled(seat_list(view.game, rated, view.seats, view.own_seats, view.presence, called, lang))


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
    return Part(opened, tray_figures(stage, lang, legend=False), closed)


def _legend(stage: BoardDrawing, lang: str) -> Part:
    return Part('<div id="legend">', tray_figures(stage, lang, legend=True), "</div>")


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


def _rule_line(view: TableView, lang: str) -> Filled:
    """Return the sentence that explains what can be done now. Where there is little room it is opened."""
    return _rule(None if view.back or view.outcome else view.decision, lang)


@lru_cache(maxsize=1024)
def _rule(decides: Text | None, lang: str) -> Filled:
    text = escape(decides[lang]) if decides else ""
    return Filled(
        f'<details id="rule" class="rule-line"{"" if text else " hidden"}><summary>{text}</summary></details>'
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
    if view.back:
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


def _fragment(draw: Callable[[TableView, str, BoardDrawing], Markup], fields: str) -> Fragment:
    named = fields.split()
    inputs = None if "ply" in named else attrgetter("game", *named)  # of at least two, to get a tuple
    return Fragment(draw, frozenset(named), inputs)


ON_STAGE = "scene turn log last_touched rolled_ids preview"  # the fields that the drawing of the board shows
STAGE_FIELDS = frozenset(ON_STAGE.split())
SHARED_FRAGMENTS: dict[str, Fragment] = {  # by id; none of them shows a field that differs between viewers
    "table-data": _fragment(lambda view, lang, _: _client_data(view), "ply at length"),
    "board": _fragment(lambda view, lang, stage: _board_section(stage.svgs[0], lang), ON_STAGE),
    "moves": _fragment(lambda view, lang, _: _move_count(view, lang), "log outcome"),
    "status": _fragment(lambda view, lang, _: _status_text(view, lang), "last_turn prompt outcome"),
    "rule": _fragment(lambda view, lang, _: _rule_line(view, lang), "back outcome decision"),
    "tally": _fragment(lambda view, lang, _: tally_section(view, lang), "tallies"),
    "trays": _fragment(lambda view, lang, stage: _tray_section(stage, lang), ON_STAGE),
    "legend": _fragment(lambda view, lang, stage: _legend(stage, lang), ON_STAGE),
    "steps": _fragment(lambda view, lang, _: step_links(view, lang), "at length by_memory"),
}
OFFERS = "possible_offers offer_text may_answer"
SEAT_FRAGMENTS: dict[str, Fragment] = {  # by id; they differ between viewers
    "notice": _fragment(
        lambda view, lang, _: _notices(view, lang),
        f"{OFFERS} origin sealed back started declined_text remarks clock outcome invite_path",
    ),
    "result": _fragment(lambda view, lang, _: result_section(view, lang), "outcome"),
    "clocks": _fragment(
        lambda view, lang, _: clock_section(view, lang), "clock back started seats own_seats tallies"
    ),
    "actions": _fragment(
        lambda view, lang, stage: action_panel(view, lang, stage, ()),
        f"{ON_STAGE} {OFFERS} ply seats own_seats started back choices decision phase undo_text undo_rule alone sealed"
        " outcome",
    ),
    "more-actions": _fragment(
        lambda view, lang, _: more_actions(view, lang),
        f"{OFFERS} own_seats started clock undo_rule alone may_resign sealed outcome",
    ),
    "viewer": _fragment(lambda view, lang, _: _viewer_line(view, lang), "seats own_seats back"),
    "seats": _fragment(
        lambda view, lang, _: _seat_list(view, lang),
        "seats own_seats started rated presence may_answer outcome",
    ),
}
