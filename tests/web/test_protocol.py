"""The generated pages are what the code says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from smallchange.web import protocol, wire
from smallchange.web.api.openapi import description
from smallchange.web.api.routes import CALLS
from smallchange.web.settings import ASKED, Settings

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_on_messages_is_up_to_date() -> None:
    assert (DOCS / "protocol.md").read_text() == protocol.page(), "run python -m smallchange.web.protocol"


def test_every_message_class_is_listed() -> None:
    assert set(wire.MESSAGES_IN) == {*wire.In.__subclasses__(), *wire.Deed.__subclasses__()} - {wire.Deed}
    assert set(wire.MESSAGES_OUT) == set(wire.Out.__subclasses__())


def test_what_a_field_is_made_of_is_told_too() -> None:
    """Who writes a program has this page alone: a field that may be anything tells them nothing."""
    page = protocol.page()
    for part in (wire.Offered, wire.Ended):
        name = part.__name__
        assert f"[`{name}`](#{name.lower()}) or null" in page
        _, _, said = page.partition(f"#### `{name}`\n")
        assert re.findall(r"^\| `(\w+)`", said.partition("\n#")[0], re.MULTILINE) == [*part.__struct_fields__]


def test_every_message_prints_as_it_is_read() -> None:
    for kind in wire.MESSAGES_IN:
        made = {"match": "abcdefgh", "ply": 3, "move": "12345678", "token": "x", "what": "draw", "yes": True}
        message = msgspec.convert({k: v for k, v in made.items() if k in kind.__struct_fields__}, kind)
        assert wire.read(json.dumps({"is": kind.__name__.lower()} | msgspec.to_builtins(message))) == message


def test_the_description_for_programs_names_every_call_and_resolves() -> None:
    said = description("1", Settings())
    assert sum(len(methods) for methods in said["paths"].values()) == len(CALLS)
    text = json.dumps(said)
    for reference in {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert reference in said["components"]["schemas"]
    operations = [op["operationId"] for methods in said["paths"].values() for op in methods.values()]
    assert len(set(operations)) == len(operations)


def test_the_description_for_programs_and_the_page_tell_the_limits_of_the_server() -> None:
    chosen = Settings(
        playing=1001, watching=1002, hints=1003, sockets=1004, new_tables=1005, listed_tables=1006
    )
    said = description("1", chosen)["info"]["description"].replace("\n", " ")
    for limit in (
        "send 1001 deeds in 20 seconds",
        "1003 hints and reviews in a minute",
        f"{4 * 1003} hints and reviews may be asked for in a minute and {ASKED} records verified",
        "1005 tables opened or joined, 1006 of them open to anyone",
        "1004 sockets and streams",
    ):
        assert limit in said
    page = protocol.page(chosen).replace("\n", " ")
    for limit in (
        "1001 messages",
        "1002 else",
        "1003 hints in a minute",
        f"one address {4 * 1003}",
        "1004 conn",
    ):
        assert limit in page


def test_what_programs_read_is_made_once() -> None:
    """However often somebody asks for it, moves do not wait."""
    for made in (protocol.page, lambda chosen: description("1", chosen)):
        assert made(Settings()) is made(Settings())
        assert made(Settings()) != made(Settings(hints=7))
