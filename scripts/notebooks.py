"""Execute the notebooks of the documentation, and keep what they print.

    python scripts/notebooks.py [NAME...]            execute them and write their outputs
    python scripts/notebooks.py --check [NAME...]    fail where a printed output differs from the kept one

Pictures and tables are written too, but only text that is printed is compared: tables say how long things took.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
RICHER = ("text/html", "image/svg+xml")  # where an output has one of these, its plain text is left out
CELL_TIMEOUT_S = 300
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def execute(notebook: Any) -> Any:
    """Return the notebook with fresh outputs, without what differs from run to run."""
    NotebookClient(notebook, timeout=CELL_TIMEOUT_S, kernel_name="python3").execute()
    notebook.metadata = METADATA
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type != "code":
            continue
        cell.execution_count = None
        for output in cell.outputs:
            if "execution_count" in output:
                output["execution_count"] = None
            data = output.get("data", {})
            if any(kind in data for kind in RICHER):
                data.pop("text/plain", None)
    return notebook


def printed_texts(notebook: Any) -> list[str]:
    """Return what each code cell prints."""
    return [
        "".join(output.get("text", "") for output in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def main(arguments: list[str]) -> None:
    check = "--check" in arguments
    names = [name for name in arguments if not name.startswith("-")]
    for file in [FOLDER / f"{name}.ipynb" for name in names] or sorted(FOLDER.glob("*.ipynb")):
        kept = nbformat.read(file, as_version=4)
        before = printed_texts(kept)
        fresh = execute(kept)
        if not check:
            nbformat.write(fresh, file)
        elif printed_texts(fresh) != before:
            sys.exit(f"{file.name} prints {printed_texts(fresh)}, but it is kept with {before}")
        print(f"{file.name}: {len(before)} code cells")


if __name__ == "__main__":
    main(sys.argv[1:])
