"""Token strings: access tokens signed by simplejwt, and opaque refresh tokens.

A refresh token is `<family>.<generation>.<secret>`. The first secret is random. Each next secret is
HMAC(server secret, previous secret). So an old token within its grace period gets the same
successor again, although the table stores only a hash.
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

import jwt
from django.conf import settings
from django.utils import timezone
from rest_framework_simplejwt.tokens import AccessToken

from apps.common.requests import read_claims
from apps.common.tenancy import platform_scope
from apps.org.models import Account

REFRESH = re.compile(r"([0-9a-f]{32})\.([0-9]{1,6})\.([0-9A-Za-z_-]{43})")
FAMILY_CLAIM = "fid"


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """The parts of a refresh token."""

    family: uuid.UUID
    generation: int
    secret: str

    def __str__(self) -> str:
        return f"{self.family.hex}.{self.generation}.{self.secret}"

    @classmethod
    def create_first(cls, family: uuid.UUID) -> RefreshToken:
        """Return a new random token of generation 0."""
        return cls(family, 0, secrets.token_urlsafe(32))

    @classmethod
    def parse(cls, text: str) -> RefreshToken | None:
        """Return the parts, or None if the text is not a valid refresh token."""
        match = REFRESH.fullmatch(text)
        return cls(uuid.UUID(match[1]), int(match[2]), match[3]) if match else None

    def build_next(self) -> RefreshToken:
        """Return the only possible successor of this token."""
        digest = hmac.new(
            settings.SECRET_KEY.encode(),
            f"refresh:{self.family.hex}:{self.secret}".encode(),
            hashlib.sha256,
        ).digest()
        return RefreshToken(
            self.family, self.generation + 1, urlsafe_b64encode(digest).rstrip(b"=").decode()
        )

    def with_generation(self, generation: int) -> RefreshToken:
        """Return the descendant with this later generation."""
        token = self
        while token.generation < generation:
            token = token.build_next()
        return token

    @property
    def hash(self) -> str:
        """The SHA-256 of the secret. The secret is random, so it needs no salt."""
        return hash_text(self.secret)


@dataclass(frozen=True, slots=True)
class Bearer:
    """The content of a verified access token."""

    account_id: int
    family: uuid.UUID


@dataclass(frozen=True, slots=True)
class Acting:
    """Staff act as the account: the staff member, the reason and the remaining time."""

    by: Account
    reason: str
    left: timedelta

    @property
    def claim(self) -> dict[str, object]:
        """The content of the page's banner. The time is in remaining seconds, because the
        client's clock may be wrong.
        """
        return {
            "By": self.by.nickname,
            "Reason": self.reason,
            "Seconds": max(0, int(self.left.total_seconds())),
        }


@dataclass(frozen=True, slots=True)
class TokenPair:
    """The answer to a sign-in or a refresh."""

    access: str
    refresh: str


def hash_text(secret: str) -> str:
    """Return the SHA-256 under which a random secret is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def create_access_token(
    *, account: Account, family: uuid.UUID, acting: Acting | None = None
) -> str:
    """Return a JWT that is valid for 10 minutes. The client decodes its content. The server
    never reads rights from it.
    """
    token = AccessToken()
    token["uid"] = str(account.pk)
    # Used only to share capacity under load (common/requests.py). The tenant scope comes from the
    # account.
    token["gid"] = str(account.group_id or "")
    token["utype"] = account.kind
    token["nname"] = account.nickname
    with platform_scope(reason="access token"):
        token["Enterprise"] = (
            {"Id": str(account.enterprise_id), "Name": account.enterprise.name}
            if account.enterprise
            else None
        )
        token["Role"] = account.role_names
        token["Purchasing"] = account.purchasing.value
    token[FAMILY_CLAIM] = family.hex
    if acting is not None:
        token["Acting"] = acting.claim
    return str(token)


def read_access_token(text: str) -> Bearer | None:
    """Return the account and family of an access token with a valid signature and time. Otherwise
    return None.
    """
    try:
        claims = read_claims(text)
        is_over = timezone.now().timestamp() >= float(claims["exp"])
        if is_over or claims["token_type"] != AccessToken.token_type:
            return None
        return Bearer(int(claims["uid"]), uuid.UUID(hex=claims[FAMILY_CLAIM]))
    except (jwt.InvalidTokenError, KeyError, TypeError, ValueError, AttributeError):
        return None
