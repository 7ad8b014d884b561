"""Games, found by looking, with their options chosen."""

from __future__ import annotations

from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from . import games as _games
from .errors import UnknownGame, brief
from .options import Value, complete
from .position import Position
from .state import Fields

__all__ = ["Game", "Position", "game", "games"]


def games() -> list[str]:
    """The ids of all games, sorted; a game is a folder under `games/` that has got as far as a notation."""
    folder = Path(_games.__path__[0])
    return sorted(p.parent.name.replace("_", "-") for p in folder.glob("*/notation.py"))


def game(id: str, /, **options: object) -> Game:
    """The game of this id with these options; those not given have their defaults.

    Raises UnknownGame or BadOption (both ValueError), which name what is accepted.
    """
    return Game(id, options)


@lru_cache(maxsize=256)
def kept(game: Game) -> Game:
    """The same game as one object for all who ask: its tokens and its board are made once.

    >>> kept(Game(games()[0])) is kept(Game(games()[0]))
    True
    """
    return game


class Game:
    """One game with its options chosen. `game()` makes them."""

    def __init__(self, id: str, options: dict[str, object] | None = None) -> None:
        if id not in games():
            raise UnknownGame(f"unknown game {brief(id)}; the games are: {', '.join(games())}")
        self.id = id
        kit = f"{_games.__name__}.{id.replace('-', '_')}"
        self.rules: Any = import_module(f"{kit}.rules")
        self.notation: Any = import_module(f"{kit}.notation")
        self._kit = kit
        layout: Any = import_module(f"{kit}.board")
        self.seats: tuple[str, ...] = layout.SEATS
        self.sources: tuple[str, ...] = layout.SOURCES
        self.state_type: type[Fields] = layout.State
        self.offered = layout.OPTIONS
        self.options: dict[str, Value] = complete(self.offered, options or {})
        self.board: Fields = layout.build(self.options).fixed()

    @cached_property
    def words(self) -> Any:
        """The module with what is said of the game."""
        return import_module(f"{self._kit}.words")

    @cached_property
    def face(self) -> Any:
        """The module that lays the game out on the table."""
        return import_module(f"{self._kit}.face")

    @cached_property
    def greedy(self) -> Any:
        """The module with the game's simple sensible player."""
        return import_module(f"{self._kit}.greedy")

    @cached_property
    def faults(self) -> Any:
        """What says why a state within its bounds cannot be; None where bounds are enough."""
        return import_module(f"{self._kit}.sound").faults if (self.folder / "sound.py").exists() else None

    @cached_property
    def sheet(self) -> Any:
        """The module with what a player looks up at the table; None where the rulebook is enough."""
        return import_module(f"{self._kit}.sheet") if (self.folder / "sheet.py").exists() else None

    @cached_property
    def told(self) -> Any:
        """What tells a row of steps in short; None where steps are told one by one."""
        return import_module(f"{self._kit}.told").told if (self.folder / "told.py").exists() else None

    @property
    def folder(self) -> Path:
        """Where the game lives, with its rulebooks and records."""
        return Path(self.rules.__file__).parent

    def rulebook(self, lang: str = "en") -> str:
        """The rules in words, as Markdown, in one of text.LANGUAGES."""
        return (self.folder / f"rules.{lang}.md").read_text(encoding="utf-8")

    @property
    def version(self) -> int:
        """The version of the rules; it grows when a rule, a token or an action's number changes."""
        version: int = self.rules.VERSION
        return version

    @cached_property
    def chosen(self) -> dict[str, Value]:
        """The options that differ from their defaults."""
        return {o.name: self.options[o.name] for o in self.offered if self.options[o.name] != o.default}

    @property
    def arguments(self) -> list[str]:
        """The chosen options as words of the command line: ["--size", "4"]."""
        words = []
        for name, value in self.chosen.items():
            flag = name.replace("_", "-")
            if isinstance(value, bool):
                words.append(f"--{flag}" if value else f"--no-{flag}")
            else:
                words += [f"--{flag}", str(value)]
        return words

    def start(self) -> Position:
        """The position before the first step."""
        s = self.state_type()
        self.rules.setup(self.board, s)
        return Position(self, s)

    @cached_property
    def tokens(self) -> dict[int, str]:
        """Every action of this board and its token."""
        named = ((a, self.notation.token(self.board, a)) for a in range(self.rules.ACTIONS))
        return {a: token for a, token in named if token is not None}

    @cached_property
    def actions(self) -> dict[str, int]:
        """Every token of this board and its action."""
        return {token: a for a, token in self.tokens.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.id, self.options) == (other.id, other.options)

    def __hash__(self) -> int:
        return hash((self.id, *self.options.values()))

    def __reduce__(self) -> tuple[type[Game], tuple[str, dict[str, Value]]]:
        """Pickled and copied as what it is made of: its modules cannot be."""
        return type(self), (self.id, self.options)

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.chosen.items())
        return f"smallchange.game({self.id!r}{chosen})"
