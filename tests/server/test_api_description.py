"""Every call of the API answers as its description says, whoever asks and whatever is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi import checks

from smallchange.core.game import Game
from smallchange.server.app import API
from smallchange.server.settings import Settings
from smallchange.server.web.api import EVENTS, description

from .serving import TIMEOUT_S, Served, fresh
from .tables import PAIR

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
]
FRAMING = {"content-length", "transfer-encoding"}  # a wrong one is no request, before any call of the API
VIEWERS = ("nobody", "guest", "account", "stranger")
schema = schemathesis.openapi.from_dict(description(tuple(API), Settings()))
endless = [call.function.__name__ for call in API if call.kind == EVENTS]  # test_api follows them
finite = schema.exclude(operation_id=endless)


class Company(NamedTuple):
    """Those who ask, by token, and what there is to be asked for: ids by the beginning of a path."""

    tokens: dict[str, str]
    ids: dict[str, list[str]]


@pytest.fixture(scope="module")
def company(served: Served) -> Iterator[Company]:
    """Two accounts and a guest, who have met: a table under way, one that is over, a challenge, a tournament."""
    with httpx.Client(base_url=f"{served.url}/api", timeout=TIMEOUT_S) as web:

        def post(token: str, path: str, **body: Any) -> Any:
            answer = web.post(path, json=body, headers={"Authorization": f"Bearer {token}"} if token else {})
            assert answer.is_success, answer.text
            return answer.json()

        names = {who: f"Described {who}" for who in ("account", "stranger")}
        tokens = {
            who: post("", "/accounts", name=name, password="correct horse battery")["token"]
            for who, name in names.items()
        }
        seats = dict.fromkeys(Game(PAIR).seats, "me")
        played = post("", "/matches", game=PAIR, seats=seats)
        guest = tokens["guest"] = played["token"]
        over = post(guest, "/matches", game=PAIR, seats=seats)["match"]
        post(guest, f"/matches/{over}/resign", ply=0, move=fresh())
        waiting = post(guest, "/matches", game=PAIR)
        path = f"/accounts/{names['account']}/challenge"
        challenge = post(tokens["stranger"], path, game=PAIR, time="5+3")["id"]
        order = {"name": "Described", "kind": "swiss", "game": PAIR, "time": "5+3"}
        tournament = post(tokens["account"], "/tournaments", **order)["id"]
        yield Company(
            tokens,
            {
                "/matches": [played["match"], over, waiting["match"]],
                "/join": [waiting["table"]["code"]],
                "/challenges": [challenge],
                "/tournaments": [tournament],
                "/accounts": list(names.values()),
                "/played": list(names.values()),
            },
        )


@finite.given(who=st.sampled_from(VIEWERS), number=st.integers(-1, 2))
@finite.parametrize()
@settings(
    max_examples=10, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
def test_answers_are_as_described(
    case: schemathesis.Case[Any], who: str, number: int, served: Served, company: Company
) -> None:
    """With `number`, the path names something that there is. What is wrong on purpose stays as it is."""
    wrong = (
        {place for place, part in case.meta.components.items() if part.mode.is_negative}
        if case.meta
        else set()
    )
    known = company.ids.get("/" + case.operation.path.split("/")[2], [])
    if case.path_parameters and number >= 0 and known and ParameterLocation.PATH not in wrong:
        case.path_parameters = {name: known[number % len(known)] for name in case.path_parameters}
    for name in FRAMING & set(case.headers or ()):
        del case.headers[name]
    token = company.tokens.get(who) if ParameterLocation.HEADER not in wrong else None
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = case.call(base_url=served.url, headers=headers, timeout=TIMEOUT_S)
    case.validate_response(answer, checks=CHECKS)
