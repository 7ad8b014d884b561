"""Every phrase of the program is translated to every language that has a catalogue."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from smallchange.i18n.catalogues import LANGUAGES, SOURCE, folders
from smallchange.i18n.maintenance import compare, conflicts, languages, problems, strange_terms, template
from smallchange.i18n.text import Plural, Text

COUNTED = re.compile(  # a number that may be 1, before its noun; limits are called {most} and so on
    r"\{(?:n|count|left|games|choices|throws|moves|days|minutes)\} (?:(?!of|in)[\w-]+ )?(?:characters|choices|coins|"
    r"days|evaluations|games|hours|lines|minutes|moves|people|players|points|positions|rounds|seconds|spaces|steps|"
    r"tables|throws|tiles|times|tournaments|turns|ways|are|come|stand)\b"
)
NEVER_ONE = {  # the number is fixed in the code, or counts a measurement
    "wins {share} ({low} to {high}) of {n} games",
    "scores {share} ({low} to {high}) in {n} games against {other}",
    "{better} scored {share} of the points in {n} games against {other}.",
    "{engine}; late in the game the best move, where {n} positions settle it",
    "{n} positions a move",
    "{n} evaluations a move",
    "the best {n} ways to end a turn",
    "the first {n} evaluations of each way one turn ahead",
    "Measured in {n} games after each move: the best move leads by at least {low} points of 100.",
    "This protects your account. You will not be asked again for {minutes} minutes.",
    "One file has up to {n} games, from the first of this page on. PPN, the notation of the piecepack, has those that "
    "are played with one.",
    "Own names (up to {n} characters)",
    "Counts for both players’ ratings. This needs two accounts, a time for the moves, and the game as in the rulebook; "
    "a game that ends before each side has made {n} moves does not count.",
    "This game does not count for the ratings, because it ended before each side had made {n} moves.",
    "about {n} games in 10",
    "a duel lasts {minutes} minutes to {days} days",
    "after {n} reviewed games; so far there are {have}",
    "Move the {pawn} {n} tiles",  # one tile has a phrase of its own
}

PO = """\
msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""


def test_a_language_of_a_game_is_a_language_of_the_program() -> None:
    assert (SOURCE, *languages()) == LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_every_phrase_is_translated_and_no_translation_is_stale_or_fuzzy(lang: str) -> None:
    assert problems(lang) == []


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_no_two_catalogues_translate_a_phrase_differently(lang: str) -> None:
    assert conflicts(lang) == []


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_a_thing_has_one_word_and_an_act_one_verb_in_phrases_and_rulebooks(lang: str) -> None:
    assert strange_terms(lang) == []


def test_a_number_that_may_be_one_stands_in_a_phrase_with_plural_forms() -> None:
    phrases = [message.id for folder in folders() for message in template(folder)]
    assert {id for id in phrases if isinstance(id, str) and COUNTED.search(id)} == NEVER_ONE


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('msgid "{n} dice"\nmsgstr "{n} Würfel"', None),
        ("", "missing: '{n} dice'"),
        ('msgid "{n} dice"\nmsgstr ""', "not translated: '{n} dice'"),
        ('#, fuzzy\nmsgid "{n} dice"\nmsgstr "{n} Würfel"', "fuzzy: '{n} dice'"),
        ('msgid "{n} dice"\nmsgstr "{m} Würfel"', "not filled with n: '{n} dice'"),
        ('msgid "{n} dice"\nmsgstr "{n} Würfel"\n\nmsgid "tile"\nmsgstr "Plättchen"', "stale: 'tile'"),
    ],
)
def test_a_faulty_catalogue_is_found(tmp_path: Path, entry: str, fault: str | None) -> None:
    wanted = Catalog()
    wanted.add("{n} dice")
    file = tmp_path / "locale" / "de.po"
    file.parent.mkdir()
    file.write_text(PO + entry, encoding="utf-8")
    lines = [line.removeprefix(f"{tmp_path.name}/locale/de.po: ") for line in compare(file, wanted)]
    assert lines == ([fault] if fault else [])


def test_one_of_a_thing_may_do_without_its_number(tmp_path: Path) -> None:
    wanted = Catalog()
    wanted.add(("{n} coin", "{n} coins"))
    file = tmp_path / "de.po"
    entry = 'msgid "{n} coin"\nmsgid_plural "{n} coins"\nmsgstr[0] "eine Münze"\nmsgstr[1] "{n} Münzen"\n'
    file.write_text(PO + entry, encoding="utf-8")
    assert compare(file, wanted) == []


def test_phrases_are_equal_if_they_are_made_alike() -> None:
    one, many = Plural("{n} coin", "{n} coins").fill(n=1), Plural("{n} coin", "{n} coins").fill(n=2)
    assert one == Plural("{n} coin", "{n} coins").fill(n=1) != many
    assert Text("ace") == Text("ace") != Text("ace", "of a pilot")
    assert len({Text("ace"), Text("ace"), one, many}) == 3


def test_no_language_is_spoken_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"no language 'xx'; the languages are: en, "):
        Text("ace")["xx"]
