"""The records and the counts of an independent implementation of the rules."""

from pathlib import Path

CONFORMANCE = Path(__file__).parent / "conformance"


RECORDS = sorted(CONFORMANCE.glob("*.jsonl"))


COUNTS = sorted(CONFORMANCE.glob("*-perft.json"))


def file_label(path: Path) -> str:
    return path.stem
