"""The results on disk: a Parquet file for each portion, and in the end one for all.

A part bears the digest of its portion and is written whole or not at all, so an experiment that is killed
goes on with the parts that are there. The file for all has the games in the experiment's order: it does not
show which machine played which game, nor when.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from smallchange.core.atomic_files import replacing
from smallchange.core.errors import BadExperiment
from smallchange.core.json_text import read_json
from smallchange.extras import require

from .experiment_grid import Portion
from .play_portion import Column

require("lab", "pyarrow")

import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

FEW = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("game", FEW),
        ("options", FEW),  # those chosen, as JSON
        ("policy", FEW),
        ("seed", pa.uint64()),
        ("number", pa.int64()),  # of the game under its seed: equal numbers are equal deals
        ("outcome", FEW),
        ("winner", pa.int8()),  # the seat, -1 for nobody
        ("steps", pa.int32()),
        ("scores", pa.list_(pa.int64())),  # by seat
    ]
)
META = b"smallchange"  # the key of what is said in a file's schema, as JSON
SUM = b"smallchange sha256"  # .. and of its digest: Parquet's checksums are those of pages alone
UNREADABLE = (OSError, ValueError, pa.ArrowException)
DRAFT = re.compile(r"\.(?:parquet|json)\.(\d{1,9})\.part$", re.ASCII)  # see core/atomic_files.py
PARTS, TIMES = ".parts", ".times.json"  # what goes beside the file for all
NOT_OURS = "holds no results of an experiment (smallchange experiment makes them)"


def table(portion: Portion, played: dict[str, Column]) -> pa.Table:
    """Return the games of a portion with the cell they belong to."""
    cell = portion.cell
    same = {
        "game": cell.game,
        "options": json.dumps(dict(cell.options)),
        "policy": cell.who,
        "seed": cell.seed,
    }
    columns = {**{name: [value] * portion.n for name, value in same.items()}, **played}
    return pa.table([pa.array(columns[field.name], field.type) for field in SCHEMA], SCHEMA)


class Store:
    """A folder of parts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        clear(folder.glob("*.part"))

    def path(self, portion: Portion) -> Path:
        """Return the path of a portion, whether or not it exists."""
        return self.folder / f"{portion.digest}.parquet"

    def add(self, portion: Portion, played: dict[str, Column], seconds: float) -> None:
        """Keep a portion, whole or not at all; `seconds` of processor time went into it."""
        metadata = {"first": portion.first, "n": portion.n, "seconds": seconds}
        with replacing(self.path(portion)) as file:
            pq.write_table(with_metadata(table(portion, played), metadata), file, write_page_checksum=True)

    def seconds(self, portion: Portion) -> float | None:
        """Return the processor time of a portion; None if it is not played yet, or its part is damaged."""
        try:
            games, metadata = games_in(self.path(portion))
            first, n = portion.first, portion.n
            whole = games["number"].to_pylist() == list(range(first, first + n))
            return float(metadata["seconds"]) if whole else None
        except (ValueError, KeyError, TypeError):
            return None

    def merge(self, portions: list[Portion], out: Path, metadata: dict[str, Any]) -> None:
        """Write the games of all portions, in order, into one file."""
        schema = with_metadata(SCHEMA, metadata)
        form: dict[str, Any] = {"compression": "zstd", "write_page_checksum": True}
        with replacing(out) as file, pq.ParquetWriter(file, schema, **form) as writer:
            for batch in _batches(self.path(portion) for portion in portions):
                writer.write_table(batch.cast(schema))


def _batches(paths: Iterator[Path], size: int = 1 << 16) -> Iterator[pa.Table]:
    """Yield the tables of many small files, joined until they fill a row group."""
    waiting: list[pa.Table] = []
    rows = 0
    for path in paths:
        waiting.append(games_in(path)[0].replace_schema_metadata())
        rows += len(waiting[-1])
        if rows >= size:
            yield pa.concat_tables(waiting).unify_dictionaries()
            waiting, rows = [], 0
    if waiting:
        yield pa.concat_tables(waiting).unify_dictionaries()


def with_metadata(of: Any, fields: dict[str, Any]) -> Any:
    """Return the same table or schema, with this metadata."""
    text = json.dumps(fields, sort_keys=True)
    metadata = {META: text, SUM: _sum(text.encode())}
    return of.replace_schema_metadata(metadata) if isinstance(of, pa.Table) else of.with_metadata(metadata)


def _sum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()


def games_in(path: Path) -> tuple[pa.Table, dict[str, Any]]:
    """Return the games in a file and its metadata, after reading it whole and comparing checksums.

    BadExperiment if it is damaged, or was not written here.
    """
    try:
        metadata = pq.read_schema(path).metadata
        text, digest = metadata[META], metadata[SUM]
    except FileNotFoundError:
        raise BadExperiment(f"there is no file {path}") from None
    except (KeyError, TypeError):  # no such metadata
        raise BadExperiment(f"{path} {NOT_OURS}") from None
    except UNREADABLE:
        problem = "is damaged: smallchange experiment, called again, mends it" if _beside(path) else NOT_OURS
        raise BadExperiment(f"{path} {problem}") from None
    if _sum(text) != digest:
        raise BadExperiment(f"{path} is damaged: what it says of itself has another digest")
    try:
        described, n = read_json(text), pq.read_metadata(path).num_rows
        games = pq.read_table(path, page_checksum_verification=True)
    except UNREADABLE as wrong:
        raise BadExperiment(f"{path} is damaged: {wrong}") from wrong
    if len(games) != n:  # a group of rows may claim to have fewer
        raise BadExperiment(f"{path} is damaged: it has {len(games):,} games, not {n:,}")
    if not isinstance(described, dict) or not games.schema.equals(SCHEMA):
        raise BadExperiment(f"{path} {NOT_OURS}")
    return games, described


def _beside(path: Path) -> bool:
    """Return whether there are files that an experiment writes beside its results."""
    return bool(path.name) and (path.with_suffix(PARTS).is_dir() or bool(seconds_in(path.with_suffix(TIMES))))


def foreign(path: Path) -> bool:
    """Is there a file that no experiment wrote? A damaged file was written by one if the files beside it were."""
    if not path.is_file() or _beside(path):
        return False
    try:
        return META not in (pq.read_schema(path).metadata or {})
    except UNREADABLE:
        return path.stat().st_size > 0


def read_metadata(path: Path) -> dict[str, Any] | None:
    """Return the metadata of a results file; None if the file is no such file, or is damaged."""
    try:
        return games_in(path)[1]
    except BadExperiment:
        return None


def seconds_in(path: Path) -> dict[tuple[str, str, str], float]:
    """Seconds of processor time by game, options as JSON, and policy; {} where the file does not say."""
    total: dict[tuple[str, str, str], float] = {}
    try:
        for cell in read_json(path.read_text("utf-8"))["cells"]:
            key = cell["game"], json.dumps(cell["options"]), cell["policy"]
            total[key] = total.get(key, 0.0) + cell["seconds"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return total


def clear(drafts: Iterable[Path]) -> None:
    """Remove those of `files.replacing` that killed runs left behind; other files are left as they are."""
    for draft in drafts:
        written = DRAFT.search(draft.name)
        if written and not _runs(int(written[1])):
            draft.unlink(missing_ok=True)


def _runs(pid: int) -> bool:
    """Is there such a process? Where that cannot be asked, there may be."""
    try:
        if os.name == "posix":
            os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        pass
    return True
