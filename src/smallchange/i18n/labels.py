"""Labels that pages and the terminal share."""

from .text import Text

ADVICE = Text("Advice")
HINT = Text("Hint")
QUIT = Text("Quit")
RULES = Text("Rules")
UNDO = Text("Undo")
