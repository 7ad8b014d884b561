"""Games for two without chance, solved: who wins from every position, and how soon.

A game can be solved when its folder has an `index.py`, which numbers its positions. Values are those of
play without end, which is a draw: a rule that ends long play as a draw is left out, since it would give a
position as many values as there are quiet plies before it.

`open_table(path)` gives a Table: `table.value(position)` is a Value ("win", "draw" or "loss" for the player
to move, and in how many steps), `table.best(position)` the tokens that keep it. Tables are made by
`make.make_table` or by the command `smallchange solve`.

>>> import smallchange
>>> set(solvable()) <= set(smallchange.games())
True
"""

from .found import find_table, tables_folder
from .numbering import solvable
from .table import Table, Value, open_table

__all__ = ["Table", "Value", "find_table", "open_table", "solvable", "tables_folder"]
