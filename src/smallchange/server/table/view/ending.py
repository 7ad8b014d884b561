"""The end of a match: the sentence that says how it ended, the panel with the result, and the card to share."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple
from unicodedata import east_asian_width

from markupsafe import Markup

from smallchange import bots as mind
from smallchange.core.game import Game
from smallchange.core.match import ABORTED as ABORTED_TEXT
from smallchange.core.match import AGREED_DRAW, Match
from smallchange.core.match import LEFT_DRAWN as LEFT_DRAWN_TEXT
from smallchange.core.protocols import Words
from smallchange.i18n.text import SENTENCES, Text, capital, plain
from smallchange.render.shapes import shape_definitions
from smallchange.render.theme import LIGHT
from smallchange.server.table.model.events import How
from smallchange.server.table.model.history import Daily, SeatKind
from smallchange.server.table.model.outcome import Outcome
from smallchange.server.table.view.board_pictures import scene_picture
from smallchange.server.table.view.options import describe_options
from smallchange.server.table.view.seats import NAMES, occupant, seat_rating_digits
from smallchange.server.table.view.table_view import TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import (
    PageContext,
    command_button,
    escape,
    field_text,
    render_page,
)

NO_RESULT = Text("No result.")
DRAWS = (How.PLAYED, How.AGREED, How.LEFT_DRAWN)  # without a winner
GAVE_UP = Text("This game was abandoned.")
TABLE_WITHDRAWN = Text("This table was withdrawn before anybody sat down.")
RESIGNED_TO = Text("{loser} resigned, so {winner} wins.")
TIMED_OUT_TO = Text("{loser} ran out of time, so {winner} wins.")
ABANDONED_TO = Text("{loser} left the game, so {winner} wins.")
PLAY_BOT = Text("Play {bot}", "a bot by its name")
EASIER = Text("An easier board")
MAX_LARGE_CHARS = 32  # the greatest width of a result that is shown large as a whole


def outcome_text(match: Match, end: Outcome) -> Text:
    """Return the sentence that says how the match ended."""
    game = match.game
    if end.how == How.PLAYED:
        text: Text = game.words.ending(game.board, match.position.s)
        return text
    if end.how == How.AGREED:
        return AGREED_DRAW
    if end.how == How.WITHDRAWN:
        return TABLE_WITHDRAWN
    if end.how == How.ABORTED:
        return ABORTED_TEXT
    titles = game.words.PLAYERS
    if end.how == How.LEFT_DRAWN:
        return LEFT_DRAWN_TEXT.fill(who=titles[game.seats[end.by]])
    if not end.winners:
        return GAVE_UP
    text = {How.TIMED_OUT: TIMED_OUT_TO, How.ABANDONED: ABANDONED_TO}.get(end.how, RESIGNED_TO)
    return text.fill(loser=titles[game.seats[end.by]], winner=titles[game.seats[end.winners[0]]])


def score_text(words: Words, score: int) -> Text:
    """Say a score in a few words, by the game's own where it has some."""
    found: Text = getattr(words, "score_text", lambda score: plain(str(score)))(score)
    return found


def result_section(view: TableView, lang: str) -> str:
    """Return the result in large letters, and what it did to ratings; an empty element before the end.

    The class "whole" says that the status has no more to add, "long" that the result fills several lines, "compared"
    that a line on the player's other results follows.
    """
    if not view.outcome:
        return '<div id="result"></div>'
    verdict = _verdict(view, lang)
    inside = f'<h2 class="result" tabindex="-1">{escape(verdict)}</h2>{_rating_changes(view, lang)}'
    whole = personal_verdict(view.outcome, view.own_seats) is None and not split_verdict(view.prompt, lang)[0]
    look = " ".join(
        ["compared"] * _is_compared(view) + ["whole"] * whole + ["long"] * (_width(verdict) > MAX_LARGE_CHARS)
    )
    return f'<div id="result" class="{look}">{inside}</div>' if look else f'<div id="result">{inside}</div>'


def _is_compared(view: TableView) -> bool:
    """Return whether the end is compared with the player's others."""
    assert view.outcome is not None
    alone = len(view.seats) == 1
    return len(view.own_seats) == 1 and not view.parent and (not alone or view.outcome.how == How.PLAYED)


def _rating_changes(view: TableView, lang: str) -> str:
    """Say how a rated match has changed the ratings, or why it has not."""
    if not view.rated or not view.started:
        return ""
    if view.unrated_why:
        return f'<p class="ratings small-print">{escape(view.unrated_why[lang])}</p>'
    rated = [(seat, seat.rating) for seat in view.seats if seat.rating and seat.rating.gain is not None]
    if len(rated) < len(view.seats):
        return f'<p class="ratings small-print">{escape(p.RATING_FOLLOWS[lang])}</p>'
    changes = [
        p.OPTION.fill(name=occupant(seat), value=seat_rating_digits(rating))[lang] for seat, rating in rated
    ]
    lines = "".join(f"<li>{escape(change)}</li>" for change in changes)
    return f'<ul class="ratings" aria-label="{escape(p.RATINGS[lang])}">{lines}</ul>'


def _verdict(view: TableView, lang: str) -> str:
    """Return whether the viewer won, where one of two can win; else the last sentence of the result."""
    assert view.outcome is not None
    if not view.started:
        return p.NOT_BEGUN[lang]
    if len(view.seats) == 2 and not view.outcome.winners:
        return (p.DRAWN if view.outcome.how in DRAWS else NO_RESULT)[lang]
    mine = personal_verdict(view.outcome, view.own_seats)
    return mine[lang] if mine else split_verdict(view.prompt, lang)[1]


def personal_verdict(end: Outcome, held: tuple[int, ...]) -> Text | None:
    """Return whether the holder of one seat won; None for a holder of both seats, a spectator, or a draw."""
    if len(held) != 1 or not end.winners:
        return None
    return p.YOU_WON if held[0] in end.winners else p.YOU_LOST


def _width(text: str) -> int:
    """Return the width of a text in narrow characters.

    >>> _width("All 24"), _width("24枚")
    (6, 4)
    """
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def split_verdict(verdict: Text, lang: str) -> tuple[str, str]:
    """Split a result into its cause, "" where none is named, and its last sentence.

    >>> split_verdict(Text("The map is full. It is a draw."), "en")
    ('', 'The map is full. It is a draw.')
    >>> split_verdict(Text("Every pawn is retired. Not cleared: 14 coins left."), "en")
    ('Every pawn is retired.', 'Not cleared: 14 coins left.')
    """
    text, full_stop = verdict[lang], p.FULL_STOP[lang]
    stop = SENTENCES[lang].format(first=full_stop, next="")  # with the space that follows, if any does
    cause, _, _ = text.removesuffix(full_stop).rpartition(stop)
    if _width(text) <= MAX_LARGE_CHARS or not cause:
        return "", text
    return cause + full_stop, text[len(cause + stop) :]


def next_steps(view: TableView, lang: str) -> str:
    """Return the steps that most players take after the end: again, against the bot that fits, to look back."""
    if not view.started:  # it was withdrawn: there is nothing to look back on
        new = f'<a class="btn primary" href="/games/{view.game}">{escape(p.NEW_GAME[lang])}</a>'
        return f'<div class="buttons result-buttons">{new}</div>'
    drawn = ""
    if isinstance(view.origin, Daily):
        drawn += f'<a class="btn primary" href="/daily">{escape(p.DAILY[lang])}</a>'
    elif view.sealed:
        pass  # others play this deal: there is no other game until it has closed
    elif view.rematch:
        follows = " data-follow" if view.own_seats and not view.alone else ""
        goes = escape(p.REMATCH[lang])
        drawn += f'<a class="btn primary" id="rematch" href="/m/{view.rematch}"{follows}>{goes}</a>'
    elif view.own_seats and not view.alone:
        if "rematch" in view.possible_offers:
            drawn += command_button(view.match, "rematch", p.ASK_REMATCH[lang], "", "primary")
        elif view.offer_text and not view.may_answer:
            drawn += command_button(view.match, "answer", p.WITHDRAW_OFFER[lang], 'name="yes" value="0"')
    elif view.own_seats:
        word = p.AGAIN if len(view.own_seats) == len(view.seats) else p.AGAIN_SWAPPED
        drawn += command_button(view.match, "rematch", word[lang], "", "primary") + _fitting_game(view, lang)
    if view.may_review:
        drawn += f'<a class="btn" href="/m/{view.match}/review">{escape(p.REVIEW[lang])}</a>'
    return f'<div class="buttons result-buttons">{drawn}</div>'


def _fitting_game(view: TableView, lang: str) -> str:
    """Return a button for a game that fits the result: the next stronger bot, a weaker one, or an easier board."""
    people = tuple(i for i, seat in enumerate(view.seats) if seat.kind != SeatKind.BOT)
    if view.parent or view.own_seats != people:
        return ""
    assert view.outcome is not None
    game, won = Game(view.game, view.options), bool(set(view.own_seats) & set(view.outcome.winners))
    fields = {name: field_text(value) for name, value in game.non_default_options.items()}
    if len(view.seats) == 1:
        easiest = game.presets.PRESETS[0] if game.presets else None
        if won or easiest is None or game.non_default_options == easiest.options:
            return ""
        fields = {name: field_text(value) for name, value in easiest.options.items()}
        label = EASIER[lang]
    else:
        bot = next((seat.name for seat in view.seats if seat.kind == SeatKind.BOT), "")
        levels = [level for level in NAMES if level in mind.names(game)]
        at = levels.index(bot) + (1 if won else -1) if bot in levels and view.outcome.winners else -1
        if not 0 <= at < len(levels):
            return ""
        fields |= {f"seat.{seat.player}": "me" if seat.you else f"bot:{levels[at]}" for seat in view.seats}
        label = PLAY_BOT.fill(bot=NAMES[levels[at]])[lang]
    fields["press"] = f"next-{view.match}"
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(text)}">' for name, text in fields.items()
    )
    return f'<form method="post" action="/games/{game.id}">{hidden}<button class="btn">{escape(label)}</button></form>'


def further_steps(view: TableView, lang: str) -> str:
    """Return what else can be done after the end."""
    if not view.started:
        return ""
    drawn = ""
    if view.own_seats and view.is_proven and view.has_luck and not view.sealed:
        drawn += command_button(view.match, "rematch", p.SAME_DEAL[lang], 'name="same" value="1"')
    if view.local and view.may_bring:
        drawn += command_button(view.match, "bring", p.BRING[lang])
    return f'<div class="buttons">{drawn}</div>'


SIZE_PX = (600, 315)
BOARD_PX = (250, 315)
EDGE_PX = 20  # around a whole board
LINE_WIDTH = 30  # of half-width characters
LINE_PX = 25
# of the fonts of a family, a PNG takes the first alone
FAMILY = "Source Sans 3, sans-serif"
FAMILY_WIDE = "Noto Sans CJK JP, sans-serif"


class ResultCard(NamedTuple):
    """The content of a card.

    `board` is the markup of a picture, on felt or with an edge of paper around it, `marks` that of figures below the
    lines.
    """

    title: str
    below: str
    said: tuple[str, ...]
    board: str
    address: str
    marks: str = ""
    edge_px: int = 0


def result_card(card: ResultCard, lang: str) -> str:
    """Draw a card as SVG."""
    drawn = line_of_text(card.title, 56, 26, LIGHT["ink"], bold=True)
    drawn += line_of_text(card.below, 84, 17, LIGHT["soft"])
    for number, line in enumerate(line for text in card.said for line in wrap(text)):
        drawn += line_of_text(line, 122 + LINE_PX * number, 18, LIGHT["ink"])
    drawn += card.marks
    drawn += line_of_text(p.NAME[lang], 270, 17, LIGHT["accent"], bold=True)
    drawn += line_of_text(card.address, 292, 14, LIGHT["soft"])
    (width, height), (across, down), edge = SIZE_PX, BOARD_PX, card.edge_px
    label = escape(" ".join(filter(None, (card.title, card.below, card.said[0]))))
    opened, _, inside = card.board.partition(">")
    at = f'x="{width - across}" y="{edge}" width="{across - edge}" height="{down - 2 * edge}"'
    place = opened.replace("<svg ", f"<svg {at} ", 1)
    felt = "" if edge else f'<rect x="-999" y="-999" width="9999" height="9999" fill="{LIGHT["felt"]}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" aria-label="{label}"><title>{label}</title>'
        f'<rect width="{width}" height="{height}" fill="{LIGHT["paper"]}"/>'
        f"{place}>{shape_definitions(inside)}{felt}{inside}{drawn}</svg>\n"
    )


def match_card(view: TableView, origin: str, lang: str) -> str:
    """Draw the card of a match that has ended, with the board as it was left; without an address where it has none."""
    options = describe_options(view.game, view.options)
    below = options[lang] if options and len(view.seats) == 1 else _players(view, lang)
    address = "" if view.local else f"{origin}/m/{view.match}".partition("://")[2]
    board = scene_picture(view.scene, lang)
    said = verdict_lines(view, lang)
    return result_card(ResultCard(view.title[lang], below, said, board, address, edge_px=EDGE_PX), lang)


def _players(view: TableView, lang: str) -> str:
    names = map(occupant, view.seats)
    return " – ".join(capital(name)[lang] for name in names) if len(view.seats) > 1 else ""


def verdict_lines(view: TableView, lang: str) -> tuple[str, ...]:
    """Return the result of an ended match, and its cause if the status gives one."""
    cause, verdict = split_verdict(view.prompt, lang)
    return tuple(filter(None, (verdict, cause)))


def card_page(view: TableView, visit: PageContext, kinds: tuple[str, ...]) -> str:
    """Return the page of a card, with its text to copy and its files."""
    lang = visit.lang
    told, drawn = f"{view.title[lang]}: {' '.join(verdict_lines(view, lang)[:1])}", Markup()
    if view.local:
        drawn = Markup(match_card(view, "", lang))  # no host has it as a file
    else:
        told += f"\n{visit.origin}/m/{view.match}"
    return render_page("card.html", visit, view.title, view=view, told=told, kinds=kinds, drawn=drawn)


def line_of_text(line: str, y: int, size_px: int, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    family = FAMILY_WIDE if any(map(_is_wide, line)) else FAMILY
    return (
        f'<text x="28" y="{y}" font-family="{family}" font-size="{size_px}"'
        f'{weight} fill="{colour}">{escape(line)}</text>'
    )


def wrap(text: str) -> list[str]:
    """Split a sentence into lines of at most LINE_WIDTH half-width characters, between words where there are some.

    >>> wrap("Not cleared: 14 coins left on the board.")
    ['Not cleared: 14 coins left on', 'the board.']
    >>> [len(line) for line in wrap("石" * 20)]
    [15, 5]
    """
    lines, line, width = list[str](), "", 0
    for word in _pieces(text):
        wide = sum(2 if _is_wide(c) else 1 for c in word)
        if width + wide > LINE_WIDTH + word.endswith(" ") and line:
            lines.append(line.rstrip())
            line, width = "", 0
        line, width = line + word, width + wide
    return [*lines, line.rstrip()] if line.strip() else lines


def _is_wide(c: str) -> bool:
    return unicodedata.east_asian_width(c) in "WF"


def _pieces(text: str) -> list[str]:
    """Return the words of a text with the spaces after them; each wide character by itself."""
    found: list[str] = []
    for c in text:
        starts = not found or found[-1].endswith(" ") or _is_wide(c)
        if starts:
            found.append(c)
        else:
            found[-1] += c
    return found
