"""The secret of a webhook, and the signature that the receiver checks (docs/api.md, 事件推送)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

from django.conf import settings

HEADER = "X-Mall-Signature"


def create_seed() -> str:
    """Return a random seed for a new secret."""
    return secrets.token_hex(32)


def derive_secret(seed: str) -> str:
    """Return the secret of a seed. It also depends on WEBHOOK_SIGNING_KEY, so the table alone
    does not reveal it.
    """
    key = f"webhook-secret:{settings.WEBHOOK_SIGNING_KEY or settings.SECRET_KEY}".encode()
    return "whsec_" + base64.urlsafe_b64encode(
        hmac.new(key, seed.encode(), hashlib.sha256).digest()
    ).decode().rstrip("=")


def signature(*, secret: str, timestamp: int, body: bytes) -> str:
    """Return the HMAC-SHA256 of "<timestamp>.<body>" in hexadecimal."""
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()


def signature_header(*, seeds: Sequence[str], timestamp: int, body: bytes) -> str:
    """Return `t=<seconds>,v1=<signature>` with one v1 for each valid secret."""
    signed = [
        f"v1={signature(secret=derive_secret(seed), timestamp=timestamp, body=body)}"
        for seed in seeds
    ]
    return ",".join([f"t={timestamp}", *signed])
