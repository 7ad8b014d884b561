"""From a story to a View: what the page says and shows, for one kind of viewer."""

from __future__ import annotations

from collections.abc import Sequence

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
DRAW_DECLINED = Text("{who} declined the draw.", "{who}は引き分けを断りました。")
BACK_DECLINED = Text("{who} declined the take-back.", "{who}は待ったを断りました。")


def view(
    story: Story, scene: Scene, held: tuple[int, ...], present: Sequence[int], at: int | None = None
) -> View:
    """The table as the holder of these seats sees it; `present` are the seats whose holders are there, `at`
    looks back to the table after so many steps."""
    scene.follow(story)
    game = story.head.game
    if at is not None and at != len(story.match):
        scene, back = scene.back(story.match.steps[:at]), True
    else:
        at, back = len(story.match), False
    position = scene.position
    turn = story.turn
    acting = not back and turn in held
    seats, presence = scene.company(story, held, present)
    return View(
        match=story.head.id,
        ply=story.ply,
        length=len(story.match),
        at=at,
        game=game.id,
        title=game.words.TITLE,
        options=game.chosen,
        **scene.shared,
        marking=getattr(game.words, "MARKING", None),
        choices=scene.choices if acting else (),
        asks=_asks(story, position, back),
        seats=seats,
        you=held,
        presence=presence,
        ended=ending(story.match, story.ended) if story.ended and not back else None,
        started=story.started,
        invite=f"/j/{story.head.code}" if held and story.waiting else None,
        undo=None if back else _undo(story, scene, held),
        undo_rule=deeds.undo_rule(story, held),
        ask=() if back else deeds.offers(story, held),
        offered=_offered(story),
        declined=_declined(story, held),
        offered_to_you=deeds.may_answer(story, held),
        resign=bool(held) and not story.ended,
        luck=bool(game.sources),
        envelope=story.envelope,
        practice=story.head.parent,
        told=story.head.told,
        proven=story.head.proven,
        review=bool(story.ended) and story.started and not lacking(),
        fork=story.started and (story.ended is not None or (story.alone and bool(held))),
        again=story.again,
        alone=story.alone,
    )


def _asks(story: Story, position: Position, back: bool) -> Text:
    game = story.head.game
    if story.waiting:
        return WAITING
    if story.ended and not back:
        return ending(story.match, story.ended).text
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


def _offered(story: Story) -> Text | None:
    if story.offer is None or story.ended:
        return None
    said = BACK_ASKED if story.offer.what == BACK else DRAW_OFFERED
    return said.fill(who=called(story, story.offer.seat))


def _declined(story: Story, held: tuple[int, ...]) -> Text | None:
    """That an offer was declined right before this ply, for all but who did so."""
    if not story.ply or story.events[-1].kind != REFUSE or story.events[-1].seat in held:
        return None
    said = BACK_DECLINED if story.events[-2].action == BACK else DRAW_DECLINED
    return said.fill(who=called(story, story.events[-1].seat))
