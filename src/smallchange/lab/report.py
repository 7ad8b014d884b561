"""Results as one HTML page that needs nothing else: tables, and charts of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from smallchange.core.game import Game
from smallchange.extras import require
from smallchange.i18n.text import Text

from .charts import Bar, intervals, shares
from .comparisons import edge, effects
from .result_tables import SHEETS, Sheet, changes, odds, spreads, variant, variant_of
from .results import Results, Sample

require("lab", "jinja2")

import jinja2  # noqa: E402

PAGE = "report.html"
MOST = 40  # rows that a chart can bear
MAX_SPREADS = 12  # charts of scores, one a variant; the table has all
MAX_BOARDS = 24  # pictures of variants
ALL = "The same figures are in the table below."
SOME = "The first {} of {} rows; all figures are in the table below."
SPREAD = "How often each number came up, {}; of every variant the table below has mean and quantiles."


class Chart(NamedTuple):
    """An SVG element, and its caption."""

    svg: str
    caption: str


def report(results: Results) -> str:
    """Return the page. The same results give the same bytes."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    games = [_section(results, id) for id in results.games]
    return environment.get_template(PAGE).render(said=results.metadata, games=games)


def _section(results: Results, id: str) -> dict[str, object]:
    title: Text = Game(id).words.TITLE
    drawn = []
    for sheet in SHEETS:
        made = sheet(results, id)
        if made is not None:
            charts = CHARTS[sheet](results, id) if sheet in CHARTS else []
            drawn.append({"sheet": made, "charts": charts, "numbers": _numbers(made)})
    players = results.metadata["policies"].get(id, {})
    boards = _boards(results, id)
    return {"id": id, "title": title.en, "players": players, "boards": boards, "sheets": drawn}


def _numbers(sheet: Sheet) -> list[bool]:
    """Which columns hold numbers, and so stand right."""
    return [
        all(not row[i] or row[i][0] in "+-0123456789" for row in sheet.rows) for i in range(len(sheet.head))
    ]


def _policies(samples: list[Sample]) -> list[str]:
    return list(dict.fromkeys(sample.policy for sample in samples))


def _rows(bars: list[Bar], *how: Any, **more: Any) -> list[Chart]:
    """Return a chart of the first rows, as many as fit; none if there are no rows."""
    if not bars:
        return []
    names = list(dict.fromkeys(bar.name for bar in bars))
    shown = [bar for bar in bars if bar.name in names[:MOST]]
    caption = ALL if len(names) <= MOST else SOME.format(MOST, len(names))
    return [Chart(intervals(shown, *how, **more), caption)]


def _winning(results: Results, id: str) -> list[Chart]:
    """Return a chart of each variant's win rate; in a game for two, of the advantage of moving first."""
    samples = [sample for sample in results.of(id) if sample.same_policy]
    policies = _policies(samples)
    bars = []
    for sample in samples:
        place = policies.index(sample.policy)
        if len(sample.game.seats) > 1:
            advantage = edge(sample)
            bar = Bar(
                variant_of(sample),
                100 * advantage.mean,
                100 * advantage.low,
                100 * advantage.high,
                place,
            )
        else:
            won = sample.win_rate()
            bar = Bar(variant_of(sample), won.p, won.low, won.high, place)
        bars.append(bar)
    two = len(results.of(id)[0].game.seats) > 1
    axis = "first player's edge, points of 100" if two else "won"
    return _rows(bars, axis, f"{id} odds", policies, zero=two, percent=not two)


def _changing(results: Results, id: str) -> list[Chart]:
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


def _spreading(results: Results, id: str) -> list[Chart]:
    """Return a chart for each variant: its scores (the steps in a game for two) by policy."""
    by_variant: dict[Game, list[Sample]] = {}
    for sample in results.of(id):
        by_variant.setdefault(sample.game, []).append(sample)
    what = "score" if all(len(game.seats) == 1 for game in by_variant) else "steps"
    charts = []
    for samples in list(by_variant.values())[:MAX_SPREADS]:
        name = variant_of(samples[0])
        rows = [(sample.policy, _shares(sample)) for sample in samples]
        charts.append(Chart(shares(rows, f"{what} ({name})", f"{id} spread {name}"), SPREAD.format(name)))
    return charts


def _shares(sample: Sample) -> list[tuple[float, float]]:
    """Return each number that came up, and the share of the games in which it did."""
    numbers = sample.scores[:, 0] if len(sample.game.seats) == 1 else sample.steps
    values, times = np.unique(numbers, return_counts=True)
    return list(zip(values.tolist(), (times / sample.n).tolist(), strict=True))


def _boards(results: Results, id: str) -> list[dict[str, str]]:
    """Return the variants that have a name or a drawing of their own, each with a picture of its start."""
    shown = {}
    for sample in results.of(id):
        drawings = [value for value in sample.options.values() if "\n" in str(value)]
        if sample.name or drawings:
            position = sample.game.start()
            picture = position._repr_svg_() or ""
            shown[sample.game] = {
                "name": variant_of(sample),
                "options": variant(sample.options),
                "picture": picture,
            }
    return list(shown.values())[:MAX_BOARDS]


CHARTS: dict[object, Callable[[Results, str], list[Chart]]] = {
    odds: _winning,
    changes: _changing,
    spreads: _spreading,
}
