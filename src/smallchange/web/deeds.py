"""What a seat may do at a table, and the events that it makes: the rules around the rules. Nothing here is
stored, sent or changed; `Refused` says why something is not possible."""

from __future__ import annotations

from typing import NamedTuple

from smallchange.errors import IllegalMove, UnknownMove
from smallchange.match import Match
from smallchange.state import CHANCE
from smallchange.text import Text, listed, plain

from .refused import Refused
from .story import AGREE, BACK, DRAW, OFFER, REFUSE, RESIGN, STEP, UNDO, Event, Story
from .wire import Act, Answer, Deed, Offer, Resign

UNDO_RULE = Text(
    "You may undo freely until chance has answered your last decision; what it has revealed stays revealed.",
    "直前の決定に運の結果が出るまでは、自由に戻せます。出た結果は戻せません。",
)
UNDO_ASKED = Text(
    "Against a person you can ask to take back your last move, as long as chance has not answered it.",
    "相手が人のときは、運の結果が出るまでの間、直前の手を戻すよう頼めます。",
)
# the same where there is no chance
UNDO_FREE = Text("You may undo freely until the game is over.", "ゲームが終わるまでは、自由に戻せます。")
BACK_FREE = Text(
    "Against a person you can ask to take back your last move.",
    "相手が人のときは、直前の手を戻すよう頼めます。",
)
GIVEN = Text("What came before this practice stays.", "練習を始める前の手は戻せません。")
MOST = 10_000  # events of a table after which nothing is taken back any more
_OFFERS = {"draw": DRAW, "undo": BACK}


class Made(NamedTuple):
    """The events of a deed, chance included, in the order in which they are to be committed; and for a step,
    the match after them."""

    events: list[Event]
    after: Match | None = None

    @property
    def ends(self) -> bool:
        """Is the match over after this?"""
        return self.events[-1].kind in (RESIGN, AGREE) or (self.after is not None and self.after.over)


def made(story: Story, holder: str, deed: Deed, now: int) -> Made:
    """What a deed makes of a table; nothing is changed yet."""
    held = story.held(holder)
    if not held:
        raise Refused("spectator")
    if story.closed:
        raise Refused(story.closed)
    if not story.started and not isinstance(deed, Resign):
        raise Refused("waiting")
    if isinstance(deed, Act):
        return _act(story, held, deed, now)
    if isinstance(deed, Offer):
        return Made(_offer(story, held, deed, now))
    if isinstance(deed, Answer):
        return Made([_answer(story, held, deed, now)])
    if isinstance(deed, Resign):
        seat = story.turn if story.turn in held else held[0]
        return Made([Event(RESIGN, seat, 0, deed.move, now)])
    if not story.alone:
        raise Refused("ask")
    back = taken_back(story, held)
    if back is None:
        raise Refused("long" if story.ply >= MOST else "undo")
    return Made([Event(UNDO, held[0], back, deed.move, now)])


def _act(story: Story, held: tuple[int, ...], deed: Act, now: int) -> Made:
    match = story.match
    if story.turn not in held:
        raise Refused("turn", who=match.game.words.PLAYERS[match.game.seats[story.turn]])
    after = match.copy()
    try:
        after.play(deed.token)
    except UnknownMove:
        raise Refused("token", token=deed.token) from None
    except IllegalMove:
        legal = listed(map(plain, match.position.legal()[:40]))
        raise Refused("illegal", token=deed.token, legal=legal) from None
    after.settle()
    return Made(steps(after, len(match), now, deed.move), after)


def steps(match: Match, known: int, now: int, move: str | None = None) -> list[Event]:
    """The steps of a match from number `known` on, as events; the first has the move id."""
    game, made = match.game, []
    for step in match.steps[known:]:
        seat = CHANCE if step.actor == "chance" else game.seats.index(step.actor)
        made.append(Event(STEP, seat, game.actions[step.token], move, now))
        move = None
    return made


def taken_back(story: Story, held: tuple[int, ...]) -> int | None:
    """How many steps remain when the last decision of these seats is taken back, with all that followed.

    None if they have decided nothing yet, or chance has answered since: then it stays. And at a table that
    would otherwise go on for ever.
    """
    if story.ply >= MOST:
        return None
    players = {story.match.game.seats[seat] for seat in held}
    line = story.match.steps
    for i in range(len(line) - 1, story.head.told - 1, -1):
        if line[i].actor == "chance":
            return None
        if line[i].actor in players:
            return i
    return None


def offers(story: Story, held: tuple[int, ...]) -> tuple[str, ...]:
    """What these seats may offer to the other person now. Who holds both agrees on a draw alone."""
    if not held or story.ended or not story.started or story.offer:
        return ()
    if story.alone:
        return ("draw",) if len(held) == 2 else ()
    if _asked_since_last_step(story, held[0]):
        return ()
    return ("draw", "undo") if taken_back(story, held) is not None else ("draw",)


def undo_rule(story: Story) -> Text:
    """What those who play may take back, in words."""
    luck = bool(story.head.game.sources)
    if story.alone:
        rule = UNDO_RULE if luck else UNDO_FREE
        return rule + GIVEN if story.head.told else rule
    return UNDO_ASKED if luck else BACK_FREE


def may_answer(story: Story, held: tuple[int, ...]) -> bool:
    return story.offer is not None and not story.ended and bool(held) and story.offer.seat not in held


def _asked_since_last_step(story: Story, seat: int) -> bool:
    """One offer from a seat between two steps of the table is enough."""
    for event in reversed(story.events):
        if event.kind == STEP:
            return False
        if event.kind == OFFER and event.seat == seat:
            return True
    return False


def _offer(story: Story, held: tuple[int, ...], deed: Offer, now: int) -> list[Event]:
    if deed.what not in offers(story, held):
        raise Refused("offer")
    made = [Event(OFFER, held[0], _OFFERS[deed.what], deed.move, now)]
    return [*made, Event(AGREE, held[1], 0, None, now)] if story.alone else made


def _answer(story: Story, held: tuple[int, ...], deed: Answer, now: int) -> Event:
    if story.offer is None or (deed.yes and story.offer.seat in held):
        raise Refused("answer")
    if not deed.yes:  # who made the offer withdraws it
        return Event(REFUSE, held[0], 0, deed.move, now)
    if story.offer.what == DRAW:
        return Event(AGREE, held[0], 0, deed.move, now)
    back = taken_back(story, (story.offer.seat,))
    if back is None:
        raise Refused("undo")
    return Event(UNDO, story.offer.seat, back, deed.move, now)


def same(story: Story, holder: str, deed: Deed) -> bool:
    """Was this very deed committed before? Refused if its move id was used for another."""
    ply = story.moves.get(deed.move)
    if ply is None:
        return False
    event, held = story.events[ply], story.held(holder)
    mine = event.seat in held
    if isinstance(deed, Act):
        fits = event.kind == STEP and event.action == story.match.game.actions.get(deed.token)
    elif isinstance(deed, Offer):
        fits = event.kind == OFFER and event.action == _OFFERS[deed.what]
    elif isinstance(deed, Answer):  # it stands right after its offer
        offer = story.events[ply - 1]
        accepted = AGREE if offer.action == DRAW else UNDO
        fits = offer.kind == OFFER and event.kind == (accepted if deed.yes else REFUSE)
        mine = bool(held) and offer.seat not in held if deed.yes else mine
    else:
        fits = event.kind == (RESIGN if isinstance(deed, Resign) else UNDO)
    if not (fits and mine and deed.ply == ply):
        raise Refused("used")
    return True
