"""The ways of playing Coin Age that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Forest"), {}),
    Preset(Text("Frozen"), {"map": "frozen"}),
    Preset(Text("Lagoon"), {"map": "lagoon"}),
    Preset(Text("Volcano"), {"map": "volcano"}),
)

# Found by `smallchange design`, measured anew on deals that the search had not met: research/lab-log.md.
NOTE = Text("A good bot scores {bot} of 100 points against the rule of thumb.")
DESIGNED = (
    Preset(Text("Clover"), {"map": " a\na b a\n a a"}, NOTE.fill(bot=64)),
    Preset(Text("Hook"), {"map": "b a\n   a\n  a a"}, NOTE.fill(bot=63)),
    Preset(Text("Fork"), {"map": " a a\na b a a\n       a\n      a"}, NOTE.fill(bot=63)),
    Preset(Text("Ridge"), {"map": "     a\nb b c a a"}, NOTE.fill(bot=63)),
    Preset(Text("Delta"), {"map": " a   a\nb a a\n   a a a\n    a"}, NOTE.fill(bot=60)),
    Preset(Text("Cascade"), {"map": " a\na a a\n   b a a\n      a a\n       a"}, NOTE.fill(bot=59)),
    Preset(Text("Bridge"), {"map": " a\na b\n b b     b\n    b b b b\n         b"}, NOTE.fill(bot=58)),
    Preset(Text("Valley"), {"map": " a\na\n a b\n  d d d\n     c c"}, NOTE.fill(bot=57)),
    Preset(Text("Staircase"), {"map": "a\n a a\na a a\n b   a a\n        a"}, NOTE.fill(bot=56)),
    Preset(Text("Coast"), {"map": "    a a\n   a a\n  b b\n b   c\nb d"}, NOTE.fill(bot=55)),
    Preset(
        Text("River"), {"map": "           b\n    a c b b\n a a   c   b\n  a a\n a\na"}, NOTE.fill(bot=55)
    ),
    Preset(
        Text("Isthmus"), {"map": "      a b\n     b b\n      b b\n     b\nb b b b\n   b b"}, NOTE.fill(bot=53)
    ),
)
