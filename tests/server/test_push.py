"""Web push: each browser is sent a notification once, by known push services, and not beside a page in view."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from cachetools import TTLCache
from sqlalchemy import func, select, true

from smallchange.server.database import schema
from smallchange.server.notifications import push as rows
from smallchange.server.notifications.model import KINDS, PUSH_OFF, TURN
from smallchange.server.notifications.outbox import DELAY_MS, Notifier
from smallchange.server.notifications.push import VISIBLE_MS, Push, public_key
from smallchange.server.settings import PUSH_HOSTS, BadSetting, settings

from .push_service import PushService, push_service, text
from .serving import Person, Served, serving
from .tables import PAIR, legal, table_for_two

AWAY_MS = VISIBLE_MS + DELAY_MS + 1000  # after which a page that was left is in view no more
SLOW = "1d+3d"
NUMBERS = count(1)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, PushService]]:
    with push_service() as service:
        site, hosts = "https://play.example", (*PUSH_HOSTS, service.host)
        folder = tmp_path_factory.mktemp("push")
        with serving(folder, roles="none", site=site, push_hosts=hosts) as served:
            yield served, service


@pytest.fixture
def served(both: tuple[Served, PushService]) -> Served:
    return both[0]


@pytest.fixture
def service(both: tuple[Served, PushService]) -> PushService:
    """Return the push service as nobody has used it."""
    served, service = both
    served.call(served.services.tables.store.write("", lambda c: rows.remove_subscriptions(c, true())))
    service.taken.clear()
    service.refused, service.answer = 0, lambda path: 201
    return service


@pytest.fixture
def ann(served: Served) -> Iterator[Person]:
    with Person(served) as person:
        sign_up(person, f"Ann {next(NUMBERS)}")
        yield person


def sign_up(person: Person, name: str) -> None:
    assert person.post("/account/sign-up", name=name, password="long enough").status_code == 200


def subscribe(person: Person, subscription: object) -> int:
    sent = {"subscription": subscription}
    status: int = person.web.post("/notifications/push", json=sent).status_code
    return status


def sweep(served: Served, later_ms: int = AWAY_MS, workers: int = 1) -> None:
    """Let workers send whatever is due so much later."""
    tables = served.services.tables
    usual = tables.now
    tables.now = lambda: usual() + later_ms

    async def all_at_once() -> None:
        notifiers = [Notifier(tables, served.settings, f"worker {i}") for i in range(workers)]
        await asyncio.gather(*(one.sweep() for one in notifiers))
        await asyncio.gather(*(one.stop() for one in notifiers))

    try:
        served.call(all_at_once())
    finally:
        tables.now = usual


def move(served: Served, person: Person, id: str) -> None:
    ply = served.live_table(id).history.ply
    assert person.command(id, "act", ply, token=legal(served, id)[0]).status_code == 303


def test_each_browser_of_an_account_is_told_of_a_turn_once(
    served: Served, service: PushService, ann: Person, bo: Person
) -> None:
    with Person(served) as phone:
        name = ann.web.get("/account/export.json").json()["name"]
        assert phone.post("/account/sign-in", name=name, password="long enough").status_code == 303
        assert subscribe(ann, service.subscription("/ann")) == 200
        assert subscribe(phone, service.subscription("/phone")) == 200
    id = table_for_two(ann, bo, time=SLOW)
    sweep(served, workers=3)
    sweep(served)
    assert sorted(pushed.path for pushed in service.taken) == ["/ann", "/phone"]
    first = service.taken[0]
    wanted = {"title": "Dodg’em", "text": "It is your turn.", "path": f"m/{id}", "tag": id, "lang": "en"}
    assert first.message == wanted
    assert first.headers["TTL"] == "86400"
    assert f"k={served.call(served.services.push.public_key())}" in first.headers["Authorization"]


def test_a_challenge_comes_too_and_leads_to_its_page(
    served: Served, service: PushService, ann: Person, bo: Person
) -> None:
    name = ann.web.get("/account/export.json").json()["name"]
    subscribe(ann, service.subscription("/ann"))
    sign_up(bo, f"Rival of {name}")
    sent = bo.post(f"/people/{name}/challenge", game=PAIR, time=SLOW)
    assert sent.status_code == 303, sent.text
    sweep(served)
    (pushed,) = service.taken
    assert pushed.message["text"] == "You have been challenged to a game."
    assert f"/{pushed.message['path']}" == sent.headers["location"]


def test_nothing_comes_while_a_page_is_in_view_or_after_the_table_was_seen(
    served: Served, service: PushService, ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.services.push, "_noted", TTLCache(1, 0.0))
    subscribe(ann, service.subscription("/ann"))
    id = table_for_two(ann, bo, time=SLOW)
    assert ann.web.get("/notifications/count").json() == {"unread": 1}, "a page in view asks this"
    sweep(served, VISIBLE_MS - 1000)
    assert not service.taken
    sweep(served)
    assert len(service.taken) == 1, "she has gone, and still has not seen it"
    move(served, ann, id)
    move(served, bo, id)
    sweep(served, VISIBLE_MS - 1000)
    ann.page(id)
    sweep(served)
    assert len(service.taken) == 1


def test_a_kind_that_is_switched_off_comes_to_no_browser(
    served: Served, service: PushService, ann: Person, bo: Person
) -> None:
    subscribe(ann, service.subscription("/ann"))
    assert ann.post("/notifications/choose", kind=[k for k in KINDS if k != TURN]).status_code == 303
    table_for_two(ann, bo, time=SLOW)
    sweep(served)
    assert not service.taken


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(
    served: Served, service: PushService, ann: Person, bo: Person, status: int
) -> None:
    service.answer = lambda path: status
    subscribe(ann, service.subscription("/ann"))
    assert "Browsers with notifications: 1" in ann.web.get("/account").text
    for _ in range(2):
        table_for_two(ann, bo, time=SLOW)
        sweep(served)
    assert service.refused == 1
    assert "Browsers with notifications" not in ann.web.get("/account").text


def test_a_message_that_a_busy_service_refused_is_sent_again_and_taken_once(
    served: Served, service: PushService, ann: Person, bo: Person
) -> None:
    statuses = iter([503, 429, 201])
    service.answer = lambda path: next(statuses)
    subscribe(ann, service.subscription("/ann"))
    table_for_two(ann, bo, time=SLOW)
    later = AWAY_MS
    for delay in (*Push.delays_ms[:3], 0, 0):
        sweep(served, later)
        later += delay
    assert (service.refused, len(service.taken)) == (2, 1)


def test_a_subscription_that_a_browser_has_renewed_loses_no_message_and_ends_unsaid(
    served: Served, service: PushService, ann: Person, bo: Person
) -> None:
    def renew_first(path: str) -> int:
        if path != "/old":
            return 201
        subscribe(ann, service.subscription("/newest"))
        return 410

    before = endings_told(served)
    subscribe(ann, service.subscription("/older"))
    service.answer = lambda path: 503
    table_for_two(ann, bo, time=SLOW)
    sweep(served)
    subscribe(ann, service.subscription("/old"))
    service.answer = renew_first
    sweep(served, AWAY_MS + Push.delays_ms[0])
    assert not service.taken
    assert endings_told(served) == before
    table_for_two(ann, bo, time=SLOW)
    sweep(served, 2 * AWAY_MS)
    assert [pushed.path for pushed in service.taken] == ["/newest"]


def endings_told(served: Served) -> int:
    """Return how often anybody was told that a browser takes no messages any more."""
    query = select(func.count()).where(schema.notification.c.kind == PUSH_OFF)
    told: int = served.call(served.services.tables.store.read(lambda c: c.execute(query).scalar_one()))
    return told


def test_a_redirect_of_a_push_service_leads_nowhere(
    served: Served, service: PushService, ann: Person, bo: Person
) -> None:
    service.answer = lambda path: 307
    subscribe(ann, service.subscription("/ann"))
    table_for_two(ann, bo, time=SLOW)
    sweep(served)
    sweep(served)
    assert service.refused == 1, "it is neither followed nor sent again"


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x", "https://example.com/x",
        "https://fcm.googleapis.com.example.com/x", "https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x",
        "https://10.0.0.1/x", "https://169.254.169.254/latest", "https://fcm.googleapis.com@127.0.0.1/x",
        "https://push.apple.com.evil.example/x", "file:///etc/passwd", "", 7, None,
    ],
)  # fmt: skip
def test_no_host_but_those_of_known_push_services_is_accepted(
    served: Served, service: PushService, ann: Person, endpoint: object
) -> None:
    assert subscribe(ann, service.subscription("/ann") | {"endpoint": endpoint}) == 400
    assert ann.web.get("/account/export.json").json()["browsers"] == []


@pytest.mark.parametrize("key", ["", "x", "A" * 86, text(b"\4" + bytes(64)), text(bytes(65))])
def test_a_subscription_that_nothing_can_be_encrypted_for_is_refused(
    served: Served, service: PushService, ann: Person, key: str
) -> None:
    given = service.subscription("/ann")
    assert subscribe(ann, given | {"keys": given["keys"] | {"p256dh": key}}) == 400
    assert subscribe(ann, given | {"keys": {"p256dh": given["keys"]["p256dh"], "auth": key}}) == 400
    assert subscribe(ann, []) == 400


def test_messages_to_a_browser_end_with_its_session_or_by_its_button(
    served: Served, service: PushService, ann: Person, bo: Person
) -> None:
    subscribe(ann, service.subscription("/ann"))
    assert ann.post("/notifications/push/end", here="1").status_code == 303
    subscribe(ann, service.subscription("/again"))
    assert [one["endpoint"] for one in ann.web.get("/account/export.json").json()["browsers"]] == [
        f"http://{service.host}/again"
    ]
    id = table_for_two(ann, bo, time=SLOW)
    sweep(served, DELAY_MS + 1000)  # it waits until no page is in view
    assert ann.post("/account/sign-out").status_code == 303
    sweep(served)
    assert not service.taken, id


def test_a_guest_and_a_site_without_an_address_take_no_browser(
    served: Served, service: PushService, bo: Person, tmp_path: Path
) -> None:
    assert subscribe(bo, service.subscription("/bo")) == 403
    (tmp_path / "other").mkdir()
    with serving(tmp_path / "other") as other, Person(other) as cleo:
        sign_up(cleo, "Cleo")
        assert 'id="push"' not in cleo.web.get("/account").text
        assert subscribe(cleo, service.subscription("/cleo")) == 404


def test_the_key_is_made_once_and_stays(tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        with serving(tmp_path, site="https://play.example") as served:
            keys.append(served.call(served.services.push.public_key()))
    assert keys[0] == keys[1]
    private = "Hf0zmDRQ1EnhlbGA3uC4vFgDQZeqGaBo3D6eTwKhcVU"
    with serving(tmp_path, site="https://play.example", push_key=private) as served:
        assert served.call(served.services.push.public_key()) == public_key(private) != keys[0]
    for name, value in {"push_key": "short", "push_hosts": "http://x"}.items():
        with pytest.raises(BadSetting, match=name):
            settings(**{name: value})


def test_a_message_comes_in_the_language_that_is_chosen_now(
    served: Served, service: PushService, ann: Person, bo: Person
) -> None:
    subscribe(ann, service.subscription("/ann"))
    assert ann.post("/lang", lang="de").status_code == 303
    table_for_two(ann, bo, time=SLOW)
    sweep(served)
    assert (service.taken[0].message["lang"], service.taken[0].message["text"]) == ("de", "Du bist am Zug.")
    name = ann.web.get("/account/export.json").json()["name"]
    with Person(served) as phone:
        phone.post("/account/sign-in", name=name, password="long enough")
        ann.post("/lang", lang="ja")
        phone.post("/account/sign-out")
    table_for_two(ann, bo, time=SLOW)
    sweep(served, 2 * AWAY_MS)
    assert service.taken[-1].message["lang"] == "ja", "whatever a browser kept that signs out"
