"""Non-interference: two servers that look alike and hold different secrets say the same, byte for byte.

Tables are played, their database is copied, and in the copy every secret is another one. Then each kind of
viewer asks both servers everything there is to ask, which `test_asked.py` lists, and does what chance has no
part in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import pytest

from smallchange.game import Game

from .company import APART, CALL, DRAWN, FORM, TOLD, WAYS, Company
from .serving import say
from .test_asked import MESSAGES, PATHS, POSTS, filled
from .twins import ALONE, GAMES, MIDDLE, OTHER, SCREEN, WAITING, Played, Twins, played_twice, quiet

VIEWERS = {
    "first": (MIDDLE, "ann"),
    "spectator": (MIDDLE, "eve"),
    "second": (MIDDLE, "bo"),
    "both": (SCREEN, "ann"),
    "host": (WAITING, "ann"),
    "guest": (WAITING, "eve"),
}
FOR_TWO = [id for id in GAMES if len(Game(id).seats) == 2]
CASES = [
    (id, viewer)
    for id in GAMES
    for viewer, (table, who) in VIEWERS.items()
    if id in FOR_TWO or (table in ALONE and who != "bo")
]
Deed = Callable[[Company], list[bytes]]
every_viewer = pytest.mark.parametrize(("played", "viewer"), CASES, indirect=["played"], scope="module")


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    here, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("there")
    with played_twice(Game(request.param), here, there) as played:
        yield played


@pytest.fixture
def twins(played: Played, viewer: str) -> Iterator[Twins]:
    with Twins(played, *VIEWERS[viewer]) as twins:
        yield twins


@every_viewer
def test_every_page_and_call_says_the_same(twins: Twins) -> None:
    for patterns in PATHS.values():
        for pattern in patterns:
            here, there = twins.get(pattern)
            assert here == there, pattern


@every_viewer
def test_every_message_is_answered_the_same(twins: Twins) -> None:
    heard: list[list[str]] = []
    for side, person in zip(twins.sides, twins.people, strict=True):
        ply = side.room(twins.id).story.ply
        with person.socket() as line:
            said: list[str] = []
            for n, message in enumerate(MESSAGES):
                say(line, **(filled(message, twins.id, ply, n) | message))
                last = ['"hinted"', '"wrong"', '"conflict"']  # a hint is answered when it is found
                if message["is"] != "hint":
                    say(line, **{"is": "watch", "match": "nosuchmatch"})
                    last = ['"nosuchmatch"']
                while not said or not any(word in said[-1] for word in last):
                    said.append(str(line.recv(60)))
                said.append("")
        heard.append([re.sub(r'"ply":\d+', "ply", frame) for frame in said if frame])
    assert sorted(heard[0]) == sorted(heard[1])


@every_viewer
def test_streams_tell_the_same(twins: Twins) -> None:
    told = []
    for person in twins.people:
        with person.web.stream("GET", f"/api/matches/{twins.id}/stream") as stream:
            told.append(next(stream.iter_lines()))
    assert told[0] == told[1]


@every_viewer
def test_every_form_and_post_is_answered_the_same(played: Played, twins: Twins, viewer: str) -> None:
    for pattern, body in POSTS.items():
        if viewer == "guest" and "{code}" in pattern and played.game.sources:
            continue  # the guest sits down, and the first throws are shown
        here, there = twins.post(pattern, body)
        assert here == there, pattern


def test_what_is_done_at_one_screen_is_told_the_same_however_it_is_sent(played: Played) -> None:
    table = SCREEN if SCREEN in played.tables else MIDDLE
    token = quiet(played.sides[0].room(played.tables[table]).story.match)[0]
    done = [deed for way in WAYS for deed in (by("ann", way, "act", token=token), by("ann", way, "undo"))]
    _all_hear_the_same(played, table, ["ann", "eve"], done)


@pytest.mark.parametrize("played", FOR_TWO, indirect=True, scope="module")
def test_what_is_done_between_two_is_told_the_same_to_both_and_to_a_third(played: Played) -> None:
    story = played.sides[0].room(played.tables[OTHER]).story
    mover, other = ("ann", "bo") if story.turn == 0 else ("bo", "ann")
    done = [
        by(other, FORM, "offer", what="draw"),
        lambda all: all.go(other),
        by(mover, CALL, "answer", yes=False),
        lambda all: all.come(other),
        by(mover, APART, "act", token=quiet(story.match)[0]),
        by(mover, DRAWN, "offer", what="undo"),
        by(other, TOLD, "answer", yes=True),
    ]
    _all_hear_the_same(played, OTHER, ["ann", "bo", "eve"], done)


def by(who: str, way: str, kind: str, **fields: Any) -> Deed:
    return lambda all: all.do(who, way, kind, fields)


def _all_hear_the_same(played: Played, table: str, who: list[str], done: list[Deed]) -> None:
    with ExitStack() as open:
        viewers = {name: open.enter_context(Twins(played, table, name)) for name in who}
        here, there = (open.enter_context(Company(viewers, side)) for side in range(2))
        for n, deed in enumerate(done):
            assert deed(here) == deed(there), n
            for viewer in viewers.values():
                for pattern in ("/m/{id}", "/api/matches/{id}"):
                    one, two = viewer.get(pattern)
                    assert one == two, (n, pattern)
        assert here.room.story.ply == there.room.story.ply


def test_a_bot_is_given_nothing_but_the_position(played: Played) -> None:
    """What a bot is handed is equal on both sides, and holds neither secret nor deal."""
    for id in played.tables.values():
        one, two = (side.room(id).story for side in played.sides)
        assert one.match.position == two.match.position
        assert set(vars(one.match.position)) == {"game", "s"}


def test_the_secret_of_a_running_match_leaves_by_no_door(played: Played) -> None:
    for side in played.sides:
        for id in played.tables.values():
            story = side.room(id).story
            deal = [story.match.deal] if story.match.deal else []  # none while it waits for a player
            for text in (drawn.hex() for drawn in (story.head.secret, *deal)):
                for path in (f"/m/{id}", f"/m/{id}/envelope", f"/m/{id}/record.json", f"/api/matches/{id}"):
                    assert text not in httpx.get(side.url + path).text


@pytest.mark.parametrize("game", GAMES)
def test_what_chance_answers_and_what_ends_a_match_is_told_the_same(game: str, tmp_path: Path) -> None:
    """Where both secrets answer alike. At tables of its own, as they do not go on."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    with played_twice(Game(game), tmp_path / "here", tmp_path / "there") as played:
        for table, seated in ((MIDDLE, ["ann", "bo"]), (SCREEN, ["ann", "ann"])):
            if table not in played.tables:
                continue
            story = played.sides[0].room(played.tables[table]).story
            known, line = len(story.match), played.lines[table]
            done = [
                by(seated[seat], way, "act", token=token)
                for (seat, token), way in zip(line, cycle(WAYS), strict=False)
            ]
            people = sorted({*seated[: len(story.seats)], "eve"})
            _all_hear_the_same(played, table, people, [*done, by("ann", FORM, "resign")])
            assert (len(story.match) > known + len(line)) == bool(story.head.game.sources), "chance answered"
            assert story.ended
