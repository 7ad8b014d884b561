"""Bots at tables: many ask at once, and nobody's table stands still."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from smallchange import bots as mind
from smallchange import games
from smallchange.bots.engines.compile_cache import CompileCache
from smallchange.core.game import Game, Position
from smallchange.core.match import first_choice
from smallchange.server.table.live.bot_workers import MAX_MOVES, BotWorkers, QueueFull, WorkerPool
from smallchange.server.web.errors import Refused
from tests.server.pool_jobs import echo, end_process

from .outside import until
from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, serving
from .tables import PAIR, legal

TABLES = 10
BEST = mind.names()[-1]
SEARCHING = {  # one of each game
    id: name for id in games() for name in mind.names(Game(id)) if not mind.level(name, Game(id)).instant
}
FOR_TWO = [id for id in games() if len(Game(id).seats) == 2 and BEST in mind.names(Game(id))]


def start_position(id: str) -> Position:
    return first_choice(Game(id))


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Run in a thread of its own: an earlier browser test may have left its loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def together(*asked: Coroutine[Any, Any, Any]) -> list[Any]:
    async def all_of_them() -> list[Any]:
        return await asyncio.gather(*asked, return_exceptions=True)

    answers: list[Any] = run(all_of_them())
    return answers


@pytest.mark.parametrize("game", FOR_TWO)
def test_ten_tables_ask_at_once_and_every_bot_plays(served: Served, ann: Person, game: str) -> None:
    bot = f"bot:{BEST}"
    ids = [ann.open(game, **{f"seat.{Game(game).seats[1]}": bot}) for _ in range(TABLES)]
    with ann.socket() as line:
        for id in ids[:8]:  # as many as one connection may follow
            say(line, **{"is": "watch", "match": id})
        for id in ids:
            history = served.live_table(id).history
            while history.turn == 0:  # where a turn has several decisions, all of them
                said = {"is": "act", "match": id, "ply": history.ply, "move": fresh()}
                before = history.ply
                say(line, **said, token=legal(served, id)[-1])
                while served.live_table(id).history.ply == before:
                    hear(line, "changes", "ack")
    answered = {id: _has_answered(served, id) for id in ids}
    assert all(answered.values()), answered


def _has_answered(served: Served, id: str) -> bool:
    """Return whether the bot has taken a step or the game is over; wait for it."""

    async def wait() -> bool:
        live_table, news = await served.services.tables.live.table(id), asyncio.Event()
        live_table.watch(news.set, ())
        while not live_table.history.ending and "bot-" not in str(list(live_table.history.command_plies)):
            news.clear()
            await asyncio.wait_for(news.wait(), TIMEOUT_S)
        live_table.leave(news.set, ())
        return True

    return bool(served.call(wait()))


@pytest.mark.parametrize("game", [PAIR])
def test_a_bots_code_gets_ready_as_soon_as_it_sits_down(tmp_path: Path, game: str) -> None:
    """In a process that was asked for nothing before."""
    bot = BEST
    with serving(tmp_path) as served, Person(served) as ann:
        ann.open(game, **{f"seat.{Game(game).seats[1]}": f"bot:{bot}"})
        bots = served.services.tables._bots
        assert bots is not None
        moves = bots._moves
        assert served.call(moves.ask(is_preparing, TIMEOUT_S, bot, game)), "before it was asked for a move"


def is_preparing(share: float, name: str, game: str) -> bool:
    """Return whether this process has begun to compile a bot's code for a game."""
    module = mind.level(name, Game(game)).module
    caches = [cache for cache in vars(module).values() if isinstance(cache, CompileCache)]
    return any(Game(game) in cache._engines for cache in caches)


def test_a_bot_is_asked_once_however_many_look_meanwhile(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go, choose = list[str](), asyncio.Event(), BotWorkers.choose

    async def wait_and_choose(bots: BotWorkers, name: str, position: Position, luck: Random | None) -> str:
        asked.append(position.key())
        await go.wait()
        return await choose(bots, name, position, luck)

    monkeypatch.setattr(BotWorkers, "choose", wait_and_choose)
    id = ann.open(PAIR, **{f"seat.{Game(PAIR).seats[1]}": "bot:greedy"})
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        say(line, **{"is": "act", "match": id, "ply": 0, "move": fresh(), "token": legal(served, id)[0]})
        while hear(line, "changes")["ply"] < 1:
            pass
        for _ in range(2):
            ann.page(id)
        served.loop.call_soon_threadsafe(go.set)
        while hear(line, "changes")["ply"] < 2:
            pass
    assert len(asked) == 1


@pytest.mark.parametrize(("game", "bot"), SEARCHING.items())
def test_many_questions_at_once_have_legal_answers(game: str, bot: str) -> None:
    position = start_position(game)
    bots = BotWorkers(1, 0.05)
    tokens = together(*(bots.choose(bot, position) for _ in range(TABLES)))
    bots.close()
    assert len(tokens) == TABLES
    assert set(tokens) <= set(position.legal())


def test_a_process_thinks_on_the_board_that_was_chosen() -> None:
    position, asked, luck = Game("dodgem", {"size": 3}).start(), list[Position](), Random(1)
    while position.actor is not None and len(asked) < 20:
        asked.append(position.copy())
        position.play(luck.choice(position.legal()))
    bots = BotWorkers(1, 0.05)
    with capture_logs() as logs:
        tokens = together(*(bots.choose(BEST, position) for position in asked))
    bots.close()
    assert all(token in position.legal() for token, position in zip(tokens, asked, strict=True))
    assert logs == [], "it had nothing to be helped out of"


def test_questions_are_answered_in_their_order_and_share_the_time() -> None:
    desk = WorkerPool(1, 100)
    order: list[str] = []

    async def ask(word: str) -> float:
        share, said = await desk.ask(echo, 10.0, word)
        order.append(said)
        return float(share)

    shares = together(*(ask(str(i)) for i in range(TABLES)))
    desk.close()
    assert order == [str(i) for i in range(TABLES)]
    assert shares[0] <= 10.0 / TABLES, "who wait together share"
    assert desk.open == 0


def test_a_full_queue_refuses_and_the_rule_of_thumb_answers() -> None:
    desk = WorkerPool(1, 3)
    answers = together(*(desk.ask(echo, 10.0, "x") for _ in range(5)))
    desk.close()
    assert [isinstance(answer, QueueFull) for answer in answers] == [False, False, False, True, True]
    bots, position = BotWorkers(1, 0.05), start_position(PAIR)
    bots._moves = WorkerPool(1, 0)
    tokens = together(*(bots.choose(BEST, position) for _ in range(60)))
    bots.close()
    thumb = {mind.bot("greedy", luck=Random(seed))(position) for seed in range(100)}
    assert set(tokens) <= thumb < set(position.legal())


def test_tables_that_come_back_together_leave_room_for_moves() -> None:
    """As after a restart: the same bot sits at all of them."""
    game, bot = next(iter(SEARCHING.items()))
    position, bots = start_position(game), BotWorkers(1, TIMEOUT_S)
    moves = bots._moves
    *_, answer = together(
        *(bots.prepare(bot, position) for _ in range(MAX_MOVES)), moves.ask(echo, TIMEOUT_S, "asked")
    )
    bots.close()
    assert answer[1] == "asked", "not refused"


def test_a_bot_that_is_gone_gets_ready_for_nothing_and_stops_nobody() -> None:
    bots, position = BotWorkers(1, 0.05), start_position(FOR_TWO[0])
    with capture_logs() as logs:
        run(bots.prepare("level99", position))
        assert run(bots.choose("level99", position)) in position.legal()
    bots.close()
    assert [said["event"] for said in logs] == ["a bot failed"] * 2


def test_a_worker_that_dies_stops_no_table() -> None:
    bots, position = BotWorkers(1, 0.05), start_position(FOR_TWO[0])

    async def play() -> tuple[str, str]:
        first = await bots.choose(BEST, position)
        with pytest.raises(BrokenProcessPool):
            await bots._moves.ask(end_process, 1.0)
        assert (await bots._moves.ask(echo, 1.0, "again"))[1] == "again"
        return first, await bots.choose(BEST, position)

    tokens = run(play())
    bots.close()
    assert set(tokens) <= set(position.legal())


def test_workers_end_with_their_server_however_it_ends() -> None:
    """The pipe is closed once nobody holds its end: the worker has it too."""
    program = """
import asyncio, os, signal
from smallchange.core.game import Game
from smallchange.server.table.live.bot_workers import BotWorkers
from tests.server.pool_jobs import echo
async def play():
    print(await BotWorkers(1)._moves.ask(echo, 60.0, "up"), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    asyncio.run(play())
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as server:
        said, _ = server.communicate(timeout=300)
    assert "up" in said
    assert server.returncode == -signal.SIGKILL


def test_a_hint_whose_worker_dies_is_refused_and_the_next_question_answered() -> None:
    position = start_position(next(id for id in games() if len(Game(id).seats) == 1))
    bots = BotWorkers(1, 0.05)

    async def ask() -> str:
        assert (await bots._hints.ask(echo, 1.0, "up"))[1] == "up"
        asked = asyncio.create_task(bots.hint(position))
        async with asyncio.timeout(TIMEOUT_S):
            while not bots._hints.open:
                await asyncio.sleep(0)
        assert bots._hints._pool is not None
        for process in bots._hints._pool._processes.values():
            process.kill()
        with pytest.raises(Refused) as refused, capture_logs() as logs:
            await asked
        assert refused.value.code == "bot-failed"
        assert [said["event"] for said in logs] == ["a bot's process died"]
        found: str = (await bots._hints.ask(echo, 1.0, "again"))[1]
        return found

    assert run(ask()) == "again"
    bots.close()


def test_workers_that_do_not_even_start_are_left_alone_for_a_while() -> None:
    desk = WorkerPool(1, 100)

    async def ask() -> None:
        with pytest.raises(BrokenProcessPool):
            await desk.ask(end_process, 1.0)
        with pytest.raises(QueueFull):
            await desk.ask(echo, 1.0, "x")

    run(ask())
    desk.close()


@pytest.mark.parametrize("game", FOR_TWO)
def test_a_form_leads_to_the_table_with_the_bots_answer(
    served: Served, ann: Person, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "smallchange.server.table.http.forms.BOT_WAIT_S", TIMEOUT_S
    )  # however busy the machine is
    first, second = Game(game).seats
    id = ann.open(game, **{f"seat.{first}": "me", f"seat.{second}": "bot:random"})
    history = served.live_table(id).history
    until(lambda: history.turn in (0, -2))  # some deals begin with the bot
    for _ in range(6):
        if not history.ending:
            assert ann.command(id, "act", history.ply, token=legal(served, id)[0]).status_code == 303
        assert history.turn in (0, -2), "it is ours again, or over"
