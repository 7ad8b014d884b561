"""Nobody acts for another: cookies, seats, forms, and what comes from other sites."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus

from smallchange.server.web.errors import ErrorCode
from smallchange.server.web.refusal_texts import REFUSAL_TEXTS
from smallchange.server.web.sessions import FORGERY_PERIOD_S, TOKEN_PATTERN
from smallchange.server.web.sessions import forgery_token as proof

from .sample_requests import POSTS
from .serving import TIMEOUT_S, Person, Served, fresh, serving, stored_events
from .tables import ALONE, PAIR, legal, table_for_two


def test_the_cookie_is_for_the_server_alone(served: Served) -> None:
    cookie = httpx.get(served.url, timeout=TIMEOUT_S).headers["set-cookie"]
    token = re.match(r"who=([^;]+);", cookie)
    assert token
    assert TOKEN_PATTERN.fullmatch(token[1])
    assert len(token[1]) * 6 >= 256
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))


def test_a_seat_is_held_for_a_year_from_the_last_visit_on(ann: Person) -> None:
    who = ann.web.cookies["who"]
    said = ann.web.get("/").headers["set-cookie"]
    assert said.startswith(f"who={who}; ")
    assert "Max-Age=31536000" in said


def test_on_tls_every_cookie_is_bound_to_host_and_tls(tmp_path: Path) -> None:
    with serving(tmp_path, secure=True) as served:
        answer = httpx.get(served.url, timeout=TIMEOUT_S)
        assert "strict-transport-security" in answer.headers
        made, values = [answer.headers["set-cookie"]], {"lang": "ja", "theme": "dark"}
        for name, value in values.items():
            sent = {"Cookie": made[0].partition(";")[0]}  # which httpx keeps for TLS, as a browser does
            form = {"forgery": proof(sent["Cookie"].partition("=")[2]), name: value}
            posted = httpx.post(f"{served.url}/{name}", headers=sent, data=form)
            made.append(posted.headers["set-cookie"])
        page = httpx.get(served.url, headers={"Cookie": "; ".join(one.partition(";")[0] for one in made)})
        others = httpx.get(served.url, headers={"Cookie": "lang=ja; theme=dark"})  # set by whoever has no TLS
    for name, cookie in zip(("who", "lang", "theme"), made, strict=True):
        assert cookie.startswith(f"__Host-{name}=")
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert "Domain" not in cookie
    assert '<html lang="ja" data-theme="dark">' in page.text
    assert '<html lang="en">' in others.text


@pytest.mark.parametrize("secure", [True, False])
def test_whoever_speaks_tls_for_us_one_slash_too_many_leads_to_the_page(secure: bool, tmp_path: Path) -> None:
    with serving(tmp_path, secure=secure) as served:
        answer = httpx.get(f"{served.url}/rules/dodgem/?back=http://x/y")
    assert (answer.status_code, answer.headers["location"]) == (307, "/rules/dodgem?back=http://x/y")


def test_the_seat_token_is_in_no_page_no_link_and_no_row(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    token = ann.web.cookies["who"]
    for path in ("/", "/mine", f"/m/{id}", f"/m/{id}/envelope", f"/m/{id}/record.json"):
        assert token not in ann.web.get(path).text
    database = served.settings.database.removeprefix("sqlite:///")
    kept = b"".join(Path(database + end).read_bytes() for end in ("", "-wal"))
    assert token.encode() not in kept


def test_a_join_link_gives_no_seat_that_is_taken(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR)
    link = ann.invite(id)
    assert len(link.removeprefix("/j/")) * 5 >= 128, "nobody guesses it"
    bo.post(link)
    with Person(served) as eve:
        eve.post(link)
        assert eve.command(id, "act", 1, token=legal(served, id)[0]).status_code == 403
        assert eve.command(id, "resign", 1).status_code == 403
    assert served.live_table(id).history.ply == 1


@pytest.mark.parametrize(
    "others", ['prefs={"a":1}', "cart[0]=x", "flag", "name=a b", "path=/x", 'x="open', "a/b=1"]
)
def test_a_cookie_of_another_program_takes_no_seat_away(served: Served, ann: Person, others: str) -> None:
    id, who = ann.open(ALONE), f"who={ann.web.cookies['who']}"
    for header in (f"{others}; {who}", f"{who}; {others}"):
        answer = httpx.get(f"{served.url}/m/{id}", headers={"Cookie": header})
        assert 'name="token"' in answer.text
        assert answer.headers["set-cookie"].startswith(f"{who};")


@pytest.mark.parametrize("where", ["options", "invitation"])
def test_a_form_that_is_out_of_date_says_so_once_and_leads_to_a_fresh_one(
    served: Served, ann: Person, where: str
) -> None:
    path = f"/games/{ALONE}" if where == "options" else ann.invite(ann.open(PAIR))
    with Person(served) as bo:
        bo.web.cookies.clear()
        answer = bo.web.post(path, data={"forgery": bo.forgery})
        assert answer.status_code == 403
        assert answer.text.count(REFUSAL_TEXTS[ErrorCode.FORGED_FORM].en) == 1
        assert f'<a class="btn primary" href="{path}">' in answer.text
        found = re.search(r'name="forgery" value="(\w+)"', bo.web.get(path).text)
        assert found
        assert bo.web.post(path, data={"forgery": found[1]}).status_code == 303


FORMS = ["act", "undo", "resign", "offer", "answer", "rematch", "fork"]


@pytest.mark.parametrize("command", FORMS)
def test_a_form_without_our_token_changes_nothing(
    served: Served, ann: Person, bo: Person, command: str
) -> None:
    id = ann.open(ALONE)
    ply = served.live_table(id).history.ply
    fields = {"ply": ply, "move": fresh(), "token": legal(served, id)[0], "at": 0, "what": "draw", "yes": 1}
    for forgery in ({}, {"forgery": ""}, {"forgery": bo.forgery}, {"forgery": "é"}):
        answer = ann.web.post(f"/m/{id}/{command}", data=fields | forgery)
        assert answer.status_code == 403
    by_get = ann.web.get(f"/m/{id}/{command}")
    assert (by_get.status_code, by_get.headers["allow"]) == (405, "POST"), "nothing changes by GET"
    assert served.live_table(id).history.ply == ply


@pytest.mark.parametrize("path", ["/lang", "/m/nosuchmatch/act"])
def test_the_language_can_be_changed_where_a_form_was_refused(served: Served, path: str) -> None:
    with httpx.Client(base_url=served.url, follow_redirects=True) as web:
        refused = web.post(path, data={"lang": "ja", "back": "/about"})
        assert refused.status_code == 403
        said = dict(re.findall(r'name="(forgery|back)" value="([^"]*)"', refused.text))
        changed = web.post("/lang", data={"lang": "ja", **said})
    assert changed.status_code == 200
    assert '<html lang="ja">' in changed.text


@pytest.mark.parametrize("path", [f"/games/{PAIR}", "/lang", "/theme"])
def test_the_other_forms_need_our_token_too(ann: Person, path: str) -> None:
    assert ann.web.post(path, data={"lang": "ja", "theme": "dark"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=lambda headers: "-".join(headers.values()),
)
def test_what_comes_from_another_site_is_refused(
    served: Served, ann: Person, headers: dict[str, str]
) -> None:
    id = ann.open(ALONE)
    ply = served.live_table(id).history.ply
    fields = {"forgery": ann.forgery, "ply": str(ply), "move": fresh()}
    with capture_logs() as logs:
        assert ann.web.post(f"/m/{id}/resign", data=fields, headers=headers).status_code == 403
    (said,) = [entry for entry in logs if entry["log_level"] == "warning"]
    assert said["origin"] == headers.get("Origin", "")
    assert said["host"] == served.url.removeprefix("http://")
    assert ann.web.post("/api/matches", json={"game": ALONE}, headers=headers).status_code == 403
    with pytest.raises(InvalidStatus) as refused, ann.socket(**headers):
        pass
    assert refused.value.response.status_code == 403
    assert served.live_table(id).history.ply == ply


FOR_ALL = {"/notifications/unsubscribe/{code}", "/api/verify"}  # that change nothing of the visitor who asks


@pytest.mark.parametrize("account", [True, False], ids=["account", "guest"])
def test_no_form_call_or_endpoint_takes_what_another_site_sends(served: Served, account: bool) -> None:
    """Another site may know the token of a form, or leave it out: neither is enough beside the cookie."""
    with Person(served) as ann:
        id = ann.open(PAIR)
        if account:
            ann.post("/account/sign-up", name="Ann of all forms", password="correct horse battery")
            ann.forgery = re.findall(r'name="forgery" value="(\w+)"', ann.web.get("/account").text)[0]
        cookies, events = dict(ann.web.cookies), stored_events(served, id)
        there = {"id": id, "code": served.live_table(id).history.head.code, "game": PAIR}
        taken = []
        for pattern, body in {**POSTS, "/m/{id}/resign": {}}.items():
            path = re.sub(r"{(\w+)(?::path)?}", lambda name: there.get(name[1], "x"), pattern)
            fields = {name: value for name, value in body.items() if "{" not in name}
            evil = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
            tries: list[dict[str, Any]] = [{"headers": evil}]
            if not path.startswith("/api/"):  # which know no cookie
                tries.append({})
            for given in tries:
                token = {"forgery": ann.forgery} if given else {}
                as_json = path.startswith("/api/") or "/passkey/" in path or path == "/notifications/push"
                sent: dict[str, Any] = {"json": fields | token} if as_json else {"data": fields | token}
                answer = ann.web.post(path, **sent, **given)
                if answer.status_code != 403 or "set-cookie" in answer.headers:
                    taken.append((pattern, answer.status_code))
        assert {pattern for pattern, _ in taken} <= FOR_ALL, taken
        assert dict(ann.web.cookies) == cookies
        assert stored_events(served, id) == events


def test_who_signs_in_is_led_to_their_account_and_nowhere_else(served: Served) -> None:
    with Person(served) as ann, Person(served) as again:
        ann.post("/account/sign-up", name="Ann who is led", password="correct horse battery")
        elsewhere = dict.fromkeys(("next", "back", "redirect", "return_to", "url"), "https://evil.example/")
        fields = {"name": "Ann who is led", "password": "correct horse battery", "forgery": again.forgery}
        answer = again.web.post("/account/sign-in", params=elsewhere, data=fields | elsewhere)
        assert (answer.status_code, answer.headers["location"]) == (303, "/account")


def test_origins_are_ours_over_tls_or_those_of_the_settings(tmp_path: Path) -> None:
    elsewhere = "https://play.example"
    with serving(tmp_path, proxies="127.0.0.1", origins=(elsewhere,)) as served:
        tls = {"X-Forwarded-Proto": "https"}
        for origin, status in (
            (elsewhere, 201),
            (served.url.replace("http", "https"), 201),
            (served.url, 403),  # without TLS: somebody sits in between
            ("https://evil.example", 403),
        ):
            ours = served.url.removeprefix("http") in origin
            site = "same-origin" if ours else "cross-site"  # as browsers say
            headers = tls | {"Origin": origin, "Sec-Fetch-Site": site}
            answer = httpx.post(f"{served.url}/api/matches", json={"game": PAIR}, headers=headers)
            assert answer.status_code == status, origin


def test_redirects_stay_with_us(ann: Person) -> None:
    for back in ("https://evil.example", "//evil.example", "/\\evil.example", ""):
        answer = ann.post("/lang", lang="ja", back=back)
        assert answer.status_code == 400, back
    assert ann.post("/lang", lang="ja", back="/mine").headers["location"] == "/mine"
    assert 'lang="ja"' in ann.web.get("/mine").text


def test_a_cookie_counts_for_nothing_in_the_api(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    ply = served.live_table(id).history.ply
    answer = ann.web.post(f"/api/matches/{id}/resign", json={"ply": ply, "move": fresh()})
    assert answer.status_code == 401
    assert served.live_table(id).history.ply == ply


def test_a_socket_with_a_token_that_is_none_is_refused(served: Served, ann: Person) -> None:
    for token in ("Bearer x", "Bearer"):
        with pytest.raises(InvalidStatus) as refused, ann.socket(Authorization=token):
            pass
        assert refused.value.response.status_code == 403
    assert not served.services.connection_limit._open


ROUTES = [
    "/",
    "/mine",
    "/lists",
    "/about",
    "/games/dodgem",
    "/games/nosuch",
    "/rules/dodgem",
    "/m/nosuchmatch",
    "/m/nosuchmatch/act",
    "/m/nosuchmatch/rematch",
    "/j/nosuchcode",
    "/lang",
    "/theme",
    "/ws",
    "/nosuch",
    "/static/look.css",
    "/static/nosuch",
    "/api/games",
    "/api/nosuch",
    "/healthz",
    "/metrics",
]
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


@pytest.mark.parametrize("site", ["cross-site", "same-site", "same-origin", "none"])
@pytest.mark.parametrize("method", METHODS)
def test_an_identity_comes_with_a_page_that_was_asked_for_and_with_nothing_else(
    served: Served, method: str, site: str
) -> None:
    """Else a form of another site, which comes without the cookie, takes every seat of the visitor away."""
    for path in ROUTES:
        answer = httpx.request(method, served.url + path, headers={"Sec-Fetch-Site": site})
        page = answer.headers.get("content-type", "").startswith("text/html")
        well = method == "GET" and answer.status_code == 200 and page and site != "cross-site"
        assert ("set-cookie" in answer.headers) == well, (path, answer.status_code)


def test_a_link_of_another_site_to_a_page_gives_an_identity(served: Served) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert "set-cookie" in httpx.get(served.url, headers=headers).headers


def test_a_form_of_another_site_leaves_the_visitor_who_they_are(served: Served, ann: Person) -> None:
    id, who = ann.open(ALONE), ann.web.cookies["who"]
    answer = httpx.post(f"{served.url}/m/{id}/resign", headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    ann.web.cookies.update(answer.cookies)
    assert ann.web.cookies["who"] == who
    assert 'name="token"' in ann.page(id)


@pytest.mark.parametrize("token", ["a" * 22, "a" * 42, "a" * 44, "a" * 100, "é" * 43, "a" * 42 + "."])
def test_a_token_that_we_did_not_make_is_no_identity(served: Served, token: str) -> None:
    answer = httpx.get(served.url, headers=[(b"Cookie", f"who={token}".encode())])
    assert not answer.headers["set-cookie"].startswith(f"who={token};")
    bearer = [(b"Authorization", f"Bearer {token}".encode())]
    assert httpx.get(f"{served.url}/api/mine", headers=bearer).status_code == 401


def test_the_token_of_forms_is_another_on_every_page_and_ends_after_a_day(
    served: Served, ann: Person
) -> None:
    """So that nobody learns it from the lengths of compressed pages."""
    pages = [ann.web.get("/about").text for _ in range(3)]
    tokens = [re.findall(r'name="forgery" value="(\w+)"', page)[0] for page in pages]
    assert len({token[n : n + 8] for token in tokens for n in range(0, 64, 8)}) == 24
    for token in tokens:
        assert ann.web.post("/theme", data={"forgery": token, "theme": "dark"}).status_code == 303
    before = time.time() - 2 * FORGERY_PERIOD_S
    stale = proof(ann.web.cookies["who"], before)
    assert ann.web.post("/theme", data={"forgery": stale, "theme": "dark"}).status_code == 403


def test_who_has_no_cookie_yet_may_choose_a_language_but_not_by_another_site(served: Served) -> None:
    token = re.findall(r'name="forgery" value="(\w+)"', httpx.get(f"{served.url}/nosuch").text)[0]
    form = {"forgery": token, "lang": "ja", "back": "/about"}
    assert httpx.post(f"{served.url}/lang", data=form).status_code == 303
    elsewhere = httpx.post(f"{served.url}/lang", data=form, headers={"Sec-Fetch-Site": "cross-site"})
    assert (elsewhere.status_code, elsewhere.headers.get("set-cookie")) == (403, None)
