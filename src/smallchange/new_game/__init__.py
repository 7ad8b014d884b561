"""Writing a new game: a package outside this one that plays at once, to be changed into one's own.

The folder `template` is that game: Pig, whose names give way to those of the new one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from smallchange.core.game_places import FOLDERS_VARIABLE, ID, MAX_ID_LENGTH, games

TEMPLATE = Path(__file__).with_name("template")
PROJECT = """\
[build-system]
requires = ["hatchling>=1.24,<2"]
build-backend = "hatchling.build"

[project]
name = "smallchange-{id}"
version = "0.1.0"
description = "{title}, a game for Small Change"
requires-python = ">=3.11"
dependencies = ["smallchange"]

[project.entry-points."smallchange.games"]
{id} = "smallchange_{module}"

[tool.hatch.build.targets.wheel]
packages = ["smallchange_{module}"]
"""


def write_game(id: str, out: Path) -> Path:
    """Write a package with a game of this id into the folder `out`/`id`, and return that folder.

    Raises ValueError where the id is not accepted or taken, FileExistsError where the folder exists.
    """
    if not ID.fullmatch(id) or len(id) > MAX_ID_LENGTH:
        raise ValueError(
            f"an id has small letters, digits and hyphens, and begins with a letter, unlike {id!r:.80}"
        )
    if id in games():
        raise ValueError(f"there is a game {id!r} already")
    title, module = " ".join(filter(None, id.split("-"))).title(), id.replace("-", "_")
    project = out / id
    project.mkdir(parents=True)
    (project / "pyproject.toml").write_text(
        PROJECT.format(id=id, title=title, module=module), encoding="utf-8"
    )
    folder = project / f"smallchange_{module}"
    letters = _ruling_letters(id)
    for source in sorted(TEMPLATE.rglob("*")):
        if source.suffix in (".py", ".md"):
            target = folder / source.relative_to(TEMPLATE)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text(encoding="utf-8")
            for name, own in (("Pig", title), ('"pig"', f'"{id}"'), ("PI-", f"{letters}-")):
                text = text.replace(name, own)
            text = text.replace("test_pi_", f"test_{letters.lower()}_")
            target.write_text(text, encoding="utf-8")
    _write_transcript(id, project)
    return project


def _ruling_letters(id: str) -> str:
    """Return two letters for the numbers of a game's rulings.

    >>> [_ruling_letters(id) for id in ("three-heaps", "pig", "x", "a-", "b-2-c")]
    ['TH', 'PI', 'XX', 'AX', 'BC']
    """
    initials = [part[0] for part in id.split("-") if part[:1].isalpha()]
    others = [letter for letter in id[1:] if letter.isalpha()] if len(initials) == 1 else []
    return "".join([*initials, *others, "x"])[:2].upper()


def _write_transcript(id: str, project: Path) -> None:
    """Write the golden transcript of the new game, by a process that finds it."""
    known = os.environ.get(FOLDERS_VARIABLE)
    found = os.pathsep.join([str(project.absolute()), *([known] if known else [])])
    command = [sys.executable, "-m", "smallchange.contract.transcript", id]
    subprocess.run(command, env=os.environ | {FOLDERS_VARIABLE: found}, check=True)
