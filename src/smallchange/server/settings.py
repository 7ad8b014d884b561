"""Settings of a server, from arguments of `serve` or from the environment (SMALLCHANGE_PORT=8080)."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct, field
from sqlalchemy import URL
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from smallchange.bots.levels import MOVE_TIME_S
from smallchange.core.data_folder import data_folder
from smallchange.core.game_places import CHOSEN_VARIABLE

PREFIX = "SMALLCHANGE_"
OTHER_VARIABLES = {
    "DATA",
    "GAMES",
    "LANG",
    "CACHE",
    "CHECKED",
    "KILLS",
}  # of other parts of the package, and of tests
NO_TEXT = "\ufffd"  # stands for bytes that are no UTF-8
POSTGRESQL_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
SIGN_IN_PERIOD_S = 600  # of the limits `sign_ups` and `sign_ins`
ADDRESS_SIGN_IN_FACTOR = 3  # times the attempts on one account that one address may make
SEARCHED_DEAL_COST = 5  # tables that one counts as whose deal has a difficulty
ADDRESS_FACTOR = 4  # times the messages of one player that one address may send
ADDRESS_HINT_FACTOR = 4  # times the hints of one player that one address may ask for
PUSH_HOSTS = (  # of Chrome and its kin, Firefox, Safari and Edge
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)
PATTERNS = {  # of settings and of the parts of lists, with what is accepted
    "hosts": (re.compile(r"\*|[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]"), "names such as play.example, or *"),
    "origins": (re.compile(r"https?://[a-z0-9.:\[\]_-]+"), "origins such as https://play.example"),
    "path_prefix": (
        re.compile(r"(/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+"),
        "a path such as /games, without a slash at its end",
    ),
    "push_hosts": (re.compile(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)+(:[0-9]+)?"), "names such as .push.example"),
    "site": (
        re.compile(r"https?://[A-Za-z0-9.:\[\]_-]+(/[A-Za-z0-9._~/-]*[A-Za-z0-9_~-])?"),
        "an address such as https://play.example",
    ),
}
PUSH_KEY_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")  # 32 bytes
MAIL_SCHEMES = ("smtp", "smtps")
SENDER_PATTERN = re.compile(r"[^<>@\s]+@[^<>@\s]+|[^<>]*<[^<>@\s]+@[^<>@\s]+>")


def _own_database() -> str:
    """Return the URL of the SQLite file in the user's data folder."""
    return str(URL.create("sqlite", database=str(data_folder() / "tables.db")))


def _built_documentation() -> str:
    """Return the folder where `scripts/docs` of this checkout has built the site; "" where it has not."""
    site = Path(__file__).parents[3] / "build" / "site"
    return str(site) if (site / "index.html").is_file() else ""


def _built_offline_folder() -> str:
    """Return the folder where `smallchange static -o build/offline` of this checkout has written one; else ""."""
    folder = Path(__file__).parents[3] / "build" / "offline"
    return str(folder) if (folder / "index.html").is_file() else ""


def tests_file(dump: Path) -> Path:
    """Return the file beside a dump that has the tests of its throws."""
    return dump.with_name(f"{dump.name}.tests.json")


Count = Annotated[int, Meta(ge=1)]


class Settings(Struct, frozen=True, kw_only=True):
    """All settings of a server, with their defaults; `docs/serve.md` says what each means."""

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8765
    database: str = field(default_factory=_own_database)
    origins: tuple[str, ...] = ()
    rp_id: str = ""
    hosts: tuple[str, ...] = ()
    path_prefix: str = ""
    proxies: str = ""
    secure: bool = False
    bot_seconds: Annotated[float, Meta(gt=0, le=60)] = MOVE_TIME_S
    bot_simulations: Annotated[int, Meta(ge=0)] = 0
    bot_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    arena_pace: Annotated[float, Meta(ge=0, le=60)] = 2.0
    playing: Count = 100
    watching: Count = 50
    pages: Count = 400
    connections: Count = 200
    sockets: Count = 40
    new_tables: Count = 300
    listed_tables: Count = 10
    sign_ups: Count = 10
    sign_ins: Count = 10
    hints: Count = 20
    roles: Literal["all", "none"] = "all"
    drain_seconds: Annotated[float, Meta(ge=0, le=600)] = 0
    dump: str = ""
    site: str = ""
    mail_server: str = ""
    mail_from: str = ""
    push_key: str = ""
    push_hosts: tuple[str, ...] = PUSH_HOSTS
    foreign_games: str = "none"
    docs: str = field(default_factory=_built_documentation)
    offline: str = field(default_factory=_built_offline_folder)
    log: Literal["text", "json"] = "text"


class BadSetting(ValueError):
    """A setting is not accepted. The error names it, and what was expected."""


def settings(**given: object) -> Settings:
    """Return the settings given, else those of the environment, else the defaults. Raise BadSetting.

    >>> settings(port="8080").port
    8080
    >>> settings(port=70000)
    Traceback (most recent call last):
    smallchange.server.settings.BadSetting: port: expected a whole number from 0 to 65535, not 70000
    """
    names = Settings.__struct_fields__
    _refuse_unknown(
        [name.removeprefix(PREFIX) for name in os.environ if name.startswith(PREFIX) and os.environ[name]]
    )
    from_environment = {
        name: os.environ[PREFIX + name.upper()] for name in names if os.environ.get(PREFIX + name.upper())
    }
    values: dict[str, object] = {**from_environment, **given}
    for name in ("origins", "hosts", "push_hosts"):
        if isinstance(values.get(name), str):
            values[name] = split_list(str(values[name]))
    try:
        found = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as wrong:
        name = re.split(r"\W+", str(wrong).partition(" - at `$.")[2])[0]
        raise BadSetting(f"{name}: expected {_accepted_values(name)}, not {values[name]!r:.80}") from None
    _check(found)
    return found


def choose_games(settings: Settings) -> None:
    """List the foreign games of the settings and no others, here and in processes that this one starts.

    A command of the server does so before it imports what asks for games: code of others would run.
    """
    os.environ[CHOSEN_VARIABLE] = settings.foreign_games


def _refuse_unknown(names_set: list[str]) -> None:
    """Refuse a name in the environment that is not a setting and would have no effect."""
    names = [name.upper() for name in Settings.__struct_fields__]
    for name in names_set:
        if name not in {*names, *OTHER_VARIABLES}:
            near = get_close_matches(name.upper(), names, 1, 0)
            raise BadSetting(f"{PREFIX}{name} is not a setting; the nearest is {PREFIX}{near[0]}")


def _accepted_values(name: str) -> str:
    """Return the accepted values of a setting, in words."""
    form = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"][name]
    if "enum" in form:
        return " or ".join(form["enum"])
    kinds = {"boolean": "true or false", "integer": "a whole number", "number": "a number", "string": "text"}
    bounds = {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to"}
    limits = [f"{word} {form[end]}" for end, word in bounds.items() if end in form]
    return " ".join([kinds.get(form["type"], "texts"), *limits])


def split_list(text: str) -> list[str]:
    """Return the parts of a list separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def trusted_proxies(proxies: str) -> str:
    """Return the proxies whose headers are trusted.

    IPv4 addresses are also listed as IPv6, which they become where `host` is ::.
    """
    named = split_list(proxies)
    networks = [ip_network(part) for part in named if part != "*"]
    mapped = [f"::ffff:{net.network_address}/{96 + net.prefixlen}" for net in networks if net.version == 4]
    return ",".join([*named, *mapped])


def _check(found: Settings) -> None:
    """Refuse settings that are well-formed one by one but wrong. Raise BadSetting."""
    if found.docs and not Path(found.docs, "index.html").is_file():
        raise BadSetting(f"docs: expected a folder with an index.html, not {found.docs!r}")
    if found.offline and not Path(found.offline, "service_worker.js").is_file():
        raise BadSetting(
            f"offline: expected a folder that smallchange static has written, not {found.offline!r}"
        )
    for name, (pattern, accepted) in PATTERNS.items():
        value = getattr(found, name)
        for one in value if isinstance(value, tuple) else (value,) * bool(value):
            if not pattern.fullmatch(one):
                raise BadSetting(f"{name}: expected {accepted}, not {one!r:.80}")
    domains = [urlsplit(origin).hostname or "" for origin in found.origins] + [*found.hosts]
    if found.rp_id and domains and not any(f".{one}".endswith(f".{found.rp_id}") for one in domains):
        raise BadSetting(
            f"rp_id: expected the domain of one of the origins or hosts, {', '.join(domains)}, not {found.rp_id!r}"
        )
    if found.mail_server:
        server = read_url("mail_server", "smtp://host or smtps://host", found.mail_server)
        if server.drivername not in MAIL_SCHEMES or not server.host:
            raise BadSetting("mail_server: expected smtp://host or smtps://host")
        if not found.site or not found.mail_from:
            raise BadSetting("mail_server: it needs the settings site and mail_from too")
    if found.mail_from and not (found.mail_from.isprintable() and SENDER_PATTERN.fullmatch(found.mail_from)):
        raise BadSetting(
            f"mail_from: expected a sender such as Small Change <games@play.example>, not {found.mail_from!r:.80}"
        )
    if found.dump and Path(found.dump).is_dir():
        raise BadSetting(f"dump: expected a file, and {found.dump!r:.80} is a folder")
    if found.push_key and not PUSH_KEY_PATTERN.fullmatch(found.push_key):
        raise BadSetting("push_key: expected 32 bytes in base64url, which are 43 characters")
    proxies = split_list(found.proxies)
    for proxy in proxies:
        try:
            ip_network(proxy if proxy != "*" else "::")
        except ValueError:
            raise BadSetting(f"proxies: expected addresses, networks or *, not {proxy!r}") from None
    if "*" in proxies and len(proxies) > 1:
        raise BadSetting(f"proxies: expected * alone, which is every address, not {found.proxies!r:.80}")


def read_url(name: str, expected: str, url: str | URL) -> URL:
    """Return the parts of a URL. Raise BadSetting, without the password."""
    try:
        found = make_url(url)
    except (ArgumentError, ValueError):  # the second for a port that is no number
        raise BadSetting(f"{name}: this is no URL; expected {expected}") from None
    misread = NO_TEXT in (found.password or "")  # a bare % before two digits that are no letter
    if misread or (found.host and "@" in f"{found.host}{found.database}"):  # a part of the password
        raise BadSetting(f"{name}: in a password write @ as %40, / as %2F, # as %23 and % as %25")
    return found
