"""Names of accounts: the names that are accepted, and the names that look like one another."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache
from itertools import pairwise

from smallchange.i18n.text import JOINERS, Text
from smallchange.server.table.model.commands import MAX_NAME
from smallchange.server.table.model.new_tables import BOT_MARK, person_name
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.typed_text import VARIANTS, clean

MIN_NAME = 2  # characters
DOTS = (".", "..")  # names that the path of a profile cannot have: browsers go up by them
OFFICES = (  # words by which somebody would seem to speak for the site
    *(
        "admin",
        "admins",
        "administrator",
        "administrators",
        "mod",
        "mods",
        "moderator",
        "moderators",
        "moderation",
    ),
    *("keeper", "keepers", "staff", "support", "official", "system", "sysadmin", "webmaster", "smallchange"),
    *(
        "owner",
        "helpdesk",
        "administratorin",
        "moderatorin",
        "betreuer",
        "betreuerin",
        "betreiber",
        "betreiberin",
    ),
    *("verwalter", "spielleitung", "kundendienst"),
)
OFFICE_PARTS = ("管理", "運営", "公式", "モデレータ", "サポート", "スタッフ", "オフィシャル")
DIGITS_AS_LETTERS = (str.maketrans("01345", "oleas"), str.maketrans("01345", "oieas"))
OFFICE_ENDS = ("admin", "administrator", "moderator")  # at either end of a word
NO_PATH = Text("no page can be called so")
OFFICE_NAME = Text("the keepers of this site are called so")
_TYPED_MARK = re.compile(r"\s*[(（]bot[)）]\s*$", re.IGNORECASE)


def account_name(text: str) -> str:
    """Return the name as it is stored. Refuse one that is too short, or the title of a bot."""
    name = person_name(text)
    if len(name) < MIN_NAME:
        raise Refused(ErrorCode.SHORT_NAME, least=MIN_NAME, most=MAX_NAME)
    if fold_name(name) in DOTS:
        raise Refused(ErrorCode.BAD_NAME, name=name, why=NO_PATH)
    if is_office(name):
        raise Refused(ErrorCode.BAD_NAME, name=name, why=OFFICE_NAME)
    return name


def is_office(name: str) -> bool:
    """Return whether a name, or a part of it, is that of somebody who speaks for the site, or looks so.

    >>> [is_office(name) for name in ("Small Change admin", "The KEEPERS", "運営チーム", "SiteAdmin2", "M0d")]
    [True, True, True, True, True]
    >>> [is_office(name) for name in ("Badminton", "Modest", "Goalkeeper", "Ann", "Small change of plan")]
    [False, False, False, False, True]
    """
    typed = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", name))
    typed += ["".join(letter for letter in typed if len(letter) == 1)]
    words = [skeleton(word) for word in typed] + [skeleton(word.casefold()) for word in typed]
    joined = {one + two for one, two in pairwise(words)}
    known = {skeleton(word) for word in OFFICES}
    ends = tuple(skeleton(word) for word in OFFICE_ENDS)
    bare = [word.rstrip("0123456789") or word for word in words]
    lower = [word.rstrip("0123456789").casefold() for word in typed]
    bare += [skeleton(word.translate(read)) for word in lower for read in DIGITS_AS_LETTERS]
    return (
        bool(known & {*words, *bare, *joined})
        or any(word.startswith(ends) or word.endswith(ends) for word in bare)
        or any(part in unicodedata.normalize("NFKC", name) for part in OFFICE_PARTS)
    )


def bot_account_name(text: str) -> str:
    """Return the name of a bot's account as it is stored: its end says that it is a bot.

    >>> bot_account_name("Pebble"), bot_account_name("Pebble (BOT)")
    ('Pebble (bot)', 'Pebble (bot)')
    """
    name = clean(_TYPED_MARK.sub("", text), MAX_NAME - len(BOT_MARK))
    return account_name(name) + BOT_MARK


def fold_name(name: str) -> str:
    """Return the form in which two names are the same name, whatever their case and width.

    >>> fold_name("ＡＮＮ") == fold_name("ann"), fold_name("\u0130ZMIR") == fold_name("izmir")
    (True, True)
    """
    folded = unicodedata.normalize("NFKC", _without_joiners(name)).casefold().replace("i\u0307", "i")
    return unicodedata.normalize("NFKC", folded)


def reserved_forms(name: str) -> dict[str, str]:
    """Return a digest that reserves the name of an erased account, and names that look like it, without telling it."""
    forms = {"folded": fold_name(name), "skeleton": skeleton(name)}
    return {column: hashlib.sha256(f"reserved {form}".encode()).hexdigest() for column, form in forms.items()}


def skeleton(name: str) -> str:
    """Return the form in which two names look the same, by the confusable characters of Unicode (UTS 39).

    Pairs of letters that look like one count as that one, and an i has its dot or not.

    >>> skeleton("\\u0410nn") == skeleton("Ann"), skeleton("BiII") == skeleton("Bill"), skeleton("O0")
    (True, True, '00')
    >>> skeleton("Ann") == skeleton("Anne"), skeleton("An\\u200dn") == skeleton("Ann")
    (False, True)
    >>> [skeleton(a) == skeleton(b) for a, b in (("Marnie", "Mamie"), ("cliff", "diff"), ("\u0130stanbul", "istanbul"))]
    [True, True, True]
    """
    text = unicodedata.normalize("NFKC", _without_joiners(name)).replace("\u0130", "i")
    found = "".join(_prototype(c) for c in text).casefold()
    for letter, pair in _pairs():
        found = found.replace(letter, pair)
    return found


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
