"""Kill servers at random moments under load, and check that every acknowledged step is still there.

    python bench/kills.py [--sqlite 24] [--postgresql 6]

On SQLite one server is killed and started again while programs play at eight tables; on PostgreSQL one of two
servers in turn, while six rivals play at two tables on both. After the kills every acknowledged step must be in
the database, every table must replay by the rules and the luck of its deal, and none may stop halfway through a
step. All of it is on loopback, with databases of its own. The second part needs PostgreSQL's programs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server.killing import Survived, kill_either_of_two_servers, kill_one_server
from tests.server.outside import postgresql


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sqlite", type=int, default=24, metavar="KILLS")
    parser.add_argument("--postgresql", type=int, default=6, metavar="KILLS")
    asked = parser.parse_args()
    if asked.sqlite > 0:
        with tempfile.TemporaryDirectory() as folder:
            report("SQLite, one server", kill_one_server, f"sqlite:///{folder}/tables.db", asked.sqlite)
    if asked.postgresql > 0:
        with postgresql() as database:
            report("PostgreSQL, two servers", kill_either_of_two_servers, database, asked.postgresql)


def report(name: str, kill: Callable[[str, int], Survived], database: str, kills: int) -> None:
    """Print what went through so many kills; a lost step ends the bench with an AssertionError."""
    begun = time.perf_counter()
    found = kill(database, kills)
    print(
        f"{name}: {found.kills} kills, {found.acknowledged:,} acknowledged steps at {found.tables:,} tables, "
        f"none lost or halved ({time.perf_counter() - begun:.0f} s)",
        flush=True,
    )


if __name__ == "__main__":
    main()
