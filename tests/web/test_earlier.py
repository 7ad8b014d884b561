"""A look back at a table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from smallchange import games
from smallchange.game import Game
from smallchange.text import Text
from smallchange.web import deeds, tables
from smallchange.web.look import alike, view
from smallchange.web.scene import FOLLOWED, Scene
from smallchange.web.story import Story
from smallchange.web.tables import Order
from smallchange.web.view import View
from smallchange.web.wire import Act

from .serving import Person, Served, fresh
from .tables import PAIR, legal

SAME = ("table", "happened", "log", "last", "rolled", "preview", "phase", "asks", "you")
LONG = 3 * FOLLOWED


def longest(game: str) -> list[Story]:
    """One's own table after each decision of the longest of some random games."""
    return max((played(game, Random(seed)) for seed in range(8)), key=len)


def played(game: str, luck: Random) -> list[Story]:
    seats = dict.fromkeys(Game(game).seats, "me")
    story, events = tables.ordered(Order(game, {}, seats), "ann", tables.fresh, 0)
    story.tell(events)
    found = [told(story)]
    while not story.ended and len(story.match) < LONG:
        token = luck.choice(story.match.position.legal())
        made = deeds.made(story, "ann", Act(story.head.id, story.ply, fresh(), token), 0)
        story.tell(made.events, after=made.after)
        found.append(told(story))
    return found


def told(story: Story) -> Story:
    """Another of the same table, as it is now."""
    twin = Story(story.head, story.seats)
    twin.tell(story.events)
    return twin


def seen(story: Story, scene: Scene, at: int | None = None) -> View:
    return view(story, alike(story, scene, (), at), story.held("ann"))


@pytest.mark.parametrize("game", games())
def test_a_table_looks_as_it_did(game: str) -> None:
    *earlier, now = longest(game)
    scene = Scene(now.head.game)
    for story in earlier:
        then, back = seen(story, Scene(story.head.game)), seen(now, scene, len(story.match))
        assert [getattr(back, part) for part in SAME] == [getattr(then, part) for part in SAME]


def test_a_look_back_says_few_of_the_steps_anew(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long table is looked at between the moves of all others."""
    id, luck = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats}), Random(0)
    while len(served.room(id).story.match) < LONG:
        ann.deed(id, "act", served.room(id).story.ply, token=luck.choice(legal(served, id)))
    ann.page(id)
    words, said = Game(PAIR).words, list[int]()
    say = words.step

    def counted(b: Any, s: Any, a: int) -> Text:
        said.append(a)
        return say(b, s, a)  # type: ignore[no-any-return]

    monkeypatch.setattr(words, "step", counted)
    assert ann.web.get(f"/m/{id}/look?at={LONG - 1}").json()["at"] == LONG - 1
    assert len(said) <= FOLLOWED
