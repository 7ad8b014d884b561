"""A request of every kind."""

from __future__ import annotations

from typing import Any

from smallchange.server.web.forms import MAX_FIELDS

# Routes that are not among PATHS change something and are asked by `POSTS`.
# What changes something is asked in a way that is refused, or that neither chance nor the end has a part in.
POSTS: dict[str, dict[str, Any]] = {
    "/games/{game}": {"seat.{first}": "bot:nobody"},
    "/daily/{game}": {f"x{n}": "x" for n in range(MAX_FIELDS + 1)},  # it has no field of its own
    "/train/{game}/{puzzle}": {"choice": "none"},
    "/j/{code}": {"name": "x"},
    "/notifications/read": {},
    "/notifications/mail": {"mail": "x"},
    "/notifications/push": {},
    "/notifications/push/end": {},
    "/notifications/confirm/{code}": {},
    "/notifications/unsubscribe/{code}": {},
    "/notifications/choose": {"kind": "turn"},
    "/offline/bring": {"record": "{}"},
    "/lang": {"lang": "en"},
    "/theme": {"theme": "dark"},
    "/settings": {"speed": "slow"},
    "/m/{id}/say": {"phrase": "nothing"},
    "/m/{id}/mute": {"on": "1"},
    "/m/{id}/point": {"follow": "none", "mark": "x"},
    "/m/{id}/report": {"seat": "9", "reason": "other"},
    "/keepers/act": {"report": "none", "action": "ban"},
    "/keepers/unban": {"name": "nobody"},
    "/keepers/block": {"network": "192.0.2.7"},
    "/keepers/unblock": {"network": "192.0.2.7"},
    "/account/sign-up": {"name": "x", "password": "short"},
    "/account/sign-in": {"name": "nobody", "password": "none"},
    "/account/sign-out": {},
    "/account/end-sessions": {},
    "/account/rename": {"name": "x"},
    "/account/password": {"current": "none", "password": "short"},
    "/account/codes": {},
    "/account/remove-passkey": {"passkey": "none"},
    "/account/show-results": {"shown": "1"},
    "/account/erase": {"name": "x"},
    "/account/bots": {"name": "x"},
    "/account/bots/token": {"bot": "none"},
    "/account/bots/revoke": {"bot": "none", "token": "none"},
    "/account/bots/remove": {"bot": "none"},
    "/account/authenticate": {"credential": "none"},
    "/account/passkey/authentication-options": {},
    "/account/passkey/authenticate": {},
    "/account/passkey/options": {},
    "/account/passkey/sign-up": {},
    "/account/passkey/add": {},
    "/account/passkey/sign-in": {},
    "/m/{id}/act": {"token": "no-such-move"},
    "/m/{id}/undo": {},
    "/m/{id}/offer": {"what": "undo"},
    "/m/{id}/answer": {"yes": "0"},
    "/m/{id}/abort": {},
    "/m/{id}/claim": {"what": "win"},
    "/m/{id}/plan": {"line": "* !no-such-move"},
    "/play": {"game": "x", "time": "x"},
    "/play/{id}/bot": {"name": "Nobody", "time": "5+3"},
    "/play/{id}/withdraw": {},
    "/challenges/{id}/answer": {"yes": "0"},
    "/tournaments": {"name": "x"},
    "/tournaments/{tournament}/enter": {},
    "/tournaments/{tournament}/withdraw": {},
    "/tournaments/{tournament}/begin": {},
    "/tournaments/{tournament}/play": {},
    "/tournaments/{tournament}/bots": {"bot": "level1", "count": "1"},
    "/people/{name:path}/challenge": {"game": "x", "time": "x"},
    "/people/{name:path}/block": {"on": "1"},
    "/people/{name:path}/follow": {"on": "1"},
    "/mine/days-off": {"days": "99"},
    "/m/{id}/hint": {},
    "/m/{id}/rematch": {},
    "/m/{id}/fork": {"at": "9999"},
    "/api/accounts": {"name": "x", "password": "short"},
    "/api/sign-in": {"name": "nobody", "password": "none"},
    "/api/seek": {"wishes": [{"game": "x", "time": "x"}]},
    "/api/seek/bot": {"name": "Nobody", "time": "5+3"},
    "/api/seek/withdraw": {},
    "/api/tournaments": {"name": "x", "kind": "swiss", "game": "x", "time": "x"},
    "/api/tournaments/{id}/enter": {},
    "/api/tournaments/{id}/withdraw": {},
    "/api/tournaments/{id}/begin": {},
    "/api/tournaments/{id}/play": {},
    "/api/tournaments/{id}/bots": {"bot": "level1"},
    "/api/accounts/{name:path}/challenge": {"game": "x", "time": "x"},
    "/api/challenges/{id}/answer": {"yes": False},
    "/api/daily/{game}": {"name": "x", "nobody": 1},
    "/api/matches": {"game": "nothing"},
    "/api/join/{code}": {"name": "x"},
    "/api/matches/{id}/act": {"ply": 0, "move": "deed-0001", "token": "x"},
    "/api/matches/{id}/undo": {"ply": 0, "move": "deed-0002"},
    "/api/matches/{id}/resign": {"ply": 9999, "move": "deed-0003"},
    "/api/matches/{id}/offer": {"ply": 0, "move": "deed-0004", "what": "draw"},
    "/api/matches/{id}/answer": {"ply": 0, "move": "deed-0005", "yes": False},
    "/api/matches/{id}/abort": {"ply": 0, "move": "deed-0006"},
    "/api/matches/{id}/claim": {"ply": 0, "move": "deed-0007", "what": "win"},
    "/api/matches/{id}/plan": {"ply": 0, "move": "deed-0008", "lines": [["*", "!x"]]},
    "/api/days-off": {"days": 99},
    "/api/matches/{id}/again": {},
    "/api/matches/{id}/fork": {"at": 9999},
    "/api/verify": {},
}

MESSAGES: list[dict[str, Any]] = [
    {"is": "watch", "ply": -1},
    {"is": "watch", "ply": -1, "drawn": False},
    {"is": "watch", "ply": 2},
    {"is": "watch", "ply": 10_000},
    {"is": "act", "ply": 0, "token": "x"},
    {"is": "act", "token": "no-such-move"},
    {"is": "hint"},
    {"is": "undo"},
    {"is": "offer", "what": "undo"},
    {"is": "answer", "yes": False},
    {"is": "abort"},
    {"is": "claim", "what": "draw"},
    {"is": "plan", "lines": [["*", "!no-such-move"]]},
    {"is": "resign", "ply": 9999},
    {"is": "leave"},
    {"is": "ping"},
]


def required_fields(message: dict[str, Any], id: str, ply: int, n: int) -> dict[str, Any]:
    """Return the fields that a message of this kind must have besides."""
    if message["is"] == "ping":
        return {}
    if message["is"] in ("watch", "leave"):
        return {"match": id}
    if message["is"] == "hint":
        return {"match": id, "ply": ply}
    return {"match": id, "ply": ply, "move": f"message-{n}"}
