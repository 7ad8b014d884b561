"""The parts that all pages share: templates, the frame of a page, paths, and small pieces of markup."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from html import escape as escaped
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemBytecodeCache, FunctionLoader, ModuleLoader, StrictUndefined
from jinja2.bccache import Bucket

from smallchange.core.data_folder import cache_place
from smallchange.core.game import Game
from smallchange.core.options import Value
from smallchange.i18n.catalogues import own_name
from smallchange.i18n.text import LANGUAGES, Plural, Text, capital
from smallchange.render.shapes import defs
from smallchange.server.web import phrases


@dataclass(frozen=True, slots=True)
class PageContext:
    """The visitor of a page, and the address of the page.

    `path` is the page's own path; `name` the name used last; `move`
    a fresh id for the next move; `pick` the pieces picked so far, for play without JavaScript (/m/ID?pick=PIECE);
    `wrong` the refusal of the last form; `hint` a hint that a form asked for, and `next_hint` its next step.
    `local`: the address is this computer's own, which nobody else can open. `account` is the name of the account
    that is signed in.
    `documented`: the documentation is served under /docs. `preferences` are those of `view.py`.
    `unread` is the number of unread notifications. `tournament` is the id and the name of that of the table.
    `tip` is markup, for a player after the match, and `best` compares it with the player's others. `offline`: the page
    is drawn in the browser, on no server; `home` is then the path of the server that offers to play so, "" for none.
    `notices` are for everybody.
    """

    lang: str
    path: str
    name: str = ""
    move: str = ""
    pick: tuple[str, ...] = ()
    wrong: Text | None = None
    theme: str = ""
    hint: Text | None = None
    next_hint: str = ""
    local: bool = False
    origin: str = ""
    account: str = ""
    documented: bool = False
    preferences: Mapping[str, str] = field(default_factory=dict)
    unread: int = 0
    tournament: tuple[str, str] | None = None
    tip: str = ""
    best: Text | None = None
    offline: bool = False
    home: str = ""
    notices: tuple[Text, ...] = ()


@lru_cache(maxsize=8192)
def escape(text: str) -> str:
    """Escape text for markup. Cached, because most texts are the same few phrases."""
    return escaped(text)


PREVIEW_FILE = (
    "preview.png"  # in a game's folder, drawn by `python -m smallchange.server.table.view.previews`
)


_phrase = cache(Text)


class _KeptTemplates(FileSystemBytecodeCache):
    """Templates compiled to Python, in the cache folder of the user as far as it can be read and written."""

    def __init__(self) -> None:
        folder = cache_place() / "templates"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        super().__init__(str(folder))

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


COMPILED = Path(__file__).with_name("compiled_templates")  # where a folder for the browser has them as Python


@cache
def templates() -> Environment:
    """Return the templates. Files are read at once, as later the limit of open files may be reached."""
    files = Path(__file__).parents[1].glob("*/templates/*.html")
    sources = {file.name: (file.read_text(encoding="utf-8"), str(file), None) for file in files}
    made = Environment(
        loader=ModuleLoader(COMPILED) if COMPILED.is_dir() else FunctionLoader(sources.get),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=None if sys.platform == "emscripten" else _KeptTemplates(),
    )
    made.globals |= {"capital": capital, "Text": _phrase, "Plural": cache(Plural)}
    made.globals["languages"] = {lang: own_name(lang) for lang in LANGUAGES}
    return made


def render_page(template: str, visit: PageContext, title: Text, **parts: object) -> str:
    """Render a whole page. In templates, `say` says a phrase in the visitor's language.

    A phrase of one template stands there: `say("..")`, or `Text` and `Plural`; `p` has those of several places.
    """

    def say(text: Text | str, **filled: Text | str | int) -> str:
        said = _phrase(text) if isinstance(text, str) else text
        return said.fill(**filled)[visit.lang] if filled else said[visit.lang]

    made = templates().get_template(template)
    about = _link_preview(parts.get("game"))
    return made.render(visit=visit, title=title, say=say, p=phrases, defs=defs(), about=about, **parts)


def _link_preview(game: object) -> dict[str, object]:
    """Return the description and picture of a link for messengers: of the game, never of the table."""
    if not isinstance(game, Game):
        return {"said": phrases.INTRO, "picture": ""}
    drawn = (game.folder / PREVIEW_FILE).exists()
    return {"said": game.words.TAGLINE, "picture": f"/games/{game.id}/{PREVIEW_FILE}" if drawn else ""}


@lru_cache(maxsize=4096)
def command_button(match: str, command: str, label: str, more: str = "", look: str = "") -> str:
    """Return a button of the page's one form that posts a command of this table. `more` is markup."""
    look = f"btn {look}".strip()
    to = f'form="command-form" formaction="/m/{match}/{command}"'
    return f'<button class="{look}" {to} {more}>{escape(label)}</button>'


def section(id: str, label: str, inside: str, more: str = "") -> str:
    """Return a named part of a page. `inside` and `more` are markup."""
    return f'<section id="{id}" aria-label="{escape(label)}" {more}>{inside}</section>'


@lru_cache(maxsize=4096)
def copy_button(path: str, lang: str, look: str = "") -> str:
    """Return a button that copies a link to a page of this site, for browsers with script."""
    done = escape(phrases.COPIED[lang])
    return (
        f'<button type="button" class="{f"btn copy {look}".strip()}" data-copy="{path}" data-done="{done}">'
        f"{escape(phrases.COPY[lang])}</button>"
    )


def field_text(value: Value) -> str:
    """Return the text of an option's value in its field of the form."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def whole_number(text: str) -> int | None:
    """Return the whole number in a text, of six digits at most (MAX_PLY); None for any other text."""
    return int(text) if re.fullmatch("[0-9]{1,6}", text) else None


def analysis_path(match: str, at: int, line: Sequence[str] = (), pick: Sequence[str] = ()) -> str:
    """Return the path of the analysis board: after `at` steps of a match and these tokens, some pieces being picked."""
    tokens = [("line", " ".join(line))] if line else []
    return f"/m/{match}/analysis?" + urlencode([("at", str(at)), *tokens, *(("pick", id) for id in pick)])


def ahead_path(match: str, after: Sequence[str] = ()) -> str:
    """Return the path of the page on which moves are planned, for when these tokens have been played."""
    return f"/m/{match}/ahead" + (f"?{urlencode([('after', token) for token in after])}" if after else "")


def explorer_path(game: Game, line: Sequence[str] = (), pick: Sequence[str] = ()) -> str:
    """Return the path of the explorer's page after these tokens, some pieces of the next move being picked."""
    options = [(name, field_text(value)) for name, value in game.non_default_options.items()]
    query = urlencode(
        [*options, *([("line", " ".join(line))] if line else []), *(("pick", id) for id in pick)]
    )
    return f"/games/{game.id}/solved" + (f"?{query}" if query else "")
