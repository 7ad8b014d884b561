"""A picture as PNG; needs the extra `png`."""

from __future__ import annotations

from importlib import import_module

from smallchange.extras import install_command

MOST_SCALE = 20


def png(svg: str, scale: float = 2) -> bytes:
    """Return the bytes of a PNG file of a picture, `scale` pixels a unit.

    Raises ImportError, with the command that installs it, where the extra is missing, ValueError for a scale that is
    not above 0 or draws too much.
    """
    if not 0 < scale <= MOST_SCALE:
        raise ValueError(
            f"a picture has more than 0 and at most {MOST_SCALE} pixels a unit, not {scale!r:.60}"
        )
    try:
        cairosvg = import_module("cairosvg")
    except (ImportError, OSError) as missing:  # OSError: the package is there, the cairo library is not
        raise ImportError(
            f"a PNG needs the cairo library and `{install_command('png')}`; an SVG needs neither"
        ) from missing
    drawn: bytes = cairosvg.svg2png(bytestring=svg.encode(), scale=scale)
    return drawn
