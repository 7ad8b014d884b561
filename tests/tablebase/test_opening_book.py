"""Opening books: the part of a large board's table near the start, which ships with a game."""

from pathlib import Path

import pytest

import smallchange
from smallchange import BadOption, BadPosition
from smallchange.core.game import Game, games
from smallchange.tablebase import open_table
from smallchange.tablebase.layered_solve import solve_layers
from smallchange.tablebase.layered_values import LayeredTable
from smallchange.tablebase.make_table import make_table
from smallchange.tablebase.opening_book import BOOKS, shipped_book, write_book
from smallchange.tablebase.verify import check_sample
from tests.support.small_solved_games import every_position

SHIPPED = [file for id in games() for file in sorted((Game(id).folder / BOOKS).glob("*.table"))]
MAX_BYTES = 5_000_000  # of all books together


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> LayeredTable:
    file = tmp_path_factory.mktemp("book") / "whole.table"
    solve_layers(file, smallchange.game("dodgem", size=3))
    table = open_table(file)
    assert isinstance(table, LayeredTable)
    return table


def test_a_book_has_the_values_of_all_positions_near_the_start_and_of_their_steps(
    whole: LayeredTable, tmp_path: Path
) -> None:
    sections = whole.sections.diagonals
    write_book(tmp_path / "book.table", whole, sum(sections[total]["bytes"] for total in range(6)))
    book = open_table(tmp_path / "book.table")
    held = [
        position
        for position in every_position(make_table(tmp_path / "plies.table", whole.game))
        if position in book
    ]
    assert whole.game.start() in held
    assert 0 < len(held) < whole.positions
    for position in held:
        assert book.value(position) == whole.value(position)
        assert book.steps(position) == whole.steps(position)
        assert book.best(position) == whole.best(position)


def test_a_book_refuses_a_position_that_is_later(whole: LayeredTable, tmp_path: Path) -> None:
    write_book(
        tmp_path / "book.table", whole, sum(whole.sections.diagonals[total]["bytes"] for total in range(3))
    )
    book, position = open_table(tmp_path / "book.table"), whole.game.start()
    for token in ("a1-b1", "c2-b2"):
        position = position.played(token)
    assert position not in book
    with pytest.raises(BadPosition, match="farther from the start than this opening book goes"):
        book.value(position)


def test_too_few_bytes_for_a_book_are_refused(whole: LayeredTable, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="too few for an opening book"):
        write_book(tmp_path / "book.table", whole, 20)


def test_the_shipped_books_are_small() -> None:
    assert SHIPPED
    assert sum(file.stat().st_size for file in SHIPPED) < MAX_BYTES


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_each_shipped_book_is_whole_and_its_values_agree_with_those_one_step_on(file: Path) -> None:
    book = open_table(file)
    found = shipped_book(book.game)
    assert found is not None
    assert found.header == book.header
    assert book.game.start() in book
    check_sample(book, 300)
