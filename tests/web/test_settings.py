"""Every setting is documented, with its meaning and its default, and heard from the environment."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from smallchange.web.settings import BadSetting, Settings, settings

SERVE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
MEANT: dict[str, Any] = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"]


@pytest.mark.parametrize("name", MEANT)
def test_every_setting_stands_in_the_documentation(name: str) -> None:
    (row,) = [line for line in SERVE.splitlines() if line.startswith(f"| `{name}` |")]
    assert row.endswith(f"| {MEANT[name]['description']} |")
    if MEANT[name].get("default") not in (None, "", (), []):
        assert f"| {str(MEANT[name]['default']).lower()} |" in row.lower()


def test_an_argument_wins_over_the_environment_and_that_over_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"PORT": "8080", "SECURE": "true", "ORIGINS": "https://a.example, https://b"}.items():
        monkeypatch.setenv(f"SMALLCHANGE_{name}", value)
    heard = settings(host="::1", port=9000)
    assert (heard.host, heard.port, heard.secure, heard.log) == ("::1", 9000, True, "text")
    assert heard.origins == ("https://a.example", "https://b")


def test_a_setting_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHANGE_BOT_SECONDS", "soon")
    with pytest.raises(BadSetting, match="bot_seconds: Expected `float`"):
        settings()
