"""The ways of playing One Man: Thrag! that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Easy"), {"null_coins": 3}),
    Preset(Text("Classic"), {}),
    Preset(Text("Hard"), {"weapons": "none"}),
)
