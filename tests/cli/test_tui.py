"""The terminal application, driven by keys and clicks: every game, and a table of a server by its link."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot
from textual.widgets import Footer, OptionList, RichLog, Static

import smallchange
from smallchange import Match, bots, record
from smallchange.cli import main as cli
from smallchange.cli.saved_game import SavedGame
from smallchange.cli.tui.app import Reading, TableApp
from smallchange.cli.tui.board import Board
from smallchange.cli.tui.chooser import Chooser
from smallchange.cli.tui.selection import Selection
from smallchange.cli.tui.table import GO_ON, LocalTable

GAMES = smallchange.games()
greedy = bots.bot("greedy")
PILOT = Callable[[TableApp, Pilot[None]], Awaitable[None]]


def local(id: str, **options: object) -> LocalTable:
    return LocalTable(Match(smallchange.game(id, **options), bytes(16)), {})


def drive(table: LocalTable, work: PILOT, lang: str = "en") -> None:
    """Run the application without a terminal, and work with it once it waits for a person."""

    async def main() -> None:
        app = TableApp(table, lang)
        async with app.run_test(size=(130, 44)) as pilot:
            await wait_until_idle(app, pilot)
            await work(app, pilot)

    asyncio.run(main())


async def wait_until_idle(app: TableApp, pilot: Pilot[None]) -> None:
    await pilot.pause()
    if not app.table.is_remote:
        await app.workers.wait_for_complete()
    await pilot.pause()


async def click(app: TableApp, pilot: Pilot[None], spot: str) -> None:
    board = app.query_one(Board)
    cell = next(cell for cell in board._table.cells if cell.spot == spot)
    await pilot.click(Board, offset=(cell.column + 1, cell.line + cell.lines - 1))
    await wait_until_idle(app, pilot)


@pytest.mark.parametrize("id", GAMES)
def test_every_game_can_be_played_with_the_keyboard(id: str) -> None:
    table = local(id)

    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        for _ in range(3):
            before, legal = len(table.match), table.legal
            if table.match.over:
                break
            await pilot.press("enter")
            await wait_until_idle(app, pilot)
            assert table.match.steps[before].token == legal[0]
        assert len(app.query_one("#log", RichLog).lines) >= len(table.match) - 60

    drive(table, work)


def test_a_piece_is_moved_by_two_clicks_or_by_the_arrow_keys() -> None:
    table = local("dodgem")

    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        await click(app, pilot, "a2")
        assert app.selection.possible_moves == ["a2-b2"]
        assert app.query_one("#moves", OptionList).option_count == 1
        await click(app, pilot, "b2")
        app.query_one(Board).focus()
        app.query_one(Board).cursor = "f4"
        await pilot.press("enter", "left", "enter")
        await wait_until_idle(app, pilot)
        assert [step.token for step in table.match] == ["a2-b2", "f4-e4"]
        await pilot.press("u")
        await wait_until_idle(app, pilot)
        assert len(table.match) == 1

    drive(table, work)


@pytest.mark.parametrize("id", GAMES)
def test_every_move_can_be_made_by_touching_what_the_layout_names(id: str) -> None:
    match = Match(smallchange.game(id), bytes(16))
    for _ in range(12):
        match.settle()
        if match.over:
            break
        legal = match.position.legal()
        for token in legal:
            selection = Selection(match.position, legal)
            touch = match.game.layout.touch(match.game.board, match.position.s, match.game.actions[token])
            touched = [selection.spot(id) for id in (*touch.path, *touch.marks)]
            made = [selection.touch(spot) for spot in touched]
            assert token in ([m for m in made if m] or selection.possible_moves)
        match.play(legal[-1])


def test_dice_are_marked_and_the_list_says_what_that_means() -> None:
    table = local("coin-collectors")

    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await wait_until_idle(app, pilot)
        assert len(table.legal) == 16
        await click(app, pilot, "dice-S")
        await click(app, pilot, "dice-C")
        assert app.selection.possible_moves == ["roll:SC"]

    drive(table, work)


def test_rules_sheets_and_keys_are_in_the_players_language() -> None:
    table = local("coin-age")

    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        for key in ("r", "p", "question_mark"):
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(app.screen, Reading)
            await pilot.press("escape")
            await pilot.pause()
        labels = {binding.binding.description for binding in app.screen.active_bindings.values()}
        assert "ヒント" in labels
        assert app.query_one(Footer)
        asks = table.match.game.words.asks(table.match.game.board, table.match.position.s)
        assert asks["ja"] in str(app.query_one("#asks", Static).render())

    drive(table, work, "ja")


def test_a_bot_answers_and_the_game_is_kept(tmp_path: Path) -> None:
    match, file = Match(smallchange.game("dodgem", size=3), bytes(16)), tmp_path / "game.txt"
    bot = {"green": lambda position: position.legal()[0]}
    table = LocalTable(match, bot, SavedGame(file, match, {"red"}))

    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        assert not file.exists()
        await pilot.press("enter")
        await wait_until_idle(app, pilot)
        assert [step.actor for step in table.match] == ["red", "green"]
        assert table.close() == GO_ON.fill(file=str(file))
        assert record.read(file.read_text(encoding="utf-8")) == table.match

    drive(table, work)


def test_a_step_is_kept_before_anybody_answers_and_a_bot_that_fails_loses_nothing(tmp_path: Path) -> None:
    match, file = Match(smallchange.game("dodgem", size=3), bytes(16)), tmp_path / "game.txt"

    def fail(position: smallchange.Position) -> str:
        assert len(record.read(file.read_text(encoding="utf-8"))) == 1
        raise smallchange.BadPolicy("it fails")

    table = LocalTable(match, {"green": fail}, SavedGame(file, match, {"red"}))

    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await wait_until_idle(app, pilot)
        assert "it fails" in "".join(line.text for line in app.query_one("#log", RichLog).lines)
        assert record.read(file.read_text(encoding="utf-8")) == table.match

    drive(table, work)


def test_a_review_waits_for_the_end_of_the_game() -> None:
    table = local("dodgem")

    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("v")
        await wait_until_idle(app, pilot)
        assert not isinstance(app.screen, Reading)
        assert "once the game is over" in "".join(line.text for line in app.query_one("#log", RichLog).lines)

    drive(table, work)


@pytest.mark.parametrize("id", [id for id in GAMES if smallchange.game(id).memory])
def test_of_a_game_by_memory_the_log_shows_the_last_turn_alone_after_an_undo_too(id: str) -> None:
    table = local(id, by_memory=True)

    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        for _ in range(3):
            app.play(greedy(table.match.position))
            await wait_until_idle(app, pilot)
        for _ in range(2):
            shown = [line.text for line in app.query_one("#log", RichLog).lines]
            last = table.match.steps[table.match.start_of_last_turn :]
            tokens = [text.rpartition("[")[2].rstrip(" ]") for text in shown if "[" in text]
            assert tokens == [step.token for step in last]
            await pilot.press("u")
            await wait_until_idle(app, pilot)

    drive(table, work)


@pytest.mark.parametrize(("width", "lang"), [(40, "de"), (60, "en"), (80, "ja"), (120, "de")])
def test_no_sentence_is_cut_at_any_width(width: int, lang: str) -> None:
    async def main(id: str) -> None:
        app = TableApp(local(id), lang)
        async with app.run_test(size=(width, 24)) as pilot:
            await wait_until_idle(app, pilot)
            await pilot.press("enter")
            await wait_until_idle(app, pilot)
            for part in map(app.query_one, ("#table", "#clock", "#asks", "#moves", "#log")):
                assert app.screen.region.contains_region(part.region), (id, part)
            for part in map(app.query_one, ("#clock", "#asks", "#moves", "#log")):
                assert part.virtual_size.width <= part.region.width, (id, part)

    for id in GAMES:
        asyncio.run(main(id))


def test_a_typed_number_goes_to_its_move() -> None:
    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        third = app.table.legal[2]
        await pilot.press("3", "enter")
        await wait_until_idle(app, pilot)
        assert [step.token for step in app.table.match] == [third]

    drive(local("dodgem"), work)


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+d"])
def test_the_list_of_games_is_left_by_the_usual_keys(key: str) -> None:
    async def main() -> None:
        app = Chooser("de")
        async with app.run_test() as pilot:
            await pilot.press(key)
        assert app.return_value is None
        assert app._exit

    asyncio.run(main())


@pytest.mark.parametrize("key", ["q", "ctrl+d"])
def test_a_table_is_left_by_the_keys_of_the_prompt(key: str) -> None:
    async def work(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        assert app._exit

    drive(local("dodgem"), work)


def test_a_game_is_chosen_from_a_list() -> None:
    async def main() -> str | None:
        app = Chooser("ja")
        async with app.run_test() as pilot:
            await pilot.press("down", "enter")
        return app.return_value

    assert asyncio.run(main()) == GAMES[1]


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["http://localhost/games/dodgem"], 2, "a table's link is like http://HOST/j/CODE"),
        (["http://127.0.0.1:9/j/abcdefgh"], 1, "does not answer"),
        (["solo", "--bot", "greedy"], 2, "solo is for one player"),
        (["chess"], 2, "unknown game 'chess'"),
        (
            ["dodgem"],
            2,
            "needs a terminal for its input and its output; `smallchange play` works without one",
        ),
    ],
)
def test_what_cannot_be_played_is_said_before_the_terminal_is_filled(
    arguments: list[str], status: int, says: str
) -> None:
    done = CliRunner().invoke(cli, ["tui", *arguments])
    assert done.exit_code == status
    assert says in done.output
