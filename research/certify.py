"""Prove that a player can hold the other for ever, and keep the proof in a file.

    python -m research certify dodgem --size 7 --forward-steps 2

It made the certificates that docs/dodgem-solved.md tells of; their logs are in docs/dodgem/.
"""

from __future__ import annotations

import time
from pathlib import Path

import click

from smallchange.cli.options import (
    FILE,
    WholeNumber,
    json_flag,
    per_game,
    print_json,
    progress_bar,
    report_interrupt,
    report_read_errors,
    report_write_errors,
    require_extra,
)
from smallchange.core.game import Game


@per_game
@click.option("-o", "--out", type=FILE, help="The file of the certificate [default: among the tables].")
@click.option(
    "--forward-steps",
    type=WholeNumber(0),
    metavar="K",
    help="The most steps forward that the blocker makes, all coins on the board [default: a wall, nine placements].",
)
@json_flag
def certify(game: Game, out: Path | None, forward_steps: int | None, as_json: bool) -> None:
    """Prove that a player can hold the other for ever, so that the board is a draw.

    The blocker uses few placements of its own; the search finds all positions in which these hold whatever the
    other does. If it is stopped, run it again to resume. A file that is there is checked: it must have just the
    positions that a search finds. Bots that search keep to a certificate that lies
    among the tables: they do not lose, and do not try to win.
    """
    with require_extra("fast"):
        from smallchange.tablebase.certificate import (
            certificate_of,
            check_certificate,
            make_certificate,
        )
        from smallchange.tablebase.table_files import certificate_file
    file, began = out or certificate_file(game), time.process_time()
    certificate = certificate_of(game, forward_steps)
    if file.exists():
        with report_read_errors(file), report_interrupt(), progress_bar("checking") as progress:
            held = check_certificate(file, progress)
        if held.certificate.head() != certificate.head():
            raise click.ClickException(
                f"{file} is another certificate; remove it or name another file with --out"
            )
    else:
        with report_write_errors(file), report_interrupt(), progress_bar("searching") as progress:
            file.parent.mkdir(parents=True, exist_ok=True)
            held = make_certificate(file, certificate, lambda line: click.echo(line, err=as_json), progress)
    second, first = held.holds_start()
    waiting, moving = (sum(layer[name] for layer in held.layers) for name in ("waiting", "moving"))
    if as_json:
        print_json(
            {
                "game": game.id,
                "options": game.non_default_options,
                "forward_steps": forward_steps,
                "placements": len(certificate.bits),
                "waiting": waiting,
                "moving": moving,
                "second": second,
                "first": first,
                "digest": held.digest,
                "seconds": round(time.process_time() - began, 3),
            }
        )
        return
    click.echo(f"{file}: {file.stat().st_size / 1e6:,.1f} MB, digest {held.digest}")
    click.echo(
        f"{len(certificate.bits):,} placements hold {waiting:,} positions with the attacker to move, and {moving:,} "
        f"with the blocker; {time.process_time() - began:.1f} s"
    )
    for name, holds in (("second", second), ("first", first)):
        click.echo(f"the {name} player {'holds' if holds else 'does not hold'} the start")
