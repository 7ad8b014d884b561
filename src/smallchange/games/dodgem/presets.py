"""The ways of playing Dodg'em that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Short"), {"size": 4}),
    Preset(Text("Classic"), {}),
    Preset(Text("Wild"), {"start": "crosswise"}),
)
