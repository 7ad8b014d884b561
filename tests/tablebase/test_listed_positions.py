"""Games for two without chance, solved from `legal` and `play` alone."""

import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random

import pytest

import smallchange
from smallchange import BadOption, BadTable, Game, Position
from smallchange.tablebase import check_solution
from smallchange.tablebase.listed_positions import read_solution, solve, write_solution


@pytest.fixture(autouse=True)
def nim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHANGE_GAMES", str(Path(__file__).parents[1] / "contract" / "games"))


def heaps(a: int, b: int, c: int, misere: bool = False) -> Game:
    return smallchange.game("nim", heap_a=a, heap_b=b, heap_c=c, misere=misere)


def test_nim_is_won_where_bouton_says_so() -> None:
    for a, b, c, misere in product((0, 1, 3), (0, 1, 2), (1, 2, 7), (False, True)):
        few = misere and max(a, b, c) < 2
        wins = bool(a ^ b ^ c) != few
        game = heaps(a, b, c, misere)
        assert solve(game).values[game.start().key()][0] == ("first" if wins else "second"), game


def test_a_file_is_proved_by_the_rules_and_no_other_value_is(tmp_path: Path) -> None:
    file, luck = tmp_path / "nim.solution", Random(1)
    write_solution(solve(heaps(2, 3, 1)), file)
    assert read_solution(file).values == solve(heaps(2, 3, 1)).values
    done = subprocess.run([sys.executable, check_solution.__file__, file], capture_output=True, text=True)
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, "proved")
    lines = file.read_text(encoding="utf-8").splitlines()
    for _ in range(30):
        at = luck.randrange(1, len(lines))
        key, winner, plies = lines[at].split("\t")
        other = "second" if winner == "first" else "first"
        wrong = luck.choice(
            [f"{key}\t{other}\t{plies}", f"{key}\tdraw\t0", f"{key}\t{winner}\t{int(plies) + 1}"]
        )
        file.write_text("\n".join([*lines[:at], wrong, *lines[at + 1 :]]), encoding="utf-8")
        assert next(check_solution.faults(file))
    file.write_text("\n".join(lines[:-1]), encoding="utf-8")
    assert next(check_solution.faults(file))
    head, first, *rest = (f"{line}\n" for line in lines)
    fewer = head.replace(f": {len(lines) - 1}}}", f": {len(rest)}}}")
    more = head.replace("}\n", ', "more": 1}\n')
    for rows in ([head, *rest], [fewer, *rest], [more, first, *rest], [head, first, *rest, first]):
        file.write_text("".join(rows), encoding="utf-8")
        with pytest.raises(BadTable, match="damaged"):
            read_solution(file)


def test_draws_follow_from_those_one_step_later() -> None:
    solution, luck = solve(smallchange.game("dodgem", size=3, quiet_limit=4)), Random(1)
    assert {winner for winner, _ in solution.values.values()} == {*solution.game.seats, "draw"}
    for key in luck.sample([*solution.values], 1000):
        position = Position.parse(key)
        after = [solution.values[position.played(token).key()] for token in position.legal()]
        assert solution.values[key] == check_solution.following_value(position, after)


def test_other_games_are_refused_by_name() -> None:
    with pytest.raises(BadOption, match="solo is no game for two without chance"):
        solve(smallchange.game("solo"))
