"""The ways of playing Dodg'em that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

DRAWN = Text("Between perfect players it is a draw.")
RED_WINS = Text("The classic Dodgem: a player who cannot move wins. Between perfect players Red wins.")
PRESETS = (
    Preset(Text("Short"), {"size": 4}, DRAWN),
    Preset(Text("Classic"), {}, DRAWN),
    Preset(Text("Wild"), {"start": "crosswise"}, DRAWN),
    Preset(Text("Winning Ways"), {"size": 3, "start": "crosswise", "blocked": "wins"}, RED_WINS),
)
