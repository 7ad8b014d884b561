"""Moving pictures of a match, or of a part of it.

>>> import smallchange
>>> match = smallchange.Match(smallchange.game(smallchange.games()[0]), bytes(16))
>>> _ = match.settle()
>>> animated_svg(match).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from smallchange.i18n.text import plain
from smallchange.render import animation
from smallchange.render.animation import Frame

if TYPE_CHECKING:
    from .match import Match

__all__ = ["animated_gif", "animated_svg", "frames"]

CHANCE_SHARE = 0.6  # of the time of a player's step, for a step of chance


def frames(
    match: Match, first: int | None = None, last: int | None = None, step_s: float = 1.2
) -> list[Frame]:
    """Return a frame for the position after each number of steps from `first` to `last`.

    Without `first` the pictures begin where the first player decides, without `last` they go on to the end.
    A player's step is shown for `step_s` seconds, a step of chance for a little less. Raises ValueError if
    the match has no such steps.
    """
    first = _first_decision(match) if first is None else first
    last = len(match) if last is None else last
    if not 0 <= first <= last <= len(match):
        raise ValueError(f"the match has steps 0 to {len(match)}, from first to last; not {first} to {last}")
    if step_s <= 0:
        raise ValueError(f"a step is shown for more than 0 seconds, not {step_s}")
    game, position = match.game, match.until(first).position
    shown = [Frame(game.layout.scene(game.board, position.s), plain(""), step_s)]
    for step in match.steps[first:last]:
        caption = position.describe(step.token)
        position.play(step.token)
        seconds = step_s * (CHANCE_SHARE if step.actor == "chance" else 1)
        shown.append(Frame(game.layout.scene(game.board, position.s), caption, seconds))
    if match.over and last == len(match) > first:
        shown[-1] = shown[-1]._replace(caption=match.ending)
    return shown


def _first_decision(match: Match) -> int:
    """Return the number of steps before the first player's, or of all where chance took them all."""
    return next((i for i, step in enumerate(match) if step.actor != "chance"), len(match))


def animated_svg(
    match: Match, first: int | None = None, last: int | None = None, lang: str = "en", step_s: float = 1.2
) -> str:
    """Draw a match, or the steps from `first` to `last`, as an SVG that plays them again and again.

    It needs no script and nothing from elsewhere. Where the system asks for reduced motion, it shows the last
    position. Raises ValueError if the match has no such steps.
    """
    return animation.animated_svg(frames(match, first, last, step_s), match.game.words.TITLE[lang], lang)


def animated_gif(
    match: Match,
    first: int | None = None,
    last: int | None = None,
    lang: str = "en",
    step_s: float = 1.2,
    scale: float = 1,
) -> bytes:
    """Draw a match, or the steps from `first` to `last`, as the bytes of a GIF file, `scale` pixels a unit.

    Raises ValueError if the match has no such steps or the scale is not above 0, ImportError without the extra `png`.
    """
    return animation.animated_gif(frames(match, first, last, step_s), lang, scale)
