"""The routes for programs: what each takes and gives. `endpoints.py` does it, `openapi.py` describes it."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import shapes


class Call(NamedTuple):
    """One route: `does` names the function in endpoints.py; `takes` is None for GET; `kind` is the media
    type."""

    method: str
    path: str
    does: str
    takes: type[Any] | None
    gives: type[Any] | None
    text: str
    status: int = 200
    kind: str = "application/json"


CALLS = (
    Call("GET", "/games", "games", None, shapes.Games, "The games, with their options, and the bots."),
    Call("GET", "/tables", "tables", None, shapes.Opens, "Tables open to anyone."),
    Call(
        "GET",
        "/mine",
        "mine",
        None,
        shapes.Owns,
        "Your own matches: those that go on, then the newest; at most 50.",
    ),
    Call("POST", "/matches", "create", shapes.NewMatch, shapes.Seated, "Open a table.", 201),
    Call(
        "POST", "/join/{code}", "join", shapes.Join, shapes.Seated, "Take a seat by the code of a join link."
    ),
    Call("GET", "/matches/{id}", "match", None, shapes.Match, "A table as you see it."),
    Call("POST", "/matches/{id}/act", "act", shapes.Act, shapes.Done, "Take a step."),
    Call("POST", "/matches/{id}/undo", "undo", shapes.Deed, shapes.Done, "Take your last decision back."),
    Call(
        "POST",
        "/matches/{id}/resign",
        "resign",
        shapes.Deed,
        shapes.Done,
        "Give the match up, or withdraw a table that waits.",
    ),
    Call(
        "POST",
        "/matches/{id}/offer",
        "offer",
        shapes.Offer,
        shapes.Done,
        "Offer a `draw`, or ask for an `undo`.",
    ),
    Call("POST", "/matches/{id}/answer", "answer", shapes.Answer, shapes.Done, "Answer an offer."),
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
        None,
        "Server-sent events: at once, and then with everything new, the table as in `told` of the socket. "
        "`?ply=` is what you know.",
        kind="text/event-stream",
    ),
    Call(
        "GET", "/matches/{id}/record.txt", "record_text", None, None, "The record as text.", kind="text/plain"
    ),
    Call("GET", "/matches/{id}/record.json", "record_json", None, None, "The record as JSON."),
    Call("POST", "/verify", "verify", str, shapes.Verified, "Does this record (text or JSON) hold?"),
    Call("GET", "/openapi.json", "openapi", None, None, "This description."),
)
