"""A position as text and as pixels, for environments that are watched."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from smallchange.core.game import Position
from smallchange.extras import require
from smallchange.render.png import png
from smallchange.render.svg import picture_of
from smallchange.render.text_screen import screen


def text_picture(position: Position) -> str:
    """Return the table as text, as `smallchange play` shows it."""
    return screen(position.game.layout.scene(position.game.board, position.s), "en") + "\n"


def pixels(position: Position, scale: float = 1) -> NDArray[np.uint8]:
    """Return the picture [height, width, 3], `scale` pixels a unit. ImportError without the extra `png`."""
    require("png", "cairosvg", "PIL")
    from PIL import Image

    with Image.open(BytesIO(png(picture_of(position), scale))) as image:
        paper = Image.new("RGB", image.size, "white")
        drawn = image.convert("RGBA")
        paper.paste(drawn, mask=drawn)
        return np.asarray(paper, np.uint8).copy()
