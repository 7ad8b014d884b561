"""The modules of a game, found in its folder and loaded when they are first needed.

A game with a model, rules and a notation plays from Python. `games()` lists it once it is complete.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from .game_places import find_place
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

RULE_FILES = ("model.py", "notation.py", "rules.py")  # which decide how a game is played


class GameModules:
    """The modules of the game with this id, each typed by its protocol.

    A module that a game may lack is None where it is absent. One that a complete game has raises
    ModuleNotFoundError where it is absent.
    """

    def __init__(self, id: str) -> None:
        place = find_place(id)
        self._is_foreign = place.foreign
        self.folder: Path = place.folder
        self.package: str = place.package
        self.model: Model = self._load("model")
        self.rules: Rules = self._load("rules")
        self.notation: Notation = self._load("notation")

    @cached_property
    def foreign_digest(self) -> str | None:
        """The SHA-256 of a foreign game's rules, in hexadecimal; None for a game of this package."""
        if not self._is_foreign:
            return None
        texts = (f"{name}\n".encode() + (self.folder / name).read_bytes() for name in RULE_FILES)
        return hashlib.sha256(b"\0".join(texts)).hexdigest()

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
