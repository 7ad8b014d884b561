"""The HTTP status and headers of every refusal."""

from __future__ import annotations

from smallchange.server.web.errors import ErrorCode as Code
from smallchange.server.web.errors import Refused

STATUS = {
    Code.NO_TABLE: 404,
    Code.SEALED: 403,
    Code.BY_MEMORY: 403,
    Code.NO_PAGE: 404,
    Code.NO_CALL: 404,
    Code.CONFLICT: 409,
    Code.COMMAND_ID_USED: 409,
    Code.SEAT_TAKEN: 409,
    Code.RATED_AGAINST_BOT: 409,
    Code.RATE_LIMIT: 429,
    Code.PAGE_LIMIT: 429,
    Code.TABLE_LIMIT: 429,
    Code.CONNECTION_LIMIT: 429,
    Code.SUBSCRIPTION_LIMIT: 429,
    Code.NAME_TAKEN: 409,
    Code.CREDENTIAL_NEEDED: 403,
    Code.WRONG_PASSWORD: 403,
    Code.SIGN_IN_FAILED: 403,
    Code.BAD_PASSKEY: 403,
    Code.LAST_CREDENTIAL: 409,
    Code.ATTEMPT_LIMIT: 429,
    Code.NO_ACCOUNT: 403,
    Code.BAD_TOKEN: 401,
    Code.SPECTATOR: 403,
    Code.NO_COOKIE: 403,
    Code.OTHER_ORIGIN: 403,
    Code.TOO_LARGE: 413,
    Code.NOT_STORED: 503,
    Code.OUTCOME_UNKNOWN: 503,
    Code.BOTS_BUSY: 503,
    Code.BUSY: 503,
    Code.BOT_FAILED: 503,
    Code.SHUTTING_DOWN: 503,
    Code.DRAINING: 503,
    Code.RULES_CHANGED: 410,
    Code.UNKNOWN_ACCOUNT: 404,
    Code.BANNED: 403,
    Code.CANNOT_MEET: 403,
    Code.NO_CHALLENGE: 404,
    Code.NO_SEEK: 404,
    Code.CHALLENGE_LIMIT: 409,
    Code.NO_TOURNAMENT: 404,
    Code.TOURNAMENT_LIMIT: 409,
    Code.CANNOT_ENTER: 409,
    Code.NOT_OPENER: 403,
    Code.NO_DEAL: 409,
    Code.BOT_ACCOUNT: 403,
    Code.BOT_LIMIT: 429,
    Code.OWNED_LIMIT: 409,
}
BAD_REQUEST, UNAVAILABLE = 400, 503
UNAVAILABLE_WAIT_S = 5  # after which it is worth trying again


def status_of(code: Code) -> int:
    """Return the HTTP status of a refusal."""
    return STATUS.get(code, BAD_REQUEST)


def headers_of(refused: Refused) -> dict[str, str]:
    """Return the HTTP headers that go with a refusal."""
    if refused.code == Code.BAD_TOKEN:
        return {"WWW-Authenticate": "Bearer"}
    wait_s = refused.wait_s or (UNAVAILABLE_WAIT_S if status_of(refused.code) == UNAVAILABLE else 0)
    return {"Retry-After": str(wait_s)} if wait_s else {}
