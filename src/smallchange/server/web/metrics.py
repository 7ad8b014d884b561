"""Metrics in the format of Prometheus."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LOOP_PERIOD_S = 0.1  # between measurements of the event loop's delay
DONE = "done"  # outcome of a command that was committed


class Metrics:
    """Counters of commands and their duration, the event loop's delay, and gauges that are read on request."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._commands = Counter(
            "smallchange_commands", "Commands at tables", ["kind", "outcome"], registry=self._registry
        )
        self._labels = cache(self._commands.labels)
        self._seconds = Histogram(
            "smallchange_command_seconds",
            "Seconds from a command to its durable commit",
            buckets=BUCKETS_S,
            registry=self._registry,
        )

        self._delay = Histogram(
            "smallchange_loop_delay_seconds",
            "Seconds by which the event loop was late, measured ten times a second",
            buckets=BUCKETS_S,
            registry=self._registry,
        )

    async def measure_loop(self) -> None:
        """Measure how late the event loop comes back to what is due, until this is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOP_PERIOD_S
            await asyncio.sleep(LOOP_PERIOD_S)
            self._delay.observe(max(0.0, loop.time() - due))

    def add_gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        """Add a gauge with its description and the function that reads it."""
        Gauge(f"smallchange_{name}", text, registry=self._registry).set_function(read)

    def add_refused(self, refused: Mapping[str, int]) -> None:
        """Add the numbers of refusals by kind, besides those of commands. They are read on request."""
        self._registry.register(_RefusalCollector(refused))

    def count_command(self, kind: str, outcome: str, seconds: float) -> None:
        """Count a command; `outcome` is DONE, "fault", or the code of the refusal."""
        self._labels(kind, outcome).inc()
        if outcome == DONE:
            self._seconds.observe(seconds)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)


class _RefusalCollector(Collector):
    """A collector that reads the numbers of refusals on request."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        family = CounterMetricFamily(
            "smallchange_refused", "Connections and requests refused", labels=["kind"]
        )
        for kind, n in sorted(self._counts.items()):
            family.add_metric([kind], n)
        yield family
