"""Passwords, recovery codes and passkeys: how they are made, stored and checked.

Passkeys (WebAuthn) use the package webauthn. The functions that need it import it: it takes a tenth of the time in
which a server starts.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import unicodedata
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

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
    return PasswordHasher(parallelism=1)  # with four threads a hash would take the cores from all others


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


SITE_NAME = "Small Change"
CHALLENGE_AGE_S = 300  # for which a challenge may be answered


class Site(NamedTuple):
    """The site that a passkey belongs to: the relying party's id, a domain, and the origin of its pages."""

    rp_id: str
    origin: str


class Passkey(NamedTuple):
    """A passkey as it is stored: its id and public key as base64url, and its sign count."""

    id: str
    public_key: str
    uses: int


class Question(NamedTuple):
    """The options that the browser is given, as JSON, and the challenge in them as base64url."""

    options: str
    challenge: str


def registration(site: Site, account_id: str, name: str, present: list[str]) -> Question:
    """Return the question for a new passkey of an account, whose passkeys `present` are excluded."""
    from webauthn import base64url_to_bytes, generate_registration_options, options_to_json
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.structs import (
        AttestationConveyancePreference,
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=site.rp_id,
        rp_name=SITE_NAME,
        user_id=account_id.encode(),
        user_name=name,
        attestation=AttestationConveyancePreference.NONE,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(id)) for id in present],
    )
    return Question(options_to_json(options), bytes_to_base64url(options.challenge))


def authentication(site: Site, accepted: list[str]) -> Question:
    """Return the question for authentication by one of these passkeys, or by any for this site if there are none."""
    from webauthn import base64url_to_bytes, generate_authentication_options, options_to_json
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor, UserVerificationRequirement

    options = generate_authentication_options(
        rp_id=site.rp_id,
        user_verification=UserVerificationRequirement.PREFERRED,
        allow_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(id)) for id in accepted],
    )
    return Question(options_to_json(options), bytes_to_base64url(options.challenge))


def check_registration(site: Site, challenge: str, answer: dict[str, Any]) -> Passkey:
    """Return the new passkey. Refuse an answer that is not one to this challenge, of this site."""
    from webauthn import base64url_to_bytes, verify_registration_response
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        found = verify_registration_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            require_user_verification=False,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise Refused(ErrorCode.BAD_PASSKEY) from None
    id, key = bytes_to_base64url(found.credential_id), bytes_to_base64url(found.credential_public_key)
    return Passkey(id, key, found.sign_count)


def check_authentication(site: Site, challenge: str, answer: dict[str, Any], passkey: Passkey) -> int:
    """Return the new sign count of a passkey, which stays 0 for passkeys that are synced.

    Refuse an answer that is not one to this challenge, by this passkey.
    """
    from webauthn import base64url_to_bytes, verify_authentication_response
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        return verify_authentication_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            credential_public_key=base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.uses,
            require_user_verification=False,
        ).new_sign_count
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise Refused(ErrorCode.BAD_PASSKEY) from None
