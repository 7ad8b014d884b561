"""A table as the terminal plays it: a match of its own, or one at a server."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from smallchange.client import Server, ServerError, TableLink
from smallchange.core.game import game as game_with
from smallchange.core.match import ENDINGS, Match
from smallchange.i18n.text import Text

from ..play import advise
from ..prompt import NOTHING, Bot
from ..saved_game import SavedGame

NO_HINT_HERE = Text("At a server’s table, ask for hints on its page.")


class Table(ABC):
    """A match, and the players for whom a person decides here.

    `wait` blocks and is called from a thread; everything else answers at once.
    """

    match: Match
    people: frozenset[str]
    is_remote = False  # whether it goes on without us

    @property
    def legal(self) -> list[str]:
        """The moves that a person can choose here now."""
        mine = not self.match.over and self.match.position.actor in self.people
        return self.match.position.legal() if mine else []

    @property
    def is_waiting(self) -> bool:
        """True where somebody else is to act: chance, a bot, or a player elsewhere."""
        return not self.match.over and self.match.position.actor not in self.people

    @abstractmethod
    def play(self, token: str) -> None:
        """Take a step of a person; IllegalMove or ServerError changes nothing."""

    @abstractmethod
    def undo(self) -> Text | None:
        """Take the last decision back; return why that cannot be, or None."""

    @abstractmethod
    def wait(self) -> bool:
        """Wait for the steps of others, and take them over; return False where nothing more will come."""

    @abstractmethod
    def hint(self) -> Text:
        """Return the move of the best bot."""

    def time_left(self) -> dict[str, int]:
        """Return the time that each player with a clock has now, in milliseconds."""
        return {}

    def close(self) -> str:
        """Leave the table; return a problem to tell, or ""."""
        return ""


class LocalTable(Table):
    """A match of its own, with bots, kept in a file."""

    def __init__(self, match: Match, players: Mapping[str, Bot], saved: SavedGame | None = None) -> None:
        self.match = match
        self.people = frozenset(match.seats) - frozenset(players)
        self._bots = players
        self._saved = saved
        self._problem: Text | str | None = None

    def play(self, token: str) -> None:
        self.match.play(token)

    def undo(self) -> Text | None:
        decided = [i for i, step in enumerate(self.match) if step.actor in self.people]
        if not decided:
            return NOTHING
        self.match = self.match.until(decided[-1])
        self._save()
        return None

    def wait(self) -> bool:
        """Let chance answer, or a bot take one step."""
        actor = self.match.position.actor
        if self.match.over or actor is None or actor in self.people:
            return False
        if actor == "chance":
            self.match.settle()
        else:
            self.match.play(self._bots[actor](self.match.position))
        self._save()
        return True

    def hint(self) -> Text:
        return advise(self.match.position)

    def _save(self) -> None:
        if self._saved:
            self._problem = self._saved.save(self.match)

    def close(self) -> str:
        self._save()
        return str(self._problem or "")


class ServerTable(Table):
    """A table of a server, by its link: joined where the link has a free seat, else watched."""

    is_remote = True

    def __init__(self, link: TableLink, name: str = "") -> None:
        self.server = Server(link.url)
        seen = self.server.join(link.code, name) if link.code else self.server.table(link.match)
        self.id: str = seen["match"]
        self._game = game_with(seen["game"], **seen["options"])
        if self._game.is_by_memory and not seen["ended"]:
            raise ServerError(
                "of a game by memory a server tells no more than the last turn: watch it on its page"
            )
        self._news = self.server.news(self.id)
        self.people = frozenset(seat["player"] for seat in seen["seats"] if seat["you"])
        self.match = self._replay(seen["tokens"])
        self._accept(seen)

    def _replay(self, tokens: list[str]) -> Match:
        match = Match(self._game)
        for token in tokens:
            match.play(token)
        return match

    def _accept(self, message: Mapping[str, Any]) -> None:
        """Take the state of a table, or news of it."""
        kept = [step.token for step in self.match][: message.get("kept", 0)]
        match = self._replay(kept + message["tokens"])
        ended = message.get("ended")
        if ended and ended["how"] in ENDINGS and not match.over:
            match.end(ended["how"], ended.get("by") or "")
        self._ply: int = message["ply"]
        self._clock: Mapping[str, Any] | None = message.get("clock")
        self._heard_s = time.monotonic()
        self._started = message["actor"] != ""
        self.match = match

    def time_left(self) -> dict[str, int]:
        if self._clock is None:
            return {}
        passed_ms = int(1000 * (time.monotonic() - self._heard_s))
        running = self._clock["running"]
        return {
            player: max(0, ms - passed_ms) if player == running else ms
            for player, ms in self._clock["left"].items()
        }

    @property
    def legal(self) -> list[str]:
        return super().legal if self._started else []

    @property
    def is_waiting(self) -> bool:
        return not self._started or super().is_waiting

    def play(self, token: str) -> None:
        self._accept(self.server.act(self.id, self._ply, token))

    def undo(self) -> Text | None:
        self._accept(self.server.undo(self.id, self._ply))
        return None

    def wait(self) -> bool:
        """Take over the next news. Where the line was cut, look at the table and listen anew."""
        message = next(self._news, None)
        if message is None:
            message = self.server.table(self.id)
            if message["ended"]:
                return False
            self._news = self.server.news(self.id)
        if message["ply"] >= self._ply:
            self._accept(message)
        return True

    def hint(self) -> Text:
        return NO_HINT_HERE
