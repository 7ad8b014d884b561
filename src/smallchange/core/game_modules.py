"""The modules of a game, found in its folder and loaded when they are first needed.

A game with a model, rules and a notation plays from Python. `games()` lists it once it is complete.

A game's folder is one of three kinds: a folder of `smallchange.games`; a package that an installed distribution names
by an entry point of the group `smallchange.games`; a folder inside one of the folders that the environment's
SMALLCHANGE_GAMES names. Games of the last two kinds are foreign. SMALLCHANGE_FOREIGN_GAMES names those to use, or
`none`; without it, all are used. Worker processes inherit both variables.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from smallchange.i18n.catalogues import add_folder

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


FOLDERS_VARIABLE = "SMALLCHANGE_GAMES"  # folders of foreign games, separated as in PATH
CHOSEN_VARIABLE = "SMALLCHANGE_FOREIGN_GAMES"  # ids of foreign games, separated by commas
ENTRY_POINTS = "smallchange.games"
PACKAGE_PREFIX = "smallchange_"  # of the folder of a foreign game; its id is the rest
RULE_FILES = ("model.py", "notation.py", "rules.py")  # which decide how a game is played


class Place(NamedTuple):
    """The folder of a game, and the name under which Python imports it. `fault` says why it cannot be used."""

    folder: Path
    package: str
    fault: str = ""


def games() -> list[str]:
    """Return the ids of all complete games, sorted."""
    return sorted(
        id for id, place in _places().items() if not _missing(place.folder, COMPLETE) and not place.fault
    )


def incomplete_games() -> dict[str, str]:
    """Return the games that `games()` leaves out, each with the reason."""
    left_out = {}
    for id, place in _places().items():
        missing = _missing(place.folder, COMPLETE)
        if place.fault:
            left_out[id] = place.fault
        elif missing:
            left_out[id] = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    return left_out


def is_playable(id: object) -> bool:
    """Return whether a game with this id plays from Python, complete or not."""
    if not isinstance(id, str) or len(id) > MAX_ID_LENGTH or ID.fullmatch(id) is None:
        return False
    if not _missing(_own_folder(id), PLAYABLE):
        return True
    place = _places().get(id)
    return place is not None and not place.fault


def _places() -> dict[str, Place]:
    return _find_places(os.environ.get(FOLDERS_VARIABLE, ""), os.environ.get(CHOSEN_VARIABLE))


@cache
def _find_places(folders: str, chosen: str | None) -> dict[str, Place]:
    """Return every game by its id, the foreign ones as these variables say."""
    own = sorted(path for path in Path(GAMES.__path__[0]).iterdir() if not _missing(path, PLAYABLE))
    places = {_id(path.name): Place(path, f"{GAMES.__name__}.{path.name}") for path in own}
    names = None if chosen is None else {name.strip() for name in chosen.split(",")}
    for id, place in [*_installed_places(), *_places_in(folders)]:
        if names is None or id in names:
            taken = id in places
            if taken and places[id].folder.resolve() == place.folder.resolve():
                continue  # installed, and in a folder too
            places[f"{id} in {place.folder}" if taken else id] = (
                place._replace(fault="another game has its name") if taken else _check_place(id, place)
            )
    return places


def _installed_places() -> Iterator[tuple[str, Place]]:
    for point in sorted(entry_points(group=ENTRY_POINTS)):
        try:
            spec = find_spec(point.value)
        except ImportError:
            spec = None
        found = spec.submodule_search_locations if spec else None
        if found:
            yield point.name, Place(Path(next(iter(found))), point.value)
        else:
            yield point.name, Place(Path(point.value), point.value, f"there is no package {point.value}")


def _places_in(folders: str) -> Iterator[tuple[str, Place]]:
    """Yield the games in the folders of a list. Python finds them as if they were in `smallchange.games`."""
    for name in filter(None, folders.split(os.pathsep)):
        folder = Path(name).expanduser().absolute()
        if not folder.is_dir():
            yield name, Place(folder, "", "there is no such folder")
            continue
        if str(folder) not in GAMES.__path__:
            GAMES.__path__.append(str(folder))
        for path in sorted(folder.iterdir()):
            if (path / "model.py").is_file() or (path / "rules.py").is_file():
                yield _id(path.name), Place(path, f"{GAMES.__name__}.{path.name}")


def _check_place(id: str, place: Place) -> Place:
    """Return the place of a foreign game, with its fault if it cannot be loaded."""
    if place.fault:
        return place
    if not ID.fullmatch(id) or len(id) > MAX_ID_LENGTH:
        return place._replace(fault="an id has small letters, digits and hyphens, and begins with a letter")
    if missing := _missing(place.folder, PLAYABLE):
        return place._replace(fault=f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    for name in (*PLAYABLE, "words.py", "layout.py", "ai/heuristic.py"):
        if (place.folder / name).is_file():
            try:
                import_module(f"{place.package}.{name.removesuffix('.py').replace('/', '.')}")
            except Exception as wrong:  # whatever the code of somebody else raises
                return place._replace(fault=f"{name} cannot be loaded: {type(wrong).__name__}: {wrong}")
    add_folder(place.folder / "locale")
    return place


def _missing(folder: Path, files: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(file for file in files if not (folder / file).is_file())


def _id(folder_name: str) -> str:
    return folder_name.removeprefix(PACKAGE_PREFIX).replace("_", "-")


def _own_folder(id: str) -> Path:
    return Path(GAMES.__path__[0]) / id.replace("-", "_")


def _place(id: str) -> Place:
    """Return the place of a playable game."""
    own = _own_folder(id)
    return _places()[id] if _missing(own, PLAYABLE) else Place(own, f"{GAMES.__name__}.{own.name}")


class GameModules:
    """The modules of the game with this id, each typed by its protocol.

    A module that a game may lack is None where it is absent. One that a complete game has raises
    ModuleNotFoundError where it is absent.
    """

    def __init__(self, id: str) -> None:
        place = _place(id)
        self.folder: Path = place.folder
        self.package: str = place.package
        self.model: Model = self._load("model")
        self.rules: Rules = self._load("rules")
        self.notation: Notation = self._load("notation")

    @cached_property
    def foreign_digest(self) -> str | None:
        """The SHA-256 of a foreign game's rules, in hexadecimal; None for a game of this package."""
        if self.folder.parent == Path(GAMES.__path__[0]):
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
