"""The form to report a player, and the page of keepers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smallchange.i18n.formats import day_at
from smallchange.i18n.text import Text, plain
from smallchange.server.table.view.seats import seat_label
from smallchange.server.table.view.table_view import SeatView
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

REASONS = {
    "name": Text("an offensive name"),
    "stalling": Text("they let the clock run instead of moving"),
    "cheating": Text("they get help from a program"),
    "other": Text("something else"),
}
ACTIONS = {
    "hide": Text("name hidden"),
    "rename": Text("renamed"),
    "ban": Text("banned"),
    "unban": Text("ban lifted"),
    "close": Text("report closed"),
    "appoint": Text("made a keeper"),
    "dismiss": Text("no keeper any more"),
    "block": Text("network shut out"),
    "unblock": Text("network let in again"),
}


class ReportView(NamedTuple):
    """A report as keepers see it. Names may be empty.

    `has_account`: the reported player is no guest, and has not erased the account.
    """

    id: str
    reporter: str
    reported: str
    match: str
    reason: str
    text: str
    at: int  # milliseconds since 1970
    has_account: bool


class LoggedLine(NamedTuple):
    """A line of the keepers' log. `keeper` is empty for the command line, `subject` for a guest."""

    at: int  # milliseconds since 1970
    keeper: str
    action: str
    subject: str
    note: str


class BlockedLine(NamedTuple):
    """A network that is shut out."""

    network: str
    at: int  # milliseconds since 1970
    note: str


class KeeperView(NamedTuple):
    """The page of keepers: open reports, the names of banned accounts, and the newest lines of the log.

    `leavers` are names of accounts with the number of rated matches that they left early.
    """

    reports: tuple[ReportView, ...]
    banned: tuple[str, ...]
    log: tuple[LoggedLine, ...]
    blocked: tuple[BlockedLine, ...] = ()
    leavers: tuple[tuple[str, int], ...] = ()


def report_page(match: str, seats: Sequence[tuple[int, SeatView]], visit: PageContext) -> str:
    """Return the form to report one of these players of a table, or the thanks where there is none to choose."""
    people = [(number, seat_label(seat)) for number, seat in seats]
    return render_page("report.html", visit, p.REPORT, match=match, people=people, reasons=REASONS)


def reported_page(match: str, visit: PageContext) -> str:
    """Return the page that thanks for a report."""
    return render_page("reported.html", visit, p.REPORT, match=match)


def keepers_page(view: KeeperView, visit: PageContext) -> str:
    """Return the page of keepers: reports with what can be done, banned accounts, and the log."""
    return render_page(
        "keepers.html",
        visit,
        p.KEEPERS,
        reports=[_report(one) for one in view.reports],
        banned=view.banned,
        blocked=[{"of": one, "day": day_at(one.at)} for one in view.blocked],
        leavers=view.leavers,
        log=[_line(one) for one in view.log],
    )


def _report(one: ReportView) -> dict[str, object]:
    return {
        "of": one,
        "who": plain(one.reported) if one.reported else p.A_PERSON,
        "by": plain(one.reporter) if one.reporter else p.A_PERSON,
        "reason": REASONS.get(one.reason, plain(one.reason)),
        "day": day_at(one.at),
    }


def _line(one: LoggedLine) -> dict[str, object]:
    return {
        "day": day_at(one.at),
        "keeper": plain(one.keeper) if one.keeper else p.COMMAND_LINE,
        "action": ACTIONS.get(one.action, plain(one.action)),
        "subject": plain(one.subject) if one.subject else p.A_PERSON,
        "note": one.note,
    }
