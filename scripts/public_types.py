"""Check by pyright that every public name of the package has a complete type.

The server, the command line and the contract suite are programs, and are left out. So are the adapters for
OpenSpiel and PettingZoo and the compiler on Numba, whose base classes have no types.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYRIGHT = ROOT / "tools/js/node_modules/.bin/pyright"
PROGRAMS = ("smallchange.server", "smallchange.cli", "smallchange.contract")
WITHOUT_TYPES = (
    "smallchange.engine.compile.numba_compiler",
    "smallchange.openspiel",
    "smallchange.pettingzoo",
)


def incomplete_names() -> list[str]:
    """Return the public names whose types are unknown or ambiguous to pyright."""
    command = [PYRIGHT, "--pythonpath", sys.executable, "--ignoreexternal", "--outputjson"]
    command += ["--verifytypes", "smallchange"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout
    symbols = json.loads(printed)["typeCompleteness"]["symbols"]
    if not symbols:
        raise SystemExit("pyright finds no public name of smallchange")
    return [
        symbol["name"]
        for symbol in symbols
        if not (symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"])
        and not symbol["name"].startswith(PROGRAMS + WITHOUT_TYPES)
        and ".tests." not in symbol["name"]
    ]


if __name__ == "__main__":
    if names := incomplete_names():
        raise SystemExit("\n".join(["these public names lack a complete type:", *names]))
