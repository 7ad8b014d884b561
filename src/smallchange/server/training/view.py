"""The pages of training: the games, a puzzle, and its solution. They work by links and one form, without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from smallchange.bots import puzzle_text
from smallchange.core.game import Game, Position
from smallchange.core.puzzle import Puzzle
from smallchange.core.training import Shown, Trained
from smallchange.i18n.text import Text, capital, plain
from smallchange.render.arrows import BETTER, PLAYED, draw_moves, is_touched
from smallchange.render.highlights import Link
from smallchange.render.scene import Scene, Touch, turn_area
from smallchange.render.svg import Marks, board_svg
from smallchange.server.table.view.board import link_touches, quarter_turns, token_touch
from smallchange.server.table.view.board_pictures import whole_board
from smallchange.server.table.view.options import chosen_words
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext, render_page

SOLVED_OF = Text("{n} of {total}")
PROVISIONAL = Text("about {n}", "a rating that is not sure yet")
OWN_MISTAKE = Text("From a game of yours.")
COMES_BACK = Text("This one comes back: you missed it before.")
LOOKS = {  # of the board of a solution
    (BEFORE := "before"): Text("Before the move"),
    (YOURS := "yours"): Text("After your move"),
    (BEST := "best"): Text("After the best move"),
}
MARK = "mark."  # begins the name of a field of a form: a move that the player would consider
YOUR_RATING = Text("Your rating in training: {n}")


class Drawn(NamedTuple):
    """The board and the trays of a position."""

    board: Markup
    trays: list[tuple[Text, Markup]]


def puzzle_path(game: str, id: str, **query: str) -> str:
    """Return the path of a puzzle."""
    return f"/train/{game}/{id}" + (f"?{urlencode(query)}" if query else "")


def solution_path(puzzle: Puzzle, answer: str, fields: Iterable[str]) -> str:
    """Return the path of a solution, with the marks among the fields of a form. Refuse moves that are not possible."""
    marks = _read_marks(fields)
    _require_legal(puzzle, answer, *marks.values())
    return puzzle_path(puzzle.game.id, puzzle.id, answer=answer, **marks)


def _read_marks(fields: Iterable[str]) -> dict[str, str]:
    """Return the fields of moves that the player would consider, as `mark.e1=e1`."""
    return {name: name.removeprefix(MARK) for name in fields if name.startswith(MARK)}


def _require_legal(puzzle: Puzzle, *tokens: str) -> None:
    legal = puzzle.position.legal()
    for token in tokens:
        if token not in legal:
            raise Refused(ErrorCode.ILLEGAL, token=token, legal=", ".join(legal))


def overview_page(trained: Sequence[Trained], today: Puzzle | None, visit: PageContext) -> str:
    """Return the page of all games to train, with the puzzle of the day."""
    cards = [
        (
            one,
            Game(one.game),
            whole_board(one.game, visit.lang),
            _rating(one),
            SOLVED_OF.fill(n=one.standing.solved, total=one.standing.tried),
        )
        for one in trained
    ]
    return render_page(
        "training.html",
        visit,
        p.TRAIN,
        words=puzzle_text,
        cards=cards,
        today=today,
        today_board=_draw(today.position, 0, visit.lang).board if today else None,
    )


def _rating(one: Trained | Shown) -> Text | None:
    """Return the rating of a holder; None before the first try."""
    rating = one.standing.rating
    points = round(rating.points)
    if not one.standing.tried:
        return None
    return PROVISIONAL.fill(n=points) if rating.provisional else plain(points)


def page_of_puzzle(shown: Shown, query: Mapping[str, str], visit: PageContext) -> str:
    """Return a puzzle; with `answer` the solution, seen before the choice or after one of both moves (`look`).

    `choice` is a move that a page without script asks to confirm; `mark.e1` one that was marked. Refuse a move that is
    not possible.
    """
    position = shown.puzzle.position
    turn = quarter_turns(position.game, [position.s.turn]) if visit.preferences["own_side"] == "on" else 0
    answer, choice, marks = query.get("answer", ""), query.get("choice", ""), _read_marks(query)
    if (look := query.get("look", BEFORE)) not in LOOKS:
        raise Refused(ErrorCode.NO_PAGE)
    _require_legal(shown.puzzle, *filter(None, (answer, choice)), *marks.values())
    if answer:
        return answer_page(shown, answer, marks, look, turn, visit)
    return puzzle_page(shown, choice, marks, turn, visit)


def puzzle_page(shown: Shown, choice: str, marked: Mapping[str, str], turn: int, visit: PageContext) -> str:
    """Return the page of a puzzle. `choice` is a move to confirm; `visit.pick` are the things touched so far."""
    puzzle = shown.puzzle
    position, of = puzzle.position, (puzzle.game.id, puzzle.id)
    path, marks, moves = puzzle_path(*of), Marks(), {}
    if choice:
        moves = {PLAYED: token_touch(position, choice)}
    else:
        marks = link_touches(
            position,
            visit,
            lambda token: Link(
                puzzle_path(*of, choice=token, **marked), position.describe(token)[visit.lang], token
            ),
            lambda pick: (  # where keys go on
                f"{path}?{urlencode([*(('pick', id) for id in pick), *marked.items()])}#answer"
            ),
        )
    return _render(
        "puzzle.html",
        shown,
        visit,
        side=position.game.words.PLAYERS[position.actor or ""] if len(position.game.seats) > 1 else None,
        question=position.game.words.asks(position.game.board, position.s),
        phase=position.game.words.phase(position.game.board, position.s),
        note=_note(shown),
        drawn=_draw(position, turn, visit.lang, marks, moves),
        confirm=(choice, position.describe(choice)) if choice else None,
        moves=[(token, capital(position.describe(token))) for token in position.legal()],
        marked=[*marked.values()],
    )


def _render(template: str, shown: Shown, visit: PageContext, **more: Any) -> str:
    puzzle = shown.puzzle
    game, rating = puzzle.game, _rating(shown)
    return render_page(
        template,
        visit,
        p.TRAIN_GAME.fill(game=game.words.TITLE),
        words=puzzle_text,
        puzzle=puzzle,
        path=puzzle_path(game.id, puzzle.id),
        variant=capital(chosen_words(game)) if game.non_default_options else None,
        rating=YOUR_RATING.fill(n=rating) if rating else None,
        **more,
    )


def _note(shown: Shown) -> Text | None:
    if shown.card and shown.card.content:
        return OWN_MISTAKE
    return COMES_BACK if shown.card and shown.card.due is not None else None


def answer_page(
    shown: Shown, answer: str, marked: Mapping[str, str], look: str, turn: int, visit: PageContext
) -> str:
    """Return the solution of a puzzle after an answer, with the board as one wants to see it."""
    puzzle = shown.puzzle
    position, right = puzzle.position, answer == puzzle.best
    moves = {PLAYED: token_touch(position, answer)} | (
        {} if right else {BETTER: token_touch(position, puzzle.best)}
    )
    here = position
    if look != BEFORE:
        here, moves = position.played(puzzle.best if look == BEST else answer), {}
    of = (puzzle.game.id, puzzle.id)
    return _render(
        "solution.html",
        shown,
        visit,
        right=right,
        drawn=_draw(here, turn, visit.lang, moves=moves),
        answer=capital(position.describe(answer)),
        best=capital(position.describe(puzzle.best)),
        considered=puzzle_text.considered_text(puzzle, answer, marked.values()),
        odds=puzzle_text.puzzle_odds_text(puzzle),
        why=puzzle_text.why_text(puzzle, answer),
        sure=puzzle_text.certainty_text(puzzle),
        theme=puzzle_text.THEME.fill(theme=puzzle.theme_text) if puzzle.theme else None,
        again=shown.card.memory.days if shown.card and shown.card.due is not None else None,
        looks=[
            (text, puzzle_path(*of, answer=answer, look=one, **marked), one == look)
            for one, text in LOOKS.items()
            if one != YOURS or not right
        ],
    )


def _draw(
    position: Position,
    turn: int,
    lang: str,
    marks: Marks | None = None,
    moves: dict[str, Touch] | None = None,
) -> Drawn:
    """Draw a position, with the trays that something happens on, or that can be touched."""
    game = position.game
    scene: Scene = game.layout.scene(game.board, position.s)
    board, *trays = scene.areas
    turned = replace(scene, areas=(turn_area(board, turn), *trays))
    arrows, full = moves or {}, {piece.spot for piece in scene.pieces}
    drawn = [
        (
            area.text,
            Markup(board_svg(area, turned, lang, marks or Marks(), over=draw_moves(area, turned, arrows))),
            is_touched(area, scene, list(arrows.values())) or any(spot.id in full for spot in area.spots),
        )
        for area in turned.areas
    ]
    return Drawn(drawn[0][1], [(text, svg) for text, svg, needed in drawn[1:] if needed])
