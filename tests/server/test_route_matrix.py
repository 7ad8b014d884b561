"""Hold the answer of every route, to every viewer and in every language, against the same laws.

Nothing leaks, breaks out of its place or comes from another site. Everything is asked below a path prefix, of a site
whose names and titles are hostile markup.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, event
from sqlalchemy.exc import OperationalError

from smallchange.cli import main
from smallchange.core.game import Game
from smallchange.core.puzzle import puzzles
from smallchange.i18n.text import LANGUAGES
from smallchange.server.app import route_lines
from smallchange.server.web.heavy_work import MAX_OPEN
from smallchange.server.web.security import PART_TYPES, SECURITY_HEADERS
from tests.support.site_paths import PATHS

from .sample_requests import POSTS
from .serving import TIMEOUT_S, Person, Served, serving, stored_events
from .tables import PAIR

PREFIX = "/games"  # as one of our own paths begins: no prefix is taken for another's
HOSTILE = "<img src=x onerror=a(1)>'\"&lt;b>"
KEPT_BY = f"Kay {HOSTILE}"[:39]
MORE_HOSTILE = f"{HOSTILE}</title></textarea><script>alert(1)</script>{{{{7*7}}}}"
REPORTED = "for keepers alone"
PASSWORD = "correct horse battery"
ANONYMOUS, GUEST, ACCOUNT, BOT, KEEPER = VIEWERS = ("anonymous", "guest", "account", "bot", "keeper")
ELSEWHERE = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
ENDLESS = re.compile("/(news|stream|events)$")
ENDING = {"/account/sign-out"}  # what the next request needs
MEANT = {**POSTS, "/m/{id}/resign": {"ply": "9999"}}
LED_BACK = ("value", "data-news")  # fields that lead back, and paths that a script completes
ADDRESS = re.compile(r'([\w-]+)=\\?"(/[^"\\]*)|url=(/\S*?)"')


def routes(method: str) -> list[str]:
    """Return the paths of all routes of the app with this method."""
    return sorted({one.path.replace("{file}", "base.css") for one in route_lines() if one.method == method})


class Site(NamedTuple):
    """A server with somebody and something of every kind: clients by viewer, values by parameter of a path."""

    served: Served
    clients: dict[str, httpx.Client]
    there: dict[str, str]
    secrets: dict[str, str]  # by whose they are


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("matrix"), path_prefix=PREFIX) as served:
        served.url += PREFIX
        with Person(served) as guest, Person(served) as account, Person(served) as keeper:
            names = {}
            for person, name in ((account, HOSTILE), (keeper, KEPT_BY)):
                assert person.post("/account/sign-up", name=name, password=PASSWORD).status_code == 200
                names[person] = name
            done = CliRunner().invoke(
                main, ["server", "admin", "--database", served.settings.database, "keeper", names[keeper]]
            )
            assert done.exit_code == 0, done.output
            there = meet(served, guest, account, keeper)
            programs = {"nobody": httpx.Client(base_url=served.url, timeout=TIMEOUT_S)}
            token = httpx.Client(base_url=served.url, timeout=TIMEOUT_S)
            token.headers["Authorization"] = f"Bearer {bot_token(account)}"
            clients = {
                ANONYMOUS: programs["nobody"],
                GUEST: guest.web,
                ACCOUNT: account.web,
                BOT: token,
                KEEPER: keeper.web,
            }
            secrets = {BOT: token.headers["Authorization"].partition(" ")[2]}
            for who, person in ((GUEST, guest), (ACCOUNT, account), (KEEPER, keeper)):
                secrets[who] = person.web.cookies["who"]
                person.web.headers["Authorization"] = f"Bearer {secrets[who]}"
            secrets["table"] = served.live_table(there["id"]).history.head.secret.hex()
            yield Site(served, clients, there, secrets)
            for client in (programs["nobody"], token):
                client.close()


def meet(served: Served, guest: Person, account: Person, keeper: Person) -> dict[str, str]:
    """Let the guest play the account, and each leave behind what others see. Return the values for paths."""

    def id_of(answer: httpx.Response) -> str:
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"]).rpartition("/")[2]

    waiting = id_of(guest.post(f"/games/{PAIR}", name=HOSTILE, words=HOSTILE, open="1"))
    id = id_of(guest.post(f"/games/{PAIR}", name=HOSTILE, words=HOSTILE))
    assert account.post(f"/j/{served.live_table(id).history.head.code}").status_code == 303
    over = id_of(account.post(f"/games/{PAIR}", **{f"seat.{player}": "me" for player in Game(PAIR).seats}))
    account.command(over, "resign", 0)
    report = guest.post(f"/m/{id}/report", seat="1", reason="other", text=f"{REPORTED} {MORE_HOSTILE}")
    assert report.status_code == 200
    order = {"kind": "swiss", "game": PAIR, "time": "5+3", "rounds": "3", "minutes": "60", "begins_in": "60"}
    tournament = id_of(account.post("/tournaments", name=MORE_HOSTILE, **order))
    challenge = id_of(keeper.post(f"/people/{quote(HOSTILE, safe='')}/challenge", game=PAIR, time="5+3"))
    assert account.post(f"/people/{quote(KEPT_BY, safe='')}/follow", on="1").status_code == 303
    return {
        "id": id,
        "over": over,
        "code": str(served.live_table(waiting).history.head.code),
        "game": PAIR,
        "table": waiting,
        "tournament": tournament,
        "challenge": challenge,
        "name": quote(HOSTILE, safe=""),
        "day": "2026-11-24",
        "seat": "1",
        "puzzle": puzzles(PAIR)[0].id,
    }


def bot_token(owner: Person) -> str:
    """Return the token of a new bot of this account."""
    assert owner.post("/account/bots", name="Pebble").status_code == 303
    (bot,) = set(re.findall(r'name="bot" value="(\w+)"', owner.web.get("/account/bots").text))
    page = owner.post("/account/bots/token", bot=bot, label=MORE_HOSTILE).text
    found = re.search(r"<code>(bot_[\w-]{43})</code>", page)
    assert found, page
    return found[1]


def fill(route: str, there: dict[str, str]) -> str:
    """Return the path of a route that names something that is there; for a table once more, for others what fits."""
    kinds = {"/challenges/": "challenge", "/tournaments/": "tournament"}
    id = next((there[kind] for start, kind in kinds.items() if start in route), there["id"])
    return re.sub(r"{(\w+)(?::\w+)?}", lambda found: (there | {"id": id})[found[1]], route)


class Page(HTMLParser):
    """The language of a page, and what it would run or load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.langs, self.faults = list[str](), list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.langs += [given["lang"]] if tag == "html" else []
        if tag in ("style", "object") or (tag == "script" and "src" not in given) or given.get("src") == "x":
            self.faults.append(tag)
        for name, value in given.items():
            foreign = name in ("src", "action") and re.match(r"https?:|//", value)
            script = name != "value" and value.strip().lower().startswith("javascript:")
            if name.startswith("on") or name == "style" or foreign or script:
                self.faults.append(f"{tag} {name}={value}")


def check(site: Site, who: str, lang: str, answer: httpx.Response) -> None:
    """Hold an answer to a viewer against the laws of all routes."""
    path, text = answer.url.path.removeprefix(PREFIX), answer.text
    kind = answer.headers.get("content-type", "").partition(";")[0]
    about = f"{answer.request.method} {answer.url} as {who} in {lang}: {answer.status_code}"
    assert answer.status_code < 500, about
    assert "Traceback" not in text, about
    part = path.startswith("/static/") and kind in PART_TYPES
    for name, value in SECURITY_HEADERS.items():
        assert part or answer.headers[name] == value, about
    assert answer.headers["x-content-type-options"] == "nosniff", about
    assert ("x-frame-options" in answer.headers) != part, about
    assert "cache-control" in answer.headers, about
    assert answer.headers.get("location", f"{PREFIX}/").startswith(f"{PREFIX}/"), about
    for whose, secret in site.secrets.items():
        assert secret not in text, f"{about} tells the secret of {whose}"
    if who not in (KEEPER, GUEST):
        assert REPORTED not in text, about
    cookies = answer.headers.get_list("set-cookie")
    assert all(f"; Path={PREFIX}/; " in cookie and "; SameSite=Lax" in cookie for cookie in cookies), about
    identity = [cookie for cookie in cookies if cookie.startswith("who=")]
    visit = answer.request.method == "GET" and answer.is_success and kind == "text/html"
    if answer.request.method == "GET":
        assert bool(identity) == visit, about
    assert all("; HttpOnly" in cookie for cookie in identity), about
    assert all(site.secrets.get(who, "") in cookie for cookie in identity if who != BOT), about
    if kind == "text/html":
        page = Page(text)
        wanted = [answer.url.params.get("lang", lang)] if "<html" in text else []  # else a fragment
        assert (page.langs, page.faults) == (wanted, []), about
        assert outside(text) == [], about
    elif kind == "application/json" and not path.startswith(("/api/", "/account/export")):
        assert [
            fault for part in markup(answer.json()) for fault in Page(part).faults + outside(part)
        ] == [], about


def outside(text: str) -> list[str]:
    """Return the addresses in markup that leave the prefix."""
    found = [(name, one or other) for name, one, other in ADDRESS.findall(text) if name not in LED_BACK]
    return [f"{name}={address}" for name, address in found if not address.startswith(f"{PREFIX}/")]


def markup(values: Any) -> Iterator[str]:
    """Return all texts in JSON that are markup."""
    if isinstance(values, str):
        yield from [values] if "</" in values else []
    elif isinstance(values, (dict, list)):
        for value in values.values() if isinstance(values, dict) else values:
            yield from markup(value)


@pytest.mark.parametrize("route", routes("GET"))
def test_what_is_asked_for_is_answered_by_the_laws(site: Site, route: str) -> None:
    there, paths = site.there, [path for path in PATHS.get(route, ()) if not ENDLESS.search(path)]
    assert route in PATHS or ENDLESS.search(route) or route == "/static/base.css", (
        "other tests ask for it too"
    )
    if ENDLESS.search(route):
        paths.append(fill(route, there | dict.fromkeys(("id", "challenge", "tournament"), "nosuchone")))
    else:
        paths = [fill(route, there), *(fill(path, there) for path in paths)]
        paths += (
            [fill(route, there | {"id": there["over"]})]
            if "/m/{id}" in route or "matches/{id}" in route
            else []
        )
    head = ENDLESS.search(route) and route.startswith("/api")
    before = stored_events(site.served, there["id"])
    for path in paths:
        for who in VIEWERS:
            for lang in LANGUAGES:
                web = site.clients[who]
                if who == ANONYMOUS:
                    web.cookies.clear()
                check(
                    site,
                    who,
                    lang,
                    web.request("HEAD" if head else "GET", path, headers={"Accept-Language": lang}),
                )
    by_another = (
        httpx.get(site.served.url + paths[0], headers=ELSEWHERE, timeout=TIMEOUT_S) if not head else None
    )
    assert by_another is None or "set-cookie" not in by_another.headers
    refused = site.clients[ANONYMOUS].put(paths[0])
    assert refused.status_code in (403, 404, 405)
    assert "set-cookie" not in refused.headers
    assert stored_events(site.served, there["id"]) == before


@pytest.mark.parametrize("route", routes("POST"))
def test_what_is_sent_is_answered_by_the_laws_and_from_no_other_site(site: Site, route: str) -> None:
    there = site.there
    path = fill(route, there)
    before = stored_events(site.served, there["id"])
    for who in VIEWERS:
        web = site.clients[who]
        for lang in LANGUAGES:
            headers = {"Accept-Language": lang}
            known = httpx.Cookies(web.cookies)
            evil = post(web, path, route, there, headers | ELSEWHERE)
            check(site, who, lang, evil)
            assert evil.status_code == 403, (route, who, evil.text)
            assert "set-cookie" not in evil.headers
            assert list(web.cookies.jar) == list(known.jar)
            if route not in ENDING:
                check(site, who, lang, post(web, path, route, there, headers))
                web.cookies = known
    assert stored_events(site.served, there["id"]) == before


def post(
    web: httpx.Client, path: str, route: str, there: dict[str, str], headers: dict[str, str]
) -> httpx.Response:
    """Post what is meant for a route, as JSON or as a form."""
    named = {"first": Game(PAIR).seats[0]} | there
    body = {fill(name, named): value for name, value in MEANT[route].items()}
    as_json = path.startswith("/api/") or "/passkey/" in path or path == "/notifications/push"
    return web.post(path, headers=headers, **{"json" if as_json else "data": body})  # type: ignore[arg-type]


@contextmanager
def broken(served: Served, what: str) -> Iterator[None]:
    """Cut the line to the database, let it store nothing, or let all that costs much be refused."""
    engine, turns = served.services.tables.store._engine, served.services.heavy._turns

    def cut(_: Connection) -> None:
        raise OperationalError("", None, OSError("the line is cut"))

    if what == "full":
        turns._max_open = 0
    else:
        event.listen(engine, {"line": "begin", "disk": "commit"}[what], cut)
    yield
    if what == "full":
        turns._max_open = MAX_OPEN
    else:
        event.remove(engine, {"line": "begin", "disk": "commit"}[what], cut)


@pytest.mark.parametrize("what", ["line", "disk", "full"])
def test_what_cannot_be_answered_now_is_said_with_a_time_to_ask_again(site: Site, what: str) -> None:
    said = Counter[int]()
    with broken(site.served, what):
        for method in ("GET", "POST"):
            for route in routes(method):
                if route in ENDING:
                    continue
                endless = ENDLESS.search(route)
                nobody = dict.fromkeys(("id", "challenge", "tournament"), "nosuchone") if endless else {}
                web, path = site.clients[ACCOUNT], fill(route, site.there | nobody)
                ask = web.head if endless and route.startswith("/api") else web.get
                answer = ask(path) if method == "GET" else post(web, path, route, site.there, {})
                said[answer.status_code] += 1
                again = answer.headers.get("retry-after", "0")
                assert answer.status_code != 500, (method, path)
                assert answer.status_code not in (429, 503) or int(again) > 0, (method, path)
    assert said[503] > 10, said


def test_the_program_lists_its_routes_and_the_functions_that_answer() -> None:
    done = CliRunner().invoke(main, ["server", "admin", "routes"])
    assert done.exit_code == 0, done.output
    for expected in ("GET   /about", "table.http.api.again", "WS    /ws", "Resign the match"):
        assert expected in done.output
