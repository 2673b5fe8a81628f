"""An authenticator in software: it creates passkeys and signs with them, as a device does."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

from apps.identity.services.passkeys import Assertion, Attestation

ORIGIN = "http://localhost:8000"
FLAG = AuthenticatorData.FLAG


@dataclass
class Authenticator:
    """One credential of a device. `counter` is the signature counter; a device that synchronises
    its passkeys leaves it at 0.
    """

    origin: str = ORIGIN
    rp_id: str = "localhost"
    counter: int = 0
    counts: bool = True
    flags: FLAG = FLAG.UP
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def create(self, options: dict[str, Any], **client_data: object) -> Attestation:
        """Return a new credential for the options of the server."""
        key = ES256.from_cryptography_key(self.key.public_key())
        credential = AttestedCredentialData.create(b"\0" * 16, self.credential_id, key)
        data = AuthenticatorData.create(
            sha256(self.rp_id.encode()).digest(), self.flags | FLAG.AT, self.counter, credential
        )
        return Attestation(
            client_data=self._client_data("webauthn.create", options, client_data),
            attestation_object=websafe_encode(AttestationObject.create("none", data, {})),
        )

    def get(self, options: dict[str, Any], **client_data: object) -> Assertion:
        """Return the use of the credential for the options of the server."""
        self.counter += self.counts
        data = AuthenticatorData.create(
            sha256(self.rp_id.encode()).digest(), self.flags, self.counter
        )
        collected = self._client_data("webauthn.get", options, client_data)
        signed = data + sha256(websafe_decode(collected)).digest()
        return Assertion(
            credential_id=websafe_encode(self.credential_id),
            client_data=collected,
            authenticator_data=websafe_encode(data),
            signature=websafe_encode(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
        )

    def _client_data(self, kind: str, options: dict[str, Any], more: dict[str, object]) -> str:
        collected = {
            "type": kind,
            "challenge": options["challenge"],
            "origin": self.origin,
            "crossOrigin": False,
            **more,
        }
        return websafe_encode(json.dumps(collected).encode())
