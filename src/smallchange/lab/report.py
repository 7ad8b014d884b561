"""Results as one HTML page that needs nothing else: tables, and charts that say the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jinja2
import numpy as np

from smallchange.game import Game
from smallchange.text import Text

from .charts import Bar, intervals, shares
from .compare import edge, effects
from .results import Results, Sample
from .tables import SHEETS, Sheet, changes, odds, spreads, variant

PAGE = "report.html"
MOST = 40  # rows that a chart can bear


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
            chart = CHARTS.get(sheet, _nothing)(results, id)
            drawn.append({"sheet": made, "chart": chart, "numbers": _numbers(made)})
    return {"id": id, "title": title.en, "sheets": drawn}


def _numbers(sheet: Sheet) -> list[bool]:
    """Which columns hold numbers, and so stand right."""
    return [
        all(not row[i] or row[i][0] in "+-0123456789" for row in sheet.rows) for i in range(len(sheet.head))
    ]


def _nothing(results: Results, id: str) -> str:
    return ""


def _policies(samples: list[Sample]) -> list[str]:
    return list(dict.fromkeys(sample.policy for sample in samples))


def _winning(results: Results, id: str) -> str:
    """How often each variant is won; in a game for two, what moving first is worth."""
    samples = [sample for sample in results.of(id) if sample.alike]
    if not samples:
        return ""
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
    two = len(samples[0].game.seats) > 1
    axis = "first player's edge, points of 100" if two else "won"
    return intervals(bars[: MOST * len(policies)], axis, f"{id} odds", policies, zero=two, percent=not two)


def _changing(results: Results, id: str) -> str:
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
    return intervals(bars[: MOST * len(policies)], axis, f"{id} options", policies, zero=True)


def _spreading(results: Results, id: str) -> str:
    """The first variant under each policy: scores, or steps in a game for two."""
    samples = results.of(id)
    alone = len(samples[0].game.seats) == 1
    first = [sample for sample in samples if sample.options == samples[0].options]
    rows = []
    for sample in first:
        values, times = np.unique(sample.scores[:, 0] if alone else sample.steps, return_counts=True)
        rows.append((sample.policy, list(zip(values.tolist(), (times / sample.n).tolist(), strict=True))))
    what = "score" if alone else "steps"
    return shares(rows, f"{what} ({variant(samples[0].options)})", f"{id} spread")


CHARTS: dict[object, Callable[[Results, str], str]] = {
    odds: _winning,
    changes: _changing,
    spreads: _spreading,
}
