"""Reading the markup of `changes`, as a page's `templates.js` does it."""

from __future__ import annotations

from typing import Any

from smallchange.render.markup_diff import SLOT


class GivenTemplates(list[str]):
    """The templates that a connection was given for a table."""

    def read(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return the message with all its markup as text."""
        self[message.get("known", 0) :] = message.get("templates", [])
        html = {id: self.fill(markup) for id, markup in message.get("html", {}).items()}
        turns = [
            turn | {"html": {id: self.fill(markup) for id, markup in turn["html"].items()}}
            for turn in message.get("turns", [])
        ]
        rows = [self.fill(row) for row in message.get("rows", [])]
        return message | {"html": html, "turns": turns, "rows": rows}

    def fill(self, markup: Any) -> str:
        if not isinstance(markup, list):
            return str(markup)
        if not markup or not isinstance(markup[0], int):
            return "".join(map(self.fill, markup))
        template, slots = self[markup[0]], markup[1:]
        if not slots:
            return template
        first, *rest = template.split(SLOT)
        return first + "".join(self.fill(slot) + text for slot, text in zip(slots, rest, strict=True))
