"""A preset: a set of options with a name, offered as a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from smallchange.i18n.text import Text

from .options import Value

__all__ = ["Preset"]


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice of options; those that `options` does not name have their defaults.

    `note` is a sentence about it: where it comes from, or what is known of it.
    """

    title: Text
    options: Mapping[str, Value]
    note: Text | None = None
