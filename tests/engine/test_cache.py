"""The cache of compiled code."""

import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from smallchange.engine.compile import cache


@pytest.fixture(autouse=True)
def forgotten() -> None:
    cache.cache_folder.cache_clear()


def test_the_environment_chooses_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path / "here"))
    assert cache.cache_folder() == tmp_path / "here"


def test_a_folder_that_cannot_be_written_gives_one_warning_and_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path / "file" / "below"))
    with pytest.warns(RuntimeWarning, match="set SMALLCHANGE_CACHE") as warned:
        folders = {cache.cache_folder(), cache.cache_folder()}
    assert len(warned) == len(folders) == 1
    assert folders.pop().is_dir()


def test_a_file_once_written_stays(tmp_path: Path) -> None:
    """Several processes may start at once; Numba's index names the time of the first one's file."""
    file = tmp_path / "game.py"
    cache._write_once(file, "first")
    before = file.stat()
    cache._write_once(file, "second")
    assert (file.read_text(), file.stat().st_mtime_ns) == ("first", before.st_mtime_ns)
    assert list(tmp_path.iterdir()) == [file]


def test_a_text_that_cannot_be_written_is_told_with_its_file_and_leaves_no_draft(tmp_path: Path) -> None:
    """As where the disk is full."""
    pytest.importorskip("resource")  # not on Windows
    file = tmp_path / "game.py"
    code = f"""
import resource
from pathlib import Path
from smallchange.engine.compile import cache
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
cache._write_once(Path({str(file)!r}), 9999 * "x")
"""
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    assert done.stderr.endswith(f"File too large: '{file}'\n")
    assert list(tmp_path.iterdir()) == []


def test_processes_that_start_at_once_all_get_the_whole_text(tmp_path: Path) -> None:
    code = f"""
import os, sys
os.environ["SMALLCHANGE_CACHE"] = {str(tmp_path)!r}
from smallchange.engine.compile import cache
print(cache.load_module("race", "".join(f"x{{i}} = {{i}}\\n" for i in range(20000))).x19999)
"""
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in running] == ["19999"] * 4


def test_a_thread_that_asks_while_another_loads_a_text_gets_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path))
    begun = Event()
    monkeypatch.setattr(cache, "begun", begun, raising=False)
    slow = "for i in range(10**6):\n    last = i"
    text = f"from smallchange.engine.compile.cache import begun\nbegun.set()\n{slow}\nwhole = 1"
    other = Thread(target=cache.load_module, args=("threads", text))
    other.start()
    assert begun.wait(60)
    assert cache.load_module("threads", text).whole == 1
    other.join()


def test_the_name_of_a_text_s_folder_depends_on_versions_and_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path))
    first = cache.load_module("same", "x = 1\n").__file__
    key = cache.environment_key()
    monkeypatch.setattr(cache, "environment_key", lambda: key.replace("numba ", "numba 1"))
    assert cache.load_module("same", "x = 1\n").__file__ != first


def test_a_new_text_sweeps_away_those_that_were_long_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path))
    old, used = (Path(str(cache.load_module(name, "x = 1\n").__file__)).parent for name in ("old", "used"))
    for folder in (old, used):
        os.utime(folder, (0, 0))
    monkeypatch.delitem(sys.modules, f"_smallchange_{used.name.replace('-', '_')}")  # as in a new process
    cache.load_module("used", "x = 1\n")
    cache.load_module("new", "x = 1\n")
    assert not old.exists()
    assert used.exists()


def test_a_text_that_the_check_refuses_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path))

    def refuse() -> None:
        raise ValueError("a fault")

    for _ in range(2):
        with pytest.raises(ValueError, match="a fault"):
            cache.load_module("faulty", "x = 1\n", refuse)
    assert list(tmp_path.iterdir()) == []
