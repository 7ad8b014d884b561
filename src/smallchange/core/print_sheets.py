"""The print sheet of a game: its board, pieces to cut out, and a score sheet."""

from __future__ import annotations

from smallchange.render.print_sheet import PrintSheet, piecepack_pieces, pieces_on_the_table, print_page

from .game import Game, Position, game_of

__all__ = ["print_sheet"]


def print_sheet(position: Game | Position | str, lang: str = "en") -> str:
    """Return a page of HTML to print: the board of a game, or of a position, with pieces and a score sheet.

    Of a game that draws its board by lot, a position after the draw has it.
    """
    shown = position if isinstance(position, Position) else game_of(position).start()
    game = shown.game
    scene = game.layout.scene(game.board, shown.s)
    pieces = piecepack_pieces() if game.piecepack else pieces_on_the_table(scene)
    players = [game.words.PLAYERS[seat] for seat in game.seats] if len(game.seats) > 1 else []
    with_dice = any(spot.id.startswith(("dice-", "throw-")) for area in scene.areas for spot in area.spots)
    sheet = PrintSheet(game.words.TITLE, scene.areas, pieces, players, shown.sheets(), with_dice)
    return print_page(sheet, lang)
