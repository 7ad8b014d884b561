"""Parse the words of a bench: a game's options as "size=4", players as "values rollouts=60 turns=1"."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import smallchange
from smallchange import BadOption, BadValues, engine
from smallchange.engine.search import learned_values as values
from smallchange.engine.search import mcts as search
from smallchange.engine.search.expectimax import value_searcher
from smallchange.engine.search.value_weights import read_weights

P = TypeVar("P", search.Plan, values.Lookahead)


def several(text: str) -> int:
    """Parse a number of games from the command line; with fewer than two there is no interval."""
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"there must be 2 or more, not {text}")
    return int(text)


def parse_game(id: str, words: list[str]) -> smallchange.Game:
    """Return the game with the options of these words."""
    offered = {option.name: option for option in smallchange.game(id).offered}
    given = dict(word.partition("=")[::2] for word in words)
    parsed = {name: offered[name].parse(text) if name in offered else text for name, text in given.items()}
    try:
        return smallchange.game(id, **parsed)
    except BadOption as wrong:
        raise SystemExit(f"{id}: {wrong}") from None


def parse_player(game: smallchange.Game, phrase: str) -> tuple[Any, Any]:
    """Return a player's rules and plan, for "greedy", "tree simulations=1000" or "values rollouts=60".

    Weights other than the game's own are named by "values net=FILE rollouts=60".
    """
    kind, *words = phrase.split()
    nets = [word.removeprefix("net=") for word in words if word.startswith("net=")]
    if kind == "values":
        numbers = [word for word in words if not word.startswith("net=")]
        try:
            weights = read_weights(game, Path(nets[-1]) if nets else None)
        except BadValues as missing:
            raise SystemExit(str(missing)) from None
        return value_searcher(game, weights), plan(values.Lookahead, " ".join(numbers))
    if kind == "tree":
        return search.TreeSearcher(game), plan(search.Plan, " ".join(words))
    if phrase != "greedy":
        raise SystemExit(f"{phrase!r} is no player: greedy, tree .. or values ..")
    return search.TreeSearcher(game), engine.GREEDY


def plan(kind: type[P], phrase: str) -> P:
    """Parse a plan of numbers by name, such as "rollouts=300 candidates=12"."""
    try:
        return kind(**{name: int(n) for name, n in (word.split("=") for word in phrase.split())})
    except (TypeError, ValueError):
        names = ", ".join(field.name for field in fields(kind))
        raise SystemExit(f"{phrase!r} is no plan: NAME=NUMBER .., the names being {names}") from None
