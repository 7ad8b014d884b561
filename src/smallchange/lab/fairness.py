"""Chi-square tests of throws: whether each object shows its outcomes as often as it should.

The statistic is Pearson's (Philosophical Magazine 50, 1900, 157-175). Throws of one object with the same weights are
one sample. An object that is expected to show some outcome fewer than MIN_EXPECTED times is not tested, since its
statistic does not follow the chi-square distribution (W. G. Cochran, Biometrics 10, 1954, 417-451).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from smallchange.core.match import Match
from smallchange.core.throws import Throw, throws
from smallchange.extras import require

require("lab", "scipy")

from scipy.stats import chi2  # noqa: E402

__all__ = ["Fairness", "FairnessTest", "ThrowCounts"]

MIN_EXPECTED = 5

Sample = tuple[str, str, tuple[int, ...]]  # game, source, weights


class FairnessTest(NamedTuple):
    """The test of one object.

    `counts` are by outcome, in the order of the outcomes' tokens, and `expected` are those of a fair object. `p` is
    the chance that a fair object is at least as far from them.
    """

    game: str
    source: str
    throws: int
    counts: tuple[int, ...]
    expected: tuple[float, ...]
    chi_square: float
    p: float


class Fairness(NamedTuple):
    """The tests of many throws.

    `throws` counts all of them, `untested` those of objects with too few throws. `chi_square`, `degrees` (of freedom)
    and `p` are of all tests together; `p` is None if nothing was tested.
    """

    throws: int
    untested: int
    tests: tuple[FairnessTest, ...]
    chi_square: float
    degrees: int
    p: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the tests as plain data."""
        return self._asdict() | {"tests": [test._asdict() for test in self.tests]}


class ThrowCounts:
    """Throws, counted by object and outcome."""

    def __init__(self) -> None:
        self._counts: dict[Sample, Counter[int]] = {}
        self._deal: bytes | None = None
        self._drawn: set[tuple[str, int]] = set()  # with this deal, by object and number

    def add_match(self, match: Match) -> None:
        """Count the throws of a match, but none that was counted with the matches of the same deal before it.

        The same throw of the same deal is one throw, however many people have played it. In the records of a site the
        matches of a deal stand together.
        """
        if match.deal is None or match.deal != self._deal:
            self._deal, self._drawn = match.deal, set()
        new = [throw for throw in throws(match) if (throw.source, throw.number) not in self._drawn]
        self._drawn.update((throw.source, throw.number) for throw in new)
        self.add(new)

    def add(self, thrown: Iterable[Throw]) -> None:
        """Count these throws too."""
        for throw in thrown:
            sample = throw.game, throw.source, throw.weights
            self._counts.setdefault(sample, Counter())[throw.outcome] += 1

    def test(self) -> Fairness:
        """Test every object that was thrown often enough.

        >>> counts = ThrowCounts()
        >>> counts.add(Throw("game", "die", (1,) * 6, face) for face in [0] * 20 + [1, 2, 3, 4, 5] * 8)
        >>> test = counts.test().tests[0]
        >>> test.counts, round(test.chi_square, 3), round(test.p, 3)
        ((20, 8, 8, 8, 8, 8), 12.0, 0.035)
        """
        tests, total = [], 0
        for (game, source, weights), counts in sorted(self._counts.items()):
            n = counts.total()
            total += n
            expected = tuple(n * weight / sum(weights) for weight in weights)
            if min(expected) < MIN_EXPECTED:
                continue
            seen = tuple(counts[outcome] for outcome in range(len(weights)))
            distance = sum((a - b) ** 2 / b for a, b in zip(seen, expected, strict=True))
            p = float(chi2.sf(distance, len(weights) - 1))
            tests.append(FairnessTest(game, source, n, seen, expected, distance, p))
        distance, degrees = (
            sum(test.chi_square for test in tests),
            sum(len(test.counts) - 1 for test in tests),
        )
        together = float(chi2.sf(distance, degrees)) if degrees else None
        untested = total - sum(test.throws for test in tests)
        return Fairness(total, untested, tuple(tests), distance, degrees, together)
