"""From a story to a View: what the page says and shows, for one kind of viewer."""

from __future__ import annotations

from typing import Any, NamedTuple

from smallchange.game import Position
from smallchange.mind import lacking
from smallchange.text import Text

from . import deeds
from .company import called
from .scene import Scene
from .standing import ending
from .story import BACK, REFUSE, Story
from .view import View

WAITING = Text("Waiting for somebody to sit down.", "相手が席に着くのを待っています。")
UNDO = Text("Take back “{step}”", "「{step}」を戻す")
DRAW_OFFERED = Text("{who} offers a draw.", "{who}が引き分けを申し込んでいます。")
BACK_ASKED = Text("{who} asks to take the last move back.", "{who}が待ったを頼んでいます。")
DRAW_OFFERED_BY_YOU = Text("You offered a draw.", "引き分けを申し込みました。")
BACK_ASKED_BY_YOU = Text("You asked to take back.", "待ったを頼みました。")
LAPSES = Text("It lapses with the next move.", "次の手で取り消されます。")
DRAW_DECLINED = Text("{who} declined the draw.", "{who}は引き分けを断りました。")
BACK_DECLINED = Text("{who} declined the take-back.", "{who}は待ったを断りました。")
DRAW_DECLINED_BY_YOU = Text("You declined the draw.", "引き分けを断りました。")
BACK_DECLINED_BY_YOU = Text("You declined the take-back.", "待ったを断りました。")
WITHDRAWN = Text("{who} withdrew the offer.", "{who}は申し出を取り下げました。")
WITHDRAWN_BY_YOU = Text("You withdrew the offer.", "申し出を取り下げました。")


class Alike(NamedTuple):
    """What all see alike of a table as it is now, or as it was after its first steps: fields of a View."""

    scene: Scene
    present: tuple[int, ...]
    back: bool
    fields: dict[str, Any]


def alike(story: Story, scene: Scene, present: tuple[int, ...], at: int | None = None) -> Alike:
    """`present` are the seats whose holders are there, `at` looks back to the table after so many steps."""
    scene.follow(story)
    head, length = story.head, len(story.match)
    back = at is not None and at != length
    if back:
        scene = scene.back(story.match.steps[:at])
    ended = ending(story.match, story.ended) if story.ended and not back else None
    fields = {
        **scene.shared,
        "match": head.id,
        "ply": story.ply,
        "length": length,
        "at": at if back else length,
        "asks": ended.text if ended else _asks(story, scene.position),
        "ended": ended,
        "started": story.started,
        "envelope": story.envelope,
        "practice": head.parent,
        "told": head.told,
        "proven": head.proven,
        "review": story.reviewable and not lacking(),
        "again": story.again,
        "alone": story.alone,
    }
    return Alike(scene, present, back, fields)


def view(story: Story, alike: Alike, held: tuple[int, ...]) -> View:
    """The table as the holder of these seats sees it."""
    scene, present, back, fields = alike
    acting = not back and story.turn in held
    seats, presence = scene.company(story, held, present)
    return View(
        **fields,
        choices=scene.choices(story.match.possible) if acting else (),
        seats=seats,
        you=held,
        presence=presence,
        invite=f"/j/{story.head.code}" if held and story.waiting else None,
        undo=None if back else _undo(story, scene, held),
        undo_rule=deeds.undo_rule(story),
        ask=() if back else deeds.offers(story, held),
        offered=_offered(story, held),
        declined=_declined(story, held),
        offered_to_you=deeds.may_answer(story, held),
        resign=bool(held) and not story.ended,
        fork=story.started and (story.ended is not None or (story.alone and bool(held))),
    )


def _asks(story: Story, position: Position) -> Text:
    game = story.head.game
    if story.waiting:
        return WAITING
    if position.actor is None:
        said: Text = game.words.ending(game.board, position.s)
    else:
        said = game.words.asks(game.board, position.s)
    return said


def _undo(story: Story, scene: Scene, held: tuple[int, ...]) -> Text | None:
    if not held or story.ended or not story.started or not story.alone:
        return None
    back = deeds.taken_back(story, held)
    return None if back is None else UNDO.fill(step=scene.log[back].text)


def _offered(story: Story, held: tuple[int, ...]) -> Text | None:
    """What somebody offers, to who made the offer as to the others."""
    if story.offer is None or story.ended:
        return None
    if story.offer.seat in held:
        return (BACK_ASKED_BY_YOU if story.offer.what == BACK else DRAW_OFFERED_BY_YOU) + LAPSES
    said = BACK_ASKED if story.offer.what == BACK else DRAW_OFFERED
    return said.fill(who=called(story, story.offer.seat))


def _declined(story: Story, held: tuple[int, ...]) -> Text | None:
    """That an offer was declined or withdrawn right before this ply, to who did so as to the others."""
    if not story.ply or story.events[-1].kind != REFUSE:
        return None
    offer, refusal = story.events[-2:]
    if offer.seat == refusal.seat:
        said, by_you = WITHDRAWN, WITHDRAWN_BY_YOU
    elif offer.action == BACK:
        said, by_you = BACK_DECLINED, BACK_DECLINED_BY_YOU
    else:
        said, by_you = DRAW_DECLINED, DRAW_DECLINED_BY_YOU
    return by_you if refusal.seat in held else said.fill(who=called(story, refusal.seat))
