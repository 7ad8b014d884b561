"""No text of a table is cut, through its letters or beside its box: every game at its start, middle and end."""

from __future__ import annotations

import re
from html import unescape
from random import Random

import pytest
from playwright.sync_api import Page, expect

from smallchange.i18n.text import LANGUAGES
from tests.support.browser import Visitor
from tests.support.play import GAMES, SHORT_VARIANTS, wait_for_paint

SIZES = ((320, 640), (375, 740), (667, 375), (1280, 800))
LETTERS = (100, 200)  # percent
STAGES = ("start", "middle", "end")
MIDDLE = 12  # decisions
MOST = 600
# The lines of text through whose letters the edge of a box goes. The log and what one types in scroll.
CUT = """() => {
  const found = [], walker = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const el = node.parentElement, range = document.createRange();
    if (!node.data.trim() || el.closest("svg, #log, dialog, textarea, select, .visually-hidden")) continue;
    if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    for (let box = el; box.id !== "main"; box = box.parentElement)
      if (getComputedStyle(box).webkitLineClamp !== "none" && box.scrollHeight > box.clientHeight + 1)
        found.push(`between lines: ${node.data.trim()}`);
    range.selectNodeContents(node);
    for (const line of range.getClientRects())
      for (let box = el; box.id !== "main"; box = box.parentElement) {
        const edge = box.getBoundingClientRect(), look = getComputedStyle(box);
        if (edge.height <= 2 || edge.width <= 2) break; // hidden from the eye
        if (look.overflowY === "visible") continue;
        const inset = (line.height - parseFloat(getComputedStyle(el).fontSize)) / 2;
        const [top, bottom] = [line.top + inset, line.bottom - inset];
        const isBeside = line.left >= edge.right - 1 && look.overflowX === "hidden" && look.textOverflow !== "ellipsis";
        const isCut = (y) => top + 2 < y && y < bottom - 2;
        if (isBeside || isCut(edge.bottom) || isCut(edge.top))
          found.push(`${box.className || box.id}: ${node.data.trim()}`);
      }
  }
  return [...new Set(found)];
}"""


def play_on(page: Page, path: str, most: int) -> None:
    """Let the visitor make random moves by the form, at most so many, until the game is over."""
    requests, luck = page.context.request, Random(5)
    html = requests.get(path).text()
    for _ in range(MOST):
        if 'class="result"' in html or not most:
            return
        tokens = sorted({*re.findall(r'(?:name="token" value|data-token)="([^"]+)"', html)} - {"marks"})
        if tokens:
            most -= 1
            ply = re.findall(r'name="ply" value="(\d+)"', html)[0]
            form = {"move": f"move-{ply:>06}", "ply": ply, "token": unescape(luck.choice(tokens))}
            html = requests.post(f"{path}/act", form=form, headers={"Sec-Fetch-Site": "same-origin"}).text()
        else:
            html = requests.get(path).text()


@pytest.mark.parametrize("game", GAMES)
def test_no_text_is_cut_through_its_letters(visitor: Visitor, game: str) -> None:
    page = visitor()
    page.goto(f"/games/{game}?{SHORT_VARIANTS.get(game, '')}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile(r"/m/\w+$"))
    path, turn = page.url, GAMES.index(game)
    found = []
    for i, stage in enumerate(STAGES):
        play_on(page, path, (0, MIDDLE, MOST)[i])
        lang = LANGUAGES[(i + turn) % len(LANGUAGES)]
        page.goto(f"{path}?lang={lang}")
        expect(page.locator("#connection[data-is=open]")).to_be_attached()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for letters in LETTERS:
                page.evaluate("size => { document.documentElement.style.fontSize = `${size}%` }", letters)
                wait_for_paint(page)
                found += [(stage, lang, width, letters, cut) for cut in page.evaluate(CUT)]
    assert not found
