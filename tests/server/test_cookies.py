"""Cookies, tokens and seats: nobody acts for another."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from smallchange.server.web.sessions import TOKEN_PATTERN

from .serving import TIMEOUT_S, Person, Served, fresh, serving
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
            posted = httpx.post(f"{served.url}/{name}", headers=sent, data={name: value})
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


def test_who_signs_in_is_led_to_their_account_and_nowhere_else(served: Served) -> None:
    with Person(served) as ann, Person(served) as again:
        ann.post("/account/sign-up", name="Ann who is led", password="correct horse battery")
        elsewhere = dict.fromkeys(("next", "back", "redirect", "return_to", "url"), "https://evil.example/")
        fields = {"name": "Ann who is led", "password": "correct horse battery"}
        answer = again.web.post("/account/sign-in", params=elsewhere, data=fields | elsewhere)
        assert (answer.status_code, answer.headers["location"]) == (303, "/account")


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
    assert not served.services.limits.sockets._open


ROUTES = [
    "/",
    "/games/dodgem",
    "/games/nosuch",
    "/m/nosuchmatch",
    "/m/nosuchmatch/act",
    "/lang",
    "/api/games",
    "/ws",
]
METHODS = ["GET", "HEAD", "POST", "OPTIONS"]


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
        assert answer.headers.get("set-cookie", "").startswith("who=") == well, (path, answer.status_code)


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
