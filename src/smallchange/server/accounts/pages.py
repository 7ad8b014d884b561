"""The pages of an account and of its bots, their forms, and the JSON endpoints of passkeys."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from smallchange.server.accounts import view
from smallchange.server.accounts.credentials import Site
from smallchange.server.accounts.service import Browser
from smallchange.server.accounts.view import AccountView, NewToken, PasskeyView, SessionView, bots_page
from smallchange.server.web.errors import ErrorCode, Refused, headers_of, refusal_text
from smallchange.server.web.forms import (
    Fields,
    count_form,
    field,
    form,
    press_key,
    read_form,
    refusal_page,
    require_cookie,
)
from smallchange.server.web.frame import PageContext
from smallchange.server.web.names import fold_name
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import (
    choice_cookies,
    kept_choices,
    own_origin,
    page_context,
    read_body,
)
from smallchange.server.web.sessions import (
    Account,
    AccountRole,
    client_address,
    cookie_name,
    new_bot_token,
    new_token,
    set_cookie,
    token_hash,
    visitor,
)
from smallchange.server.web.view import PREFERENCES

if TYPE_CHECKING:
    from smallchange.server.services import Services

Act = Callable[[Request, "Services", Fields], Awaitable[Response]]
PAGE, AUTHENTICATE = "/account", "/account/authenticate"
KNOWN, MAX_KNOWN = "known", 5  # the cookie of accounts that were signed in to here once
CREDENTIAL = "credential"  # the field by which any form of an account may authenticate on the way
UNREPEATED = (CREDENTIAL, "current", "password")  # fields that no page sends back


@page
async def account_page(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of the account, or the forms to sign in and up."""
    if account := visitor(request).account:
        await services.notifications.mark_read(account.holder, account, account.id)
    return await _page(request, services)


@page
async def export(request: Request, services: Services, context: PageContext) -> Response:
    """Return all that is stored of the account, to download."""
    account = signed_in(request)
    name = "small-change-account.json"
    return JSONResponse(
        await services.accounts.export(account),
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@page
async def authenticate_page(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page on which one shows that it is still oneself."""
    return await _authenticate_page(request, services, AUTHENTICATE, {})


def account_form(act: Act) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a form of the account's page, which shows a refusal too.

    A form that wants a recent authentication is answered by a page that asks for a credential and sends it anew.
    """

    @functools.wraps(act)
    async def respond(request: Request) -> Response:
        services: Services = request.app.state.services
        fields: Fields = {}
        token = ""
        try:
            fields = await read_form(request, services)
            if CREDENTIAL in fields:
                token = await _authenticate(request, services, field(fields, CREDENTIAL))
            key = press_key(request, fields)
            response = await services.presses.once(key, lambda: act(request, services, fields))
        except Refused as wrong:
            asked = wrong.code == ErrorCode.CREDENTIAL_NEEDED or (CREDENTIAL in fields and not token)
            try:
                if asked and visitor(request).account:
                    response = await _authenticate_page(request, services, request.url.path, fields, wrong)
                else:
                    response = await _page(request, services, wrong)
            except Refused as away:  # the page reads the database too
                response = await refusal_page(request, services, away, fields)
        return with_cookie(request, response, token) if token == visitor(request).token else response

    return respond


@account_form
async def authenticate(request: Request, services: Services, fields: Fields) -> Response:
    """Show that it is still oneself, by password or recovery code."""
    await services.accounts.require_authentication(signed_in(request), visitor(request).hash)
    return RedirectResponse(PAGE, 303)


@account_form
async def sign_up(request: Request, services: Services, fields: Fields) -> Response:
    """Create an account by name and password."""
    if visitor(request).account:
        return RedirectResponse(PAGE, 303)
    token = new_token()
    password = field(fields, "password")
    account, codes = await services.accounts.sign_up(
        browser_of(request, token), field(fields, "name"), password
    )
    await services.accounts.save_settings(account, kept_choices(request, services.settings.secure))
    return await _new_account_page(request, services, token, account, codes)


@account_form
async def sign_in(request: Request, services: Services, fields: Fields) -> Response:
    """Sign in by name and password, or a recovery code."""
    token = new_token()
    browser = browser_of(request, token)
    account = await services.accounts.sign_in(browser, field(fields, "name"), field(fields, "password"))
    response = await with_mark(request, with_cookie(request, RedirectResponse(PAGE, 303), token), account)
    return _with_choices(services, response, account)


@account_form
async def sign_out(request: Request, services: Services, fields: Fields) -> Response:
    """Sign this browser out. It is a new guest then."""
    account = signed_in(request)
    # switches of a table's page are cookies that no form has stored; other cookies may be of an earlier day
    kept = kept_choices(request, services.settings.secure)
    switches = {name: value for name, value in kept.items() if name in PREFERENCES}
    await services.accounts.save_settings(account, switches)
    await services.accounts.sign_out(visitor(request).hash, account)
    return with_cookie(request, RedirectResponse("/", 303), new_token())


@account_form
async def end_sessions(request: Request, services: Services, fields: Fields) -> Response:
    """End one other session, or all of them."""
    account, one = await authenticated_account(request, services), field(fields, "session") or None
    await services.accounts.end_sessions(account, visitor(request).hash, one)
    return RedirectResponse(PAGE, 303)


@account_form
async def rename(request: Request, services: Services, fields: Fields) -> Response:
    """Change the account's name."""
    await services.accounts.rename(await authenticated_account(request, services), field(fields, "name"))
    return RedirectResponse(PAGE, 303)


@account_form
async def change_password(request: Request, services: Services, fields: Fields) -> Response:
    """Set the password, and sign out everywhere else."""
    current, password = field(fields, "current"), field(fields, "password")
    await services.accounts.change_password(signed_in(request), current, password, visitor(request).hash)
    return RedirectResponse(PAGE, 303)


@account_form
async def new_codes(request: Request, services: Services, fields: Fields) -> Response:
    """Show new recovery codes, once."""
    account = await authenticated_account(request, services)
    return await _page(request, services, codes=await services.accounts.new_codes(account))


@account_form
async def remove_passkey(request: Request, services: Services, fields: Fields) -> Response:
    """Remove a passkey."""
    await services.accounts.remove_passkey(
        await authenticated_account(request, services), field(fields, "passkey")
    )
    return RedirectResponse(PAGE, 303)


@account_form
async def erase(request: Request, services: Services, fields: Fields) -> Response:
    """Erase the account, if its name was typed once more."""
    account = await authenticated_account(request, services)
    if fold_name(field(fields, "name").strip()) != fold_name(account.name):
        raise Refused(ErrorCode.SIGN_IN_FAILED)
    await services.accounts.erase(account)
    return with_cookie(request, RedirectResponse("/", 303), new_token())


def script_call(act: Act) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a call of the client's script: JSON."""

    @functools.wraps(act)
    async def respond(request: Request) -> Response:
        services: Services = request.app.state.services
        try:
            return await act(request, services, await _read_call(request, services))
        except Refused as wrong:
            text = refusal_text(wrong)[visitor(request).lang]
            return JSONResponse({"error": text}, wrong.code.status, headers_of(wrong))

    return respond


@script_call
async def passkey_options(request: Request, services: Services, sent: dict[str, Any]) -> Response:
    """Answer with the options for a new passkey of the account."""
    account, hash = await authenticated_account(request, services), visitor(request).hash
    options = await services.accounts.passkey_options(hash, account, _site(request))
    return Response(options, media_type="application/json")


@script_call
async def authentication_options(request: Request, services: Services, sent: dict[str, Any]) -> Response:
    """Answer with the options for signing in by a passkey, or for showing that it is still oneself."""
    who = visitor(request)
    options = await services.accounts.authentication_options(who.hash, who.account, _site(request))
    return Response(options, media_type="application/json")


@script_call
async def passkey_sign_up(request: Request, services: Services, sent: dict[str, Any]) -> Response:
    """Create an account without a password; its first passkey is added next."""
    if visitor(request).account:
        raise Refused(ErrorCode.SIGN_IN_FAILED)
    token = new_token()
    account, _ = await services.accounts.sign_up(browser_of(request, token), str(sent.get("name", "")), None)
    await services.accounts.save_settings(account, kept_choices(request, services.settings.secure))
    options = await services.accounts.passkey_options(token_hash(token), account, _site(request))
    return with_cookie(request, JSONResponse({"options": msgspec.json.decode(options)}), token)


@script_call
async def passkey_add(request: Request, services: Services, sent: dict[str, Any]) -> Response:
    """Add the passkey that the browser has made."""
    account, hash = await authenticated_account(request, services), visitor(request).hash
    await services.accounts.add_passkey(hash, account, _site(request), _answer(sent))
    return JSONResponse({})


@script_call
async def passkey_authenticate(request: Request, services: Services, sent: dict[str, Any]) -> Response:
    """Show that it is still oneself, by a passkey."""
    account, token = signed_in(request), new_token()
    browser = browser_of(request, token)
    await services.accounts.authenticate_again_by_passkey(account, browser, _site(request), _answer(sent))
    return with_cookie(request, JSONResponse({}), token)


@script_call
async def passkey_sign_in(request: Request, services: Services, sent: dict[str, Any]) -> Response:
    """Sign in by a passkey."""
    token = new_token()
    browser = browser_of(request, token)
    account = await services.accounts.sign_in_by_passkey(browser, _site(request), _answer(sent))
    return _with_choices(services, with_cookie(request, JSONResponse({}), token), account)


@account_form
async def show_results(request: Request, services: Services, fields: Fields) -> Response:
    """Let everybody see the account's results, games and play ratings, or no longer."""
    value = "shown" if field(fields, "shown") == "1" else "hidden"
    await services.accounts.save_settings(signed_in(request), {"results": value})
    return RedirectResponse(PAGE, 303)


FORMS = {
    AUTHENTICATE: authenticate,
    "/account/sign-up": sign_up,
    "/account/sign-in": sign_in,
    "/account/sign-out": sign_out,
    "/account/end-sessions": end_sessions,
    "/account/rename": rename,
    "/account/password": change_password,
    "/account/codes": new_codes,
    "/account/remove-passkey": remove_passkey,
    "/account/erase": erase,
    "/account/show-results": show_results,
    "/account/passkey/options": passkey_options,
    "/account/passkey/authentication-options": authentication_options,
    "/account/passkey/authenticate": passkey_authenticate,
    "/account/passkey/sign-up": passkey_sign_up,
    "/account/passkey/add": passkey_add,
    "/account/passkey/sign-in": passkey_sign_in,
}


def signed_in(request: Request) -> Account:
    """Return the account that is signed in. Refuse if there is none."""
    account = visitor(request).account
    if account is None:
        raise Refused(ErrorCode.NO_ACCOUNT)
    return account


async def authenticated_account(request: Request, services: Services) -> Account:
    """Return the account that is signed in. Refuse if its owner has not authenticated a moment ago."""
    account = signed_in(request)
    await services.accounts.require_authentication(account, visitor(request).hash)
    return account


async def _authenticate(request: Request, services: Services, given: str) -> str:
    """Authenticate by password or recovery code. Return the new token of the session."""
    token = new_token()
    await services.accounts.authenticate_again(signed_in(request), browser_of(request, token), given)
    visitor(request).token = token
    return token


async def _authenticate_page(
    request: Request, services: Services, action: str, fields: Fields, wrong: Refused | None = None
) -> Response:
    """Return the page that asks for a credential, and then sends the fields of a form to its action anew."""
    found = await services.accounts.overview(signed_in(request))
    if "password" in fields:  # that is typed again
        action, fields = AUTHENTICATE, {}
    repeated = [(name, text) for name in fields if name not in UNREPEATED for text in fields[name]]
    context = replace(page_context(request), path=PAGE)
    ways = bool(found["has_password"] or found["codes"]), bool(found["passkeys"])
    if wrong is None or wrong.code == ErrorCode.CREDENTIAL_NEEDED:
        return HTMLResponse(view.authenticate_page(action, repeated, ways, context))
    context = replace(context, wrong=refusal_text(wrong))
    answer = view.authenticate_page(action, repeated, ways, context)
    return HTMLResponse(answer, wrong.code.status, headers_of(wrong))


async def _page(
    request: Request, services: Services, wrong: Refused | None = None, codes: list[str] | None = None
) -> Response:
    """Return the page of the account, with a refusal or new recovery codes."""
    context = replace(page_context(request), path=PAGE)
    account = visitor(request).account
    hash, shown, parts = visitor(request).hash, None, dict[str, object]()
    if account:
        shown, parts = await _view(services, account, hash, codes), await _parts(services, account, hash)
    else:
        parts["is_limited"] = wrong is not None and wrong.code == ErrorCode.ATTEMPT_LIMIT
    if wrong is None:
        return HTMLResponse(view.account_page(shown, context, parts))
    context = replace(context, wrong=refusal_text(wrong))
    return HTMLResponse(view.account_page(shown, context, parts), wrong.code.status, headers_of(wrong))


async def _new_account_page(
    request: Request, services: Services, token: str, account: Account, codes: list[str]
) -> Response:
    """Return the page of a new account with its recovery codes; the browser gets its new token."""
    context = replace(
        page_context(request),
        path=PAGE,
        account=account.name,
        name=account.name,
    )
    hash = token_hash(token)
    shown, parts = await _view(services, account, hash, codes), await _parts(services, account, hash)
    response = with_cookie(request, HTMLResponse(view.account_page(shown, context, parts)), token)
    return await with_mark(request, response, account)


async def _parts(services: Services, account: Account, hash: str) -> dict[str, object]:
    """Return the parts of features on the page of an account, for its template."""
    parts = dict[str, object]()
    for show in services.on_account_page:
        parts |= await show(account, hash)
    return parts


async def _view(services: Services, account: Account, hash: str, codes: list[str] | None) -> AccountView:
    """Return the account as its page shows it."""
    found = await services.accounts.overview(account)
    return AccountView(
        account.name,
        tuple(
            SessionView(one.hash, one.agent, one.created, one.seen, one.hash == hash)
            for one in found["sessions"]
        ),
        tuple(PasskeyView(one.id, one.created) for one in found["passkeys"]),
        found["has_password"],
        found["codes"],
        found["seats"],
        account.role == AccountRole.KEEPER,
        tuple(codes or ()),
        account.shows_results,
        await services.accounts.has_authenticated(account, hash),
    )


def browser_of(request: Request, token: str) -> Browser:
    """Return the browser of a request, which gets this new token."""
    agent = request.headers.get("user-agent", "")
    return Browser(
        visitor(request).hash, token_hash(token), client_address(request), agent, known_marks(request)
    )


def known_marks(request: Request) -> tuple[str, ...]:
    """Return the marks of the accounts that were signed in to in this browser, the last one first."""
    cookie = request.cookies.get(cookie_name(KNOWN, request.app.state.services.settings.secure), "")
    return tuple(mark for mark in cookie.split(".") if mark)[:MAX_KNOWN]


async def with_mark(request: Request, response: Response, account: Account) -> Response:
    """Return the response with a cookie by which this browser shows later that it was signed in to an account."""
    services: Services = request.app.state.services
    mark = await services.accounts.known_mark(account)
    marks = dict.fromkeys((mark, *known_marks(request)))
    value = ".".join(list(marks)[:MAX_KNOWN])
    response.headers.append("Set-Cookie", set_cookie(KNOWN, value, services.settings.secure))
    return response


def with_cookie(request: Request, response: Response, token: str) -> Response:
    """Return the response with a cookie that gives the browser a new token."""
    services: Services = request.app.state.services
    visitor(request).token = token
    response.headers.append("Set-Cookie", set_cookie("who", token, services.settings.secure))
    return response


def _with_choices(services: Services, response: Response, account: Account) -> Response:
    """Return the response with cookies that give the browser the language, theme and preferences of an account."""
    for cookie in choice_cookies(account.preferences, services.settings.secure):
        response.headers.append("Set-Cookie", cookie)
    return response


def _site(request: Request) -> Site:
    """Return the site that passkeys belong to, by the settings or by the request."""
    services: Services = request.app.state.services
    return Site(services.settings.rp_id or request.url.hostname or "localhost", own_origin(request))


async def _read_call(request: Request, services: Services) -> dict[str, Any]:
    """Return the body of a call of the client's script."""
    count_form(request, services)
    require_cookie(request)
    try:
        sent = msgspec.json.decode(await read_body(request, request.receive), type=dict[str, Any])
    except msgspec.DecodeError as wrong:
        raise Refused(ErrorCode.BAD_MESSAGE, why=str(wrong)[:100]) from None
    return sent


def _answer(sent: dict[str, Any]) -> dict[str, Any]:
    """Return the browser's answer to a challenge. Refuse a call without one."""
    answer = sent.get("answer")
    if not isinstance(answer, dict):
        raise Refused(ErrorCode.BAD_PASSKEY)
    return answer


BOTS = "/account/bots"


@page
async def bots(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of one's own bots."""
    owned = await services.bot_accounts.of(signed_in(request))
    return HTMLResponse(bots_page(owned, None, context))


@form
async def create_bot(request: Request, services: Services, fields: Fields) -> Response:
    """Create a bot."""
    await services.bot_accounts.create(signed_in(request), field(fields, "name"))
    return RedirectResponse(BOTS, 303)


@form
async def add_bot_token(request: Request, services: Services, fields: Fields) -> Response:
    """Make a token of a bot, and show it once."""
    owner, token = signed_in(request), new_bot_token()
    bot = await services.bot_accounts.add_token(
        owner, field(fields, "bot"), token_hash(token), field(fields, "label")
    )
    context = replace(page_context(request), path=BOTS)
    owned = await services.bot_accounts.of(owner)
    return HTMLResponse(bots_page(owned, NewToken(bot.id, token), context))


@form
async def revoke_bot_token(request: Request, services: Services, fields: Fields) -> Response:
    """Revoke a token of a bot."""
    await services.bot_accounts.revoke_token(signed_in(request), field(fields, "bot"), field(fields, "token"))
    return RedirectResponse(BOTS, 303)


@form
async def remove_bot(request: Request, services: Services, fields: Fields) -> Response:
    """Remove a bot."""
    await services.bot_accounts.remove(signed_in(request), field(fields, "bot"))
    return RedirectResponse(BOTS, 303)
