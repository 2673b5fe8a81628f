"""Read the second factor of a request: a code, or the use of a passkey."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.identity.services.passkeys import SIGN_IN, Assertion
from apps.identity.services.second_factor import Proof


def read_proof(body: Mapping[str, Any], *, session: str = SIGN_IN) -> Proof:
    """Return the proof in a parsed body with `SecondFactorCode` and `Passkey`. `session` is the
    session to which a challenge of the passkey was issued.
    """
    given = body["Passkey"]
    passkey = given and Assertion(
        credential_id=given["CredentialId"],
        client_data=given["ClientData"],
        authenticator_data=given["AuthenticatorData"],
        signature=given["Signature"],
    )
    return Proof(code=body["SecondFactorCode"], passkey=passkey or None, session=session)
