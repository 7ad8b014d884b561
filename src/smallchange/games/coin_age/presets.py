"""The ways of playing Coin Age that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Forest"), {}),
    Preset(Text("Frozen"), {"map": "frozen"}),
    Preset(Text("Lagoon"), {"map": "lagoon"}),
    Preset(Text("Volcano"), {"map": "volcano"}),
)

# Found by `smallchange design`, measured anew on deals that the search had not met: docs/lab-log.md.
NOTE = Text("A good bot scores {bot} of 100 points against the rule of thumb.")
DESIGNED = (
    Preset(Text("Cove"), {"map": "    b\n a a a\na"}, NOTE.fill(bot=62)),
    Preset(Text("Hook"), {"map": " a a\na   a a\n       a\n      a"}, NOTE.fill(bot=62)),
    Preset(Text("Ridge"), {"map": " a\na a\n a b\nb b b c c\n b"}, NOTE.fill(bot=61)),
    Preset(Text("Fork"), {"map": " a a\na b a a\n       a\n      a"}, NOTE.fill(bot=60)),
    Preset(Text("Two Hills"), {"map": " a   b\nb b b c\n b"}, NOTE.fill(bot=59)),
    Preset(Text("Crossroads"), {"map": "    b\n a b b\na c"}, NOTE.fill(bot=58)),
    Preset(
        Text("River"),
        {"map": "     a a\n        a\n       b   b\n        b b\n b b b b\nb     b"},
        NOTE.fill(bot=58),
    ),
    Preset(Text("Staircase"), {"map": "a\n a a\n  a a\n b   a a\n        a"}, NOTE.fill(bot=55)),
    Preset(Text("Peninsula"), {"map": "a\n a\na\n a a a\nb a a a"}, NOTE.fill(bot=54)),
    Preset(Text("Canyon"), {"map": "        a\n b     a a\nb a a a\n     a\n    a"}, NOTE.fill(bot=53)),
    Preset(Text("Sandbar"), {"map": "       a\na a a a a\n     a\n  b b"}, NOTE.fill(bot=52)),
    Preset(Text("Marsh"), {"map": " a a a\nc   a a b b\n c   a   b\nc"}, NOTE.fill(bot=50)),
)
