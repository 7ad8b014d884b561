"""The print sheet of a game: its board, pieces to cut out, a score sheet, and the rules."""

from __future__ import annotations

from smallchange.i18n.text import Text, plain
from smallchange.render.print_sheet import PrintSheet, piecepack_pieces, pieces_on_the_table, print_page

from .game import Game, Position, game_of
from .options import Value

__all__ = ["print_sheet"]

CHOSEN = Text("{name}: {value}", "an option of a game")
NO = Text("no")


def print_sheet(position: Game | Position | str, lang: str = "en") -> str:
    """Return a page of HTML to print: the board of a game, or of a position, with pieces, a score sheet and the rules.

    Of a game that draws its board by lot, a position after the draw has it.
    """
    shown = position if isinstance(position, Position) else game_of(position).start()
    game = shown.game
    scene = game.layout.scene(game.board, shown.s)
    # the board is on paper, so a game without chance needs only the pieces that stand on it
    pieces = piecepack_pieces() if game.piecepack and game.sources else pieces_on_the_table(scene)
    players = [game.words.PLAYERS[seat] for seat in game.seats] if len(game.seats) > 1 else []
    sheets = [
        one for one in shown.sheets() if not any(row.spots for row in one.rows)
    ]  # not how it stands now
    after = "rulings" if game.non_default_options else "options"  # which the rules of a variant have too
    rules = game.rulebook(lang).partition(f"{{#{after}}}")[0].rpartition("\n## ")[0]
    chosen = [_option_text(game, name, value) for name, value in game.non_default_options.items()]
    sheet = PrintSheet(game.words.TITLE, scene.areas, pieces, players, sheets, rules, chosen)
    return print_page(sheet, lang)


def _option_text(game: Game, name: str, value: Value) -> Text:
    """Return an option with its value in words; of a drawing the name alone."""
    words = game.words
    if value is True or (value not in words.CHOICES and isinstance(value, str)):
        return words.OPTIONS[name]
    said = NO if value is False else words.CHOICES.get(value) or plain(str(value))
    return CHOSEN.fill(name=words.OPTIONS[name], value=said)
