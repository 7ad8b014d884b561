"""The ways of playing the Royal Game of Ur that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Short"), {"coins": 3}),
    Preset(Text("Classic"), {}),
    Preset(Text("No refuge"), {"safe": False}),
)
