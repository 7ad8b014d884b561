"""The analysis board: any line of moves and throws from a position, with notes; and the explorer of a solved game.

It works by links alone: the address of a page has the whole variation. While a match by correspondence runs, its
players have the board without any odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import SystemRandom
from typing import NamedTuple
from urllib.parse import urlencode
from zlib import crc32

from markupsafe import Markup

from smallchange.bots.analysis import MoveChance, outcome_chances
from smallchange.bots.levels import percentage
from smallchange.bots.review import MIN_COST
from smallchange.bots.review_text import odds_text
from smallchange.bots.solved_values import SolvedValues
from smallchange.core.game import Game, Position
from smallchange.core.match import Match
from smallchange.i18n.text import Text, capital, plain
from smallchange.render.arrows import BETTER, PLAYED, POINTING, draw_by_hand, draw_moves, middles
from smallchange.render.highlights import Link
from smallchange.render.scene import Area, Scene, turn_area
from smallchange.render.svg import board_svg
from smallchange.server.table.view.board import link_touches, token_touch
from smallchange.server.table.view.options import chosen_words
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import (
    PageContext,
    analysis_path,
    explorer_path,
    render_page,
    whole_number,
)
from smallchange.tablebase.table import Value, goodness

MAX_LINE = 500  # tokens of a position to explore
MAX_BY_HAND = 40  # arrows and rings drawn over a board
MAX_LISTED = 120  # moves, or outcomes of chance
MAX_NOTE = 200  # characters
MAX_NOTES = 6  # of a variation, so that its address stays short
MAX_PATH = 1500  # characters of what is shown to others, so that a notice is short
POINTS_AT = Text("{who} points at {place}.")


class Point(NamedTuple):
    """A place, or two with a blank between, that somebody points at. `name` is that of an account, or ""."""

    mark: str
    who: str
    name: str
    at: int

    @property
    def colour(self) -> int:
        """The number of a colour, which is the same for all that one person points at."""
        return crc32(self.who.encode())


@dataclass
class SharedBoard:
    """The present state of a shared board: the path of an analysis, "" before the first, and the points on it."""

    path: str = ""
    points: tuple[Point, ...] = ()

    @property
    def version(self) -> str:
        """A digest of path and points, which changes with them."""
        return f"{crc32(repr((self.path, self.points)).encode()):x}"


def follow_code(match: str, key: str) -> str:
    """Return the code to follow a board by, for the key to lead it by."""
    return sha256(f"{match} {key}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Variation:
    """A line of moves and throws of one's own: `tokens` after `at` steps of a match, of which `shown` are played.

    `notes` are by the number of tokens played. `by_hand` is drawn over the position that is shown, and over no other.
    `group` is "lead" and the key of a board that others follow, or "follow" and its code. `board` is what it shows,
    None for who has left it.
    """

    match: str
    at: int
    tokens: tuple[str, ...] = ()
    shown: int = 0
    notes: Mapping[int, str] = field(default_factory=dict)
    by_hand: tuple[str, ...] = ()
    group: tuple[str, str] | None = None
    board: SharedBoard | None = None

    @property
    def played(self) -> tuple[str, ...]:
        """The tokens up to the position that is shown."""
        return self.tokens[: self.shown]

    def path(self, shown: int | None = None, pick: Sequence[str] = ()) -> str:
        """Return the path of the page after the first `shown` tokens, with the pieces of `pick` picked."""
        shown = self.shown if shown is None else shown
        more = [("to", str(shown))] * (shown < len(self.tokens))
        more += [("note", f"{n} {note}") for n, note in sorted(self.notes.items())]
        more += [self.group] if self.group else []
        return analysis_path(self.match, self.at, self.tokens, pick) + (f"&{urlencode(more)}" if more else "")

    @property
    def shared_path(self) -> str:
        """The path of the page for those who follow."""
        return "".join(
            [replace(self, group=None).path(), *(f"&{urlencode({'mark': ids})}" for ids in self.by_hand)]
        )

    def own_moves(self, at: int) -> str:
        """Return the path of the page after `at` steps of the match."""
        return Variation(self.match, at, group=self.group).path()

    def play(self, token: str) -> Variation:
        """Return the variation after one more token. Another one than before ends the line there."""
        if token in self.tokens[self.shown : self.shown + 1]:
            return replace(self, shown=self.shown + 1)
        notes = {n: note for n, note in self.notes.items() if n <= self.shown}
        return replace(self, tokens=(*self.played, token), shown=self.shown + 1, notes=notes)

    def add_note(self, note: str) -> Variation:
        """Return the variation with this note on the position that is shown, without one if it is empty."""
        words = " ".join(note.split())[:MAX_NOTE]
        notes = {n: text for n, text in self.notes.items() if n != self.shown}
        return replace(self, notes=notes | ({self.shown: words} if words else {}))

    def position(self, match: Match) -> Position | None:
        """Return the position that is shown; None if one of the tokens is not possible."""
        position = match.until(self.at).position.copy()
        shown = position.copy()
        try:
            for n, token in enumerate(self.tokens, 1):
                position.play(token)
                shown = position.copy() if n == self.shown else shown
        except ValueError:
            return None
        return shown


def read_variation(match: str, length: int, query: Sequence[tuple[str, str]]) -> Variation | None:
    """Return the variation in a query. `length` counts the steps of its match. None if a number is out of range."""
    fields = dict(query)
    at = whole_number(fields.get("at", str(length)))
    tokens = tuple(fields.get("line", "").split())
    shown = whole_number(fields.get("to", str(len(tokens))))
    if at is None or at > length or len(tokens) > MAX_LINE or shown is None or shown > len(tokens):
        return None
    group = next(((name, fields[name]) for name in ("lead", "follow") if name in fields), None)
    line = Variation(match, at, tokens, by_hand=marks_of(query), group=group)
    for note in [text for name, text in query if name == "note"][:MAX_NOTES]:
        number, _, words = note.partition(" ")
        if (n := whole_number(number)) is not None and n <= len(tokens):
            line = replace(line, shown=n).add_note(words)
    return replace(line, shown=shown)


def go_on(line: Variation, position: Position, query: Mapping[str, str]) -> Variation | None:
    """Return the variation with the note of a query, or after a throw; None if the query asks for neither."""
    if "text" in query:
        return line.add_note(query["text"])
    if "throw" in query and position.actor == "chance":
        tokens, weights = zip(*position.weights(), strict=True)
        return line.play(SystemRandom().choices(tokens, weights)[0])
    return None


def marks_of(query: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the arrows and rings of an address."""
    return tuple([text for name, text in query if name == "mark"][:MAX_BY_HAND])


class VariationStep(NamedTuple):
    """A step of a variation: its words, the page after it, whether it is the one that is shown, and its note."""

    words: Text
    path: str
    is_shown: bool
    note: str


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
    match: Match,
    line: Variation,
    position: Position,
    found: Sequence[MoveChance] | None,
    refused: bool,
    running: bool,
    turn: int,
    visit: PageContext,
) -> str:
    """Return the page of a position.

    `found` are its moves with their odds, None while there are none; `refused`: none are worked out now. `running`:
    the match goes on, and there are none at all. `turn` are the quarters by which the board is turned.
    """
    game, at = match.game, line.at
    scene: Scene = game.layout.scene(game.board, position.s)
    board, *trays = scene.areas
    turned = replace(scene, areas=(turn_area(board, turn), *trays))
    drawn = _drawn_moves(match, line, position, found)
    arrows = {look: token_touch(position, token) for look, token in drawn.items()}
    points = _points(line.board.points if line.board else (), turned)
    marks = link_touches(
        position,
        visit,
        lambda token: Link(line.play(token).path(), position.describe(token)[visit.lang]),
        lambda pick: line.path(pick=pick),
    )

    def draw(area: Area) -> Markup:
        over = draw_moves(area, turned, arrows) + draw_by_hand(area, turned, line.by_hand)
        over += "".join(draw_by_hand(area, turned, [mark], look) for mark, look, _ in points)
        return Markup(board_svg(area, turned, visit.lang, marks, over))

    is_chance = position.actor == "chance"
    moves = _outcomes(line, position) if is_chance else _moves(line, position, found, drawn)
    leads, key = (line.group[0] == "lead", line.group[1]) if line.group else (False, "")
    waits = found is None and not refused and not running and bool(position.legal())
    return render_page(
        "analysis.html",
        visit,
        p.OF_GAME.fill(game=game.words.TITLE, what=p.TRY_MOVES if running else p.REVIEW),
        match=line.match,
        where=_place(match, line),
        line=line,
        steps=_steps(match, line),
        max_note=MAX_NOTE,
        may_note=not waits and (line.shown in line.notes or len(line.notes) < MAX_NOTES),
        asks=_question(position),
        is_chance=is_chance,
        board=draw(turned.areas[0]),
        middles=middles(turned.areas[0]),
        trays=[(area.text, draw(area)) for area in trays],
        moves=moves,
        waits=waits,
        refused=refused,
        running=running,
        throw=line.path() + "&throw=1" if is_chance else "",
        back=_path_back(line),
        on=_path_on(line, len(match)),
        main=line.own_moves(at) if line.tokens else "",
        leads=leads,
        code=follow_code(line.match, key) if leads else key,
        points=points,
        too_long=len(line.shared_path) > MAX_PATH,
    )


def _points(points: Sequence[Point], scene: Scene) -> list[tuple[str, str, Text]]:
    """Return each point on the board: its places, the look of its drawing, and a sentence with its author."""
    places, found = scene.areas[0].by_id, []
    for point in points:
        ids = point.mark.split()[:2]
        if ids and all(id in places for id in ids):
            who = plain(point.name) if point.name else p.A_PERSON
            said = capital(POINTS_AT.fill(who=who, place=places[ids[-1]].text))
            found.append((point.mark, POINTING[point.colour % len(POINTING)], said))
    return found


def _place(match: Match, line: Variation) -> Text:
    """Say where in the match the position is, by the number of the move."""
    move = sum(step.actor != "chance" for step in match.steps[: line.at])
    if line.shown:
        return p.VARIATION_AFTER.fill(n=line.shown, move=move)
    return p.AFTER_MOVE.fill(n=move)


def _steps(match: Match, line: Variation) -> list[VariationStep]:
    """Return the steps of a variation."""
    position, steps = match.until(line.at).position.copy(), list[VariationStep]()
    for n, token in enumerate(line.tokens, 1):
        words = capital(position.describe(token))
        steps.append(VariationStep(words, line.path(n), n == line.shown, line.notes.get(n, "")))
        position.play(token)
    return steps


def _drawn_moves(
    match: Match, line: Variation, position: Position, found: Sequence[MoveChance] | None
) -> dict[str, str]:
    """Return the moves that are drawn on the board, by look: the one that was played, and a best one that is better."""
    if position.actor in (None, "chance"):
        return {}
    own = not line.shown and line.at < len(match)
    drawn = {PLAYED: match.steps[line.at].token} if own else {}
    odds = {row.token: row.chance for row in found or () if row.chance is not None}
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


def _path_back(line: Variation) -> str:
    if line.shown:
        return line.path(line.shown - 1)
    return line.own_moves(line.at - 1) if line.at else ""


def _path_on(line: Variation, length: int) -> str:
    if line.shown < len(line.tokens):
        return line.path(line.shown + 1)
    return line.own_moves(line.at + 1) if not line.tokens and line.at < length else ""


def _moves(
    line: Variation, position: Position, found: Sequence[MoveChance] | None, drawn: Mapping[str, str]
) -> list[AnalysedMove]:
    looks = {token: look for look, token in drawn.items()}
    rows = found or [MoveChance(token, None) for token in position.legal()]
    return [
        AnalysedMove(
            capital(position.describe(row.token)),
            line.play(row.token).path(),
            odds_text(row.chance) if found else None,
            round(100 * (row.chance or 0.0)),
            looks.get(row.token, ""),
        )
        for row in rows[:MAX_LISTED]
    ]


def _outcomes(line: Variation, position: Position) -> list[AnalysedMove]:
    return [
        AnalysedMove(
            capital(position.describe(token)),
            line.play(token).path(),
            percentage(odds, fine=1),
            round(100 * odds),
        )
        for token, odds in outcome_chances(position)[:MAX_LISTED]
    ]


VALUES = {
    "win": (p.VALUE_WON, p.VALUE_WON_IN),
    "draw": (p.VALUE_DRAWN, p.VALUE_DRAWN),
    "loss": (p.VALUE_LOST, p.VALUE_LOST_IN),
}


class ExploredMove(NamedTuple):
    """A move: its words, the page after it, its value in words, and "win", "draw", "loss" or "" for its look."""

    words: Text
    path: str
    value: Text
    outcome: str


def explorer_page(
    game: Game, line: Sequence[str], position: Position, found: SolvedValues | None, visit: PageContext
) -> str:
    """Return the page of the position after the tokens of a line. `found` is None at the end of a match."""
    scene = game.layout.scene(game.board, position.s)
    marks = link_touches(
        position,
        visit,
        lambda token: Link(explorer_path(game, (*line, token)), position.describe(token)[visit.lang]),
        lambda pick: explorer_path(game, line, pick),
    )
    moves = [
        ExploredMove(
            capital(position.describe(token)),
            explorer_path(game, (*line, token)),
            value_text(value),
            value.outcome if value else "",
        )
        for token, value in sorted(found.moves.items() if found else (), key=_worst_last)
    ]
    value = found and found.value
    if found is None:
        summary = capital(game.words.ending(game.board, position.s))
    else:
        player = capital(game.words.PLAYERS[game.seats[position.s.turn]])
        summary = p.VALUE_OF_POSITION.fill(player=player, value=value_text(value))
    return render_page(
        "explorer.html",
        visit,
        p.EXPLORE_GAME.fill(game=game.words.TITLE),
        game=game,
        variant=capital(chosen_words(game)),
        board=Markup(board_svg(scene.areas[0], scene, visit.lang, marks)),
        moves=moves,
        summary=summary,
        outcome=value.outcome if value else "",
        unknown=found is not None and value is None,
        start=explorer_path(game, ()) if line else "",
        back=explorer_path(game, line[:-1]) if line else "",
    )


def being_solved_page(game: Game, visit: PageContext, query: str) -> str:
    """Return the page that says that a board is being solved, and asks again. `query` has the options of the form."""
    return render_page(
        "difficulty.html",
        visit,
        p.EXPLORE_GAME.fill(game=game.words.TITLE),
        game=game,
        options=capital(chosen_words(game)),
        said=[p.BEING_SOLVED],
        waits=True,
        query=query,
    )


def value_text(value: Value | None) -> Text:
    """Say a value in words."""
    if value is None:
        return p.VALUE_UNKNOWN
    plain, measured = VALUES[value.outcome]
    return measured.fill(n=value.plies) if value.plies else plain


def _worst_last(move: tuple[str, Value | None]) -> tuple[float, str]:
    token, value = move
    return (-goodness(value) if value else float("inf"), token)
