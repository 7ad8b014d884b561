"""The rulebooks say the same in every language, and each ruling has its test."""

import re
from pathlib import Path

import smallchange
from smallchange.i18n.text import LANGUAGES

from .variants import GAMES, every_game

ANCHOR = re.compile(r"^#+ .*\{#([a-z][a-z0-9-]*)\}$", re.MULTILINE)
RULING = re.compile(r"\*\*([A-Z]{2})-(\d+)\*\*")
STEPS = re.compile(r"^```steps\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STANDING = {"setup", "options", "rulings", "example", "source", "versions"}


def books(id: str) -> dict[str, str]:
    return {lang: smallchange.game(id).rulebook(lang) for lang in LANGUAGES}


def proofs(id: str) -> str:
    """Return the text of a game's own tests."""
    folder: Path = smallchange.game(id).folder
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("tests/test_*.py")))


@every_game
def test_the_headings_have_the_same_anchors_in_every_language(id: str) -> None:
    first, *others = (ANCHOR.findall(book) for book in books(id).values())
    assert set(first) >= STANDING
    assert len(set(first)) == len(first)
    assert all(other == first for other in others)


@every_game
def test_a_game_takes_as_long_by_its_rulebook_as_by_the_lobby(id: str) -> None:
    said = re.findall(r"(\d+)分ほど", books(id)["ja"])
    assert set(said) <= {str(smallchange.game(id).words.MINUTES)}


@every_game
def test_the_rulings_are_numbered_from_one_in_every_language(id: str) -> None:
    for book in books(id).values():
        rulings = RULING.findall(book[book.index("{#rulings}") :])
        assert rulings
        assert rulings == [(rulings[0][0], str(i + 1)) for i in range(len(rulings))]
    assert len({tuple(RULING.findall(book)) for book in books(id).values()}) == 1


@every_game
def test_every_ruling_has_a_test_that_bears_its_number(id: str) -> None:
    named = proofs(id)
    missing = [
        f"{letters}-{number}"
        for letters, number in RULING.findall(books(id)["en"])
        if not re.search(rf"def test_(\w+_)?{letters.lower()}_{number}_", named)
    ]
    assert not missing, f"no test in the folder of {id} bears the number of {', '.join(missing)}"


@every_game
def test_every_option_and_the_version_stand_in_every_rulebook(id: str) -> None:
    game = smallchange.game(id)
    for lang, book in books(id).items():
        missing = [option.name for option in game.offered if f"`{option.name}`" not in book]
        assert not missing, (lang, missing)
        assert re.search(rf"^- {game.version}:", book[book.index("{#versions}") :], re.MULTILINE), lang


@every_game
def test_the_worked_examples_take_the_same_steps_in_every_language(id: str) -> None:
    examples = [
        [[line.split("  ")[0] for line in block.splitlines()] for block in STEPS.findall(book)]
        for book in books(id).values()
    ]
    assert examples[0]
    assert all(example == examples[0] for example in examples)
    for book in books(id).values():
        lines = [line for block in STEPS.findall(book) for line in block.splitlines()]
        assert all(re.fullmatch(r"\S+  \S.*", line) for line in lines)


def test_no_two_games_number_their_rulings_with_the_same_letters() -> None:
    letters = [{ruling[0] for ruling in RULING.findall(books(id)["en"])} for id in GAMES]
    assert all(len(own) == 1 for own in letters), letters
    assert len(set().union(*letters)) == len(letters), letters
