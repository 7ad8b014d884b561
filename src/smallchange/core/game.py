"""A game with its options chosen, and its positions.

>>> start = game(games()[0]).start()
>>> Position.parse(start.key()) == start
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from threading import Lock
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast
from weakref import WeakValueDictionary

from smallchange.i18n.text import Text
from smallchange.render.reference_sheet import Sheet
from smallchange.render.svg import picture_of
from smallchange.render.text_screen import screen

from .errors import BadPosition, IllegalMove, RulesError, UnknownGame, UnknownMove, abbreviate
from .game_modules import GameModules
from .game_places import games, incomplete_games, incompleteness, is_playable
from .observation import ObservedField, observation_size, observe, observed_fields
from .options import ChosenOptions, Option, Value, closest_name, complete
from .position_text import format_position, parse_fields, parse_options, split_position
from .state import CHANCE, OVER, Fields

__all__ = ["Game", "Position", "complete_game", "game", "game_of", "games", "incomplete_games"]


def game(id: str, /, **options: object) -> Game:
    """Return the game of this id with these options; those not given have their defaults.

    Raises UnknownGame or BadOption (both ValueError), which name what is accepted.
    """
    return Game(id, options)


def game_of(game: Game | str) -> Game:
    """Return a game that is given by itself or by its id. UnknownGame for anything else.

    >>> game_of(games()[0]) == game_of(Game(games()[0]))
    True
    """
    if isinstance(game, str):
        return Game(game)
    if not hasattr(game, "board"):
        raise UnknownGame(f"a game is an id, or what smallchange.game(ID) returns, not {abbreviate(game)}")
    return game


def complete_game(id: str, options: Mapping[str, object] | None = None) -> Game:
    """Return a game that `games()` lists. Raises UnknownGame where files are missing, and names them."""
    if why := incompleteness(id):
        raise UnknownGame(f"the game {id!r} cannot be played: {why}")
    return Game(id, options)


class Game(GameModules):
    """One game with its options chosen. `game()` makes them.

    The same arguments give the same object, so that its board and its tokens are made once.

    >>> Game(games()[0]) is game(games()[0])
    True
    """

    _made: ClassVar[WeakValueDictionary[tuple[Any, ...], Any]] = WeakValueDictionary()
    _lock: ClassVar[Lock] = Lock()

    def __new__(cls, id: str, options: Mapping[str, object] | None = None) -> Self:
        if not is_playable(id):
            near = closest_name(id, games())
            guess = f"; did you mean {near!r}?" if near else ""
            raise UnknownGame(f"unknown game {abbreviate(id)}; the games are: {', '.join(games())}{guess}")
        new = super().__new__(cls)
        new._find(id)
        values = complete(new.model.OPTIONS, options or {})
        key = cls, new.model, *values.values()
        with cls._lock:
            made = cls._made.get(key)
        if made is None:
            new._build(id, values)
            with cls._lock:
                made = cls._made.setdefault(key, new)
        return cast("Self", _keep(made))

    def _build(self, id: str, values: dict[str, Value]) -> None:
        self.id = id
        self.seats: tuple[str, ...] = self.model.SEATS
        self.sources: tuple[str, ...] = self.model.SOURCES
        self.state_type: type[Fields] = self.model.State
        self.offered: tuple[Option, ...] = self.model.OPTIONS
        self.options: ChosenOptions = ChosenOptions(values)
        board: Any = self.model.build(dict(values))
        if not isinstance(board, Fields):
            raise RulesError(f"{id}: model.py: build returns {abbreviate(board)}, no board")
        self.board: Any = board.freeze()

    def __setattr__(self, name: str, value: object) -> None:
        if "board" in self.__dict__:
            raise AttributeError(f"{name} does not change: make another game")
        super().__setattr__(name, value)

    def rulebook(self, lang: str = "en") -> str:
        """Return the rules as Markdown, in one of LANGUAGES; in English where that is missing."""
        file = self.folder / f"rulebook.{lang}.md"
        if not file.is_file():
            file = self.folder / "rulebook.en.md"
        return file.read_text(encoding="utf-8")

    @property
    def advice(self) -> tuple[Text, ...]:
        """The advice on good play, a sentence each; () for a game without advice."""
        return tuple(getattr(self.guide, "ADVICE", ()))

    @property
    def version(self) -> int:
        """The version of the rules; it grows when a rule, a token or an action's number changes."""
        return self.rules.VERSION

    @cached_property
    def is_by_memory(self) -> bool:
        """True where the log is out of sight while a match goes on."""
        return self.memory is not None and self.memory.is_by_memory(self.board)

    @cached_property
    def non_default_options(self) -> dict[str, Value]:
        """The options that differ from their defaults."""
        return {o.name: self.options[o.name] for o in self.offered if self.options[o.name] != o.default}

    @property
    def arguments(self) -> list[str]:
        """The chosen options as words of the command line: ["--size", "4"]."""
        words = []
        for name, value in self.non_default_options.items():
            flag = name.replace("_", "-")
            if isinstance(value, bool):
                words.append(f"--{flag}" if value else f"--no-{flag}")
            else:
                words += [f"--{flag}", str(value)]
        return words

    def start(self) -> Position:
        """Return the position before the first step."""
        s = self.state_type()
        self.rules.setup(self.board, s)
        return Position(self, s)

    @cached_property
    def tokens(self) -> Mapping[int, str]:
        """Every action of this board and its token."""
        named = ((a, self.notation.token(self.board, a)) for a in range(self.rules.ACTIONS))
        return MappingProxyType({a: token for a, token in named if token is not None})

    @cached_property
    def actions(self) -> Mapping[str, int]:
        """Every token of this board and its action."""
        return MappingProxyType({token: a for a, token in self.tokens.items()})

    @property
    def num_actions(self) -> int:
        """The number of actions, which are numbered from 0; the same whatever the options."""
        return self.rules.ACTIONS

    def action_to_token(self, action: int) -> str:
        """Return the token of an action. UnknownMove if this board has no action of that number."""
        token = self.tokens.get(action)
        if token is None:
            raise UnknownMove(
                f"{abbreviate(action)} is no action of {self.id} on this board; actions are whole numbers from 0 "
                f"to {self.num_actions - 1}, and `tokens` has those of the board"
            )
        return token

    def token_to_action(self, token: str) -> int:
        """Return the action of a token. UnknownMove if this board has none of that name."""
        action = self.actions.get(token)
        if action is None:
            raise UnknownMove(f"{abbreviate(token)} is no move of {self.id} on this board")
        return action

    @property
    def observation_size(self) -> int:
        """The number of entries of `Position.observation()`; the same whatever the options."""
        return observation_size(self.state_type)

    @property
    def observed_fields(self) -> tuple[ObservedField, ...]:
        """The fields of `Position.observation()`: their places and how their numbers are written."""
        return observed_fields(self.state_type)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the game itself, which does not change."""
        return self

    def __reduce__(self) -> tuple[type[Game], tuple[str, dict[str, Value]]]:
        """Pickle and copy the id and the options, because modules cannot be pickled."""
        return type(self), (self.id, dict(self.options))

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.non_default_options.items())
        return f"smallchange.game({self.id!r}{chosen})"


@lru_cache(maxsize=512)
def _keep(game: Game) -> Game:
    """Return a game that is not made anew for a while, though nobody holds it."""
    return game


class Position:
    """A position of a game. It names its legal steps and takes them in place.

    `game` is the Game, `s` its fields (see `model.py`). It has no hash, as it changes while it is played: `key()`
    goes into sets.

    >>> import smallchange
    >>> here = smallchange.game(smallchange.games()[0]).start()
    >>> known = {here.key(): "the start"}
    >>> here.play(next(iter(here)))
    >>> here.key() in known, here.game.start().key() in known
    (False, True)
    """

    def __init__(self, game: Game, s: Fields) -> None:
        self.game = game
        self.s: Any = s

    @property
    def actor(self) -> str | None:
        """The actor of the next step: "chance", a player's name, or None when the game is over."""
        turn = self.s.turn
        if turn == OVER:
            return None
        return "chance" if turn == CHANCE else self.game.seats[turn]

    @property
    def over(self) -> bool:
        """True once the game is over."""
        return bool(self.s.turn == OVER)

    def legal_actions(self) -> list[int]:
        """Return the legal actions of a player's step as numbers, ascending; [] elsewhere."""
        if self.s.turn < 0:
            return []
        out = [0] * self.game.rules.MOST
        return out[: self.game.rules.legal(self.game.board, self.s, out)]

    def outcome_actions(self) -> tuple[list[int], list[int]]:
        """Return the possible actions of a chance step, ascending, and their weights; two [] elsewhere."""
        if self.s.turn != CHANCE:
            return [], []
        out, weights = [0] * self.game.rules.MOST, [0] * self.game.rules.MOST
        n = self.game.rules.odds(self.game.board, self.s, out, weights)
        return out[:n], weights[:n]

    def legal(self) -> list[str]:
        """Return the legal tokens of a player's step, sorted; [] at a chance step and at the end."""
        tokens = self.game.tokens
        return sorted([tokens[a] for a in self.legal_actions()])

    def weights(self) -> list[tuple[str, int]]:
        """Return the tokens of a chance step and their integer weights, sorted by token; [] elsewhere."""
        tokens = self.game.tokens
        return sorted((tokens[a], w) for a, w in zip(*self.outcome_actions(), strict=True))

    @property
    def source(self) -> str:
        """The physical object that decides a chance step, "suns die" or "tile stack"; "" elsewhere."""
        if self.s.turn != CHANCE:
            return ""
        return self.game.sources[self.game.rules.source(self.game.board, self.s)]

    def action(self, token: str, possible: Sequence[int] = ()) -> int:
        """Return the number of the action that `token` means here.

        `possible` are the actions of the player to move, if known. Raises UnknownMove if the token means
        nothing in this game, IllegalMove if it is not possible now.
        """
        a = self.game.actions.get(token) if isinstance(token, str) else None
        possible = possible or self.legal_actions() or self.outcome_actions()[0]
        if a is not None and a in possible:
            return a
        now = " ".join(self) or "nothing, the game is over"
        if a is None:
            raise UnknownMove(f"{abbreviate(token)} is no move of {self.game.id}; possible now: {now}")
        raise IllegalMove(f"{token!r} is not possible now; possible: {now}")

    def play(self, token: str) -> None:
        """Play one step, in place. A step that is not possible raises IllegalMove and changes nothing."""
        self.game.rules.play(self.game.board, self.s, self.action(token))

    def play_action(self, action: int) -> None:
        """Play one step by the number of its action, in place: a player's, or an outcome of chance.

        An action that is not possible raises IllegalMove and changes nothing.
        """
        possible = self.legal_actions() or self.outcome_actions()[0]
        if action not in possible:
            now = " ".join(map(str, possible)) or "none, the game is over"
            raise IllegalMove(f"{abbreviate(action)} is no possible action now; possible: {now}")
        self.game.rules.play(self.game.board, self.s, int(action))

    def play_unchecked(self, action: int) -> None:
        """Play one step without a check. An action that is not possible leaves a state without meaning."""
        self.game.rules.play(self.game.board, self.s, action)

    def observation(self) -> list[int]:
        """Return the state as `game.observation_size` zeros and ones, which `game.observed_fields` describes."""
        return observe(self.s)

    def action_mask(self) -> list[int]:
        """Return `game.num_actions` zeros and ones: 1 for each legal action of a player's step, 0 elsewhere."""
        mask = [0] * self.game.num_actions
        for action in self.legal_actions():
            mask[action] = 1
        return mask

    def played(self, token: str) -> Position:
        """Return the position one step on; this one stays as it is. Raises as `play` does."""
        position = self.copy()
        position.play(token)
        return position

    @property
    def result(self) -> dict[str, Any] | None:
        """The result with the fields of the game's rulebook; None until the game is over."""
        if self.s.turn != OVER:
            return None
        return self.game.notation.result(self.game.board, self.s)

    def score(self, player: str) -> int | None:
        """Return the score of a player, higher is better; None until the game is over."""
        if player not in self.game.seats:
            raise ValueError(f"unknown player {player!r}; the players are: {', '.join(self.game.seats)}")
        if self.s.turn != OVER:
            return None
        return self.game.rules.score(self.game.board, self.s, self.game.seats.index(player))

    def reward(self, player: str) -> int | None:
        """Return 1 for a win, 0 for a draw, -1 for a loss, which is 0 in a game for one; None until the end."""
        lead = self.score(player)
        if lead is None:
            return None
        if self.game.utility is not None:
            lead = self.game.utility.utility(self.game.board, self.s, self.game.seats.index(player)) - 500
        least = 0 if len(self.game.seats) == 1 else -1
        return max(least, (lead > 0) - (lead < 0))

    def describe(self, token: str) -> Text:
        """Describe a step that is possible now."""
        return self.game.words.step(self.game.board, self.s, self.action(token))

    def summarize(self, tokens: Sequence[str]) -> list[Text]:
        """Describe these steps from here, after they were taken.

        One phrase a step, or fewer where the game has a summary.
        """
        if self.game.summary:
            actions = [self.game.actions[token] for token in tokens]
            return self.game.summary.summarize(self.game.board, self.s, actions)
        phrases, after = [], self.copy()
        for token in tokens:
            phrases.append(after.describe(token))
            after.play(token)
        return phrases

    def sheets(self) -> Sequence[Sheet]:
        """Return the reference sheets of the table: points, actions, pieces; () where a game has no sheets.

        `smallchange.render.sheet_text` writes a sheet as text.
        """
        return self.game.reference.sheets(self.game.board, self.s) if self.game.reference else ()

    def tally(self) -> dict[str, dict[str, int]]:
        """Return the points of each player if the game ended now, by source, with their total.

        {} where a game has no such table, or before there is anything to count.
        """
        return self.game.reference.tally(self.game.board, self.s) if self.game.reference else {}

    def copy(self) -> Position:
        """Return an independent copy: steps taken in one do not show in the other."""
        return Position(self.game, self.s.copy())

    __copy__ = copy

    def __iter__(self) -> Iterator[str]:
        """Iterate over the tokens possible now, a player's or chance's, sorted."""
        return iter(self.legal() or [token for token, _ in self.weights()])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.game, self.s) == (other.game, other.s)

    __hash__: ClassVar[None] = None  # type: ignore[assignment] # it changes as it is played; `key` does not

    def text(self, lang: str = "en") -> str:
        """Return the board as a terminal shows it; its key for a game that has no layout yet."""
        if incompleteness(self.game.id):
            return self.key()
        return screen(self.game.layout.scene(self.game.board, self.s), lang)

    def __str__(self) -> str:
        return self.text()

    def key(self) -> str:
        """Return the position as one line of text, which `parse` reads: game, options, then its fields.

        Equal positions have equal keys, in every process.
        """
        return format_position(self.game.id, self.game.non_default_options, self.s)

    def to_json(self) -> dict[str, Any]:
        """Return the position as plain data, as `docs/position.schema.json` describes it; `parse` reads its key."""
        about = {"game": self.game.id, "rules": self.game.version, "options": self.game.non_default_options}
        now = {"key": self.key(), "actor": self.actor, "legal": self.legal(), "weights": dict(self.weights())}
        return about | now | {"fields": dict(self.s.copy().__dict__), "result": self.result}

    def text_in_sight(self) -> str:
        """Return the same without the fields that have to be remembered where the game is played by memory."""
        unseen = self.game.memory.UNSEEN if self.game.memory and self.game.is_by_memory else ()
        return format_position(self.game.id, self.game.non_default_options, self.s, unseen)

    def __repr__(self) -> str:
        return f"smallchange.Position.parse({self.key()!r})"

    def svg(self, lang: str = "en") -> str:
        """Return the picture. UnknownGame for a game that has no layout yet."""
        complete_game(self.game.id)
        return picture_of(self, lang)

    def _repr_svg_(self) -> str | None:
        return None if incompleteness(self.game.id) else self.svg()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a position back from its key.

        Raises BadPosition, UnknownGame or BadOption (all ValueError).
        """
        id, options, fields = split_position(text)
        game = Game(id, parse_options(Game(id).offered, options))
        position = cls(game, game.state_type())
        parse_fields(position.s, fields)
        for violation in position.s.violations():
            raise BadPosition(f"no position of {game.id}: {violation}")
        if not position._can_be():
            raise BadPosition(f"no position of {game.id}: its fields contradict one another")
        return position

    def _can_be(self) -> bool:
        """Return whether fields that are within their bounds make a position together."""
        if self.game.invariants and not self.game.invariants.can_be(self.game.board, self.s):
            return False
        try:
            return bool(self.legal() or (self.source and self.weights()) or self.result)
        except (LookupError, ValueError):
            return False
