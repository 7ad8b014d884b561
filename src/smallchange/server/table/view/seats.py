"""Seats: their titles, faces and holders, who is present, the viewer's line, and what players said to each other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from smallchange.bots.levels import title
from smallchange.i18n.text import Text, capital, plain
from smallchange.server.table.model.events import How
from smallchange.server.table.model.history import History, SeatKind, SeatRating
from smallchange.server.table.model.outcome import MIN_COUNTED_MOVES, early_leaver, points
from smallchange.server.table.view.board import with_signs
from smallchange.server.table.view.table_view import NO_TEXT, SeatView
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import escape, section

PLAYER = Text("the player")  # of a game for one, to others
IS_HERE = Text("{who} is here.")
IS_AWAY = Text("{who} is away.")


def occupant(seat: SeatView) -> Text:
    """Name the occupant of a seat."""
    if seat.kind == SeatKind.OPEN:
        return p.NOBODY_YET
    if seat.kind == SeatKind.BOT:
        return bot_name(seat.name)
    return plain(seat.name) if seat.name else p.YOU if seat.you else p.A_PERSON


def seat_label(seat: SeatView) -> Text:
    """Return a seat for use in a sentence: its holder's name, or its title."""
    return p.CALLED.fill(name=seat.name) if seat.kind == SeatKind.PERSON and seat.name else seat.title


def seat_views(history: History, held: tuple[int, ...], present: Sequence[int]) -> tuple[SeatView, ...]:
    """Return the seats as a page shows them."""
    return tuple(
        SeatView(
            seat.player,
            seat_title(history, i),
            seat.kind,
            seat.name,
            you=i in held,
            turn=history.turn == i,
            here=seat.kind == SeatKind.BOT or i in present,
            rating=history.ratings[i] if history.ratings else None,
        )
        for i, seat in enumerate(history.seats)
    )


def seat_title(history: History, seat: int) -> Text:
    """Return the title of a seat, for others than its holder."""
    if len(history.seats) == 1:
        return PLAYER
    title: Text = history.head.game.words.PLAYERS[history.seats[seat].player]
    return title


def seat_name(history: History, seat: int) -> Text:
    """Return the name of a seat's holder, or the seat's title."""
    return seat_label(seat_views(history, (), ())[seat])


def presence_text(history: History, held: tuple[int, ...], present: Sequence[int]) -> Text:
    """Return the sentences on who is present, "" where nobody else plays."""
    if history.alone and held:
        return NO_TEXT
    text = NO_TEXT
    for i, seat in enumerate(history.seats):
        if seat.kind == SeatKind.PERSON and i not in held:
            who = seat_name(history, i) if seat.name else capital(seat_title(history, i))
            text = text + (IS_HERE if i in present else IS_AWAY).fill(who=who)
    return text


def gain_digits(gain: float) -> str:
    """Return the change of a rating with its sign.

    >>> gain_digits(11.6), gain_digits(-3.2), gain_digits(0.2)
    ('+12', '−3', '±0')
    """
    whole = round(gain)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole else "±0"


def seat_rating_digits(rating: SeatRating) -> str:
    """Return the rating of a seat, with its change once the match is rated; that of a house bot is points alone.

    >>> seat_rating_digits(SeatRating(1588.0, 300.0, 88.0, provisional=True))
    '1588? (+88)'
    >>> seat_rating_digits(SeatRating(1617.0, 15.0, 0.0, fixed=True))
    '1617'
    """
    shown = rounded_rating(rating)
    return shown if rating.gain is None or rating.fixed else f"{shown} ({gain_digits(rating.gain)})"


def rounded_rating(rating: SeatRating) -> str:
    """Return the rating of a seat in short: rounded, with a mark while it is provisional."""
    return f"{round(rating.points)}{'?' if rating.provisional else ''}"


def counts_text(rated: bool, against_bot: bool) -> Text:
    """Say for whom a match counts."""
    if not rated:
        return p.CASUAL_GAME
    return p.RATED_AGAINST_HOUSE if against_bot else p.RATED_GAME


def unrated_text(history: History, held: Collection[int] = ()) -> Text | None:
    """Say why a rated match that has ended counts for nobody; None where it counts, or goes on.

    A player who has left it early is warned: `held` are the seats of the viewer.
    """
    if not history.head.rated or not history.ending or None not in points(history):
        return None
    no_result = history.ending.how in (How.ABORTED, How.WITHDRAWN) or history.full
    why = p.UNRATED_NO_RESULT if no_result else p.UNRATED_TOO_SHORT.fill(n=MIN_COUNTED_MOVES)
    return p.SECOND_COUNTS.fill(why=why) if early_leaver(history) in held else why


@lru_cache(maxsize=4096)
def viewer_line(game: str, seats: tuple[SeatView, ...], held: tuple[int, ...], back: bool, lang: str) -> str:
    """Say which seat the viewer has, whose turn it is, and who the others are.

    Screen readers do not repeat it. `back`: the viewer looks at an earlier step, where it is nobody's turn.
    """
    parts = [] if held else [escape(p.WATCHING[lang].rstrip(".。"))]
    if len(seats) > 1:
        on = [] if back else [seat for seat in seats if seat.turn]
        if len(held) == 1:
            parts.append(with_signs(p.YOU_ARE.fill(yours=seats[held[0]].title)[lang], game, lang))
            parts += [escape(p.YOUR_TURN[lang]) for seat in on if seat.you]
        elif held:
            parts.append(escape(p.YOU_ARE_BOTH[lang]))
        for seat in seats:
            name = p.THEIR_TURN.fill(who=seat.title) if seat in on else seat.title
            sitter = p.OPTION.fill(
                name=with_signs(name[lang], game, lang), value=escape(occupant(seat)[lang])
            )
            parts += [] if seat.you else [sitter[lang]]
    spans = "".join(f"<span>{part}</span>" for part in parts)
    look = "" if held else ' class="watches"'
    return f'<p id="viewer"{look}>{spans}</p>'


@lru_cache(maxsize=4096)
def seat_list(
    game: str,
    rated: str,
    seats: tuple[SeatView, ...],
    held: tuple[int, ...],
    note: Text,
    called: Text | None,
    lang: str,
) -> str:
    """List the seats. `note` is the sentence on presence, `called` the beginning of the window's title.

    `rated` is the id of a rated match, where the names of others lead to their profiles; "" of another.
    """
    yours = f'data-yours="{" ".join(map(str, held))}"'
    if len(seats) == 1 and held:
        return f'<section id="seats" {yours}></section>'
    call = f'{yours} data-call="{escape(called[lang])}"' if called else yours
    sitters = ""
    for i, seat in enumerate(seats):
        sitter = occupant(seat)
        if seat.you and seat.name:
            sitter = p.OPTION.fill(name=sitter, value=p.YOU)
        said = escape(sitter[lang])
        if rated and seat.kind == SeatKind.PERSON and seat.name and not seat.you:
            said = f'<a href="/m/{rated}/players/{i}">{said}</a>'
        look = "".join(f" {how}" for how, on in (("turn", seat.turn), ("away", not seat.here)) if on)
        name = with_signs(capital(seat.title)[lang], game, lang)
        rating = f' <small class="rating">{seat_rating_digits(seat.rating)}</small>' if seat.rating else ""
        sitters += f'<li class="seat{look}"><b>{name}</b> <span>{said}{rating}</span></li>'
    presence = f'<p class="small-print">{escape(note[lang])}</p>' if note.en else ""
    return section("seats", p.AT_THE_TABLE[lang], f"<ul>{sitters}</ul>{presence}", call)


class Face(NamedTuple):
    """The face of a level: a name, a line, and the strokes of its eyes and mouth in a box of 40 by 40."""

    level: str
    name: Text
    line: Text
    strokes: str


FACES = (
    Face(
        "level1",
        Text("Pip", "the name of a bot"),
        Text("New at the table, and glad to be here."),
        "M13 15v3M27 15v3M12 24q8 8 16 0",
    ),
    Face(
        "level2",
        Text("Nell", "the name of a bot"),
        Text("Knows the rules, and misses the odd trick."),
        "M11 17q2-3 4 0M25 17q2-3 4 0M14 25q6 4 12 0",
    ),
    Face(
        "level3",
        Text("Otto", "the name of a bot"),
        Text("Counts along, and never hurries."),
        "M10 13h6M24 13h6M13 17v2M27 17v2M14 26h12",
    ),
    Face(
        "level4",
        Text("Vera", "the name of a bot"),
        Text("Forgives no mistake."),
        "M10 14l6 2M30 14l-6 2M13 18v2M27 18v2M14 27q6-4 12-1",
    ),
    Face(
        "level5",
        Text("Magnus", "the name of a bot"),
        Text("The best there is here."),
        "M8 17a5 5 0 0 0 10 0zM22 17a5 5 0 0 0 10 0zM18 17h4M15 27q6 2 11-2",
    ),
)
NAMES = {face.level: face.name for face in FACES}


def bot_name(bot: str) -> Text:
    """Return the name by which a bot is known everywhere; a bot without a face is called by its kind."""
    return NAMES.get(bot) or title(bot)


TEXTS = {
    "hello": p.SAY_HELLO,
    "luck": p.SAY_LUCK,
    "well-played": p.SAY_WELL_PLAYED,
    "thanks": p.SAY_THANKS,
    "moment": p.SAY_MOMENT,
    "leaving": p.SAY_LEAVING,
}


def remark_texts(history: History, held: tuple[int, ...]) -> tuple[Text, ...]:
    """Return what was said lately, as the holder of these seats hears it."""
    if not history.remarks.last:
        return ()
    return tuple(
        [
            p.SAID.fill(who=capital(seat_name(history, one.seat)), what=TEXTS[one.phrase])
            for one in history.remarks.audible(held, history.ply)
        ]
    )
