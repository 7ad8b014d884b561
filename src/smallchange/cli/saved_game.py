"""The file of a game at the prompt or in the terminal, which two terminals do not overwrite for one another."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Collection
from itertools import chain, count
from os.path import lexists
from pathlib import Path

from smallchange.core.atomic_files import replacing
from smallchange.core.data_folder import data_folder
from smallchange.core.match import Match
from smallchange.core.record import to_json_text, write
from smallchange.i18n.text import Text

CHANGED = Text("another terminal has changed this file; to save your game, type: save OTHER-FILE")


def saved_games_folder() -> Path:
    """Return the folder where games at the prompt are saved."""
    return data_folder() / "games"


def new_game_file(match: Match) -> Path:
    """Return a file for a new game: named after its deal, and numbered where the same deal was played before."""
    name = f"{match.game.id}-{match.deal.hex()[:12] if match.deal else 'game'}"
    numbered = (
        saved_games_folder() / f"{name}{more}.txt" for more in chain([""], (f"-{i}" for i in count(2)))
    )
    return next(file for file in numbered if not lexists(file))


class SavedGame:
    """The record of a match in a file. A file that is there holds the match already.

    `people` are the players for whom a person decides. Nothing is written before one of them has decided.
    """

    def __init__(self, file: Path, match: Match, people: Collection[str]) -> None:
        self.file = file
        self._people = people
        there = file.exists()
        self._saved = match.copy() if there else None
        self._saved_bytes = file.read_bytes() if there else None  # as this terminal read or wrote it

    def holds(self, match: Match) -> bool:
        """Return whether the file has the match as it is now."""
        return self._saved == match

    def save(self, match: Match) -> Text | str | None:
        """Write the match, unless the file has it or nobody has decided yet; return why that failed, or None."""
        if self.holds(match) or not (self._saved or match.over or self._has_begun(match)):
            return None
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            if (self.file.read_bytes() if self.file.exists() else None) != self._saved_bytes:
                return CHANGED
            write_record(match, self.file)
            self.accept(match)
        except OSError as wrong:
            return wrong.strerror or str(wrong)
        return None

    def accept(self, match: Match) -> None:
        """Take over the file as it is now for this match."""
        self._saved_bytes, self._saved = self.file.read_bytes(), match.copy()

    def _has_begun(self, match: Match) -> bool:
        return any(step.actor in self._people for step in match)


def write_record(match: Match, file: Path) -> None:
    """Write a record so that the file is, at every moment, the old one or the new; one in JSON stays in JSON."""
    json = file.is_file() and file.read_bytes().removeprefix(BOM_UTF8).lstrip().startswith(b"{")
    with replacing(file) as out:
        out.write((to_json_text if json else write)(match).encode())
