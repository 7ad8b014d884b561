"""The page on fairness: how luck is sealed, and the tests of all throws of finished games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from smallchange.core.game import Game
from smallchange.i18n.formats import decimal, number
from smallchange.i18n.text import Text
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page


class TestRow(NamedTuple):
    """One object and its throws: how many, over how many outcomes, and the chi-square test of them."""

    game: Text
    source: str
    throws: Text
    outcomes: int
    chi_square: Text
    p: Text


def fairness_page(tests: Mapping[str, Any] | None, visit: PageContext) -> str:
    """Return the page. `tests` are those that `smallchange dump` has written; None where there is no dump."""
    if tests is None:
        return render_page("fairness.html", visit, p.FAIRNESS, explained=p.FAIRNESS_TEXTS, published=False)
    return render_page(
        "fairness.html",
        visit,
        p.FAIRNESS,
        explained=p.FAIRNESS_TEXTS,
        published=True,
        counts=p.SITE_THROWS.fill(games=number(tests["games"]), throws=number(tests["throws"])),
        p_value=None if tests["p"] is None else decimal(f"{tests['p']:.3f}"),
        rows=[_row(test) for test in tests["tests"]],
        untested=p.UNTESTED_THROWS.fill(n=number(tests["untested"])),
    )


def _row(test: Mapping[str, Any]) -> TestRow:
    return TestRow(
        Game(test["game"]).words.TITLE,
        test["source"],
        number(test["throws"]),
        len(test["counts"]),
        decimal(f"{test['chi_square']:.2f}"),
        decimal(f"{test['p']:.3f}"),
    )
