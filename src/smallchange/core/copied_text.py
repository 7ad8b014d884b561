"""Undo the changes that mails, word processors and editors make to a copied text.

>>> restore("> [Event “x”]\\r\\n> [Rules\\u00a02]")
'[Event "x"]\\n[Rules 2]'
"""

from __future__ import annotations

import codecs
import re

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SUBSTITUTES = {"“”„‟": '"', "‘’‚‛": "'", "‐‑‒–−": "-", "\u200b\u2060\ufeff": ""}
TYPED = str.maketrans({sign: plain for signs, plain in SUBSTITUTES.items() for sign in signs})
SPACE = re.compile(r"[^\S\n]")  # a tab, a no-break space, ..


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark. UnicodeDecodeError for others."""
    return data.decode("utf-16" if data.startswith(UTF_16) else "utf-8-sig")


def restore(text: str) -> str:
    """Return a text with plain quotation marks, hyphens and spaces, without carriage returns and marks of a mail.

    A mail marks each line that it quotes with ">".
    """
    text = SPACE.sub(" ", unify_line_ends(text).translate(TYPED))
    lines = text.split("\n")
    while any(line.strip() for line in lines) and all(line.startswith(">") or not line for line in lines):
        lines = [line[1:].removeprefix(" ") for line in lines]
    return "\n".join(line.rstrip() for line in lines)


def unify_line_ends(text: str) -> str:
    r"""Return a text in which each line ends with a newline alone.

    >>> unify_line_ends("1\r\n2\r3\n")
    '1\n2\n3\n'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")
