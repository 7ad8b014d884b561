"""Programs written for version 0.1 find modules by the names that its documentation had."""

import subprocess
import sys

import pytest

from smallchange.core.former_names import FORMER_NAMES

IMPORTS = [
    ("from smallchange import mind as it", "smallchange.bots"),
    ("import smallchange.mind.review as it", "smallchange.bots.review"),
    ("from smallchange import fast as it", "smallchange.engine"),
    ("import smallchange.solve.exact as it", "smallchange.tablebase.exact"),
    *((f"import {former} as it", name) for former, name in FORMER_NAMES.items()),
]


@pytest.mark.parametrize(("line", "name"), IMPORTS)
def test_a_former_name_is_the_same_module_with_a_warning(line: str, name: str) -> None:
    program = (
        f"{line}\nimport {name}, sys\nassert it is sys.modules[{name!r}]\nassert it.__name__ == {name!r}"
    )
    command = [sys.executable, "-W", "always::DeprecationWarning", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"is {name} now" in done.stderr
