"""Every setting is documented, with its meaning and its default, and heard from the environment."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from sqlalchemy import URL, text
from sqlalchemy.exc import OperationalError

from smallchange.server.app import app
from smallchange.server.database.bus import MemoryBus, PostgresBus, bus_for
from smallchange.server.database.opening import engine
from smallchange.server.settings import (
    ADDRESS_FACTOR,
    ADDRESS_HINT_FACTOR,
    ADDRESS_SIGN_IN_FACTOR,
    BadSetting,
    Settings,
    read_url,
    settings,
)
from smallchange.server.web.limits import MAX_COSTLY_REQUESTS

SERVE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
MEANT: dict[str, Any] = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"]


@pytest.mark.parametrize("name", MEANT)
def test_every_setting_stands_in_the_documentation(name: str) -> None:
    (row,) = [line for line in SERVE.splitlines() if line.startswith(f"| `{name}` |")]
    assert row.endswith(". |"), "its meaning"
    default = MEANT[name].get("default")
    if default not in (None, "", (), []):
        shown = ", ".join(default) if isinstance(default, list | tuple) else str(default)
        assert f"| {shown.lower()} |" in row.lower()


def test_limits_that_are_no_settings_stand_there_too() -> None:
    n = MAX_COSTLY_REQUESTS
    said = f"one address may have {n} records verified and {n} variants measured in a minute."
    assert said in " ".join(SERVE.split())
    for name, factor in (
        ("playing", ADDRESS_FACTOR),
        ("watching", ADDRESS_FACTOR),
        ("hints", ADDRESS_HINT_FACTOR),
        ("sign_ins", ADDRESS_SIGN_IN_FACTOR),
    ):
        (row,) = [line for line in SERVE.splitlines() if line.startswith(f"| `{name}` |")]
        assert f" {factor} times as many" in row


def test_an_argument_wins_over_the_environment_and_that_over_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"PORT": "8080", "SECURE": "true", "ORIGINS": "https://a.example, https://b"}.items():
        monkeypatch.setenv(f"SMALLCHANGE_{name}", value)
    heard = settings(host="::1", port=9000)
    assert (heard.host, heard.port, heard.secure, heard.log) == ("::1", 9000, True, "text")
    assert heard.origins == ("https://a.example", "https://b")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("bot_seconds", "soon", "a number above 0 to 60"),
        ("port", "70000", "a whole number from 0 to 65535"),
        ("sockets", "0", "a whole number from 1"),
        ("secure", "perhaps", "true or false"),
        ("log", "xml", "json or text"),
    ],
)
def test_a_setting_that_is_none_is_named_with_what_is_accepted(
    name: str, value: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"SMALLCHANGE_{name.upper()}", value)
    with pytest.raises(BadSetting, match=f"^{name}: expected {expected}, not '{value}'$"):
        settings()


@pytest.mark.parametrize(
    ("name", "near"), [("SECUR", "SECURE"), ("port", "PORT"), ("NEWTABLES", "NEW_TABLES")]
)
def test_a_name_in_the_environment_that_is_none_is_refused_with_the_nearest(
    name: str, near: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in ("DATA", "LANG", "CACHE", "CHECKED"):
        monkeypatch.setenv(f"SMALLCHANGE_{other}", "x")
    settings()
    monkeypatch.setenv(f"SMALLCHANGE_{name}", "x")
    with pytest.raises(
        BadSetting, match=f"^SMALLCHANGE_{name} is not a setting; the nearest is SMALLCHANGE_{near}$"
    ):
        settings()


@pytest.mark.parametrize(
    ("name", "accepted", "refused"),
    [
        (
            "origins",
            "https://play.example, http://[::1]:8080",
            ["play.example", "https://play.example/", "*"],
        ),
        ("proxies", "127.0.0.1, 10.0.0.0/8,::1", ["nonsense", "127.0.0.1 10.0.0.1", "10.0.0.1/8"]),
        ("proxies", "*", ["*.example"]),
    ],
)
def test_what_can_match_nothing_is_refused(name: str, accepted: str, refused: list[str]) -> None:
    settings(**{name: accepted})
    for value in refused:
        with pytest.raises(BadSetting, match=f"{name}: expected .* not '{re.escape(value)}'"):
            settings(**{name: f"{accepted}, {value}"})


def test_all_proxies_and_some_is_refused() -> None:
    """Beside others * would be the name of one."""
    with pytest.raises(BadSetting, match=r"^proxies: expected \* alone, .* not '\*, 127.0.0.1'$"):
        settings(proxies="*, 127.0.0.1")


@pytest.mark.parametrize(
    "url",
    [
        "foo://ann:pass@x",
        "postgresql+asyncpg://ann:pass@x/y",
        "postgresql://ann:pass@x:port/y",
        "sqlite+aiosqlite:///pass",
        "sqlite://",
        "sqlite:///:memory:",
        "tables.db",
    ],
)
def test_a_database_that_cannot_be_is_refused_and_no_password_told(url: str) -> None:
    with pytest.raises(BadSetting, match=r"database: .*expected sqlite:///FILE or postgresql:") as wrong:
        engine(url)
    assert "pass" not in str(wrong.value)


@pytest.mark.parametrize("name", ["database", "mail_server"])
@pytest.mark.parametrize("password", ["hidden@hidden", "hidden/hidden@hidden", "hidden@hidden/hidden#hidden"])
def test_a_password_that_must_be_quoted_is_refused_and_no_part_of_it_told(name: str, password: str) -> None:
    schemes = {"database": "postgresql", "mail_server": "smtp"}
    url = f"{schemes[name]}://ann:{password}@host/place"
    with pytest.raises(BadSetting, match=f"^{name}: in a password write @ as %40, / as %2F") as wrong:
        app(settings(**({"database": "sqlite:///tables.db", "mail_from": "a@b.example"} | {name: url})))
    assert "hidden" not in str(wrong.value)


@pytest.mark.parametrize(
    "sender",
    ["nobody", "Ann\nBcc: e@e.example <a@b.example>", "a b@c.example", "<a@b.example> x", "a@b.example\x00"],
)
def test_a_sender_that_no_mail_can_have_is_refused_at_the_start(sender: str) -> None:
    with pytest.raises(BadSetting, match=r"^mail_from: expected a sender such as Small Change <games@play"):
        settings(mail_from=sender)


@pytest.mark.parametrize(
    "sender", ["games@play.example", "Small Change <games@play.example>", '"A, b" <a@b.example>']
)
def test_a_sender_may_have_a_name(sender: str) -> None:
    assert settings(mail_from=sender).mail_from == sender


def test_a_folder_is_no_dump(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"^dump: expected a file"):
        settings(dump=str(tmp_path))


@pytest.mark.parametrize("character", "@/#?%: &+=;,'\"\\$!*()[]{}<>|^`~é日")
@pytest.mark.parametrize("scheme", ["postgresql", "smtp"])
def test_a_password_is_read_whole_or_refused_without_a_part_of_it(scheme: str, character: str) -> None:
    for password in (f"hid{character}den", f"{character}hidden", f"hidden{character}"):
        for written in (password, quote(password, safe="")):
            found = _read_or_refuse(f"{scheme}://ann:{written}@127.0.0.1:5432/place")
            if isinstance(found, URL):
                assert (found.username, found.password, found.host) == ("ann", password, "127.0.0.1")
            else:
                assert written == password, "quoted it is read"
                assert not re.search("hid|den", found)


def _read_or_refuse(url: str) -> URL | str:
    """Return the parts of a URL, or why it is refused."""
    try:
        return read_url("database", "a URL", url)
    except BadSetting as wrong:
        return str(wrong)


def test_a_quoted_password_is_read_by_all() -> None:
    quoted, password = "p%40ss%2Fw%23rd%25", "p@ss/w#rd%"
    assert engine(f"postgresql://ann:{quoted}@host/small").url.password == password


def test_servers_on_one_postgresql_tell_each_other() -> None:
    for url in ("postgresql://x/y", "postgres://x/y", "postgresql+psycopg://x/y"):
        told = bus_for(url)
        assert isinstance(told, PostgresBus)
        assert told.url == url
    assert isinstance(bus_for("sqlite:///tables.db"), MemoryBus)


def test_what_fails_in_the_database_is_told_without_the_rows(tmp_path: Path) -> None:
    opened = engine(f"sqlite:///{tmp_path / 'tables.db'}")
    with opened.connect() as connection, pytest.raises(OperationalError) as wrong:
        connection.execute(text("SELECT * FROM seat WHERE holder = :holder"), {"holder": "abcdef"})
    opened.dispose()
    assert "abcdef" not in str(wrong.value)


def test_no_host_at_all_is_not_every_network() -> None:
    with pytest.raises(BadSetting, match=r"^host: expected text, not ''$"):
        settings(host="")
