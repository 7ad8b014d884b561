"""The matches of an experiment that one wants to look at: the best and the worst of each cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from smallchange.core.atomic_files import replacing
from smallchange.core.errors import BadExperiment
from smallchange.core.match import Match
from smallchange.core.record import to_json_text

from .play_portion import row_match
from .results import Results, Sample, read_results

__all__ = ["KEEP", "check_keep", "keep_matches", "kept_matches"]

KEEP = re.compile(r"(best|worst):([1-9]\d{0,5})", re.ASCII)


def check_keep(keep: str) -> tuple[str, int]:
    """Return which matches to keep and how many of each sample. BadExperiment for anything but best:N or worst:N."""
    found = KEEP.fullmatch(keep)
    if not found:
        raise BadExperiment(f"keep best:N or worst:N, with N from 1 to 999,999, not {keep!r:.80}")
    return found[1], int(found[2])


def kept_matches(results: Results, keep: str) -> Iterator[Match]:
    """Yield the best or worst matches of each sample: `keep` is best:N or worst:N.

    Best is what the first seat wins highest, by its score or by its lead over the other; of equals the shorter, then
    that of the lower seed and number. BadExperiment where this program plays a row otherwise.
    """
    which, n = check_keep(keep)
    for sample in results.samples:
        lead = sample.scores[:, 0] - (sample.scores[:, 1] if len(sample.game.seats) > 1 else 0)
        order = np.lexsort((sample.deal, sample.steps, -lead if which == "best" else lead))
        for row in order[:n].tolist():
            yield _match(results, sample, row)


def _match(results: Results, sample: Sample, row: int) -> Match:
    seed, number = results.seed_and_number(sample, row)
    match = row_match(sample.game, sample.policy, seed, number)
    scores = [match.position.score(player) for player in sample.game.seats]
    if (len(match), scores) != (sample.steps[row], sample.scores[row].tolist()):
        raise BadExperiment(
            f"{sample.policy} plays game {number} of seed {seed} otherwise than in these results: it looks at the "
            "clock, or was another program"
        )
    return match


def keep_matches(results: Path, keep: str) -> tuple[Path, int]:
    """Write the matches to keep beside the results, as JSON lines; return the file and their number."""
    which, _ = check_keep(keep)
    file = results.with_suffix(f".{which}.jsonl")
    lines = [to_json_text(match) for match in kept_matches(read_results(results), keep)]
    with replacing(file) as out:
        out.write("".join(lines).encode())
    return file, len(lines)
