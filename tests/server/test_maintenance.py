"""Networks shut out, maintenance and draining: each process follows what keepers set for the site."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from sqlalchemy import insert
from websockets.exceptions import ConnectionClosed

from smallchange.cli import main
from smallchange.i18n.text import LANGUAGES
from smallchange.server.database import schema
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.storage import retention
from smallchange.server.table.storage.retention import remove_leftovers
from smallchange.server.web.errors import ErrorCode
from tests.support.site_paths import PATHS

from .outside import until
from .serving import TIMEOUT_S, Person, Served, hear, say, serving
from .tables import PAIR, legal, table_for_two

PASSWORD = "correct horse battery"
ENDLESS = ("/news", "/stream", "/events")
DRAINING = ErrorCode.DRAINING.text


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, proxies="127.0.0.1") as found:
        yield found


def admin(served: Served, *words: str) -> str:
    """Run `smallchange server admin`, and let the server look at once."""
    done = CliRunner().invoke(main, ["server", "admin", "--database", served.settings.database, *words])
    assert done.exit_code == 0, done.output
    store = served.services.tables.store
    served.call(store.site.look(store.read))
    served.loop.call_soon_threadsafe(served.services.close_blocked)
    return done.output


def test_a_network_that_is_shut_out_reaches_nothing_and_its_sockets_end(served: Served) -> None:
    headers = {"X-Forwarded-For": "192.0.2.7"}
    with Person(served, **headers) as eve, Person(served) as ann, eve.socket(**headers) as line:
        id = ann.open(PAIR)
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        assert "192.0.2.0/24 is shut out." in admin(served, "block", "192.0.2.9/24", "--note", "a flood")
        with pytest.raises(ConnectionClosed):
            hear(line, "nothing more")
        for path in ("/", "/api/games", "/static/base.css", f"/m/{id}"):
            answer = eve.web.get(path)
            assert (answer.status_code, "shut out" in answer.text) == (403, True), path
        assert ann.web.get("/").status_code == 200
        assert "192.0.2.0/24  a flood" in admin(served, "networks")
        admin(served, "block", "192.0.2.0/24", "--remove")
        assert eve.web.get("/").status_code == 200
        assert admin(served, "networks") == "No network is shut out.\n"
    log = admin(served, "log")
    assert "block a guest  a flood" in log
    assert "192.0.2" not in log, "the log only grows, so it has no addresses"


def test_the_streams_of_a_network_that_is_shut_out_end_at_once(served: Served) -> None:
    v6 = {"X-Forwarded-For": "2001:db8::7"}
    with Person(served, **v6) as eve, Person(served) as ann, eve.socket(**v6) as line:
        assert eve.post("/account/sign-up", name="Eve", password=PASSWORD).status_code == 200
        id = ann.open(PAIR)
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        order = {
            "kind": "swiss",
            "game": PAIR,
            "time": "5+3",
            "rounds": "3",
            "minutes": "60",
            "begins_in": "60",
        }
        cup = eve.post("/tournaments", name="Cup", **order).headers["location"]
        token = {"Authorization": f"Bearer {eve.web.cookies['who']}"}
        paths = (f"/api/matches/{id}/stream", "/api/account/events", f"{cup}/news")
        with ExitStack() as held:
            answers = [held.enter_context(eve.web.stream("GET", path, headers=token)) for path in paths]
            others = held.enter_context(ann.web.stream("GET", paths[0]))
            assert [answer.status_code for answer in (*answers, others)] == [200, 200, 200, 200]
            admin(served, "block", "2001:db8::/64")
            for answer in answers:
                answer.read()  # to its end
            with pytest.raises(ConnectionClosed):
                hear(line, "nothing more")
            assert len(served.services.event_streams) == 1
            assert ann.command(id, "resign", served.live_table(id).history.ply).status_code == 303
            assert '"over":true' in others.read().decode()


def test_the_streams_of_a_session_that_ends_end_with_it(served: Served) -> None:
    with Person(served) as ann, Person(served) as bo:
        assert ann.post("/account/sign-up", name="Ann", password=PASSWORD).status_code == 200
        path = f"/api/matches/{bo.open(PAIR)}/stream"
        token = {"Authorization": f"Bearer {ann.web.cookies['who']}"}
        with ann.web.stream("GET", path, headers=token) as answer, bo.web.stream("GET", path) as other:
            assert (answer.status_code, other.status_code) == (200, 200)
            assert ann.post("/account/sign-out").status_code == 303
            answer.read()  # to its end
            assert len(served.services.event_streams) == 1


@pytest.mark.parametrize("network", ["0.0.0.0/0", "::/3", "nobody", "192.0.2.0/99"])
def test_what_is_no_network_is_refused_in_one_line(served: Served, network: str) -> None:
    done = CliRunner().invoke(
        main, ["server", "admin", "--database", served.settings.database, "block", network]
    )
    assert done.exit_code == 1
    assert done.output.startswith(f"Error: “{network}” is no address or network, such as 192.0.2.7")


def test_keepers_shut_networks_out_and_see_who_leaves_early(served: Served) -> None:
    with Person(served) as kim, Person(served) as bo:
        for person, name in ((kim, "Kim"), (bo, "Bo")):
            assert person.post("/account/sign-up", name=name, password=PASSWORD).status_code == 200
        assert kim.post("/keepers/block", network="192.0.2.7").status_code == 404
        admin(served, "keeper", "Kim")
        served.services.accounts._identities.clear()  # what ten seconds do
        for _ in range(3):
            id = kim.open(PAIR, rated="1", time="5+3")
            assert bo.post(kim.invite(id)).status_code == 303
            assert "Nobody has left three or more" in kim.web.get("/keepers").text
            assert bo.command(id, "resign", served.live_table(id).history.ply).status_code == 303
        page = kim.web.get("/keepers").text
        assert page.count("<bdi>Bo</bdi></a>: 3") == 1
        assert kim.post("/keepers/block", network="nobody").status_code == 400
        assert kim.post("/keepers/block", network="192.0.2.7", note="spam").status_code == 303
        assert served.services.site.state.blocks("192.0.2.7")
        assert "192.0.2.7/32" in kim.web.get("/keepers").text
        assert kim.post("/keepers/unblock", network="192.0.2.7/32").status_code == 303
        assert not served.services.site.state.blocked


def test_maintenance_is_announced_on_every_page_in_each_language(served: Served) -> None:
    at = datetime.now(UTC) + timedelta(days=1)
    admin(served, "maintenance", f"{at:%Y-%m-%dT%H:%M}", "--minutes", "45")
    with Person(served) as ann:
        paths = ("/", "/about", "/mine", "/privacy", f"/m/{ann.open(PAIR)}", "/none")
        for lang in LANGUAGES:
            for path in paths:
                (notice,) = ann.web.get(f"{path}?lang={lang}").text.split('class="site-notice"')[1:]
                assert f"{at:%H:%M}" in notice.partition("</p>")[0]
                assert "45" in notice.partition("</p>")[0]
        assert admin(served, "maintenance") == "No maintenance is announced.\n"
        assert "site-notice" not in ann.web.get("/").text


def test_every_page_is_shown_meanwhile_also_to_whoever_asks_for_it_first(tmp_path: Path) -> None:
    """Nothing is there that a page would make: no deal of the day, no arena, nothing that was measured."""
    with serving(tmp_path, arena_pace=60) as served, Person(served) as ann:
        id = ann.open(PAIR)
        admin(served, "mode", "draining")
        for path in sorted({path for paths in PATHS.values() for path in paths}):
            if not path.endswith(ENDLESS):
                answer = ann.web.get(path.replace("{id}", id).replace("{game}", PAIR))
                assert answer.status_code < 500, (path, answer.text)
        assert ann.web.get("/api/daily").json()["deals"]


def test_maintenance_in_the_past_is_refused_in_one_line(served: Served) -> None:
    words = ["server", "admin", "--database", served.settings.database, "maintenance", "2020-01-01T03:00"]
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert done.output.startswith("Error: 2020-01-01T03:00 is past: in UTC it is 20")


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        ("::ffff:203.0.113.9", "203.0.113.9", "203.0.113.10"),
        ("::ffff:203.0.113.0/120", "::ffff:203.0.113.77", "203.0.114.1"),
        ("2001:db8::/48", "[2001:0DB8:0:ffff::1]", "2001:db8:1::1"),
        ("2001:db8:5::7", "2001:db8:5::7", "2001:db8:5::8"),
        ("203.0.113.0/24", "::ffff:cb00:7101", "198.51.100.1"),
    ],
)
def test_a_network_is_shut_out_however_it_is_written(
    served: Served, network: str, inside: str, outside: str
) -> None:
    admin(served, "block", network)
    for address, status in ((inside, 403), (outside, 200)):
        asked = httpx.get(f"{served.url}/about", headers={"X-Forwarded-For": address}, timeout=TIMEOUT_S)
        assert asked.status_code == status, address
    admin(served, "block", network, "--remove")
    assert admin(served, "networks") == "No network is shut out.\n"


def test_while_a_site_drains_no_game_begins_and_games_go_on(served: Served) -> None:
    with Person(served) as ann, Person(served) as bo:
        id = table_for_two(ann, bo)
        admin(served, "mode", "draining")
        answer = ann.post(f"/games/{PAIR}")
        assert answer.status_code == 503
        assert DRAINING["en"] in answer.text
        assert ann.web.post("/api/matches", json={"game": PAIR, "seats": {}}).status_code == 503
        assert DRAINING["ja"] in ann.web.get("/?lang=ja").text
        assert ann.command(id, "act", 1, token=legal(served, id)[0]).status_code == 303
        admin(served, "mode", "open")
        ann.open(PAIR)


def test_a_process_follows_the_mode_that_another_stores(served: Served) -> None:
    words = ["server", "admin", "--database", served.settings.database, "mode", "draining"]
    assert CliRunner().invoke(main, words).exit_code == 0
    with Person(served) as ann:
        until(lambda: DRAINING["en"] in ann.web.get("/about").text)


def test_what_is_old_is_removed_by_the_cleaner_and_the_page_on_privacy_says_so(served: Served) -> None:
    now = served.services.tables.now()
    ages = {
        schema.session: ("seen", retention.SESSION_AGE_MS),
        schema.notification: ("at", retention.UNREAD_AGE_MS),
        schema.report: ("closed_at", retention.REPORT_AGE_MS),
    }
    with Person(served) as ann:
        assert ann.post("/account/sign-up", name="Ann", password=PASSWORD).status_code == 200
        store, account = served.services.tables.store, served.call(served.services.accounts.by_name("Ann"))
        text = ann.web.get("/privacy").text
    assert f"{retention.READ_AGE_MS // DAY_MS} days after you have read them" in text
    rows = {
        schema.session: {"account_id": account.id, "created": 0, "agent": "", "authenticated": 0},
        schema.notification: {"holder": "h", "kind": "turn", "ply": 1},
        schema.report: {"reporter": "a", "reported": "b", "reason": "name", "text": "", "at": 0},
    }
    keys = {
        schema.session: "hash",
        schema.notification: "match_id",
        schema.report: "id",
    }

    def write(connection: object) -> None:
        for table, (column, age) in ages.items():
            for name, at in (("old", now - age - 1), ("new", now - age + DAY_MS)):
                more = {"match_id": name} if table is schema.report else {}
                row = rows[table] | more | {keys[table]: name, column: at}
                connection.execute(insert(table), row)  # type: ignore[attr-defined]

    served.call(store.write("", write))
    assert served.call(store.write("", lambda c: remove_leftovers(c, now))) == len(ages)
    for table in ages:
        names = served.call(store.read(lambda c, t=table: set(c.execute(t.select()).mappings().all())))  # type: ignore[misc]
        assert {row[keys[table]] for row in names} >= {"new"}
        assert "old" not in {row[keys[table]] for row in names}
