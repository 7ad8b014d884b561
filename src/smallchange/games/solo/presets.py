"""The ways of playing Solo that are offered as cards."""

from smallchange.core.preset import Preset
from smallchange.i18n.text import Text

PRESETS = (
    Preset(Text("Easy"), {"topology": "torus"}),
    Preset(Text("Classic"), {}),
    Preset(Text("Hard"), {"free_moves": 0}),
    Preset(Text("Wild"), {"board": "galaxy", "hole": "fly", "whip": True}),
)

# Found by `smallchange design`, measured anew on deals that the search had not met: docs/lab-log.md.
NOTE = Text("A good bot clears it in {bot} of 100 games, the rule of thumb in {greedy}.")
DESIGNED = (
    Preset(Text("Tugboat"), {"board": "..##...\n..#####\n#######\n######."}, NOTE.fill(bot=24, greedy=10)),
    Preset(
        Text("Toad"),
        {"board": "...#....\n...###..\n.#######\n########\n.#......"},
        NOTE.fill(bot=19, greedy=7),
    ),
    Preset(Text("Boot"), {"board": ".####.\n######\n####..\n######"}, NOTE.fill(bot=18, greedy=8)),
    Preset(
        Text("Windmill"),
        {"board": "...#....\n.#.###..\n.#######\n######..\n.#......\n.#......"},
        NOTE.fill(bot=12, greedy=6),
    ),
    Preset(
        Text("Heron"), {"board": "...###.\n.#####.\n######.\n.##.###\n..#...."}, NOTE.fill(bot=11, greedy=5)
    ),
    Preset(
        Text("Chimney"),
        {"board": "..#...\n..#...\n..#...\n.##...\n.###.#\n######\n.#####"},
        NOTE.fill(bot=10, greedy=6),
    ),
    Preset(
        Text("Kite"), {"board": "....##.\n###.##.\n.######\n.####.#\n.##...."}, NOTE.fill(bot=3, greedy=3)
    ),
    Preset(
        Text("Lighthouse"),
        {"board": "..#...\n..#...\n..##..\n.##...\n.###.#\n######\n...###\n...#.."},
        NOTE.fill(bot=3, greedy=2),
    ),
    Preset(
        Text("Giraffe"),
        {"board": "..#...\n..#...\n..##..\n.###..\n.#.#.#\n######\n...##.\n...##."},
        NOTE.fill(bot=3, greedy=1),
    ),
    Preset(
        Text("Comet"),
        {"board": "....#...\n...##...\n.#####..\n###.##..\n#....###\n...###.."},
        NOTE.fill(bot=0, greedy=0),
    ),
    Preset(
        Text("Lobster"),
        {"board": ".....#..\n..####..\n..##.#..\n###..###\n.#....##\n....###."},
        NOTE.fill(bot=0, greedy=0),
    ),
    Preset(
        Text("Lasso"),
        {"board": "....#...\n..###...\n.##.#...\n##..###.\n#....###\n...###..\n....#..."},
        NOTE.fill(bot=0, greedy=0),
    ),
)
