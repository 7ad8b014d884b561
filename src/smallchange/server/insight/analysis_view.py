"""The analysis board of an ended match: any line of moves and throws from its positions. It works by links alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from smallchange.bots.analysis import MoveOdds, outcome_odds
from smallchange.bots.levels import percentage
from smallchange.bots.review import MIN_COST
from smallchange.bots.review_text import odds_text
from smallchange.core.game import Position
from smallchange.core.match import Match
from smallchange.i18n.text import Text, capital
from smallchange.render.arrows import BETTER, PLAYED, draw_moves
from smallchange.render.highlights import Link
from smallchange.render.scene import Area, Scene, turn_area
from smallchange.render.svg import board_svg
from smallchange.server.table.view.board import link_touches, token_touch
from smallchange.server.table.view.ending import review_title
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page
from smallchange.server.web.paths import analysis_path

MAX_LISTED = 120  # moves, or outcomes of chance

Line = tuple[int, Sequence[str]]  # steps of the match, and the tokens after them


class AnalysedMove(NamedTuple):
    """A move or an outcome of chance: its words, the page after it, its odds in words, and in percent for a bar.

    `look` is that of its arrow on the board, "" without one.
    """

    words: Text
    path: str
    odds: Text | None
    width: int
    look: str = ""


def analysis_page(
    id: str,
    match: Match,
    line: Line,
    position: Position,
    found: Sequence[MoveOdds] | None,
    refused: bool,
    turn: int,
    visit: PageContext,
) -> str:
    """Return the page of a position.

    `found` are its moves with their odds, None while there are none; `refused`: none are worked out now. `turn`
    are the quarters by which the board is turned.
    """
    game, (at, tokens) = match.game, line
    scene: Scene = game.layout.scene(game.board, position.s)
    board, *trays = scene.areas
    turned = replace(scene, areas=(turn_area(board, turn), *trays))
    drawn = _drawn_moves(match, line, position, found)
    arrows = {look: token_touch(position, token) for look, token in drawn.items()}
    marks = link_touches(
        position,
        visit,
        lambda token: Link(analysis_path(id, at, [*tokens, token]), position.describe(token)[visit.lang]),
        lambda pick: analysis_path(id, at, tokens, pick),
    )

    def draw(area: Area) -> Markup:
        return Markup(board_svg(area, turned, visit.lang, marks, draw_moves(area, turned, arrows)))

    is_chance = position.actor == "chance"
    moves = _outcomes(id, line, position) if is_chance else _moves(id, line, position, found, drawn)
    waits = found is None and not refused and bool(position.legal())
    return render_page(
        "analysis.html",
        visit,
        p.OF_GAME.fill(game=game.words.TITLE, what=p.ANALYSIS),
        match=id,
        review_name=review_title(bool(game.sources)),
        where=_place(match, line),
        variation=_variation(id, match, line),
        asks=_question(position),
        is_chance=is_chance,
        board=draw(turned.areas[0]),
        trays=[(area.text, draw(area)) for area in trays],
        moves=moves,
        waits=waits,
        refused=refused,
        throw=analysis_path(id, at, tokens) + "&throw=1" if is_chance else "",
        back=_path_back(id, line),
        on=analysis_path(id, at + 1) if not tokens and at < len(match) else "",
        main=analysis_path(id, at) if tokens else "",
    )


def _place(match: Match, line: Line) -> Text:
    """Say where in the match the position is, by the number of the move."""
    at, tokens = line
    move = sum(step.actor != "chance" for step in match.steps[:at])
    if tokens:
        return p.VARIATION_AFTER.fill(n=len(tokens), move=move)
    return p.AFTER_MOVE.fill(n=move)


def _variation(id: str, match: Match, line: Line) -> list[AnalysedMove]:
    """Return the steps of a variation, each with the page after it."""
    at, tokens = line
    position, steps = match.until(at).position.copy(), list[AnalysedMove]()
    for n, token in enumerate(tokens, 1):
        words = capital(position.describe(token))
        steps.append(AnalysedMove(words, analysis_path(id, at, tokens[:n]), None, 0))
        position.play(token)
    return steps


def _drawn_moves(
    match: Match, line: Line, position: Position, found: Sequence[MoveOdds] | None
) -> dict[str, str]:
    """Return the moves that are drawn on the board, by look: the one that was played, and a best one that is better."""
    at, tokens = line
    if position.actor in (None, "chance"):
        return {}
    own = not tokens and at < len(match)
    drawn = {PLAYED: match.steps[at].token} if own else {}
    odds = {row.token: row.odds for row in found or () if row.odds is not None}
    if odds:
        best = max(odds, key=lambda token: odds[token])
        others = odds[drawn[PLAYED]] if own and drawn[PLAYED] in odds else min(odds.values())
        if odds[best] - others >= MIN_COST:
            drawn[BETTER] = best
    return drawn


def _question(position: Position) -> Text:
    """Say who is to do what, or how the game ended."""
    words, board = position.game.words, position.game.board
    if position.actor is None:
        return capital(words.ending(board, position.s))
    if position.actor == "chance":
        return p.CHANCE_ANSWERS
    asks: Text = words.asks(board, position.s)
    return asks


def _path_back(id: str, line: Line) -> str:
    at, tokens = line
    if tokens:
        return analysis_path(id, at, tokens[:-1])
    return analysis_path(id, at - 1) if at else ""


def _moves(
    id: str, line: Line, position: Position, found: Sequence[MoveOdds] | None, drawn: Mapping[str, str]
) -> list[AnalysedMove]:
    (at, tokens), looks = line, {token: look for look, token in drawn.items()}
    rows = found or [MoveOdds(token, None) for token in position.legal()]
    return [
        AnalysedMove(
            capital(position.describe(row.token)),
            analysis_path(id, at, [*tokens, row.token]),
            odds_text(row.odds) if found else None,
            round(100 * (row.odds or 0.0)),
            looks.get(row.token, ""),
        )
        for row in rows[:MAX_LISTED]
    ]


def _outcomes(id: str, line: Line, position: Position) -> list[AnalysedMove]:
    at, tokens = line
    return [
        AnalysedMove(
            capital(position.describe(token)),
            analysis_path(id, at, [*tokens, token]),
            percentage(odds, fine=1),
            round(100 * odds),
        )
        for token, odds in outcome_odds(position)[:MAX_LISTED]
    ]
