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

import secrets
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from smallchange.i18n.text import Text, printable

from .commitment import DEAL_BYTES, Envelope, choose
from .errors import IllegalMove
from .game import Game, Position, game_of
from .simulated_deal import SimulatedDeal

__all__ = ["ABORTED", "AGREED_DRAW", "ENDINGS", "LEFT_DRAWN", "Match", "Step", "first_choice"]

RESIGNED = Text("{who} resigned.")
AGREED_DRAW = Text("A draw by agreement.")
TIMED_OUT = Text("{who} ran out of time.")
ABANDONED = Text("{who} left the game.")
LEFT_DRAWN = Text("A draw: {who} left the game.")
ABORTED = Text("The game was aborted before each side had moved, so it does not count.")
ENDINGS = {  # how a match can be ended before the rules end it: its phrase, and whether it names a player
    "resigned": (RESIGNED, True),
    "agreed": (AGREED_DRAW, False),
    "timeout": (TIMED_OUT, True),
    "abandoned": (ABANDONED, True),
    "abandoned-draw": (LEFT_DRAWN, True),
    "aborted": (ABORTED, False),
}


class Step(NamedTuple):
    """One step of a match: who took it ("chance" included), and the token."""

    actor: str
    token: str

    def __str__(self) -> str:
        return f"{self.actor} {self.token}"


class Match:
    """One play of a game: options, seats, deal and steps.

    `game` has its options, `seats` maps players to names, and `deal` is 16 bytes, or None where chance is
    told rather than drawn. `envelope` says how the deal was fixed, if somebody held it. `practice` is the id
    of the match that this one is practice of, so that its luck may have been known; else "". A game of a
    simulation has a `simulated` deal in place of one of 16 bytes.

    It has no hash, as it changes while it is played.
    """

    def __init__(
        self,
        game: Game | str,
        deal: bytes | None = None,
        seats: Mapping[str, str] | None = None,
        envelope: Envelope | None = None,
        practice: str = "",
        simulated: SimulatedDeal | None = None,
    ) -> None:
        game = game_of(game)
        for player in seats or {}:
            if player not in game.seats:
                raise ValueError(f"unknown player {player!r}; the players are: {', '.join(game.seats)}")
        for text in [*(seats or {}).values(), practice]:
            if not printable(text):
                raise ValueError(f"names and the match that this is practice of are printable, not {text!r}")
        if envelope and not all(printable(text) for pair in envelope.words for text in pair):
            raise ValueError("words of players are one line that can be printed")
        if deal is not None and not (isinstance(deal, bytes) and len(deal) == DEAL_BYTES):
            raise ValueError(f"a deal is {DEAL_BYTES} bytes, not {deal!r:.60}")
        if simulated is not None and deal is not None:
            raise ValueError("a match has a deal of bytes or that of a simulation, not both")
        self.game = game
        self.deal = deal
        self.seats: dict[str, str] = {player: (seats or {}).get(player, "") for player in game.seats}
        self.envelope = envelope
        self.practice = practice
        self.simulated = simulated
        self.steps: list[Step] = []
        self.position: Position = game.start()
        self.ended: dict[str, str] | None = None  # how it ended before the rules ended it
        self._draws: dict[str, int] = {}  # how often each source of chance was asked
        self._legal_actions: list[int] | None = None

    @property
    def over(self) -> bool:
        """True once the match has ended, by the rules or before."""
        return self.position.actor is None or self.ended is not None

    @property
    def start_of_last_turn(self) -> int:
        """The number of steps before the last decision; a turn is a decision with the answers of chance."""
        return next((i for i in reversed(range(len(self))) if self.steps[i].actor != "chance"), 0)

    @property
    def result(self) -> dict[str, Any] | None:
        """The rulebook's result, or how the match was ended before; None until it is over."""
        return self.ended or self.position.result

    @property
    def ending(self) -> Text:
        """A phrase for how a finished match ended. Raises ValueError before the end."""
        if not self.over:
            raise ValueError("the match is not over")
        if self.ended is None:
            sentence: Text = self.game.words.ending(self.game.board, self.position.s)
            return sentence
        text, _ = ENDINGS[self.ended["ended"]]
        by = self.ended.get("by")
        return text.fill(who=self.game.words.PLAYERS[by]) if by else text

    def end(self, how: str, by: str = "") -> None:
        """End it before the rules do: "resigned" by a player, or between two in another of the ways of ENDINGS.

        A "timeout" is that of a player. A match is "abandoned" by a player who has left, or an "abandoned-draw" where
        the other chose a draw. It is "aborted" before each side has moved.

        Raises ValueError where that cannot be.
        """
        if self.over:
            raise ValueError("the match is over already")
        _, names_player = ENDINGS[how] if how in list(ENDINGS) else (None, False)
        between_two = how == "resigned" or len(self.seats) == 2
        if (
            how not in list(ENDINGS)
            or not between_two
            or by not in (self.game.seats if names_player else ("",))
        ):
            of_player = ", ".join(name for name, (_, names) in ENDINGS.items() if names)
            raise ValueError(
                f"a player ends it ({of_player}), or it is agreed or aborted by two, not {how!r} by {by!r}"
            )
        self.ended = {"ended": how} | ({"by": by} if by else {})

    def play(self, token: str) -> None:
        """Take one step, a player's or chance's; IllegalMove changes nothing.

        Where the match has a deal, of either kind, a chance step must be the outcome that the deal gives.
        """
        self._require_open(token)
        position = self.position
        a = position.action(token, self.legal_actions())
        source = position.source
        if source and self.is_dealt and token != self.next_outcome():
            raise IllegalMove(f"{token!r} is not what the deal gives here: {self.next_outcome()}")
        self._take_step(a, token, source)

    @property
    def actor(self) -> str | None:
        """The actor of the next step: "chance", a player's name, or None when the match is over."""
        return None if self.over else self.position.actor

    def legal(self) -> list[str]:
        """Return the legal tokens of a player's step, sorted; [] at a chance step and at the end."""
        return [] if self.over else self.position.legal()

    def legal_actions(self) -> list[int]:
        """Return the actions of the player to move, found once for each step; [] where it is nobody's turn."""
        if self._legal_actions is None:
            self._legal_actions = self.position.legal_actions()
        return self._legal_actions

    def _require_open(self, token: str) -> None:
        if self.ended:
            raise IllegalMove(f"{token!r} is not possible: the match was {self.ended['ended']}")

    def _take_step(self, a: int, token: str, source: str) -> None:
        """Take a step that is possible; `source` decided it, if anything but a player did."""
        position = self.position
        assert position.actor is not None
        self.steps.append(Step(position.actor, token))
        if source:
            self._draws[source] = self._draws.get(source, 0) + 1
        self.game.rules.play(self.game.board, position.s, a)
        self._legal_actions = None

    @property
    def is_dealt(self) -> bool:
        """True where a deal, of either kind, decides the chance steps."""
        return self.deal is not None or self.simulated is not None

    def next_outcome(self) -> str:
        """Return the token that the deal gives at this chance step.

        ValueError elsewhere, or without a deal.
        """
        source = self.position.source
        if not source or not self.is_dealt:
            raise ValueError("nothing is dealt here: no chance step, or the match has no deal")
        actions, weights = self.position.outcome_actions()
        asked = self._draws.get(source, 0)
        if self.deal is not None:
            return self.game.tokens[actions[choose(self.deal, source, asked, weights)]]
        assert self.simulated is not None
        place = self.game.sources.index(source)
        return self.game.tokens[actions[self.simulated.choose(place, asked, weights)]]

    def settle(self) -> list[str]:
        """Take all chance steps up to the next player's step or the end; their tokens.

        A match without a deal gets one by chance, unless chance has decided something before.
        """
        taken = []
        if not self.is_dealt and not self._draws:
            self.deal = secrets.token_bytes(DEAL_BYTES)
        while source := self.position.source:
            token = self.next_outcome()
            self._require_open(token)
            self._take_step(self.game.actions[token], token, source)
            taken.append(token)
        return taken

    def undo(self) -> Step:
        """Take the last step back, with an end that was not by the rules, and return the step.

        The match goes on from there. IndexError at the start.
        """
        if not self.steps:
            raise IndexError("there is no step to take back")
        taken_back = self.steps[-1]
        earlier = self.until(len(self.steps) - 1)
        self.steps, self.position, self._draws = earlier.steps, earlier.position, earlier._draws
        self.ended = self._legal_actions = None
        return taken_back

    def until(self, ply: int) -> Match:
        """Return the match as it stood after its first `ply` steps. ValueError if that is below 0."""
        if ply < 0:
            raise ValueError(f"a match stood after 0 or more steps, not {ply}")
        earlier = Match(self.game, self.deal, self.seats, self.envelope, self.practice, self.simulated)
        for step in self.steps[:ply]:
            here = earlier.position
            earlier._take_step(here.action(step.token), step.token, here.source)
        return earlier

    def copy(self) -> Match:
        """Return an independent match: steps taken in one do not show in the other."""
        clone: Match = object.__new__(type(self))
        clone.__dict__.update(self.__dict__)
        clone.steps, clone.position, clone._draws = self.steps[:], self.position.copy(), self._draws.copy()
        return clone

    __copy__ = copy

    @property
    def _content(self) -> tuple[object, ...]:
        ended = tuple((self.ended or {}).items())
        content = (
            self.game,
            self.game.version,
            self.deal,
            self.envelope,
            self.practice,
            self.simulated,
            ended,
        )
        return (*content, *self.seats.items(), *self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._content == other._content

    __hash__: ClassVar[None] = None  # type: ignore[assignment] # it changes as it is played

    def _repr_html_(self) -> str:
        """Return the picture for a notebook: the match as a moving picture, a seat a line, and how it ended."""
        from .notebook import match_html  # which draws

        return match_html(self)

    def __repr__(self) -> str:
        return f"<Match of {self.game!r}, {len(self)} steps, {self.position.actor or 'over'}>"


def first_choice(game: Game) -> Position:
    """Return the first position of a match in which a player has several moves; the end where there is none.

    Chance answers by a fixed deal: its first outcome again and again may lead nowhere.

    >>> import smallchange
    >>> [len(first_choice(smallchange.game(id)).legal()) > 1 for id in smallchange.games()].count(False)
    0
    """
    match = Match(game, bytes(DEAL_BYTES))
    while not match.over:
        match.settle()
        if len(match.legal_actions()) > 1:
            break
        for token in match.position.legal():
            match.play(token)
    return match.position
