"""The kinds of tournaments: one file each, found by its object `KIND`. Nothing else lists them."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from smallchange.server.tournaments.kinds.kind import Kind
from smallchange.server.tournaments.model import Tournament, TournamentHead

_FOUND: list[Kind] = [
    kind
    for module in iter_modules(__path__)
    if (kind := getattr(import_module(f"{__name__}.{module.name}"), "KIND", None))
]
KINDS: dict[str, Kind] = {kind.code: kind for kind in sorted(_FOUND, key=lambda kind: kind.order)}


def offered_kinds() -> list[Kind]:
    """Return the kinds that this server can open."""
    return [kind for kind in KINDS.values() if kind.is_available]


def kind_of(tournament: Tournament | TournamentHead) -> Kind:
    """Return the kind of a tournament."""
    return KINDS[(tournament.head if isinstance(tournament, Tournament) else tournament).kind]
