"""Passwords and recovery codes: how they are made, hashed and checked."""

from __future__ import annotations

import base64
import hashlib
import secrets
import unicodedata
from contextlib import suppress
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.heavy_work import HeavyWork

MIN_PASSWORD, MAX_PASSWORD = 8, 256  # characters; ASVS 5, 6.2.1 and 6.2.9
MIN_GUESSES = (
    1_000_000  # that a password must withstand: more than any list of common ones has; ASVS 5, 6.2.4
)
ESTIMATED_CHARACTERS = 64  # the first of a password; what follows makes it no easier
RECOVERY_CODES = 10
CODE_BYTES = 15  # more than the 112 bits from which on a plain hash suffices; ASVS 5, 6.5.2
CODE_GROUP = 4  # characters between two hyphens


class Passwords:
    """A hasher of passwords by Argon2id. Each hash takes 64 MiB while it is made."""

    def __init__(self, heavy: HeavyWork) -> None:
        self._heavy = heavy

    async def hash(self, password: str, name: str) -> str:
        """Return the hash of an account's password. Refuse a password that is too short, too long or easily guessed."""
        password = normalize(password)
        if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
            raise Refused(ErrorCode.BAD_PASSWORD, least=MIN_PASSWORD, most=MAX_PASSWORD)
        if await self._heavy.do(is_easily_guessed, password, name):
            raise Refused(ErrorCode.EASY_PASSWORD)
        return await self._heavy.do(_hasher().hash, password)

    async def fits(self, password: str, hash: str | None) -> bool:
        """Return whether this is the password. Without a hash it takes as long, and returns False."""
        return await self._heavy.do(_verify, password, hash)


def normalize(password: str) -> str:
    """Return a password in the form that all systems agree on: a letter with a mark may be one character or two.

    >>> normalize("u\u0308") == normalize("\xfc"), len(normalize("x" * 999))
    (True, 257)
    """
    return unicodedata.normalize("NFKC", password[: MAX_PASSWORD + 1])


def is_easily_guessed(password: str, name: str) -> bool:
    """Return whether a password is a common one, like the account's name, or otherwise found in a million guesses.

    The guesses are those of zxcvbn: Wheeler, "zxcvbn: low-budget password strength estimation" (2016).

    >>> is_easily_guessed("sunflower", "Ann"), is_easily_guessed("long enough", "Ann")
    (True, False)
    """
    from zxcvbn import zxcvbn  # its lists of words are long, and few requests need them

    words = [name, "smallchange"]
    return bool(zxcvbn(password[:ESTIMATED_CHARACTERS], user_inputs=words)["guesses"] < MIN_GUESSES)


def new_recovery_codes() -> list[str]:
    """Return new recovery codes in the form in which they are shown."""
    return [
        _hyphenate(base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode().lower())
        for _ in range(RECOVERY_CODES)
    ]


def recovery_code_hash(code: str) -> str:
    """Return the stored form of a recovery code: its SHA-256, which suffices for 120 random bits.

    >>> recovery_code_hash("ABCD-efgh ijkl") == recovery_code_hash("abcdefghijkl")
    True
    """
    letters = "".join(c for c in normalize(code).lower() if c.isalnum())
    return hashlib.sha256(letters.encode()).hexdigest()


def _hyphenate(code: str) -> str:
    return "-".join(code[i : i + CODE_GROUP] for i in range(0, len(code), CODE_GROUP))


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _no_password() -> str:
    """Return the hash of a password that nobody knows."""
    return _hasher().hash(secrets.token_urlsafe(32))


def _verify(password: str, hash: str | None) -> bool:
    """Return whether a hash is that of this password; an older one may be that of its characters as they were typed."""
    for form in dict.fromkeys((normalize(password), password[:MAX_PASSWORD])):
        with suppress(VerifyMismatchError, InvalidHashError):
            if _hasher().verify(hash or _no_password(), form):
                return hash is not None
    return False
