"""Any sequence of sign-ups, sign-ins, forgotten passwords, ended sessions and waits: who is who, and who holds what.

The model knows accounts, sessions and seats; the service must know the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import Connection, func, select

from smallchange.server.accounts import credentials, rows
from smallchange.server.accounts import service as accounts
from smallchange.server.accounts.rows import RESERVED_MS
from smallchange.server.accounts.service import RECENT_MS, SEEN_PERIOD_MS, Accounts, Browser
from smallchange.server.database import schema
from smallchange.server.database.bus import MemoryBus
from smallchange.server.services import table_service
from smallchange.server.settings import Settings
from smallchange.server.table.model.commands import NewTable
from smallchange.server.table.storage.retention import SESSION_AGE_MS
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.heavy_work import HeavyWork
from smallchange.server.web.sessions import Account

from .tables import PAIR

NAMES = [("Ann", "ANN", "Аnn"), ("Bo Bergen", "bo bergen", "Βo Bergen"), ("Dora", "dora", "Dоra")]
PASSWORDS = ["correct horse battery", "quite another word"]
WRONG, USED, OTHER, PASSWORD, CODE = (
    "wrong",
    "used",
    "other",
    "password",
    "code",
)  # what is given as a credential
browsers, people = st.integers(0, 2), st.integers(0, len(NAMES) - 1)
spellings, given = st.integers(0, 2), st.sampled_from([WRONG, USED, OTHER, PASSWORD, PASSWORD, CODE])


@dataclass
class Owner:
    """An account as the model knows it, by the holder of its seats."""

    holder: str
    name: str
    password: str
    codes: list[str]
    used: list[str] = field(default_factory=list)


@dataclass
class Session:
    """A session, by its token: of which owner, when it was last seen and when it last authenticated."""

    owner: Owner
    seen: int
    authenticated: int


class Site:
    """The accounts of one process on a database, at a time that stands still."""

    def __init__(self, folder: Path, runner: asyncio.Runner) -> None:
        self.run = runner.run
        self.store = Store(f"sqlite:///{folder / 'tables.db'}")
        self.run(self.store.open())
        self.now = 10**12
        self.tables = table_service(self.store, MemoryBus(), now=lambda: self.now)
        many = Settings(sign_ins=10**9, sign_ups=10**9)
        self.accounts = Accounts(self.store, self.tables, many, HeavyWork())
        self.tokens = (f"{n:064x}" for n in count(1))
        self.names = count(1)  # of an example, which ends each of its names


class People(RuleBasedStateMachine):
    """Three browsers, and three names in three spellings each."""

    site: Site

    def __init__(self) -> None:
        super().__init__()
        self.end = f" {next(self.site.names)}"
        self.tokens = [next(self.site.tokens) for _ in range(3)]  # that the browsers have
        self.old: set[str] = set()  # that they had before
        self.sessions: dict[str, Session] = {}
        self.owners: dict[int, Owner] = {}  # by the name
        self.erased: dict[int, int] = {}  # names, and when
        self.seats: dict[str, set[str]] = {}  # tables by holder

    @initialize(word=st.sampled_from(PASSWORDS))
    def begin(self, word: str) -> None:
        """Let one have an account, and all sit at tables."""
        self.sign_up(0, 0, 0, word)
        for number in range(3):
            self.sit(number)

    def try_to(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Return what comes of it, or the code of its refusal."""
        try:
            return self.site.run(work)
        except Refused as wrong:
            return wrong.code

    def account(self, owner: Owner) -> Account:
        found: Account | None = self.site.run(
            self.site.store.read(lambda c: rows.account_by_holder(c, owner.holder))
        )
        assert found
        return found

    def browser(self, number: int) -> Browser:
        return Browser(self.tokens[number], next(self.site.tokens), "192.0.2.1", "Browser")

    def give(self, number: int, browser: Browser) -> None:
        """Give a browser its new token."""
        self.old.add(self.tokens[number])
        self.tokens[number] = browser.new_hash

    def session(self, number: int) -> Session | None:
        return self.sessions.get(self.tokens[number])

    def say(self, owner: Owner | None, kind: str) -> tuple[str, bool]:
        """Return a credential of this kind, and whether it fits. A code is used up."""
        if owner is None or kind == WRONG:
            return PASSWORDS[0] + "!", False
        if kind == PASSWORD:
            return owner.password, True
        if kind == OTHER:
            codes = (one.codes[-1] for one in self.owners.values() if one is not owner and one.codes)
            return next(codes, "aaaa-bbbb"), False
        if kind == USED:
            return (owner.used[-1] if owner.used else "aaaa-bbbb"), False
        return owner.codes[-1].upper().replace("-", " ") if owner.codes else "", bool(owner.codes)

    def use(self, owner: Owner, kind: str) -> None:
        if kind == CODE:
            owner.used.append(owner.codes.pop())

    def is_taken(self, name: int) -> bool:
        at = self.erased.get(name)
        return name in self.owners or (at is not None and self.site.now - at < RESERVED_MS)

    @rule(number=browsers)
    def sit(self, number: int) -> None:
        session = self.session(number)
        holder = session.owner.holder if session else self.tokens[number]
        id = self.site.run(self.site.tables.openings.create(holder, NewTable(PAIR)))
        self.seats.setdefault(holder, set()).add(id)

    @rule(number=browsers, name=people, spelling=spellings, word=st.sampled_from(PASSWORDS))
    def sign_up(self, number: int, name: int, spelling: int, word: str) -> None:
        if self.session(number):
            return
        browser = self.browser(number)
        found = self.try_to(self.site.accounts.sign_up(browser, NAMES[name][spelling] + self.end, word))
        if self.is_taken(name):
            assert found == ErrorCode.NAME_TAKEN
            return
        account, codes = found
        assert account.holder == self.tokens[number]
        self.owners[name] = owner = Owner(account.holder, account.name, word, codes)
        self.erased.pop(name, None)
        self.sessions[browser.new_hash] = Session(owner, self.site.now, self.site.now)
        self.give(number, browser)

    @rule(number=browsers, name=people, kind=given)
    def sign_in(self, number: int, name: int, kind: str) -> None:
        owner, browser = self.owners.get(name), self.browser(number)
        said, fits = self.say(owner, kind)
        text = owner.name.swapcase() if owner else NAMES[name][0] + self.end
        found = self.try_to(self.site.accounts.sign_in(browser, text, said))
        if owner is None or not fits:
            assert found == ErrorCode.SIGN_IN_FAILED
            return
        assert found.holder == owner.holder
        self.use(owner, kind)
        session = self.session(number)
        if session and session.owner is owner:
            del self.sessions[self.tokens[number]]
        if brought := self.seats.pop(self.tokens[number], None):
            self.seats.setdefault(owner.holder, set()).update(brought)
        self.sessions[browser.new_hash] = Session(owner, self.site.now, self.site.now)
        self.give(number, browser)

    @rule(number=browsers)
    def sign_out(self, number: int) -> None:
        session, browser = self.session(number), self.browser(number)
        if session:
            self.site.run(self.site.accounts.sign_out(self.tokens[number], self.account(session.owner)))
            del self.sessions[self.tokens[number]]
            self.give(number, browser)

    @rule(number=browsers, kind=given)
    def authenticate(self, number: int, kind: str) -> None:
        session, browser = self.session(number), self.browser(number)
        if session is None:
            return
        said, fits = self.say(session.owner, kind)
        account = self.account(session.owner)
        found = self.try_to(self.site.accounts.authenticate_again(account, browser, said))
        if not fits:
            assert found == ErrorCode.WRONG_PASSWORD
            return
        self.use(session.owner, kind)
        del self.sessions[self.tokens[number]]
        self.sessions[browser.new_hash] = Session(session.owner, self.site.now, self.site.now)
        self.give(number, browser)

    @rule(number=browsers, kind=given, word=st.sampled_from(PASSWORDS))
    def change_password(self, number: int, kind: str, word: str) -> None:
        session, token = self.session(number), self.tokens[number]
        if session is None:
            return
        said, fits = self.say(session.owner, kind)
        account = self.account(session.owner)
        found = self.try_to(self.site.accounts.change_password(account, said, word, token))
        if not fits:
            assert found == ErrorCode.WRONG_PASSWORD
            return
        self.use(session.owner, kind)
        session.owner.password = word
        self.end_sessions_of(session.owner, token)

    @rule(number=browsers, what=st.sampled_from(["codes", "end", "erase"]), new=people)
    def do_what_wants_a_credential(self, number: int, what: str, new: int) -> None:
        """Do it as the pages do, which ask whether a session has authenticated a moment ago."""
        session, token, service = self.session(number), self.tokens[number], self.site.accounts
        if session is None:
            return
        account = self.account(session.owner)
        is_recent = self.site.now - session.authenticated <= RECENT_MS
        found = self.try_to(service.require_authentication(account, token))
        assert found == (None if is_recent else ErrorCode.CREDENTIAL_NEEDED)
        if not is_recent:
            return
        if what == "codes":
            session.owner.used += session.owner.codes
            session.owner.codes = self.site.run(service.new_codes(account))
        elif what == "end":
            self.site.run(service.end_sessions(account, token))
            self.end_sessions_of(session.owner, token)
        else:
            self.site.run(service.erase(account))
            self.end_sessions_of(session.owner)
            name = next(name for name, owner in self.owners.items() if owner is session.owner)
            del self.owners[name]
            self.erased[name] = self.site.now

    @rule(number=browsers, name=people, spelling=spellings)
    def rename(self, number: int, name: int, spelling: int) -> None:
        session = self.session(number)
        if session is None:
            return
        text, account = NAMES[name][spelling] + self.end, self.account(session.owner)
        found = self.try_to(self.site.accounts.rename(account, text))
        before = next(name for name, owner in self.owners.items() if owner is session.owner)
        if name != before and self.is_taken(name):
            assert found == ErrorCode.NAME_TAKEN
            return
        assert found is None
        session.owner.name = text
        self.owners[name] = self.owners.pop(before)
        self.erased.pop(name, None)

    @rule(ms=st.sampled_from([RECENT_MS + 1, RESERVED_MS, SESSION_AGE_MS // 2, SESSION_AGE_MS]))
    def wait(self, ms: int) -> None:
        self.site.now += ms
        self.site.accounts._identities.clear()  # what ten seconds do

    def end_sessions_of(self, owner: Owner, keep: str = "") -> None:
        self.sessions = {t: one for t, one in self.sessions.items() if one.owner is not owner or t == keep}

    @invariant()
    def each_token_is_worth_what_the_model_says(self) -> None:
        holders = {owner.holder for owner in self.owners.values()}
        for token in (*self.tokens, *self.old):
            found, session = self.site.run(self.site.accounts.identity(token)), self.sessions.get(token)
            if session and self.site.now - session.seen >= SESSION_AGE_MS:
                session = None
                del self.sessions[token]
            elif session and self.site.now - session.seen >= SEEN_PERIOD_MS:
                session.seen = self.site.now
            who = (found.account.holder, found.account.name) if found.account else None
            assert who == ((session.owner.holder, session.owner.name) if session else None)
            assert found.superseded or token not in holders, "a guest's token is void once it has an account"

    @invariant()
    def seats_and_codes_are_where_the_model_has_them(self) -> None:
        def ask(connection: Connection) -> tuple[dict[str, set[str]], dict[str, int]]:
            seat, code, account = schema.seat.c, schema.credential.c, schema.account.c
            held = dict[str, set[str]]()
            for row in connection.execute(
                select(seat.holder, seat.match_id).where(seat.holder.in_(self.seats))
            ):
                held.setdefault(row.holder, set()).add(row.match_id)
            query = select(account.holder, func.count()).join(
                schema.credential, code.account_id == account.id
            )
            query = query.where(code.kind == rows.RECOVERY, account.holder.in_(codes)).group_by(
                account.holder
            )
            return held, {row[0]: row[1] for row in connection.execute(query)}

        codes = {owner.holder: len(owner.codes) for owner in self.owners.values() if owner.codes}
        assert self.site.run(self.site.store.read(ask)) == (self.seats, codes)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with asyncio.Runner() as runner:
        found = Site(tmp_path, runner)
        monkeypatch.setattr(accounts, "now_ms", lambda: found.now)
        monkeypatch.setattr(credentials, "_hasher", lambda: PasswordHasher(1, 8, 1))  # Argon2, in no time
        try:
            yield found
        finally:
            runner.run(found.store.close())


def test_each_browser_is_who_it_has_shown_to_be_and_holds_the_seats_of_that_one(site: Site) -> None:
    machine = type("PeopleOfTheSite", (People,), {"site": site})
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=12, stateful_step_count=25, deadline=None),
    )


def test_the_name_of_an_erased_account_is_reserved_for_a_time(site: Site) -> None:
    people = type("PeopleOfTheSite", (People,), {"site": site})()
    people.sign_up(0, 0, 0, PASSWORDS[0])
    people.do_what_wants_a_credential(0, "erase", 0)
    people.sign_up(1, 0, 1, PASSWORDS[0])
    assert not people.owners
    people.wait(RESERVED_MS)
    people.sign_up(1, 0, 1, PASSWORDS[0])
    people.each_token_is_worth_what_the_model_says()
    assert people.owners
