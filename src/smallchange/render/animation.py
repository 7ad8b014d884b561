"""A sequence of scenes as one moving picture: SVG that needs no script, or GIF.

Each piece has a track: where it lies in each frame, and how it looks there. Pieces slide from place to place.
Where the system asks for reduced motion, and in a viewer without animations, the SVG shows its last frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from io import BytesIO
from itertools import accumulate
from typing import NamedTuple

from smallchange.extras import install_command
from smallchange.i18n.text import Text

from .badges import draw_badges
from .piece_tracking import TrackedTable, follow
from .pieces import INK, draw
from .png import png
from .scene import LAYERS, Scene
from .spaces import spaces, text_element
from .svg import Arrangement, arrange, describe_scene, draw_tallies, placed_pieces, stand_alone

MOVE_S = 0.35  # how long a piece slides
LAST_FRAME_S = 2.5  # the least time for which the last frame stays
CAPTION_HEIGHT = 44
CAPTION_SIZE = 18
REDUCED_MOTION = "@media (prefers-reduced-motion:reduce){svg *{animation:none!important}}"
INSTANT = 0.001  # percent: from a state to the next without a transition


class Frame(NamedTuple):
    """A scene of the sequence, the sentence below it, and for how many seconds it is shown."""

    scene: Scene
    caption: Text
    seconds: float


def animated_svg(frames: Sequence[Frame], title: str, lang: str = "en") -> str:
    """Draw the frames as an SVG that plays them again and again. Raises ValueError without a frame."""
    film = _Film(frames, lang)
    name = "m" + sha256(repr(film.tracks).encode()).hexdigest()[:8]  # several pictures may share a page
    rules, inside = [REDUCED_MOTION], ""
    for i, track in enumerate(film.tracks):
        keyframes = _keyframes(track, film.starts)
        if keyframes:
            rules.append(f"@keyframes {name}-{i}{{{keyframes}}}")
        inside += _track_element(track, f"{name}-{i}" if keyframes else "", film)
    style = f"<style>{''.join(rules)}</style>"
    return stand_alone(inside, film.width, film.height, title, describe_scene(frames[-1].scene)[lang], style)


def still_svg(frames: Sequence[Frame], index: int, title: str, lang: str = "en") -> str:
    """Draw one frame in the size of the whole sequence."""
    film = _Film(frames, lang)
    return _still(film, index, title, describe_scene(frames[index].scene)[lang])


def animated_gif(frames: Sequence[Frame], lang: str = "en", scale: float = 1) -> bytes:
    """Return the bytes of a GIF file that plays the frames again and again, `scale` pixels a unit.

    Raises ImportError, with the command that installs it, where the extra `png` is missing.
    """
    try:
        image = import_module("PIL.Image")
    except ImportError as missing:
        raise ImportError(f"a GIF needs `{install_command('png')}`; an SVG does not") from missing
    film = _Film(frames, lang)
    pictures = [
        image.open(BytesIO(png(_still(film, i, "", ""), scale))).convert("RGB") for i in range(len(frames))
    ]
    durations = [
        round(1000 * (end - start)) for start, end in zip(film.starts, film.starts[1:], strict=False)
    ]
    out = BytesIO()
    pictures[0].save(
        out, "GIF", save_all=True, append_images=pictures[1:], duration=durations, loop=0, optimize=True
    )
    return out.getvalue()


class _Place(NamedTuple):
    """The zero of a piece's square from frame `frame` on."""

    frame: int
    x: int
    y: int


@dataclass
class _Track:
    """Markup that is shown from frame `first` up to frame `end`, and its places in that time."""

    markup: str
    first: int
    end: int
    places: list[_Place] = field(default_factory=list)
    order: tuple[int, int, int, str] = (0, 0, 0, "")


class _Film:
    """The tracks of everything that is drawn in some frame, from the bottom up."""

    def __init__(self, frames: Sequence[Frame], lang: str) -> None:
        if not frames:
            raise ValueError("a moving picture needs at least one frame")
        self.frames = frames
        laid = [arrange(frame.scene, lang) for frame in frames]
        self.width = max(one.width for one in laid)
        picture_height = max(one.height for one in laid)
        self.height = picture_height + CAPTION_HEIGHT
        seconds = [frame.seconds for frame in frames]
        seconds[-1] = max(seconds[-1], LAST_FRAME_S)
        self.starts = [0.0, *accumulate(seconds)]  # by frame, and the end
        self.tracks: list[_Track] = []
        self._follow_runs([_background(one, lang) for one in laid], 0)
        self._follow_pieces(laid)
        badges = [
            "".join(one.translate(draw_badges(one.area, f.scene, lang)) for one in a.areas)
            for f, a in zip(frames, laid, strict=True)
        ]
        self._follow_runs(badges, 2)
        tallies = [draw_tallies(f.scene, a.tallies, lang) for f, a in zip(frames, laid, strict=True)]
        self._follow_runs(tallies, 2)
        self._follow_runs([self._caption(frame.caption[lang], picture_height) for frame in frames], 3)
        self.tracks.sort(key=lambda track: track.order)

    def _caption(self, text: str, y: int) -> str:
        return (
            text_element("caption", self.width // 2, y + 20, CAPTION_SIZE, INK, text, "middle")
            if text
            else ""
        )

    def _follow_runs(self, markups: Sequence[str], depth: int) -> None:
        """Add a track for each run of equal markup."""
        run: _Track | None = None
        for i, markup in enumerate(markups):
            if run and run.markup == markup:
                run.end = i + 1
            elif markup:
                run = _Track(markup, i, i + 1, order=(depth, 0, 0, ""))
                self.tracks.append(run)
            else:
                run = None

    def _follow_pieces(self, laid: Sequence[Arrangement]) -> None:
        """Add a track for each piece as long as it looks the same and lies at the same height."""
        followed: TrackedTable | None = None
        current: dict[str, _Track] = {}
        for i, (frame, arrangement) in enumerate(zip(self.frames, laid, strict=True)):
            followed = follow(followed, frame.scene)
            before, current = current, {}
            for one in arrangement.areas:
                for lies in placed_pieces(one.area, followed.scene):
                    piece, spot = lies.piece, one.area.by_id[lies.piece.spot]
                    order = (1, LAYERS[piece.kind], piece.level, piece.id)
                    place = _Place(i, one.dx + spot.x, one.dy + spot.y)
                    current[piece.id] = self._extend(before.get(piece.id), draw(lies), order, place)

    def _extend(
        self, track: _Track | None, markup: str, order: tuple[int, int, int, str], place: _Place
    ) -> _Track:
        """Return the track of a piece with its place in one more frame; a new track where its look changes."""
        if track and (track.markup, track.order) == (markup, order):
            track.end = place.frame + 1
            if track.places[-1][1:] != place[1:]:
                track.places.append(place)
            return track
        places = [place]
        if track and track.places[-1][1:] != place[1:]:  # it slides here as it looks now
            places.insert(0, track.places[-1]._replace(frame=place.frame - 1))
        self.tracks.append(_Track(markup, place.frame, place.frame + 1, places, order))
        return self.tracks[-1]


def _background(arrangement: Arrangement, lang: str) -> str:
    """Draw the trays and the spaces of all areas."""
    return "".join(
        one.caption + one.translate(one.tray + spaces(one.area.spots)) for one in arrangement.areas
    )


def _keyframes(track: _Track, starts: Sequence[float]) -> str:
    """Return the CSS keyframes of a track; "" for a constant."""
    whole, last = starts[-1], len(starts) - 1
    constant = track.first == 0 and track.end == last
    if constant and len(track.places) <= 1:
        return ""
    steps: list[tuple[float, str]] = []
    if not constant:
        steps += _opacity_steps(100 * starts[track.first] / whole, 100 * starts[track.end] / whole)
    if len(track.places) > 1:
        steps += _transform_steps(track, starts)
    merged: dict[float, list[str]] = {}
    for percent, declaration in steps:
        merged.setdefault(round(percent, 3), []).append(declaration)
    return "".join(f"{percent:g}%{{{';'.join(rules)}}}" for percent, rules in sorted(merged.items()))


def _opacity_steps(start: float, end: float) -> Iterator[tuple[float, str]]:
    """Show a track from one percent to another, without fading."""
    yield 0, f"opacity:{int(start == 0)}"
    if start > 0:
        yield start - INSTANT, "opacity:0"
        yield start, "opacity:1"
    if end < 100:
        yield end - INSTANT, "opacity:1"
        yield end, "opacity:0"
    yield 100, f"opacity:{int(end >= 100)}"


def _transform_steps(track: _Track, starts: Sequence[float]) -> Iterator[tuple[float, str]]:
    """Let a piece slide to each of its places as the frame of that place begins."""
    whole = starts[-1]
    x, y = track.places[0][1:]
    yield 0, f"transform:translate({x}px,{y}px)"
    for frame, to_x, to_y in track.places[1:]:
        begin = starts[frame]
        slide = min(MOVE_S, starts[frame + 1] - begin)
        yield 100 * begin / whole, f"transform:translate({x}px,{y}px)"
        x, y = to_x, to_y
        yield 100 * (begin + slide) / whole, f"transform:translate({x}px,{y}px)"
    yield 100, f"transform:translate({x}px,{y}px)"


def _track_element(track: _Track, animation: str, film: _Film) -> str:
    """Draw a track as it is in the last frame, with the name of its animation."""
    attributes = ""
    if track.places:
        x, y = track.places[-1][1:]
        attributes += f' transform="translate({x} {y})"'
    if track.end < len(film.frames):
        attributes += ' opacity="0"'
    if animation:
        attributes += f' style="animation:{animation} {film.starts[-1]:g}s linear infinite"'
    return f"<g{attributes}>{track.markup}</g>"


def _still(film: _Film, index: int, title: str, description: str) -> str:
    inside = ""
    for track in film.tracks:
        if track.first <= index < track.end:
            place = next((p for p in reversed(track.places) if p.frame <= index), None)
            moved = f' transform="translate({place.x} {place.y})"' if place else ""
            inside += f"<g{moved}>{track.markup}</g>"
    return stand_alone(inside, film.width, film.height, title, description)
