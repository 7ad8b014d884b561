"""The proof of a listed solution, by the rules alone: `python check_solution.py FILE`, or `smallchange solve --verify`.

Each position that comes up has a value, which follows from those one step later. Wins get shorter step by step, so they
end. A draw has a step to a draw and none to a win of its mover, so nobody has to lose it.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import smallchange
from smallchange import Position

Value = tuple[str, int]  # the winner or "draw", and the plies to the end


def following_value(position: Position, after: list[Value]) -> Value:
    """Return the value that follows from those after each step."""
    if position.over:
        first, second = position.game.seats
        lead = (position.score(first) or 0) - (position.score(second) or 0)
        return first if lead > 0 else second if lead else "draw", 0
    won = [plies for winner, plies in after if winner == position.actor]
    if won:
        return str(position.actor), min(won) + 1
    if any(winner == "draw" for winner, _ in after):
        return "draw", 0
    return after[0][0], max(plies for _, plies in after) + 1


def faults(file: Path) -> Iterator[str]:
    """Yield what does not follow."""
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    values = {key: (winner, int(plies)) for key, winner, plies in (line.split("\t") for line in lines)}
    about = json.loads(head)
    if smallchange.game(about["game"], **about["options"]).start().key() not in values:
        yield "the start has no value"
    for key, value in values.items():
        position = Position.parse(key)
        after = [values.get(position.played(token).key(), ("nobody", 0)) for token in position.legal()]
        if ("nobody", 0) in after:
            yield f"a step from {key} leads to a position without a value"
        elif value != following_value(position, after):
            yield f"{key} is {value}, not {following_value(position, after)}"


if __name__ == "__main__":
    sys.exit(
        next(faults(Path(sys.argv[1])), None) or print("proved: each value follows from those one step later")
    )
