"""Games are found by looking, stand apart, and need nothing but Python to be played."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import smallchange
from smallchange.contract.variants import every_game

PACKAGE = Path(smallchange.__file__).parent


def texts(outside: Path) -> Iterator[tuple[Path, str]]:
    """Yield every text of the package that is not in this folder."""
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and outside not in path.parents and "__pycache__" not in path.parts:
            try:
                yield path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # a picture or a font


@every_game
def test_the_name_of_a_game_occurs_nowhere_outside_its_folder(id: str) -> None:
    game = smallchange.game(id)
    names = {id, game.folder.name, game.words.TITLE.en, game.words.TITLE.en.replace("’", "'")}
    name = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE)
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {line.strip()}"
        for path, text in texts(game.folder)
        for number, line in enumerate(text.splitlines(), 1)
        if name.search(line)
    ]
    assert not found, "\n".join(found)


PLAY_WITHOUT = """
import sys
from random import Random

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "numba"):
            raise ImportError(f"{name} is blocked here")

sys.meta_path.insert(0, Blocked())
import smallchange

luck = Random(1)
for id in smallchange.games():
    match = smallchange.Match(smallchange.game(id), luck.randbytes(16))
    while not match.over:
        match.settle()
        if not match.over:
            match.play(luck.choice(match.position.legal()))
    game = match.game
    game.layout.scene(game.board, match.position.s)
    print(id, match.position.result is not None)
"""


def test_every_game_can_be_played_with_numpy_and_numba_absent() -> None:
    ran = subprocess.run([sys.executable, "-c", PLAY_WITHOUT], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split("\n")[:-1] == [f"{id} True" for id in smallchange.games()]


def test_importing_the_package_or_a_game_loads_neither_numpy_nor_numba() -> None:
    code = """import sys, smallchange
for id in smallchange.games():
    smallchange.game(id).start().legal()
print(*sorted({"numpy", "numba"} & {name.partition(".")[0] for name in sys.modules}))"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
