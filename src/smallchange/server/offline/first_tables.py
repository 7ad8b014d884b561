"""Tables that lie in the folder: a board at once, and the answer to each first move, before Python has come.

Their deals are the same for everybody who has the folder, so they are neither a deal of the day nor counted anywhere.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from smallchange.core.game import Game, games
from smallchange.i18n.text import LANGUAGES
from smallchange.server.meeting.lobby import start_board
from smallchange.server.offline.site import Site, warm_up
from smallchange.server.offline.tables import Kept, new_match
from smallchange.server.table.view.options import gentle_seats
from smallchange.server.web.frame import templates

ID = "0000f125f125f125"  # of every such table; the page gives it an id of its own (`offline_shell.js`)
DEALS = 3  # for each form
FOLDER, INDEX = "first", "first.json"
PAGES = "pages"


class Drawn(NamedTuple):
    """The names of the modules and templates that all pages need, and these pages, which link sheets and scripts."""

    modules: list[str]
    templates: list[str]
    pages: list[str]


class FirstTables(NamedTuple):
    """The tables for a form of the first page: its path, its fields, and the names of the files."""

    path: str
    fields: Mapping[str, str]
    files: list[str]


def draw(folder: Path) -> Drawn:
    """Draw the pages and tables, and say what that took."""
    site = Site({}, lambda: 0)
    paths = ["/", *(f"/{kind}/{id}" for kind in ("games", "learn", "rules") for id in games())]
    pages = []
    for lang in LANGUAGES:
        for path in paths:
            pages.append(json.loads(site.respond("GET", path, {}, {"lang": lang}))["html"])
            file = folder / PAGES / lang / f"{path[1:].replace('/', '-') or 'lobby'}.packed"
            _write_packed(file, pages[-1])
    draw_first_tables(folder)
    pages += warm_up()
    modules = [name for name, module in sys.modules.items() if getattr(module, "__file__", None)]
    return Drawn(sorted(modules), sorted(name for _, name in templates().cache or ()), pages)


def _write_packed(file: Path, text: str) -> None:
    """Write a text that a page unpacks: many hosts compress nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


def draw_first_tables(folder: Path) -> None:
    """Write the tables in each language, and the list of them."""
    listed = []
    for number, (game, fields) in enumerate(forms()):
        names = []
        for i, kept in enumerate(deals(game, fields)):
            names.append(f"{game.id}-{number}-{i}")
            for lang in LANGUAGES:
                file = folder / FOLDER / lang / f"{names[-1]}.packed"
                _write_packed(file, json.dumps(draw_table(kept, lang)))
        listed.append(FirstTables(f"/games/{game.id}", fields, names)._asdict())
    (folder / INDEX).write_text(json.dumps(listed), encoding="utf-8")


def draw_table(kept: Kept, lang: str) -> dict[str, object]:
    """Return the page of a table and its kept text; by first move the messages that answer it and the text after it."""
    site, text = Site({}, lambda: kept.at), json.dumps(kept)
    site.adopt(ID, text)
    html = json.loads(site.respond("GET", f"/m/{ID}", {}, {"lang": lang}))["html"]
    match = site.table(ID).match
    answers = {}
    for token in match.position.legal():
        site.adopt(ID, text)
        seen = json.loads(site.answer(ID, json.dumps({"is": "watch", "match": ID, "ply": -1}), lang))
        move = {"is": "act", "match": ID, "ply": seen["ply"], "move": "first-move", "token": token}
        messages = [site.answer(ID, json.dumps(move), lang)]
        while moved := site.bot_move(ID, lang):
            messages.append(moved)
        answers[token] = {"messages": messages, "kept": json.loads(site.take_unsaved())[ID]}
    return {"html": html, "kept": text, "answers": answers}


def forms() -> Iterator[tuple[Game, dict[str, str]]]:
    """Yield the forms of the first page that open a table, as `lobby.html` has them."""
    for game in map(Game, games()):
        seats = {f"seat.{seat}": who for seat, who in gentle_seats(game).items()}
        yield game, seats | ({"toss": "1"} if len(seats) > 1 else {})
    board = start_board(LANGUAGES[0])
    if board is not None:
        short = board["game"]
        assert isinstance(short, Game)
        seats = {f"seat.{seat}": who for seat, who in gentle_seats(short).items()}
        options = {name: str(value) for name, value in short.non_default_options.items()}
        for token in short.start().legal():
            yield short, options | seats | {"first": token}


def deals(game: Game, fields: Mapping[str, str]) -> Iterator[Kept]:
    """Yield tables for a form that wait for their player: both seats in turn where the form tosses for them."""
    found, tried = 0, 0
    while found < (1 if "first" in fields else DEALS):
        secret = hashlib.sha256(f"Small Change first {game.id} {tried}".encode()).digest()
        sitters = [fields[f"seat.{player}"] for player in game.seats]
        if "toss" in fields and found % 2:
            sitters.reverse()
        bots = {
            player: sitter.removeprefix("bot:")
            for player, sitter in zip(game.seats, sitters, strict=True)
            if sitter != "me"
        }
        site = Site({}, lambda: 0)
        site.adopt(ID, json.dumps(new_match(game, bots, 0, secret, first=fields.get("first", ""))))
        while site.bot_move(ID, LANGUAGES[0]):
            pass
        kept = site.table(ID).to_keep(0)
        tried += 1
        if not kept.is_over:
            found += 1
            yield kept


if __name__ == "__main__":  # as `folder.py` runs it
    print(json.dumps(draw(Path(sys.argv[1]))))
