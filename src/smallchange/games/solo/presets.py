"""The ways of playing Solo that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Easy"), {"topology": "torus"}),
    Preset(Text("Classic"), {}),
    Preset(Text("Hard"), {"free_moves": 0}),
    Preset(Text("Wild"), {"board": "galaxy", "hole": "fly", "whip": True}),
)

# Found by `smallchange design`, measured anew on deals that the search had not met: research/lab-log.md.
NOTE = Text("A good bot clears it in {bot} of 100 games, the rule of thumb in {greedy}.")
DESIGNED = (
    Preset(Text("Hat"), {"board": "..##....\n..#####.\n..#####.\n########"}, NOTE.fill(bot=20, greedy=10)),
    Preset(Text("Tugboat"), {"board": "..##...\n..#####\n#######\n######."}, NOTE.fill(bot=20, greedy=10)),
    Preset(
        Text("Submarine"),
        {"board": "...#...\n..#####\n#######\n######.\n..#...."},
        NOTE.fill(bot=19, greedy=9),
    ),
    Preset(Text("Sail"), {"board": "....#\n#####\n#####\n#####\n###..\n#...."}, NOTE.fill(bot=17, greedy=9)),
    Preset(
        Text("Flag"),
        {"board": "....#\n#####\n#####\n#####\n##...\n#....\n#...."},
        NOTE.fill(bot=17, greedy=9),
    ),
    Preset(
        Text("Windmill"),
        {"board": "...#....\n.#.###..\n.#######\n######..\n.#......\n.#......"},
        NOTE.fill(bot=12, greedy=6),
    ),
    Preset(
        Text("Camel"),
        {"board": "....#...\n.#######\n########\n.#....#.\n.#......\n.#......"},
        NOTE.fill(bot=11, greedy=4),
    ),
    Preset(
        Text("Parrot"), {"board": "..####.\n.######\n####.#.\n.#.###.\n.....#."}, NOTE.fill(bot=9, greedy=4)
    ),
    Preset(
        Text("Elephant"),
        {"board": "....#...\n..######\n########\n.#.#.##.\n.#......"},
        NOTE.fill(bot=9, greedy=4),
    ),
    Preset(
        Text("Snail"),
        {"board": "..##....\n..#####.\n..#.###.\n########\n...#...."},
        NOTE.fill(bot=9, greedy=4),
    ),
    Preset(
        Text("Whale"),
        {"board": "......#\n.....##\n..####.\n#######\n.####..\n...##.."},
        NOTE.fill(bot=6, greedy=2),
    ),
    Preset(
        Text("Dragon"),
        {"board": "...#....\n..##.##.\n..######\n######..\n.#......\n.##....."},
        NOTE.fill(bot=4, greedy=2),
    ),
)
