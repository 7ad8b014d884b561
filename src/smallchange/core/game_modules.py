"""The modules of a game, found in its folder and loaded when they are first needed.

A game with a model, rules and a notation plays from Python. `games()` lists it once it is complete.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Generic, TypeVar, cast, get_args

from . import protocols
from .errors import RulesError
from .game_places import find_place

RULE_FILES = ("model.py", "notation.py", "rules.py")  # which decide how a game is played
P = TypeVar("P")


class Part(Generic[P]):
    """A module of a game's folder with the attribute's name, loaded when it is first needed.

    A module that a game `may_lack` is None where it is absent; another raises ModuleNotFoundError. RulesError where
    the module lacks a name of its protocol.
    """

    def __init__(self, prefix: str = "", may_lack: bool = False) -> None:
        self.prefix: str = prefix
        self.may_lack: bool = may_lack

    def __set_name__(self, owner: type, name: str) -> None:
        self.name: str = name

    @cached_property
    def protocol(self) -> type:
        """The names that the module has to have."""
        declared = get_args(self.__orig_class__)[0]  # type: ignore[attr-defined] # set by Generic
        return cast(type, next(iter(get_args(declared)), declared))

    def __get__(self, game: GameModules, owner: type) -> P:
        file = game.folder / f"{self.prefix.replace('.', '/')}{self.name}.py"
        lacks = self.may_lack and not file.is_file()
        module = None if lacks else import_module(f"{game.package}.{self.prefix}{self.name}")
        if module is not None and (names := protocols.missing_names(module, self.protocol)):
            raise RulesError(f"{game.id}: {self.name}.py lacks {', '.join(names)}")
        game.__dict__[self.name] = module  # which is found before this descriptor from now on
        return cast(P, module)


class GameModules:
    """The modules of the game with this id, each typed by its protocol."""

    id: str
    words: Part[protocols.Words] = Part[protocols.Words]()
    layout: Part[protocols.Layout] = Part[protocols.Layout]()
    heuristic: Part[protocols.Heuristic] = Part[protocols.Heuristic]("ai.")
    summary: Part[protocols.Summary | None] = Part[protocols.Summary | None](may_lack=True)
    reference: Part[protocols.Reference | None] = Part[protocols.Reference | None](may_lack=True)
    piecepack: Part[protocols.Piecepack | None] = Part[protocols.Piecepack | None](may_lack=True)
    guide: Part[protocols.Guide | None] = Part[protocols.Guide | None](may_lack=True)
    presets: Part[protocols.Presets | None] = Part[protocols.Presets | None](may_lack=True)
    memory: Part[protocols.Memory | None] = Part[protocols.Memory | None](may_lack=True)
    margin: Part[protocols.Margin | None] = Part[protocols.Margin | None](may_lack=True)
    invariants: Part[protocols.Invariants | None] = Part[protocols.Invariants | None](may_lack=True)
    utility: Part[protocols.Utility | None] = Part[protocols.Utility | None]("ai.", may_lack=True)
    evaluation: Part[protocols.Evaluation | None] = Part[protocols.Evaluation | None]("ai.", may_lack=True)
    symmetry: Part[protocols.Symmetry | None] = Part[protocols.Symmetry | None]("ai.", may_lack=True)
    ranking: Part[protocols.Ranking | None] = Part[protocols.Ranking | None]("ai.", may_lack=True)
    chance_layers: Part[protocols.ChanceLayers | None] = Part[protocols.ChanceLayers | None](
        "ai.", may_lack=True
    )
    dice_moves: Part[protocols.DiceMoves | None] = Part[protocols.DiceMoves | None]("ai.", may_lack=True)
    features: Part[protocols.Features | None] = Part[protocols.Features | None]("ai.", may_lack=True)
    reasons: Part[protocols.Reasons | None] = Part[protocols.Reasons | None]("ai.", may_lack=True)

    def _find(self, id: str) -> None:
        place = find_place(id)
        self._is_foreign = place.foreign
        self.folder: Path = place.folder
        self.package: str = place.package
        self.model: protocols.Model = import_module(f"{self.package}.model")
        self.rules: protocols.Rules = import_module(f"{self.package}.rules")
        self.notation: protocols.Notation = import_module(f"{self.package}.notation")

    @cached_property
    def foreign_digest(self) -> str | None:
        """The SHA-256 of a foreign game's rules, in hexadecimal; None for a game of this package."""
        if not self._is_foreign:
            return None
        texts = (f"{name}\n".encode() + (self.folder / name).read_bytes() for name in RULE_FILES)
        return hashlib.sha256(b"\0".join(texts)).hexdigest()
