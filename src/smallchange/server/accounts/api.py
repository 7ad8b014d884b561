"""Calls of the API for accounts: sign up, sign in, and the account of the token."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from smallchange.server.accounts.service import Browser
from smallchange.server.table.model.commands import Name
from smallchange.server.web.api import ApiRequest, Calls
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import new_token, token_hash

calls = Calls()


class NewAccount(Struct, forbid_unknown_fields=True):
    """Create an account, or sign in to it."""

    name: Name
    password: Annotated[str, Meta(max_length=1000)]


class SignedIn(Struct):
    """An account that you are signed in to: send `token` as `Authorization: Bearer ..` from now on.

    `codes` are the recovery codes of a new account. They are told once, and each signs you in once.
    """

    name: str
    token: str
    codes: list[str] = field(default_factory=list)


class Me(Struct):
    """The account of your token. `owner` is that of a bot."""

    name: str
    bot: bool
    owner: str | None


@calls.post("/accounts", status=201)
async def sign_up(request: ApiRequest, body: NewAccount) -> SignedIn:
    """Create an account. The answer has a new token; the seats of the present one come along."""
    if request.account:
        raise Refused(ErrorCode.SIGN_IN_FAILED)
    token, browser = _new_session(request)
    account, codes = await request.services.accounts.sign_up(browser, body.name, body.password)
    return SignedIn(account.name, token, codes)


@calls.post("/sign-in")
async def sign_in(request: ApiRequest, body: NewAccount) -> SignedIn:
    """Sign in to an account by its password or a recovery code. The answer has a new token."""
    token, browser = _new_session(request)
    account = await request.services.accounts.sign_in(browser, body.name, body.password)
    return SignedIn(account.name, token)


def _new_session(request: ApiRequest) -> tuple[str, Browser]:
    """Return a new token, and the program as a browser that gets it in place of its present one."""
    token = new_token()
    present = token_hash(request.token or new_token())
    agent = request.request.headers.get("user-agent", "")
    return token, Browser(present, token_hash(token), request.address, agent)


@calls.get("/account", token=True)
async def account(request: ApiRequest) -> Me:
    """Return the account of your token."""
    account = request.known_account
    owner = await request.services.bot_accounts.owner_name(account) if account.is_bot else None
    return Me(account.name, account.is_bot, owner)
