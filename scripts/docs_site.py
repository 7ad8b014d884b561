"""Assemble the pages of the documentation, and build them with MkDocs into build/site.

The pages are those of docs/, README.md and CONTRIBUTING.md; the rulebooks of all games with their pictures, options and
rulings; and a reference made from docstrings. Links between them are rewritten; a link that leads nowhere is an error.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import smallchange
from smallchange import animated_svg, bots
from smallchange.core.game import Game, Position
from smallchange.core.match import Match
from smallchange.render.svg import picture_of
from smallchange.server.offline.folder import build as build_folder

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build"
PAGES, SITE = BUILD / "pages", BUILD / "site"
DOCS = ROOT / "docs"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCED = re.compile(r"^(```.*?^```)", re.MULTILINE | re.DOTALL)
RULING = re.compile(r"^- \*\*([A-Z]{2}-\d+)\*\* ", re.MULTILINE)
MOVED = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
RUNTIME = ROOT / "tools" / "js" / "node_modules" / "pyodide"  # without which there is no page to try it
TRY = """# Try it

<iframe src="../try-it/index.html" title="Small Change" style="width: 100%; height: 80vh; border: 0"></iframe>

<a href="../try-it/index.html">On a page of its own</a>. All of it runs in your browser, from files of this site.
"""
MOVES_OF_PICTURE = 5
STEPS_OF_FILM = 40
LANGUAGES = {"ja": "日本語", "de": "Deutsch"}  # of pages for players, besides English

API = {
    "Games and matches": [
        "smallchange",
        "smallchange.core.game",
        "smallchange.core.match",
        "smallchange.core.record",
    ],
    "Options and errors": [
        "smallchange.core.options",
        "smallchange.core.errors",
        "smallchange.core.commitment",
    ],
    "Pictures and notation": [
        "smallchange.core.match_pictures",
        "smallchange.core.piecepack_notation",
        "smallchange.core.print_sheets",
        "smallchange.render.sheet_text",
        "smallchange.render.svg",
        "smallchange.render.text_screen",
    ],
    "Bots": [
        "smallchange.bots",
        "smallchange.bots.analysis",
        "smallchange.bots.hints",
        "smallchange.bots.levels",
        "smallchange.bots.review",
    ],
    "Measuring": [
        "smallchange.engine",
        "smallchange.lab.simulate",
        "smallchange.lab.compare",
        "smallchange.lab.design",
        "smallchange.lab.experiment",
        "smallchange.lab.experiment_grid",
        "smallchange.lab.results",
        "smallchange.lab.ladder",
        "smallchange.lab.play_portion",
        "smallchange.lab.statistics",
    ],
    "Environments": [
        "smallchange.environments.batch",
        "smallchange.environments.gymnasium_env",
        "smallchange.environments.gymnasium_vector",
        "smallchange.gymnasium",
        "smallchange.pettingzoo",
        "smallchange.openspiel",
        "smallchange.core.observation",
    ],
    "Solving": ["smallchange.tablebase", "smallchange.tablebase.exact", "smallchange.tablebase.make_table"],
    "A server's client": ["smallchange.client"],
    "Writing a game": [
        "smallchange.core.protocols",
        "smallchange.core.state",
        "smallchange.core.lesson",
        "smallchange.core.preset",
        "smallchange.i18n.text",
        "smallchange.render.scene",
        "smallchange.render.reference_sheet",
    ],
}


class Pages:
    """The pages in build/pages, with the place in the repository that each came from."""

    def __init__(self) -> None:
        shutil.rmtree(PAGES, ignore_errors=True)
        self._placed: dict[str, str] = {}  # path in the repository: path among the pages
        self._texts: dict[str, tuple[str, str]] = {}  # path among the pages: text, and where its links start

    def place(self, source: str, page: str, change: Callable[[str], str] = str) -> None:
        """Make a page of a Markdown file of the repository."""
        self._placed[source] = page
        self._texts[page] = change((ROOT / source).read_text(encoding="utf-8")), source

    def write(self, page: str, text: str) -> None:
        """Make a page of a text, whose links are among the pages."""
        self._texts[page] = text, ""

    def copy(self, source: str, page: str) -> None:
        """Place a file that is no page."""
        self._placed[source] = page
        (PAGES / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, PAGES / page)

    def finish(self) -> None:
        """Write all pages, with their links rewritten."""
        for page, (text, source) in self._texts.items():
            file = PAGES / page
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self._with_links(text, source, page) if source else text, encoding="utf-8")

    def _with_links(self, text: str, source: str, page: str) -> str:
        def rewritten(link: re.Match[str]) -> str:
            picture, words, target = link.groups()
            if re.match(r"[a-z]+:|#", target):
                return link[0]
            path, hash, anchor = target.partition("#")
            full = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
            placed = (
                self._placed.get(full)
                or self._placed.get(f"{full}.md")
                or self._placed.get(f"{full}/index.md")
            )
            if placed is None:
                if not (ROOT / full).exists():
                    sys.exit(f"{source} links to {target}, which is not there")
                return words  # a file of the source, which the site does not have
            relative = posixpath.relpath(placed, posixpath.dirname(page) or ".")
            return f"{picture}[{words}]({relative}{hash}{anchor})"

        parts = FENCED.split(text)  # prose and code in turn
        return "".join(LINK.sub(rewritten, part) if i % 2 == 0 else part for i, part in enumerate(parts))


def assemble(site: Path) -> None:
    """Write all pages, and the configuration of MkDocs beside them. `site` is where it will build them."""
    pages = Pages()
    for source, page in MOVED.items():
        pages.place(source, page)
    for file in sorted(DOCS.rglob("*")):
        source = file.relative_to(ROOT).as_posix()
        page = file.relative_to(DOCS).as_posix()
        if file.is_dir():
            continue
        if page == "export.md":
            (PAGES / "match.svg").write_text(animated_svg(short_match()), encoding="utf-8")
            pages.place(source, page, with_film)
        elif file.suffix == ".md":
            pages.place(source, page if page != "pictures/README.md" else "pictures/index.md")
        elif file.suffix == ".ipynb":
            pages.write(page.replace(".ipynb", ".md"), notebook_page(file))
            pages._placed[source] = page.replace(".ipynb", ".md")
        else:
            pages.copy(source, page)
    pages.copy("LICENSE", "LICENSE.txt")
    for id in smallchange.games():
        game_pages(pages, Game(id))
    pages.write("rulings.md", rulings_page())
    if RUNTIME.is_dir():
        pages.write("try.md", TRY)
    pages.write("decisions/index.md", decisions_page())
    pages._placed["docs/decisions"] = "decisions/index.md"
    for title, modules in reference().items():
        pages.write(api_path(title), api_page(title, modules))
    for lang, name in LANGUAGES.items():
        pages.write(f"{lang}/index.md", players_index(lang, name))
    pages.finish()
    (PAGES / "extra.css").write_text(CSS, encoding="utf-8")
    (BUILD / "mkdocs.json").write_text(json.dumps(configuration(site), ensure_ascii=False), encoding="utf-8")


CSS = """\
.md-typeset .picture svg,.md-typeset .output svg{max-width:100%;height:auto}.md-typeset .output{overflow-x:auto}
"""


def game_pages(pages: Pages, game: Game) -> None:
    """Make the pages of a game: its rulebook in every language, with its picture and options in English."""
    source = (game.folder / "rulebook.en.md").relative_to(ROOT).as_posix()
    (PAGES / "games").mkdir(parents=True, exist_ok=True)
    (PAGES / "games" / f"{game.id}.svg").write_text(picture_of(early_position(game)), encoding="utf-8")
    pages.place(
        source, f"games/{game.id}.md", lambda text: f"{with_picture(text, game)}\n{options_table(game)}"
    )
    for lang in LANGUAGES:
        file = game.folder / f"rulebook.{lang}.md"
        if file.is_file():
            pages.place(file.relative_to(ROOT).as_posix(), f"{lang}/{game.id}.md", lambda text: text)


def with_picture(rulebook: str, game: Game) -> str:
    """Put the picture of a game below the title of its rulebook."""
    title, rest = rulebook.split("\n", 1)
    return f'{title}\n\n<p class="picture"><img alt="A position after a few moves" src="{game.id}.svg"></p>\n{rest}'


def with_film(text: str) -> str:
    """Put a moving picture where a page tells of them."""
    film = '<p class="picture"><img alt="A short match as a moving picture" src="match.svg"></p>'
    return text.replace("## Moving pictures\n", f"## Moving pictures\n\n{film}\n", 1)


def short_match() -> Match:
    """Return the beginning of a match of two simple bots, for a moving picture."""
    games = map(smallchange.game, smallchange.games())
    match = Match(next(game for game in games if len(game.seats) == 2 and not game.sources))
    greedy = bots.bot("greedy", luck=Random(7))
    for _ in range(STEPS_OF_FILM):
        if not match.over:
            match.play(greedy(match.position))
    return match


def early_position(game: Game) -> Position:
    """Return a position after a few moves."""
    match = Match(game, bytes(16))
    match.settle()
    for _ in range(MOVES_OF_PICTURE):
        if not match.over:
            match.play(match.position.legal()[0])
            match.settle()
    return match.position


def options_table(game: Game) -> str:
    """Return the options of a game with their defaults, and how to see its odds."""
    words = game.words
    rows = [f"| `{o.name}` | `{value_text(o.default)}` | {words.OPTIONS[o.name].en} |" for o in game.offered]
    lines = [
        "## Every option {#every-option}",
        "",
        "| option | default | |",
        "| --- | --- | --- |",
        *rows,
        "",
    ]
    odds = "[the odds](../../../../docs/odds.md)"
    lines.append(f"How hard each variant is: {odds}. At the prompt: `smallchange play {game.id} --help`.")
    return "\n".join(lines) + "\n"


def value_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).replace("\n", "/")


def rulings_page() -> str:
    """Return the rulings of all games, each under its number."""
    parts = [
        "# Rulings",
        "",
        "Where a rules text is silent, a numbered decision says how the program plays.",
        "",
    ]
    for id in smallchange.games():
        game = Game(id)
        parts += [f"## {game.words.TITLE.en}", ""]
        parts += [re.sub(r"\]\(#", f"](games/{id}.md#", one) for one in rulings(game)] + [""]
    return "\n".join(parts)


def rulings(game: Game) -> list[str]:
    """Return the rulings of a game as items of a list."""
    text = game.rulebook("en")
    starts = [match.start() for match in RULING.finditer(text)]
    items = []
    for start in starts:
        item = text[start:].split("\n- ", 1)[0].split("\n\n", 1)[0]
        items.append(item.rstrip())
    return items


def decisions_page() -> str:
    files = sorted((DOCS / "decisions").glob("0*.md"))
    titles = [
        (file.name, file.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")) for file in files
    ]
    return "\n".join(["# Decisions", "", *(f"- [{title}]({name})" for name, title in titles), ""])


def players_index(lang: str, name: str) -> str:
    """Return the page of the games in a language."""
    rows = []
    for id in smallchange.games():
        words = Game(id).words
        rows.append(f"- [{words.TITLE[lang]}]({id}.md): {words.TAGLINE[lang]}")
    return "\n".join(
        [
            f"# Small Change · {name}",
            "",
            "```",
            f"smallchange serve\nsmallchange tui GAME --lang {lang}",
            "```",
            "",
            *rows,
            "",
        ]
    )


def reference() -> dict[str, list[str]]:
    """Return the modules of the reference by the titles of its pages."""
    return API


def api_path(title: str) -> str:
    return f"api/{re.sub(r'[^a-z]+', '-', title.lower())}.md"


def api_page(title: str, modules: list[str]) -> str:
    return "\n".join([f"# {title}", "", *(f"::: {module}\n" for module in modules)])


def notebook_page(file: Path) -> str:
    """Return a notebook with its outputs as a page."""
    parts = []
    for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            rich = "".join(data.get("text/html") or data.get("image/svg+xml") or [])
            plain = "".join(output.get("text") or data.get("text/plain") or [])
            parts.append(f'<div class="output">{rich}</div>' if rich else f"```text\n{plain.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def pages_in(folder: str) -> list[str]:
    """Return the pages in a folder: its index first, then those that are of no game."""
    names = [file.relative_to(PAGES).as_posix() for file in (PAGES / folder).glob("*.md")]
    of_games = smallchange.games()
    return sorted(names, key=lambda name: (Path(name).stem != "index", Path(name).stem in of_games, name))


def navigation() -> list[Any]:
    """Return the order of the pages."""
    games = [{Game(id).words.TITLE.en: f"games/{id}.md"} for id in smallchange.games()]
    others = [{name: pages_in(lang)} for lang, name in LANGUAGES.items()]
    notebooks = [f"notebooks/{file.stem}.md" for file in sorted((DOCS / "notebooks").glob("*.ipynb"))]
    architecture = [f"architecture/{file.name}" for file in sorted((DOCS / "architecture").glob("*.md"))]
    decisions = [f"decisions/{file.name}" for file in sorted((DOCS / "decisions").glob("*.md"))]
    players: list[Any] = [{"Games": games}, "rulings.md", *others]
    names = [api_path(title) for title in reference()]
    chosen: list[Any] = [
        {"Start": ["index.md", "how-to.md"]},
        {
            "Play": [
                *(["try.md"] if RUNTIME.is_dir() else []),
                "first-steps/player.md", "static.md", "terminal.md", "export.md", "pictures/index.md", *players,
            ]
        },
        {
            "Measure": [
                "first-steps/designer.md", "odds.md", "calibration.md", "trainer.md", "laboratory.md",
                "dodgem-solved.md", "ur-solved.md", *notebooks,
            ]
        },
        {
            "Program": [
                "first-steps/programmer.md", "first-steps/researcher.md", "python.md", "environments.md", "bots.md",
                "cli.md",
                {"Reference": names},
            ]
        },
        {"Serve": ["serve.md", "scale.md", "security.md", "protocol.md"]},
        {
            "Develop": [
                "contributing.md", "add-a-language.md", {"Architecture": ["architecture.md", *architecture]},
                "hot-path.md", "glossary.md", "style.md", {"Decisions": ["decisions/index.md", *decisions]},
                "release.md", "changelog.md",
            ]
        },
    ]  # fmt: skip
    return chosen + others_not_in(chosen)


def others_not_in(chosen: list[Any]) -> list[Any]:
    """Return the pages that have no place in the order, under one heading."""
    text = json.dumps(chosen)
    pages = sorted(file.relative_to(PAGES).as_posix() for file in PAGES.rglob("*.md"))
    rest = [page for page in pages if f'"{page}"' not in text]
    return [{"More": rest}] if rest else []


def configuration(site: Path) -> dict[str, Any]:
    """Return the configuration of MkDocs. Nothing is fetched from elsewhere when the site is read."""
    return {
        "site_name": "Small Change",
        "docs_dir": str(PAGES),
        "site_dir": str(site),
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "font": False,
            "features": ["navigation.tabs", "navigation.indexes", "navigation.top", "content.code.copy"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "brown"},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "brown"},
            ],
        },
        "extra_css": ["extra.css"],
        "markdown_extensions": ["attr_list", "tables", "md_in_html", "sane_lists", {"toc": {"permalink": True}},
                                "pymdownx.superfences", {"pymdownx.highlight": {"use_pygments": True}}],
        "validation": {
            "nav": {"omitted_files": "warn"},
            "links": {"not_found": "warn", "absolute_links": "warn", "anchors": "warn"},
        },
        "plugins": [
            "search",
            {
                "mkdocstrings": {
                    "handlers": {
                        "python": {
                            "paths": [str(ROOT / "src")],
                            "options": {
                                "show_source": False,
                                "show_root_heading": True,
                                "show_root_full_path": True,
                                "heading_level": 2,
                                "members_order": "source",
                                "filters": ["!^_", "^__init__$"],
                                "merge_init_into_class": True,
                                "show_signature_annotations": True,
                                "separate_signature": True,
                                "allow_inspection": False,
                            },
                        }
                    }
                }
            },
        ],
        "nav": navigation(),
    }  # fmt: skip


def build_pages(site: Path) -> None:
    """Build all pages but the one to try the games on. End the process where MkDocs warns."""
    assemble(site)
    config = ["--config-file", str(BUILD / "mkdocs.json")]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "NO_MKDOCS_2_WARNING": "true"}
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", *config]
    done = subprocess.run(build, env=environment, stderr=subprocess.PIPE, text=True)
    sys.stderr.write(done.stderr)
    if done.returncode or "WARNING" in done.stderr:
        sys.exit(done.returncode or 1)


def main(arguments: list[str]) -> None:
    site = Path(arguments[arguments.index("--out") + 1]).resolve() if "--out" in arguments else SITE
    build_pages(site)
    if RUNTIME.is_dir():
        build_folder(site / "try-it", RUNTIME)
    print(f"{site}: {len(list(site.rglob('*.html')))} pages")
    if "--serve" in arguments:
        serve = [sys.executable, "-m", "http.server", "8000", "--bind", "127.0.0.1", "-d", str(site)]
        subprocess.run(serve)


if __name__ == "__main__":
    main(sys.argv[1:])
