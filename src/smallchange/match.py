"""A match: a game, who sits where, the luck, and the steps taken. It replays itself.

>>> import smallchange
>>> match = Match(smallchange.game(smallchange.games()[0]))
>>> token = next(iter(match.position))
>>> match.play(token)
>>> [step.token for step in match] == [token]
True
>>> match.undo().token == token
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .dice import DEAL_BYTES, Envelope, choose
from .errors import IllegalMove
from .game import Game
from .text import Text, printable

RESIGNED = Text("{who} resigned.", "{who}が投了しました。")
AGREED_DRAW = Text("A draw, as both agreed.", "双方の合意により引き分けです。")


class Step(NamedTuple):
    """One step of a match: who took it ("chance" included), and the token."""

    actor: str
    token: str

    def __str__(self) -> str:
        return f"{self.actor} {self.token}"


class Match:
    """`game` with its options, `seats` (player to name), `deal` (16 bytes, or None where chance is told
    rather than drawn), `envelope` (how the deal was fixed, if somebody held it), `practice` (the id of the
    match that this one is practice of, so that its luck may have been known; else ""), and the steps.

    It is hashed as it stands: what is in a set, or a key of a dict, takes no more steps; a `copy` may.
    """

    def __init__(
        self,
        game: Game,
        deal: bytes | None = None,
        seats: Mapping[str, str] | None = None,
        envelope: Envelope | None = None,
        practice: str = "",
    ) -> None:
        for player in seats or {}:
            if player not in game.seats:
                raise ValueError(f"unknown player {player!r}; the players are: {', '.join(game.seats)}")
        for said in [*(seats or {}).values(), practice]:
            if not printable(said):
                raise ValueError(f"names and the match that this is practice of are printable, not {said!r}")
        if deal is not None and not (isinstance(deal, bytes) and len(deal) == DEAL_BYTES):
            raise ValueError(f"a deal is {DEAL_BYTES} bytes, not {deal!r:.60}")
        self.game = game
        self.deal = deal
        self.seats = {player: (seats or {}).get(player, "") for player in game.seats}
        self.envelope = envelope
        self.practice = practice
        self.steps: list[Step] = []
        self.position = game.start()
        self.ended: dict[str, str] | None = None  # how it ended before the rules ended it
        self._asked: dict[str, int] = {}  # how often each source of chance was asked
        self._possible: list[int] | None = None

    @property
    def over(self) -> bool:
        return self.position.actor is None or self.ended is not None

    @property
    def result(self) -> dict[str, Any] | None:
        """None until the match is over, then the rulebook's result, or how it was ended before."""
        return self.ended or self.position.result()

    @property
    def ending(self) -> Text:
        """How a match that is over ended, in words. ValueError before."""
        if not self.over:
            raise ValueError("the match is not over")
        if self.ended is None:
            said: Text = self.game.words.ending(self.game.board, self.position.s)
            return said
        by = self.ended.get("by")
        return RESIGNED.fill(who=self.game.words.PLAYERS[by]) if by else AGREED_DRAW

    def end(self, how: str, by: str = "") -> None:
        """End it before the rules do: "resigned" by a player, or a draw "agreed" between two.

        Raises ValueError where that cannot be.
        """
        if self.over:
            raise ValueError("the match is over already")
        resigned = how == "resigned" and by in self.game.seats
        agreed = how == "agreed" and by == "" and len(self.seats) == 2
        if not (resigned or agreed):
            raise ValueError(f"a player resigns, or a draw is agreed by two; not {how!r} by {by!r}")
        self.ended = {"ended": how} | ({"by": by} if by else {})

    def play(self, token: str) -> None:
        """Take one step, a player's or chance's; IllegalMove changes nothing.

        Where the match has a deal, a chance step must be what the deal gives.
        """
        self._goes_on(token)
        position = self.position
        a = position.action(token, self.possible)
        source = position.source
        if source and self.deal is not None and token != self.dealt():
            raise IllegalMove(f"{token!r} is not what the deal gives here: {self.dealt()}")
        self._go(a, token, source)

    @property
    def possible(self) -> list[int]:
        """The actions of the player to move, found once for each step; [] where it is nobody's turn."""
        if self._possible is None:
            self._possible = self.position.actions()
        return self._possible

    def _goes_on(self, token: str) -> None:
        if self.ended:
            raise IllegalMove(f"{token!r} is not possible: the match was {self.ended['ended']}")

    def _go(self, a: int, token: str, source: str) -> None:
        """Take a step that is possible; `source` decided it, if anything but a player did."""
        position = self.position
        assert position.actor is not None
        self.steps.append(Step(position.actor, token))
        if source:
            self._asked[source] = self._asked.get(source, 0) + 1
        self.game.rules.play(self.game.board, position.s, a)
        self._possible = None

    def dealt(self) -> str:
        """The token that the deal gives at this chance step. ValueError elsewhere, or without a deal."""
        source = self.position.source
        if not source or self.deal is None:
            raise ValueError("nothing is dealt here: no chance step, or the match has no deal")
        actions, weights = self.position.odds()
        return self.game.tokens[actions[choose(self.deal, source, self._asked.get(source, 0), weights)]]

    def settle(self) -> list[str]:
        """Take all chance steps up to the next player's step or the end; their tokens."""
        taken = []
        while source := self.position.source:
            token = self.dealt()
            self._goes_on(token)
            self._go(self.game.actions[token], token, source)
            taken.append(token)
        return taken

    def undo(self) -> Step:
        """Take the last step back, and with it an end that was not by the rules; the step. The match goes on
        from there. IndexError at the start."""
        if not self.steps:
            raise IndexError("there is no step to take back")
        taken_back = self.steps[-1]
        earlier = self.until(len(self.steps) - 1)
        self.steps, self.position, self._asked = earlier.steps, earlier.position, earlier._asked
        self.ended = self._possible = None
        return taken_back

    def until(self, ply: int) -> Match:
        """The match as it stood after its first `ply` steps. ValueError where that is below 0."""
        if ply < 0:
            raise ValueError(f"a match stood after 0 or more steps, not {ply}")
        earlier = Match(self.game, self.deal, self.seats, self.envelope, self.practice)
        for step in self.steps[:ply]:
            here = earlier.position
            earlier._go(here.action(step.token), step.token, here.source)
        return earlier

    def copy(self) -> Match:
        """A match of its own: steps taken in one do not show in the other."""
        twin: Match = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.steps, twin.position, twin._asked = self.steps[:], self.position.copy(), self._asked.copy()
        return twin

    __copy__ = copy

    @property
    def _content(self) -> tuple[object, ...]:
        ended = tuple((self.ended or {}).items())
        said = (self.game, self.game.version, self.deal, self.envelope, self.practice, ended)
        return (*said, *self.seats.items(), *self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    def __repr__(self) -> str:
        return f"<Match of {self.game!r}, {len(self)} steps, {self.position.actor or 'over'}>"
