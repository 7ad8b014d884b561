"""The end of a match: the sentence that says how it ended, and the panel with the result and links to go on."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import east_asian_width

from smallchange import bots as mind
from smallchange.core.game import Game
from smallchange.core.match import ABORTED as ABORTED_TEXT
from smallchange.core.match import AGREED_DRAW, Match
from smallchange.core.match import LEFT_DRAWN as LEFT_DRAWN_TEXT
from smallchange.core.options import Value
from smallchange.core.protocols import Words
from smallchange.core.puzzle import puzzles
from smallchange.core.variants import without_idle_options
from smallchange.i18n.text import SENTENCES, Text, capital, plain
from smallchange.server.table.model.events import How
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.origins import Daily
from smallchange.server.table.model.outcome import Outcome
from smallchange.server.table.view.bot_faces import NAMES
from smallchange.server.table.view.measured_odds import better_than
from smallchange.server.table.view.seats import occupant, seat_rating_digits
from smallchange.server.table.view.suit_signs import with_signs
from smallchange.server.table.view.table_view import TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import command_button, copy_button, escape
from smallchange.server.web.paths import analysis_path, field_text

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


def review_title(luck: bool) -> Text:
    """Return the title of a review, in a game with luck or without."""
    return p.REVIEW if luck else p.REVIEW_WITHOUT_LUCK


def result_section(view: TableView, lang: str) -> str:
    """Return the result in large letters, and what it did to ratings; an empty element before the end.

    The class "whole" says that the status has no more to add, "long" that the result fills several lines, "compared"
    that a line on the player's other results follows.
    """
    if not view.outcome:
        return '<div id="result"></div>'
    verdict = _verdict(view, lang)
    inside = f'<h2 class="result" tabindex="-1">{escape(verdict)}</h2>{_rating_changes(view, lang)}'
    inside += _score_comparison(view, lang) if view.started else ""
    whole = personal_verdict(view.outcome, view.own_seats) is None and not split_verdict(view.prompt, lang)[0]
    look = " ".join(
        ["compared"] * _is_compared(view) + ["whole"] * whole + ["long"] * (_width(verdict) > MAX_LARGE_CHARS)
    )
    return f'<div id="result" class="{look}">{inside}</div>' if look else f'<div id="result">{inside}</div>'


def _is_compared(view: TableView) -> bool:
    """Return whether the end is compared with the player's others."""
    assert view.outcome is not None
    alone = len(view.seats) == 1
    return (
        len(view.own_seats) == 1 and not view.parent and (not alone or view.outcome.how == How.PLAYED)
    ) and not view.local


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


@lru_cache(maxsize=1024)
def _is_base_game(id: str, options: tuple[tuple[str, Value], ...]) -> bool:
    """Return whether these options change nothing."""
    return not options or without_idle_options(Game(id, dict(options))) == Game(id)


def _score_comparison(view: TableView, lang: str) -> str:
    """Compare a good score in the base game with those of beginners, if they were measured."""
    assert view.outcome is not None
    score = view.outcome.scores[0]
    if view.parent or score is None or not _is_base_game(view.game, tuple(view.options.items())):
        return ""
    said = better_than(view.game, score)
    return f'<p class="score-comparison">{escape(said[lang])}</p>' if said else ""


def _score_table(view: TableView, lang: str) -> str:
    assert view.outcome is not None
    points = view.outcome.result.get("score")
    if not isinstance(points, dict):
        return ""
    lines = ""
    for i, seat in enumerate(view.seats):
        look = ' class="won"' if i in view.outcome.winners else ""
        title, sitter = capital(seat.title)[lang], (p.YOU if seat.you else occupant(seat))[lang]
        name = p.OPTION.fill(name=with_signs(title, view.game, lang), value=escape(sitter))[lang]
        n = points.get(seat.player, "")
        lines += f'<tr{look}><th scope="row">{name}</th><td>{n}</td></tr>'
    return f'<table class="scores"><caption>{escape(p.SCORES[lang])}</caption>{lines}</table>'


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
        review = escape(review_title(view.has_luck)[lang])
        drawn += f'<a class="btn" href="/m/{view.match}/review">{review}</a>'
    else:
        drawn += _replay_link(view, lang)
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
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(text)}">' for name, text in fields.items()
    )
    return f'<form method="post" action="/games/{game.id}">{hidden}<button class="btn">{escape(label)}</button></form>'


def _replay_link(view: TableView, lang: str) -> str:
    """Return the link to the board before the last decision."""
    decided = next((entry.number for entry in reversed(view.log) if entry.seat >= 0), view.length)
    before = max(0, decided - 1)
    back = f'href="/m/{view.match}?at={before}" data-to="{before}"'
    return f'<a class="btn" {back}>{escape(p.REPLAY[lang])}</a>'


def further_steps(view: TableView, lang: str) -> str:
    """Return what else can be done after the end, the scores of two players, and links."""
    if not view.started:
        return ""
    drawn = ""
    if view.own_seats and view.is_proven and view.has_luck and not view.sealed:
        drawn += command_button(view.match, "rematch", p.SAME_DEAL[lang], 'name="same" value="1"')
    if view.may_review:
        drawn += _replay_link(view, lang)
        path = escape(analysis_path(view.match, view.length))
        drawn += f'<a class="btn" href="{path}">{escape(p.ANALYSIS[lang])}</a>'
    train = f'<a href="/train/{view.game}">{escape(p.TRAIN[lang])}</a>' if puzzles(view.game) else ""
    if view.local:
        brought = command_button(view.match, "bring", p.BRING[lang]) if view.may_bring else ""
        links = f'<p class="small-print result-links">{train}</p>' if train else ""
        return f'<div class="buttons">{drawn}{brought}</div>{_score_table(view, lang)}{links}'
    drawn += copy_button(f"/m/{view.match}", lang)
    proof = f' <a href="/m/{view.match}/envelope">{escape(p.ENVELOPE[lang])}</a>' if view.has_luck else ""
    more = (
        f'<p class="small-print result-links"><a href="/games/{view.game}">{escape(p.NEW_GAME[lang])}</a> '
        f'{train}{proof} <a href="/m/{view.match}/record.txt">{escape(p.RECORD[lang])}</a></p>'
    )
    return f'<div class="buttons">{drawn}</div>{_score_table(view, lang)}{more}'
