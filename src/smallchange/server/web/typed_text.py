"""Names and words that people type, as they are stored and shown to everybody.

They are one line that can be seen, and that paints over nothing else.

It is cut between what readers see as characters (grapheme clusters of Unicode, UAX 29), so that no sign is halved.
"""

from __future__ import annotations

import unicodedata

import regex

from smallchange.i18n.text import JOINERS

VARIANTS = "\ufe0e\ufe0f"  # of signs: as text, and as a picture
MAX_MARKS = 4  # one above the other (UTS 39, section 5.4)
_SPACES = regex.compile(r"[\s\u2800]+")  # the last is a blank of Braille
_INVISIBLE = regex.compile(rf"[[\p{{C}}\p{{Default_Ignorable_Code_Point}}]--[{JOINERS}{VARIANTS}]]", regex.V1)
_MARKS = regex.compile(
    rf"([\p{{Mn}}\p{{Me}}--[{VARIANTS}]]{{{MAX_MARKS}}})[\p{{Mn}}\p{{Me}}--[{VARIANTS}]]+", regex.V1
)
_BEGINS = regex.compile(rf"^[\p{{M}}{JOINERS} ]+")
_ADDRESS = regex.compile(
    r"://|\bwww\.|@|[\w-]\.(?:com|net|org|info|biz|xyz|example)\b|[\w-]\.\p{L}{2,}/", regex.IGNORECASE
)
_SEEN = regex.compile(r"[\p{L}\p{N}\p{P}\p{S}]")


def clean(text: str, max_length: int) -> str:
    """Return a text as it is stored: one line of at most so many code points.

    Control and direction characters and those that cannot be seen are left out; those that join letters and
    signs stay.

    >>> clean("  Ann\\n\\u202eB ", 40), clean("\\u200d \\u200c", 40), clean("\\u3164", 40), clean("\\u2800", 40)
    ('Ann B', '', '', '')
    >>> clean("\\U0001f468\\u200d\\U0001f469", 40) == "\\U0001f468\\u200d\\U0001f469"
    True
    >>> len(clean("A" + 39 * "\\u0301", 40)), clean("\\u0301", 40)
    (5, '')
    >>> clean(20 * "\\U0001f1e9\\U0001f1ea", 39) == 19 * "\\U0001f1e9\\U0001f1ea"  # no half of a flag
    True
    """
    text = text[: 10 * max_length]  # normalizing long texts takes long
    text = unicodedata.normalize("NFC", text.encode("utf-8", "ignore").decode())
    text = _INVISIBLE.sub("", _SPACES.sub(" ", text))
    text = _BEGINS.sub("", _MARKS.sub(r"\1", text))
    kept, length = [], 0
    for cluster in regex.findall(r"\X", text):
        length += len(cluster)
        if length > max_length:
            break
        kept.append(cluster)
    cut = "".join(kept).strip(" " + JOINERS)
    return cut if _SEEN.search(cut) else ""


def has_address(text: str) -> bool:
    """Return whether a text holds what programs that show mail or pages turn into a link.

    >>> [has_address(text) for text in ("https://x.y", "joe@x.y", "evil.com", "bit.ly/x", "www.x", "ｅｖｉｌ。ＣＯＭ")]
    [True, True, True, True, True, True]
    >>> [has_address(text) for text in ("J. Smith", "St.John", "Dr.Who", "e.g.", "1.2", "AC/DC", "N.Y.")]
    [False, False, False, False, False, False, False]
    """
    return _ADDRESS.search(unicodedata.normalize("NFKC", text).replace("。", ".")) is not None
