"""The secret of a webhook, and the signature that its receiver checks (docs/api.md, 事件推送)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

from django.conf import settings

HEADER = "X-Mall-Signature"


def new_seed() -> str:
    """Return what a new secret is made of."""
    return secrets.token_hex(32)


def secret_of(seed: str) -> str:
    """Return the secret of a seed: without the mall's WEBHOOK_SIGNING_KEY nobody makes it of the table."""
    key = f"webhook-secret:{settings.WEBHOOK_SIGNING_KEY or settings.SECRET_KEY}".encode()
    return "whsec_" + base64.urlsafe_b64encode(hmac.new(key, seed.encode(), hashlib.sha256).digest()).decode().rstrip("=")


def signature(*, secret: str, timestamp: int, body: bytes) -> str:
    """Return HMAC-SHA256 over "<timestamp>.<body>" in hexadecimal."""
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()


def signature_header(*, seeds: Sequence[str], timestamp: int, body: bytes) -> str:
    """Return the header: `t=<seconds>,v1=<signature>`, one v1 for each secret that is good now."""
    signed = [f"v1={signature(secret=secret_of(seed), timestamp=timestamp, body=body)}" for seed in seeds]
    return ",".join([f"t={timestamp}", *signed])
