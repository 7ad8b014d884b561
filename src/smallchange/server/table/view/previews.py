"""Previews of links, for messengers, in each game's folder; and the icon for a phone's home screen.

Run `python -m smallchange.server.table.view.previews`. It needs the extra `png`. A preview shows the game, never a
table.
"""

from __future__ import annotations

from pathlib import Path

from smallchange.core.game import Game, games
from smallchange.render.png import png
from smallchange.render.shapes import shape_definitions
from smallchange.render.theme import LIGHT
from smallchange.server.table.view.board_pictures import close_up
from smallchange.server.web.frame import PREVIEW_FILE

PREVIEW_SIZE_PX = (600, 315)  # pixels
PREVIEW_SIZE_UNITS = (330, 173)
STATIC = Path(__file__).parents[2] / "web" / "static"
ICON_SIZE_PX = 180  # pixels of the icon


def preview_image(id: str) -> bytes:
    """Draw the preview of a game, as a PNG."""
    opened, _, inside = close_up(id, PREVIEW_SIZE_UNITS, "en").partition(">")
    shape = f'width="{PREVIEW_SIZE_PX[0]}" height="{PREVIEW_SIZE_PX[1]}"'
    image = opened.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" {shape} ')
    felt = f'<rect x="-999" y="-999" width="9999" height="9999" fill="{LIGHT["felt"]}"/>'
    return png(f"{image}>{shape_definitions(inside)}{felt}{inside}", 1)


def touch_icon() -> bytes:
    """Draw our icon on paper, square, as a PNG."""
    drawn = (STATIC / "icon.svg").read_text(encoding="utf-8").replace("0 0 54 40", "-8 -15 70 70")
    paper = f'<rect x="-8" y="-15" width="70" height="70" fill="{LIGHT["paper"]}"/>'
    opened, _, inside = drawn.partition(">")
    return png(f'{opened} width="{ICON_SIZE_PX}" height="{ICON_SIZE_PX}">{paper}{inside}', 1)


if __name__ == "__main__":
    for game in map(Game, games()):
        (game.folder / PREVIEW_FILE).write_bytes(preview_image(game.id))
    (STATIC / "touch.png").write_bytes(touch_icon())
