"""Passkeys (WebAuthn): the options for a browser and the check of its answer, by the package webauthn.

It is imported by the functions that need it: it takes a tenth of the time in which a server starts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from smallchange.server.web.errors import ErrorCode, Refused

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
