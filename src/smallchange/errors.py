"""What can be wrong with what somebody asks for. Each message says what came and what is accepted."""


class IllegalMove(ValueError):
    """The token is not among those possible at this step; nothing was changed."""


class UnknownMove(IllegalMove):
    """The token means nothing in this game, at any step."""


class UnknownGame(ValueError):
    """No game has this id."""


class BadOption(ValueError):
    """An option's name is unknown, or its value is not accepted."""


class BadPosition(ValueError):
    """A text that should be a position is none."""


class BadRecord(ValueError):
    """A record cannot be read, or does not agree with the rules."""


class BadTable(ValueError):
    """A table of solved positions is damaged, or of another game, other rules or another program."""


class BadValues(ValueError):
    """Learned values are not there, damaged, or of another game, other rules or other features."""
