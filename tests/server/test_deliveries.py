"""One mail a day."""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from aiosmtpd.controller import Controller
from sqlalchemy import Connection

from smallchange.server.accounts import service as accounts
from smallchange.server.accounts.rows import create_account
from smallchange.server.database import schema
from smallchange.server.notifications import contact_rows as contacts
from smallchange.server.notifications.contacts import MAX_CONFIRMATIONS_OF_NETWORK
from smallchange.server.notifications.digest import next_digest_ms
from smallchange.server.notifications.mail import Mail, mail_bytes
from smallchange.server.notifications.model import MAIL_OFF, Notification
from smallchange.server.notifications.notifier import (
    MAIL_DELAY_MS,
    MAX_MAIL_FAILURES,
    MAX_MAILING,
    MAX_UNSEEN_MAILS,
    Notifier,
)
from smallchange.server.notifications.rows import put_notifications
from smallchange.server.table.live.ports import TimeWarning
from smallchange.server.table.model.new_tables import random_id
from smallchange.server.web.account import Account, AccountRole, AccountState

from .outside import free_port
from .serving import Person, Served, serving
from .tables import table_for_two

DAY_MS = 24 * 3_600_000


class Mailbox:
    """A stand-in for the mail server of the site."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []
        self.refusal = ""  # of every address

    async def handle_RCPT(
        self, server: object, session: object, envelope: Any, address: str, options: object
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.refusal or "250 OK"

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.raw.append(envelope.content)
        return "250 OK"


@pytest.fixture
def mailbox() -> Iterator[tuple[str, Mailbox]]:
    """Yield the URL of a mail server on loopback, and its mailbox."""
    box, port = Mailbox(), free_port()
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    yield f"smtp://127.0.0.1:{port}", box
    controller.stop()


@pytest.fixture
def served(tmp_path: Path, mailbox: tuple[str, Mailbox]) -> Iterator[Served]:
    with serving(
        tmp_path,
        roles="none",
        site="https://play.example",
        mail_server=mailbox[0],
        mail_from="Small Change <games@play.example>",
    ) as found:
        yield found


def make_account(served: Served, name: str) -> Account:
    """Return a new account that has no browser."""
    account = Account(
        random_id(20), name, secrets.token_hex(32), 0, AccountRole.PERSON, AccountState.OPEN, "{}"
    )
    served.call(served.services.tables.store.write("", lambda c: create_account(c, account, [])))
    return account


def sign_up(person: Person, name: str) -> None:
    assert person.post("/account/sign-up", name=name, password="long enough").status_code == 200


def sweep(served: Served, later_ms: int = 0, workers: int = 1) -> int:
    """Let workers send what is due so much later; return how much they took."""
    tables = served.services.tables
    usual = tables.now
    tables.now = lambda: usual() + later_ms
    try:

        async def all_at_once() -> list[int]:
            notifiers = [Notifier(tables, served.settings, f"worker {i}") for i in range(workers)]
            taken = await asyncio.gather(*(one.sweep() for one in notifiers))
            await asyncio.gather(*(one.stop() for one in notifiers))
            return taken

        return sum(served.call(all_at_once()))
    finally:
        tables.now = usual


def test_a_silent_mail_server_takes_few_connections(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts nothing
        place = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        terms = {"site": "https://play.example", "mail_server": place, "mail_from": "games@play.example"}
        with serving(tmp_path, roles="none", **terms) as served:
            tables, people = served.services.tables, [make_account(served, f"Person {n}") for n in range(50)]
            now = tables.now()

            def write(connection: Connection) -> None:
                for one in people:
                    mail = f"{one.id}@example.org"
                    contact = contacts.Contact(one.id, mail, True, one.id, next_at=now)
                    contacts.put_contact(connection, contact)
                    put_notifications(connection, [Notification(one.holder, one.id, MAIL_OFF, 0)], now)

            async def sweep_once() -> int:
                worker = Notifier(tables, served.settings)
                taken = await worker.sweep()
                silent.close()  # which ends the connections
                await worker.stop()
                return taken

            served.call(tables.store.write("", write))
            assert served.call(sweep_once()) == MAX_MAILING


@pytest.mark.parametrize("length", [17, 40, 78, 200, 500])
def test_the_header_to_end_mails_is_valid_for_any_address_of_the_site(length: int) -> None:
    """RFC 2369 and 8058: a URL between angle brackets, in one piece; encoded words are none."""
    link = "https://" + "x" * (length - len("https://")) + "/notifications/unsubscribe/" + "k" * 32
    raw = mail_bytes("Small Change <games@play.example>", Mail("ann@example.org", "Neu: 1", "ä\n" * 9, link))
    headers = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert f"List-Unsubscribe: <{link}>".encode() in headers
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click" in headers
    assert max(map(len, raw.split(b"\r\n"))) <= 998


@pytest.mark.parametrize("name", ["Coins, Inc.", "Games: here", "スモールチェンジ", 'Say "hi" <now>'])
def test_the_words_of_a_mails_header_are_quoted_and_short(name: str) -> None:
    raw = mail_bytes(f"{name} <games@play.example>", Mail("ann@example.org", "新しいお知らせ " * 20, "text"))
    head = raw.partition(b"\r\n\r\n")[0]
    assert max(map(len, re.findall(rb"=\?\S+\?=", head)), default=0) <= 75, "RFC 2047"
    assert max(map(len, head.split(b"\r\n"))) <= 78
    read = message_from_bytes(raw, policy=policy.SMTP)
    (sender,) = read["From"].addresses
    assert (sender.display_name.replace('"', ""), sender.addr_spec) == (
        name.replace('"', ""),
        "games@play.example",
    )
    assert read["Subject"].split() == 20 * ["新しいお知らせ"]


def test_a_digest_that_was_not_taken_is_sent_again_and_an_address_that_is_refused_ends(
    served: Served, mailbox: tuple[str, Mailbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    box = mailbox[1]
    with Person(served) as ann, Person(served) as bo:
        sign_up(ann, "Ann")
        ann.post("/notifications/mail", mail="ann@example.org", hour="8", zone="UTC")
        link = re.search(r"https://play\.example(\S+confirm\S+)", box.mails[0].get_content())
        assert link
        assert ann.post(link[1]).status_code == 200
        table_for_two(ann, bo, time="1d+3d")
        box.refusal = "451 later"
        assert sweep(served, DAY_MS) == 1
        assert sweep(served, DAY_MS) == 0
        assert sweep(served, DAY_MS + MAIL_DELAY_MS + 60_000) == 1
        box.refusal = ""
        sweep(served, DAY_MS + 2 * MAIL_DELAY_MS + 120_000)
        assert [mail["Subject"] for mail in box.mails[1:]] == ["Small Change: 1 unread"]
        assert b"List-Unsubscribe: <https://play.example/" in box.raw[1]
        box.refusal = "550 nobody"
        for day in range(2, 2 + MAX_MAIL_FAILURES):
            table_for_two(ann, bo, time="1d+3d")
            sweep(served, day * DAY_MS)
        assert "E-mails to your address come back" in ann.web.get("/notifications").text
        assert "ann@example.org" not in ann.web.get("/account").text


def test_one_digest_a_day_lists_what_is_unread_until_one_click_ends_it(
    served: Served, mailbox: tuple[str, Mailbox]
) -> None:
    mails = mailbox[1].mails
    with Person(served) as ann, Person(served) as bo:
        sign_up(ann, "Ann")
        fields = {"mail": "ann@example.org", "hour": "8", "zone": "Asia/Tokyo"}
        assert ann.post("/notifications/mail", **(fields | {"zone": "Nowhere/At_All"})).status_code == 400
        assert (
            ann.post("/notifications/mail", **(fields | {"mail": "a@b.c\r\nBcc: d@e.f"})).status_code == 400
        )
        assert ann.post("/notifications/mail", **fields).status_code == 303
        link = re.search(r"https://play\.example(/notifications/confirm/[\w-]+)", mails[0].get_content())
        assert link
        id = ann.open("dodgem", time="1d+3d")
        assert bo.post(ann.invite(id), name="<b>Bo</b>").status_code == 303
        assert sweep(served, DAY_MS) == 0, "the address is not confirmed"
        assert bo.web.get(link[1]).status_code == 200
        assert sweep(served, DAY_MS) == 0, "to look at the link confirms nothing"
        assert bo.post(link[1]).status_code == 200
        assert sweep(served, DAY_MS, workers=2) == 1
        digest = mails[1]
        assert (digest["To"], digest["Subject"]) == ("ann@example.org", "Small Change: 1 unread")
        assert digest.get_content_type() == "text/plain"
        assert "Dodg’em (<b>Bo</b>): It is your turn." in digest.get_content()
        assert f"https://play.example/m/{id}" in digest.get_content()
        assert sweep(served, DAY_MS) == 0, "one a day"
        assert digest["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        end = str(digest["List-Unsubscribe"]).strip("<>").removeprefix("https://play.example")
        ann.page(id)
        assert sweep(served, 2 * DAY_MS) == 1
        assert len(mails) == 2, "nothing is unread, so no mail comes"
        assert bo.web.get(end).status_code == 200
        assert "ann@example.org" in ann.web.get("/account").text
        click = httpx.post(served.url + end, data={"List-Unsubscribe": "One-Click"}, timeout=300)
        assert click.status_code == 200
        assert "ann@example.org" not in ann.web.get("/account").text
        assert sweep(served, 4 * DAY_MS) == 0


def confirm_mail(person: Person, box: Mailbox) -> None:
    """Let an account have a digest each day at eight."""
    person.post("/notifications/mail", mail="ann@example.org", hour="8", zone="UTC")
    link = re.search(r"https://play\.example(\S+confirm\S+)", box.mails[-1].get_content())
    assert link
    assert person.post(link[1]).status_code == 200


def test_a_digest_has_only_what_is_new_and_stops_after_some_without_a_visit(
    served: Served, mailbox: tuple[str, Mailbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    box = mailbox[1]
    with Person(served) as ann, Person(served) as bo, Person(served) as other:
        sign_up(ann, "Ann")
        confirm_mail(ann, box)
        tables = []
        for day in range(1, MAX_UNSEEN_MAILS + 3):
            tables.append(table_for_two(ann, bo, time="1d+3d"))
            sweep(served, (2 * day - 1) * DAY_MS)
            sweep(served, 2 * day * DAY_MS)
        sent = [mail.get_content() for mail in box.mails[1:]]
        assert len(sent) == MAX_UNSEEN_MAILS, "a mail for each day with something new"
        for id, text in zip(tables, sent, strict=False):
            assert [one for one in tables if one in text] == [id]
        assert ["until your next visit" in text for text in sent] == [False] * (MAX_UNSEEN_MAILS - 1) + [True]
        monkeypatch.setattr(accounts, "now_ms", lambda: 2**50)
        other.post("/account/sign-in", name="Ann", password="long enough")
        other.post("/account/sign-out")
        sweep(served, 40 * DAY_MS)
        assert all(id in box.mails[-1].get_content() for id in tables[MAX_UNSEEN_MAILS:])


def test_a_digest_comes_earlier_where_time_would_run_out_before_it(
    served: Served, mailbox: tuple[str, Mailbox]
) -> None:
    box, tables = mailbox[1], served.services.tables
    with Person(served) as ann, Person(served) as bo:
        sign_up(ann, "Ann")
        confirm_mail(ann, box)
        id = table_for_two(ann, bo, time="1d+3d")
        now, at = tables.now(), 2**53
        move_on = schema.contact.update().values(next_at=at)
        served.call(tables.store.write("", lambda c: c.execute(move_on) and None))
        warned = TimeWarning(id, served.live_table(id).history.seats[0], 0, now + DAY_MS, now)
        served.call(tables.store.write("", lambda c: contacts.write_warning(c, warned)))
        assert sweep(served) == 1
        assert "Your time is running out." in box.mails[-1].get_content()


def test_an_address_gets_few_mails_that_nobody_asked_for(
    served: Served, mailbox: tuple[str, Mailbox]
) -> None:
    fields = {"mail": "stranger@example.org", "hour": "8", "zone": "UTC"}
    for i in range(9):
        with Person(served) as someone:
            sign_up(someone, f"Someone {i}")
            someone.post("/notifications/mail", **fields)
    assert len(mailbox[1].mails) <= 2 * 3, "three a day, should the day change meanwhile"
    assert not any("Someone" in mail.get_content() for mail in mailbox[1].mails), "a stranger may read it"


def test_thirty_strangers_get_few_mails_from_one_address(
    served: Served, mailbox: tuple[str, Mailbox]
) -> None:
    for i in range(15):
        with Person(served) as someone:
            sign_up(someone, f"Someone {i}")
            for n in range(2):
                someone.post("/notifications/mail", mail=f"stranger{i}{n}@example.org", hour="8", zone="UTC")
    assert len(mailbox[1].mails) <= 2 * MAX_CONFIRMATIONS_OF_NETWORK


@pytest.mark.parametrize(
    "zone", ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "America/Santiago"]
)
@pytest.mark.parametrize("hour", [0, 2, 8])
def test_a_digest_comes_on_every_date_once_whatever_summer_time_does(zone: str, hour: int) -> None:
    place, now = ZoneInfo(zone), int(datetime(2026, 1, 1, 12, tzinfo=UTC).timestamp() * 1000)
    dates = []
    for _ in range(400):
        now = next_digest_ms(now, hour, zone)
        at = datetime.fromtimestamp(now / 1000, place)
        assert 0 <= at.hour - hour <= 1
        dates.append(at.date())
    assert dates == [dates[0] + timedelta(days=i) for i in range(400)]


def renew_news(connection: Connection) -> None:
    """Let all notifications be new, and everybody have been here."""
    connection.execute(schema.notification.update().values(mailed_at=None))
    connection.execute(schema.contact.update().values(unseen_mails=0))


CHANGES_2026 = {  # of summer time
    "Europe/Vienna": ("03-29", "10-25"),
    "America/New_York": ("03-08", "11-01"),
    "America/Santiago": ("04-05", "09-06"),
    "Australia/Lord_Howe": ("04-05", "10-04"),
    "Pacific/Auckland": ("04-05", "09-27"),
}


def test_each_of_five_zones_gets_one_digest_at_eight_on_every_day_on_which_summer_time_changes(
    served: Served, mailbox: tuple[str, Mailbox]
) -> None:
    mails, tables = mailbox[1].mails, served.services.tables
    begin = int(datetime(2026, 3, 1, tzinfo=UTC).timestamp() * 1000)
    now = begin
    tables.now = lambda: now
    with Person(served) as bo:
        for n, zone in enumerate(CHANGES_2026):
            with Person(served) as ann:
                sign_up(ann, f"Ann {n}")
                ann.post("/notifications/mail", mail=f"ann{n}@example.org", hour="8", zone=zone)
                link = re.search(r"https://play\.example(\S+confirm\S+)", mails[-1].get_content())
                assert link
                assert ann.post(link[1]).status_code == 200
                table_for_two(ann, bo)
    worker, told = Notifier(tables, served.settings, "worker"), []
    changes = sorted({day for days in CHANGES_2026.values() for day in days})
    for change in changes:
        day = datetime.fromisoformat(f"2026-{change}")
        looks = [
            int((day + timedelta(hours=hours)).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)
            for zone in CHANGES_2026
            for hours in (1, 7.5, 8, 9, 20)
        ]
        for now in [min(looks) - 2 * 3_600_000, *sorted(looks)]:  # first, what was due since the last change
            mails.clear()
            served.call(tables.store.write("", renew_news))
            served.call(worker.sweep())
            served.call(worker.stop())
            told += [(str(mail["To"]), now, change) for mail in mails]
    for n, zone in enumerate(CHANGES_2026):
        own = [
            (datetime.fromtimestamp(ms / 1000, ZoneInfo(zone)), change)
            for to, ms, change in told
            if to == f"ann{n}@example.org"
        ]
        at = [f"{one:%m-%d %H:%M}" for one, change in own if f"{one:%m-%d}" == change]
        assert at == [f"{change} 08:00" for change in changes], zone


def test_an_erased_account_is_written_to_no_more(served: Served, mailbox: tuple[str, Mailbox]) -> None:
    with Person(served) as ann:
        sign_up(ann, "Ann")
        ann.post("/notifications/mail", mail="ann@example.org", hour="8", zone="UTC")
        assert ann.web.get("/account/export.json").json()["contact"]["mail"] == "ann@example.org"
        key = re.search(r"confirm/([\w-]+)", mailbox[1].mails[0].get_content())
        assert key
        assert ann.post("/account/erase", name="Ann").status_code == 303
    store = served.services.tables.store
    assert served.call(store.read(lambda c: contacts.contact_by_key(c, key[1]))) is None
