"""The strings themselves: access tokens signed by simplejwt, and refresh tokens, opaque, random at birth, derived from one another after.

A refresh token is `<family>.<generation>.<secret>`. The first secret is random; each next one is HMAC(server secret, previous one),
so that a token still in its grace can be answered with the very successor it has already got, while the table holds only a hash.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import uuid
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

from django.conf import settings
from django.utils import timezone
from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.tokens import AccessToken

from apps.common.tenancy import platform_scope
from apps.org.models import Account

REFRESH = re.compile(r"([0-9a-f]{32})\.([0-9]{1,6})\.([0-9A-Za-z_-]{43})")
FAMILY_CLAIM = "fid"
KEPT_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A refresh token taken apart."""

    family: uuid.UUID
    generation: int
    secret: str

    def __str__(self) -> str:
        return f"{self.family.hex}.{self.generation}.{self.secret}"

    @classmethod
    def first(cls, family: uuid.UUID) -> RefreshToken:
        """Return a new random token of generation 0."""
        return cls(family, 0, secrets.token_urlsafe(32))

    @classmethod
    def parse(cls, text: str) -> RefreshToken | None:
        """Return the parts, or None where the text is no refresh token of ours."""
        match = REFRESH.fullmatch(text)
        return cls(uuid.UUID(match[1]), int(match[2]), match[3]) if match else None

    def next(self) -> RefreshToken:
        """Return the one successor that this token can have."""
        digest = hmac.new(settings.SECRET_KEY.encode(), f"refresh:{self.family.hex}:{self.secret}".encode(), hashlib.sha256).digest()
        return RefreshToken(self.family, self.generation + 1, urlsafe_b64encode(digest).rstrip(b"=").decode())

    def at(self, generation: int) -> RefreshToken:
        """Return the descendant of a later generation."""
        token = self
        while token.generation < generation:
            token = token.next()
        return token

    @property
    def hash(self) -> str:
        """SHA-256 of the secret: it is random, so no salt is needed."""
        return hash_of(self.secret)


@dataclass(frozen=True, slots=True)
class Bearer:
    """What a verified access token says."""

    account_id: int
    family: uuid.UUID


@dataclass(frozen=True, slots=True)
class Acting:
    """Staff act as the account: who, why, and for how much longer."""

    by: Account
    reason: str
    left: timedelta

    @property
    def claim(self) -> dict[str, object]:
        """What the page's banner shows; seconds, since the clock there may be wrong."""
        return {"By": self.by.nickname, "Reason": self.reason, "Seconds": max(0, int(self.left.total_seconds()))}


@dataclass(frozen=True, slots=True)
class TokenPair:
    """What a sign-in or a refresh answers with."""

    access: str
    refresh: str


def hash_of(secret: str) -> str:
    """Return the SHA-256 under which a random secret is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def access_token(*, account: Account, family: uuid.UUID, acting: Acting | None = None) -> str:
    """Return the JWT of 10 minutes whose text the page decodes; rights are never read from it."""
    token = AccessToken()
    token["uid"] = str(account.pk)
    token["utype"] = account.kind
    token["nname"] = account.nickname
    with platform_scope(reason="access token"):
        token["Enterprise"] = {"Id": str(account.enterprise_id), "Name": account.enterprise.name} if account.enterprise else None
        token["Role"] = account.role_names
    token[FAMILY_CLAIM] = family.hex
    if acting is not None:
        token["Acting"] = acting.claim
    return str(token)


def read_access_token(text: str) -> Bearer | None:
    """Return the account and family of a bearer whose signature and time hold, else None."""
    try:
        bearer, until = _signed(text)
    except (TokenError, KeyError, TypeError, ValueError, AttributeError):
        return None
    return bearer if timezone.now().timestamp() < until else None


@lru_cache(maxsize=KEPT_TOKENS)
def _signed(text: str) -> tuple[Bearer, float]:
    """Return what a token says and until when; a signature that held once holds, so that each token is verified once in a process."""
    claims = AccessToken(text).payload  # type: ignore[arg-type]
    return Bearer(int(claims["uid"]), uuid.UUID(hex=claims[FAMILY_CLAIM])), float(claims["exp"])
