"""Find barriers on a page with axe."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def assert_no_barrier(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    serious = [
        (fault["id"], [node["html"][:200] for node in fault["nodes"][:3]])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]
    assert not serious, serious
