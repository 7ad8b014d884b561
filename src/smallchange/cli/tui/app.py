"""The application: the table, the moves, the log, and the reference sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Footer, Markdown, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from smallchange.bots.review import review
from smallchange.client import ServerError
from smallchange.core.errors import IllegalMove
from smallchange.i18n.formats import clock_digits
from smallchange.i18n.labels import HINT, QUIT, RULES, UNDO
from smallchange.i18n.text import Text
from smallchange.render.text_screen import LEGEND

from ..prompt import UNDONE, rulebook, sheets
from ..review import review_lines
from .board import Board
from .selection import Selection
from .table import Table

CLOCK_PERIOD_S = 0.5
NARROW = 100  # columns below which the moves stand under the table
WAITING = Text("Waiting for the other side.")
REVIEW_AT_END = Text("A review is available once the game is over.")
REVIEWING = Text("Reviewing choice {done} of {all}.")
SHEETS, REVIEW, SIGNS = Text("Sheets"), Text("Review"), Text("Signs")


class Reading(ModalScreen[None]):
    """A text to read over the table: rules as Markdown, or lines."""

    DEFAULT_CSS = """
    Reading { align: center middle; }
    Reading VerticalScroll { width: 90%; height: 90%; border: round $primary; background: $surface; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter", "dismiss", "Close")]

    def __init__(self, text: str, markdown: bool = False) -> None:
        super().__init__()
        self._text, self._markdown = text, markdown

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Markdown(self._text) if self._markdown else Static(self._text, markup=False)


class TableApp(App[None]):
    """One table."""

    CSS = """
    #side { width: 1fr; min-width: 30; }
    #clock { height: auto; padding: 0 1; }
    #asks { height: auto; padding: 0 1; text-style: bold; }
    #moves { height: 1fr; min-height: 5; }
    #log { height: 1fr; min-height: 4; border-top: solid $primary; }
    #table { width: auto; max-width: 65%; height: 100%; }
    .-narrow #parts { layout: vertical; }
    .-narrow #table { width: 100%; max-width: 100%; height: 40%; }
    .-narrow #side { width: 100%; min-width: 0; }
    .-narrow #moves, .-narrow #log { min-height: 3; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide")]  # noqa: RUF012, as Textual declares it
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, table: Table, lang: str) -> None:
        super().__init__()
        self.table = table
        self.lang = lang
        self.title = table.match.game.words.TITLE[lang]
        self.farewell: Text | None = None  # to tell after leaving
        self._typed = ""  # digits of a move's number
        self._is_sending = False
        table.tell = lambda phrase: self.call_from_thread(self.say, phrase)
        self._logged = 0
        self._select()

    def compose(self) -> ComposeResult:
        with Horizontal(id="parts"):
            with ScrollableContainer(id="table", can_focus=False):
                yield Board(self.selection.scene, self.lang)
            with Vertical(id="side"):
                yield Static(id="clock", markup=False)
                yield Static(id="asks", markup=False)
                yield OptionList(id="moves", markup=False)
                yield RichLog(id="log", wrap=True, min_width=1)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        actions = (
            ("h", HINT),
            ("u", UNDO),
            ("q,ctrl+d", QUIT),
            ("r", RULES),
            ("p", SHEETS),
            ("v", REVIEW),
            ("question_mark", SIGNS),
        )
        for key, label in actions:
            self.bind(key, label.en.lower(), description=label[self.lang])
        self.query_one("#log", RichLog).can_focus = True
        self.show_table()
        self.query_one("#moves").focus()
        if self.table.is_remote:
            self.set_interval(CLOCK_PERIOD_S, self._show_clock)
        self._follow()

    # what is shown

    def _select(self) -> None:
        self.selection = Selection(self.table.match.position, self.table.legal)

    def show_table(self) -> None:
        """Show the table as it is now, its moves, and the steps since."""
        self._select()
        self._show_selection()
        self._log_steps()

    def _show_clock(self) -> None:
        """Show the time that each player has left, at a table with a clock."""
        titles = self.table.match.game.words.PLAYERS
        left = [
            f"{titles[player][self.lang]} {clock_digits(ms)}" for player, ms in self.table.time_left().items()
        ]
        for clock in self.query("#clock").results(Static):  # it is gone while the app ends
            clock.update("   ".join(left))

    def _show_selection(self) -> None:
        self._show_clock()
        selection = self.selection
        self.query_one(Board).show(selection.scene, selection.targets, selection.selected_spots)
        self.query_one("#asks", Static).update(self._asks()[self.lang])
        moves = self.query_one("#moves", OptionList)
        moves.clear_options()
        position = self.table.match.position
        for i, token in enumerate(selection.possible_moves, 1):
            moves.add_option(Option(f"{i:2} {token}  {position.describe(token)[self.lang]}", id=token))
        if moves.option_count:
            moves.highlighted = 0

    def _asks(self) -> Text:
        match = self.table.match
        if match.over:
            return match.ending
        if not self.table.legal:
            return WAITING
        asks: Text = match.game.words.asks(match.game.board, match.position.s)
        return asks

    def _log_steps(self) -> None:
        """Write the steps since the last look; all anew where some were taken back."""
        match, log = self.table.match, self.query_one("#log", RichLog)
        if len(match) < self._logged:
            log.clear()
            self._logged = 0
        if len(match) == self._logged:
            return
        if match.game.is_by_memory:
            log.clear()  # of it only the last turn is in sight, and all at the end
            self._logged = 0 if match.over else match.start_of_last_turn
        position = match.until(self._logged).position
        for step in match.steps[self._logged :]:
            log.write(f"{position.describe(step.token)[self.lang]} [{step.token}]")
            position.play(step.token)
        self._logged = len(match)
        if match.over:
            log.write(match.ending[self.lang])

    def say(self, phrase: Text | str) -> None:
        """Write a sentence into the log."""
        self.query_one("#log", RichLog).write(phrase if isinstance(phrase, str) else phrase[self.lang])

    # what is done

    @work(thread=True, group="others", exclusive=True)
    def _follow(self) -> None:
        """Take over the steps of others, until a person is to decide."""
        try:
            while self.table.wait():
                self.call_from_thread(self.show_table)
        except (ServerError, OSError, ModuleNotFoundError, ValueError) as wrong:  # of a bot of one's own too
            self.call_from_thread(self.say, str(wrong))

    def play(self, token: str) -> None:
        """Take a step, and let others answer."""
        self._act(lambda: self.table.play(token))

    def _act(self, act: Callable[[], object]) -> None:
        """Do something to the table: at once if it is here, beside the screen if it is a server's."""
        if self.table.is_remote:
            if not self._is_sending:
                self._is_sending = True
                self._send(act)
            return
        self._do(act)
        self._follow()

    @work(thread=True, group="send")
    def _send(self, act: Callable[[], object]) -> None:
        said = self._try(act)
        self._is_sending = False
        self.call_from_thread(self._show_done, said)

    def _do(self, act: Callable[[], object]) -> None:
        self._show_done(self._try(act))

    def _try(self, act: Callable[[], object]) -> Text | str:
        """Act; return what there is to say of it."""
        try:
            said = act()
        except (IllegalMove, ServerError) as wrong:
            return str(wrong)
        return said if isinstance(said, Text) else ""

    def _show_done(self, said: Text | str) -> None:
        self.show_table()
        if said:
            self.say(said)

    def on_key(self, event: Key) -> None:
        """Go to the move whose number is typed; Enter plays it."""
        if not event.character or not event.character.isdigit():
            self._typed = ""
            return
        moves = self.query_one("#moves", OptionList)
        typed = self._typed + event.character
        self._typed = typed if int(typed) <= moves.option_count else event.character
        if 1 <= int(self._typed) <= moves.option_count:
            moves.focus()
            moves.highlighted = int(self._typed) - 1

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id:
            self.play(event.option_id)

    def on_board_touched(self, event: Board.Touched) -> None:
        token = self.selection.touch(event.spot)
        if token:
            self.play(token)
        else:
            self._show_selection()

    @work(thread=True, group="hint", exclusive=True)
    def action_hint(self) -> None:
        """Show the move of the best bot."""
        if self.table.legal:
            self.call_from_thread(self.say, self.table.hint())

    def action_undo(self) -> None:
        """Take the last decision back."""
        self._act(lambda: self.table.undo() or UNDONE)

    def action_rules(self) -> None:
        """Show the rulebook."""
        self.push_screen(Reading(rulebook(self.table.match.game, self.lang), markdown=True))

    def action_signs(self) -> None:
        """Show the meaning of the letters on the table."""
        self.push_screen(Reading(LEGEND[self.lang]))

    def action_sheets(self) -> None:
        """Show the sheets to look up at the table."""
        self.push_screen(Reading(sheets(self.table.match.position, self.lang)))

    def action_review(self) -> None:
        """Review a game that is over."""
        if self.table.match.over:
            self._review()
        else:
            self.say(REVIEW_AT_END)

    @work(thread=True, group="review", exclusive=True)
    def _review(self) -> None:
        def progress(done: int, whole: int) -> None:
            self.call_from_thread(self.sub_title_progress, done, whole)

        try:
            found = review(self.table.match, progress=progress)
        except ModuleNotFoundError as lacking:
            self.call_from_thread(self.say, str(lacking))
            return
        lines = review_lines(self.table.match, found, False, self.lang)
        self.call_from_thread(self.push_screen, Reading("\n".join(lines)))

    def sub_title_progress(self, done: int, whole: int) -> None:
        """Say how far a review is."""
        self.query_one("#asks", Static).update(REVIEWING.fill(done=done, all=whole)[self.lang])
        if done == whole:
            self.query_one("#asks", Static).update(self._asks()[self.lang])

    async def action_quit(self) -> None:
        """Leave the table."""
        self.farewell = self.table.close()
        self.exit()


def run(table: Table, lang: str, after: Callable[[str], None]) -> None:
    """Show a table until it is left; `after` is told how to go on, or why nothing was saved."""
    app = TableApp(table, lang)
    app.run()
    if app.farewell:
        after(app.farewell[lang])
