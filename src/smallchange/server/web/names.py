"""Names and words that people type: how they are stored, and which look alike or seem to speak for the site."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise

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


OFFICES = (  # words by which somebody would seem to speak for the site
    "admin", "admins", "administrator", "administrators", "mod", "mods", "moderator", "moderators",
    "moderation", "keeper", "keepers", "staff", "support", "official", "system", "sysadmin", "webmaster",
    "smallchange", "owner", "helpdesk", "administratorin", "moderatorin", "betreuer", "betreuerin",
    "betreiber", "betreiberin", "verwalter", "spielleiter", "spielleitung", "kundendienst",
    "schiedsrichter", "referee", "arbiter", "postmaster", "hostmaster", "noreply",
)  # fmt: skip
OFFICE_PARTS = (
    "管理", "運営", "公式", "審判", "モデレータ", "サポート", "スタッフ", "オフィシャル", "カンリニン", "ウンエイ",
)  # fmt: skip
KATAKANA = str.maketrans({chr(c): chr(c + 0x60) for c in range(0x3041, 0x3097)} | {"-": "ー"})  # by hiragana
SOUND_MARKS = str.maketrans("゛゜", "\u3099\u309a")  # of kana, by those that join the one before
_SHOWN_LETTER = re.compile(
    r"^(?:LATIN LETTER SMALL CAPITAL|NEGATIVE .*LETTER|REGIONAL INDICATOR .*LETTER) ([A-Z])$"
)
_SOFT_DOT = re.compile("([ij])\u0307")  # letters with a dot of their own, and another in its place
DIGITS_AS_LETTERS = (str.maketrans("01345", "oleas"), str.maketrans("01345", "oieas"))
OFFICE_ENDS = ("admin", "administrator", "moderator")  # at either end of a word


def is_office(name: str) -> bool:
    """Return whether a name, or a part of it, is that of somebody who speaks for the site, or looks so.

    >>> [is_office(name) for name in ("Small Change admin", "The KEEPERS", "運営チーム", "SiteAdmin2", "M0d")]
    [True, True, True, True, True]
    >>> [is_office(name) for name in ("Ádmin", "ᴀdmin", "🅰dmin", "KeeperKim", "もでれーたー", "モデレ－タ")]
    [True, True, True, True, True, True]
    >>> [is_office(name) for name in ("Badminton", "Modest", "Goalkeeper", "Ann", "Small change of plan")]
    [False, False, False, False, True]
    """
    plain = _without_marks("".join(map(_letter, name)))
    typed = re.findall(r"[^\W_]+", plain) + re.findall(r"[A-Z][a-z]+", plain)
    typed += ["".join(letter for letter in typed if len(letter) == 1)]
    words = [skeleton(word) for word in typed] + [skeleton(word.casefold()) for word in typed]
    joined = {one + two for one, two in pairwise(words)}
    known, ends = _offices()
    bare = [word.rstrip("0123456789") or word for word in words]
    lower = [word.rstrip("0123456789").casefold() for word in typed]
    bare += [skeleton(word.translate(read)) for word in lower for read in DIGITS_AS_LETTERS]
    return (
        bool(known & {*words, *bare, *joined})
        or any(word.startswith(ends) or word.endswith(ends) for word in bare)
        or any(part in unicodedata.normalize("NFKC", name).translate(KATAKANA) for part in OFFICE_PARTS)
    )


@cache
def _offices() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the skeletons of words of office, and of those that count at either end of a word."""
    return frozenset(map(skeleton, OFFICES)), tuple(map(skeleton, OFFICE_ENDS))


def _without_marks(name: str) -> str:
    """Return a name without accents and other marks on its letters."""
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


def _letter(character: str) -> str:
    """Return the Latin letter that a small capital, or a letter in a filled circle or square, shows; else the same."""
    found = _SHOWN_LETTER.search(unicodedata.name(character, ""))
    return found[1] if found else character


def fold_name(name: str) -> str:
    """Return a name without its case and width. Equal results are one name.

    >>> fold_name("ＡＮＮ") == fold_name("ann"), fold_name("\u0130ZMIR") == fold_name("izmir")
    (True, True)
    >>> fold_name("ISPARTA") == fold_name("\u0131sparta")  # Turkish has an I without a dot
    True
    """
    folded = unicodedata.normalize("NFKC", _without_joiners(name)).casefold()
    folded = folded.replace("i\u0307", "i").replace("\u0131", "i")
    return unicodedata.normalize("NFKC", folded)


def skeleton(name: str) -> str:
    """Return the form in which two names look the same, by the confusable characters of Unicode (UTS 39).

    Pairs of letters that look like one count as that one, and an i has its dot or not. Dots at the end do not count.

    >>> skeleton("\\u0410nn") == skeleton("Ann"), skeleton("BiII") == skeleton("Bill"), skeleton("O0")
    (True, True, '00')
    >>> [skeleton(a) == skeleton(b) for a, b in (("ᴀɴɴ", "Ann"), ("🅰nn", "Ann"), ("ﾊ゜", "パ"))]
    [True, True, True]
    >>> skeleton("Ann") == skeleton("Anne"), skeleton("An\\u200dn") == skeleton("Ann")
    (False, True)
    >>> [skeleton(a) == skeleton(b) for a, b in (("Marnie", "Mamie"), ("cliff", "diff"), ("\u0130stanbul", "istanbul"))]
    [True, True, True]
    """
    text = "".join(map(_letter, _without_joiners(name).translate(SOUND_MARKS)))
    text = unicodedata.normalize("NFKC", text).replace("\u0130", "i")
    found = _SOFT_DOT.sub(r"\1", "".join(_prototype(c) for c in text).casefold().replace("\u0237", "j"))
    for letter, pair in _pairs():
        found = found.replace(letter, pair)
    return found.rstrip(" .")


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    """Return the letters that look like two, with these, as they are in a skeleton."""
    return tuple(
        (_prototype(letter).casefold(), "".join(map(_prototype, pair)).casefold())
        for letter, pair in (("m", "rn"), ("d", "cl"), ("w", "vv"))
    )


def _without_joiners(name: str) -> str:
    """Return the name without those of its characters that cannot be seen by themselves."""
    return name.translate(dict.fromkeys(map(ord, JOINERS + VARIANTS)))


@cache
def _prototype(character: str) -> str:
    """Return the first of all characters that look like this one.

    The data joins each character with its prototype.
    """
    from confusable_homoglyphs.confusables import confusables_data  # 600 kB, needed for a new name alone

    variants = {character}
    for _ in range(2):
        variants |= {
            one["c"] for known in variants for one in confusables_data.get(known, ()) if len(one["c"]) == 1
        }
    return min(variants)
