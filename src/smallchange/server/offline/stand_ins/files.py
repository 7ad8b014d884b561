"""In the browser: `pathlib`. `FILES` has the text of each file of the package that is needed there, by its path."""

from __future__ import annotations

FILES: dict[str, str] = {}


class Path:
    """A path of a file of the package."""

    def __init__(self, path: object) -> None:
        text = str(path)
        if text.startswith("VFS."):  # the name of a module, as its __file__ has it
            text = "/" + text.removeprefix("VFS.").removesuffix(".py").replace(".", "/") + ".py"
        self._text = text

    def __truediv__(self, name: str) -> Path:
        return Path(f"{self._text}/{name}")

    def __str__(self) -> str:
        return self._text

    def __lt__(self, other: Path) -> bool:
        return self._text < other._text

    @property
    def name(self) -> str:
        """The part after the last slash."""
        return self._text.rpartition("/")[2]

    def with_name(self, name: str) -> Path:
        """Return the path of another file in the same folder."""
        return Path(self._text.rpartition("/")[0]) / name

    def is_file(self) -> bool:
        """Return whether the file is there."""
        return self._text in FILES

    exists = is_file

    def iterdir(self) -> list[Path]:
        """Return the paths in a folder."""
        start = self._text + "/"
        names = {path[len(start) :].partition("/")[0] for path in FILES if path.startswith(start)}
        return [self / name for name in names]

    def read_text(self, encoding: str = "utf-8") -> str:
        """Return the text of a file."""
        return FILES[self._text]
