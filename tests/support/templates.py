"""Reading the markup of `changes`, as a page's `templates.js` does it."""

from __future__ import annotations

from typing import Any

from smallchange.render.markup_diff import SLOT


class GivenTemplates(list[str]):
    """The templates that a connection was given for a table."""

    def read(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return the message with all its markup as text."""
        self[message.get("known", 0) :] = message.get("templates", [])
        filled = dict(message)
        if "html" in message:
            filled["html"] = self._fill_all(message["html"])
        if "turns" in message:
            filled["turns"] = [turn | {"html": self._fill_all(turn["html"])} for turn in message["turns"]]
        if "rows" in message:
            filled["rows"] = [self.fill(row) for row in message["rows"]]
        return filled

    def _fill_all(self, html: dict[str, Any]) -> dict[str, str]:
        return {id: self.fill(markup) for id, markup in html.items()}

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
