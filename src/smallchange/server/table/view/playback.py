"""Playback: the turns that a page has not shown yet, drawn one after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from smallchange.i18n.text import plain
from smallchange.render.markup_diff import Markup, changes
from smallchange.render.piece_names import fill_phrase
from smallchange.server.table.view.board import draw_board
from smallchange.server.table.view.table_page import shared_parts
from smallchange.server.table.view.table_view import TableView
from smallchange.server.table.view.timeline import MAX_LISTED_CHANCE_STEPS, SENTENCE, Timeline, Turn

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
