"""Names of accounts: the names that are accepted, and those that stay reserved."""

from __future__ import annotations

import hashlib
import re

from smallchange.i18n.text import Text
from smallchange.server.table.model.commands import MAX_NAME
from smallchange.server.table.model.new_tables import BOT_MARK, person_name
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.lookalikes import fold_name, skeleton
from smallchange.server.web.typed_text import clean

MIN_NAME = 2  # characters
DOTS = {".", ".."}  # parts that the path of a profile cannot have: browsers go up by them
NO_PATH = Text("that name is kept for a page of this site")
_TYPED_MARK = re.compile(r"\s*[(（]bot[)）]\s*$", re.IGNORECASE)


def account_name(text: str) -> str:
    """Return the name as it is stored. Refuse one that is too short, or the title of a bot."""
    name = person_name(text)
    if len(name) < MIN_NAME:
        raise Refused(ErrorCode.SHORT_NAME, least=MIN_NAME, most=MAX_NAME)
    if DOTS.intersection(re.split(r"[/\\]", fold_name(name))):
        raise Refused(ErrorCode.BAD_NAME, name=name, why=NO_PATH)
    return name


def bot_account_name(text: str) -> str:
    """Return the name of a bot's account as it is stored: its end says that it is a bot.

    >>> bot_account_name("Pebble"), bot_account_name("Pebble (BOT)")
    ('Pebble (bot)', 'Pebble (bot)')
    """
    name = clean(_TYPED_MARK.sub("", text[: 10 * MAX_NAME]), MAX_NAME - len(BOT_MARK))
    return account_name(name) + BOT_MARK


def reserved_forms(name: str) -> dict[str, str]:
    """Return a digest that reserves the name of an erased account, and names that look like it, without telling it."""
    forms = {"folded": fold_name(name), "skeleton": skeleton(name)}
    return {column: hashlib.sha256(f"reserved {form}".encode()).hexdigest() for column, form in forms.items()}
