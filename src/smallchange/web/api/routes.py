"""The routes for programs: what each takes and gives. `endpoints.py` does it, `openapi.py` describes it."""

from __future__ import annotations

from typing import Any, NamedTuple

from smallchange.web import wire

from . import shapes


class Call(NamedTuple):
    """One route: `does` names the function in endpoints.py; `takes` is None for GET; `kind` is the media
    type; `seated`: who asks must bring a token; `query`: what may follow `?`, with what it means."""

    method: str
    path: str
    does: str
    takes: type[Any] | None
    gives: type[Any] | None
    text: str
    status: int = 200
    kind: str = "application/json"
    seated: bool = False
    query: tuple[tuple[str, str], ...] = ()


CALLS = (
    Call("GET", "/games", "games", None, shapes.Games, "The games, with their options, and the bots."),
    Call("GET", "/tables", "tables", None, shapes.Opens, "Tables open to anyone, but for your own."),
    Call(
        "GET",
        "/mine",
        "mine",
        None,
        shapes.Owns,
        "Your own matches: those that go on, then the newest; at most 50.",
        seated=True,
    ),
    Call("POST", "/matches", "create", shapes.NewMatch, shapes.Seated, "Open a table.", 201),
    Call(
        "POST", "/join/{code}", "join", shapes.Join, shapes.Seated, "Take a seat by the code of a join link."
    ),
    Call("GET", "/matches/{id}", "match", None, shapes.Match, "A table as you see it."),
    Call("POST", "/matches/{id}/act", "act", shapes.Act, shapes.Done, "Take a step.", seated=True),
    Call(
        "POST",
        "/matches/{id}/undo",
        "undo",
        shapes.Deed,
        shapes.Done,
        "Take your last decision back.",
        seated=True,
    ),
    Call(
        "POST",
        "/matches/{id}/resign",
        "resign",
        shapes.Deed,
        shapes.Done,
        "Give the match up, or withdraw a table that waits.",
        seated=True,
    ),
    Call(
        "POST",
        "/matches/{id}/offer",
        "offer",
        shapes.Offer,
        shapes.Done,
        "Offer a `draw`, or ask for an `undo`; if you hold both seats, a `draw` ends the match.",
        seated=True,
    ),
    Call(
        "POST", "/matches/{id}/answer", "answer", shapes.Answer, shapes.Done, "Answer an offer.", seated=True
    ),
    Call("POST", "/matches/{id}/again", "again", shapes.Again, shapes.Seated, "A rematch, seats swapped."),
    Call(
        "POST",
        "/matches/{id}/fork",
        "fork",
        shapes.Fork,
        shapes.Seated,
        "A practice table from an earlier step.",
    ),
    Call(
        "GET",
        "/matches/{id}/stream",
        "stream",
        None,
        wire.Told,
        "Server-sent events until the match has ended: at once, and then with everything new, the table as "
        "`told` by the socket.",
        kind="text/event-stream",
        query=(("ply", "The last ply that you know of this table; without it you are told the whole line."),),
    ),
    Call(
        "GET",
        "/matches/{id}/review",
        "review",
        None,
        shapes.Review,
        "What the best bot makes of every choice of an ended match. Asking begins it, counted as a hint.",
        seated=True,
    ),
    Call(
        "GET", "/matches/{id}/record.txt", "record_text", None, None, "The record as text.", kind="text/plain"
    ),
    Call("GET", "/matches/{id}/record.json", "record_json", None, None, "The record as JSON."),
    Call("POST", "/verify", "verify", str, shapes.Verified, "Does this record (text or JSON) hold?"),
    Call("GET", "/protocol", "protocol", None, None, "The messages over the socket.", kind="text/markdown"),
    Call("GET", "/openapi.json", "openapi", None, None, "This description."),
)
