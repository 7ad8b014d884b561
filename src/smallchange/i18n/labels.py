"""Labels that pages and the terminal share."""

from .text import Text

HINT = Text("Hint")
RULES = Text("Rules")
UNDO = Text("Undo")
