"""Every page of the server: it keeps to its own policy, and nothing comes from elsewhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request, Response, expect

from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Visitor
from tests.support.play import FOR_ONE, FOR_TWO, begin, invite, sit_down
from tests.support.site_paths import PATHS


@pytest.mark.parametrize("game", [FOR_ONE[-1], FOR_TWO[0]])  # to which every page belongs
def test_no_page_asks_for_what_its_policy_forbids_or_for_what_is_not_here(
    visitor: Visitor, game: str
) -> None:
    """What the policy forbids a page says itself, and that fails every test."""
    ann, bo = visitor(), visitor()
    site, strange = ann.goto("/").url, list[str]()  # type: ignore[union-attr]

    def note_request(request: Request) -> None:
        if not request.url.startswith(site):
            strange.append(request.url)

    def note_response(answer: Response) -> None:
        if answer.status >= 400 and not answer.request.is_navigation_request():
            strange.append(f"{answer.status} {answer.url}")

    for page in (ann, bo):
        page.on("request", note_request)
        page.on("response", note_response)
    code = ""
    if game in FOR_TWO:
        link = invite(ann, game)
        sit_down(bo, link)
        expect(ann.locator("#seats")).to_contain_text("Bo")
        code = link.removeprefix("/j/")
    else:
        begin(ann, game)
    ann.locator("#resign-question summary").click()
    ann.get_by_role("button", name="Yes, resign").click()
    expect(ann.locator(".result")).to_be_visible()
    for path in pages(ann, game, ann.url.rpartition("/m/")[2], code):
        if game in FOR_TWO or game in path or "/m/" in path:  # the others are the same
            ann.goto(path)
    assert not strange


def pages(page: Page, game: str, id: str, code: str) -> list[str]:
    """Return every path that is asked by GET and answered by a page."""
    paths = [path.format(game=game, id=id, code=code) for some in PATHS.values() for path in some]
    heads = [(path, page.request.get(path)) for path in paths]
    return [path for path, head in heads if head.ok and head.headers["content-type"].startswith("text/html")]


@pytest.mark.parametrize("lang", ["ja"])
def test_axe_finds_nothing_serious_where_a_friend_is_invited_and_luck_is_proven(
    visitor: Visitor, lang: str
) -> None:
    ann, bo = visitor(), visitor()
    link = invite(ann, FOR_TWO[0])
    for page, path in ((ann, ann.url), (bo, link), (ann, f"{ann.url}/envelope")):
        page.goto(f"{path}?lang={lang}")
        assert_no_barrier(page)
