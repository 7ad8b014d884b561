"""The site without a server, as a browser's Python runs it, and what a server does about it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from smallchange.bots.levels import load_bots
from smallchange.core import record
from smallchange.core.game import Game, games
from smallchange.core.match import Match
from smallchange.core.puzzle import puzzles
from smallchange.core.training import DAY_MS
from smallchange.server.offline import first_tables
from smallchange.server.offline.folder import STATIC, pack
from smallchange.server.offline.site import Site
from smallchange.server.settings import BadSetting, settings
from tests.support.play import FOR_ONE, FOR_TWO

from .serving import Person, Served, serving

NOON_MS = 1_795_780_800_000
POLICY = "content-security-policy"


def ask(site: Site, method: str, path: str, lang: str = "en", **fields: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(site.respond(method, path, fields, {"lang": lang}))
    return answer


def begin(site: Site, game: str, bot: str = "", **options: str) -> str:
    """Open a table and return its id; with a bot in the other seat, else for somebody who sits here too."""
    first, *others = Game(game).seats
    seats = {f"seat.{other}": f"bot:{bot}" for other in others if bot} | {f"seat.{first}": "me"}
    path: str = ask(site, "POST", f"/games/{game}", **(options | seats))["path"]
    return path.rpartition("/")[2]


def command(site: Site, id: str, kind: str, shown: dict[str, Any], **more: str) -> dict[str, Any]:
    said = {"is": kind, "match": id, "ply": shown["ply"], "move": f"move-{kind}-{shown['ply']}"} | more
    found: dict[str, Any] = json.loads(site.answer(id, json.dumps(said), "en"))
    return found


def watch(site: Site, id: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        site.answer(id, json.dumps({"is": "watch", "match": id, "ply": -1}), "en")
    )
    return found


def play(site: Site, id: str, luck: Random) -> dict[str, Any]:
    """Play a table to its end, by random choices, and return its record."""
    shown = watch(site, id)
    while not shown["over"]:
        moved = site.bot_move(id, "en")
        if moved is None:
            html = ask(site, "GET", f"/m/{id}")["html"]
            tokens = re.findall(r'name="token" value="(?!marks)([^"]+)"|data-token="([^"]+)"', html)
            shown = command(site, id, "act", shown, token=max(luck.choice(tokens)).replace("&gt;", ">"))
        else:
            shown = json.loads(moved)
        assert shown["is"] == "changes"
    found: dict[str, Any] = ask(site, "GET", f"/m/{id}/record.json")["json"]
    return found


def refusal(person: Person, text: str) -> str:
    answer = person.post("/offline/bring", record=text)
    assert answer.status_code == 400
    (said,) = re.findall(r'<p[^>]* role="alert">([^<]*)<', answer.text)
    return str(said)


@pytest.mark.parametrize("game", games())
def test_a_game_is_played_to_its_end_and_brought_and_counts_for_nobody(ann: Person, game: str) -> None:
    played = play(site := Site({}, lambda: NOON_MS), begin(site, game, "level1"), Random(game))
    assert record.verify(json.dumps(played)).over
    answer = ann.post("/offline/bring", record=json.dumps(played))
    assert answer.status_code == 303
    path = answer.headers["location"]
    assert "Played offline" in ann.web.get(path).text
    mine = ann.web.get("/mine").text
    assert path in mine
    assert "played offline" in mine
    assert 'id="results"' not in mine, "it counts for nobody"
    assert record.read(ann.web.get(f"{path}/record.txt").text).deal is None, "its luck is not proven"
    if game in FOR_TWO:
        assert "Level 1" in ann.web.get(path).text


def test_tables_are_kept_and_go_on_taken_back_or_given_up() -> None:
    site = Site({}, lambda: NOON_MS)
    id = begin(site, "dodgem")
    shown = watch(site, id)
    wrong = command(site, id, "act", shown, token="nonsense")
    assert (wrong["is"], wrong["move"]) == ("refusal", f"move-act-{shown['ply']}")
    token = re.findall(r'name="token" value="([^"]+)"', ask(site, "GET", f"/m/{id}")["html"])[0]
    shown = command(site, id, "act", shown, token=token)
    assert command(site, id, "act", {"ply": 0}, token=token)["code"] == "conflict"
    shown = command(site, id, "undo", shown)
    kept = site.take_unsaved()
    assert site.take_unsaved() == "{}"
    again = Site(json.loads(kept), lambda: NOON_MS)
    assert f'href="/m/{id}"' in ask(again, "GET", "/", "de")["html"]
    shown = watch(again, id)
    assert command(again, id, "offer", shown, what="draw")["over"], "two who share a screen agree on a draw"
    assert ask(again, "GET", f"/m/{id}/record.json")["json"]["result"] == {"ended": "agreed"}
    assert json.loads(again.take_unsaved())
    restored = Site({id: json.dumps(again._kept[id])}, lambda: NOON_MS)
    assert "result" in ask(restored, "GET", f"/m/{id}")["html"]


def test_a_button_that_is_pressed_thrice_opens_one_table() -> None:
    site = Site({}, lambda: NOON_MS)
    fields = {"press": "abcdefgh", "seat.red": "me", "seat.blue": "me"}
    assert len({ask(site, "POST", "/games/dodgem", added=f"{n}", **fields)["path"] for n in range(3)}) == 1
    assert ask(site, "POST", "/games/dodgem", **(fields | {"press": "another"}))["path"]


def test_every_page_is_there_in_every_language_and_no_link_leads_nowhere() -> None:
    site = Site({}, lambda: NOON_MS)
    begin(site, "coin-age", "level3")
    waiting, seen = ["/", "/settings"], set[str]()
    while waiting:
        path = waiting.pop().partition("#")[0]
        if (
            path in seen
            or "/m/" in path
            or "/static/" in path
            or "difficulty" in path
            or path.endswith("record.json")
        ):
            continue
        seen.add(path)
        answer = ask(site, "GET", path, ("en", "de", "ja")[len(seen) % 3])
        if "path" in answer:
            waiting.append(answer["path"])
            continue
        html = answer["html"]
        assert '<p role="alert">' not in html, path
        waiting += re.findall(r'<a [^>]*href="(/[^"?#]*)', html)
    assert {f"/{kind}/{id}" for kind in ("rules", "train") for id in games()} <= seen


@pytest.mark.parametrize("game", FOR_TWO)
def test_the_bots_of_all_levels_are_offered_and_no_other_is_taken(game: str) -> None:
    site = Site({}, lambda: NOON_MS)
    page = ask(site, "GET", f"/games/{game}")["html"]
    assert set(re.findall(r'value="bot:(\w+)"', page)) == load_bots(game).keys()
    first, second = Game(game).seats
    seats = {f"seat.{first}": "me", f"seat.{second}": "bot:level6"}
    assert '<p role="alert">' in ask(site, "POST", f"/games/{game}", **seats)["html"]


@pytest.mark.parametrize("old", [False, True])
def test_puzzles_are_solved_and_come_back_in_one_browser(old: bool) -> None:
    now = [NOON_MS]
    site = Site({}, lambda: now[0])
    path = ask(site, "GET", "/train/dodgem")["path"]
    puzzle = next(one for one in puzzles("dodgem") if path.endswith(one.id))
    wrong = next(token for token in puzzle.position.legal() if token != puzzle.best)
    refused = ask(site, "POST", path, choice=puzzle.best, **{"mark.x": "on"})["html"]
    assert "“x” is not possible now." in refused
    solution = ask(
        site, "GET", ask(site, "POST", path, choice=wrong, **{f"mark.{wrong}": "on"})["path"], "de"
    )["html"]
    assert "Ein anderer Zug ist besser." in solution
    assert "An den besten Zug hattest du nicht gedacht." in solution
    assert '<p role="alert">' in ask(site, "POST", path, choice="nonsense")["html"]
    assert '<p role="alert">' in ask(site, "GET", "/train/dodgem/none")["html"]
    kept = json.loads(site.take_unsaved())
    trained = json.loads(kept["training"])
    trained["cards"] = [[*card[:4], 0, *card[6:]] for card in trained["cards"]]  # before FSRS
    again = Site({"training": json.dumps(trained)} if old else kept, lambda: now[0])
    assert ask(again, "GET", "/train/dodgem")["path"] != path
    assert "0 of 1" in ask(again, "GET", "/train")["html"]
    now[0] += 2 * DAY_MS
    assert ask(again, "GET", "/train/dodgem")["path"] == path
    assert "Right: this is" in ask(again, "GET", ask(again, "POST", path, choice=puzzle.best)["path"])["html"]


def test_the_deal_of_the_day_is_the_same_for_everybody() -> None:
    first, second = Site({}, lambda: NOON_MS), Site({}, lambda: NOON_MS + 3_600_000)
    later = Site({}, lambda: NOON_MS + 86_400_000)
    made = []
    for site in (first, second, later):
        path = ask(site, "POST", "/daily/solo")["path"]
        made.append(ask(site, "GET", f"{path}/record.json")["json"]["secret"])
    assert made[0] == made[1] != made[2]
    assert '<p role="alert">' in ask(first, "POST", "/daily/solo")["html"]


def test_a_hint_names_a_move_and_the_odds_of_a_variant_are_measured() -> None:
    site = Site({}, lambda: NOON_MS)
    id = begin(site, "solo", topology="torus")
    shown = watch(site, id)
    hint = json.loads(site.answer(id, json.dumps({"is": "hint", "match": id, "ply": shown["ply"]}), "de"))
    assert hint["is"] == "hint-found"
    assert hint["text"].startswith("Tipp: ")
    assert "%" in ask(site, "GET", "/games/solo/difficulty?topology=torus")["html"]


def test_a_record_from_elsewhere_goes_on_here_and_a_bad_one_is_refused() -> None:
    site = Site({}, lambda: NOON_MS)
    match = Match(Game("dodgem"))
    text = record.to_json_text(match)
    path = ask(site, "POST", "/mine/bring", record=text)["path"]
    assert 'name="token"' in ask(site, "GET", path)["html"]
    assert ask(site, "POST", "/mine/bring", record=text)["path"] == path, "brought twice, it is one game"
    assert "is not valid" in ask(site, "POST", "/mine/bring", record="nonsense")["html"]


def test_the_same_game_is_the_same_table_for_its_player_alone(ann: Person, bo: Person) -> None:
    site = Site({}, lambda: NOON_MS)
    text = json.dumps(play(site, begin(site, "solo"), Random(1)))
    first, again = (ann.post("/offline/bring", record=text).headers["location"] for _ in range(2))
    assert first == again
    assert "somebody else" in refusal(bo, text)


def test_a_record_that_was_tampered_with_is_refused_with_one_error(ann: Person, served: Served) -> None:
    site = Site({}, lambda: NOON_MS)
    document = play(site, begin(site, FOR_ONE[-1]), Random(2))
    forged = document | {"result": document["result"] | {"score": 0}}
    assert "its steps give" in refusal(ann, json.dumps(forged))
    assert "is not valid" in refusal(ann, json.dumps(document | {"deal": "00" * 16}))
    assert "is not valid" in refusal(ann, "nonsense")
    begun = ask(site, "GET", f"/m/{begin(site, 'solo')}/record.json")["json"]
    assert "not finished" in refusal(ann, json.dumps(begun))
    other = Match(Game("dodgem"))
    other.end("resigned", "red")
    assert "played offline" in refusal(ann, record.to_json_text(other))


def test_a_server_offers_the_folder_that_it_has_and_there_alone_webassembly(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "static").mkdir(parents=True)
    (folder / "index.html").write_text('<html data-home="">', encoding="utf-8")
    (folder / "static" / "a.js").write_text("1", encoding="utf-8")
    with pytest.raises(BadSetting, match="offline: expected a folder that smallchange static has written"):
        settings(offline=str(folder))
    (folder / "service_worker.js").write_text("", encoding="utf-8")
    with serving(tmp_path, offline=str(folder)) as served, httpx.Client(base_url=served.url) as web:
        assert 'href="/offline/site/"' in web.get("/offline").text
        for path in ("/offline/site/", "/offline/site/index.html"):
            answer = web.get(path)
            assert answer.text == '<html data-home="../../">'
            assert "script-src 'self' 'wasm-unsafe-eval'" in answer.headers[POLICY]
            assert "set-cookie" not in answer.headers
        assert web.get("/offline/site/static/a.js").headers["cache-control"] == "no-cache"
        assert web.get("/offline/site/nothing").status_code == 404
        for path in ("/", "/offline", "/rules/solo"):
            assert "unsafe" not in web.get(path).headers[POLICY]


def test_without_a_folder_the_page_says_so(tmp_path: Path) -> None:
    with serving(tmp_path, offline="") as served, httpx.Client(base_url=served.url) as web:
        page = web.get("/offline").text
        assert "This server offers no games to be played offline." in page
        assert "/offline/site" not in page
        assert web.get("/offline/site/").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/learn/dodgem?step=x", "/learn/dodgem?step=99", "/mine/x", "/games/dodgem/draw", "/m/none", "/x"],
)
def test_a_path_that_is_none_is_said_to_be_none(path: str) -> None:
    assert "Page not found." in ask(Site({}, lambda: NOON_MS), "GET", path)["html"]


def test_a_record_that_is_brought_back_has_its_bot_again() -> None:
    site = Site({}, lambda: NOON_MS)
    id = begin(site, "dodgem", "level1")
    kept = ask(site, "GET", f"/m/{id}/record.json")["json"]
    back = ask(site, "POST", "/mine/bring", record=json.dumps(kept))["path"].rpartition("/")[2]
    shown = watch(site, back)
    token = re.findall(r'name="token" value="([^"]+)"', ask(site, "GET", f"/m/{back}")["html"])[0]
    command(site, back, "act", shown, token=token)
    assert site.bot_move(back, "en") is not None


def test_every_form_of_the_first_page_finds_a_table_that_lies_in_the_folder() -> None:
    html = ask(Site({}, lambda: NOON_MS), "GET", "/")["html"]
    asked = []
    for path, inside in re.findall(r'<form[^>]* action="(/games/[^"]+)"[^>]*>(.*?)</form>', html, re.DOTALL):
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', inside))
        del fields["press"]
        firsts = re.findall(r'<button form="start" name="first" value="([^"]+)"', inside)
        asked += [(path, fields | {"first": first}) for first in firsts] or [(path, fields)]
    there = [(f"/games/{game.id}", fields) for game, fields in first_tables.forms()]
    assert len(asked) > len(games())
    assert all(form in there for form in asked)


@pytest.mark.parametrize("game", games())
def test_python_goes_on_from_the_answer_to_a_first_move(game: str) -> None:
    fields = next(fields for other, fields in first_tables.forms() if other.id == game)
    drawn: Any = first_tables.draw_table(next(first_tables.deals(Game(game), fields)), "en")
    token = max(drawn["answers"])
    answer = drawn["answers"][token]
    site = Site({}, lambda: NOON_MS)
    site.adopt(first_tables.ID, answer["kept"])
    assert token in [step.token for step in site.table(first_tables.ID).match]
    assert watch(site, first_tables.ID)["ply"] == json.loads(answer["messages"][-1])["ply"]


def test_results_are_counted_and_the_card_of_one_can_be_saved() -> None:
    site = Site({}, lambda: NOON_MS)
    id = begin(site, "dodgem", "level1")
    shown = watch(site, id)
    assert '<p role="alert">' in ask(site, "GET", f"/m/{id}/card")["html"], "it goes on"
    while moved := site.bot_move(id, "en"):
        shown = json.loads(moved)
    command(site, id, "resign", shown)
    play(site, begin(site, "coin-age"), Random(3))  # by two who share the screen
    page = ask(site, "GET", "/mine")["html"].partition('id="results"')[2].partition("</ul>")[0]
    assert page.count("<li>") == 1
    assert "M0 0h0v1H0z" in page, "the game against the bot is lost, and that of two counts for nobody"
    card = ask(site, "GET", f"/m/{id}/card.svg")["html"]
    assert card.startswith("<svg")
    assert card in ask(site, "GET", f"/m/{id}/card")["html"]
    assert "/m/" not in card, "no address that nobody could open"


def test_an_ended_game_is_reviewed_and_analysed_and_goes_on_as_practice() -> None:
    site = Site({}, lambda: NOON_MS)
    id = begin(site, "dodgem", "level1", size="3")
    assert '<p role="alert">' in ask(site, "GET", f"/m/{id}/review")["html"], "it goes on"
    won = play(site, id, Random(1))["result"]["winner"] == "red"
    while 'id="going"' in (page := ask(site, "GET", f"/m/{id}/review")["html"]):
        pass
    assert page.count('class="account"') == 4, "two, and how the odds add up"
    tip = ask(site, "GET", f"/m/{id}/tip", "de")["json"]
    assert tip["done"]
    assert f'href="/m/{id}/review?at=' in tip["html"]
    assert not tip["best"], "the first"
    (row,) = re.findall(r"<tr>(<th scope=\"row\">.*?)</tr>", ask(site, "GET", "/mine/statistics")["html"])
    counts = ["1" if counted else "0" for counted in (won, False, not won, True)]
    assert re.findall(r"<td>(.*?)</td>", row)[:4] == counts, "won, drawn, lost, reviewed"
    analysis = ask(site, "GET", f"/m/{id}/analysis?at=0")["html"]
    assert "%" in analysis.partition("solved-moves")[2]
    path = re.findall(rf'href="(/m/{id}/analysis[?]at=0&amp;line=[^"&]+)"', analysis)[0].replace("&amp;", "&")
    noted = ask(site, "GET", f"{path}&text=Look+here")["path"]
    assert "Look here" in ask(site, "GET", noted)["html"]
    assert '<p role="alert">' in ask(site, "GET", f"/m/{id}/analysis?at=0&line=nonsense")["html"]
    assert '<p role="alert">' in ask(site, "POST", f"/m/{id}/fork", at="999")["html"]
    practice = ask(site, "POST", f"/m/{id}/fork", at="0")["path"].rpartition("/")[2]
    assert f'href="/m/{id}"' in ask(site, "GET", f"/m/{practice}")["html"]
    play(site, practice, Random(1))
    again = Site(json.loads(site.take_unsaved()), lambda: NOON_MS)
    assert row in ask(again, "GET", "/mine/statistics")["html"], "practice does not count"


def test_a_result_is_compared_with_the_others() -> None:
    site, best = Site({}, lambda: NOON_MS), []
    for luck in range(3):
        id = begin(site, "solo")
        play(site, id, Random(luck))
        best.append(re.findall(r'<p id="best-so-far">(.*?)</p>', ask(site, "GET", f"/m/{id}")["html"])[0])
    assert not best[0], "there is none beside it"
    assert all("best so far" in said for said in best[1:])


def test_a_board_is_drawn() -> None:
    site = Site({}, lambda: NOON_MS)
    link = re.findall(r'id="to-editor" href="([^"]+)"', ask(site, "GET", "/games/solo")["html"])[0]
    assert 'class="starts"' in ask(site, "GET", link)["html"]


def test_what_is_packed_is_unpacked_as_it_comes(tmp_path: Path) -> None:
    luck = Random(1)
    plain = luck.randbytes(3000) + b"Small Change " * 2000 + bytes(70_000) + luck.randbytes(5) * 40
    (tmp_path / "packed").write_bytes(pack(plain))
    script = f"""
      import fs from "node:fs";
      import {{ unpacker }} from "{(STATIC / "offline_unpack.js").as_uri()}";
      const packed = fs.readFileSync("packed");
      for (const size of [1, 7, 100_000]) {{
        const parts = ReadableStream.from((function* () {{
          for (let at = 0; at < packed.length; at += size) yield new Uint8Array(packed.subarray(at, at + size));
        }})());
        const found = await new Response(parts.pipeThrough(unpacker())).arrayBuffer();
        fs.writeFileSync(`plain-${{size}}`, Buffer.from(found));
      }}"""
    node = shutil.which("node")
    assert node is not None
    subprocess.run([node, "--input-type=module", "-e", script], cwd=tmp_path, check=True)
    assert {(tmp_path / f"plain-{size}").read_bytes() for size in (1, 7, 100_000)} == {plain}


def test_the_site_of_a_browser_needs_no_package_that_is_not_there() -> None:
    away = "sqlalchemy", "starlette", "numpy", "numba", "anyio", "httpx", "markdown_it"
    script = f"""
import sys
sys.modules |= dict.fromkeys({away})
from smallchange.server.offline.site import warm_up
assert not any("numba" in page for page in warm_up())"""
    subprocess.run([sys.executable, "-c", script], check=True)
