"""The places of games: the folders that hold them, and the names under which Python imports them.

A game's folder is one of three kinds: a folder of `smallchange.games`; a package that an installed distribution names
by an entry point of the group `smallchange.games`; a folder inside one of the folders that the environment's
SMALLCHANGE_GAMES names. Games of the last two kinds are foreign. SMALLCHANGE_FOREIGN_GAMES names those to use, or
`none`; without it, all are used. Worker processes inherit both variables.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from os.path import isfile
from pathlib import Path
from typing import Any, NamedTuple

from smallchange.i18n.catalogues import add_folder

from . import protocols
from .json_text import read_json

GAMES: Any = import_module("smallchange.games")  # by name, because games stand above the core
ID = re.compile(r"[a-z][a-z0-9-]*")
MAX_ID_LENGTH = 100  # a longer name is more than a file system takes

NEEDED: dict[str, type] = {
    "model.py": protocols.Model,
    "rules.py": protocols.Rules,
    "notation.py": protocols.Notation,
    "words.py": protocols.Words,
    "layout.py": protocols.Layout,
    "ai/heuristic.py": protocols.Heuristic,
}
PLAYABLE = tuple(NEEDED)[:3]
COMPLETE = (*NEEDED, "rulebook.en.md")
TEXTS = ("rulebook.*.md", "*.json", "*.jsonl")

FOLDERS_VARIABLE = "SMALLCHANGE_GAMES"  # folders of foreign games, separated as in PATH
CHOSEN_VARIABLE = "SMALLCHANGE_FOREIGN_GAMES"  # ids of foreign games, separated by commas
ENTRY_POINTS = "smallchange.games"
PACKAGE_PREFIX = "smallchange_"  # of the folder of a foreign game; its id is the rest


class Place(NamedTuple):
    """The folder of a game, and the name under which Python imports it. `fault` says why it cannot be used."""

    folder: Path
    package: str
    fault: str = ""
    foreign: bool = False


def games() -> list[str]:
    """Return the ids of all complete games, sorted."""
    return sorted(
        id for id, place in _places().items() if not _missing(place.folder, COMPLETE) and not place.fault
    )


def incomplete_games() -> dict[str, str]:
    """Return the games that `games()` leaves out, each with the reason."""
    return {id: why for id in _places() if (why := incompleteness(id))}


def incompleteness(id: str) -> str:
    """Return the reason why `games()` leaves a game out; "" for a game that it lists, or that is not there."""
    place = _places().get(id)
    if place is None or place.fault:
        return place.fault if place else ""
    missing = _missing(place.folder, COMPLETE)
    return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing" if missing else ""


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
    for id, place in [*_installed_places(names), *_places_in(folders)]:
        place = place._replace(foreign=True)
        if names is None or id in names:
            taken = id in places
            if taken and places[id].folder.resolve() == place.folder.resolve():
                continue  # installed, and in a folder too
            places[f"{id} in {place.folder}" if taken else id] = (
                place._replace(fault="another game has its name") if taken else _check_place(id, place)
            )
    return places


def _installed_places(names: set[str] | None) -> Iterator[tuple[str, Place]]:
    """Yield the installed games of these ids, or all: to find one may run code of its package."""
    for point in sorted(entry_points(group=ENTRY_POINTS)):
        if names is not None and point.name not in names:
            continue
        try:
            spec = find_spec(point.value)
        except BaseException:  # whatever the code of somebody else raises, an exit too
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
    for name, protocol in NEEDED.items():
        if (place.folder / name).is_file():
            try:
                module = import_module(f"{place.package}.{name.removesuffix('.py').replace('/', '.')}")
            except BaseException as wrong:
                return place._replace(fault=f"{name} cannot be loaded: {type(wrong).__name__}: {wrong}")
            if names := protocols.missing_names(module, protocol):
                return place._replace(fault=f"{name} lacks {', '.join(names)}")
    for file in (file for pattern in TEXTS for file in sorted(place.folder.glob(pattern))):
        try:
            text = file.read_text(encoding="utf-8")
            _ = file.suffix == ".json" and read_json(text)
        except (OSError, ValueError) as wrong:
            return place._replace(fault=f"{file.name} cannot be read: {wrong}")
    add_folder(place.folder / "locale")
    return place


def _missing(folder: Path, files: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([file for file in files if not isfile(f"{folder}/{file}")])


def _id(folder_name: str) -> str:
    return folder_name.removeprefix(PACKAGE_PREFIX).replace("_", "-")


@lru_cache(maxsize=256)
def _own_folder(id: str) -> Path:
    return Path(GAMES.__path__[0]) / id.replace("-", "_")


def find_place(id: str) -> Place:
    """Return the place of a playable game."""
    own = _own_folder(id)
    return _places()[id] if _missing(own, PLAYABLE) else Place(own, f"{GAMES.__name__}.{own.name}")
