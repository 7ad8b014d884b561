"""The errors that a caller can cause. Each message names the value that came and the values that are accepted."""

from collections.abc import Callable

from smallchange.i18n.text import Text

__all__ = [
    "BadDrawing", "BadExperiment", "BadOption", "BadPolicy", "BadPosition", "BadPuzzle", "BadRecord",
    "BadTable", "BadValues", "DialectError", "IllegalMove", "NoPiecepackGame", "RulesError",
    "RulesIndexError", "UnknownGame", "UnknownMove",
]  # fmt: skip


class IllegalMove(ValueError):
    """The token is not among those possible at this step; nothing was changed."""


class UnknownMove(IllegalMove):
    """The token means nothing in this game, at any step."""


class RulesError(ValueError):
    """The rules of a game cannot be compiled, or fail as they run.

    Each line of the message is a fault: `GAME/rules.py:110: why`.
    """


class DialectError(RulesError):
    """Rules, or a heuristic or another function for search, are outside the dialect that can be compiled."""


class RulesIndexError(RulesError, IndexError):
    """Rules use an index that is outside its array."""


class UnknownGame(ValueError):
    """No game has this id."""


class NoPiecepackGame(ValueError):
    """The game is not played with a piecepack, so that it has no Portable Piecepack Notation."""


class BadOption(ValueError):
    """An option's name is unknown, or its value is not accepted.

    Of an option that the game has `option` is the name, and `why` states the fault for a reader who does not see it.
    """

    def __init__(self, message: str, option: str = "", why: Text | None = None) -> None:
        super().__init__(message)
        self.option = option
        self.why = why


class BadDrawing(ValueError):
    """A drawing breaks a rule of its option; `why` says which, and where."""

    def __init__(self, why: Text) -> None:
        super().__init__(why.en)
        self.why = why


class BadExperiment(ValueError):
    """An experiment is not well formed, or the file of its results is not."""


class BadPolicy(ValueError):
    """No bot of the game has this name, or no player can play as these words say."""


class BadPosition(ValueError):
    """A text that should be a position is none."""


class BadPuzzle(ValueError):
    """A puzzle cannot be read, or does not agree with the rules."""


class BadRecord(ValueError):
    """A record cannot be read, or does not agree with the rules."""


class BadTable(ValueError):
    """A table of solved positions is damaged, or of another game, other rules or another program."""


class BadValues(ValueError):
    """Learned values are not there, damaged, or of another game, other rules or other features."""


def format_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Format a warning as commands show it, without its place in the program, for `warnings.formatwarning`."""
    return f"Warning: {message}\n"


def abbreviate(value: object, write: Callable[[object], str] = repr) -> str:
    """Shorten a value for an error: 80 characters at most, or its type if Python cannot write it.

    >>> abbreviate("a" * 100) == "'" + 79 * "a", abbreviate(10**5000)
    (True, 'an int')
    """
    try:
        return write(value)[:80]
    except (ValueError, RecursionError):  # too many digits, or lists in lists
        kind = type(value).__name__
        return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
