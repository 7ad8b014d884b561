"""Keepers at work: reports, names, bans, and the log, for `smallchange server admin`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import click

from .options import WholeNumber, json_flag, print_json
from .server_settings import DATABASE, server_settings

NOTE = click.option("--note", default="", help="A note for the log, of up to 200 characters.")
WHO = click.argument("who")
LIMIT = click.option(
    "--limit", type=WholeNumber(1, 10_000), default=50, show_default=True, help="How many at most."
)


@click.group()
@DATABASE
@click.pass_context
def admin(context: click.Context, database: str | None) -> None:
    """Keep a server decent: make keepers, read reports, hide names, rename and ban accounts, read the log.

    WHO is the name of an account, or report:ID for the player whom a report is about. Everything that is done is in
    the log, which only grows. A server may go on meanwhile: sessions end within seconds, and a table in play shows
    another name once the server has read it anew.
    """
    context.obj = database


@admin.command()
@click.argument("name")
@click.option("--remove", is_flag=True, help="Let a keeper be a player like others.")
@click.pass_obj
def keeper(database: str | None, name: str, remove: bool) -> None:
    """Make the account NAME a keeper, who sees the page /keepers."""
    _order(database, "dismiss" if remove else "appoint", name)
    click.echo(f"{name} is {'no keeper any more' if remove else 'a keeper'}.")


@admin.command()
@click.option("--closed", is_flag=True, help="The closed reports instead of the open ones.")
@LIMIT
@json_flag
@click.pass_obj
def reports(database: str | None, closed: bool, limit: int, as_json: bool) -> None:
    """List the open reports, the newest first."""
    with _errors(database) as (module, settings):
        found = module.reports(settings, limit, closed)
    if as_json:
        rows = [{**one.report._asdict(), "reporter": one.reporter, "reported": one.reported} for one in found]
        print_json({"reports": rows})
        return
    for one in found:
        report = one.report
        about = f"{one.reported or 'a guest'}, by {one.reporter or 'a guest'}: {report.reason}"
        click.echo(f"{report.id}  {_time(report.at)}  /m/{report.match_id}  {about}  {report.text}".rstrip())
    if not found:
        click.echo("No report is closed." if closed else "No report is open.")


@admin.command()
@json_flag
def routes(as_json: bool) -> None:
    """List the paths of the server, each with the function that answers it."""
    from smallchange.server.app import route_lines

    found = [
        {
            "method": one.method,
            "path": one.path,
            "function": f"{one.endpoint.__module__}.{one.endpoint.__name__}",
            "about": (one.endpoint.__doc__ or "").partition("\n")[0],
        }
        for one in sorted(route_lines(), key=lambda one: (one.path, one.method))
    ]
    if as_json:
        print_json({"routes": found})
        return
    for one in found:
        where = one["function"].removeprefix("smallchange.server.")
        click.echo(f"{one['method']:4}  {one['path']:40}  {where:40}  {one['about']}".rstrip())


@admin.command()
@click.argument("report")
@NOTE
@click.pass_obj
def close(database: str | None, report: str, note: str) -> None:
    """Close REPORT, the id of a report, without doing anything else."""
    _order(database, "close", f"report:{report}", note=note)
    click.echo(f"Closed {report}.")


@admin.command()
@WHO
@NOTE
@click.pass_obj
def hide(database: str | None, who: str, note: str) -> None:
    """Remove the name of WHO from all tables and records. An account is called "Player .." from then on."""
    _order(database, "hide", who, note=note)
    click.echo(f"The name of {who} is hidden.")


@admin.command()
@WHO
@click.argument("name")
@NOTE
@click.pass_obj
def rename(database: str | None, who: str, name: str, note: str) -> None:
    """Give the account WHO another NAME, and remove the old one from all tables and records."""
    _order(database, "rename", who, name, note)
    click.echo(f"{who} is called {name}.")


@admin.command()
@WHO
@NOTE
@click.pass_obj
def ban(database: str | None, who: str, note: str) -> None:
    """Ban the account WHO: its sessions end, and it cannot sign in."""
    _order(database, "ban", who, note=note)
    click.echo(f"{who} is banned.")


@admin.command()
@WHO
@NOTE
@click.pass_obj
def unban(database: str | None, who: str, note: str) -> None:
    """Let the banned account WHO sign in again."""
    _order(database, "unban", who, note=note)
    click.echo(f"{who} may sign in again.")


@admin.command()
@click.argument("network")
@NOTE
@click.option("--remove", is_flag=True, help="Let the network in again.")
@click.pass_obj
def block(database: str | None, network: str, note: str, remove: bool) -> None:
    """Refuse all requests from NETWORK: an address, or a network such as 192.0.2.0/24."""
    with _errors(database) as (module, settings):
        found = module.block(settings, network, note, not remove)
    click.echo(f"{found} is {'let in again' if remove else 'shut out'}.")


@admin.command()
@json_flag
@click.pass_obj
def networks(database: str | None, as_json: bool) -> None:
    """List the networks that are shut out, the newest first."""
    with _errors(database) as (module, settings):
        found = module.networks(settings)
    if as_json:
        print_json({"networks": [{"network": name, "at": at, "note": note} for name, at, note in found]})
        return
    for name, at, note in found:
        click.echo(f"{_time(at)}  {name}  {note}".rstrip())
    if not found:
        click.echo("No network is shut out.")


@admin.command()
@click.argument("mode", type=click.Choice(["open", "draining"]))
@click.pass_obj
def mode(database: str | None, mode: str) -> None:
    """Let games begin as usual, or begin none (draining).

    Every process follows within two seconds, and every page says so.
    """
    with _errors(database) as (module, settings):
        module.set_mode(settings, mode)
    click.echo(f"The site is {mode}.")


@admin.command()
@click.argument("at", type=click.DateTime(["%Y-%m-%dT%H:%M"]), required=False)
@click.option(
    "--minutes", type=WholeNumber(1, 10_000), default=30, show_default=True, help="How long it takes, about."
)
@click.pass_obj
def maintenance(database: str | None, at: datetime | None, minutes: int) -> None:
    """Announce maintenance AT a time in UTC, such as 2026-12-01T04:00, on every page; without one, announce none."""
    if at and at.replace(tzinfo=UTC) <= (now := datetime.now(UTC)):
        raise click.ClickException(f"{at:%Y-%m-%dT%H:%M} is past: in UTC it is {now:%Y-%m-%dT%H:%M}")
    at_ms = int(at.replace(tzinfo=UTC).timestamp() * 1000) if at else 0
    with _errors(database) as (module, settings):
        module.announce(settings, at_ms, minutes if at else 0)
    click.echo(f"Maintenance is announced for {_time(at_ms)} UTC." if at else "No maintenance is announced.")


@admin.command()
@LIMIT
@json_flag
@click.pass_obj
def log(database: str | None, limit: int, as_json: bool) -> None:
    """Show the deeds of keepers, the newest first."""
    with _errors(database) as (module, settings):
        found = module.log(settings, limit)
    if as_json:
        print_json({"actions": [line._asdict() for line in found]})
        return
    for line in found:
        who = f"{line.keeper or 'the command line'}: {line.action} {line.subject or 'a guest'}"
        click.echo(f"{_time(line.at)}  {who}  {line.note}".rstrip())
    if not found:
        click.echo("Nothing yet.")


def _order(database: str | None, action: str, who: str, name: str = "", note: str = "") -> None:
    with _errors(database) as (module, settings):
        module.order(settings, action, who, name, note)


@contextmanager
def _errors(database: str | None) -> Iterator[tuple[Any, Any]]:
    """Yield the module of keepers' orders, whose errors become one line, and the settings."""
    with server_settings(database=database) as settings:
        from smallchange.server import admin as module

        try:
            yield module, settings
        except module.CannotKeep as wrong:
            raise click.ClickException(str(wrong)) from wrong


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%Y-%m-%d %H:%M")
