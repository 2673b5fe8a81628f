"""Identify the client of a call for rate limits and fair queueing. Uses the address and the
token's signature, without a database query.
"""

from __future__ import annotations

from dataclasses import dataclass

import jwt
from django.conf import settings
from django.http import HttpRequest

from apps.common.requests import client_address, client_key, mall_request

VISITORS = "visitors"
# The storefront renews an expired token at its next call; until then its calls count for the
# account. An older token may have leaked and must not use up the account's limits.
EXPIRED_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Client:
    """`key`: a signed-in account, or a visitor's address. `group`: the account's group of
    enterprises. All visitors are in one group.
    """

    key: str
    group: str


def by_address(_group: str, request: HttpRequest) -> str:
    """Return the key of the client's address. A visitor can hardly change it."""
    return client_key(client_address(request))


def by_person(_group: str, request: HttpRequest) -> str:
    """Return the key of the signed-in account, because a whole office may share one address.
    Return the address for a visitor or an invalid token.
    """
    return client_of(request).key


def client_of(request: HttpRequest) -> Client:
    """Return the client of a call. Only the token's signature is checked: this counts the call,
    it does not authorize it.
    """
    known: Client | None = getattr(request, "limited_client", None)
    if known is None:
        known = _client(request)
        mall_request(request).limited_client = known
    return known


def _client(request: HttpRequest) -> Client:
    visitor = Client(by_address("", request), VISITORS)
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer":
        return visitor
    try:
        claims = jwt.decode(
            token.strip(),
            settings.SECRET_KEY,
            algorithms=["HS256"],
            leeway=EXPIRED_SECONDS,
        )
    except jwt.InvalidTokenError:
        return visitor
    if not claims.get("uid"):
        return visitor
    return Client(f"account-{claims['uid']}", f"group-{claims.get('gid', '')}")
