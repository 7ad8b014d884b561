"""The ways of playing Coin Age that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Forest"), {}),
    Preset(Text("Frozen"), {"map": "frozen"}),
    Preset(Text("Lagoon"), {"map": "lagoon"}),
    Preset(Text("Volcano"), {"map": "volcano"}),
)
