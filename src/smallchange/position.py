"""A position of a game: who acts, how, and what comes of it. It prints what it parses.

>>> import smallchange
>>> start = smallchange.game(smallchange.games()[0]).start()
>>> smallchange.Position.parse(str(start)) == start
True
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from .errors import BadPosition, IllegalMove, UnknownMove, brief
from .options import Value
from .state import CHANCE, OVER, Fields
from .text import Text

if TYPE_CHECKING:
    from .game import Game


class Position:
    """A position of a game. It can be asked who acts and how, and takes steps in place.

    `game` is the Game, `s` its fields (see the game's `board.py`). It is hashed as it stands: what is in a
    set, or a key of a dict, takes no more steps; a `copy` may.

    >>> import smallchange
    >>> here = smallchange.game(smallchange.games()[0]).start()
    >>> known = {here.copy(): "the start"}
    >>> here.take(next(iter(here)))
    >>> here in known, here.game.start() in known
    (False, True)
    """

    def __init__(self, game: Game, s: Fields) -> None:
        self.game = game
        self.s: Any = s

    @property
    def actor(self) -> str | None:
        """Who takes the next step: "chance", a player's name, or None when the game is over."""
        turn = self.s.turn
        if turn == OVER:
            return None
        return "chance" if turn == CHANCE else self.game.seats[turn]

    def actions(self) -> list[int]:
        """A player's step: the legal actions as numbers, ascending; [] otherwise."""
        if self.s.turn < 0:
            return []
        out = [0] * self.game.rules.MOST
        return out[: self.game.rules.legal(self.game.board, self.s, out)]

    def odds(self) -> tuple[list[int], list[int]]:
        """A chance step: the possible actions, ascending, and their weights; two [] otherwise."""
        if self.s.turn != CHANCE:
            return [], []
        out, weights = [0] * self.game.rules.MOST, [0] * self.game.rules.MOST
        n = self.game.rules.odds(self.game.board, self.s, out, weights)
        return out[:n], weights[:n]

    def legal(self) -> list[str]:
        """A player's step: the legal tokens, sorted; [] at a chance step and at the end."""
        tokens = self.game.tokens
        return sorted([tokens[a] for a in self.actions()])

    def chances(self) -> list[tuple[str, int]]:
        """A chance step: the possible tokens and their integer weights, sorted by token; [] otherwise."""
        tokens = self.game.tokens
        return sorted((tokens[a], w) for a, w in zip(*self.odds(), strict=True))

    @property
    def source(self) -> str:
        """A chance step: the physical object that decides it, "suns die" or "tile stack"; "" otherwise."""
        if self.s.turn != CHANCE:
            return ""
        which: int = self.game.rules.source(self.game.board, self.s)
        return self.game.sources[which]

    def action(self, token: str, possible: Sequence[int] = ()) -> int:
        """The number of the action that `token` means here; `possible` are those of the player to move, if
        known.

        Raises UnknownMove if it means nothing in this game, IllegalMove if it is not possible now.
        """
        a = self.game.actions.get(token) if isinstance(token, str) else None
        possible = possible or self.actions() or self.odds()[0]
        if a is not None and a in possible:
            return a
        now = " ".join(self) or "nothing, the game is over"
        if a is None:
            raise UnknownMove(f"{brief(token)} is no move of {self.game.id}; possible now: {now}")
        raise IllegalMove(f"{token!r} is not possible now; possible: {now}")

    def take(self, token: str) -> None:
        """Take one step, in place. Anything not possible raises IllegalMove and changes nothing."""
        self.game.rules.play(self.game.board, self.s, self.action(token))

    def after(self, token: str) -> Position:
        """The position one step on; this one stays as it is. Raises as `take` does."""
        after = self.copy()
        after.take(token)
        return after

    def result(self) -> dict[str, Any] | None:
        """None until the game is over, then the result with the fields of the game's rulebook."""
        if self.s.turn != OVER:
            return None
        ended: dict[str, Any] = self.game.notation.result(self.game.board, self.s)
        return ended

    def score(self, player: str) -> int | None:
        """What the end is worth to a player, higher is better; None until the game is over."""
        if player not in self.game.seats:
            raise ValueError(f"unknown player {player!r}; the players are: {', '.join(self.game.seats)}")
        if self.s.turn != OVER:
            return None
        worth: int = self.game.rules.score(self.game.board, self.s, self.game.seats.index(player))
        return worth

    def says(self, token: str) -> Text:
        """What a step possible now does, in words."""
        said: Text = self.game.words.step(self.game.board, self.s, self.action(token))
        return said

    def told(self, tokens: Sequence[str]) -> list[Text]:
        """These steps from here, in words, once they were taken: a phrase each, or as the game tells them."""
        if self.game.told:
            actions = [self.game.actions[token] for token in tokens]
            short: list[Text] = self.game.told(self.game.board, self.s, actions)
            return short
        said, after = [], self.copy()
        for token in tokens:
            said.append(after.says(token))
            after.take(token)
        return said

    def copy(self) -> Position:
        """A position of its own: steps taken in one do not show in the other."""
        return Position(self.game, self.s.copy())

    __copy__ = copy

    def __iter__(self) -> Iterator[str]:
        """The tokens possible now, a player's or chance's, sorted."""
        return iter(self.legal() or [token for token, _ in self.chances()])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.game, self.s) == (other.game, other.s)

    def __hash__(self) -> int:
        return hash((self.game, self.s))

    def __str__(self) -> str:
        """The position as one line of text, which `parse` reads: game, options, then its fields."""
        options = [f"{k}={_written(v)}" for k, v in self.game.chosen.items()]
        fields = [f"{name}={_row(getattr(self.s, name))}" for name in self.s.ranges]
        return shlex.join([self.game.id, *options, "/", *fields])

    def __repr__(self) -> str:
        return f"smallchange.Position.parse({str(self)!r})"

    def _repr_svg_(self) -> str:
        """What a notebook shows for a position."""
        from .draw.svg import picture_of  # here, because nothing else in this module draws

        return picture_of(self)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a position back from `str(position)`.

        Raises BadPosition, UnknownGame or BadOption (all ValueError).
        """
        try:
            id, *words = shlex.split(text)
            split = words.index("/")
        except ValueError:
            raise BadPosition(
                "a position is a game's id, options, a slash and fields, as in str(position); "
                f"not {text!r:.80}"
            ) from None
        from .game import Game  # here, because a Game makes Positions

        parsers = {option.name: option.parse for option in Game(id).offered}
        given = _once(words[:split])
        game = Game(id, {name: parsers.get(name, str)(_unescaped(given[name])) for name in given})
        position = cls(game, game.state_type())
        position._fill(_once(words[split + 1 :]))
        return position

    def _fill(self, values: dict[str, str]) -> None:
        if list(values) != list(self.s.ranges):
            raise BadPosition(
                f"the fields must be {' '.join(self.s.ranges)}, in this order; not {' '.join(values):.80}"
            )
        for name, text in values.items():
            row = text.split(",")
            if not all(re.fullmatch(r"-?\d{1,20}", n, re.ASCII) for n in row):
                raise BadPosition(f"{name} must be whole numbers with commas between, not {text!r:.80}")
            length = self.s.ranges[name].length
            if len(row) != (length or 1):
                raise BadPosition(f"{name} has {len(row)} numbers, not {length or 1}")
            numbers = [int(n) for n in row]
            setattr(self.s, name, numbers if length else numbers[0])
        fault = next(self._faults(), "")
        if fault:
            raise BadPosition(f"no position of {self.game.id}: {fault}")

    def _faults(self) -> Iterator[str]:
        """Why this is no position, in words; each check relies on those before it."""
        yield from self.s.faults()
        if self.game.faults:
            yield from self.game.faults(self.game.board, self.s)
        try:
            told = self.legal() or (self.source and self.chances()) or self.result()
        except (LookupError, ValueError):  # each field is within its bounds, but together they mean nothing
            told = None
        if not told:
            yield "its fields contradict one another"


def _once(words: Sequence[str]) -> dict[str, str]:
    """Values by name, each given once."""
    values: dict[str, str] = {}
    for name, value in map(_halves, words):
        if name in values:
            raise BadPosition(f"{name:.80} is given twice")
        values[name] = value
    return values


def _halves(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise BadPosition(f"expected name=value, not {word!r:.80}")
    return name, value


def _written(value: Value) -> str:
    """An option's value on one line.

    >>> _written(True), _written("ab\\ncd")
    ('true', 'ab\\\\ncd')
    """
    return str(value).lower() if isinstance(value, bool) else str(value).encode("unicode_escape").decode()


def _unescaped(text: str) -> str:
    """What `_written` made one line of.

    >>> _unescaped("ab\\\\ncd")
    'ab\\ncd'
    """
    try:
        return text.encode("ascii").decode("unicode_escape")
    except UnicodeError:
        raise BadPosition(f"expected an option's value in ASCII, not {text!r:.80}") from None


def _row(value: int | list[int]) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
