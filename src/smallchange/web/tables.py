"""New tables: as ordered, as a rematch, and as practice. Everything here only makes them up; nothing is
stored."""

from __future__ import annotations

import base64
import re
import secrets
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from smallchange import mind
from smallchange.dice import Envelope
from smallchange.errors import BadOption, UnknownGame
from smallchange.game import Game, kept
from smallchange.text import JOINERS, Text

from .deeds import steps
from .refused import Refused
from .story import BOT, OPEN, PERSON, Event, Head, Seat, Story, sat

NAME, WORDS = 40, 100  # the most characters
NOBODY = Text("choose “me” for one of the seats", "どれか1つの席を「自分」にしてください")
NONE_OF = Text("{what} is none of {names}", "{what}は{names}のどれでもありません")
Mint = Callable[[int], str]  # n -> a fresh text of n random bytes


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody wants to play: `seats` is player -> "me", "open" or "bot:NAME"; of those not named, the
    first is me (if I have no seat yet) and the others are open. `open`: list the table in the lobby while a
    seat is."""

    game: str
    options: Mapping[str, object] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    words: str = ""
    open: bool = False


def fresh(n: int) -> str:
    """A new text of `n` random bytes, in small letters and digits."""
    return base64.b32encode(secrets.token_bytes(n)).decode().rstrip("=").lower()


def clean(text: str, most: int) -> str:
    """A name or words as they are kept: one line, without control or direction characters, but with those
    that join letters and signs.

    >>> clean("  Ann\\n\\u202eB ", 40), clean("\\u200d \\u200c", 40)
    ('Ann B', '')
    >>> clean("\\U0001f468\\u200d\\U0001f469", 40) == "\\U0001f468\\u200d\\U0001f469"
    True
    """
    text = text[: 10 * most]  # to put much in order takes long
    text = unicodedata.normalize("NFC", text.encode("utf-8", "ignore").decode())
    kept = "".join(
        c if unicodedata.category(c)[0] != "C" or c in JOINERS else " " if c.isspace() else "" for c in text
    )
    return re.sub(r"\s+", " ", kept).strip(" " + JOINERS)[:most].strip(" " + JOINERS)


def ordered(order: Order, holder: str, mint: Mint, now: int) -> tuple[Story, list[Event]]:
    """A new table with its first events."""
    try:
        game = kept(Game(order.game, dict(order.options)))
    except (UnknownGame, BadOption) as wrong:
        raise Refused("options", why=str(wrong)) from None
    unknown = [player for player in order.seats if player not in game.seats]
    if unknown:
        raise Refused("seats", why=NONE_OF.fill(what=f"{unknown[0]!r:.80}", names=", ".join(game.seats)))
    free = [player for player in game.seats if player not in order.seats]
    mine = free[:1] if "me" not in order.seats.values() else []
    chosen = {player: "me" if player in mine else "open" for player in free} | dict(order.seats)
    seats = tuple(_seated(order, holder, game, player, chosen[player]) for player in game.seats)
    if not any(seat.kind == PERSON for seat in seats):
        raise Refused("seats", why=NOBODY)
    return begun(_head(game, mint, now, open=order.open), seats, now)


def begun(head: Head, seats: tuple[Seat, ...], now: int) -> tuple[Story, list[Event]]:
    """A table before its first event, and the chance steps that it begins with once all have sat down."""
    story = Story(head, seats)
    if not story.started:
        return story, []
    match = story.match.copy()
    match.settle()
    return story, steps(match, 0, now)


def sitting(story: Story, holder: str, name: str, words: str) -> tuple[int, Seat]:
    """The first open seat, with somebody on it."""
    for i, seat in enumerate(story.seats):
        if seat.kind == OPEN:
            return i, sat(seat, holder, clean(name, NAME), clean(words, WORDS))
    raise Refused("taken")


def rematch(story: Story, holder: str, words: str, mint: Mint, now: int) -> tuple[Story, list[Event]]:
    """The same people again, everyone a seat further, with fresh luck and the words of who asks for it."""
    if not story.ended or not story.started:
        raise Refused(story.closed or "again")
    sitters = story.seats[-1:] + story.seats[:-1]
    added = {holder: clean(words, WORDS)}
    seats = [
        replace(who, player=seat.player, words=added.get(who.holder, ""))
        for seat, who in zip(story.seats, sitters, strict=True)
    ]
    return begun(_head(story.head.game, mint, now), tuple(seats), now)


def practice(story: Story, holder: str, at: int, mint: Mint, now: int) -> tuple[Story, list[Event]]:
    """A table of one's own that goes on after the first `at` steps of another, marked as practice.

    From an ended match it goes on with the same envelope, which is open by then, so that one can see what
    another decision would have met. From a running one it gets luck of its own: it must not tell the future.
    """
    running = not story.ended
    if running and not (story.alone and story.held(holder)):
        raise Refused("fork")
    if not story.started:
        raise Refused(story.closed or "fork")
    last = len(story.match) - (story.match.position.actor is None)
    if not 0 <= at <= last:
        raise Refused("step", last=last, at=at)
    head = _head(story.head.game, mint, now)
    head = replace(head, parent=story.head.id, told=at, proven=at == 0)
    seats = tuple(_practised(seat, holder) for seat in story.seats)
    if running:
        seats = tuple(replace(seat, words="") for seat in seats)
    elif story.head.proven or not at:
        head = replace(head, secret=story.head.secret, seal=story.head.seal, proven=True)
    fork = Story(head, seats)
    match = fork.match.copy()
    match.steps = story.match.steps[:at]
    match = match.until(at)
    match.settle()
    return fork, steps(match, 0, now)


def _practised(seat: Seat, holder: str) -> Seat:
    """The seat on a practice table: its person is who practices, under no name but their own."""
    if seat.kind == BOT:
        return seat
    return replace(seat, kind=PERSON, holder=holder, name=seat.name if seat.holder == holder else "")


def _seated(order: Order, holder: str, game: Game, player: str, who: str) -> Seat:
    if who == "me":
        name, words = clean(order.name, NAME), clean(order.words, WORDS)
        return Seat(player, PERSON, name, holder=holder, words=words)
    if who == "open":
        return Seat(player, OPEN)
    kind, _, name = who.partition(":")
    if kind != "bot" or name not in mind.names(game):
        accepted = ", ".join(["me", "open", *(f"bot:{name}" for name in mind.names(game))])
        raise Refused("seats", why=NONE_OF.fill(what=f"{who!r:.80}", names=accepted))
    if lacks := mind.level(name, game).lacks:
        raise Refused("seats", why=lacks)
    return Seat(player, BOT, name, name, holder=BOT)


def _head(game: Game, mint: Mint, now: int, open: bool = False) -> Head:
    envelope = Envelope.fresh()
    assert envelope.secret is not None
    return Head(mint(12), game, game.version, envelope.secret, envelope.seal, open, mint(16), now)
