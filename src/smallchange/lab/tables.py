"""What results say, as tables: for the page of a report, and for the pages of the documentation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from smallchange.game import Game
from smallchange.mind import levels
from smallchange.options import Value

from .compare import Difference, Effect, Mean, edge, effects
from .measure import QUANTILES, Rate, Spread
from .results import Results, Sample

LONG = 32  # characters of an option's value


@dataclass(frozen=True)
class Sheet:
    """A table: its title, what is to be said of it, a heading and rows."""

    title: str
    note: str
    head: list[str]
    rows: list[list[str]]

    def plain(self) -> str:
        """The heading and rows in columns, for a terminal: the first to the left, the others to the right."""
        rows = [self.head, *self.rows]
        wide = [max(len(row[i]) for row in rows) for i in range(len(self.head))]
        lines = ("  ".join([row[0].ljust(wide[0]), *map(str.rjust, row[1:], wide[1:])]) for row in rows)
        return "\n".join(f"  {line}".rstrip() for line in lines)

    def markdown(self) -> str:
        """The heading and rows as Markdown; the title and note are left to the page.

        >>> print(Sheet("", "", ["a", "b"], [["1", "2"]]).markdown())
        | a | b |
        | --- | --- |
        | 1 | 2 |
        """
        rows = [self.head, ["---"] * len(self.head), *self.rows]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def variant(options: dict[str, Value]) -> str:
    """Options in a few words, different ones in different words: a drawing on one line, of a long one the
    beginning and a digest.

    >>> variant({"size": 3, "whip": True}), variant({}), variant({"map": "a b\\n c d"})
    ('size 3, whip', 'base', 'map a b/ c d')
    """
    return ", ".join(_option(name, value) for name, value in options.items()) or "base"


def _option(name: str, value: Value) -> str:
    name = name.replace("_", " ")
    if isinstance(value, bool):
        return name if value else f"no {name}"
    said = str(value).replace("\n", "/")
    if len(said) > LONG:
        said = f"{said[: LONG - 10]}.. {hashlib.sha256(said.encode()).hexdigest()[:8]}"
    return f"{name} {said}"


def percent(share: float, of: float = 0) -> str:
    """A share in percent, or an end of its interval, with a digit more than is said of a bot.

    >>> percent(0.0567), percent(0.5), percent(0.99958), percent(0.00002), percent(0)
    ('5.67', '50.0', '99.96', '0.002', '0')
    """
    return levels.percent(share, of, fine=1)


def rate(found: Rate) -> str:
    """A share and its interval, in percent.

    >>> rate(Rate(0.88, 0.802, 0.93)), rate(Rate(0, 0, 0.0602)), rate(Rate(0.0001, 0.00003, 0.0004))
    ('88.0 (80.2 to 93.0)', '0 (0 to 6.02)', '0.01 (0.003 to 0.04)')
    >>> rate(Rate(0.9999, 0.9996, 0.99997))
    '99.99 (99.96 to 99.997)'
    """
    return f"{percent(found.p)} ({percent(found.low, found.p)} to {percent(found.high, found.p)})"


def mean(found: Mean, scale: float = 1, digits: int = 2, sign: bool = True) -> str:
    """A mean and half its interval, with as many more digits as show that it is one; none of one number or of
    equal ones, which do not tell how they vary.

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
    said = f"{scale * found.mean:{'+' if sign else ''}z.{digits}f}"
    return f"{said} ± {half:.{digits}f}" if varies else said


def seconds(spent: float | None) -> str:
    """Seconds of a table: two digits of few, whole ones of many."""
    return "" if spent is None else f"{spent:.2g}" if spent < 10 else f"{spent:,.0f}"


def odds(results: Results, id: str) -> Sheet:
    """How often each is won, what it scores, how long it takes."""
    samples = results.of(id)
    if len(samples[0].game.seats) > 1:
        return _odds_of_two(results, samples)
    head = ["options", "policy", "games", "won, %", "score", "steps", "longest", "seconds"]
    rows = []
    for sample in samples:
        score = mean(Mean.of(sample.scores[:, 0]), sign=False)
        length = [f"{sample.steps.mean():.1f}", str(sample.steps.max()), seconds(results.spent(sample))]
        rows.append([*_named(sample), rate(sample.won()), score, *length])
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
        rates = [rate(sample.won(0)), rate(drawn), rate(sample.won(1))]
        worth = mean(edge(sample), 100) if sample.alike else ""
        length = [f"{sample.steps.mean():.1f}", str(sample.steps.max()), seconds(results.spent(sample))]
        rows.append([*_named(sample), *rates, worth, *length])
    note = f"{INTERVALS} {first.capitalize()} moves first and is played by the first of two policies. {EDGE}"
    return Sheet("Odds", note, head, rows)


EDGE = (
    "The edge is what moving first is worth between equals: points of a hundred games (a draw is half a "
    "point) above fifty."
)


def _named(sample: Sample) -> list[str]:
    return [variant(sample.options), sample.policy, f"{sample.n:,}"]


def spreads(results: Results, id: str) -> Sheet:
    """How scores, or lengths in a game for two, are spread."""
    samples = results.of(id)
    alone = len(samples[0].game.seats) == 1
    rows = []
    for sample in samples:
        numbers = sample.scores[:, 0] if alone else sample.steps
        values, times = np.unique(numbers, return_counts=True)
        spread = Spread.of(dict(zip(values.tolist(), times.tolist(), strict=True)))
        quantiles = [str(spread.quantiles[f"{share}%"]) for share in QUANTILES]
        rows.append([*_named(sample), f"{spread.mean:.2f}", f"{spread.sd:.2f}", *quantiles])
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
        rows.append([*_named(sample), *(percent(by_label.get(label, 0) / sample.n) for label in labels)])
    return Sheet("How games end", "In percent.", ["options", "policy", "games", *labels], rows)


def changes(results: Results, id: str) -> Sheet | None:
    """What each option changes on the same deals; None where nothing can be compared."""
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
    """How much better one policy does than the next to it on the same deals, whichever wins more often; None
    in a game for two."""
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
            row = [variant(sample.options), who, f"{difference.points.n:,}", mean(difference.points, 100)]
            rows.append([*row, mean(difference.score), mean(difference.steps, digits=1)])
        before[sample.game] = sample
    head = ["options", "policies", "deals", "won, points of 100", "score", "steps"]
    note = "Two policies on the same deals."
    return Sheet("What better play is worth", note, head, rows) if rows else None


SHEETS: tuple[Callable[[Results, str], Sheet | None], ...] = (odds, players, changes, spreads, endings)
