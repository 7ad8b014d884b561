"""Bots of strangers: their tokens, what they may do, and a program that plays rated games against people."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from smallchange.server.accounts.rows import valid_bot_name
from smallchange.server.meeting import rows as meetings
from smallchange.server.web.sessions import token_hash

from .outside import until
from .rated import PASSWORD, Program, play, play_and_resign
from .serving import TIMEOUT_S, Person, Served, serving
from .tables import PAIR

EXAMPLE = Path(__file__).parents[2] / "examples" / "account_bot.py"
NAMES = count()
WISH = {"game": PAIR, "time": "5+3"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("bots")) as served:
        yield served


class Owner(Person):
    """Somebody with an account and bots."""

    def __init__(self, served: Served) -> None:
        super().__init__(served)
        self._bots: list[Bot] = []
        self.name = f"Patron {next(NAMES)}x"
        self.post("/account/sign-up", name=self.name, password=PASSWORD)

    def bot(self, name: str = "") -> Bot:
        """Return a new bot with a token."""
        name = name or f"Pebble {next(NAMES)}x"
        assert self.post("/account/bots", name=name).status_code == 303
        page = self.web.get("/account/bots").text
        id = re.findall(r'name="bot" value="(\w+)"', page)[-1]
        self._bots.append(Bot(self.served.url, valid_bot_name(name), id, self.token(id)))
        return self._bots[-1]

    def __exit__(self, *_: object) -> None:
        for bot in self._bots:
            bot.close()
        super().__exit__()

    def token(self, id: str) -> str:
        page = self.post("/account/bots/token", bot=id, label="lap<top")
        found = re.search(r"<code>(bot_[\w-]{43})</code>", page.text)
        assert found, page.text
        return found[1]


class Bot(Program):
    """A program with the token of a bot."""

    def __init__(self, url: str, name: str, id: str, token: str) -> None:
        self.name, self.id, self.token = name, id, token
        self._web = httpx.Client(
            base_url=f"{url}/api", timeout=TIMEOUT_S, headers={"Authorization": f"Bearer {token}"}
        )


@contextmanager
def pair_of_bots(served: Served) -> Iterator[tuple[Bot, Bot]]:
    """Yield bots of two owners."""
    with Owner(served) as first, Owner(served) as second:
        yield first.bot(), second.bot()


def test_the_example_plays_rated_games_against_a_person_through_restarts(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Owner(served) as owner:
        bot, ann = owner.bot("Twenty Lines"), Program(served.url, f"Player {next(NAMES)}x")
        command = [sys.executable, str(EXAMPLE), served.url, bot.token]
        program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert program.stdout is not None
        assert program.stdout.readline().strip() == "Twenty Lines (bot)"
        with httpx.Client() as web:
            assert bot.name in web.get(f"{served.url}/play").text
    try:
        with serving(tmp_path, port=served.port):
            assert ann.post(f"/accounts/{bot.name}/challenge", 201, **WISH)["id"]
            until(lambda: ann.get("/challenges")["challenges"] == [])
            [match] = [one["match"] for one in ann.get("/mine")["matches"]]
        for _ in range(2):
            with serving(tmp_path, port=served.port):
                for _ in range(2):
                    until(lambda: ann.table(match)["legal"])
                    ann.command(match, "act", token=ann.table(match)["legal"][0])
        with serving(tmp_path, port=served.port):
            assert {seat["name"] for seat in ann.table(match)["seats"]} == {ann.name, bot.name}
            until(lambda: ann.table(match)["legal"])
            ann.command(match, "resign")
            until(ann.ratings)
            assert ann.ratings()[0]["points"] < 1500
            ann.command(match, "offer", what="rematch")
            until(lambda: ann.table(match)["again"])
            again = ann.table(match)["again"]
            until(lambda: ann.table(again)["legal"])
    finally:
        program.kill()
        said, _ = program.communicate()
        ann.close()
    assert said.splitlines().count(f"{served.url} is back") >= 4


def test_a_bot_says_whose_it_is_wherever_its_name_stands(served: Served) -> None:
    with Owner(served) as owner:
        bot = owner.bot()
        assert bot.get("/account") == {"name": bot.name, "bot": True, "owner": owner.name}
        assert bot.name.endswith(" (bot)")
        page = owner.web.get(f"/people/{bot.name}").text
        assert owner.name in page
        assert bot.name in owner.web.get(f"/people/{owner.name}").text
        assert bot.get(f"/accounts/{bot.name}")["owner"] == owner.name
        for name in ("Pebble (bot)", "Pebble （ＢＯＴ）"):
            assert owner.post("/account/rename", name=name).status_code == 400
            assert owner.post(f"/games/{PAIR}", name=name, **{"seat.left": "me"}).status_code == 400


def test_a_token_is_shown_once_stored_as_a_hash_and_revoked_by_its_owner_alone(served: Served) -> None:
    with Owner(served) as owner, Owner(served) as other:
        bot = owner.bot()
        assert bot.token not in owner.web.get("/account/bots").text
        assert "lap&lt;top" in owner.web.get("/account/bots").text
        stored = served.settings.database.removeprefix("sqlite:///")
        assert bot.token.encode() not in b"".join(file.read_bytes() for file in Path(stored).parent.iterdir())
        hash = token_hash(bot.token)
        assert other.post("/account/bots/token", bot=bot.id).status_code == 404
        assert other.post("/account/bots/revoke", bot=bot.id, token=hash).status_code == 404
        assert other.post("/account/bots/remove", bot=bot.id).status_code == 404
        with bot.stream("/account/events"):
            assert owner.post("/account/bots/revoke", bot=bot.id, token=hash).status_code == 303
        assert bot._web.get("/account").status_code == 401  # not a new guest
        assert bot._web.post("/matches", json={"game": PAIR}).status_code == 401


def test_a_token_of_a_bot_opens_no_page_of_its_account_and_a_cookie_no_call(served: Served) -> None:
    with Owner(served) as owner:
        bot = owner.bot()
        with httpx.Client(base_url=served.url, timeout=TIMEOUT_S) as browser:
            browser.cookies.set("who", bot.token)
            assert bot.name not in browser.get("/account").text
            page = browser.get("/account", headers={"Authorization": f"Bearer {bot.token}"})
            assert bot.name not in page.text
        assert owner.web.get("/api/account").status_code == 403
        assert owner.web.get("/api/account/events").status_code == 403


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/seek", {"wishes": [WISH]}),
        ("/matches", {"game": PAIR, "open": True}),
        ("/join/nothing", {}),
        ("/daily/solo", {}),
        ("/tournaments", {"name": "Cup", "kind": "duel", "game": "solo"}),
        ("/tournaments/none/enter", {}),
    ],
)
def test_a_bot_plays_by_challenges_alone(served: Served, path: str, body: dict[str, object]) -> None:
    with Owner(served) as owner:
        assert owner.bot().post(path, 403, **body)["code"] == "bot-account"


def test_a_bot_challenges_bots_and_its_owner_and_nobody_else(served: Served) -> None:
    with Owner(served) as owner, Owner(served) as stranger:
        bot, other = owner.bot(), stranger.bot()
        assert bot.post(f"/accounts/{stranger.name}/challenge", 403, **WISH)["code"] == "bot-account"
        for name in (owner.name, other.name):
            assert bot.post(f"/accounts/{name}/challenge", 400, **WISH)["code"] == "cannot-rate"
            assert bot.post(f"/accounts/{name}/challenge", 201, rated=False, **WISH)["state"] == "waiting"


def test_bots_meet_each_other_only_so_many_times_a_day_and_people_still(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meetings, "MAX_BOT_MATCHES", 1)
    with pair_of_bots(served) as (first, second):
        both = [
            first.post(f"/accounts/{second.name}/challenge", 201, rated=False, **WISH)["id"] for _ in range(2)
        ]
        match = second.post(f"/challenges/{both[0]}/answer", yes=True)["match"]
        assert second.post(f"/challenges/{both[1]}/answer", 429, yes=True)["code"] == "bot-limit"
        assert (
            first.post(f"/accounts/{second.name}/challenge", 429, rated=False, **WISH)["code"] == "bot-limit"
        )
        play_and_resign(match, first, second)
        assert first.ratings() == []
        first.post(f"/matches/{match}/again", 403)
        ann = Program(served.url, f"Player {next(NAMES)}x")
        assert ann.post(f"/accounts/{first.name}/challenge", 201, **WISH)
        ann.close()


def test_events_tell_each_challenge_once_and_each_turn_as_it_comes(served: Served) -> None:
    with pair_of_bots(served) as (first, second):
        with second.stream("/account/events") as events:
            sent = first.post(f"/accounts/{second.name}/challenge", 201, rated=False, **WISH)
            assert sent["id"] in next(events)
            match = second.post(f"/challenges/{sent['id']}/answer", yes=True)["match"]
            play(match, first, second, moves=2)
            assert '"kind":"turn"' in (told := next(events))
            assert match in told
        with second.stream("/account/events") as events:  # what waits is told again
            if second.table(match)["legal"]:
                assert match in next(events)


def test_a_socket_takes_the_token_of_a_bot_until_it_is_revoked(served: Served) -> None:
    with Owner(served) as owner:
        bot = owner.bot()
        address, header = served.url.replace("http", "ws") + "/ws", {"Authorization": f"Bearer {bot.token}"}
        with connect(address, additional_headers=header):
            pass
        owner.post("/account/bots/revoke", bot=bot.id, token=token_hash(bot.token))
        with pytest.raises(InvalidStatus), connect(address, additional_headers=header):
            pass


def test_who_leaves_takes_the_bots_along(served: Served) -> None:
    with Owner(served) as owner:
        bot = owner.bot()
        assert owner.post("/account/erase", name=owner.name).status_code == 303
        assert bot._web.get("/account").status_code == 401
        assert httpx.get(f"{served.url}/people/{bot.name}", timeout=TIMEOUT_S).status_code == 404
