"""Non-interference: two servers that look alike and hold different secrets say the same, byte for byte.

Tables are played, their database is copied, and in the copy every secret is another one. Then each kind of
viewer asks both servers everything there is to ask, which `test_route_matrix.py` lists, and does what chance has no
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

from smallchange.core.game import Game
from smallchange.server.daily.days import daily_games
from tests.server.sample_requests import MESSAGES, POSTS, required_fields
from tests.support.site_paths import PATHS

from .company import APART, CALL, CHANNELS, DRAWN, FORM, TOLD, Company, tells_spectators
from .serving import TIMEOUT_S, say
from .twins import ALONE, DAY, GAMES, MIDDLE, OTHER, SCREEN, WAITING, Twins, TwinServers, play_twice, quiet

VIEWERS = {
    "first": (MIDDLE, "ann"),
    "spectator": (MIDDLE, "eve"),
    "second": (MIDDLE, "bo"),
    "both": (SCREEN, "ann"),
    "host": (WAITING, "ann"),
    "guest": (WAITING, "eve"),
    "player of the day": (DAY, "ann"),
    "another of the same deal": (DAY, "bo"),
    "stranger": (DAY, "eve"),
}
FOR_TWO = [id for id in GAMES if len(Game(id).seats) == 2]
LUCKY = next(id for id in FOR_TWO if Game(id).sources)  # the game of every kind of viewer
CASES = [
    (id, viewer)
    for id in GAMES
    for viewer, (table, who) in VIEWERS.items()
    if (id == LUCKY or (table in ALONE and who == "ann") if table != DAY else id == daily_games()[0])
]
MEASURED = ("/games/{game}/difficulty", "/games/{game}/solved")  # the same for everybody, and slow
Command = Callable[[Company], list[bytes]]
every_viewer = pytest.mark.parametrize(
    ("twin_servers", "viewer"), CASES, indirect=["twin_servers"], scope="module"
)


@pytest.fixture(scope="module", params=GAMES)
def twin_servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TwinServers]:
    here, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("there")
    with play_twice(Game(request.param), here, there) as servers:
        yield servers


@pytest.fixture
def twins(twin_servers: TwinServers, viewer: str) -> Iterator[Twins]:
    with Twins(twin_servers, *VIEWERS[viewer]) as twins:
        yield twins


@every_viewer
def test_every_page_and_call_says_the_same(twins: Twins, viewer: str) -> None:
    for route, patterns in PATHS.items():
        for pattern in patterns if viewer == "spectator" or route not in MEASURED else ():
            here, there = twins.get(pattern)
            assert here == there, pattern


@every_viewer
def test_every_message_is_answered_the_same(twins: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "smallchange.server.table.live.bot_turns.FIRST_GUESS_S", 60.0
    )  # else the machine's load is heard
    heard: list[list[str]] = []  # without the number of spectators, which is told now and then
    for side, person in zip(twins.sides, twins.people, strict=True):
        ply = side.live_table(twins.id).history.ply
        with person.socket() as line:
            said: list[str] = []
            for n, message in enumerate(MESSAGES):
                say(line, **(required_fields(message, twins.id, ply, n) | message))
                last = ['"hint-found"', '"refusal"', '"conflict"']  # a hint is answered when it is found
                if message["is"] != "hint":
                    say(line, **{"is": "watch", "match": "nosuchmatch"})
                    last = ['"nosuchmatch"']
                while not said or not any(word in said[-1] for word in last):
                    said.append(str(line.recv(TIMEOUT_S)))
                said.append("")
        heard.append(
            [re.sub(r'"(ply|now)":\d+', "", frame) for frame in said if frame and not tells_spectators(frame)]
        )
    assert sorted(heard[0]) == sorted(heard[1])


@every_viewer
def test_streams_tell_the_same(twins: Twins) -> None:
    told = []
    for person in twins.people:
        with person.web.stream("GET", f"/api/matches/{twins.id}/stream") as stream:
            told.append(re.sub(r'"now":\d+', "", next(stream.iter_lines())))
    assert told[0] == told[1]


@every_viewer
def test_every_form_and_post_is_answered_the_same(
    twin_servers: TwinServers, twins: Twins, viewer: str
) -> None:
    for pattern, body in POSTS.items():
        if viewer == "guest" and "{code}" in pattern and twin_servers.game.sources:
            continue  # the guest sits down, and the first throws are shown
        here, there = twins.post(pattern, body)
        assert here == there, pattern


def test_what_is_done_at_one_screen_is_told_the_same_however_it_is_sent(twin_servers: TwinServers) -> None:
    table = SCREEN if SCREEN in twin_servers.tables else MIDDLE
    tokens = quiet(twin_servers.sides[0].live_table(twin_servers.tables[table]).history.match)
    if not tokens:
        pytest.skip("chance answers every move, so none can be undone")
    done = [
        command
        for way in CHANNELS
        for command in (by("ann", way, "act", token=tokens[0]), by("ann", way, "undo"))
    ]
    _all_hear_the_same(twin_servers, table, ["ann", "eve"], done)


@pytest.mark.parametrize("twin_servers", FOR_TWO, indirect=True, scope="module")
def test_what_is_done_between_two_is_told_the_same_to_both_and_to_a_third(twin_servers: TwinServers) -> None:
    history = twin_servers.sides[0].live_table(twin_servers.tables[OTHER]).history
    mover, other = ("ann", "bo") if history.turn == 0 else ("bo", "ann")
    done = [
        by(other, FORM, "offer", what="draw"),
        lambda all: all.go(other),
        by(mover, CALL, "answer", yes=False),
        lambda all: all.come_back(other),
    ]
    if tokens := quiet(history.match):
        done += [
            by(mover, APART, "act", token=tokens[0]),
            by(mover, DRAWN, "offer", what="undo"),
            by(other, TOLD, "answer", yes=True),
        ]
    _all_hear_the_same(twin_servers, OTHER, ["ann", "bo", "eve"], done)


def by(who: str, way: str, kind: str, **fields: Any) -> Command:
    return lambda all: all.do(who, way, kind, fields)


def _all_hear_the_same(twin_servers: TwinServers, table: str, who: list[str], done: list[Command]) -> None:
    with ExitStack() as open:
        viewers = {name: open.enter_context(Twins(twin_servers, table, name)) for name in who}
        here, there = (open.enter_context(Company(viewers, side)) for side in range(2))
        for n, command in enumerate(done):
            assert command(here) == command(there), n
            for viewer in viewers.values():
                for pattern in ("/m/{id}", "/api/matches/{id}"):
                    one, two = viewer.get(pattern)
                    assert one == two, (n, pattern)
        assert here.live_table.history.ply == there.live_table.history.ply


def test_a_bot_is_given_nothing_but_the_position(twin_servers: TwinServers) -> None:
    """The bot's input is equal on both sides, and holds neither secret nor deal."""
    for id in twin_servers.tables.values():
        one, two = (side.live_table(id).history for side in twin_servers.sides)
        assert one.match.position == two.match.position
        assert set(vars(one.match.position)) == {"game", "s"}


def test_the_secret_of_a_running_match_leaves_by_no_door(twin_servers: TwinServers) -> None:
    for side in twin_servers.sides:
        for id in twin_servers.tables.values():
            history = side.live_table(id).history
            deal = [history.match.deal] if history.match.deal else []  # none while it waits for a player
            for text in (drawn.hex() for drawn in (history.head.secret, *deal)):
                for path in (f"/m/{id}", f"/m/{id}/envelope", f"/m/{id}/record.json", f"/api/matches/{id}"):
                    assert text not in httpx.get(side.url + path, timeout=TIMEOUT_S).text


@pytest.mark.parametrize("game", GAMES)
def test_what_chance_answers_and_what_ends_a_match_is_told_the_same(game: str, tmp_path: Path) -> None:
    """The secrets are chosen so that both answer alike. The tables are separate, as they do not go on."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    with play_twice(Game(game), tmp_path / "here", tmp_path / "there") as twin_servers:
        for table, seated in ((MIDDLE, ["ann", "bo"]), (SCREEN, ["ann", "ann"])):
            if table not in twin_servers.tables:
                continue
            history = twin_servers.sides[0].live_table(twin_servers.tables[table]).history
            known, line = len(history.match), twin_servers.lines[table]
            done = [
                by(seated[seat], way, "act", token=token)
                for (seat, token), way in zip(line, cycle(CHANNELS), strict=False)
            ]
            people = sorted({*seated[: len(history.seats)], "eve"})
            _all_hear_the_same(twin_servers, table, people, [*done, by("ann", FORM, "resign")])
            assert (len(history.match) > known + len(line)) == bool(history.head.game.sources), (
                "chance answered"
            )
            assert history.ending
