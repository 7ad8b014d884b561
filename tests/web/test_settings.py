"""Every setting is documented, with its meaning and its default."""

from pathlib import Path

import pytest

from smallchange.web.settings import Settings

SERVE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_stands_in_the_documentation(name: str) -> None:
    (row,) = [line for line in SERVE.splitlines() if line.startswith(f"| `{name}` |")]
    field = Settings.model_fields[name]
    assert row.endswith(f"| {field.description} |")
    if field.default not in ("", ()) and field.default_factory is None:
        assert f"| {str(field.default).lower()} |" in row.lower()
