"""Tables on disk: what they say, what they refuse, and how a solve goes on after a crash."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import BadOption, BadPosition, BadTable, Position
from smallchange.core.game import Game
from smallchange.core.options import Whole
from smallchange.tablebase import PliesTable, open_table, solvable
from smallchange.tablebase.compiled_solver import Kit
from smallchange.tablebase.make_table import affordable, make_table, solve_with_plies
from smallchange.tablebase.ranked_games import all_positions, index_of
from smallchange.tablebase.table import MAGIC, SPARE, digest, header_line, opposite
from smallchange.tablebase.table_writer import header_and_content, read_values, write_table
from smallchange.tablebase.verify import verify

from .small_games import smallest


@pytest.fixture(scope="module", params=solvable())
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> PliesTable:
    file = tmp_path_factory.mktemp("tables") / "solved.table"
    made = make_table(file, smallest(request.param))
    assert isinstance(made, PliesTable)
    return made


def test_every_entry_is_proved_and_every_kind_is_there(table: PliesTable) -> None:
    proved = verify(table, threads=2)
    assert proved.won + proved.drawn + proved.lost + proved.none == table.positions
    assert proved.won > 0
    assert proved.lost > 0


def test_every_position_has_a_number_of_its_own(table: PliesTable) -> None:
    index, board = index_of(table.game), table.game.board
    for seat in range(2):
        for i in range(table.positions):
            assert index.place(board, table.position(i, seat).s) == i
    assert index.places(board, 0) == 0


def test_the_best_steps_win_soonest_and_nothing_better_is_left_out(table: PliesTable) -> None:
    for i in range(0, table.positions, 7):
        here = table.position(i, i % 2)
        value, worth = table.value(here), dict(table.steps(here))
        assert [token for token in here.legal() if worth[token] == value] == table.best(here)
        assert sorted(worth) == here.legal()


def test_following_the_table_wins_in_the_steps_it_names(table: PliesTable) -> None:
    for i in range(0, table.positions, 11):
        here = table.position(i, i % 2)
        if not here.legal() or table.value(here).outcome != "win":
            continue
        winner, plies = here.actor, table.value(here).plies
        assert winner is not None
        taken = 0
        while here.actor is not None:
            here.play(table.best(here)[-1])
            taken += 1
        mine, other = (here.score(player) or 0 for player in sorted(table.game.seats, key=winner.__ne__))
        assert (taken, mine > other) == (plies, True)


def test_a_game_that_is_over_has_no_value(table: PliesTable) -> None:
    here = table.position(table.positions - 1, 0)
    while here.actor is not None:
        here.play(table.best(here)[0])
    assert here not in table
    for asked in (table.value, table.best):
        with pytest.raises(BadPosition, match="over"):
            asked(here)


def test_a_position_of_another_board_is_refused(table: PliesTable) -> None:
    other = smallchange.game(table.game.id).start()
    assert other not in table
    with pytest.raises(BadPosition, match="not in a table"):
        table.value(other)


def test_a_table_holds_its_game_under_another_limit_of_long_play(table: PliesTable) -> None:
    limits = [option for option in table.game.offered if isinstance(option, Whole) and option.default != 6]
    for option in limits:
        longer = Game(table.game.id, {**table.game.options, option.name: option.high})
        assert table.value(longer.start()) == table.value(table.game.start())


def test_any_single_changed_byte_is_found(table: PliesTable, tmp_path: Path) -> None:
    content = file_of(table, tmp_path).read_bytes()
    broken = tmp_path / "broken.table"
    for at in range(len(content)):
        changed = bytearray(content)
        changed[at] ^= 1 << at % 8
        broken.write_bytes(changed)
        with pytest.raises(BadTable) as refused:
            open_table(broken)
        assert "\n" not in str(refused.value)


def test_a_cut_off_table_and_what_is_none_are_refused_in_one_line(table: PliesTable, tmp_path: Path) -> None:
    content = file_of(table, tmp_path).read_bytes()
    broken = tmp_path / "broken.table"
    for text in (b"", content[:10], content[:100], content[:-1], content + b"\0", b"PK\x03\x04" + content):
        broken.write_bytes(text)
        with pytest.raises(BadTable) as refused:
            open_table(broken)
        assert str(broken) in str(refused.value)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"values"', b'"walues"'),
        (b'"bits": ', b'"bits": 1.'),
        (b'"bits": ', b'"bits": 9'),
        (b'"values": [', b'"values": 3, "more": ['),
        (b'"values": [', b'"values": ["0", '),
        (b'"rare": ', b'"rare": -1'),
        (b'"positions": ', b'"positions": -'),
        (b"{", b"[" * 5000),
    ],
)
def test_a_header_of_another_form_is_refused_though_the_digest_is_not_compared(
    before: bytes, after: bytes, table: PliesTable, tmp_path: Path
) -> None:
    file = file_of(table, tmp_path)
    file.write_bytes(file.read_bytes().replace(before, after, 1))
    with pytest.raises(BadTable, match="its header cannot be read"):
        open_table(file, check=False)


def test_a_table_for_other_rules_is_refused(table: PliesTable, tmp_path: Path) -> None:
    class Later(Game):
        version = 999

    file = tmp_path / "later.table"
    write_table(file, Later(table.game.id, dict(table.game.options)), read_values(table))
    with pytest.raises(BadTable, match=r"for version \[999, 1\]"):
        open_table(file)


def test_one_wrong_entry_is_found(table: PliesTable, tmp_path: Path) -> None:
    values = read_values(table)
    luck = range(0, len(values), max(1, len(values) // 12))
    for i in luck:
        wrong = values.copy()
        wrong[i] += 2 if wrong[i] != 0 else 1
        with pytest.raises(BadTable, match="is wrong"):
            verify(write_and_open(table, wrong, tmp_path))


def test_a_forged_table_is_not_proved_though_its_digest_fits(table: PliesTable, tmp_path: Path) -> None:
    header, content = header_and_content(table.game, read_values(table))
    body, file, values = b"".join(content), tmp_path / "forged.table", header["values"]

    def write_forged(change: dict[str, Any], body: bytes) -> PliesTable:
        forged = header | change
        line = header_line(forged | {"digest": digest(forged, body)})
        file.write_bytes(MAGIC + line + b"\n" + body)
        made = open_table(file)
        assert isinstance(made, PliesTable)
        return made

    assert verify(write_forged({}, body))
    for change in (
        {"more": 1},
        {"values": values[::-1]},
        {"values": values[:1]},
        {"values": [*values, 10**30]},
    ):
        with pytest.raises(BadTable):
            verify(write_forged(change, body))
    for at in [*range(0, len(body), 1 + len(body) // 40), *range(-2 * SPARE, 0)]:
        forged = bytearray(body)
        forged[at] ^= 1 << at % 8
        with pytest.raises(BadTable) as refused:
            verify(write_forged({}, bytes(forged)))
        assert "\n" not in str(refused.value)


def test_a_table_with_rare_values_reads_back_whole(table: PliesTable, tmp_path: Path) -> None:
    values = read_values(table)
    values[::50] = range(-5000, -5000 + len(values[::50]))
    again = write_and_open(table, values, tmp_path)
    assert again.header["rare"] > 0
    assert (read_values(again) == values).all()
    for i in range(0, len(values), 25):
        if values[i] != 32767:
            value = again.entry(i)
            assert (value.plies or 0) == abs(values[i])
            assert opposite(opposite(value))[0] == value.outcome


def test_any_number_of_threads_makes_the_same_file(table: PliesTable, tmp_path: Path) -> None:
    make_table(str(tmp_path / "three.table"), table.game, threads=3)
    assert (tmp_path / "three.table").read_bytes() == file_of(table, tmp_path).read_bytes()


def test_a_budget_takes_the_positions_with_few_pieces(table: PliesTable, tmp_path: Path) -> None:
    part = make_table(tmp_path / "part.table", table.game, budget=table.positions // 2)
    assert isinstance(part, PliesTable)
    assert 0 < part.positions < table.positions
    verify(part)
    assert all(part.entry(i) == table.entry(i) for i in range(part.positions) if entry_is_one(table, i))
    assert table.game.start() not in part
    with pytest.raises(BadPosition, match="more pieces"):
        part.value(table.game.start())
    with pytest.raises(BadOption, match="too few"):
        affordable(table.game, 1)


def test_games_with_chance_and_boards_too_large_are_refused() -> None:
    for id in smallchange.games():
        if id not in solvable():
            with pytest.raises(BadOption, match="the games that have are"):
                affordable(smallchange.game(id), None)


@pytest.mark.parametrize("what", ["memory", "disk"])
def test_a_solve_that_needs_more_than_it_may_take_is_refused_before_it_begins(
    what: str, table: PliesTable, tmp_path: Path
) -> None:
    with pytest.raises(BadOption, match=rf"positions need 0\.\d GB of {what}, and there are 0\.0"):
        make_table(
            tmp_path / "large.table",
            table.game,
            memory=10 if what == "memory" else None,
            disk=10 if what == "disk" else None,
        )
    assert not list(tmp_path.iterdir())


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_any_position_of_any_board_has_one_number(data: st.DataObject) -> None:
    id = data.draw(st.sampled_from(solvable()))
    options: dict[str, object] = {}
    for option in smallchange.game(id).offered:
        names = getattr(option, "names", None) or (option.default, getattr(option, "low", option.default))
        options[option.name] = data.draw(st.sampled_from(names))
    game = Game(id, options)
    index, s = index_of(game), game.start().s
    i, seat = data.draw(st.integers(0, all_positions(game) - 1)), data.draw(st.integers(0, 1))
    index.position(game.board, s, i, seat)
    assert (index.place(game.board, s), s.turn, s.violations()) == (i, seat, [])
    layer, progress = index.layer(game.board, s), index.progress(game.board, s)
    assert 0 <= layer < index.layers(game.board)
    position = Position(game, s)
    for token in position.legal():
        after = position.played(token)
        if after.actor is not None:
            lower = index.layer(game.board, after.s), index.progress(game.board, after.s)
            assert lower == (layer, progress) or (lower[0] < layer and lower[1] < progress)


def entry_is_one(table: PliesTable, i: int) -> bool:
    return bool(table.position(i, 0).legal())


def write_and_open(table: PliesTable, values: object, folder: Path) -> PliesTable:
    write_table(folder / "written.table", table.game, values)
    made = open_table(folder / "written.table")
    assert isinstance(made, PliesTable)
    return made


def file_of(table: PliesTable, folder: Path) -> Path:
    file = folder / "same.table"
    write_table(file, table.game, solve_with_plies(Kit(table.game), table.positions, 1))
    return file
