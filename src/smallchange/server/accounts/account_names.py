"""Names of accounts: the names that are accepted, and the names that look like one another."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from smallchange.i18n.text import JOINERS
from smallchange.server.table.commands import MAX_NAME
from smallchange.server.table.new_tables import BOT_MARK, person_name
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.typed_text import VARIANTS, clean

MIN_NAME = 2  # characters
_TYPED_MARK = re.compile(r"\s*[(（]bot[)）]\s*$", re.IGNORECASE)


def account_name(text: str) -> str:
    """Return the name as it is stored. Refuse one that is too short, or the title of a bot."""
    name = person_name(text)
    if len(name) < MIN_NAME:
        raise Refused(ErrorCode.SHORT_NAME, least=MIN_NAME, most=MAX_NAME)
    return name


def bot_account_name(text: str) -> str:
    """Return the name of a bot's account as it is stored: its end says that it is a bot.

    >>> bot_account_name("Pebble"), bot_account_name("Pebble (BOT)")
    ('Pebble (bot)', 'Pebble (bot)')
    """
    name = clean(_TYPED_MARK.sub("", text), MAX_NAME - len(BOT_MARK))
    return account_name(name) + BOT_MARK


def fold_name(name: str) -> str:
    """Return the form in which two names are the same name, whatever their case and width.

    >>> fold_name("ＡＮＮ") == fold_name("ann")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _without_joiners(name)).casefold())


def skeleton(name: str) -> str:
    """Return the form in which two names look the same, by the confusable characters of Unicode (UTS 39).

    >>> skeleton("\\u0410nn") == skeleton("Ann"), skeleton("BiII") == skeleton("Bill"), skeleton("O0")
    (True, True, '00')
    >>> skeleton("Ann") == skeleton("Anne"), skeleton("An\\u200dn") == skeleton("Ann")
    (False, True)
    """
    return "".join(_prototype(c) for c in unicodedata.normalize("NFKC", _without_joiners(name))).casefold()


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
