"""What a server can be told, by arguments of `serve` or by the environment (SMALLCHANGE_PORT=8080)."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from ipaddress import ip_network
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field
from sqlalchemy import URL
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from smallchange.home import data_folder

PREFIX = "SMALLCHANGE_"
OTHERS = {"DATA", "LANG", "CACHE", "CHECKED", "KILLS"}  # what other parts hear, and the tests
POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")  # what URLs of it begin with
HOUSE = 4  # people at one address who ask for as many hints as they may
ASKED = 30  # records to verify, and variants to measure, that one address may bring in a minute
ORIGIN = re.compile(r"https?://[a-z0-9.:\[\]_-]+")  # as browsers send it


def _own_database() -> str:
    return str(URL.create("sqlite", database=str(data_folder() / "tables.db")))


class Settings(Struct, frozen=True, kw_only=True):
    """Every setting, its default, and what it means. `settings` makes them."""

    host: Annotated[
        str, Meta(description="The address to listen on; 0.0.0.0 for every network.", min_length=1)
    ] = "127.0.0.1"
    port: Annotated[int, Meta(description="The port; 0 for any free one.", ge=0, le=65535)] = 8765
    database: Annotated[str, Meta(description="SQLite or PostgreSQL, by URL.")] = field(
        default_factory=_own_database
    )
    bus: Annotated[
        str, Meta(description="How several processes tell each other: postgresql://, redis:// or memory://.")
    ] = ""
    origins: Annotated[
        tuple[str, ...],
        Meta(
            description="Origins accepted besides the server's own, such as https://play.example; by commas."
        ),
    ] = ()
    proxies: Annotated[
        str, Meta(description="Addresses of proxies whose X-Forwarded headers are believed, by commas.")
    ] = ""
    secure: Annotated[
        bool, Meta(description="Cookies for TLS alone (__Host-); set it behind a TLS proxy.")
    ] = False
    bot_seconds: Annotated[float, Meta(description="The time a bot may think about a move.", gt=0, le=60)] = (
        0.25
    )
    bot_workers: Annotated[int, Meta(description="Processes in which bots think.", ge=1, le=64)] = 1
    playing: Annotated[int, Meta(description="Messages a player's connection may send in 20 s.", ge=1)] = 100
    watching: Annotated[
        int, Meta(description="Messages a spectator's connection may send in 20 s.", ge=1)
    ] = 50
    sockets: Annotated[int, Meta(description="Connections from one address at a time.", ge=1)] = 40
    new_tables: Annotated[int, Meta(description="Tables that one address may open in 10 minutes.", ge=1)] = 60
    listed_tables: Annotated[int, Meta(description="The same of tables that are open to anyone.", ge=1)] = 10
    hints: Annotated[
        int,
        Meta(
            description=f"Hints and reviews for a player in a minute; for one address {HOUSE} times as many.",
            ge=1,
        ),
    ] = 20
    log: Annotated[Literal["text", "json"], Meta(description="How the log is written: text or json.")] = (
        "text"
    )


class BadSetting(ValueError):
    """A setting that is not accepted; names it and says what was expected."""


def settings(**given: object) -> Settings:
    """Those given, else those of the environment, else the defaults. Raises BadSetting.

    >>> settings(port="8080").port
    8080
    >>> settings(port=70000)
    Traceback (most recent call last):
    smallchange.web.settings.BadSetting: port: expected a whole number from 0 to 65535, not 70000
    """
    names = Settings.__struct_fields__
    _known([name.removeprefix(PREFIX) for name in os.environ if name.startswith(PREFIX) and os.environ[name]])
    told = {
        name: os.environ[PREFIX + name.upper()] for name in names if os.environ.get(PREFIX + name.upper())
    }
    asked: dict[str, object] = {**told, **given}
    if isinstance(asked.get("origins"), str):
        asked["origins"] = parts(str(asked["origins"]))
    try:
        found = msgspec.convert(asked, Settings, strict=False)
    except msgspec.ValidationError as wrong:
        name = re.split(r"\W+", str(wrong).partition(" - at `$.")[2])[0]
        raise BadSetting(f"{name}: expected {_expected(name)}, not {asked[name]!r:.80}") from None
    _check(found)
    return found


def _known(told: list[str]) -> None:
    """What the environment sets is a setting; another name would be as if it had not been said."""
    names = [name.upper() for name in Settings.__struct_fields__]
    for name in told:
        if name not in {*names, *OTHERS}:
            near = get_close_matches(name.upper(), names, 1, 0)
            raise BadSetting(f"{PREFIX}{name} is none; the nearest is {PREFIX}{near[0]}")


def _expected(name: str) -> str:
    """What a setting may be, in words."""
    form = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"][name]
    if "enum" in form:
        return " or ".join(form["enum"])
    kinds = {"boolean": "true or false", "integer": "a whole number", "number": "a number", "string": "text"}
    bounds = {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to"}
    said = [f"{word} {form[end]}" for end, word in bounds.items() if end in form]
    return " ".join([kinds.get(form["type"], "texts"), *said])


def parts(listed: str) -> list[str]:
    """Those of a list by commas."""
    return [part.strip() for part in listed.split(",") if part.strip()]


def _check(found: Settings) -> None:
    for origin in found.origins:
        if not ORIGIN.fullmatch(origin):
            raise BadSetting(f"origins: expected such as https://play.example, not {origin!r}")
    proxies = parts(found.proxies)
    for proxy in proxies:
        try:
            ip_network(proxy if proxy != "*" else "::")
        except ValueError:
            raise BadSetting(f"proxies: expected addresses, networks or *, not {proxy!r}") from None
    if "*" in proxies and len(proxies) > 1:
        raise BadSetting(f"proxies: expected * alone, which is every address, not {found.proxies!r:.80}")


def read_url(name: str, expected: str, url: str) -> URL:
    """The parts of a URL, or BadSetting. What is told of it has no password."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # the second for a port that is no number
        raise BadSetting(f"{name}: this is no URL; expected {expected}") from None
