"""What benches are asked for in words: a game's options as "size=4", players as "values looks=60 turns=1"."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import smallchange
from smallchange import BadOption, BadValues, fast
from smallchange.fast import search, values
from smallchange.fast.expectimax import valuer
from smallchange.fast.weights import read

P = TypeVar("P", search.Plan, values.Lookahead)


def several(text: str) -> int:
    """How many games, from the command line: with fewer than two there is no interval."""
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"there must be 2 or more, not {text}")
    return int(text)


def chosen(id: str, words: list[str]) -> smallchange.Game:
    """A game with the options of these words."""
    offered = {option.name: option for option in smallchange.game(id).offered}
    given = dict(word.partition("=")[::2] for word in words)
    parsed = {name: offered[name].parse(text) if name in offered else text for name, text in given.items()}
    try:
        return smallchange.game(id, **parsed)
    except BadOption as wrong:
        raise SystemExit(f"{id}: {wrong}") from None


def made(game: smallchange.Game, phrase: str) -> tuple[Any, Any]:
    """A player's rules and plan: "greedy", "tree playouts=1000", "values looks=60", or by other weights than
    those beside the game "values net=FILE looks=60"."""
    kind, *words = phrase.split()
    nets = [word.removeprefix("net=") for word in words if word.startswith("net=")]
    if kind == "values":
        numbers = [word for word in words if not word.startswith("net=")]
        try:
            weights = read(game, Path(nets[-1]) if nets else None)
        except BadValues as missing:
            raise SystemExit(str(missing)) from None
        return valuer(game, weights), plan(values.Lookahead, " ".join(numbers))
    if kind == "tree":
        return search.Searcher(game), plan(search.Plan, " ".join(words))
    if phrase != "greedy":
        raise SystemExit(f"{phrase!r} is no player: greedy, tree .. or values ..")
    return search.Searcher(game), fast.GREEDY


def plan(kind: type[P], phrase: str) -> P:
    """A plan in numbers by name, as "looks=300 ends=12"."""
    try:
        return kind(**{name: int(n) for name, n in (word.split("=") for word in phrase.split())})
    except (TypeError, ValueError):
        names = ", ".join(field.name for field in fields(kind))
        raise SystemExit(f"{phrase!r} is no plan: NAME=NUMBER .., the names being {names}") from None
