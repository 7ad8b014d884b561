"""The ways of playing Solo that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Easy"), {"topology": "torus"}),
    Preset(Text("Classic"), {}),
    Preset(Text("Hard"), {"free_moves": 0}),
    Preset(Text("Wild"), {"board": "galaxy", "hole": "fly", "whip": True}),
)
