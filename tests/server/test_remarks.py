"""Set phrases at a table: players read them in their own language, spectators do not, and one click hears none."""

from __future__ import annotations

import re
from pathlib import Path

from smallchange.server.table.model.commands import MAX_REMARKS

from .serving import Person, Served, hear, say, serving
from .tables import legal, table_for_two


def remarks_on_page(person: Person, id: str, lang: str = "en") -> list[str]:
    page = person.web.get(f"/m/{id}?lang={lang}").text
    return re.findall(r'<p class="note said" role="status">([^<]*)</p>', page)


def test_a_phrase_is_heard_by_the_other_player_at_once_and_in_their_language(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    with bo.socket() as line, Person(served) as stranger:
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes", "unchanged")
        assert ann.post(f"/m/{id}/say", phrase="luck").headers["location"] == f"/m/{id}"
        while "Good luck!" not in str(hear(line, "changes")):
            pass
        assert [text.partition(": ")[2] for text in remarks_on_page(bo, id)] == ["Good luck!"]
        assert "Viel Glück!" in remarks_on_page(bo, id, "de")[0]
        assert remarks_on_page(ann, id) == remarks_on_page(bo, id), "who said it sees it too"
        assert remarks_on_page(stranger, id) == []
        assert stranger.post(f"/m/{id}/say", phrase="luck").status_code == 403
        assert ann.post(f"/m/{id}/say", phrase="anything <b>else</b>").status_code == 400
    for person in (ann, bo, ann):
        history = served.live_table(id).history
        person.command(id, "act", history.ply, token=legal(served, id)[0])
    assert remarks_on_page(bo, id) == [], "the game has gone on"


def test_who_is_muted_says_the_rest_to_themselves_and_only_so_often(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    assert bo.post(f"/m/{id}/mute", on="1").status_code == 303
    answers = [ann.post(f"/m/{id}/say", phrase="hello").status_code for _ in range(MAX_REMARKS + 1)]
    assert answers == [303] * MAX_REMARKS + [400]
    assert remarks_on_page(bo, id) == []
    assert len(remarks_on_page(ann, id)) == 1, "who is muted is not told"
    assert "Unmute chat" in bo.page(id)
    assert bo.post(f"/m/{id}/mute", on="0").status_code == 303
    assert len(remarks_on_page(bo, id)) == 1
    alone = ann.open("dodgem")
    assert ann.post(f"/m/{alone}/say", phrase="hello").status_code == 400, "nobody is there"


def test_phrases_stay_over_a_restart_and_are_in_the_export(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann, Person(served) as bo:
        id = table_for_two(ann, bo)
        ann.post(f"/m/{id}/say", phrase="well-played")
        cookies = dict(bo.web.cookies)
        ann.post("/account/sign-up", name="Ann who talks", password="correct horse battery")
        found = ann.web.get("/account/export.json").json()["remarks"]
        assert found == [{"match_id": id, "phrase": "well-played"}]
    with serving(tmp_path) as served, Person(served) as bo:
        bo.web.cookies.update(cookies)
        assert "Well played!" in remarks_on_page(bo, id)[0]
