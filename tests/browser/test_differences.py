"""In a browser too, a page after differences is the page drawn anew, and its pieces stay the same elements."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tests.support.browser import Visitor
from tests.support.page_messages import played
from tests.support.play import GAMES

COMPARED = 7  # every so many messages, and the last
FOLLOW = """async ([site, shown]) => {
    const { patchFragments } = await import(`${site}/static/dom.js`);
    const page = document.createDocumentFragment();
    const faults = [];
    const parsed = (markup) => {
        const template = document.createElement("template");
        template.innerHTML = markup;
        return template.content.firstElementChild;
    };
    for (const [message, anew, rows] of shown) {
        if (!page.childElementCount)
            for (const id of Object.keys(message.html))
                page.append(Object.assign(document.createElement("div"), { id }));
        const before = new Map([...page.querySelectorAll("a.piece")].map((el) => [el.id, el]));
        for (const { html } of [...(message.turns ?? []), message]) patchFragments(page, html ?? {});
        for (const [id, el] of before) {
            const now = page.getElementById(id);
            if (now && now !== el && el.ownerSVGElement?.parentElement.id === now.ownerSVGElement.parentElement.id)
                faults.push(`${message.ply}: ${id} is another element`);
        }
        for (const [id, markup] of Object.entries(anew ?? {}))
            if (!parsed(markup).isEqualNode(page.getElementById(id))) faults.push(`${message.ply}: ${id}`);
    }
    return faults;
}"""


def test_a_page_after_any_differences_is_the_page_drawn_anew(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/about")
    for game in GAMES:
        with ThreadPoolExecutor() as beside:
            viewers = beside.submit(asyncio.run, played(game, 1, ["en", "ja", "de"], COMPARED)).result()
        for shown in viewers:
            assert page.evaluate(FOLLOW, ["", shown]) == [], game
