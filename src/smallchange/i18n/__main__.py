"""`python -m smallchange.i18n`: keep the catalogues of translations; see docs/add-a-language.md."""

import click

from .catalogues import SOURCE
from .maintenance import conflicts, languages, problems, strange_terms
from .maintenance import update as write_catalogues


@click.group()
def main() -> None:
    """Keep the catalogues of translations in step with the code."""


@main.command()
@click.argument("langs", nargs=-1, metavar="[LANG]...")
def update(langs: tuple[str, ...]) -> None:
    """Bring the phrases of the code into the catalogues of all languages, or of these.

    A language that has no catalogue gets one, with nothing translated.
    """
    for lang in langs or languages():
        if lang == SOURCE:
            raise click.UsageError("English stands in the code and has no catalogue")
        try:
            for file in write_catalogues(lang):
                click.echo(file)
        except ValueError as wrong:
            raise click.UsageError(str(wrong)) from None


@main.command()
@click.argument("langs", nargs=-1, metavar="[LANG]...")
def check(langs: tuple[str, ...]) -> None:
    """Fail if a phrase is missing, stale, fuzzy, wrongly filled or strangely worded in any language, or in these."""
    lines = [
        line
        for lang in langs or languages()
        for line in problems(lang) + conflicts(lang) + strange_terms(lang)
    ]
    for line in lines:
        click.echo(line)
    if lines:
        raise SystemExit(1)


main(prog_name="python -m smallchange.i18n")
