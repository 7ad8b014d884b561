"""Draws what messengers show of a link, into each game's folder, and the icon of a phone's first screen:

    python -m smallchange.web.pages.previews

Needs the extra `png`. A preview shows the game, never a table.
"""

from __future__ import annotations

from pathlib import Path

from smallchange.draw.png import png
from smallchange.draw.shapes import needed
from smallchange.draw.theme import LIGHT
from smallchange.game import Game, games

from .frame import PREVIEW
from .lobby import close_up

SIZE = (600, 315)  # pixels
UNITS = (330, 173)
STATIC = Path(__file__).parents[1] / "static"
TOUCH = 180  # pixels of the icon


def preview(id: str) -> bytes:
    """A close-up of the game, as a picture that stands alone."""
    opened, _, inside = close_up(id, UNITS, "en").partition(">")
    shape = f'width="{SIZE[0]}" height="{SIZE[1]}"'
    standing = opened.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" {shape} ')
    felt = f'<rect x="-999" y="-999" width="9999" height="9999" fill="{LIGHT["felt"]}"/>'
    return png(f"{standing}>{needed(inside)}{felt}{inside}", 1)


def touch_icon() -> bytes:
    """Our icon on paper, square."""
    drawn = (STATIC / "icon.svg").read_text(encoding="utf-8").replace("0 0 54 40", "-8 -15 70 70")
    paper = f'<rect x="-8" y="-15" width="70" height="70" fill="{LIGHT["paper"]}"/>'
    opened, _, inside = drawn.partition(">")
    return png(f'{opened} width="{TOUCH}" height="{TOUCH}">{paper}{inside}', 1)


if __name__ == "__main__":
    for game in map(Game, games()):
        (game.folder / PREVIEW).write_bytes(preview(game.id))
    (STATIC / "touch.png").write_bytes(touch_icon())
