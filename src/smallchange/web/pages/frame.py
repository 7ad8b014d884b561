"""What all pages share: the templates, the shell around a page, and small parts of markup."""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape as escaped

from jinja2 import Environment, PackageLoader, StrictUndefined

from smallchange.draw.shapes import defs
from smallchange.game import Game
from smallchange.text import Text
from smallchange.web.view import Visit

from . import phrases


@lru_cache(maxsize=8192)
def escape(text: str) -> str:
    """As markup: mostly the same few phrases."""
    return escaped(text)


PREVIEW = "preview.png"  # in a game's folder, drawn by `python -m smallchange.web.pages.previews`


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    for name in made.list_templates():  # so that none has to be opened when no more files can be
        made.get_template(name)
    return made


def page(template: str, visit: Visit, title: Text, **parts: object) -> str:
    """A whole page. In templates `say(text)` is the text in the visitor's language, `p` are the phrases."""

    def say(text: Text, **filled: Text | str | int) -> str:
        return text.fill(**filled)[visit.lang] if filled else text[visit.lang]

    made = _templates().get_template(template)
    about = _about(parts.get("game"))
    return made.render(visit=visit, title=title, say=say, p=phrases, defs=defs(), about=about, **parts)


def _about(game: object) -> dict[str, object]:
    """What a link to a page tells in a messenger: of a game, never of a table."""
    if not isinstance(game, Game):
        return {"said": phrases.INTRO, "picture": ""}
    drawn = (game.folder / PREVIEW).exists()
    return {"said": game.words.TAGLINE, "picture": f"/games/{game.id}/{PREVIEW}" if drawn else ""}


@lru_cache(maxsize=4096)
def button(match: str, deed: str, label: str, more: str = "", look: str = "") -> str:
    """A button of the page's one form, which posts a deed of this table. `more` is markup."""
    look = f"btn {look}".strip()
    return (
        f'<button class="{look}" form="deed" formaction="/m/{match}/{deed}" {more}>{escape(label)}</button>'
    )


def section(id: str, label: str, inside: str, more: str = "") -> str:
    """A named part of a page. `inside` and `more` are markup."""
    return f'<section id="{id}" aria-label="{escape(label)}" {more}>{inside}</section>'


@lru_cache(maxsize=4096)
def copier(path: str, lang: str, look: str = "") -> str:
    """A button that copies a link to a page of ours, for browsers with script."""
    done = escape(phrases.COPIED[lang])
    return (
        f'<button type="button" class="{f"btn copy {look}".strip()}" data-copy="{path}" data-done="{done}">'
        f"{escape(phrases.COPY[lang])}</button>"
    )
