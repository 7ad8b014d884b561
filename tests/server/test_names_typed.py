"""A name is the same on every system, wherever it is typed: a letter with a mark is one character or two."""

from __future__ import annotations

from unicodedata import normalize
from urllib.parse import quote

from click.testing import CliRunner

from smallchange.cli import main

from .rated import PASSWORD
from .serving import Person, Served
from .tables import PAIR


def test_a_name_may_be_typed_in_either_form_everywhere(served: Served, ann: Person) -> None:
    names = [normalize(form, "Ürsula Äpfel") for form in ("NFC", "NFD")]
    with Person(served) as kim, Person(served) as other:
        assert kim.post("/account/sign-up", name=names[1], password=PASSWORD).status_code == 200
        assert other.post("/account/sign-up", name="Bo Other", password=PASSWORD).status_code == 200
        assert other.post("/account/sign-up", name=names[0], password=PASSWORD).status_code != 200
        assert ann.post("/account/sign-up", name=names[0], password=PASSWORD).status_code == 409
        for name in names:
            path = quote(name, safe="")
            assert ann.post("/account/sign-in", name=name, password=PASSWORD).status_code == 303
            asked = (f"/people/{path}", f"/played/{path}", f"/api/accounts/{path}")
            assert [(one, found) for one in asked if (found := ann.web.get(one).status_code) != 200] == []
            assert ann.web.get("/people", params={"name": name}).status_code == 303
            assert other.post(f"/people/{path}/follow", on="1").status_code == 303
            assert other.post(f"/people/{path}/challenge", game=PAIR, time="5+3").status_code == 303
            order = ["server", "admin", "--database", served.settings.database, "keeper", name]
            assert CliRunner().invoke(main, order).exit_code == 0
        assert kim.post("/account/erase", name=names[1]).status_code == 303


def test_a_join_link_may_be_typed_in_capitals(ann: Person, bo: Person) -> None:
    code = ann.invite(ann.open(PAIR)).removeprefix("/j/")
    for typed in (code.upper(), code.capitalize()):
        assert bo.web.get(f"/j/{typed}").status_code == 200
    assert bo.post(f"/j/{code.upper()}", name="Bo").status_code == 303
