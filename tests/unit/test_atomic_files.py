"""Files that are replaced as a whole."""

import os
import stat
from pathlib import Path

import pytest

from smallchange.core.atomic_files import replacing, take_place


def write(file: Path, content: bytes) -> None:
    with replacing(file) as draft:
        draft.write(content)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_that_is_replaced_keeps_its_mode(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "it"
    file.write_bytes(b"old")
    file.chmod(mode)
    write(file, b"new")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", mode)


def test_a_draft_of_a_private_file_is_private_too(tmp_path: Path) -> None:
    file = tmp_path / "it"
    file.write_bytes(b"old")
    file.chmod(0o600)
    with replacing(file) as draft:
        assert stat.S_IMODE(os.fstat(draft.fileno()).st_mode) == 0o600


def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write(tmp_path / "it", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "it").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["n" * 255, "\u624b" * 84 + "txt"])
def test_a_name_as_long_as_names_may_be_can_be_written_to(name: str, tmp_path: Path) -> None:
    write(tmp_path / name, b"new")
    write(tmp_path / name, b"newer")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [(name, b"newer")]


@pytest.mark.parametrize("refusals", [1, 3, 4])
def test_a_file_that_another_program_reads_is_replaced_within_a_second(
    refusals: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft, file, waited = tmp_path / "draft", tmp_path / "it", [0.0]
    draft.write_bytes(b"new")
    tries, move = iter(range(refusals)), Path.replace

    def refuse_at_first(path: Path, target: Path) -> Path:  # as Windows does
        if next(tries, None) is not None:
            raise PermissionError
        return move(path, target)

    monkeypatch.setattr(Path, "replace", refuse_at_first)
    if refusals < 4:
        take_place(draft, file, waited.append)
        assert file.read_bytes() == b"new"
    else:
        with pytest.raises(PermissionError):
            take_place(draft, file, waited.append)
    assert sum(waited) <= 1
