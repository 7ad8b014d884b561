"""The ways of playing the Royal Game of Ur that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

FINKEL = Text("The rules as Irving Finkel of the British Museum reconstructed them.")
PRESETS = (
    Preset(Text("Short"), {"coins": 3}),
    Preset(Text("Classic"), {}, FINKEL),
    Preset(Text("No refuge"), {"safe": False}),
)
