"""After any message, a page is the page drawn anew, whoever looks at it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest

from smallchange import Game, games
from tests.support.page_messages import played

VOID = ("input", "br", "hr", "img", "meta", "link")


@dataclass
class Node:
    """An element."""

    tag: str
    attributes: dict[str, str | None]
    children: list[Node | str] = field(default_factory=list)

    def index(self, parents: dict[str, Node]) -> None:
        """Note the parent of each element in this one that has an id."""
        for child in self.children:
            if isinstance(child, Node):
                parents[child.id] = self
                child.index(parents)

    @property
    def id(self) -> str:
        return self.attributes.get("id") or ""

    def child(self, id: str) -> Node:
        return next(child for child in self.children if isinstance(child, Node) and child.id == id)

    def replace(self, id: str, fresh: Node) -> None:
        self.children = [fresh if isinstance(one, Node) and one.id == id else one for one in self.children]


class Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(markup: str) -> Node:
    parser = Parser()
    parser.feed(markup)
    (root,) = parser.open
    (node,) = root.children
    assert isinstance(node, Node)
    return node


def patch(parents: dict[str, Node], html: dict[str, str]) -> None:
    """Put parts in their places, as `static/dom.js` does it."""
    for id, markup in html.items():
        fresh, inside = parse(markup), dict[str, Node]()
        assert fresh.id == id
        fresh.index(inside)
        for kept, parent in inside.items():
            if kept and "data-kept" in parent.child(kept).attributes:
                parent.replace(kept, parents[kept].child(kept))
        parents[id].replace(id, fresh)
        fresh.index(parents)


def faults(shown: list[list[Any]]) -> list[str]:
    """Return what differs on a page from the page drawn anew."""
    page, parents, found = Node("", {}), dict[str, Node](), list[str]()
    for message, anew, rows in shown:
        if not page.children:
            page.children = [Node("div", {"id": id}) for id in message["html"]]
            page.index(parents)
        for part in (*message.get("turns", []), message):
            patch(parents, part.get("html", {}))
        if "".join(message.get("rows", [])) != rows:
            found.append(f"{message['ply']}: rows")
        found += [
            f"{message['ply']}: {id}"
            for id, markup in (anew or {}).items()
            if page.child(id) != parse(markup)
        ]
    return found


@pytest.mark.parametrize("game", games())
def test_a_page_after_any_message_is_the_page_drawn_anew(game: str) -> None:
    for shown in asyncio.run(played(game, 1, ["en", "ja", "de"], every=5)):
        assert any(message.get("turns") for message, _, _ in shown) or len(shown) > 1
        assert faults(shown) == []


def test_a_page_that_lost_a_message_is_another() -> None:
    without_chance = next(id for id in games() if not Game(id).sources)
    shown = asyncio.run(played(without_chance, 1, ["en"]))[0]
    assert faults(shown[:4]) == []
    assert faults([shown[0], shown[3]])
