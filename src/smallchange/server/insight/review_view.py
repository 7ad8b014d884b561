"""The review of an ended match: the odds, the board before a choice, the turning points, every choice, and a tip.

Every choice is a link to this page with the board before it, so the page works without scripts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from smallchange.bots import review_text as reviewed
from smallchange.bots.levels import description, is_explorable, judge_of
from smallchange.bots.reasons import comparison_text
from smallchange.bots.review import MIN_COST, Account, Choice, accounts, choices, move_number
from smallchange.bots.review_text import BECAUSE, odds_text
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.core.puzzle import has_puzzles
from smallchange.i18n.text import Plural, Text, capital
from smallchange.render.area_markup import piles
from smallchange.render.arrows import BETTER, PLAYED, draw_by_hand, draw_moves, is_touched, middles
from smallchange.render.scene import Area, Scene, turn_area
from smallchange.render.svg import board_svg
from smallchange.server.table.view import board as signs
from smallchange.server.table.view.board import dice_row, token_touch
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import (
    PageContext,
    analysis_path,
    command_button,
    escape,
    explorer_path,
    render_page,
)

TURNING_POINTS = 3  # shown first
MISTAKES = (MIN_COST, 0.1, 0.25)  # the least costs of three kinds
MISTAKE_COUNT = Plural("{n} mistake, at move {move}.", "{n} mistakes, the largest at move {move}.")


class ReviewedChoice(NamedTuple):
    """A choice in the review: steps before it, the number of the move, the move and the best one, odds, points lost."""

    at: int
    number: int
    player: str
    token: str
    move: Text
    odds: Text
    best: str
    better: Text
    best_odds: Text
    cost: float
    lost: str


class ReviewedAccount(NamedTuple):
    """The account of a player: whose it is, None in a game for one, two sentences, and the terms of its sum."""

    who: Text | None
    text: Text
    terms: list[reviewed.Term]
    mistakes: Text | None


class ShownChoice(NamedTuple):
    """The choice that is looked at: its words, the board and the trays before it, and the choices beside it."""

    choice: ReviewedChoice
    place: int  # among all choices, from 1
    who: Text | None
    why: Text | None  # the better move is better
    board: Markup
    middles: str  # of its spots
    trays: list[tuple[Text, Markup]]
    before: int | None
    after: int | None


def review_progress_page(
    id: str,
    match: Match,
    found: Sequence[Choice],
    total: int,
    visit: PageContext,
    held: Collection[int] = (),
) -> str:
    """Return the page that shows how many choices have been judged, and which of them gave most away so far."""
    return render_page(
        "reviewing.html",
        visit,
        _page_title(match.game),
        match=id,
        done=len(found),
        total=total,
        turning=turning_points(reviewed_choices(match, found), match.game, held),
        signed=lambda text: Markup(signs.with_signs(text[visit.lang], match.game.id, visit.lang)),
    )


def _page_title(game: Game) -> Text:
    return p.OF_GAME.fill(game=game.words.TITLE, what=p.REVIEW)


def review_page(
    id: str,
    match: Match,
    found: Sequence[Choice],
    visit: PageContext,
    held: Collection[int] = (),
    at: int | None = None,
    turn: int = 0,
    by_hand: Sequence[str] = (),
) -> str:
    """Return the review of a match with the board before the choice after `at` steps.

    Without `at`, or where there was no choice, it is the costliest one, or else the last choice. `held`
    are the visitor's seats; `turn` the quarters by which the board is turned; `by_hand` what is drawn over it.
    """
    game = match.game
    rows = reviewed_choices(match, found)
    turning = turning_points(rows, game, held)
    default = max(turning, key=lambda row: row.cost, default=None)
    shown = next((row for row in rows if row.at == at), None) or default or next(iter(rows[-1:]), None)
    return render_page(
        "review.html",
        visit,
        _page_title(game),
        words=reviewed,
        match=id,
        sums=[_account(account, game, rows, held) for account in accounts(match, found)],
        choices=rows,
        turning=turning,
        shown=_shown_choice(match, rows, shown, turn, visit.lang, by_hand) if shown else None,
        course=Markup(odds_chart(id, match, found, shown.at if shown else 0)),
        explore=_explorer_path(match, shown.at if shown else 0) if is_explorable(game) else "",
        train=f"/train/{game.id}" if has_puzzles(game.id) and not visit.offline else "",
        explanation=p.ABOUT_REVIEW.fill(points=round(100 * MIN_COST)),
        searched=capital(description(judge_of(game))),
        caution=reviewed.caveats(match, found),
        signed=lambda text: Markup(signs.with_signs(text[visit.lang], game.id, visit.lang)),
        analysis=lambda at: analysis_path(id, at),
        retry=lambda at, look="": Markup(
            command_button(id, "fork", p.TRY_AGAIN_HERE[visit.lang], f'name="at" value="{at}"', look)
        ),
    )


def _account(
    account: Account, game: Game, rows: Sequence[ReviewedChoice], held: Collection[int]
) -> ReviewedAccount:
    yours = list(held) == [game.seats.index(account.player)]
    who = capital(game.words.PLAYERS[account.player]) if len(game.seats) > 1 else None
    if who and yours:
        who = p.OPTION.fill(name=who, value=p.YOU)
    costly = [row for row in rows if row.cost and row.player == account.player]
    worst = max(costly, key=lambda row: row.cost, default=None)
    return ReviewedAccount(
        who,
        reviewed.account_text(account, game, yours),
        reviewed.account_terms(account, game),
        MISTAKE_COUNT.fill(n=len(costly), move=worst.number) if worst else None,
    )


def turning_points(rows: Sequence[ReviewedChoice], game: Game, held: Collection[int]) -> list[ReviewedChoice]:
    """Return the choices that gave most away, in their order: the visitor's own, if they held one seat and any is."""
    costly = [row for row in rows if row.cost]
    if len(held) == 1:
        costly = [row for row in costly if game.seats.index(row.player) in held] or costly
    worst = sorted(costly, key=lambda row: (-row.cost, row.at))[:TURNING_POINTS]
    return sorted(worst, key=lambda row: row.at)


def _shown_choice(
    match: Match,
    rows: Sequence[ReviewedChoice],
    row: ReviewedChoice,
    turn: int,
    lang: str,
    by_hand: Sequence[str],
) -> ShownChoice:
    """Draw the board before a choice, with the move that was played and the better one."""
    game, place = match.game, rows.index(row)
    position = match.until(row.at).position
    scene: Scene = game.layout.scene(game.board, position.s)
    moves = {PLAYED: token_touch(position, row.token)}
    if row.lost:
        moves[BETTER] = token_touch(position, row.best)
    board, *trays = scene.areas
    turned = replace(scene, areas=(turn_area(board, turn), *trays))

    def draw(area: Area) -> Markup:
        over = draw_moves(area, turned, moves) + draw_by_hand(area, turned, by_hand)
        return Markup(board_svg(area, turned, lang, over=over))

    on = piles(scene)
    needed = [area for area in trays if is_touched(area, scene, list(moves.values())) or dice_row(area, on)]
    return ShownChoice(
        row,
        place + 1,
        capital(game.words.PLAYERS[row.player]) if len(game.seats) > 1 else None,
        comparison_text(position, row.best, row.token) if row.lost else None,
        draw(turned.areas[0]),
        middles(turned.areas[0]),
        [(area.text, draw(area)) for area in needed],
        rows[place - 1].at if place else None,
        rows[place + 1].at if place + 1 < len(rows) else None,
    )


def _explorer_path(match: Match, at: int) -> str:
    """Return the path of the explorer after so many steps."""
    return explorer_path(match.game, [step.token for step in match.steps[:at]])


def reviewed_choices(match: Match, found: Sequence[Choice]) -> list[ReviewedChoice]:
    """Return every choice in words."""
    where = dict(choices(match))
    return [
        ReviewedChoice(
            choice.at,
            move_number(match, choice.at),
            choice.player,
            choice.token,
            where[choice.at].describe(choice.token),
            reviewed.odds_text(choice.chance),
            choice.best,
            where[choice.at].describe(choice.best),
            reviewed.odds_text(choice.better),
            choice.cost,
            f"\N{MINUS SIGN}{lost}" if (lost := reviewed.cost_text(choice)) else "",
        )
        for choice in found
    ]


def odds_chart(id: str, match: Match, found: Sequence[Choice], shown: int) -> str:
    """Draw the odds of the first player from the first choice to the last step.

    They are a curve in a square of 100, which is stretched, between the areas of both players. A dot is the larger
    the more a choice gave away, and a line is at the choice that is `shown`. A touch leads to the nearest choice;
    the links of the page do the same, so this picture is hidden from screen readers and keys.
    """
    if not found:
        return ""
    begin, length = found[0].at, len(match) - found[0].at

    def across(at: float) -> float:
        return 100 * (at - begin) / length

    def place(at: int, odds: float) -> str:
        return f"{across(at):.4g} {100 - 100 * odds:.4g}"

    first = match.game.seats[0]
    corners, dots = [], ""
    for choice in found:
        own = choice.player == first
        corners += [(at, odds if own else 1 - odds) for at, odds in _chart_points(choice)]
        if kind := sum(choice.cost >= least for least in MISTAKES):
            dots += f'<path class="lost lost-{kind}" d="M{place(*corners[-1])}h0"/>'
    result = accounts(match, found)[0].result
    if result is not None:
        corners.append((len(match), result))
    curve = " ".join(place(*corner) for corner in corners)
    rest = '<path class="area-1" d="M0 0H100V100H0Z"/>' if len(match.game.seats) > 1 else ""
    lines = f'{rest}<path class="area-0" d="M0 100L{curve}V100Z"/><path class="curve" d="M{curve}"/>'
    grid = "".join(f'<path class="grid" d="M0 {y}H100"/>' for y in (0, 50, 100))
    cursor = f'<path id="shown-line" class="shown-line" d="M{across(shown):.4g} 0V100"/>'
    edges = [0.0, *(across((a.at + b.at) / 2) for a, b in pairwise(found)), 100.0]
    bands = "".join(
        f'<a href="{choice_path(id, choice.at)}" data-choice="{choice.at}" tabindex="-1">'
        f'<path class="band" d="M{left:.4g} 0H{right:.4g}V100H{left:.4g}Z"/></a>'
        for choice, left, right in zip(found, edges, edges[1:], strict=False)
    )
    return (
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
        f"{lines}{grid}{cursor}{dots}{bands}</svg>"
    )


def choice_path(id: str, at: int) -> str:
    """Return the path of the review with the board before the choice after `at` steps."""
    return f"/m/{id}/review?at={at}#shown"


def _chart_points(choice: Choice) -> list[tuple[int, float]]:
    """Return the points before and after a choice: the step and the odds."""
    odds = choice.better if choice.chance is None else choice.chance
    return [(choice.at, choice.better), (choice.at + 1, odds)]


MIN_PRAISED = 5  # choices of one's own in a game of which is said that nothing could be better


def tip_markup(
    id: str, match: Match, found: Sequence[Choice] | None, held: Collection[int], lang: str
) -> str:
    """Return the tip for the holder of these seats, with a link to the board; "" where there is none to give.

    `found` are the choices of the finished review, None while there is none. Praise takes a game of some choices.
    """
    own = [choice for choice in found or () if match.game.seats.index(choice.player) in held]
    worst = max(own, key=lambda choice: choice.cost, default=None)
    if worst is None or not worst.cost:
        return escape(p.TIP_WELL_PLAYED[lang]) if len(own) >= MIN_PRAISED else ""
    link = f'<a href="{choice_path(id, worst.at)}">{escape(p.TIP_SHOW[lang])}</a>'
    better, why = better_move_texts(match, worst)
    told = escape(better[lang])
    if why:
        told += f'<span class="tip-why"> {escape(why[lang])}</span>'  # where there is room
    return f"{told} {link}"


def better_move_texts(match: Match, choice: Choice) -> tuple[Text, Text | None]:
    """Say which move would have been better, and why; None where no reason is known."""
    position = match.until(choice.at).position
    text = p.TIP_BETTER.fill(
        n=move_number(match, choice.at),
        move=position.describe(choice.best),
        better=odds_text(choice.better),
        played=odds_text(choice.chance),
    )
    why = comparison_text(position, choice.best, choice.token)
    return text, BECAUSE.fill(reasons=why) if why else None
