"""A table as the terminal plays it: a match of its own, or one at a server."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from shlex import quote
from threading import Lock
from typing import Any

from smallchange.client import Server, ServerAway, ServerError, TableLink
from smallchange.core.game import game as game_with
from smallchange.core.match import ENDINGS, Match
from smallchange.i18n.text import Text

from ..play import advise
from ..prompt import KEPT, NOT_SAVED, NOTHING, Bot
from ..saved_game import SavedGame

AWAY = Text("The server does not answer. Trying again.")
BACK = Text("The server is back.")
GO_ON = Text("To go on later: smallchange tui {file}")
NO_HINT_HERE = Text("At a server’s table, ask for hints on its page.")


class Table(ABC):
    """A match, and the players for whom a person decides here.

    `wait` blocks and is called from a thread; everything else answers at once.
    """

    match: Match
    people: frozenset[str]
    is_remote = False  # whether it goes on without us
    tell: Callable[[Text], None] = staticmethod(
        lambda phrase: None
    )  # what happens to the line, to the person

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

    def close(self) -> Text | None:
        """Leave the table; return what there is to say afterwards."""
        return None


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
        self._save()

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
            self.match.play(self._bots[actor](self.match.position.copy()))
        self._save()
        return True

    def hint(self) -> Text:
        return advise(self.match.position)

    def _save(self) -> None:
        if self._saved:
            self._problem = self._saved.save(self.match)

    def close(self) -> Text | None:
        self._save()
        if self._saved is None:
            return None
        if self._problem:
            return NOT_SAVED.fill(file=str(self._saved.file), why=self._problem)
        if not self._saved.holds(self.match):
            return None
        phrase = KEPT if self.match.over else GO_ON
        return phrase.fill(file=quote(str(self._saved.file)))


class ServerTable(Table):
    """A table of a server, by its link: joined where the link has a free seat, else watched."""

    is_remote = True

    def __init__(self, link: TableLink, name: str = "") -> None:
        self._lock, self._is_away = Lock(), False
        self.server = Server(link.url, away=self._say_away)
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
        self._take_over(seen)

    def _replay(self, tokens: list[str]) -> Match:
        match = Match(self._game)
        for token in tokens:
            match.play(token)
        return match

    def _say_away(self, why: str) -> None:
        """Say once that the server is away, and that it is back."""
        if bool(why) != self._is_away:
            self._is_away = bool(why)
            self.tell(AWAY if why else BACK)

    def _accept(self, message: Mapping[str, Any]) -> None:
        """Take the state of a table, or news of it, unless a later one is known."""
        with self._lock:
            if message["ply"] >= self._ply:
                self._take_over(message)

    def _take_over(self, message: Mapping[str, Any]) -> None:
        kept = [step.token for step in self.match][: message.get("kept", 0)]
        match = self._replay(kept + message["tokens"])
        ended = message.get("ended")
        if ended and ended["how"] in ENDINGS and not match.over:
            match.end(ended["how"], ended.get("by") or "")
        self._ply = int(message["ply"])
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
        self._command(lambda: self.server.act(self.id, self._ply, token))

    def undo(self) -> Text | None:
        self._command(lambda: self.server.undo(self.id, self._ply))
        return None

    def _command(self, send: Callable[[], dict[str, Any]]) -> None:
        """Send a command. After a refusal the table is looked at anew."""
        try:
            self._accept(send())
        except ServerAway:
            raise
        except ServerError:
            self._accept(self.server.table(self.id))
            raise

    def wait(self) -> bool:
        """Take over the next news, through restarts of the server."""
        message = next(self._news, None)
        if message is None:
            return False
        self._accept(message)
        return True

    def hint(self) -> Text:
        return NO_HINT_HERE
