"""Compare a page after differences with the page drawn anew."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from random import Random
from typing import Any

import msgspec
import pytest

from smallchange import games
from smallchange.core.game import Game
from smallchange.render.markup_diff import whole
from smallchange.server.table.http import messages
from smallchange.server.table.http.subscription import Subscription, changes_message
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.model import command_events, new_tables
from smallchange.server.table.model.commands import NewTable, PlayMove, Undo
from smallchange.server.table.view.log import log_rows
from smallchange.server.table.view.table_page import all_fragments
from tests.support.browser import Visitor

STEPS = 60  # of a game
COMPARED = 7  # every so many messages, and the last
FOLLOW = """async ([site, shown]) => {
    const { Templates } = await import(`${site}/static/templates.js`);
    const { patchFragments } = await import(`${site}/static/dom.js`);
    const templates = new Templates();
    const page = document.createDocumentFragment();
    const faults = [];
    const parsed = (markup) => {
        const template = document.createElement("template");
        template.innerHTML = markup;
        return template.content.firstElementChild;
    };
    for (const [message, anew, rows] of shown) {
        templates.add(message.known ?? 0, message.templates ?? []);
        if (!page.childElementCount)
            for (const id of Object.keys(message.html))
                page.append(Object.assign(document.createElement("div"), { id }));
        const before = new Map([...page.querySelectorAll("a.piece")].map((el) => [el.id, el]));
        for (const { html } of [...(message.turns ?? []), message])
            patchFragments(page, templates.readAll(html ?? {}));
        for (const [id, el] of before) {
            const now = page.getElementById(id);
            if (now && now !== el && el.ownerSVGElement?.parentElement.id === now.ownerSVGElement.parentElement.id)
                faults.push(`${message.ply}: ${id} is another element`);
        }
        const filled = (message.rows ?? []).map((row) => templates.read(row)).join("");
        if (filled !== rows) faults.push(`${message.ply}: rows`);
        for (const [id, markup] of Object.entries(anew ?? {}))
            if (!parsed(markup).isEqualNode(page.getElementById(id))) faults.push(`${message.ply}: ${id}`);
    }
    return faults;
}"""


async def played(game: str, seed: int, langs: list[str]) -> list[list[list[Any]]]:
    """Return for each viewer of a game the messages, each with the page drawn anew and the rows of the log."""
    luck = Random(seed)
    seats = dict.fromkeys(Game(game).seats, "me")
    history, events = new_tables.new_table(NewTable(game, {}, seats), "ann", new_tables.random_id, 0)
    history.append(events)
    table = LiveTable(history, lambda: 0)
    held_seats = [(), *[(i,) for i in range(len(history.seats))], tuple(range(len(history.seats)))]
    viewers = [
        (Subscription(table, held, True, -1, lambda: None), lang, list[list[Any]]())
        for held, lang in zip(held_seats, cycle(langs), strict=False)
    ]
    for step in range(STEPS):
        for subscription, lang, shown in viewers:
            if not (step % 5) and subscription.seats == ():
                continue  # who was away is sent several turns at once
            kept = min(history.lengths[subscription.known_ply :]) if subscription.known_ply >= 0 else 0
            message = changes_message(subscription, lang)
            if message is None:
                continue
            view = table.view(subscription.seats)
            is_compared = step % COMPARED == 0 or history.ending or step == STEPS - 1
            anew = (
                {id: whole(part) for id, part in all_fragments(view, lang).items()} if is_compared else None
            )
            rows = "".join(map(whole, log_rows(view, kept, lang)))
            shown.append([msgspec.json.decode(messages.encode(message)), anew, rows])
        if history.ending:
            break
        about: dict[str, Any] = {
            "match": history.head.id,
            "ply": history.ply,
            "command_id": f"command{step:08d}",
        }
        everything = tuple(range(len(history.seats)))
        undoes = step % 11 == 10 and command_events.length_after_undo(history, everything) is not None
        token = luck.choice(history.match.position.legal())
        command = Undo(**about) if undoes else PlayMove(**about, token=token)
        new = command_events.execute(history, "ann", command, 0)
        table.append(new.events, after=new.after)
    return [shown for _, _, shown in viewers]


@pytest.mark.parametrize("game", games())
def test_a_page_after_any_differences_is_the_page_drawn_anew(game: str, visitor: Visitor) -> None:
    page = visitor()
    page.goto("/about")
    with ThreadPoolExecutor() as beside:
        viewers = beside.submit(asyncio.run, played(game, 1, ["en", "ja", "de"])).result()
    for shown in viewers:
        assert page.evaluate(FOLLOW, ["", shown]) == []
