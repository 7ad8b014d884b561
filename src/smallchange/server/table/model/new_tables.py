"""New tables: as ordered, as a rematch, and for practice. Nothing is stored here."""

from __future__ import annotations

import base64
import hashlib
import secrets
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from smallchange import bots
from smallchange.bots.deals import DIFFICULTIES, MAX_DEALS, bands
from smallchange.core.commitment import DEAL_BYTES, Envelope
from smallchange.core.errors import BadOption, UnknownGame
from smallchange.core.game import Game, complete_game, games
from smallchange.core.match import Match
from smallchange.core.options import Value
from smallchange.core.variants import without_idle_options
from smallchange.i18n.text import LANGUAGES, Text
from smallchange.server.table.model import clock
from smallchange.server.table.model import history as model_history
from smallchange.server.table.model.clock import BadTimeControl, TimeControl
from smallchange.server.table.model.command_events import finished_events, step_events
from smallchange.server.table.model.commands import (
    MAX_NAME,
    MAX_WORDS,
    Fork,
    Join,
    NewTable,
    Rematch,
)
from smallchange.server.table.model.events import Event
from smallchange.server.table.model.history import (
    BroughtFromOffline,
    Fresh,
    Head,
    History,
    SealedDeal,
    Seat,
    SeatKind,
    seat_person,
)
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.names import clean, has_address, is_office

ID_BYTES = 12  # random, of a table
BOT_NAME = Text("that name is kept for bots")
ADDRESS_NAME = Text("a name may not contain a web or e-mail address")
OFFICE_NAME = Text("that name is kept for the moderators of this site")
BOT_MARK = " (bot)"  # at the end of the name of each bot of a stranger
TWO_PLAYERS = Text("only a game for two has a clock.")
NO_TIME = Text(
    "“{given}” is neither minutes and seconds a turn, such as 5+3, nor days a turn and in hand, such as 1d+3d."
)
TWO_RATED = Text("only games for two have ratings.")
RATED_NEEDS_TIME = Text("choose a time for the moves.")
RATED_STANDARD = Text("the game must be as in the rulebook.")
RATED_PEOPLE = Text("leave the other seat free for another person.")
UNKNOWN_DIFFICULTY = Text("deals are {accepted}, not “{given}”.")
NO_DIFFICULTY = Text(
    "deals by difficulty are for games for one, as in the rulebook or a preset that was measured."
)
BEGUN = "begun"  # for a difficulty: the deal leaves its player a choice, where not every deal does
SAMPLE_DEALS = 200  # that tell whether a variant has deals without a choice
NewId = Callable[[int], str]  # n -> a new text of n random bytes


class Sitter(NamedTuple):
    """A participant who gets a seat: a person by name and holder, or a bot by its name; a house bot has all three."""

    name: str
    holder: str
    bot: str = ""


class Wish(NamedTuple):
    """A game and a time control, as text, that somebody wants to play."""

    game: str
    time: str

    @property
    def speed(self) -> str:
        """The speed at which the game counts."""
        control = clock.read(self.time)
        assert control is not None, "a wish has a time control"
        return control.speed


def random_id(n: int) -> str:
    """Return `n` random bytes as lower-case letters and digits."""
    return base64.b32encode(secrets.token_bytes(n)).decode().rstrip("=").lower()


def person_name(text: str) -> str:
    """Return a person's name as it is stored. Refuse that of a bot or a keeper, and one that holds an address."""
    name = clean(text, MAX_NAME)
    folded = unicodedata.normalize("NFKC", name).casefold()
    if folded in _bot_titles() or has_bot_mark(name):
        raise Refused(ErrorCode.BAD_NAME, name=name, why=BOT_NAME)
    if has_address(name):
        raise Refused(ErrorCode.BAD_NAME, name=name, why=ADDRESS_NAME)
    if is_office(name):
        raise Refused(ErrorCode.BAD_NAME, name=name, why=OFFICE_NAME)
    return name


def has_bot_mark(name: str) -> bool:
    """Return whether a name ends as those of bots of strangers do, whatever its case and width.

    >>> has_bot_mark("Pebble (Bot)"), has_bot_mark("Robot")
    (True, False)
    """
    return unicodedata.normalize("NFKC", name).casefold().endswith(BOT_MARK.strip())


@cache
def _bot_titles() -> frozenset[str]:
    """Return the titles of all bots in every language, in the form in which names are compared with them."""
    names = {name for id in games() for name in bots.names(Game(id))}
    texts = [bots.levels.title(name)[lang] for name in names for lang in LANGUAGES]
    return frozenset(unicodedata.normalize("NFKC", text).casefold() for text in texts)


def new_table(order: NewTable, holder: str, new_id: NewId, now_ms: int) -> tuple[History, list[Event]]:
    """Return a new table as ordered, and its first events."""
    try:
        game = complete_game(order.game, dict(order.options))
    except (UnknownGame, BadOption) as error:
        raise Refused(ErrorCode.BAD_OPTIONS, why=str(error)) from None
    unknown = [player for player in order.seats if player not in game.seats]
    if unknown:
        raise Refused(ErrorCode.BAD_SEATS, given=unknown[0], accepted=game.seats)
    free = [player for player in game.seats if player not in order.seats]
    mine = free[:1] if "me" not in order.seats.values() else []
    chosen = {player: "me" if player in mine else "open" for player in free} | dict(order.seats)
    if order.toss:
        chosen = _toss_sides(chosen, game)
    seats = tuple(_ordered_seat(order, holder, game, player, chosen[player]) for player in game.seats)
    if not any(seat.kind == SeatKind.PERSON for seat in seats):
        raise Refused(ErrorCode.BAD_SEATS)
    if order.difficulty:
        _check_difficulty(order.difficulty, game)
    head = _new_head(game, new_id, now_ms, order.open, _ordered_control(order, game))
    if order.rated:
        head = replace(head, rated=True)
        if why := unrated_reason(head, seats):
            raise Refused(ErrorCode.CANNOT_RATE, why=why)
    return _start_deal(head, seats, now_ms)


def with_deal(history: History, difficulty: str, secret: bytes, now_ms: int) -> tuple[History, list[Event]]:
    """Return a new table with the deal of another secret, which was chosen by its difficulty."""
    seal = hashlib.sha256(secret).hexdigest()
    return start(
        replace(history.head, secret=secret, seal=seal, origin=Fresh(difficulty)), history.seats, now_ms
    )


def _check_difficulty(difficulty: str, game: Game) -> None:
    """Refuse a difficulty that there is not, or that was not measured with these options."""
    if difficulty not in DIFFICULTIES:
        accepted = ", ".join(DIFFICULTIES)
        raise Refused(ErrorCode.BAD_OPTIONS, why=UNKNOWN_DIFFICULTY.fill(given=difficulty, accepted=accepted))
    if bands(game) is None:
        raise Refused(ErrorCode.BAD_OPTIONS, why=NO_DIFFICULTY)


def unrated_reason(head: Head, seats: tuple[Seat, ...]) -> Text | None:
    """Return the reason why a match of these seats cannot be rated, in words; None if it can."""
    if len(seats) != 2:
        return TWO_RATED
    if head.control is None:
        return RATED_NEEDS_TIME
    if without_idle_options(head.game).non_default_options:
        return RATED_STANDARD
    if any(seat.kind == SeatKind.BOT for seat in seats) or all(
        seat.kind == SeatKind.PERSON for seat in seats
    ):
        return RATED_PEOPLE
    return None


def _toss_sides(sitters: dict[str, str], game: Game) -> dict[str, str]:
    """Return the same sitters, each as many seats further as a toss says."""
    row = [sitters[player] for player in game.seats]
    further = secrets.randbelow(len(row))
    return dict(zip(game.seats, row[further:] + row[:further], strict=True))


def _ordered_control(order: NewTable, game: Game) -> TimeControl | None:
    if order.time and len(game.seats) != 2:
        raise Refused(ErrorCode.BAD_TIME, why=TWO_PLAYERS)
    try:
        return clock.read(order.time)
    except BadTimeControl:
        raise Refused(ErrorCode.BAD_TIME, why=NO_TIME.fill(given=order.time)) from None


def start(head: Head, seats: tuple[Seat, ...], now_ms: int) -> tuple[History, list[Event]]:
    """Return a table before its first event, and the chance steps that begin it.

    There are none while a seat is free.
    """
    history = History(head, seats)
    return history, step_events(_first_choice(history.match), 0, now_ms) if history.started else []


def _start_deal(head: Head, seats: tuple[Seat, ...], now_ms: int) -> tuple[History, list[Event]]:
    """Start a table. A deal for one that leaves its player no choice is dealt again.

    Where a variant has such deals, the origin says that the deal was chosen: its opening is no fair sample.
    """
    if len(seats) > 1 or not may_end_at_once(head.game):
        return start(head, seats, now_ms)
    return _deal_until(head, seats, now_ms, lambda match: not _first_choice(match).over)


def _deal_until(
    head: Head, seats: tuple[Seat, ...], now_ms: int, fits: Callable[[Match], bool]
) -> tuple[History, list[Event]]:
    """Start a table with a deal that fits, or with the last of MAX_DEALS."""
    head = replace(head, origin=Fresh(BEGUN))
    for _ in range(MAX_DEALS):
        history, events = start(head, seats, now_ms)
        if fits(history.match):
            break
        envelope = Envelope.create()
        assert envelope.secret is not None
        head = replace(head, secret=envelope.secret, seal=envelope.seal)
    return history, events


def may_be_gentle(history: History) -> bool:
    """Return whether a person alone with bots can be dealt a gentle opening, as the game's guide has it."""
    people = [seat for seat in history.seats if seat.kind != SeatKind.BOT]
    return len(people) == 1 < len(history.seats) and hasattr(history.head.game.guide, "is_gentle")


def deal_gently(history: History, now_ms: int) -> tuple[History, list[Event]]:
    """Return a new table with a deal that is gentle at the person's first choice. A bot may have moved before."""
    (person,) = [i for i, seat in enumerate(history.seats) if seat.kind != SeatKind.BOT]
    guide: Any = history.head.game.guide

    def is_gentle(match: Match) -> bool:
        ahead = _first_choice(match)
        while not ahead.over and ahead.position.s.turn != person:
            ahead.play(ahead.position.legal()[-1])
            ahead.settle()
        return bool(guide.is_gentle(ahead.game.board, ahead.position.s))

    return _deal_until(history.head, history.seats, now_ms, is_gentle)


@lru_cache(maxsize=256)
def may_end_at_once(game: Game) -> bool:
    """Return whether one of SAMPLE_DEALS fixed deals of a game with luck ends before the first choice."""
    deals = (Match(game, number.to_bytes(DEAL_BYTES)) for number in range(SAMPLE_DEALS))
    return bool(game.sources) and any(_first_choice(match).over for match in deals)


def prepare_game(id: str, options: Mapping[str, Value]) -> None:
    """Work out what a first table of a variant needs, so that opening it is quick."""
    with suppress(UnknownGame, BadOption):
        game = complete_game(id, options)
        may_end_at_once(game)
        without_idle_options(game)
        game.actions  # noqa: B018


def _first_choice(match: Match) -> Match:
    """Return a copy of a match at its first choice, or at its end."""
    settled = match.copy()
    settled.settle()
    return settled


def brought_table(match: Match, holder: str, new_id: NewId, now_ms: int) -> tuple[History, list[Event]]:
    """Return the table of a match that was played offline, and all its events. The holder sat where no bot did.

    Its id is made of its game and its seal, so that the same match is the same table.
    """
    envelope, names = match.envelope, bots.names(match.game)
    assert envelope is not None
    assert envelope.secret is not None
    digest = hashlib.sha256(f"{match.game.id} {envelope.seal}".encode()).digest()
    id = base64.b32encode(digest[:ID_BYTES]).decode().rstrip("=").lower()
    head = replace(_new_head(match.game, new_id, now_ms), id=id, origin=BroughtFromOffline())
    head = replace(head, secret=envelope.secret, seal=envelope.seal)
    seats = [
        Seat(player, SeatKind.BOT, name, name, SeatKind.BOT)
        if name in names
        else Seat(player, SeatKind.PERSON, holder=holder)
        for player, name in match.seats.items()
    ]
    history = History(head, seats)
    return history, finished_events(match, now_ms)


def take_seat(history: History, holder: str, join: Join) -> tuple[int, Seat]:
    """Return the number of the first open seat, and the seat with this person on it. Refuse if all are taken."""
    for i, seat in enumerate(history.seats):
        if seat.kind == SeatKind.OPEN:
            return i, seat_person(seat, holder, person_name(join.name), clean(join.words, MAX_WORDS))
    raise Refused(ErrorCode.SEAT_TAKEN)


def pair_up(
    wish: Wish, rated: bool, sitters: tuple[Sitter, Sitter], new_id: NewId, now_ms: int
) -> tuple[History, list[Event]]:
    """Return a table for two participants with accounts; a toss decides who has which side."""
    game = complete_game(wish.game)
    head = _new_head(game, new_id, now_ms, is_open=True, control=clock.read(wish.time))
    first = secrets.randbelow(2)
    drawn = sitters[first], sitters[1 - first]
    seats = tuple(
        Seat(player, SeatKind.BOT if sitter.bot else SeatKind.PERSON, sitter.name, sitter.bot, sitter.holder)
        for player, sitter in zip(game.seats, drawn, strict=True)
    )
    return start(replace(head, rated=rated), seats, now_ms)


def tournament_table(
    game: Game,
    control: TimeControl,
    rated: bool,
    sitters: Sequence[Sitter],
    new_id: NewId,
    now_ms: int,
    listed: bool = False,
) -> tuple[History, list[Event]]:
    """Return a table of a tournament, `listed` among those to watch.

    It counts for ratings only where two people play by the rulebook.
    """
    seats = tuple(
        Seat(player, SeatKind.BOT, sitter.bot, sitter.bot, holder=SeatKind.BOT)
        if sitter.bot
        else Seat(player, SeatKind.PERSON, sitter.name, holder=sitter.holder)
        for player, sitter in zip(game.seats, sitters, strict=True)
    )
    counts = rated and not any(sitter.bot for sitter in sitters)
    counts = counts and not without_idle_options(game).non_default_options
    head = _new_head(game, new_id, now_ms, listed, control)
    return start(replace(head, origin=model_history.TournamentGame(), rated=counts), seats, now_ms)


def sealed_head(id: str, game: Game, secret: bytes, seal: str, now_ms: int, closes_at: int) -> Head:
    """Return the head of a table on which one of several people plays a deal that is sealed until it closes."""
    return Head(id, game, game.version, secret, seal, random_id(16), now_ms, SealedDeal(closes_at))


def deal_seats(game: Game, seat: int, sitter: Seat, bot: str) -> tuple[Seat, ...]:
    """Return the seats of the table on which somebody plays a deal from a seat; any other seat is this bot's."""
    return tuple(
        replace(sitter, player=player)
        if i == seat
        else Seat(player, SeatKind.BOT, bot, bot, holder=SeatKind.BOT)
        for i, player in enumerate(game.seats)
    )


def check_wish(wish: Wish) -> None:
    """Refuse a wish for a game that is not for two, or for a time that is not one of the presets."""
    game = complete_game(wish.game) if wish.game in games() else None
    if game is None or len(game.seats) != 2:
        accepted = [id for id in games() if len(Game(id).seats) == 2]
        raise Refused(ErrorCode.BAD_WISH, given=wish.game, accepted=accepted)
    check_preset(wish.time)


def check_preset(time: str) -> None:
    """Refuse a time that is not one of the presets."""
    if time not in map(str, clock.PRESETS):
        raise Refused(ErrorCode.BAD_WISH, given=time, accepted=list(map(str, clock.PRESETS)))


def rematch(
    history: History, holder: str, command: Rematch, new_id: NewId, now_ms: int
) -> tuple[History, list[Event]]:
    """Return a table for the same people, each one seat further, with a new deal.

    The words of the holder who asks for it are mixed into the luck.
    """
    if not history.ending or not history.started:
        raise Refused(history.closing_code or ErrorCode.NO_REMATCH)
    rotated = history.seats[-1:] + history.seats[:-1]
    words = {holder: clean(command.words, MAX_WORDS)}
    seats = [
        replace(new, player=seat.player, words=words.get(new.holder, ""))
        for seat, new in zip(history.seats, rotated, strict=True)
    ]
    head = _new_head(history.head.game, new_id, now_ms, history.head.open, history.head.control)
    head = replace(head, rated=history.head.rated)
    return _start_deal(head, tuple(seats), now_ms)


def practice(
    history: History, holder: str, fork: Fork, new_id: NewId, now_ms: int
) -> tuple[History, list[Event]]:
    """Return a practice table that goes on after the first `fork.at` steps of another.

    A fork of an ended match has the same envelope, which is open by then: it shows the luck that another
    decision would have met. A fork of a running match has a new deal, because it must not tell the future.
    """
    running = not history.ending
    if running and not (history.alone and history.seats_of(holder)):
        raise Refused(ErrorCode.CANNOT_FORK)
    if history.sealed:
        raise Refused(ErrorCode.SEALED)
    if not history.started:
        raise Refused(history.closing_code or ErrorCode.CANNOT_FORK)
    at = fork.at
    if at:
        history.refuse_past()
    last = len(history.match) - (history.match.position.actor is None)
    if not 0 <= at <= last:
        raise Refused(ErrorCode.BAD_STEP, last=last, at=at)
    head = _new_head(history.head.game, new_id, now_ms)
    proven = not at or (not running and history.head.is_proven)
    head = replace(head, origin=model_history.Fork(history.head.id, at, proven))
    seats = tuple(_practice_seat(seat, holder) for seat in history.seats)
    if running:
        seats = tuple(replace(seat, words="") for seat in seats)
    elif proven:
        head = replace(head, secret=history.head.secret, seal=history.head.seal)
    forked = History(head, seats)
    match = forked.match.copy()
    match.steps = history.match.steps[:at]
    match = match.until(at)
    match.settle()
    return forked, step_events(match, 0, now_ms)


def _practice_seat(seat: Seat, holder: str) -> Seat:
    """Return the seat on a practice table: taken by the holder, without the names of other people."""
    if seat.kind == SeatKind.BOT:
        return seat
    return replace(seat, kind=SeatKind.PERSON, holder=holder, name=seat.name if seat.holder == holder else "")


def _ordered_seat(order: NewTable, holder: str, game: Game, player: str, sitter: str) -> Seat:
    """Return the seat that an order names: for its sender, open, or for a bot. Refuse any other."""
    if sitter == "me":
        name, words = person_name(order.name), clean(order.words, MAX_WORDS)
        return Seat(player, SeatKind.PERSON, name, holder=holder, words=words)
    if sitter == "open":
        return Seat(player, SeatKind.OPEN)
    kind, _, name = sitter.partition(":")
    if kind != "bot" or name not in bots.names(game):
        accepted = ["me", "open", *(f"bot:{name}" for name in bots.names(game))]
        raise Refused(ErrorCode.BAD_SEATS, given=sitter, accepted=accepted)
    if lacks := bots.level(name, game).install_advice:
        raise Refused(ErrorCode.BAD_SEATS, why=lacks)
    return Seat(player, SeatKind.BOT, name, name, holder=SeatKind.BOT)


def _new_head(
    game: Game, new_id: NewId, now_ms: int, is_open: bool = False, control: TimeControl | None = None
) -> Head:
    envelope = Envelope.create()
    assert envelope.secret is not None
    return Head(
        new_id(ID_BYTES),
        game,
        game.version,
        envelope.secret,
        envelope.seal,
        new_id(16),
        now_ms,
        open=is_open,
        control=control,
    )
