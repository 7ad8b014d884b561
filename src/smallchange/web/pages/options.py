"""The form that opens a table: who plays, and the options of the game with the base game chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping

from markupsafe import Markup

from smallchange import mind
from smallchange.draw.svg import board_svg
from smallchange.draw.words import capital
from smallchange.errors import BadOption
from smallchange.game import Game
from smallchange.match import Match
from smallchange.mind.levels import Level, about, pace, percent, strength, title
from smallchange.options import Drawing, Flag, OneOf, Option, Value, Whole
from smallchange.text import Text, listed, plain
from smallchange.web.view import Visit

from . import phrases as p
from .frame import escape, page
from .measured import Played, best

DRAWN = ".drawn"  # after the name of an option: the field for a drawing of one's own
HYPHENED = re.compile(r"(?<= )[a-z-]*-[a-z-]+")
FEW = 4  # the most choices shown side by side


def new(game: Game, visit: Visit, given: Mapping[str, str]) -> str:
    """The page of a game's options. `given` are the fields so far: posted and refused, or asked to be
    shown as a picture."""
    try:
        variant, wrong = Game(game.id, chosen(game, given)), None
    except BadOption as found:
        variant, wrong = game, found
    picture, caption = ("", p.PICTURE) if wrong else _picture(variant, visit.lang)
    return page(
        "new.html",
        visit,
        p.OPTIONS_OF.fill(game=game.words.TITLE),
        game=game,
        fields=[_field(game, option, given) | {"fault": _fault(option, wrong)} for option in game.offered],
        bots=[_about(game, mind.level(name, game)) for name in mind.names(game)],
        seats=[_seat(game, i, given) for i in range(len(game.seats))],
        given={name: given.get(name, "") for name in ("name", "words", "open")},
        picture=picture,
        caption=caption,
        said=plain("") if wrong else varied(game.id, variant.chosen) or p.THE_BASE,
        measured=not mind.lacking(),
    )


def difficulty(game: Game, played: Played, visit: Visit, query: str) -> str:
    """How simple players do with these options, and the best bot where that was measured; `query` has the
    options, as the form sends them."""
    told = [(_won(game, played, p.SIMPLE), _whole(played.command))]
    if found := best(game):
        told.append((_won(game, found, p.BEST), _whole(found.command)))
    options = varied(game.id, game.chosen) or p.THE_BASE
    return page("difficulty.html", visit, p.HOW_HARD, game=game, options=options, told=told, query=query)


def _whole(command: str) -> Markup:
    """A command, of which no option or name breaks at its hyphen."""
    return Markup(HYPHENED.sub(r'<span class="named">\g<0></span>', escape(command)))


def _won(game: Game, played: Played, who: tuple[Text, Text]) -> Text:
    """How often a player won, or each of two that are alike."""
    one, two = who
    (first, rate), *others = played.rates.items()
    share, low, high = (percent(share, rate.p, fine=1) for share in (rate.p, rate.low, rate.high))
    figures = {"n": f"{played.n:,}", "share": share, "low": low, "high": high}
    for second, other in others:
        names = {"first": game.words.PLAYERS[first], "second": game.words.PLAYERS[second]}
        said = p.WON_EACH.fill(who=two, **figures, **names, other=percent(other.p, fine=1))
        return said + p.REST_DRAWN if round(played.n * (1 - rate.p - other.p)) else said
    return capital(p.WON.fill(who=one, **figures))


def chosen(game: Game, given: Mapping[str, str]) -> dict[str, object]:
    """The options that these fields of the form mean: empty ones have their defaults, but not a number, for a
    browser sends nothing where it cannot read what was typed."""
    options: dict[str, object] = {}
    filled = any(option.name in given for option in game.offered)
    for option in game.offered:
        text = given.get(option.name + DRAWN, "").replace("\r\n", "\n").strip("\n") or given.get(
            option.name, ""
        )
        if filled and not text and isinstance(option, Flag):
            text = "false"  # a box without a tick is not sent
        if text or (isinstance(option, Whole) and option.name in given):
            options[option.name] = option.parse(text)
    return options


def varied(id: str, options: Mapping[str, Value]) -> Text | None:
    """The options that differ from their defaults, in words; None for the base game."""
    if not options:
        return None
    words = Game(id).words
    chosen = []
    for name, value in options.items():
        if isinstance(value, bool):
            said = words.OPTIONS[name] if value else p.OPTION.fill(name=words.OPTIONS[name], value=p.WITHOUT)
        else:
            drawn = plain(str(value)) if isinstance(value, int) else p.BY_HAND
            said = p.OPTION.fill(name=words.OPTIONS[name], value=words.CHOICES.get(value, drawn))
        chosen.append(said)
    return p.VARIANTS.fill(options=listed(chosen, "; "))


def fault(game: Game, wrong: BadOption) -> Text:
    """What is wrong with an option, which is called as it is on the form."""
    return (
        p.FAULT.fill(option=game.words.OPTIONS[wrong.option], why=wrong.why)
        if wrong.why
        else plain(str(wrong))
    )


def _fault(option: Option, wrong: BadOption | None) -> Text | None:
    """What is wrong with this option, in its place on the form."""
    return (
        p.FAULT_HERE.fill(why=capital(wrong.why))
        if wrong and wrong.why and wrong.option == option.name
        else None
    )


def _picture(game: Game, lang: str) -> tuple[str, Text]:
    """How a game with these options begins, with some luck, and what that is called."""
    match = Match(game, bytes(16))
    bare = _board(match, lang)
    match.settle()
    begun = _board(match, lang)
    return begun, p.PICTURE if begun == bare else p.EXAMPLE


def _board(match: Match, lang: str) -> str:
    table = match.game.face.table(match.game.board, match.position.s)
    return board_svg(table.areas[0], table, lang)


def _field(game: Game, option: Option, given: Mapping[str, str]) -> dict[str, object]:
    """What the template needs of an option: its kind, its words, its value, its choices."""
    words, value = game.words, given.get(option.name) or str(option.default)
    made: dict[str, object] = {"name": option.name, "label": words.OPTIONS[option.name], "value": value}
    if isinstance(option, Flag):
        return made | {"kind": "flag", "on": value.lower() == "true"}
    if isinstance(option, Whole):
        bounds = p.FROM_TO.fill(low=option.low, high=option.high)
        made["value"] = given.get(option.name, option.default)
        return made | {"kind": "whole", "low": option.low, "high": option.high, "bounds": bounds}
    names: list[tuple[str, Text]] = [(name, words.CHOICES.get(name, plain(name))) for name in option.names]
    few = len(names) <= FEW and isinstance(option, OneOf)
    made |= {"kind": "few" if few else "many", "choices": names, "drawn": isinstance(option, Drawing)}
    made["example"] = option.example.strip("\n") if isinstance(option, Drawing) else ""
    return made | {"drawing": given.get(option.name + DRAWN, "" if value in option.names else value)}


def _seat(game: Game, i: int, given: Mapping[str, str]) -> dict[str, object]:
    player = game.seats[i]
    who = given.get(f"seat.{player}", "me" if i == 0 else "open")
    bots = [(f"bot:{name}", _bot(game, mind.level(name, game))) for name in mind.names(game)]
    choices = [("me", p.ME), ("open", p.OPEN_SEAT), *bots]
    return {"player": player, "title": game.words.PLAYERS[player], "who": who, "choices": choices}


def _bot(game: Game, level: Level) -> Text:
    """A bot as a choice: what it is called and how strong it is, or what it lacks here."""
    said = level.lacks or strength(level, game.version)
    return p.BOT.fill(title=title(level.name), strength=said)


def _about(game: Game, level: Level) -> tuple[Text, Text, Text]:
    """What a bot is called, how it finds its moves, and how strong and quick it is."""
    figures = [strength(level, game.version), pace(level)]
    return title(level.name), about(level), listed([text for text in figures if text], "; ")
