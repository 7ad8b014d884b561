"""The events of a command: what each seat may do at a table. Nothing is stored, sent or changed here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from smallchange.core.errors import IllegalMove, UnknownMove
from smallchange.core.match import Match
from smallchange.core.state import CHANCE
from smallchange.i18n.formats import number
from smallchange.server.table.clock import Clock
from smallchange.server.table.commands import Abort, Act, Answer, Claim, Command, Offer, Resign
from smallchange.server.table.history import (
    ABORT,
    AGREE,
    CLAIM,
    CLAIMED_DRAW,
    CLAIMED_WIN,
    DRAW,
    EXTEND,
    MAX_EVENTS,
    NOBODY,
    OFFER,
    PERSON,
    REFUSE,
    REMATCH,
    RESIGN,
    STEP,
    TAKEBACK,
    TIME_OUT,
    UNDO,
    Event,
    History,
)
from smallchange.server.table.time_control import MINUTE_MS, SECOND_MS
from smallchange.server.web.errors import ErrorCode, Refused

MAX_LEGAL_SHOWN = 40  # legal tokens named in a refusal
MAX_LAG_MS = 1_000  # of a move in a live match that the clock is not charged with
CLAIM_AFTER_MS = 60_000  # for which a player of a live match is away before the other may claim
MIN_OUTAGE_MS = 5 * SECOND_MS  # of the server, which live clocks are not charged with
MAX_LIVE_OUTAGE_MS = MINUTE_MS  # of the server, after which a live match ends without a result
MIN_LONG_OUTAGE_MS = 60 * MINUTE_MS  # of the server, which clocks by correspondence are not charged with
CLAIMS = {"win": CLAIMED_WIN, "draw": CLAIMED_DRAW}
OFFERS = {"draw": DRAW, "undo": TAKEBACK, "rematch": REMATCH}


class NewEvents(NamedTuple):
    """The events of a command, in the order in which they are to be committed.

    They include the steps of chance that follow. `after` is the match after them, for a step.
    """

    events: list[Event]
    after: Match | None = None

    @property
    def end_match(self) -> bool:
        """Return whether the match is over after these events."""
        ends = (RESIGN, AGREE, TIME_OUT, ABORT, CLAIM)
        return self.events[-1].kind in ends or (self.after is not None and self.after.over)


class Circumstances(NamedTuple):
    """The circumstances of a command.

    `lag_ms` is the delay of the sender's network. `away_since` has, by seat, the time since when its player is away.
    """

    lag_ms: int = 0
    away_since: Mapping[int, int] = {}


USUAL = Circumstances()


def execute(
    history: History, holder: str, command: Command, now_ms: int, around: Circumstances = USUAL
) -> NewEvents:
    """Return the events of a command, or raise Refused. The history is not changed."""
    held = history.seats_of(holder)
    if not held:
        raise Refused(ErrorCode.SPECTATOR)
    if history.closing_code and not _concerns_rematch(history, command):
        raise Refused(history.closing_code)
    if not history.started and not isinstance(command, Resign):
        raise Refused(ErrorCode.NOT_STARTED)
    if history.clock and history.events:
        now_ms = max(now_ms, history.events[-1].at)  # the clock of another process may be ahead
    if isinstance(command, Act):
        return _act(history, held, command, now_ms, around.lag_ms)
    if isinstance(command, Offer):
        return NewEvents(_offer(history, held, command, now_ms))
    if isinstance(command, Answer):
        return NewEvents([_answer(history, held, command, now_ms)])
    if isinstance(command, Abort):
        if not may_abort(history, held):
            raise Refused(ErrorCode.CANNOT_ABORT)
        return NewEvents([Event(ABORT, held[0], 0, command.move, now_ms)])
    if isinstance(command, Claim):
        possible_at = claim_time(history, held, around.away_since)
        if possible_at is None or now_ms < possible_at:
            raise Refused(ErrorCode.CANNOT_CLAIM)
        return NewEvents([Event(CLAIM, held[0], CLAIMS[command.what], command.move, now_ms)])
    if isinstance(command, Resign):
        seat = history.turn if history.turn in held else held[0]
        return NewEvents([Event(RESIGN, seat, 0, command.move, now_ms)])
    if not history.alone:
        raise Refused(ErrorCode.RATED_AGAINST_BOT if history.one_person else ErrorCode.MUST_ASK_TO_UNDO)
    remaining = length_after_undo(history, held)
    if remaining is None:
        too_many = history.ply >= MAX_EVENTS
        raise Refused(ErrorCode.TOO_MANY_EVENTS if too_many else ErrorCode.NOTHING_TO_UNDO)
    return NewEvents([Event(UNDO, held[0], remaining, command.move, now_ms)])


def time_out(history: History, now_ms: int) -> Event | None:
    """Return the event that ends a match in which the seat on turn has run out of time; None while it has not.

    A seat that has not taken a turn yet does not lose: the match is aborted.
    """
    clock = history.clock
    due_at = deadline(clock) if clock and not history.ending else None
    if clock is None or due_at is None or now_ms < due_at or clock.running is None:
        return None
    return Event(ABORT if clock.first_turn else TIME_OUT, clock.running, 0, None, now_ms)


def deadline(clock: Clock) -> int | None:
    """Return the time from which the running seat is out of time whatever its lag; None if no clock runs."""
    due_at = clock.deadline
    return due_at + MAX_LAG_MS if due_at is not None and clock.control.live else due_at


def outage_event(history: History, since_ms: int, now_ms: int, move: str) -> Event | None:
    """Return the event by which a match passes over a time in which nobody could reach the server.

    A live match gets the time back from MIN_OUTAGE_MS on, and ends without a result after MAX_LIVE_OUTAGE_MS. A
    match by correspondence gets it back from MIN_LONG_OUTAGE_MS on. Return None if nothing is done.
    """
    clock, lost_ms = history.clock, now_ms - since_ms
    if history.ending or clock is None or clock.running is None or lost_ms < MIN_OUTAGE_MS:
        return None
    if not clock.control.live and lost_ms < MIN_LONG_OUTAGE_MS:
        return None
    if clock.control.live and lost_ms > MAX_LIVE_OUTAGE_MS:
        return Event(ABORT, NOBODY, 0, move, now_ms)
    return Event(EXTEND, clock.running, -(-lost_ms // SECOND_MS), move, now_ms)


def may_abort(history: History, held: tuple[int, ...]) -> bool:
    """Return whether these seats may end the match without a result: some seat has not taken a turn yet."""
    clock = history.clock
    if not held or clock is None or history.ending or not history.started:
        return False
    return any(on and not turns for on, turns in zip(clock.timed, clock.turns_taken, strict=True))


def claim_time(history: History, held: tuple[int, ...], away_since: Mapping[int, int]) -> int | None:
    """Return the time from which these seats may claim the match from the other player, who is away.

    Return None if they may not.
    """
    clock = history.clock
    if clock is None or not clock.control.live or len(held) != 1 or history.ending or not history.started:
        return None
    other = 1 - held[0]
    if may_abort(history, held) or history.seats[other].kind != PERSON or other not in away_since:
        return None
    acted = next((event.at for event in reversed(history.events) if event.seat == other), 0)
    return max(away_since[other], acted) + CLAIM_AFTER_MS


def opens_rematch(history: History, holder: str, command: Command | None = None) -> bool:
    """Return whether a command of this player opens a rematch, or may open one for None.

    It does where nobody else plays, or where the other player has asked for a rematch. The rematch may be
    open already, by the same command.
    """
    held = history.seats_of(holder)
    wished = command is None or (isinstance(command, Offer) and command.what == "rematch")
    accepted = wished or (isinstance(command, Answer) and command.yes)
    if not held or not history.ending or not history.started:
        return False
    is_offered = history.offer is not None and history.offer.seat not in held
    return (wished and history.one_person) or (accepted and is_offered)


def is_repeated(history: History, holder: str, command: Command) -> bool:
    """Return whether the same command was committed before. Refuse it if its move id was used for another."""
    ply = history.moves.get(command.move)
    if ply is None:
        return False
    event, held = history.events[ply], history.seats_of(holder)
    mine = event.seat in held
    if isinstance(command, Act):
        fits = event.kind == STEP and event.action == history.match.game.actions.get(command.token)
    elif isinstance(command, Offer):
        fits = event.kind == OFFER and event.action == OFFERS[command.what]
    elif isinstance(command, Answer):  # it stands right after its offer
        offer = history.events[ply - 1]
        accepted = AGREE if offer.action == DRAW else UNDO
        fits = offer.kind == OFFER and event.kind == (accepted if command.yes else REFUSE)
        mine = bool(held) and offer.seat not in held if command.yes else mine
    elif isinstance(command, Claim):
        fits = event.kind == CLAIM and event.action == CLAIMS[command.what]
    else:
        kinds = {Resign: RESIGN, Abort: ABORT}
        fits = event.kind == kinds.get(type(command), UNDO)
    if not (fits and mine and command.ply == ply):
        raise Refused(ErrorCode.MOVE_ID_USED)
    return True


def step_events(match: Match, known: int, now_ms: int, move: str | None = None) -> list[Event]:
    """Return the steps of a match from number `known` on as events.

    The first one has the move id.
    """
    game, events = match.game, []
    for step in match.steps[known:]:
        seat = CHANCE if step.actor == "chance" else game.seats.index(step.actor)
        events.append(Event(STEP, seat, game.actions[step.token], move, now_ms))
        move = None
    return events


def finished_events(match: Match, now_ms: int) -> list[Event]:
    """Return the events of a match for one: its steps, and the end where its player resigned."""
    events = step_events(match, 0, now_ms)
    return [*events, Event(RESIGN, 0, 0, None, now_ms)] if match.ended else events


def length_after_undo(history: History, held: tuple[int, ...]) -> int | None:
    """Return the number of steps that remain when the last decision of these seats is taken back.

    All steps after that decision are taken back too. Return None if these seats have decided nothing yet, if
    chance has answered since, or if the table has MAX_EVENTS events.
    """
    if history.ply >= MAX_EVENTS:
        return None
    players = {history.match.game.seats[seat] for seat in held}
    line = history.match.steps
    for i in range(len(line) - 1, history.head.fork_length - 1, -1):
        if line[i].actor == "chance":
            return None
        if line[i].actor in players:
            return i
    return None


def possible_offers(history: History, held: tuple[int, ...]) -> tuple[str, ...]:
    """Return what these seats may offer to the other player now.

    These are some of "draw" and "undo", or after the end "rematch", which each side may ask for once. A
    player who holds both seats may agree to a draw without an offer.
    """
    if not held or not history.started or history.offer:
        return ()
    if history.ending:
        has_asked = any(event[:3] == (OFFER, held[0], REMATCH) for event in history.events)
        return () if has_asked or history.one_person or history.rematch else ("rematch",)
    if history.one_person:
        return ("draw",) if len(held) == 2 else ()
    if _has_offered_since_last_step(history, held[0]):
        return ()
    return ("draw", "undo") if length_after_undo(history, held) is not None else ("draw",)


def may_answer(history: History, held: tuple[int, ...]) -> bool:
    """Return whether these seats may accept or decline the offer that stands."""
    return history.offer is not None and not history.rematch and bool(held) and history.offer.seat not in held


def _concerns_rematch(history: History, command: Command) -> bool:
    """Return whether a command asks for a rematch, or answers such an offer."""
    if isinstance(command, Offer):
        return history.started and command.what == "rematch"
    return isinstance(command, Answer) and history.offer is not None


def _act(history: History, held: tuple[int, ...], command: Act, now_ms: int, lag_ms: int) -> NewEvents:
    """Return the events of a step and of the chance steps that follow it."""
    match, clock = history.match, history.clock
    if history.full:
        raise Refused(ErrorCode.TABLE_FULL, most=number(MAX_EVENTS))
    if history.turn not in held:
        raise Refused(ErrorCode.NOT_YOUR_TURN, who=match.game.words.PLAYERS[match.game.seats[history.turn]])
    lag_ms = max(0, min(lag_ms, MAX_LAG_MS)) if clock and clock.control.live else 0
    if clock and clock.is_expired(now_ms - lag_ms):
        raise Refused(ErrorCode.OUT_OF_TIME)
    after = match.copy()
    try:
        after.play(command.token)
    except UnknownMove:
        raise Refused(ErrorCode.UNKNOWN_TOKEN, token=command.token) from None
    except IllegalMove:
        legal = match.position.legal()[:MAX_LEGAL_SHOWN]
        raise Refused(ErrorCode.ILLEGAL, token=command.token, legal=legal) from None
    after.settle()
    events = step_events(after, len(match), now_ms, command.move)
    if lag_ms:
        events[0] = events[0]._replace(lag=lag_ms)
    return NewEvents(events, after)


def _has_offered_since_last_step(history: History, seat: int) -> bool:
    """Return whether this seat has made an offer since the last step. It may make only one."""
    for event in reversed(history.events):
        if event.kind == STEP:
            return False
        if event.kind == OFFER and event.seat == seat:
            return True
    return False


def _offer(history: History, held: tuple[int, ...], command: Offer, now_ms: int) -> list[Event]:
    """Return the event of an offer, with that of an agreement where one player holds both seats."""
    if command.what not in possible_offers(history, held):
        raise Refused(ErrorCode.CANNOT_OFFER)
    events = [Event(OFFER, held[0], OFFERS[command.what], command.move, now_ms)]
    return [*events, Event(AGREE, held[1], 0, None, now_ms)] if history.alone else events


def _answer(history: History, held: tuple[int, ...], command: Answer, now_ms: int) -> Event:
    """Return the event of an answer. An answer of the side that made the offer withdraws it."""
    if history.offer is None or (command.yes and history.offer.seat in held):
        raise Refused(ErrorCode.NO_OFFER)
    if not command.yes:  # from the side that made the offer, this withdraws it
        return Event(REFUSE, held[0], 0, command.move, now_ms)
    if history.offer.what == REMATCH:  # which has opened meanwhile
        raise Refused(ErrorCode.NO_OFFER)
    if history.offer.what == DRAW:
        return Event(AGREE, held[0], 0, command.move, now_ms)
    remaining = length_after_undo(history, (history.offer.seat,))
    if remaining is None:
        raise Refused(ErrorCode.NOTHING_TO_UNDO)
    return Event(UNDO, history.offer.seat, remaining, command.move, now_ms)
