"""Pictures as PNG."""

import struct
import sys

import pytest

import smallchange
from smallchange.render.png import png
from smallchange.render.svg import picture_of


def test_a_picture_becomes_a_png_of_twice_its_size() -> None:
    drawing = picture_of(smallchange.game(smallchange.games()[0]).start())
    drawn = png(drawing)
    assert drawn.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", drawn[16:24])
    assert f'viewBox="0 0 {width // 2} {height // 2}"' in drawing


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(ImportError, match="\\[png\\]"):
        png("<svg/>")
