"""Measure two promises about accounts at full size: what is left of one that is erased, and the limit of sign-ups.

    python bench/people.py [erase] [sign-ups]

`erase`: an account plays 500 games and is erased, on SQLite and on PostgreSQL. A dump of the database must hold its
name 0 times, and all 500 records must verify. `sign-ups`: one address tries 1,000 sign-ups on four processes of one
PostgreSQL, a hundred at once. No more may succeed than on one process.
"""

from __future__ import annotations

import argparse
import logging
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import structlog

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server.erasing import NAME, erase_after_games
from tests.server.outside import Process, postgresql, require_program
from tests.server.serving import TIMEOUT_S, serving

PARTS = ["erase", "sign-ups"]
GAMES = 500
SIGN_UPS, PROCESSES, AT_ONCE, LIMIT = 1000, 4, 100, 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="erase, sign-ups; both without")
    asked = parser.parse_args().parts or PARTS
    for word in asked:
        if word not in PARTS:
            parser.error(f"unknown part {word!r}; there are {', '.join(PARTS)}")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    if "erase" in asked:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "tables.db"
            erase("SQLite", f"sqlite:///{file}", lambda: dump_of_sqlite(file))
        with postgresql() as url:
            erase("PostgreSQL", url, lambda: dump_of_postgresql(url))
    if "sign-ups" in asked:
        with postgresql() as url:
            sign_up_often(url)


def erase(kind: str, database: str, dump: Callable[[], str]) -> None:
    """Erase an account with many games, and print how often its name is still found."""
    begun = time.perf_counter()
    with serving(Path(), database=database) as served:
        texts = erase_after_games(served, GAMES)
    whole = dump().casefold()
    left = [whole.count(word) for word in (NAME.casefold(), *NAME.casefold().split())]
    print(
        f"{kind}: {len(texts)} games, dump of {len(whole):,} characters, name found {left[0]} times, its words "
        f"{left[1]} and {left[2]} times; {len(texts)} records verify ({time.perf_counter() - begun:.0f} s)"
    )
    assert not any(left)


def dump_of_sqlite(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return "\n".join(database.iterdump())


def dump_of_postgresql(url: str) -> str:
    return subprocess.run(
        [require_program("pg_dump"), url], check=True, capture_output=True, text=True
    ).stdout


def sign_up_often(database: str) -> None:
    """Try to sign up on several processes at once, and print how often it was done."""
    processes = [Process(database=database, sign_ups=LIMIT, roles="none") for _ in range(PROCESSES)]
    begun = time.perf_counter()
    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            urls = [processes[i % PROCESSES].url for i in range(SIGN_UPS)]
            found = Counter(pool.map(sign_up, urls, range(SIGN_UPS)))
    finally:
        for process in processes:
            process.kill()
    print(
        f"{SIGN_UPS:,} sign-ups on {PROCESSES} processes, limit {LIMIT}: {found[200]} created, "
        f"{found[429]} refused by 429 ({time.perf_counter() - begun:.0f} s)"
    )
    assert found[200] + found[429] == SIGN_UPS
    assert found[200] == LIMIT, "or the ten minutes of the limit have changed meanwhile"


def sign_up(url: str, number: int) -> int:
    """Try to sign up by the form of the page, as a new guest. Return the status."""
    with httpx.Client(base_url=url, timeout=TIMEOUT_S) as web:
        web.get("/account")  # which gives the cookie
        fields = {"name": f"Guest number {number}", "password": "correct horse battery"}
        return web.post("/account/sign-up", data=fields).status_code


if __name__ == "__main__":
    main()
