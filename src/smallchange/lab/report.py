"""Results as one HTML page that needs nothing else: tables, and charts of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from smallchange.extras import need
from smallchange.game import Game
from smallchange.text import Text

from .charts import Bar, intervals, shares
from .compare import edge, effects
from .results import Results, Sample
from .tables import SHEETS, Sheet, changes, odds, spreads, variant

need("lab", "jinja2")

import jinja2  # noqa: E402

PAGE = "report.html"
MARK = b'<meta name="generator" content="smallchange report">'  # by which a page is known as ours
MOST = 40  # rows that a chart can bear
ALL = "The same figures are in the table below."
SOME = "The first {} of {} rows; all figures are in the table below."
SPREAD = "How often each number came up, {}; of every variant the table below has mean and quantiles."


class Chart(NamedTuple):
    """An SVG element, and what stands below it."""

    svg: str
    caption: str


def foreign(page: Path) -> bool:
    """Is there a file that is no page of ours?"""
    return page.is_file() and page.stat().st_size > 0 and MARK not in page.read_bytes()


def report(results: Results) -> str:
    """The page. The same results give the same bytes."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    games = [_section(results, id) for id in results.games]
    return environment.get_template(PAGE).render(said=results.said, games=games)


def _section(results: Results, id: str) -> dict[str, object]:
    title: Text = Game(id).words.TITLE
    drawn = []
    for sheet in SHEETS:
        made = sheet(results, id)
        if made is not None:
            chart = CHARTS[sheet](results, id) if sheet in CHARTS else None
            drawn.append({"sheet": made, "chart": chart, "numbers": _numbers(made)})
    return {"id": id, "title": title.en, "players": results.said["policies"].get(id, {}), "sheets": drawn}


def _numbers(sheet: Sheet) -> list[bool]:
    """Which columns hold numbers, and so stand right."""
    return [
        all(not row[i] or row[i][0] in "+-0123456789" for row in sheet.rows) for i in range(len(sheet.head))
    ]


def _policies(samples: list[Sample]) -> list[str]:
    return list(dict.fromkeys(sample.policy for sample in samples))


def _rows(bars: list[Bar], *how: Any, **more: Any) -> Chart | None:
    """The bars of the first rows, as many as a chart can bear; None where there are none."""
    if not bars:
        return None
    names = list(dict.fromkeys(bar.name for bar in bars))
    shown = [bar for bar in bars if bar.name in names[:MOST]]
    caption = ALL if len(names) <= MOST else SOME.format(MOST, len(names))
    return Chart(intervals(shown, *how, **more), caption)


def _winning(results: Results, id: str) -> Chart | None:
    """How often each variant is won; in a game for two, what moving first is worth."""
    samples = [sample for sample in results.of(id) if sample.alike]
    policies = _policies(samples)
    bars = []
    for sample in samples:
        place = policies.index(sample.policy)
        if len(sample.game.seats) > 1:
            worth = edge(sample)
            bar = Bar(variant(sample.options), 100 * worth.mean, 100 * worth.low, 100 * worth.high, place)
        else:
            won = sample.won()
            bar = Bar(variant(sample.options), won.p, won.low, won.high, place)
        bars.append(bar)
    two = len(results.of(id)[0].game.seats) > 1
    axis = "first player's edge, points of 100" if two else "won"
    return _rows(bars, axis, f"{id} odds", policies, zero=two, percent=not two)


def _changing(results: Results, id: str) -> Chart | None:
    found = effects(results.of(id))
    policies = list(dict.fromkeys(effect.policy for effect in found))
    bars = []
    for effect in found:
        points, place = effect.difference.points, policies.index(effect.policy)
        name = variant({effect.option: effect.value})
        if effect.others:
            name += f" ({variant(effect.others)})"
        bars.append(Bar(name, 100 * points.mean, 100 * points.low, 100 * points.high, place))
    axis = "points of 100 games more than without, on the same deals"
    return _rows(bars, axis, f"{id} options", policies, zero=True)


def _spreading(results: Results, id: str) -> Chart | None:
    """The base game, or else the first variant, under each policy: scores, or steps in a game for two."""
    samples = results.of(id)
    alone = len(samples[0].game.seats) == 1
    drawn = min(samples, key=lambda sample: bool(sample.options)).options
    rows = []
    for sample in samples:
        if sample.options != drawn:
            continue
        values, times = np.unique(sample.scores[:, 0] if alone else sample.steps, return_counts=True)
        rows.append((sample.policy, list(zip(values.tolist(), (times / sample.n).tolist(), strict=True))))
    what = "score" if alone else "steps"
    name = variant(drawn)
    return Chart(shares(rows, f"{what} ({name})", f"{id} spread"), SPREAD.format(name))


CHARTS: dict[object, Callable[[Results, str], Chart | None]] = {
    odds: _winning,
    changes: _changing,
    spreads: _spreading,
}
