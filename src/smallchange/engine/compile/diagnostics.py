"""Name the line of a game's rules, or of a kernel, where generated code fails."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

from smallchange.core.errors import RulesError

from .codegen import GeneratedSource, Location

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_NOISE = re.compile(r"^(Failed in nopython mode pipeline|There are \d+ candidate|During:|File |\s|$)")
_RECORD = re.compile(r"\bRecord\([^)]*\)")


def find_location(error: BaseException, source: GeneratedSource) -> Location | None:
    """Return the line of rules, or else of a kernel, where an exception was raised in code run by Python."""
    labels = {str(definition.path): definition for definition in source.definitions}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in labels:
            definition = labels[frame.filename]
            return Location(definition.label, frame.lineno or 0, definition.path)
    return None


def explain_compile_error(
    error: Exception, source: GeneratedSource, file: Path, head_lines: int
) -> RulesError:
    """Return one error, with a place and a reason, in the stead of Numba's.

    `file` is that of the generated text, which has `head_lines` lines before those of `source`.
    """
    message = _COLOUR.sub("", str(error))
    lines = [int(line) for name, line in _PLACE.findall(message) if Path(name).name == file.name]
    places = [place for line in lines if (place := _nearest(source, line - head_lines))]
    rules = [place for place in places if "kernels/" not in place.label]
    place = next(iter(rules or places), None)
    reason = _RECORD.sub("a record", _reason(message.splitlines()))
    return RulesError(f"{place or file.stem}: Numba cannot compile this: {reason}")


def _reason(lines: list[str]) -> str:
    """Return the first line of Numba's message that gives a reason, with the signature that follows it."""
    first = next((i for i, line in enumerate(lines) if not _NOISE.match(line)), 0)
    reason = lines[first].strip()
    if reason.endswith("signature:"):
        reason += next((line.replace(">>>", "") for line in lines[first + 1 :] if line.strip()), "")
    return " ".join(reason.split())


def _nearest(source: GeneratedSource, line: int) -> Location | None:
    """Return the place of the statement that a line belongs to."""
    before = [n for n in source.locations if n <= line]
    return source.locations[max(before)] if before else None
