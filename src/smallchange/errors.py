"""What can be wrong with what somebody asks for. Each message says what came and what is accepted."""

from collections.abc import Callable

from .text import Text


class IllegalMove(ValueError):
    """The token is not among those possible at this step; nothing was changed."""


class UnknownMove(IllegalMove):
    """The token means nothing in this game, at any step."""


class UnknownGame(ValueError):
    """No game has this id."""


class BadOption(ValueError):
    """An option's name is unknown, or its value is not accepted.

    Of an option that the game has `option` is the name, and `why` says what is wrong to who does not see it.
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
    """What is to be measured, by whom it is done, or the file of what came of it is not as it has to be."""


class BadPolicy(ValueError):
    """No bot of the game has this name, or no player can play as these words say."""


class BadPosition(ValueError):
    """A text that should be a position is none."""


class BadRecord(ValueError):
    """A record cannot be read, or does not agree with the rules."""


class BadTable(ValueError):
    """A table of solved positions is damaged, or of another game, other rules or another program."""


class BadValues(ValueError):
    """Learned values are not there, damaged, or of another game, other rules or other features."""


def in_one_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """A warning as commands show it, without the place in the program: for `warnings.formatwarning`."""
    return f"Warning: {message}\n"


def brief(value: object, write: Callable[[object], str] = repr) -> str:
    """A value as an error repeats it: 80 signs at most, or its kind where Python cannot write it.

    >>> brief("a" * 100) == "'" + 79 * "a", brief(10**5000)
    (True, 'an int')
    """
    try:
        return write(value)[:80]
    except (ValueError, RecursionError):  # too many digits, or lists in lists
        kind = type(value).__name__
        return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
