"""Write into docs/environments.md what each game's observation is made of, from the games' own declarations.

Usage: python scripts/environment_fields.py [--check]

With --check nothing is written; the exit code is 1 where the page differs from the games.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import smallchange
from smallchange.core.game import Game
from smallchange.gymnasium import environment_id

PAGE = Path(__file__).parents[1] / "docs" / "environments.md"
BEGIN, END = "<!-- fields: written by scripts/environment_fields.py -->\n", "<!-- end of fields -->\n"
MEANINGS = {"turn": "the seat to move; -1 chance, -2 nobody, because the game is over"}
FIELD = re.compile(r"    (\w+): [\w\[\]]+ = (?:number|numbers|mask|masks)\(.*\)(?:  # (.*))?")


def meanings(game: Game) -> dict[str, str]:
    """Return what each field of a state means, as the comments in the game's model say."""
    state = (game.folder / "model.py").read_text(encoding="utf-8").partition("class State(Fields):")[2]
    said = {}
    for line in state.split("\n\n\n")[0].splitlines():
        if match := FIELD.fullmatch(line):
            said[match[1]] = (match[2] or "").removeprefix("..").strip()
    return said | MEANINGS


def table(game: Game) -> str:
    """Return the section of one game."""
    seats = ", ".join(f"{i} {player}" for i, player in enumerate(game.seats))
    lines = [
        f"### {game.words.TITLE.en}",
        "",
        f"`{environment_id(game.id)}`, {game.observation_size} entries, {game.num_actions} actions; seats: {seats}.",
        "",
        "| entries | field | shape | values | written as | meaning |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    said = meanings(game)
    for field in game.observed_fields:
        last = field.start + field.length * field.width - 1
        shape = f"{field.length} x {field.width}" if field.length > 1 else str(field.width)
        values = f"sets of {field.width}" if field.coding == "mask" else f"{field.low} to {field.high}"
        meaning = said[field.name].replace("|", "\\|")
        row = f"{field.start} to {last}", f"`{field.name}`", shape, values, field.coding, meaning
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join([*lines, "", ""])


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    tables = "".join(table(smallchange.game(id)) for id in smallchange.games())
    written = f"{before}{BEGIN}\n{tables}{END}{after}"
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(written, encoding="utf-8")
    elif written != page:
        sys.exit("run python scripts/environment_fields.py: docs/environments.md differs from the games")


if __name__ == "__main__":
    main()
