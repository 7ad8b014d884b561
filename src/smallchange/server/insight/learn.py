"""The page of a rulebook, and the guided first game: one page for each lesson. They work by links alone."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from smallchange.core.game import Game
from smallchange.core.guide import guided_match
from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text
from smallchange.render.badges import draw_badges
from smallchange.render.piece_tracking import TrackedTable, follow
from smallchange.render.scene import Area, Scene, Spot, Touch
from smallchange.render.spaces import box
from smallchange.render.svg import Link, Marks, board_svg
from smallchange.server.table.view.options import gentle_seats
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

if TYPE_CHECKING:
    from markdown_it.token import Token

VIEW_BOX = re.compile(r'viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"')
PIECE_ID = re.compile(r' id="[^"]*"')
BOARD_CORNER_UNITS, TRAY_CORNER_UNITS = 22, 14  # the radius of the corners that `render/spaces.py` draws
HOLE_MARGIN_UNITS = 3  # between a square that is spoken of and the dimmed rest


def lesson_count(game: Game) -> int:
    """Return the number of lessons of a game; 0 for a game without a guide."""
    return len(game.guide.LESSONS) if game.guide else 0


def learn_page(game: Game, step: int, answered: bool, visit: PageContext) -> str:
    """Return the page of lesson `step`, counted from 0. `visit.pick` are the things touched so far.

    Unless `answered`, the page shows the table right after the learner's move, for a script that shows the
    answers after it.
    """
    assert game.guide is not None
    lessons = game.guide.LESSONS
    lesson: Lesson = lessons[step if answered else step - 1]
    shown = _tracked_pieces(game.id, step, answered)
    pick = visit.pick if answered else ()
    touch, move = _touch(game, step, lesson) if answered else (Touch(), None)
    path = shown.touch(touch).path
    pick = pick if path[: len(pick)] == pick else ()
    marks = Marks()
    if len(path) > len(pick):
        following = path[len(pick)]
        last = len(path) == len(pick) + 1
        href = lesson_path(game, step + 1) if last else lesson_path(game, step, (*pick, following))
        label = (move if last and move else lesson.say)[visit.lang]
        marks = Marks({following: Link(href, label)}, selected=pick)
    lit = _lit_spots(shown.scene, (*shown.ids(lesson.shows), *path)) if answered else set()
    return render_page(
        "learn.html",
        visit,
        p.LEARN_GAME.fill(game=game.words.TITLE),
        game=game,
        say_now=lesson.say,
        number=(step if answered else step - 1) + 1,
        total=len(lessons),
        areas=[
            (area, Markup(_dim(area, shown.scene, visit.lang, marks, lit)), bool(lit & area.by_id.keys()))
            for area in shown.scene.areas
        ],
        next_path=lesson_path(game, step + 1) if answered and not path and step + 1 < len(lessons) else "",
        next_word=move or p.NEXT_LESSON,
        back_path=lesson_path(game, step - 1) if step else "",
        answers=bool(lesson.move),
        last=answered and step + 1 == len(lessons),
        seats=gentle_seats(game),
    )


class LessonPicture(NamedTuple):
    """A lesson as a picture: its sentence, and the board with the trays that it speaks of."""

    say: Text
    areas: list[Markup]


def lesson_pictures(game: Game, lang: str) -> list[LessonPicture]:
    """Return three lessons of a game's guide as pictures: its aim, the first move, and the last one."""
    if game.guide is None:
        return []
    lessons = game.guide.LESSONS
    moves = [step for step, lesson in enumerate(lessons) if lesson.move and step]
    return [_lesson_picture(game, step, lang) for step in dict.fromkeys((0, *moves[:1], *moves[-1:]))]


@lru_cache(maxsize=128)
def _lesson_picture(game: Game, step: int, lang: str) -> LessonPicture:
    assert game.guide is not None
    lesson: Lesson = game.guide.LESSONS[step]
    shown = _tracked_pieces(game.id, step, True)
    path = shown.touch(_touch(game, step, lesson)[0]).path
    lit = _lit_spots(shown.scene, (*shown.ids(lesson.shows), *path))
    board, *trays = shown.scene.areas
    areas = [board, *(tray for tray in trays if lit & tray.by_id.keys())]
    drawn = [PIECE_ID.sub("", _dim(area, shown.scene, lang, Marks(), lit)) for area in areas]
    return LessonPicture(lesson.say, [Markup(one) for one in drawn])


def lesson_path(game: Game, step: int, pick: tuple[str, ...] = ()) -> str:
    """Return the path of a lesson's page."""
    query = urlencode([("step", str(step)), *(("pick", id) for id in pick)])
    return f"/learn/{game.id}?{query}"


def _touch(game: Game, step: int, lesson: Lesson) -> tuple[Touch, Text | None]:
    """Return the things a learner touches to play the lesson's move, and the move's description."""
    if not lesson.move:
        return Touch(), None
    position = guided_match(game, step).position
    here, action = position.game, position.game.actions[lesson.move]
    touch: Touch = here.layout.touch(here.board, position.s, action)
    label: Text = here.words.step(here.board, position.s, action)
    return touch, label


@lru_cache(maxsize=256)
def _tracked_pieces(id: str, step: int, answered: bool) -> TrackedTable:
    """Return the table before a lesson, each piece by the id that it had in the first lesson."""
    game = Game(id)
    match = guided_match(game, step, answered)
    prelude = len(guided_match(game, 0))
    position = match.until(prelude).position
    here, s = match.game, position.s
    seen = follow(None, here.layout.scene(here.board, s))
    for taken in match.steps[prelude:]:
        action = here.actions[taken.token]
        touch = here.layout.touch(here.board, s, action)
        here.rules.play(here.board, s, action)
        seen = follow(seen, here.layout.scene(here.board, s), touch)
    return seen


def _lit_spots(scene: Scene, ids: Collection[str]) -> set[str]:
    """Return the spots of a lesson: those with these ids, and those under pieces with these ids."""
    return {piece.spot for piece in scene.pieces if piece.id in ids} | {
        spot.id for area in scene.areas for spot in area.spots if spot.id in ids
    }


def _dim(area: Area, scene: Scene, lang: str, marks: Marks, lit: set[str]) -> str:
    """Draw an area with a veil over everything but the lit spots. Without lit spots there is no veil."""
    drawn = board_svg(area, scene, lang, marks)
    found = VIEW_BOX.search(drawn)
    if not lit or not found:
        return drawn
    left, top, width, height = map(int, found.groups())
    holes = "".join(_hole(spot) for spot in area.spots if spot.id in lit)
    r = BOARD_CORNER_UNITS if area.id == "board" else TRAY_CORNER_UNITS
    across, down, turn = width - 2 * r, height - 2 * r, f"a{r} {r} 0 0 1"
    outline = (
        f"M{left + r} {top}h{across}{turn} {r} {r}v{down}{turn} -{r} {r}h-{across}{turn} -{r} -{r}v-{down}"
    )
    outline += f"{turn} {r} -{r}z"
    veil = f'<path class="veil" fill-rule="evenodd" d="{outline}{holes}"/>'
    badges = tuple(badge for badge in scene.badges if badge.spot in lit)  # they reach beyond the holes
    over = f'<g aria-hidden="true">{draw_badges(area, replace(scene, badges=badges), lang)}</g>'
    return drawn.removesuffix("</svg>") + veil + over + "</svg>"


def _hole(spot: Spot) -> str:
    """Return the path of a square around a spot, of a hex around a hex, which meets those beside it."""
    if spot.look == "hex":
        return f"M{spot.x + 50} {spot.y - 7.7:g}l50 28.9v57.6l-50 28.9l-50 -28.9v-57.6z"
    left, top, right, bottom = box((spot,)).expand(HOLE_MARGIN_UNITS)
    return f"M{left} {top}H{right}V{bottom}H{left}z"


ANCHOR_PATTERN = re.compile(r"\s*\{#([a-z0-9-]+)\}\s*$")
STEPS_LANGUAGE = "steps"  # the language of a code block with a game, step by step
JAPANESE_CHARACTER = re.compile("[\u3000-\u9fff\uff00-\uffef]")


def rulebook_page(game: Game, visit: PageContext) -> str:
    """Return the rulebook: three pictures, the text with anchors as ids of its headings, and advice."""
    text, contents = markdown_to_html(game.rulebook(visit.lang))
    heading, end, rest = text.partition("</h1>")
    advice = game.advice
    if advice:
        contents = (*contents, ("advice", p.ADVICE[visit.lang]))
    return render_page(
        "rules.html",
        visit,
        p.RULES_OF.fill(game=game.words.TITLE),
        game=game,
        heading=Markup(heading + end),
        text=Markup(rest),
        pictures=lesson_pictures(game, visit.lang),
        advice=advice,
        contents=contents,
    )


@cache
def markdown_to_html(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return Markdown as HTML, and its second headings as (anchor, name). HTML inside it is shown as text.

    >>> markdown_to_html("## Your turn {#turn}")
    ('<h2 id="turn">Your turn</h2>\\n', (('turn', 'Your turn'),))

    Japanese has no space where a line goes on:

    >>> markdown_to_html("コインを\\n取ります。")[0]
    '<p>コインを取ります。</p>\\n'
    """
    from markdown_it import MarkdownIt  # not needed for the first page

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens, contents = reader.parse(text), []
    for heading, inline in pairwise(tokens):
        found = ANCHOR_PATTERN.search(inline.content) if heading.type == "heading_open" else None
        if found and inline.children:
            heading.attrSet("id", found[1])
            inline.children[-1].content = ANCHOR_PATTERN.sub("", inline.children[-1].content)
            if heading.tag == "h2":
                contents.append((found[1], ANCHOR_PATTERN.sub("", inline.content)))
    for token in tokens:
        token.children = join_japanese_lines(token.children) if token.children else None
        if token.type == "fence" and token.info != STEPS_LANGUAGE:
            token.attrSet("tabindex", "0")  # it scrolls, so a keyboard must reach it
    return reader.renderer.render(tokens, reader.options, {}), tuple(contents)


def join_japanese_lines(inline: list[Token]) -> list[Token]:
    """Remove line breaks beside a Japanese letter from the parts of a paragraph."""
    around = zip([inline[0], *inline], inline, [*inline[1:], inline[-1]], strict=False)
    return [
        token
        for before, token, after in around
        if token.type != "softbreak" or not JAPANESE_CHARACTER.search(before.content[-1:] + after.content[:1])
    ]
