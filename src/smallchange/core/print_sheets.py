"""The print sheet of a game: its board, pieces to cut out, a score sheet, and the rules."""

from __future__ import annotations

from smallchange.render.print_sheet import PrintSheet, piecepack_pieces, pieces_on_the_table, print_page

from .game import Game, Position, game_of
from .options import option_text

__all__ = ["print_sheet"]


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
    # not how it stands now
    sheets = [one for one in shown.sheets() if not any(row.spots for row in one.rows)]
    after = "rulings" if game.non_default_options else "options"  # which the rules of a variant have too
    rules = game.rulebook(lang).partition(f"{{#{after}}}")[0].rpartition("\n## ")[0]
    chosen = [option_text(game.words, name, value) for name, value in game.non_default_options.items()]
    sheet = PrintSheet(game.words.TITLE, scene.areas, pieces, players, sheets, rules, chosen)
    return print_page(sheet, lang)
