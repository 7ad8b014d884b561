"""Figures for Prometheus."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from .hub import Hub

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Measures:
    def __init__(self, hub: Hub) -> None:
        self._registry = CollectorRegistry()
        self._deeds = Counter(
            "smallchange_deeds", "What was asked at tables", ["kind", "outcome"], registry=self._registry
        )
        self._counted = cache(self._deeds.labels)
        self._seconds = Histogram(
            "smallchange_deed_seconds",
            "From asking to the durable commit",
            buckets=BUCKETS,
            registry=self._registry,
        )
        for name, text, read in (
            ("sockets", "Open connections", lambda: len(hub.lines)),
            ("tables_watched", "Tables somebody follows", lambda: hub.rooms.watched),
            ("writes_waiting", "Jobs queued for the writer", lambda: hub.rooms.store.writer.waiting),
        ):
            Gauge(f"smallchange_{name}", text, registry=self._registry).set_function(read)

    def deed(self, kind: str, outcome: str, seconds: float) -> None:
        self._counted(kind, outcome).inc()
        if outcome == "done":
            self._seconds.observe(seconds)

    def text(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self._registry)
