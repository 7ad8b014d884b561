"""What a server can be told, by arguments of `serve` or by the environment (SMALLCHANGE_PORT=8080)."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field
from sqlalchemy import URL

from smallchange.home import data_folder

PREFIX = "SMALLCHANGE_"


def _own_database() -> str:
    return str(URL.create("sqlite", database=str(data_folder() / "tables.db")))


class Settings(Struct, frozen=True, kw_only=True):
    """Every setting, its default, and what it means. `settings` makes them."""

    host: Annotated[str, Meta(description="The address to listen on; 0.0.0.0 for every network.")] = (
        "127.0.0.1"
    )
    port: Annotated[int, Meta(description="The port; 0 for any free one.", ge=0, le=65535)] = 8765
    database: Annotated[str, Meta(description="SQLite or PostgreSQL, by URL.")] = field(
        default_factory=_own_database
    )
    bus: Annotated[
        str, Meta(description="How several processes tell each other: postgresql:// or redis://.")
    ] = "memory://"
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
    hints: Annotated[int, Meta(description="Hints that one player may ask for in a minute.", ge=1)] = 20
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
    smallchange.web.settings.BadSetting: port: Expected `int` <= 65535
    """
    names = Settings.__struct_fields__
    told = {
        name: os.environ[PREFIX + name.upper()] for name in names if os.environ.get(PREFIX + name.upper())
    }
    asked: dict[str, object] = {**told, **given}
    if isinstance(asked.get("origins"), str):
        asked["origins"] = [one.strip() for one in str(asked["origins"]).split(",")]
    try:
        return msgspec.convert(asked, Settings, strict=False)
    except msgspec.ValidationError as wrong:
        what, _, where = str(wrong).partition(" - at `$.")
        raise BadSetting(f"{where.rstrip('`')}: {what}") from None
