"""The rules compiled: whole games in bulk. The only part that imports Numba, and only when it is asked.

>>> import smallchange
>>> from smallchange import fast
>>> way = fast.interpreted(smallchange.game(smallchange.games()[0]))
>>> way.game.start().s == way.plain(way.start())
True
"""

from .drivers import GREEDY, RANDOM
from .layout import record_type, records, to_plain
from .ways import Games, Way, compiled, interpreted, seeded

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
