"""Results as tables, for the page of a report and for the pages of the documentation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import TYPE_CHECKING

import numpy as np

from smallchange.bots import levels
from smallchange.core.game import Game
from smallchange.core.options import Value
from smallchange.render.html_table import table_html

from .comparisons import Difference, Effect, Mean, edge, effects
from .statistics import QUANTILES, Rate, Spread

if TYPE_CHECKING:
    from .results import Results, Sample

LONG = 32  # characters of an option's value


@dataclass(frozen=True)
class Sheet:
    """A table: its title, its caption, a heading and rows."""

    title: str
    note: str
    head: list[str]
    rows: list[list[str]]

    def plain(self) -> str:
        """Write the heading and rows in columns for a terminal, the first column aligned left, the others right."""
        rows = [self.head, *self.rows]
        wide = [max(len(row[i]) for row in rows) for i in range(len(self.head))]
        lines = ("  ".join([row[0].ljust(wide[0]), *map(str.rjust, row[1:], wide[1:])]) for row in rows)
        return "\n".join(f"  {line}".rstrip() for line in lines)

    def _repr_html_(self) -> str:
        return table_html(self.head, self.rows, self.title, self.note)

    def markdown(self) -> str:
        """Write the heading and rows as Markdown; the title and note are left to the page.

        >>> print(Sheet("", "", ["a", "b"], [["1", "2"]]).markdown())
        | a | b |
        | --- | --- |
        | 1 | 2 |
        """
        rows = [self.head, ["---"] * len(self.head), *self.rows]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def variant(options: dict[str, Value]) -> str:
    r"""Describe options in a few words, different ones in different words.

    A drawing goes on one line; of a long one, only the beginning and a digest are given.

    >>> variant({"size": 3, "whip": True}), variant({}), variant({"map": "a b\n c d"})
    ('size 3, whip', 'base', 'map a b/ c d')
    """
    return ", ".join(_option(name, value) for name, value in options.items()) or "base"


def variant_of(sample: Sample) -> str:
    """Return the name of a sample's variant, else its options in a few words."""
    return sample.name or variant(sample.options)


def _option(name: str, value: Value) -> str:
    name = name.replace("_", " ")
    if isinstance(value, bool):
        return name if value else f"no {name}"
    text = str(value).replace("\n", "/")
    if len(text) > LONG:
        text = f"{text[: LONG - 10]}.. {hashlib.sha256(text.encode()).hexdigest()[:8]}"
    return f"{name} {text}"


def percent(share: float, of: float = 0) -> str:
    """Write a share in percent, or an end of its interval, with one digit more than for bots.

    >>> percent(0.0567), percent(0.5), percent(0.99958), percent(0.00002), percent(0)
    ('5.67', '50.0', '99.96', '0.002', '0')
    """
    return levels.percent(share, of, fine=1)


def rate(found: Rate) -> str:
    """Write a share and its interval, in percent.

    >>> rate(Rate(0.88, 0.802, 0.93)), rate(Rate(0, 0, 0.0602)), rate(Rate(0.0001, 0.00003, 0.0004))
    ('88.0 (80.2 to 93.0)', '0 (0 to 6.02)', '0.01 (0.003 to 0.04)')
    >>> rate(Rate(0.9999, 0.9996, 0.99997))
    '99.99 (99.96 to 99.997)'
    """
    return f"{percent(found.p)} ({percent(found.low, found.p)} to {percent(found.high, found.p)})"


def mean(found: Mean, scale: float = 1, digits: int = 2, sign: bool = True) -> str:
    """Write a mean and half its interval, with as many more digits as the interval needs to show.

    One number, or equal numbers, do not tell how they vary, so they have no interval.

    >>> mean(Mean(0.5, 0.25, 0.75, 9)), mean(Mean.of([3])), mean(Mean.of([3, 3]))
    ('+0.50 ± 0.25', '+3.00', '+3.00')
    >>> mean(Mean(-0.01, -0.012, -0.008, 9), digits=1)
    '-0.010 ± 0.002'
    >>> mean(Mean(-0.01, -0.4, 0.38, 9), digits=1)
    '+0.0 ± 0.4'
    """
    half = scale * found.half
    varies = 0 < half < inf
    while varies and round(half, digits) == 0:
        digits += 1
    text = f"{scale * found.mean:{'+' if sign else ''}z.{digits}f}"
    return f"{text} ± {half:.{digits}f}" if varies else text


def seconds(spent: float | None) -> str:
    """Seconds of a table: two digits of few, whole ones of many."""
    return "" if spent is None else f"{spent:.2g}" if spent < 10 else f"{spent:,.0f}"


def odds(results: Results, id: str) -> Sheet:
    """Return the win rate, score and length of each variant."""
    samples = results.of(id)
    if len(samples[0].game.seats) > 1:
        return _odds_of_two(results, samples)
    head = ["options", "policy", "games", "won, %", "score", "steps", "longest", "seconds"]
    rows = []
    for sample in samples:
        score = mean(Mean.of(sample.scores[:, 0]), sign=False)
        length = [f"{sample.steps.mean():.1f}", str(sample.steps.max()), seconds(results.cpu_seconds(sample))]
        rows.append([*_label_cells(sample), rate(sample.win_rate()), score, *length])
    return Sheet("Odds", INTERVALS, head, rows)


INTERVALS = (
    "In brackets the 95 % interval of a share (Wilson's), after ± half that of a mean (Student's t, or "
    "Wilson's where all points were equal; none of equal scores or steps, or of one game); seconds of "
    "processor time for all games of a row."
)


def _odds_of_two(results: Results, samples: list[Sample]) -> Sheet:
    first, second = samples[0].game.seats
    head = ["options", "policy", "games", f"{first} wins, %", "drawn, %", f"{second} wins, %"]
    head += ["first player's edge, points of 100", "steps", "longest", "seconds"]
    rows = []
    for sample in samples:
        drawn = Rate.of(sample.n - sum(sample.wins), sample.n)
        rates = [rate(sample.win_rate(0)), rate(drawn), rate(sample.win_rate(1))]
        advantage = mean(edge(sample), 100) if sample.same_policy else ""
        length = [f"{sample.steps.mean():.1f}", str(sample.steps.max()), seconds(results.cpu_seconds(sample))]
        rows.append([*_label_cells(sample), *rates, advantage, *length])
    note = f"{INTERVALS} {first.capitalize()} moves first and is played by the first of two policies. {EDGE}"
    return Sheet("Odds", note, head, rows)


EDGE = (
    "The edge is what moving first is worth between equals: points of a hundred games (a draw is half a "
    "point) above fifty."
)


def _label_cells(sample: Sample) -> list[str]:
    return [variant_of(sample), sample.policy, f"{sample.n:,}"]


def spreads(results: Results, id: str) -> Sheet:
    """Return the distribution of scores, or of lengths in a game for two."""
    samples = results.of(id)
    alone = len(samples[0].game.seats) == 1
    rows = []
    for sample in samples:
        numbers = sample.scores[:, 0] if alone else sample.steps
        values, times = np.unique(numbers, return_counts=True)
        spread = Spread.of(dict(zip(values.tolist(), times.tolist(), strict=True)))
        quantiles = [str(spread.quantiles[f"{share}%"]) for share in QUANTILES]
        rows.append([*_label_cells(sample), f"{spread.mean:.2f}", f"{spread.sd:.2f}", *quantiles])
    head = ["options", "policy", "games", "mean", "sd", *(f"{share} %" for share in QUANTILES)]
    what = "scores" if alone else "steps"
    note = f"The {what} of a game: mean, standard deviation, and what so many percent do not exceed."
    return Sheet(f"How {what} are spread", note, head, rows)


def endings(results: Results, id: str) -> Sheet:
    """Every way a game ended, and how often."""
    samples = results.of(id)
    counts = [dict(zip(*np.unique(s.outcome, return_counts=True), strict=True)) for s in samples]
    total: dict[str, int] = {}
    for sample, counted in zip(samples, counts, strict=True):
        for i, n in counted.items():
            total[sample.outcomes[i]] = total.get(sample.outcomes[i], 0) + int(n)
    labels = sorted(total, key=lambda label: -total[label])
    rows = []
    for sample, counted in zip(samples, counts, strict=True):
        by_label = {sample.outcomes[i]: int(n) for i, n in counted.items()}
        rows.append(
            [*_label_cells(sample), *(percent(by_label.get(label, 0) / sample.n) for label in labels)]
        )
    return Sheet("How games end", "In percent.", ["options", "policy", "games", *labels], rows)


def changes(results: Results, id: str) -> Sheet | None:
    """Return the effect of each option on the same deals; None if nothing can be compared."""
    samples = results.of(id)
    found, seats = effects(samples), samples[0].game.seats
    alone = len(seats) == 1
    what = "won, points of 100" if alone else f"points of 100 for {seats[0]}"
    head = ["option", "besides", "policy", "deals", what, "± if the deals were not the same"]
    head += ["score"] if alone else []
    rows = [_change(effect, alone) for effect in found]
    note = (
        "Each option against its default, on the same deals: the same throws, object by object, so that luck "
        "is taken out of the difference as far as it can be."
    )
    return Sheet("What each option changes", note, [*head, "steps"], rows) if rows else None


def _change(effect: Effect, alone: bool) -> list[str]:
    difference = effect.difference
    row = [
        f"{_option(effect.option, effect.value)}, not {_option(effect.option, effect.default)}",
        variant(effect.others),
        effect.policy,
        f"{difference.points.n:,}",
        mean(difference.points, 100),
        f"{100 * difference.alone:.2f}" if isfinite(difference.alone) else "",
    ]
    row += [mean(difference.score)] if alone else []
    return [*row, mean(difference.steps, digits=1)]


def players(results: Results, id: str) -> Sheet | None:
    """Return the lead of each policy over the next one on the same deals, ordered by win rate.

    None in a game for two.
    """
    samples = results.of(id)
    if len(samples[0].game.seats) > 1:
        return None
    rows = []
    before: dict[Game, Sample] = {}
    for sample in samples:
        better, other = sample, before.get(sample.game)
        difference = Difference.of(better, other) if other else None
        if other and difference and difference.points.mean < 0:
            better, other = other, better
            difference = Difference.of(better, other)
        if other and difference:
            who = f"{better.policy} over {other.policy}"
            row = [variant_of(sample), who, f"{difference.points.n:,}", mean(difference.points, 100)]
            rows.append([*row, mean(difference.score), mean(difference.steps, digits=1)])
        before[sample.game] = sample
    head = ["options", "policies", "deals", "won, points of 100", "score", "steps"]
    note = "Two policies on the same deals."
    return Sheet("What better play is worth", note, head, rows) if rows else None


SHEETS: tuple[Callable[[Results, str], Sheet | None], ...] = (odds, players, changes, spreads, endings)
