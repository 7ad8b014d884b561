"""Whole games from one position, played by the net's judgement to the end (play-outs)."""

from typing import Any

from smallchange.engine.compile.runtime_python import entry
from smallchange.engine.kernels.afterstate_search import truncated_rollout
from smallchange.engine.kernels.random_streams import open_streams


@entry
def play_outs(
    boards: Any, roots: Any, seat: int, turns: int, first: int, seed: Any, search: Any, results: Any
) -> None:
    """Write the results for a seat of the games number first, first + 1, .. from roots[0]: results[n], 0 to 1.

    All seats play by the net. Game number i meets the same throws from whatever position it begins.
    """
    scratch = search.scratch
    for k in range(len(results)):
        open_streams(scratch.streams, scratch.seats, seed, first + k)
        results[k] = truncated_rollout(boards[0], roots[0], seat, turns, 0, first + k, 0, search)
