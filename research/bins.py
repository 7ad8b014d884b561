"""Print predicted chances beside results."""

from __future__ import annotations

from smallchange.lab.reliability import Bin, Forecast, bins


def print_bins(forecasts: list[Forecast]) -> None:
    """Print a line for each tenth of the odds that has a forecast."""
    for one in bins(forecasts):
        print(summary(one))


def summary(one: Bin) -> str:
    """Return what was said, what was won with its 95 % interval, and the numbers of positions and draws."""
    won = f"{one.won.p:.3f} ({one.won.low:.3f} to {one.won.high:.3f})"
    return f"{one.said:.3f}  {won}  {one.positions:6}  {one.draws:5}"
