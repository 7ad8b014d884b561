"""Fifty games that are wrong, and the one line that `check-game` says of each."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NIM = Path(__file__).parent / "games" / "nim"
BROKEN = {  # file, what stands there, what is wrong, what is said
    "lacks-options": ("words.py", "OPTIONS = {", "OTHERS = {", "words.py lacks OPTIONS"),
    "lacks-score": ("rules.py", "def score(", "def points(", "rules.py lacks score"),
    "lacks-phase": ("words.py", "def phase(", "def face(", "words.py lacks phase"),
    "no-python": ("layout.py", "NAMES = [", "NAMES = [[", "layout.py cannot be loaded: SyntaxError: "),
    "no-option": ("model.py", 'options["misere"]', 'options["misery"]', "no_option/model.py:35: KeyError: 'misery'"),
    "bad-board": ("model.py", "= int(options[\"mis", "= 2 * int(options[\"mis", "model.py: build: misere is 2, outside 0..1 (with heap_a=0, heap_b=0, heap_c=1, misere=True)"),
    "too-few": ("rules.py", "MOST = 21, 21", "MOST = 21, 20", "too_few/rules.py:21: the index 20 is outside out, which has 20 numbers (with heap_a=7, heap_b=7, heap_c=7)"),
    "wrong-index": ("rules.py", "s.heaps[2] == 0", "s.heaps[b.start[0] // 2] == 0", "wrong_index/rules.py:36: the index 3 is outside s.heaps, which has 3 numbers (with heap_a=7"),
    "negative": ("rules.py", "-= a % HIGHEST + 1", "-= a % HIGHEST + 2", "negative/rules.py:35: -1 does not fit s.heaps, whose range is 0 to 7"),
    "no-move": ("rules.py", "== 0:", "== -1:", "no_move/rules.py:17: legal gives 0 actions, not 1 to 21 (MOST)"),
    "endless": ("rules.py", "s.turn = 1 - s.turn", "s.turn = 1 - s.turn\n        setup(b, s)", "rules.py: a random match is not over after 20,000 steps; each has to end"),
    "a-float": ("rules.py", "return 1 if s.winner == seat else -1", "return 0.5 if s.winner == seat else -1", "a_float/rules.py:44: the constant 0.5 is neither"),
    "a-list": ("rules.py", "    n = 0\n", "    n = len([0, 0]) - 2\n", "a_list/rules.py:18: a list is not in the dialect; "),
    "a-misspelling": ("rules.py", "s.heaps[2]", "s.heap[2]", "a_misspelling/rules.py:36: State has no field 'heap'; did you mean 'heaps'?"),
    "backwards": ("rules.py", "HIGHEST * heap + taken\n", "HIGHEST * heap + s.heaps[heap] - 1 - taken\n", "rules.py: the actions ["),
    "same-token": ("notation.py", "{taken + 1}", "{min(taken, 1)}", "notation.py: two actions have the same token"),
    "a-long-token": ("notation.py", "f\"{'abc'", "f\"take coins {'abc'", "notation.py: 'take coins a-1' is no token"),
    "no-token": ("notation.py", "taken < b.start", "taken < b.start[0] - 1 and taken < b.start", "notation.py: action "),
    "no-json": ("notation.py", "SEATS[s.winner]}", "{SEATS[s.winner]}}", "notation.py: result cannot be written as JSON: {'winner': {"),
    "no-text": ("words.py", "return ASKS.fill(who=PLAYERS[SEATS[s.turn]])", "return ASKS.en", "words.py: asks returns no Text"),
    "no-anchor": ("words.py", 'else "turn"', 'else "move"', "words.py: phase is 'move', no anchor of rulebook.en.md"),
    "says-the-same": ("words.py", "n=a % HIGHEST + 1", "n=1", "words.py: step says 'First takes 1 from heap a' of two moves"),
    "touches-nothing": ("layout.py", '("abc"[a // HIGHEST],)', '("d",)', "layout.py: touch names what is not on the table, for "),
    "a-list-of-seats": ("model.py", '("first", "second")', '["first", "second"]', "model.py: SEATS is ['first', 'second'], no tuple[str, ...]"),
    "one-seat-twice": ("model.py", '("first", "second")', '("first", "first")', "model.py: SEATS is ('first', 'first'), not one player or two, "),
    "no-seat": ("model.py", '("first", "second")', "()", "model.py: SEATS is (), not one player or two, "),
    "an-option-of-a-command": ("model.py", '"heap_b", 4', '"seed", 4', "model.py: OPTIONS has ['heap_a', 'seed', "),
    "too-large-a-number": ("model.py", "winner: int = number(0, 1)", "winner: int = number(0, 1 << 70)", "model.py: State.winner cannot be from 0 to 1180591620717411303424"),
    "no-state": ("model.py", "class State(Fields)", "class State", "model.py: State is <class "),
    "no-board": ("model.py", "    return b\n", "    return None\n", "model.py: build returns None, no board"),
    "two-boards": ("model.py", 'int(options["misere"])', 'vars(build).update(n=1 - vars(build).get("n", 0)) or vars(build)["n"]', "model.py: build makes another board of the same options"),
    "looks-and-changes": ("rules.py", "    n = 0\n", "    n = 0\n    s.winner = 1\n", "rules.py: a function other than play changes looks-and-changes / turn=0 heaps=3,4,5 winner=0"),
    "round-and-round": ("rules.py", "    n = 0\n", "    n = 0\n    while s.turn == 1:\n        n = 0\n", "round_and_round/rules.py:19: a loop goes round more than 10,000,000 times"),
    "for-ever": ("words.py", "    return TAKES", "    while True:\n        pass\n    return TAKES", "the check of this board did not end within 10 seconds"),
    "over-at-once": ("rules.py", "s.turn = 0", "s.turn = OVER", "rules.py: setup: the game is over before its first step"),
    "both-win": ("rules.py", "1 if s.winner == seat else -1", "1", "notation.py: result {'winner': 'first'} does not agree with [1, 1]"),
    "another-winner": ("notation.py", "SEATS[s.winner]}", '"third"}', "notation.py: result {'winner': 'third'} does not agree with ["),
    "no-result": ("notation.py", '{"winner": SEATS[s.winner]}', "None", "notation.py: result None does not agree with ["),
    "a-number": ("notation.py", "f\"{'abc'[heap]}-{taken + 1}\"", "str(a)", "notation.py: '0' is no token"),
    "a-command": ("notation.py", "f\"{'abc'[heap]}-{taken + 1}\"", "'quit'", "notation.py: "),
    "not-ascii": ("notation.py", "'abc'", "'äöü'", "notation.py: 'ä-1' is no token"),
    "a-title": ("words.py", 'Text("Nim")', '"Nim"', "words.py: TITLE is 'Nim', no Text"),
    "raises": ("words.py", "    return TAKES", "    raise OSError('two\\nlines')\n    return TAKES", "raises/words.py:29: OSError: two; lines"),
    "no-scene": ("layout.py", "return Scene((BOARD,), (), (), marks)", "return None", "layout.py: scene returns no Scene"),
    "far-away": ("layout.py", "100 * i, 0", "10**9 * i, 0", "layout.py: x and y of ['b', 'c'] are no whole numbers within 100,000"),
    "a-lost-badge": ("layout.py", 'Badge("abc"', 'Badge("xyz"', "layout.py: a piece or a badge stands on {"),
    "half-a-ranking": ("ai/ranking.py", "", "LAYOUT = 1\n", "half-a-ranking: ranking.py lacks "),
    "bad-levels": ("levels.json", "", '{"random": 1}', "bad_levels/levels.json: "),
    "too-deep": ("more.json", "", "[" * 100_000, "more.json cannot be read: there are too many lists within lists"),
    "bad-puzzles": ("puzzles.jsonl", "", '{"format": 2}', "bad_puzzles/puzzles.jsonl, line 1: the format of a puzzle must be 1, not 2"),
    "bad-bands": ("deal_bands.json", "", "[]", "bad_bands/deal_bands.json: "),
    "bad-values": ("values.json", "", "{}", "bad_values/values.json does not hold learned values: 'game'"),
    "bad-rates": ("win_rates.json", "", "7", "bad_rates/win_rates.json: "),
    "bad-german": ("locale/de.po", "", 'msgid "a', "bad_german/locale/de.po: "),
    "bad-german-text": ("rulebook.de.md", "", "\udcff", "rulebook.de.md cannot be read: 'utf-8' codec can't decode byte 0xff"),
    "bad-text": ("rulebook.en.md", "", "\udcff", "rulebook.en.md cannot be read: 'utf-8' codec can't decode byte 0xff"),
    "other-parameters": ("ai/heuristic.py", "(b: Board, s: State, a: int, t: State)", "(b: Board, s: State, t: State, a: int)", "heuristic.py: move_score takes other parameters than (b, s, a, t)"),
}  # fmt: skip
PASS = (  # to take one from heap a passes, until it is the last coin
    "    s.heaps[a // HIGHEST] -=",
    "    if a > 0 or s.heaps[0] + s.heaps[1] + s.heaps[2] == 1:\n        s.heaps[a // HIGHEST] -=",
)
CHECK = """
import json, sys
from smallchange.contract import check
from smallchange.contract.check import check_game, play_compiled
check.BOARD_S = 10
def line(id):
    try:
        play_compiled(check_game(id)[:1], 1)
    except ValueError as wrong:
        return str(wrong)
    return "no fault"
print(json.dumps({id: line(id) for id in sys.argv[1:]}))
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what is said of each game, and of one without a fault."""
    folder = tmp_path_factory.mktemp("games")
    for id, (file, old, new, _) in {
        **BROKEN,
        "waits": ("rules.py", *PASS, ""),
        "whole": ("rules.py", "", "", ""),
    }.items():
        path = shutil.copytree(NIM, folder / id.replace("-", "_")) / file
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        assert old in text
        path.parent.mkdir(exist_ok=True)
        if id == "waits":
            thumb = folder / id / "ai" / "heuristic.py"
            thumb.write_text(
                re.sub("return .*", "return 1 if a == 0 else 0", thumb.read_text(encoding="utf-8"))
            )
        path.write_bytes((text.replace(old, new) if old else new or text).encode(errors="surrogateescape"))
    done = subprocess.run(
        [sys.executable, "-c", CHECK, *BROKEN, "waits", "whole"],
        env=os.environ | {"SMALLCHANGE_GAMES": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("id", BROKEN)
def test_a_broken_game_gets_one_line_that_names_its_fault(said: dict[str, str], id: str) -> None:
    assert BROKEN[id][3] in said[id]
    assert "\n" not in said[id]


@pytest.mark.slow
def test_a_game_has_to_end_by_the_rule_of_thumb_too(said: dict[str, str]) -> None:
    assert said["waits"].startswith("rules.py: a greedy match is not over after 20,000 steps")


@pytest.mark.slow
def test_a_whole_game_has_no_fault(said: dict[str, str]) -> None:
    assert said["whole"] == "no fault"
