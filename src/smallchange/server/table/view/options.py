"""The form that opens a table: the seats, the gentle bot, the options; and the page on which a board is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from urllib.parse import urlencode

from markupsafe import Markup

from smallchange import bots as mind
from smallchange.bots.deals import EASY, HARD, MEDIUM
from smallchange.bots.deals import bands as deal_bands
from smallchange.bots.levels import (
    LEVELS,
    Level,
    description,
    is_explorable,
    load_bots,
    percentage,
    title,
)
from smallchange.core.errors import BadOption
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.core.options import Drawing, Flag, OneOf, Option, Value, Whole, option_text
from smallchange.core.preset import Preset
from smallchange.core.puzzle import has_puzzles
from smallchange.core.variants import idle_cause, idle_options, without_idle_options
from smallchange.i18n.text import SEMICOLON, Text, capital, join_texts, plain
from smallchange.render.svg import board_svg
from smallchange.server.table.model.clock import PRESETS
from smallchange.server.table.model.outcome import MIN_COUNTED_MOVES
from smallchange.server.table.view.board_pictures import opening_board
from smallchange.server.table.view.measured_odds import (
    BEGINNERS,
    STRONG_PLAYERS,
    WinRates,
    best_bot_rates,
    odds_words,
)
from smallchange.server.table.view.seats import FACES, Face
from smallchange.server.table.view.table_view import control_text
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, explorer_path, field_text, render_page

DEAL_WORDS = {EASY: p.EASY_DEAL, MEDIUM: p.MEDIUM_DEAL, HARD: p.HARD_DEAL}
FALLBACK_BOT = "random"  # where levels cannot play
OWN_TIME_FIELD = "time.own"
DRAWING_SUFFIX = ".drawn"  # after the name of an option: the field for a drawing of one's own
MAX_RADIO_BUTTONS = 4  # the most choices shown side by side


def gentle_bot(game: Game) -> str:
    """Return the name of the bot in the other seat of a quick start."""
    names = mind.names(game)
    return next(
        (level for level in LEVELS if level in names and not mind.level(level, game).install_advice),
        FALLBACK_BOT,
    )


def gentle_seats(game: Game) -> dict[str, str]:
    """Return the seats of a quick start: the visitor first, then the gentle bot."""
    bot = f"bot:{gentle_bot(game)}" if len(game.seats) > 1 else ""
    return {seat: "me" if i == 0 else bot for i, seat in enumerate(game.seats)}


def options_page(game: Game, visit: PageContext, given: Mapping[str, str]) -> str:
    """Return the page of a game's options.

    `given` are the fields so far: of a form that was refused, or of one to be shown as a picture.
    """
    try:
        variant, wrong = Game(game.id, parse_options(game, given)), None
    except BadOption as found:
        variant, wrong = game, found
    picture, caption = ("", p.PICTURE) if wrong else opening_picture(variant, visit.lang)
    return render_page(
        "new.html",
        visit,
        p.OPTIONS_OF.fill(game=game.words.TITLE),
        game=game,
        presets=_preset_cards(game, _presets(game), variant if not wrong else None, visit.lang),
        designed=_preset_cards(game, _designed_presets(game), variant if not wrong else None, visit.lang),
        folded=not wrong and _is_offered(game, variant),
        fields=[
            field_values(game, option, given) | {"fault": field_fault(option, wrong)}
            for option in game.offered
        ],
        trained=has_puzzles(game.id),
        explore=explorer_path(variant) if not (wrong or visit.offline) and is_explorable(game) else "",
        bots=[_bot_description(level) for level in load_bots(game).values()],
        seats=[_seat_choices(game, i, given, visit) for i in range(len(game.seats))],
        faces=[] if visit.offline or len(game.seats) == 1 else _faces(game, visit),
        given={
            name: given.get(name, "")
            for name in ("name", "words", "open", "time", "toss", "rated", "difficulty")
        },
        difficulties=[] if visit.offline else _deal_choices(variant),
        no_deals=len(game.seats) == 1
        and not visit.offline
        and not mind.install_advice()
        and deal_bands(variant) is None,
        times=[("", p.NO_CLOCK), *((str(control), control_text(control)) for control in PRESETS)],
        least_moves=MIN_COUNTED_MOVES,
        own_time=given.get(OWN_TIME_FIELD, ""),
        picture=picture,
        caption=caption,
        said=plain("") if wrong else describe_options(game.id, variant.non_default_options) or p.THE_BASE,
        measured=visit.offline or not mind.install_advice(),
    )


def _deal_choices(game: Game) -> list[tuple[str, Text]]:
    """Return the difficulties of a deal as choices, with the best bot's odds; [] where there is no choice."""
    found = None if mind.install_advice() else deal_bands(game)
    if found is None:
        return []
    shares = {name: percentage(found.mean[name]) for name in DEAL_WORDS}
    named = [
        (name, capital(p.DEAL_CHOICE.fill(difficulty=DEAL_WORDS[name], share=shares[name])))
        for name in DEAL_WORDS
    ]
    return [("", capital(p.ANY_DEAL)), *named]


def _is_offered(game: Game, variant: Game) -> bool:
    """Return whether a card stands for this variant, so that its options need not be shown."""
    cards = [*_presets(game), *_designed_presets(game)]
    return any(Game(game.id, preset.options) == without_idle_options(variant) for preset in cards)


def _presets(game: Game) -> Sequence[Preset]:
    return game.presets.PRESETS if game.presets else ()


def _designed_presets(game: Game) -> Sequence[Preset]:
    """Return the presets of boards that a search found."""
    return getattr(game.presets, "DESIGNED", ())


def _preset_cards(
    game: Game, presets: Sequence[Preset], chosen: Game | None, lang: str
) -> list[dict[str, object]]:
    """Return the cards of presets: title, picture, note, measured odds, and fields."""
    return [
        {
            "title": preset.title,
            "said": capital(_option_words(game.id, preset.options)),
            "art": Markup(opening_board(game.id, tuple(preset.options.items()), lang)),
            "odds": short_odds(Game(game.id, preset.options)),
            "note": preset.note,
            "query": urlencode({name: field_text(value) for name, value in _all_options(game, preset)}),
            "current": chosen is not None and Game(game.id, preset.options) == without_idle_options(chosen),
        }
        for preset in presets
    ]


def _option_words(id: str, options: Mapping[str, Value]) -> Text:
    """Describe these options, or say that the game is as in the rulebook."""
    return _chosen_words(id, options) if options else p.AS_IN_RULEBOOK


def _all_options(game: Game, preset: Preset) -> Iterable[tuple[str, Value]]:
    return Game(game.id, preset.options).options.items()


def chosen_words(game: Game) -> Text:
    """Describe the options that differ from their defaults, or say that it is the game as in the rulebook."""
    return _option_words(game.id, game.non_default_options)


def short_odds(game: Game) -> Text | None:
    """Say how often the best bot wins with these options; None where that was not measured."""
    found = best_bot_rates(game)
    return odds_words(game, found, STRONG_PLAYERS) if found else None


def difficulty_page(game: Game, played: WinRates | None, visit: PageContext, query: str) -> str:
    """Return the page that says how often beginners win with these options, and strong players if that was measured.

    `played` is None while the games are being played. `query` has the options as the form sends them.
    """
    said = [odds_words(game, played, BEGINNERS), short_odds(game)] if played else [p.BEING_PLAYED]
    options = describe_options(game.id, game.non_default_options) or p.THE_BASE
    return render_page(
        "difficulty.html",
        visit,
        p.HOW_HARD,
        game=game,
        options=options,
        said=[text for text in said if text],
        waits=played is None,
        query=query,
    )


def _faces(game: Game, visit: PageContext) -> list[Face]:
    """Return the faces of the bots that may be chosen."""
    return [face for face in FACES if face.level in load_bots(game)]


def deal_page(game: Game, waited_s: int, visit: PageContext) -> str:
    """Return the page that says that a deal is looked for, and for how long already."""
    return render_page("deal.html", visit, p.DEAL_SEARCH, game=game, waited_s=waited_s)


def parse_options(game: Game, given: Mapping[str, str]) -> dict[str, object]:
    """Return the options that the fields of the form stand for.

    An empty field means the default, but not for a number: browsers send nothing for a number that they
    cannot read.
    """
    options: dict[str, object] = {}
    filled = any(option.name in given for option in game.offered)
    for option in game.offered:
        text = given.get(option.name + DRAWING_SUFFIX, "").replace("\r\n", "\n").strip("\n") or given.get(
            option.name, ""
        )
        if filled and not text and isinstance(option, Flag):
            text = "false"  # a box without a tick is not sent
        if text or (isinstance(option, Whole) and option.name in given):
            options[option.name] = option.parse(text)
    return options


def describe_options(id: str, options: Mapping[str, Value]) -> Text | None:
    """Describe the options that differ from their defaults; None for the base game."""
    return _options_text(id, tuple(options.items())) if options else None


@lru_cache(maxsize=1024)
def _options_text(id: str, options: tuple[tuple[str, Value], ...]) -> Text:
    """Return the description of options. It is cached: every page of a table has it, and games take time to make."""
    return p.VARIANTS.fill(options=_chosen_words(id, dict(options)))


def _chosen_words(id: str, options: Mapping[str, Value]) -> Text:
    words = Game(id).words
    idle = idle_options(Game(id, options))
    chosen = []
    for name, value in options.items():
        sentence = option_text(words, name, value, p.BY_HAND)
        chosen.append(_idle_words(Game(id, options), name, sentence) if name in idle else sentence)
    return join_texts(chosen, SEMICOLON)


def _idle_words(game: Game, name: str, sentence: Text) -> Text:
    """Say of an option that it has no effect, and why."""
    cause = idle_cause(game, name)
    if cause is None:
        return p.NO_EFFECT.fill(option=sentence)
    return p.NO_EFFECT_WITH.fill(option=sentence, other=_chosen_words(game.id, {cause: game.options[cause]}))


def describe_bad_option(game: Game, wrong: BadOption) -> Text:
    """Say what is wrong with an option, by the name that it has on the form."""
    return (
        p.FAULT.fill(option=game.words.OPTIONS[wrong.option], why=wrong.why)
        if wrong.why
        else plain(str(wrong))
    )


def field_fault(option: Option, wrong: BadOption | None) -> Text | None:
    """Return what is wrong with this option, for its place on the form."""
    return (
        p.FAULT_HERE.fill(why=capital(wrong.why))
        if wrong and wrong.why and wrong.option == option.name
        else None
    )


def opening_picture(game: Game, lang: str) -> tuple[str, Text]:
    """Draw an opening position with these options, and return its caption."""
    match = Match(game, bytes(16))
    bare = _board(match, lang)
    match.settle()
    picture = _board(match, lang)
    return picture, p.PICTURE if picture == bare else p.EXAMPLE


def _board(match: Match, lang: str) -> str:
    table = match.game.layout.scene(match.game.board, match.position.s)
    return board_svg(table.areas[0], table, lang)


def field_values(game: Game, option: Option, given: Mapping[str, str]) -> dict[str, object]:
    """Return the template's values for an option: its kind, words, value and choices."""
    words, value = game.words, given.get(option.name) or str(option.default)
    made: dict[str, object] = {"name": option.name, "label": words.OPTIONS[option.name], "value": value}
    if isinstance(option, Flag):
        return made | {"kind": "flag", "on": value.lower() == "true"}
    if isinstance(option, Whole):
        bounds = p.FROM_TO.fill(low=option.low, high=option.high)
        made["value"] = given.get(option.name, option.default)
        return made | {"kind": "whole", "low": option.low, "high": option.high, "bounds": bounds}
    names: list[tuple[str, Text]] = [(name, words.CHOICES.get(name, plain(name))) for name in option.names]
    few = len(names) <= MAX_RADIO_BUTTONS and isinstance(option, OneOf)
    made |= {"kind": "few" if few else "many", "choices": names, "drawn": isinstance(option, Drawing)}
    made["example"] = option.canvas.drawings[0][1].strip("\n") if isinstance(option, Drawing) else ""
    chosen = [(name, text) for name, text in given.items() if _names_option(game, name)]
    made["query"] = "?" + urlencode(chosen) if chosen else ""
    return made | {"drawing": given.get(option.name + DRAWING_SUFFIX, "" if value in option.names else value)}


def _names_option(game: Game, field: str) -> bool:
    """Return whether this field of the form is an option of the game, not a name or a secret."""
    return field.removesuffix(DRAWING_SUFFIX) in game.options


def _seat_choices(game: Game, i: int, given: Mapping[str, str], visit: PageContext) -> dict[str, object]:
    player = game.seats[i]
    who = given.get(f"seat.{player}", "me" if i == 0 else f"bot:{gentle_bot(game)}")
    bots = [(f"bot:{level.name}", _bot_choice(level, visit)) for level in load_bots(game).values()]
    choices = [("me", p.ME), *([] if visit.offline else [("open", p.OPEN_SEAT)]), *bots]
    return {"player": player, "title": game.words.PLAYERS[player], "who": who, "choices": choices}


def _bot_choice(level: Level, visit: PageContext) -> Text:
    """Return a bot as a choice. On a server it has the advice to install a missing extra."""
    name: Text = capital(title(level.name))
    advice = None if visit.offline else level.install_advice
    return p.BOT.fill(title=name, strength=advice) if advice else name


def _bot_description(level: Level) -> tuple[Text, Text]:
    """Return a bot's name and its method."""
    return title(level.name), description(level)


def drawing_option(game: Game) -> Drawing | None:
    """Return the option of a game that may be drawn."""
    return next((option for option in game.offered if isinstance(option, Drawing)), None)


def editor_page(game: Game, option: Drawing, visit: PageContext, given: Mapping[str, str]) -> str:
    """Return the page on which a drawing is made; `given` are the fields so far."""
    drawing = _drawing(option, given)
    fields = dict(given) | {option.name + DRAWING_SUFFIX: drawing}
    try:
        variant, wrong = Game(game.id, parse_options(game, fields)), None
    except BadOption as found:
        variant, wrong = game, found
    drawn, caption = ("", p.PICTURE) if wrong else opening_picture(variant, visit.lang)
    canvas = option.canvas
    return render_page(
        "editor.html",
        visit,
        p.DRAW_BOARD.fill(game=game.words.TITLE),
        game=game,
        option=option,
        canvas=canvas,
        signs=canvas.signs_for(drawing),
        drawing=drawing,
        fault=field_fault(option, wrong),
        others=[
            field_values(game, other, given) | {"fault": field_fault(other, wrong)}
            for other in game.offered
            if other is not option
        ],
        others_open=wrong is not None and wrong.option != option.name,
        starts=[
            (game.words.CHOICES.get(name, plain(name)), urlencode({option.name + DRAWING_SUFFIX: start}))
            for name, start in ((name, text.strip("\n")) for name, text in canvas.drawings)
        ],
        picture=Markup(drawn),
        caption=caption,
    )


def _drawing(option: Drawing, given: Mapping[str, str]) -> str:
    """Return the drawing in the fields, or else that of the chosen name, or the first to begin with."""
    typed = given.get(option.name + DRAWING_SUFFIX, "").replace("\r\n", "\n").strip("\n")
    drawings = option.canvas.drawings
    chosen = dict(drawings).get(given.get(option.name, option.default), drawings[0][1])
    return typed or chosen.strip("\n")
