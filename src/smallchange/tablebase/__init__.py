"""Tablebases of games for two without chance: the value of every position, and the plies to the end.

A game has a table when its folder has a `ranking.py`, which numbers its positions; any other is solved by a list of the
positions that come up (`listed_positions.py`). Values of a table are those of
play without end, which is a draw: a rule that ends long play as a draw is left out, since it would give a
position as many values as there are quiet plies before it.

`open_table(path)` gives a Table: `table.value(position)` is a Value ("win", "draw" or "loss" for the player
to move, and in how many steps), `table.best(position)` the tokens that keep it. Tables are made by
`make_table.make_table` or by the command `smallchange solve`.

>>> import smallchange
>>> set(solvable()) <= set(smallchange.games())
True
"""

from .ranked_games import solvable
from .table import PliesTable, Table, Value
from .table_files import find_table, open_table, tables_folder

__all__ = ["PliesTable", "Table", "Value", "find_table", "open_table", "solvable", "tables_folder"]
