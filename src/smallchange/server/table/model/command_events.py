"""The events of a command: what each seat may do at a table. Nothing is stored, sent or changed here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from smallchange.core.errors import IllegalMove, UnknownMove
from smallchange.core.match import Match
from smallchange.core.state import CHANCE
from smallchange.i18n.formats import number
from smallchange.server.table.model import commands, events
from smallchange.server.table.model.clock import MINUTE_MS, SECOND_MS, Clock, Pause
from smallchange.server.table.model.commands import Answer, Command
from smallchange.server.table.model.events import NOBODY, Claimed, Event, How, Proposal
from smallchange.server.table.model.history import MAX_EVENTS, History, SeatKind
from smallchange.server.web.errors import ErrorCode, Refused

MAX_LEGAL_SHOWN = 40  # legal tokens named in a refusal
MAX_LAG_MS = 1_000  # of a move in a live match that the clock is not charged with
CLAIM_AFTER_MS = 60_000  # for which a player of a live match is away before the other may claim
MIN_OUTAGE_MS = 5 * SECOND_MS  # between two looks of a server
MAX_LIVE_OUTAGE_MS = MINUTE_MS  # of the server, after which a live match ends without a result


class NewEvents(NamedTuple):
    """The events of a command, in the order in which they are to be committed.

    They include the steps of chance that follow. `after` is the match after them, for a step.
    """

    events: list[Event]
    after: Match | None = None

    @property
    def end_match(self) -> bool:
        """Return whether the match is over after these events."""
        return self.events[-1].ends_match or (self.after is not None and self.after.over)


class Circumstances(NamedTuple):
    """The circumstances of a command.

    `lag_ms` is the delay of the sender's network. `away_since` has, by seat, the time since when its player is away.
    `stood_ms` is the time charged to the running turn while its first event was stored, and while the command waited.
    """

    lag_ms: int = 0
    away_since: Mapping[int, int] = {}
    stood_ms: int = 0


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
    if not history.started and not isinstance(command, commands.Resign):
        raise Refused(ErrorCode.NOT_STARTED)
    if history.clock and history.events:
        now_ms = max(now_ms, history.events[-1].at)  # the clock of another process may be ahead
    match command:
        case commands.PlayMove():
            return _play(history, held, command, now_ms, around)
        case commands.Offer():
            return NewEvents(_offer(history, held, command, now_ms))
        case commands.Answer():
            return NewEvents([_answer(history, held, command, now_ms)])
        case commands.Abort():
            if not may_abort(history, held):
                raise Refused(ErrorCode.CANNOT_ABORT)
            return NewEvents([events.Abort(held[0], now_ms, command.command_id)])
        case commands.Claim():
            possible_at = claim_time(history, held, around.away_since)
            if possible_at is None or now_ms < possible_at:
                raise Refused(ErrorCode.CANNOT_CLAIM)
            what = Claimed[command.what.upper()]
            return NewEvents([events.Claim(held[0], now_ms, command.command_id, what=what)])
        case commands.Resign():
            seat = history.turn if history.turn in held else held[0]
            return NewEvents([events.Resign(seat, now_ms, command.command_id)])
    return NewEvents([_undo(history, held, command, now_ms)])


def time_out(history: History, now_ms: int) -> Event | None:
    """Return the event that ends a match in which the seat on turn has run out of time; None while it has not.

    A seat that has not taken a turn yet does not lose: the match is aborted.
    """
    clock = history.clock
    due_at = deadline(clock) if clock and not history.ending else None
    if clock is None or due_at is None or now_ms < due_at or clock.running is None:
        return None
    return (events.Abort if clock.first_turn else events.TimeOut)(clock.running, now_ms)


def deadline(clock: Clock) -> int | None:
    """Return the time from which the running seat is out of time whatever its lag; None if no clock runs."""
    due_at = clock.deadline
    return due_at + MAX_LAG_MS if due_at is not None and clock.control.live else due_at


def charged_ms(history: History, pauses: Iterable[Pause], now_ms: int) -> int:
    """Return the time that the running turn was charged with during these pauses, less refunds."""
    return history.clock.charged_in(pauses, now_ms) if history.clock and not history.ending else 0


def outage_event(history: History, outages: Iterable[Pause], now_ms: int) -> Event | None:
    """Return the event that gives back what the running turn was charged with in outages; None if that is nothing.

    A live match ends without a result after MAX_LIVE_OUTAGE_MS.
    """
    clock, lost_ms = history.clock, charged_ms(history, outages, now_ms)
    if clock is None or clock.running is None or lost_ms == 0:
        return None
    if clock.control.live and lost_ms > MAX_LIVE_OUTAGE_MS:
        return events.Abort(NOBODY, now_ms)
    return events.Extend(clock.running, now_ms, ms=lost_ms)


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
    if may_abort(history, held) or history.seats[other].kind != SeatKind.PERSON or other not in away_since:
        return None
    acted = next(
        (e.at for e in reversed(history.events) if e.seat == other or isinstance(e, events.Extend)), 0
    )
    return max(away_since[other], acted) + CLAIM_AFTER_MS


def opens_rematch(history: History, holder: str, command: Command | None = None) -> bool:
    """Return whether a command of this player opens a rematch, or may open one for None.

    It does where nobody else plays, or where the other player has asked for a rematch. The rematch may be
    open already, by the same command.
    """
    held = history.seats_of(holder)
    wished = command is None or (isinstance(command, commands.Offer) and command.what == "rematch")
    accepted = wished or (isinstance(command, Answer) and command.yes)
    if not held or not history.ending or not history.started:
        return False
    is_offered = history.offer is not None and history.offer.seat not in held
    return (wished and history.one_person) or (accepted and is_offered)


def is_current(history: History, command: Command) -> bool:
    """Return whether a command was made for the table as it is.

    Events that change neither position nor turn make none stale; only an answer is to the offer that its sender saw.
    """
    return command.ply <= history.ply and _is_quiet(history.events[command.ply :], command)


def _is_quiet(passed: Sequence[Event], command: Command) -> bool:
    """Return whether a command means the same before these events and after them."""
    quiet: tuple[type[Event], ...] = (events.Extend, events.DaysOff)
    if not isinstance(command, Answer):
        quiet += (events.Offer, events.Refuse)
    if isinstance(command, commands.PlayMove):
        quiet += (events.Sit,)
    return all(isinstance(event, quiet) for event in passed)


def repeated_ply(history: History, holder: str, command: Command) -> int | None:
    """Return the ply of the event of the same command, if there is one. Refuse an id that was used for another."""
    ply = history.command_plies.get(command.command_id)
    if ply is None:
        return None
    passed, held = history.events[command.ply : ply], history.seats_of(holder)
    if not (
        command.ply <= ply
        and _is_quiet(passed, command)
        and _comes_of(history, history.events[ply], command, held)
    ):
        raise Refused(ErrorCode.COMMAND_ID_USED)
    return ply


def _comes_of(history: History, event: Event, command: Command, held: tuple[int, ...]) -> bool:
    """Return whether an event comes of this command of the holder of these seats."""
    match command, event:
        case commands.PlayMove(), events.Step():
            fits = event.action == history.match.game.actions.get(command.token)
        case commands.Offer(), events.Offer():
            fits = event.what == Proposal[command.what.upper()]
        case commands.Claim(), events.Claim():
            fits = event.what == Claimed[command.what.upper()]
        case commands.Answer(yes=True), events.Agree() | events.Undo():
            before = history.events[: history.command_plies[command.command_id]]
            offer = next((event for event in reversed(before) if isinstance(event, events.Offer)), None)
            return offer is not None and bool(held) and offer.seat not in held
        case commands.Answer(yes=False), events.Refuse():
            fits = True
        case (
            (commands.Resign() | commands.Abort(), events.Resign())
            | (commands.Abort(), events.Abort())
            | (commands.Undo(), events.Undo())
        ):
            fits = True
        case _:
            fits = False
    return fits and event.seat in held


def step_events(
    match: Match, known: int, now_ms: int, command_id: str | None = None, lag_ms: int = 0
) -> list[Event]:
    """Return the steps of a match from number `known` on as events.

    The first one has the id of the command, and its lag.
    """
    game, found = match.game, list[Event]()
    for step in match.steps[known:]:
        seat = CHANCE if step.actor == "chance" else game.seats.index(step.actor)
        found.append(events.Step(seat, now_ms, command_id, action=game.actions[step.token], lag=lag_ms))
        command_id, lag_ms = None, 0
    return found


def finished_events(match: Match, now_ms: int) -> list[Event]:
    """Return the events of a match: its steps, and the end where a player resigned or two agreed on a draw."""
    steps, ended = step_events(match, 0, now_ms), match.ended or {}
    if ended.get("ended") == How.RESIGNED:
        return [*steps, events.Resign(match.game.seats.index(ended["by"]), now_ms)]
    return [*steps, events.Agree(NOBODY, now_ms)] if ended else steps


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
        asked = (event for event in history.events if isinstance(event, events.Offer))
        has_asked = any(event.what == Proposal.REMATCH and event.seat == held[0] for event in asked)
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
    if isinstance(command, commands.Offer):
        return history.started and command.what == "rematch"
    return isinstance(command, Answer) and history.offer is not None


def _play(
    history: History, held: tuple[int, ...], command: commands.PlayMove, now_ms: int, around: Circumstances
) -> NewEvents:
    """Return the events of a step and of the chance steps that follow it."""
    match, clock = history.match, history.clock
    if history.full:
        raise Refused(ErrorCode.TABLE_FULL, most=number(MAX_EVENTS))
    if history.turn not in held:
        raise Refused(ErrorCode.NOT_YOUR_TURN, who=match.game.words.PLAYERS[match.game.seats[history.turn]])
    live = clock is not None and clock.control.live
    lag_ms = max(0, min(around.lag_ms, MAX_LAG_MS)) if live else 0
    lag_ms += around.stood_ms if clock else 0
    if clock and clock.is_expired(now_ms, lag_ms):
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
    return NewEvents(step_events(after, len(match), now_ms, command.command_id, lag_ms), after)


def _undo(history: History, held: tuple[int, ...], command: Command, now_ms: int) -> Event:
    """Return the event of an undo. Against another person it must be asked for."""
    if not history.alone:
        raise Refused(ErrorCode.RATED_AGAINST_BOT if history.one_person else ErrorCode.MUST_ASK_TO_UNDO)
    remaining = length_after_undo(history, held)
    if remaining is None:
        too_many = history.ply >= MAX_EVENTS
        raise Refused(ErrorCode.TOO_MANY_EVENTS if too_many else ErrorCode.NOTHING_TO_UNDO)
    return events.Undo(held[0], now_ms, command.command_id, length=remaining)


def _has_offered_since_last_step(history: History, seat: int) -> bool:
    """Return whether this seat has made an offer since the last step. It may make only one."""
    for event in reversed(history.events):
        if isinstance(event, events.Step):
            return False
        if isinstance(event, events.Offer) and event.seat == seat:
            return True
    return False


def _offer(history: History, held: tuple[int, ...], command: commands.Offer, now_ms: int) -> list[Event]:
    """Return the event of an offer, with that of an agreement where one player holds both seats."""
    if command.what not in possible_offers(history, held):
        raise Refused(ErrorCode.CANNOT_OFFER)
    what = Proposal[command.what.upper()]
    offer = events.Offer(held[0], now_ms, command.command_id, what=what)
    return [offer, events.Agree(held[1], now_ms)] if history.alone else [offer]


def _answer(history: History, held: tuple[int, ...], command: Answer, now_ms: int) -> Event:
    """Return the event of an answer. An answer of the side that made the offer withdraws it."""
    if history.offer is None or (command.yes and history.offer.seat in held):
        raise Refused(ErrorCode.NO_OFFER)
    if not command.yes:  # from the side that made the offer, this withdraws it
        return events.Refuse(held[0], now_ms, command.command_id)
    if history.offer.what == Proposal.REMATCH:  # which has opened meanwhile
        raise Refused(ErrorCode.NO_OFFER)
    if history.offer.what == Proposal.DRAW:
        return events.Agree(held[0], now_ms, command.command_id)
    remaining = length_after_undo(history, (history.offer.seat,))
    if remaining is None:
        raise Refused(ErrorCode.NOTHING_TO_UNDO)
    return events.Undo(history.offer.seat, now_ms, command.command_id, length=remaining)
