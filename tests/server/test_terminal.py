"""The terminal application at a table of a server, joined by its link, through the client that bots use."""

from __future__ import annotations

import asyncio
import importlib
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from smallchange import games
from smallchange.cli.tui.app import TableApp
from smallchange.cli.tui.table import AWAY, BACK, ServerTable
from smallchange.client import Server, ServerError, TableLink
from smallchange.core.game import Game

from .serving import TIMEOUT_S, Person, Served, serving
from .tables import PAIR, greedy

EXAMPLES = Path(__file__).parents[2] / "examples"


async def until(app: TableApp, pilot: Pilot[None], plies: int) -> None:
    while len(app.table.match) < plies:
        await pilot.pause(0.01)
    await pilot.pause()


def test_a_person_in_a_terminal_joins_by_the_link_and_plays_a_person_in_a_browser(
    served: Served, ann: Person
) -> None:
    id = ann.open(PAIR)
    table = ServerTable(TableLink.parse(served.url + ann.invite(id)), "Bo")
    history = served.live_table(id).history
    assert [seat.name for seat in history.seats][1] == "Bo"

    async def main() -> None:
        app = TableApp(table, "en")
        async with app.run_test(size=(130, 44)) as pilot:
            await asyncio.to_thread(
                lambda: ann.command(id, "act", history.ply, token=history.match.position.legal()[0])
            )
            while not table.legal:
                await pilot.pause(0.01)
            await pilot.pause()
            mine = table.legal[0]
            await pilot.press("enter")
            await until(app, pilot, len(table.match))
            assert history.match.steps[-1].token == mine
            await asyncio.to_thread(lambda: ann.command(id, "resign", history.ply))
            while not table.match.over:
                await pilot.pause(0.01)

    asyncio.run(main())
    assert [step.token for step in table.match] == [step.token for step in history.match]


@pytest.mark.parametrize("id", [id for id in games() if Game(id).memory])
def test_a_game_by_memory_is_watched_on_its_page(served: Served, ann: Person, id: str) -> None:
    match = ann.open(id, by_memory="true")
    history = served.live_table(match).history
    ann.command(match, "act", history.ply, token=greedy(history.match.position))
    with pytest.raises(ServerError, match="watch it on its page"):
        ServerTable(TableLink(served.url, "", match))
    ann.command(match, "resign", history.ply)
    assert ServerTable(TableLink(served.url, "", match)).match.over


def test_both_clocks_of_a_live_game_stand_in_the_terminal(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, time="5+3")
    table = ServerTable(TableLink.parse(served.url + ann.invite(id)), "Bo")
    ply = served.live_table(id).history.ply

    async def main() -> str:
        app = TableApp(table, "en")
        async with app.run_test(size=(130, 44)) as pilot:
            while not app.query("#clock"):
                await pilot.pause(0.01)
            shown = str(app.query_one("#clock", Static).render())
            await asyncio.to_thread(lambda: ann.command(id, "resign", ply))
            while not table.match.over:
                await pilot.pause(0.01)
            return shown

    shown = asyncio.run(main())
    running, other = table.match.seats
    titles = table.match.game.words.PLAYERS
    assert re.search(rf"{titles[running].en} (1:00|0:[0-5]\d)", shown), "a minute for the first turn"
    assert f"{titles[other].en} 5:00" in shown or f"{titles[other].en} 1:00" in shown


def test_terminal_and_the_example_bot_play_on_through_three_restarts_with_a_minute_without_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their pauses are counted as time that passes: the server is back when each has waited for a minute."""
    a_minute, back, waited, said = threading.Event(), threading.Event(), dict[str, float](), list[str]()

    def begin_outage() -> None:
        a_minute.clear()
        back.clear()
        waited.update(bot=0.0, terminal=0.0)

    def pauses(who: str) -> Callable[[float], None]:
        def pause(seconds: float) -> None:
            waited[who] += seconds
            if min(waited.values()) >= 60:
                a_minute.set()
            if waited[who] >= 60:
                assert back.wait(TIMEOUT_S)

        return pause

    with serving(tmp_path) as served:
        url, port = served.url, served.port
        monkeypatch.syspath_prepend(EXAMPLES)
        example = importlib.import_module("bot")
        monkeypatch.setattr(example, "choose", lambda position, legal: legal[-1])
        bot = Server(url, away=example.say, sleep=pauses("bot"))
        opened = bot.open_table("dodgem", {}, {"red": "me", "green": "open"}, "bot")
        table = ServerTable(TableLink(url, opened["code"], ""), "Bo")
        table.server.sleep, table.tell = pauses("terminal"), lambda phrase: said.append(phrase.en)
        playing = threading.Thread(target=example.play, args=(bot, opened))
        playing.start()
        play_until(table, 6)
        begin_outage()
    for restart in range(1, 4):
        following = threading.Thread(target=play_until, args=(table, 6 * restart + 4))
        following.start()
        assert a_minute.wait(TIMEOUT_S)
        with serving(tmp_path, port=port):
            back.set()
            following.join(TIMEOUT_S)
            assert len(table.match) >= 6 * restart + 4
            if restart < 3:
                begin_outage()
            else:
                while not table.legal:
                    table.wait()
                table.server.command(table.id, table._ply, "resign")
                playing.join(TIMEOUT_S)
    assert not playing.is_alive()
    printed = capsys.readouterr()
    assert "resign" in printed.out.splitlines()[-1]
    assert printed.err.splitlines().count("the server is back") >= 3
    assert said == len(said) // 2 * [AWAY.en, BACK.en]
    assert len(said) >= 6


def play_until(table: ServerTable, plies: int) -> None:
    while len(table.match) < plies:
        if table.legal:
            table.play(table.legal[-1])
        else:
            table.wait()


def test_a_table_can_be_watched_and_a_bad_link_is_one_line(served: Served, ann: Person) -> None:
    id = ann.open(PAIR)
    watched = ServerTable(TableLink.parse(f"{served.url}/m/{id}"))
    assert watched.legal == []
    assert watched.people == frozenset()
    with pytest.raises(ValueError, match="a table's link is like"):
        TableLink.parse("http://localhost/games/dodgem")
    with pytest.raises(ServerError):
        ServerTable(TableLink.parse(f"{served.url}/j/nobodyhere"))
    with pytest.raises(ServerError, match="does not answer"):
        Server("http://127.0.0.1:9").ask("/games")
