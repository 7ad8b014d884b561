"""The view of a table for one kind of viewer, made from its history."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from smallchange.bots import install_advice
from smallchange.core.game import Position
from smallchange.i18n.text import Text
from smallchange.server.table.model import command_events
from smallchange.server.table.model.events import Offer, Proposal, Refuse
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.outcome import outcome
from smallchange.server.table.model.plans import Outlook, outlook, planning_seat
from smallchange.server.table.view.ending import outcome_text
from smallchange.server.table.view.planning import describe_lines
from smallchange.server.table.view.seats import remark_texts, seat_name, unrated_text
from smallchange.server.table.view.table_view import ClockView, TableView
from smallchange.server.table.view.timeline import Timeline
from smallchange.server.web import phrases as p

WAITING = Text("Waiting for someone to sit down.")
UNDO = Text("Take back “{step}”")
DRAW_OFFERED = Text("{who} offers a draw.")
BACK_ASKED = Text("{who} asks to take the last move back.")
DRAW_OFFERED_BY_YOU = Text("You offered a draw.")
BACK_ASKED_BY_YOU = Text("You asked to take back a move.")
LAPSES = Text("The offer ends with the next move.")
DRAW_DECLINED = Text("{who} declined the draw.")
BACK_DECLINED = Text("{who} declined to take the move back.")
DRAW_DECLINED_BY_YOU = Text("You declined the draw.")
BACK_DECLINED_BY_YOU = Text("You declined to take the move back.")
REMATCH_ASKED = Text("{who} asks for a rematch.")
REMATCH_ASKED_BY_YOU = Text("You asked for a rematch.")
REMATCH_DECLINED = Text("{who} declined the rematch.")
REMATCH_DECLINED_BY_YOU = Text("You declined the rematch.")
WITHDRAWN = Text("{who} withdrew the offer.")
WITHDRAWN_BY_YOU = Text("You withdrew the offer.")
UNDO_RULE = Text(
    "You can undo a decision until chance has decided something after it; what chance has "
    "revealed cannot be undone."
)
UNDO_ASKED = Text(
    "Against another person, you can ask to take back your last move until chance has "
    "decided something after it."
)
# the same where there is no chance
UNDO_FREE = Text("You can undo moves until the game is over.")
BACK_FREE = Text("Against another person, you can ask to take back your last move.")
OFFER_TEXTS = {  # the sentence for others, and for the seat that made the offer
    Proposal.DRAW: (DRAW_OFFERED, DRAW_OFFERED_BY_YOU + LAPSES),
    Proposal.UNDO: (BACK_ASKED, BACK_ASKED_BY_YOU + LAPSES),
    Proposal.REMATCH: (REMATCH_ASKED, REMATCH_ASKED_BY_YOU),
}
DECLINED_TEXTS = {
    Proposal.DRAW: (DRAW_DECLINED, DRAW_DECLINED_BY_YOU),
    Proposal.UNDO: (BACK_DECLINED, BACK_DECLINED_BY_YOU),
    Proposal.REMATCH: (REMATCH_DECLINED, REMATCH_DECLINED_BY_YOU),
}
GIVEN = Text("Moves from before this practice game cannot be undone.")


class SharedView(NamedTuple):
    """The TableView of somebody without a seat, of which each viewer's is a variant, now or at an earlier step."""

    timeline: Timeline
    present: tuple[int, ...]
    view: TableView


def shared_view(
    history: History, timeline: Timeline, present: tuple[int, ...], at: int | None = None
) -> SharedView:
    """Return what all viewers share.

    `present` are the seats whose holders are present. `at` looks back to the table after that many steps; nobody looks
    back in a game by memory before its end.
    """
    timeline.follow(history)
    head, length = history.head, len(history.match)
    by_memory, unseen = history.is_past_hidden, history.steps_out_of_sight
    at = None if by_memory else at
    back = at is not None and at != length
    move_count = timeline.log[-1].decided if timeline.log else 0
    if back:
        timeline = timeline.rewind(history.match.steps[:at])
    end = outcome(history.match, history.ending) if history.ending and not back else None
    fields = timeline.shared_fields
    view = TableView(
        **(fields | {"log": fields["log"][unseen:]} if unseen else fields),
        match=head.id,
        ply=history.ply,
        move_count=move_count,
        length=length,
        at=at if at is not None else length,
        back=back,
        is_over=history.ending is not None,
        prompt=outcome_text(history.match, end) if end else _prompt(history, timeline.position),
        outcome=end,
        started=history.started,
        envelope=history.envelope,
        origin=head.origin,
        sealed=history.sealed,
        may_fork=history.started and not history.sealed and history.ending is not None,
        may_review=history.reviewable and not install_advice(),
        rematch=history.rematch,
        alone=history.alone,
        rated=head.rated,
        by_memory=by_memory,
        undo_rule=undo_rule(history),
        unrated_why=unrated_text(history),
    )
    return SharedView(timeline, present, view)


def view_for(
    history: History, shared: SharedView, held: tuple[int, ...], clock: ClockView | None = None, turn: int = 0
) -> TableView:
    """Return the table as the holder of these seats sees it.

    The clock is as it is now, and the board turned by so many quarters.
    """
    timeline, present, view = shared
    seats, presence = timeline.seats_and_presence(history, held, present)
    if not held:
        return replace(view, seats=seats, presence=presence, clock=clock, turn=turn)
    acting = not view.back and history.turn in held
    seat = planning_seat(history, held)
    plan = history.plans.get(held[0]) if seat is not None else None
    ahead = outlook(history, plan) if plan else Outlook()
    return replace(
        view,
        seats=seats,
        presence=presence,
        clock=clock,
        turn=turn,
        choices=timeline.choices(history.match.legal_actions()) if acting else (),
        own_seats=held,
        invite_path=f"/j/{history.head.code}" if history.waiting else None,
        undo_text=None if view.back else _undo_text(history, timeline, held),
        possible_offers=() if view.back else command_events.possible_offers(history, held),
        offer_text=_offer_text(history, held),
        declined_text=_declined_text(history, held),
        may_answer=command_events.may_answer(history, held),
        unrated_why=unrated_text(history, held),
        plan=describe_lines(history.match.position, held[0], ahead.lines),
        plan_dropped=ahead.dropped,
        may_plan=seat is not None and any(one.kind == SeatKind.PERSON and not one.you for one in seats),
        may_resign=not history.ending,
        may_fork=view.may_fork or (history.started and not history.sealed and history.alone),
        remarks=remark_texts(history, held),
        muted=bool(history.remarks.muted.intersection(held)),
    )


def _prompt(history: History, position: Position) -> Text:
    """Return whose turn it is and what to do, or the result at the end."""
    game = history.head.game
    if history.waiting:
        return WAITING
    if position.actor is None:
        sentence: Text = game.words.ending(game.board, position.s)
    else:
        sentence = game.words.asks(game.board, position.s)
    return sentence


def _undo_text(history: History, timeline: Timeline, held: tuple[int, ...]) -> Text | None:
    """Return the description of the step that Undo would take back; None if it is not possible."""
    if history.ending or not history.started or not history.alone:
        return None
    back = command_events.length_after_undo(history, held)
    return None if back is None else UNDO.fill(step=timeline.log[back].text)


def _offer_text(history: History, held: tuple[int, ...]) -> Text | None:
    """Return the sentence on the offer that stands, for its maker or for others."""
    if history.offer is None or history.rematch:
        return None
    sentence, by_you = OFFER_TEXTS[history.offer.what]
    if history.offer.seat in held:
        return by_you
    return sentence.fill(who=seat_name(history, history.offer.seat))


def _declined_text(history: History, held: tuple[int, ...]) -> Text | None:
    """Return the sentence on an offer that was just declined or withdrawn, for its maker or for others."""
    offer, refusal = history.events[-2:] if history.ply > 1 else (None, None)
    if not isinstance(refusal, Refuse) or not isinstance(offer, Offer):
        return None
    if offer.seat == refusal.seat:
        sentence, by_you = WITHDRAWN, WITHDRAWN_BY_YOU
    else:
        sentence, by_you = DECLINED_TEXTS[offer.what]
    return by_you if refusal.seat in held else sentence.fill(who=seat_name(history, refusal.seat))


def undo_rule(history: History) -> Text:
    """Return the sentence on what the players may take back."""
    luck = bool(history.head.game.sources)
    if history.alone:
        rule = UNDO_RULE if luck else UNDO_FREE
        return rule + GIVEN if history.head.fork_length else rule
    if history.one_person:
        return p.NO_HELP_WHEN_RATED
    return UNDO_ASKED if luck else BACK_FREE
