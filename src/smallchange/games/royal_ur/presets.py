"""The ways of playing the Royal Game of Ur that are offered as cards. One named for a set of rules sets all of it."""

from smallchange.core.options import Value
from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

FINKEL = Text("The rules as Irving Finkel of the British Museum reconstructed them.")
MASTERS = Text(
    "James Masters’s rules: the longer path around the far end, three coins to throw, and no rosette is safe."
)
FOUR = Text("Masters’s path and rosettes with four coins to throw, as in RoyalUr’s Python library.")
BLITZ = Text("RoyalUr’s fast game: Masters’s path with five coins, and a capture gives another throw.")
ASEB = Text("The game of twenty squares as it was played in Egypt, by RoyalUr’s rules.")
MASTERS_WAY: dict[str, Value] = {"path": "masters", "safe": False}
PRESETS = (
    Preset(Text("Short"), {"coins": 3}),
    Preset(Text("Classic"), {}, FINKEL),
    Preset(Text("No refuge"), {"safe": False}),
    Preset(Text("Masters"), {**MASTERS_WAY, "dice": "three"}, MASTERS),
    Preset(Text("Masters, four coins"), MASTERS_WAY, FOUR),
    Preset(Text("Blitz"), {**MASTERS_WAY, "coins": 5, "capture_again": True}, BLITZ),
    Preset(Text("Aseb"), {"path": "aseb", "coins": 5}, ASEB),
)
