"""Everything that people can use is documented: names, modules, commands, options, rulings; and the site builds."""

from __future__ import annotations

import importlib
import inspect
import pydoc
import re
import sys
from functools import cached_property
from pathlib import Path
from types import ModuleType

import pytest

import smallchange
from smallchange import bots, engine
from smallchange.cli import COMMANDS
from smallchange.cli.server import ServerCommands
from smallchange.core.game import Game
from smallchange.i18n.text import LANGUAGES
from smallchange.lab.ladder import ladder
from smallchange.tablebase import find_table
from smallchange.tablebase.exact import Exact
from smallchange.tablebase.make_table import make_table

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "smallchange"
sys.path.insert(0, str(ROOT / "scripts"))
docs_site, names_page = map(importlib.import_module, ("docs_site", "names_page"))
sys.path.remove(str(ROOT / "scripts"))

GAMES = smallchange.games()
MODULES = [module for modules in docs_site.reference().values() for module in modules]
EXAMPLES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RULING = re.compile(r"\b[A-Z]{2}-\d+\b")


def public_names(module: ModuleType) -> list[str]:
    """Return the names that a module of the reference offers."""
    return list(module.__all__)


def public_members(kind: type) -> list[str]:
    """Return the methods and properties of a class itself."""
    members = {name: value for name, value in vars(kind).items() if not name.startswith("_")}
    return [
        name
        for name, value in members.items()
        if inspect.isfunction(value)
        or isinstance(value, property | cached_property | classmethod | staticmethod)
    ]


def has_description(kind: type, member: str) -> bool:
    """Return whether the member has a description, itself or where it is first declared."""
    return any(vars(base)[member].__doc__ for base in kind.__mro__ if member in vars(base))


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_of_the_reference_has_a_docstring(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    bare = []
    for public in public_names(module):
        value = getattr(module, public)
        if not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        if not value.__doc__:
            bare.append(public)
        if inspect.isclass(value) and value.__module__.startswith("smallchange"):
            bare += [
                f"{public}.{member}" for member in public_members(value) if not has_description(value, member)
            ]
    assert bare == []


def test_every_name_that_a_module_offers_is_there() -> None:
    for file in SOURCE.rglob("*.py"):
        if "\n__all__ = " in file.read_text(encoding="utf-8"):
            name = ".".join(file.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
            exec(f"from {name} import *", {})


def test_help_begins_with_a_screen_that_names_all_that_dir_does() -> None:
    assert dir(smallchange) == sorted(smallchange.__all__)
    first = pydoc.plain(pydoc.render_doc(smallchange)).partition("PACKAGE CONTENTS")[0].splitlines()
    assert len(first) <= 40
    assert max(map(len, first)) < 80
    assert set(smallchange.__all__) <= set(re.findall(r"\w+", " ".join(first)))


def test_where_a_game_is_taken_so_is_its_id(tmp_path: Path) -> None:
    id = "dodgem"
    assert bots.best_bot(id) == bots.best_bot(Game(id))
    assert engine.interpret_game(id).game == Exact(id, compiled=False).game == Game(id)
    assert ladder(id, ["random", "greedy"], 2, workers=1).game == Game(id)
    assert (find_table(id) is None) == (find_table(Game(id)) is None)
    with pytest.raises(smallchange.BadOption, match="a smaller --size"):
        make_table(tmp_path / "small.table", id, memory=1)


def test_every_name_that_docs_examples_and_games_from_outside_import_is_offered_by_a_module_of_the_reference() -> (
    None
):
    missing = set()
    games = [
        SOURCE / "new_game" / "template",
        ROOT / "tests" / "contract" / "games" / "nim",
        ROOT / "examples",
    ]
    for file in [*EXAMPLES, *(file for folder in games for file in folder.rglob("*.py"))]:
        for name, imported in re.findall(
            r"^(?:>>> |\.\.\. |    )?from (smallchange[\w.]*) import (.+)",
            file.read_text(encoding="utf-8"),
            re.MULTILINE,
        ):
            offered = public_names(importlib.import_module(name)) if name in MODULES else []
            for one in re.findall(r"\w+", imported):
                if one not in offered and f"{name}.{one}" not in MODULES:
                    missing.add((file.name, name, one))
    assert missing == set()


def test_the_page_of_names_is_as_the_docstrings_say() -> None:
    assert names_page.PAGE.read_text(encoding="utf-8") == names_page.page()


def test_every_command_has_its_place_on_the_page_of_commands() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (?:server )?(\S+)$", page, re.MULTILINE)
    assert {*COMMANDS, *ServerCommands.modules} - {"server"} <= set(headings)


@pytest.mark.parametrize(
    "page", ["CONTRIBUTING.md", "docs/architecture.md", "docs/protocol.md", "docs/security.md"]
)
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    named = re.findall(r"`([\w*][\w.*/-]*/[\w.*-]*)`", (ROOT / page).read_text(encoding="utf-8"))
    roots = [ROOT, SOURCE.parent, SOURCE, SOURCE / "games", *(SOURCE / "games").iterdir()]
    missing = {
        name
        for name in named
        if not any(
            any(root.glob(name.rstrip("/").replace("NAME", "*").replace("LANG", "*"))) for root in roots
        )
    }
    assert not missing


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", GAMES)
def test_every_option_and_ruling_stands_in_the_rulebook(id: str, lang: str) -> None:
    game = Game(id)
    rulebook = game.rulebook(lang)
    assert [option.name for option in game.offered if f"`{option.name}`" not in rulebook] == []
    code = "\n".join(
        file.read_text(encoding="utf-8") for file in game.folder.glob("*.py") if file.name != "maps.py"
    )
    prefix = {ruling.split("-")[0] for ruling in RULING.findall(game.rulebook("en"))}
    used = {ruling for ruling in RULING.findall(code) if ruling.split("-")[0] in prefix}
    assert sorted(used - set(RULING.findall(rulebook))) == []


def test_every_ruling_is_on_the_page_of_rulings() -> None:
    page = docs_site.rulings_page()
    for id in GAMES:
        rulebook = Game(id).rulebook("en")
        numbers = set(re.findall(r"^- \*\*([A-Z]{2}-\d+)\*\*", rulebook, re.MULTILINE))
        assert numbers
        assert numbers <= set(RULING.findall(page))


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mkdocs")
    pages = tmp_path / "site"
    docs_site.build_pages(pages)
    assert capsys.readouterr().err == ""
    for page in (
        "index.html", "rulings.html", "cli.html", "ja/solo.html", "games/thrag.html", "api/games-and-matches.html",
    ):  # fmt: skip
        assert (pages / page).is_file(), page
