"""Nothing that a stranger sends is read in more than linear time."""

from __future__ import annotations

import string
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

import msgspec
import pytest
from starlette.datastructures import QueryParams
from starlette.requests import Request

from smallchange.core import record
from smallchange.core.game import Game, Position, complete_game, games
from smallchange.core.options import Drawing
from smallchange.render.arrows import draw_by_hand
from smallchange.server.accounts.credentials import recovery_code_hash
from smallchange.server.accounts.rows import valid_bot_name, valid_name
from smallchange.server.insight.analysis_view import read_variation
from smallchange.server.notifications import mail
from smallchange.server.notifications.push import _read_subscription, check_host
from smallchange.server.table.http import messages
from smallchange.server.table.model import clock
from smallchange.server.table.model.history import Head, History, Seat, SeatKind
from smallchange.server.table.view.options import parse_options
from smallchange.server.web.api import _decode
from smallchange.server.web.errors import Refused
from smallchange.server.web.forms import MAX_FIELDS
from smallchange.server.web.limits import network_of
from smallchange.server.web.names import clean, has_address
from smallchange.server.web.request_context import MAX_RECORD_BYTES
from smallchange.server.web.security import OWN_ORIGIN, host_name, with_language
from smallchange.server.web.sessions import Visitor

SHORT, LONG = 32 * 1024, MAX_RECORD_BYTES
LOOPS = 40  # the most time that reading takes: that of so many plain loops over the text
DRAWN = [
    (game, option) for game in map(Game, games()) for option in game.offered if isinstance(option, Drawing)
]
RECORD = '[Game "dodgem"]\n'
BOARD = Game("dodgem")
HISTORY = History(
    Head("m" * 24, BOARD, BOARD.version, bytes(32), "", "code", 0),
    tuple(Seat(seat, SeatKind.PERSON) for seat in BOARD.seats),
)
CALLS = [
    one
    for feature in ("table.http", "insight", "accounts", "meeting", "tournaments", "daily")
    for one in import_module(f"smallchange.server.{feature}.api").calls
]


def visit(text: str) -> None:
    """Read all that a request says beside its body."""
    names = (b"cookie", b"accept-language", b"referer", b"host", b"authorization")
    headers = [(name, text.encode("utf-8", "replace")) for name in names]
    Visitor(
        {"type": "http", "method": "POST", "headers": headers, "query_string": text.encode()}, secure=True
    )
    scope = {"type": "http", "headers": [], "query_string": text.encode(), "path": text}
    assert dict(Request(scope).query_params) is not None
    OWN_ORIGIN.sub("", text)
    with_language(f"/{text}", "ja")
    host_name(text)
    network_of(text)


def draw(text: str) -> None:
    """Give a text as each drawing, as options and editor read it."""
    for game, option in DRAWN:
        option.canvas.signs_for(text)
        with suppress(ValueError):
            Game(game.id, parse_options(game, {f"{option.name}.drawn": text}))


def call(text: str) -> None:
    """Send a text to each call, as its body and as its first field."""
    for shape in {one.body for one in CALLS if one.body not in (None, str)}:
        first = msgspec.structs.fields(shape)[0].encode_name
        for body in (text.encode("utf-8", "replace"), msgspec.json.encode({first: text})):
            with suppress(ValueError, Refused):
                _decode(body, shape)


def analyse(text: str) -> None:
    """Read the address of an analysed line, and draw what it says over the board."""
    names = ("note", "mark", "line", "at", "to", "text")
    for query in (
        [*((name, text) for name in names), *[("mark", text)] * 40],
        [("note", f"0 {text}"), ("mark", text)],
    ):
        line = read_variation(HISTORY.head.id, len(HISTORY.match), QueryParams(query).multi_items())
        assert (line is None) == (len(query) > 2)
    assert line
    scene = BOARD.layout.scene(BOARD.board, HISTORY.match.position.s)
    draw_by_hand(scene.areas[0], scene, (text,))
    line.add_note(text).path()


def subscribe(text: str) -> None:
    """Give a text as what a browser wants to be told by."""
    keys = {"p256dh": text, "auth": text}
    with suppress(Refused):
        _read_subscription({"endpoint": text, "keys": keys})
    for endpoint in (text, f"https://{text}", f"https://push.example/{text}"):
        with suppress(Refused, ValueError):
            check_host(endpoint, [".push.example"])


def plan(text: str) -> None:
    """Send a text as a line of a plan."""
    said = {"is": "plan", "match": "m" * 24, "ply": 0, "move": "m" * 24, "lines": [[text]]}
    messages.decode(msgspec.json.encode(said).decode())


READERS: dict[str, Callable[[str], Any]] = {
    "a record": record.verify,
    "a record's tag": lambda text: record.verify(f"[Game {text}"),
    "a record's body": lambda text: record.verify(f"{RECORD}{text}\n= unfinished\n"),
    "a record's step": lambda text: record.verify(f"{RECORD}\n1. {text.replace(' ', '')}\n= unfinished\n"),
    "a record's ending": lambda text: record.verify(f"{RECORD}= {text}"),
    "JSON": lambda text: record.verify("{" + text),
    "a name in JSON": lambda text: record.verify(
        f'{{"game": "dodgem", "steps": [], "seats": {{"red": "{text}"}}}}'
    ),
    "a game": lambda text: complete_game(text),
    "an option": lambda text: Game("thrag", dict.fromkeys((o.name for o in Game("thrag").offered), text)),
    "a drawing": draw,
    "a named sign": lambda text: draw(f"a b\n c d\na = x{text}y"),
    "a position": Position.parse,
    "a message": messages.decode,
    "a form": lambda text: parse_qs(text, keep_blank_values=True, max_num_fields=MAX_FIELDS),
    "a name": valid_name,
    "a bot's name": valid_bot_name,
    "a text": lambda text: has_address(clean(text, 500)),
    "a time": clock.read,
    "a recovery code": recovery_code_hash,
    "an address of mail": mail._ADDRESS.fullmatch,
    "a request": visit,
    "a call": call,
    "an analysed line": analyse,
    "a subscription": subscribe,
    "a plan": plan,
}


def texts(n: int) -> Iterator[str]:
    """Yield nasty texts of n characters; of the long ones the simplest."""
    for mark in [*string.punctuation, " ", "\n", "\t", "\r\n", "a", "\u0301", "1"]:
        yield mark * (n // len(mark))
        if n == LONG:
            continue
        yield f"{mark * (n // len(mark) - 6)}x \N{GRINNING FACE} "
        yield (f"{mark} " * n)[:n]
        yield (f"a{mark}" * n)[:n]
        yield (f"{mark * 2}\n" * n)[:n]
    for opening, closing in ("[]", "{}", "()", '""', "<>"):
        yield opening * (n // 2) + closing * (n // 2)
        yield f'{{"a":{opening}' * (n // 7)
    yield "“’–" * (n // 3)


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of this thread that some work takes."""
    begun = time.thread_time()
    with suppress(ValueError, Refused):
        work()
    return time.thread_time() - begun


def loop_seconds(n: int) -> float:
    """Return the time in which a plain loop visits as many characters; the machine's speed is in it."""

    def work() -> None:
        seen = 0
        for sign in "a" * n:
            seen += sign == "b"

    return max(0.003, min(seconds(work) for _ in range(3)))


@pytest.mark.parametrize("reader", READERS)
def test_any_text_is_read_in_linear_time(reader: str) -> None:
    read = READERS[reader]
    seconds(lambda: read("x"))  # what is imported at first does not count
    for n in (SHORT, LONG):  # what is quadratic fails soon
        most, longest = LOOPS * loop_seconds(n), 0.0
        for text in texts(n):
            if (took := seconds(lambda: read(text))) >= most:  # noqa: B023
                took = seconds(lambda: read(text))  # noqa: B023
            assert took < most, f"{took:.3f} s, not {most:.3f}, for {len(text)} signs of {text[:9]!r}"
            longest = max(longest, took)
        print(f"{1000 * longest:7.1f} ms {reader} of {n}; a plain loop {1000 * most / LOOPS:.1f}")
