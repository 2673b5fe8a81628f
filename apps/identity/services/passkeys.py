"""Passkeys (WebAuthn): credentials of a device or a security key, as a second factor.

A challenge belongs to one account, one purpose and one session. It is valid for five minutes and
is used by one try, right or wrong. fido2 checks origin, RP ID and signature; this module checks
challenge, owner and signature counter. `second_factor.py` limits the tries.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from fido2.cose import CoseKey
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from apps.common.audit import NOTE, act_log
from apps.identity.errors import (
    PasskeyCopied,
    PasskeyNameMissing,
    PasskeyNameTaken,
    PasskeyNotFound,
    PasskeysOff,
    PasskeyTaken,
    TooManyPasskeys,
    WrongPasskey,
)
from apps.identity.models import Passkey, PasskeyChallenge, PasskeyPurpose
from apps.identity.tokens import hash_text
from apps.org.models import Account

CHALLENGE_LIFETIME = timedelta(minutes=5)
MAX_PASSKEYS = 10
NAME_LENGTH = 40
# The session of a challenge for the sign-in of a customer: the same call carries the password.
SIGN_IN = "sign-in"
COPIED = "second_factor.passkey_copied"
# What malformed client data, CBOR and keys raise in fido2 and cryptography.
MALFORMED = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RecursionError,
    TypeError,
    UnsupportedAlgorithm,
    ValueError,
    struct.error,
)
Options = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Attestation:
    """A new credential, from `navigator.credentials.create`. Both texts are base64url."""

    client_data: str
    attestation_object: str


@dataclass(frozen=True, slots=True)
class Assertion:
    """The use of a credential, from `navigator.credentials.get`. All texts are base64url."""

    credential_id: str
    client_data: str
    authenticator_data: str
    signature: str


@dataclass(frozen=True, slots=True)
class NewCredential:
    """A checked credential that is not saved yet."""

    credential: AttestedCredentialData
    sign_count: int


def are_passkeys_offered() -> bool:
    """Return whether this mall has an address to which passkeys can belong."""
    return bool(settings.PASSKEY_RP_ID)


def has_passkey(account: Account) -> bool:
    """Return whether the account has at least one passkey."""
    return Passkey.objects.filter(account=account).exists()


def list_passkeys(account: Account) -> list[Passkey]:
    """Return the passkeys of the account, oldest first."""
    return list(Passkey.objects.filter(account=account).order_by("pk"))


def issue_passkey_challenge(*, account: Account, session: str) -> Options | None:
    """Issue a challenge for a proof in this session. Return the
    PublicKeyCredentialRequestOptionsJSON of WebAuthn, or None if the account has no passkey.
    """
    passkeys = list_passkeys(account)
    if not (passkeys and are_passkeys_offered()):
        return None
    options, state = _build_server().authenticate_begin(
        [_read_credential(each) for each in passkeys],
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    _save_challenge(account, PasskeyPurpose.PROOF, session, state)
    return _with_timeout(options)


def issue_new_passkey_challenge(*, account: Account, session: str) -> Options:
    """Issue a challenge for a new passkey. Return the PublicKeyCredentialCreationOptionsJSON of
    WebAuthn. Credentials that the account already has are excluded.

    Raises:
        WrongState: passkeys are not offered, or the account has MAX_PASSKEYS.
    """
    if not are_passkeys_offered():
        raise PasskeysOff
    passkeys = list_passkeys(account)
    _check_room(len(passkeys))
    options, state = _build_server().register_begin(
        PublicKeyCredentialUserEntity(
            # Keyed, so that a key tells nothing about the account to a person who finds it.
            id=salted_hmac("passkey-user", str(account.pk), algorithm="sha256").digest(),
            name=account.username,
            display_name=account.nickname or account.username,
        ),
        [_read_credential(each) for each in passkeys],
        resident_key_requirement=ResidentKeyRequirement.PREFERRED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    _save_challenge(account, PasskeyPurpose.NEW, session, state)
    return _with_timeout(options)


def credential_check(
    *, account: Account, session: str, name: str, attestation: Attestation
) -> NewCredential:
    """Check a new credential and the name for it. Call it outside a transaction, because a
    rollback would make the challenge usable again.

    Raises:
        ValidationFailed, WrongState: as passkey_save. The challenge stays usable.
        WrongPasskey: challenge, origin or credential are wrong.
    """
    _check_new(account, name)
    state = _take_challenge(account, PasskeyPurpose.NEW, session, attestation.client_data)
    try:
        response = AuthenticatorAttestationResponse(
            client_data=CollectedClientData(websafe_decode(attestation.client_data)),
            attestation_object=AttestationObject(websafe_decode(attestation.attestation_object)),
        )
        # fido2 reads the credential's ID from the attestation object.
        data = _build_server().register_complete(
            state, RegistrationResponse(raw_id=b"", response=response)
        )
        credential = data.credential_data
        if credential is None or not _is_key_supported(credential):
            raise WrongPasskey
    except MALFORMED as error:
        raise WrongPasskey from error
    return NewCredential(credential, data.counter)


def passkey_save(*, account: Account, name: str, new: NewCredential) -> Passkey:
    """Save a checked credential. Call it in a transaction that locks the account.

    Raises:
        ValidationFailed: the name is missing or too long, or another passkey has it.
        WrongState: the account has MAX_PASSKEYS.
        WrongPasskey: the credential is registered already, here or with another account.
    """
    _check_new(account, name)
    try:
        with transaction.atomic():
            passkey: Passkey = Passkey.objects.create(
                account=account,
                name=name.strip(),
                credential_id=websafe_encode(new.credential.credential_id),
                credential=bytes(new.credential),
                sign_count=new.sign_count,
            )
    except IntegrityError as error:
        raise PasskeyTaken from error
    return passkey


def passkey_use(*, account: Account, session: str, assertion: Assertion) -> Passkey:
    """Check the use of a passkey of this account and record it.

    Raises:
        WrongPasskey: challenge, origin, credential or signature are wrong, or the credential
            belongs to another account.
        PasskeyCopied: the signature counter has not grown, so a copy of the key may exist. The
            log has an entry.
    """
    state = _take_challenge(account, PasskeyPurpose.PROOF, session, assertion.client_data)
    passkey = Passkey.objects.filter(account=account, credential_id=assertion.credential_id).first()
    if passkey is None:
        raise WrongPasskey
    try:
        data = AuthenticatorData(websafe_decode(assertion.authenticator_data))
        response = AuthenticatorAssertionResponse(
            client_data=CollectedClientData(websafe_decode(assertion.client_data)),
            authenticator_data=data,
            signature=websafe_decode(assertion.signature),
        )
        credential_id = websafe_decode(assertion.credential_id)
        _build_server().authenticate_complete(
            state,
            [_read_credential(passkey)],
            AuthenticationResponse(raw_id=credential_id, response=response),
        )
    except MALFORMED as error:
        raise WrongPasskey from error
    counter = data.counter
    rows = Passkey.objects.filter(pk=passkey.pk)
    # Synchronised passkeys always send 0. The condition is part of the UPDATE, so of two uses with
    # one counter at the same moment, one is refused.
    rows = rows.filter(sign_count__lt=counter) if counter else rows.filter(sign_count=0)
    if not rows.update(sign_count=counter, used_at=timezone.now()):
        _log_copied(account, passkey, counter)
        raise PasskeyCopied
    return passkey


def passkey_delete(*, account: Account, passkey_id: int) -> Passkey:
    """Delete a passkey of the account and return it.

    Raises:
        PasskeyNotFound: the account has no passkey with this id.
    """
    passkey = Passkey.objects.filter(account=account, pk=passkey_id).first()
    if passkey is None:
        raise PasskeyNotFound
    passkey.delete()
    return passkey


def passkeys_delete(*, account: Account) -> None:
    """Delete all passkeys and open challenges of the account."""
    Passkey.objects.filter(account=account).delete()
    PasskeyChallenge.objects.filter(account=account).delete()


def _build_server() -> Fido2Server:
    return Fido2Server(
        PublicKeyCredentialRpEntity(id=settings.PASSKEY_RP_ID, name=settings.MALL_NAME),
        verify_origin=lambda origin: origin in settings.PASSKEY_ORIGINS,
    )


def _read_credential(passkey: Passkey) -> AttestedCredentialData:
    return AttestedCredentialData(bytes(passkey.credential))


def _with_timeout(options: Mapping[str, Any]) -> Options:
    milliseconds = int(CHALLENGE_LIFETIME.total_seconds() * 1000)
    return {**options["publicKey"], "timeout": milliseconds}


def _check_room(number: int) -> None:
    if number >= MAX_PASSKEYS:
        raise TooManyPasskeys(most=MAX_PASSKEYS)


def _check_new(account: Account, name: str) -> None:
    passkeys = list_passkeys(account)
    _check_room(len(passkeys))
    if not 0 < len(name.strip()) <= NAME_LENGTH:
        raise PasskeyNameMissing(most=NAME_LENGTH)
    if any(each.name == name.strip() for each in passkeys):
        raise PasskeyNameTaken


def _save_challenge(
    account: Account, purpose: PasskeyPurpose, session: str, state: Mapping[str, Any]
) -> None:
    now = timezone.now()
    PasskeyChallenge.objects.filter(account=account, expires_at__lte=now).delete()
    PasskeyChallenge.objects.create(
        account=account,
        purpose=purpose,
        challenge_hash=hash_text(state["challenge"]),
        session_hash=hash_text(session),
        expires_at=now + CHALLENGE_LIFETIME,
    )


def _take_challenge(
    account: Account, purpose: PasskeyPurpose, session: str, client_data: str
) -> dict[str, Any]:
    """Use up the challenge that the client data contain. Return the state that fido2 expects.

    Raises:
        WrongPasskey: it was not issued to this account, purpose and session, was used, or has
            expired.
    """
    try:
        collected = CollectedClientData(websafe_decode(client_data))
        challenge = websafe_encode(collected.challenge)
    except MALFORMED as error:
        raise WrongPasskey from error
    now = timezone.now()
    issued = PasskeyChallenge.objects.filter(
        account=account,
        purpose=purpose,
        challenge_hash=hash_text(challenge),
        session_hash=hash_text(session),
        used_at=None,
        expires_at__gt=now,
    )
    # The conditional UPDATE: of two requests at the same moment, one uses the challenge.
    if not issued.update(used_at=now) or collected.cross_origin:
        raise WrongPasskey
    return {"challenge": challenge, "user_verification": UserVerificationRequirement.PREFERRED}


def _is_key_supported(credential: AttestedCredentialData) -> bool:
    """Return whether the server can check signatures of this key."""
    return credential.public_key.get(3) in CoseKey.supported_algorithms()


def _log_copied(account: Account, passkey: Passkey, counter: int) -> None:
    """Log a refused proof: the counter did not grow, so the passkey may have been copied."""
    note = (
        f"拒绝通行密钥“{passkey.name}”：签名计数为 {counter}，"
        f"不大于上次的 {passkey.sign_count}，可能已被复制"
    )
    act_log(subject=account, staff=account, changes={NOTE: ("", note)}, kind=COPIED)
