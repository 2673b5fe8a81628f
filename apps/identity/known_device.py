"""The signed, long-lived cookie of a browser in which a person has signed in. It grants no
access; failures of this browser are only counted separately.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from django.core import signing
from django.http import HttpRequest, HttpResponseBase

COOKIE = "known_device"
SALT = "identity.known_device"
AGE_SECONDS = 365 * 24 * 3600
# The maximum number of names per browser. The name with the oldest sign-in is removed first.
MAX_NAMES = 10


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """A browser, and the hashes of the names that have signed in with it, latest last."""

    key: str
    names: tuple[str, ...]

    def knows(self, username: str) -> bool:
        """Return whether this name has signed in with this browser."""
        return hash_name(username) in self.names


def hash_name(username: str) -> str:
    """Return the hash of a name, ignoring case."""
    return hashlib.sha256(username.casefold().encode()).hexdigest()[:32]


def read_device(request: HttpRequest) -> KnownDevice | None:
    """Return the browser's device. None if the cookie is missing, too old or has an invalid
    signature.
    """
    try:
        cookie = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=AGE_SECONDS)
        return KnownDevice(key=str(cookie["Key"]), names=tuple(map(str, cookie["Names"])))
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return None


def remember_device(*, request: HttpRequest, response: HttpResponseBase, username: str) -> None:
    """Set the cookie on the response to a successful sign-in."""
    device = read_device(request) or KnownDevice(secrets.token_hex(16), ())
    own_hash = hash_name(username)
    names = [*(name for name in device.names if name != own_hash), own_hash][-MAX_NAMES:]
    response.set_cookie(
        COOKIE,
        signing.dumps({"Key": device.key, "Names": names}, salt=SALT),
        max_age=AGE_SECONDS,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
