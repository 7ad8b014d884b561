"""Cross-site request forgery: another site's page does nothing in a visitor's name."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus

from smallchange.server.web.errors import ErrorCode

from .serving import Person, Served, fresh, serving, stored_events
from .tables import ALONE, PAIR

EVIL = "https://evil.example"
OURS, OTHER = "http://{host}", "https://{host}"
SENDERS: list[tuple[dict[str, str], bool]] = [
    ({}, True),  # no browser
    ({"Sec-Fetch-Site": "same-origin"}, True),
    ({"Sec-Fetch-Site": "same-origin", "Origin": OURS}, True),
    ({"Sec-Fetch-Site": "none"}, True),
    ({"Sec-Fetch-Site": "same-site"}, False),
    ({"Sec-Fetch-Site": "same-site", "Origin": OURS}, False),
    ({"Sec-Fetch-Site": "cross-site"}, False),
    ({"Sec-Fetch-Site": "cross-site", "Origin": OURS}, False),
    ({"Sec-Fetch-Site": "cross-site", "Origin": EVIL}, False),
    ({"Sec-Fetch-Site": "x"}, False),
    ({"Origin": OURS}, True),
    ({"Origin": OTHER}, True),  # a proxy speaks TLS for us
    ({"Origin": EVIL}, False),
    ({"Origin": "null"}, False),
    ({"Origin": "http://["}, False),
    ({"Origin": ""}, False),
]


@pytest.mark.parametrize(("headers", "accepted"), SENDERS, ids=str)
def test_a_form_a_call_and_a_socket_are_taken_from_our_pages_and_from_programs(
    served: Served, ann: Person, headers: dict[str, str], accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallchange.server.web.limits.LOG_PERIOD_S", 0)
    id, host = ann.open(ALONE), served.url.removeprefix("http://")
    sent = {name: value.format(host=host) for name, value in headers.items()}
    before = stored_events(served, id)
    assert ann.web.get(f"/m/{id}", headers=sent).status_code == 200, "nothing changes by GET"
    assert ann.web.get(f"/m/{id}/resign", headers=sent).status_code == 405
    with capture_logs() as logs:
        fields = {"ply": served.live_table(id).history.ply, "move": fresh()}
        form = ann.web.post(f"/m/{id}/resign", data=fields, headers=sent)
        call = ann.web.post("/api/matches", json={"game": ALONE}, headers=sent)
    assert (form.status_code, call.status_code) == ((303, 201) if accepted else (403, 403))
    assert (stored_events(served, id) != before) == accepted
    if not accepted:
        assert call.json()["code"] == "other-origin"
        assert ErrorCode.OTHER_ORIGIN.text.en in form.text
        said = [(entry["origin"], entry["host"]) for entry in logs if entry["log_level"] == "warning"]
        assert said == [(sent.get("Origin", ""), host)] * 2
    with nullcontext() if accepted else pytest.raises(InvalidStatus, match="403"), ann.socket(**sent):
        pass


def test_origins_are_ours_over_tls_or_those_of_the_settings(tmp_path: Path) -> None:
    elsewhere = "https://play.example"
    with serving(tmp_path, proxies="127.0.0.1", origins=(elsewhere,)) as served:
        tls = {"X-Forwarded-Proto": "https"}
        for headers, status in (
            ({"Origin": elsewhere, "Sec-Fetch-Site": "cross-site"}, 201),
            ({"Origin": elsewhere}, 201),
            ({"Origin": served.url.replace("http", "https")}, 201),
            ({"Origin": served.url}, 403),  # without TLS: somebody sits in between
            ({"Origin": EVIL}, 403),
        ):
            answer = httpx.post(f"{served.url}/api/matches", json={"game": PAIR}, headers=tls | headers)
            assert answer.status_code == status, headers


def test_a_form_without_the_cookie_opens_nothing_but_chooses_a_language(served: Served) -> None:
    """A page that refuses something gives no cookie, and has the forms of language and theme all the same."""
    opened = httpx.post(f"{served.url}/games/{PAIR}")
    assert opened.status_code == 403
    assert opened.text.count(ErrorCode.NO_COOKIE.text.en) == 1
    assert f'<a class="btn primary" href="/games/{PAIR}">' in opened.text
    chosen = httpx.post(f"{served.url}/lang", data={"lang": "ja", "back": "/about"})
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/about")
