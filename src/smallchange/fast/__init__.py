"""The rules compiled: whole games in bulk. The only part that imports Numba, and only when it is asked.

`weave` makes one text of a game's rules and of drivers, which are written once for all games, in the dialect
of the rules:

| drivers | for | called by |
| --- | --- | --- |
| luck, drivers | whole games under simple policies | ways |
| digest, tree, matches | tree search | search |
| digest, stored, alphabeta | alpha-beta search, and a table of solved positions | deepen |
| net, judge, learn, calm | learned values: playing by them, learning, measuring | values, train |
| digest, boards, throws | the search over all throws | expectimax |
| exact; foresight | exact odds; bounds on any play | solve/exact; lab/bound |
| retrograde, proof, reach, linger | games for two solved, and proved | solve/kit |
| aim, index, same, worth | in the place of files that a game need not have | |

>>> import smallchange
>>> from smallchange import fast
>>> way = fast.interpreted(smallchange.game(smallchange.games()[0]))
>>> way.game.start().s == way.plain(way.start())
True
"""

from smallchange.extras import need

need("fast", "numba", "numpy")  # before they are imported below

from .drivers import GREEDY, RANDOM  # noqa: E402
from .layout import record_type, records, to_plain  # noqa: E402
from .ways import Games, Way, compiled, interpreted, seeded  # noqa: E402

__all__ = [
    "GREEDY",
    "RANDOM",
    "Games",
    "Way",
    "compiled",
    "interpreted",
    "record_type",
    "records",
    "seeded",
    "to_plain",
]
