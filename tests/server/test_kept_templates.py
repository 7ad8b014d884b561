"""Compiled templates are kept in the cache folder, and a page needs none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from smallchange.server.web import frame


@pytest.mark.parametrize("kept", ["folder", "file", "folder of other bytes"])
def test_a_template_is_there_whatever_the_cache_folder_has(
    kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_CACHE", str(tmp_path / "cache"))
    if kept == "file":
        (tmp_path / "cache").write_text("no folder")
    for _ in range(2):
        template = frame.templates.__wrapped__().get_template("rows.html")
        assert callable(template.module.waiting)  # type: ignore[attr-defined]
        files = [*(tmp_path / "cache" / "templates").glob("*")] if kept != "file" else []
        assert len(files) == (kept != "file")
        for file in files if kept == "folder of other bytes" else ():
            file.write_bytes(b"other")
