"""The list of games to choose from."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Footer, OptionList
from textual.widgets.option_list import Option

import smallchange
from smallchange.core.game import Game
from smallchange.i18n.labels import QUIT


class Chooser(App[str]):
    """All games with a line about each. It returns the id of the one that is chosen."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, lang: str) -> None:
        super().__init__()
        self._lang = lang

    def compose(self) -> ComposeResult:
        rows = []
        for id in smallchange.games():
            words = Game(id).words
            about = (words.TITLE, words.TAGLINE, words.DESIGNER)
            rows.append(Option("\n  ".join(phrase[self._lang] for phrase in about), id=id))
        yield OptionList(*rows, markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.bind("q,escape,ctrl+d", "quit", description=QUIT[self._lang])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.exit(event.option_id)
