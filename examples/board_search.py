"""A search for boards of Solo on a torus, and what luck had in it: python board_search.py [BOARDS]."""

from __future__ import annotations

import sys
from pathlib import Path

import smallchange
from smallchange.lab.design import Search, design, finalists

if __name__ == "__main__":
    search = Search(smallchange.game("solo", topology="torus"), bot="tree:8", n=20)
    boards = int(sys.argv[1]) if len(sys.argv) > 1 else 640
    archive = design(search, boards, Path("torus.boards.jsonl"), workers=1)
    for found in finalists(search, archive, 3, "tree:20", 50, workers=1):
        print(found.searched.drawing, end="")
        print(f"gap {found.searched.gap:.1%} in the search, {found.fresh.gap:.1%} on fresh deals\n")
