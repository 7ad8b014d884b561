"""The modules of a game, found in its folder and loaded when they are first needed.

A game with a model, rules and a notation plays from Python. `games()` lists it once it is complete.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from .protocols import (
    DiceMoves,
    Evaluation,
    Features,
    Guide,
    Heuristic,
    Invariants,
    Layout,
    Margin,
    Memory,
    Model,
    Notation,
    Piecepack,
    Presets,
    Ranking,
    Reasons,
    Reference,
    Rules,
    Summary,
    Symmetry,
    Utility,
    Words,
)

GAMES: Any = import_module("smallchange.games")  # by name, because games stand above the core
ID = re.compile(r"[a-z][a-z0-9-]*")
MAX_ID_LENGTH = 100  # a longer name is more than a file system takes

PLAYABLE = ("model.py", "rules.py", "notation.py")
COMPLETE = (*PLAYABLE, "words.py", "layout.py", "ai/heuristic.py", "rulebook.en.md")


def games() -> list[str]:
    """Return the ids of all complete games, sorted."""
    return [id for id, missing in _playable().items() if not missing]


def incomplete_games() -> dict[str, tuple[str, ...]]:
    """Return the games that play from Python alone, each with the files that are missing."""
    return {id: missing for id, missing in _playable().items() if missing}


def is_playable(id: object) -> bool:
    """Return whether a game with this id plays from Python, complete or not."""
    if not isinstance(id, str) or len(id) > MAX_ID_LENGTH or ID.fullmatch(id) is None:
        return False
    return not _missing(_folder(id), PLAYABLE)


@cache
def _playable() -> dict[str, tuple[str, ...]]:
    folders = sorted(path for path in Path(GAMES.__path__[0]).iterdir() if not _missing(path, PLAYABLE))
    return {path.name.replace("_", "-"): _missing(path, COMPLETE) for path in folders}


def _missing(folder: Path, files: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(file for file in files if not (folder / file).is_file())


def _folder(id: str) -> Path:
    return Path(GAMES.__path__[0]) / id.replace("-", "_")


class GameModules:
    """The modules of the game with this id, each typed by its protocol.

    A module that a game may lack is None where it is absent. One that a complete game has raises
    ModuleNotFoundError where it is absent.
    """

    def __init__(self, id: str) -> None:
        self.folder: Path = _folder(id)
        self.package: str = f"{GAMES.__name__}.{id.replace('-', '_')}"
        self.model: Model = self._load("model")
        self.rules: Rules = self._load("rules")
        self.notation: Notation = self._load("notation")

    def _load(self, name: str) -> Any:
        return import_module(f"{self.package}.{name}")

    def _load_if_present(self, name: str) -> Any:
        file = self.folder / f"{name.replace('.', '/')}.py"
        return self._load(name) if file.is_file() else None

    @cached_property
    def words(self) -> Words:
        words: Words = self._load("words")
        return words

    @cached_property
    def layout(self) -> Layout:
        layout: Layout = self._load("layout")
        return layout

    @cached_property
    def heuristic(self) -> Heuristic:
        heuristic: Heuristic = self._load("ai.heuristic")
        return heuristic

    @cached_property
    def summary(self) -> Summary | None:
        summary: Summary | None = self._load_if_present("summary")
        return summary

    @cached_property
    def reference(self) -> Reference | None:
        reference: Reference | None = self._load_if_present("reference")
        return reference

    @cached_property
    def piecepack(self) -> Piecepack | None:
        piecepack: Piecepack | None = self._load_if_present("piecepack")
        return piecepack

    @cached_property
    def guide(self) -> Guide | None:
        guide: Guide | None = self._load_if_present("guide")
        return guide

    @cached_property
    def presets(self) -> Presets | None:
        presets: Presets | None = self._load_if_present("presets")
        return presets

    @cached_property
    def memory(self) -> Memory | None:
        memory: Memory | None = self._load_if_present("memory")
        return memory

    @cached_property
    def margin(self) -> Margin | None:
        margin: Margin | None = self._load_if_present("margin")
        return margin

    @cached_property
    def invariants(self) -> Invariants | None:
        invariants: Invariants | None = self._load_if_present("invariants")
        return invariants

    @cached_property
    def utility(self) -> Utility | None:
        utility: Utility | None = self._load_if_present("ai.utility")
        return utility

    @cached_property
    def evaluation(self) -> Evaluation | None:
        evaluation: Evaluation | None = self._load_if_present("ai.evaluation")
        return evaluation

    @cached_property
    def symmetry(self) -> Symmetry | None:
        symmetry: Symmetry | None = self._load_if_present("ai.symmetry")
        return symmetry

    @cached_property
    def ranking(self) -> Ranking | None:
        ranking: Ranking | None = self._load_if_present("ai.ranking")
        return ranking

    @cached_property
    def dice_moves(self) -> DiceMoves | None:
        dice_moves: DiceMoves | None = self._load_if_present("ai.dice_moves")
        return dice_moves

    @cached_property
    def features(self) -> Features | None:
        features: Features | None = self._load_if_present("ai.features")
        return features

    @cached_property
    def reasons(self) -> Reasons | None:
        reasons: Reasons | None = self._load_if_present("ai.reasons")
        return reasons
