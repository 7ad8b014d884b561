"""The ways of playing Coin Collectors that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Easy"), {"acceptable_losses": True}),
    Preset(Text("Classic"), {}),
    Preset(Text("Hard"), {"stay_home": 1}),
    Preset(Text("Wild"), {"stud": True}),
)
