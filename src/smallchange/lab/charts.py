"""Charts as SVG for a page: the same bytes for the same data, in the colours of the page they stand in."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import Any

from smallchange.extras import require

require("lab", "matplotlib")

import matplotlib as mpl  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import FixedLocator  # noqa: E402

from .reliability import Bin  # noqa: E402

COLOURS = {  # what is drawn in: the page's own, in light and dark
    "#26221c": "var(--ink)",
    "#655c4f": "var(--soft)",
    "#ddd3c2": "var(--line)",
    "#7a3b6b": "var(--one)",
    "#2a5a9c": "var(--two)",
    "#2c7044": "var(--three)",
    "#b3342a": "var(--four)",
}
INK, SOFT, LINE, *SERIES = COLOURS
DARK = {  # on a dark page, where a chart is a picture of its own
    "--ink": "#ece5d8",
    "--soft": "#b5aa99",
    "--line": "#574f43",
    "--one": "#d59bc8",
    "--two": "#8db8ee",
    "--three": "#86cb99",
    "--four": "#f09a90",
}
MARKS = "oDs^vP*X"  # shape tells what colour tells
WIDE, ROW = 7.2, 0.26  # inches
PANELS_ACROSS = 3


@dataclass(frozen=True)
class Bar:
    """A value with its interval, in a row with a name."""

    name: str
    value: float
    low: float
    high: float
    series: int = 0


def intervals(
    bars: Sequence[Bar],
    axis: str,
    title: str,
    series: Sequence[str] = (),
    zero: bool = False,
    percent: bool = False,
) -> str:
    """Draw a row for each name, with a point and its interval for each series: read down, compare along."""
    names = list(dict.fromkeys(bar.name for bar in bars))
    figure, axes = _new_figure(title, max(1.3, 0.9 + ROW * len(names)))
    for bar in bars:
        colour, mark = SERIES[bar.series % len(SERIES)], MARKS[bar.series % len(MARKS)]
        middle = (max(1, len(series)) - 1) / 2
        y = names.index(bar.name) + (bar.series - middle) * min(0.22, 0.7 / max(1, len(series)))
        axes.plot([bar.low, bar.high], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt")
        axes.plot([bar.value], [y], mark, color=colour, markersize=4.5)
    for i, name in enumerate(series):
        axes.plot([], [], MARKS[i % len(MARKS)], color=SERIES[i % len(SERIES)], markersize=4.5, label=name)
    if series:
        figure.legend(loc="outside upper left", ncols=4, frameon=False, labelcolor=INK, handletextpad=0.1)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(axis)
    if zero:
        axes.axvline(0, color=SOFT, linewidth=1)
    if percent:
        axes.xaxis.set_major_formatter(lambda x, _: f"{100 * x:g} %")
    return _svg_element(figure, title)


def shares(rows: Sequence[tuple[str, Sequence[tuple[float, float]]]], axis: str, title: str) -> str:
    """Draw the distribution of numbers as steps, one for each value. `rows`: name and (value, share)s."""
    figure, axes = _new_figure(title, 2.6)
    for i, (name, points) in enumerate(rows):
        xs, ys = [x for x, _ in points], [y for _, y in points]
        dash = ("-", "--", ":", "-.")[i % 4]
        axes.plot(
            xs, ys, dash, drawstyle="steps-mid", color=SERIES[i % len(SERIES)], label=name, linewidth=1.5
        )
    axes.set_xlabel(axis)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:g} %")
    if len(rows) > 1:
        axes.legend(frameon=False, labelcolor=INK)
    return _svg_element(figure, title)


def reliability(panels: Sequence[tuple[str, Sequence[Bin]]], said: str, won: str, title: str) -> str:
    """Draw a small chart for each name: observed wins by forecast, beside the line where both are equal."""
    rows = ceil(len(panels) / PANELS_ACROSS)
    with mpl.rc_context(_style(title)):
        figure = Figure(figsize=(WIDE, 2.5 * rows), layout="constrained")
        grid = figure.subplots(rows, PANELS_ACROSS, sharex=True, sharey=True, squeeze=False)
    figure.patch.set_visible(False)
    figure.supxlabel(said, color=SOFT)
    figure.supylabel(won, color=SOFT)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    for axes, (name, bins) in zip(grid.flat, panels, strict=False):
        axes.patch.set_visible(False)
        axes.set_title(name, loc="left", color=INK, fontsize=9)
        axes.plot([0, 1], [0, 1], color=LINE, linewidth=1.2)
        for one in bins:
            colour = SERIES[1] if one.holds else SERIES[3]
            axes.plot([one.said] * 2, [one.won.low, one.won.high], color=colour, linewidth=1.6)
            axes.plot([one.said], [one.won.p], "o" if one.holds else "s", color=colour, markersize=4)
        axes.set_xlim(0, 1)
        axes.set_ylim(-0.02, 1.02)
        axes.set_aspect("equal")
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(length=0)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(FixedLocator([0, 0.5, 1]))
            axis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    return _svg_element(figure, title)


def standalone(svg: str, title: str) -> str:
    """Return a chart as a picture of its own, with a title, in light colours or dark as its reader has chosen."""
    light = "".join(f"{name[4:-1]}:{colour};" for colour, name in COLOURS.items())
    dark = "".join(f"{name}:{colour};" for name, colour in DARK.items())
    style = f"<style>:root{{--sans:sans-serif;{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    head, body = svg.replace(' aria-hidden="true"', ' role="img"', 1).split(">", 1)
    return f"{head}><title>{escape(title)}</title>{style}{body}"


def _style(title: str) -> dict[Any, Any]:
    return {
        "svg.fonttype": "none",
        "svg.hashsalt": title,
        "font.size": 9,
        "font.family": "sans-serif",
        "axes.edgecolor": LINE,
        "axes.labelcolor": SOFT,
        "xtick.color": SOFT,
        "ytick.color": INK,
    }


def _new_figure(title: str, height: float) -> tuple[Figure, Any]:
    with mpl.rc_context(_style(title)):
        figure = Figure(figsize=(WIDE, height), layout="constrained")
        axes = figure.subplots()
    axes.patch.set_visible(False)
    figure.patch.set_visible(False)
    axes.grid(axis="x", color=LINE, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)
    return figure, axes


def _svg_element(figure: Figure, title: str) -> str:
    """Return the SVG element alone, hidden from screen readers, because the table beside it says the same."""
    file = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": title}):
        figure.savefig(
            file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<g id="[^"]*"', "<g", text)  # several charts stand in one page
    text = re.sub(r"(?i)#[0-9a-f]{6}", lambda found: COLOURS.get(found[0].lower(), found[0]), text)
    text = re.sub(r"font: [^;\"]*?(\d+)px[^;\"]*", r"font: \1px var(--sans)", text)
    return text.replace("<svg ", '<svg aria-hidden="true" ', 1)
