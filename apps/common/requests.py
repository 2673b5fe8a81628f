"""The request and its client: the type of a request with the attributes of the middleware, the
client's address, the client that rate limits and fair queueing count by, and staff who open the API
as pages (docs/decisions.md, Staff open the API as pages). Nothing here queries the database.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any, Protocol, cast

import jwt
from django.conf import settings
from django.http import HttpRequest

if TYPE_CHECKING:
    from apps.org.models import Account

UNKNOWN = "0.0.0.0"  # noqa: S104


VISITORS = "visitors"
# The storefront renews an expired token at its next call; until then its calls count for the
# account. An older token may have leaked and must not use up the account's limits.
EXPIRED_SECONDS = 3600
CACHED_TOKENS = 4096
CACHED_ADDRESSES = 4096


class HasMeta(Protocol):
    """The part of a request that this module reads: its WSGI environment."""

    @property
    def META(self) -> dict[str, str]: ...  # noqa: N802


@lru_cache(maxsize=CACHED_ADDRESSES)
def _parse_address(raw: str) -> str | None:
    """Return the IP address without a port, an IPv4-mapped one as IPv4. None if it is invalid."""
    text = raw.strip()
    if text.startswith("[") and "]" in text:
        text = text[1 : text.index("]")]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address)


def get_client_address(request: HasMeta) -> str:
    """Return the client's IP address.

    With TRUSTED_PROXIES = n, it is the n-th entry of X-Forwarded-For from the right, because our
    own proxies wrote the last n entries. With 0 (default), or if the header has fewer entries, it
    is the address of the peer.
    """
    direct = _parse_address(request.META.get("REMOTE_ADDR", "")) or UNKNOWN
    proxies: int = settings.TRUSTED_PROXIES
    if proxies < 1:
        return direct
    hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if len(hops) < proxies:
        return direct
    return _parse_address(hops[-proxies]) or direct


def build_client_key(address: str) -> str:
    """Return the key that rate limits count by: the IPv4 address, or the /64 of an IPv6
    address, because a provider assigns all of it to one customer.
    """
    if ":" not in address:
        return address
    return str(ip_network(f"{address}/64", strict=False).network_address)


class MallRequest(HttpRequest):
    """A type for annotations. Django creates plain HttpRequest objects.

    An attribute exists after its middleware, or the code that sets it, has run.
    """

    # RequestIdMiddleware
    request_id: str
    # ResponseHeadersMiddleware
    csp_nonce: str
    # The client of the call limits, set by the first look-up.
    limited_client: Client
    # TenantMiddleware: the customer, the member of staff who opened a page of the API, whether the
    # bearer is invalid, and the id of the token's family.
    account: Account | None
    staff: Account | None
    bearer_refused: bool
    token_family: uuid.UUID | None
    # Seconds to wait after a failed sign-in of staff.
    sign_in_wait: int


def to_mall_request(request: HttpRequest) -> MallRequest:
    """Return the same request, typed with these attributes."""
    return cast("MallRequest", request)


@dataclass(frozen=True, slots=True)
class Client:
    """`key`: a signed-in account, or a visitor's address. `group`: the account's group of
    enterprises. All visitors are in one group.
    """

    key: str
    group: str


def get_address_key(_group: str, request: HttpRequest) -> str:
    """Return the key of the client's address. A visitor can hardly change it."""
    return build_client_key(get_client_address(request))


def get_person_key(_group: str, request: HttpRequest) -> str:
    """Return the key of the signed-in account, because a whole office may share one address.
    Return the address for a visitor or an invalid token.
    """
    return get_client(request).key


def get_client(request: HttpRequest) -> Client:
    """Return the client of a call. Only the token's signature is checked: this counts the call,
    it does not authorize it.
    """
    client: Client | None = getattr(request, "limited_client", None)
    if client is None:
        client = _identify_client(request)
        to_mall_request(request).limited_client = client
    return client


def _identify_client(request: HttpRequest) -> Client:
    """Return the account and the group in the bearer token, or the IP address of a visitor. An
    expired token counts for EXPIRED_SECONDS longer.
    """
    visitor = Client(get_address_key("", request), VISITORS)
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer":
        return visitor
    try:
        claims = read_claims(token.strip())
        is_recent = time.time() < float(claims["exp"]) + EXPIRED_SECONDS
    except (jwt.InvalidTokenError, KeyError, TypeError, ValueError):
        return visitor
    if not is_recent:
        return visitor
    if not claims.get("uid"):
        return visitor
    return Client(f"account-{claims['uid']}", f"group-{claims.get('gid', '')}")


@lru_cache(maxsize=CACHED_TOKENS)
def read_claims(token: str) -> Mapping[str, Any]:
    """Return the claims of a token with a valid signature, which may have expired. Cached, so that
    a process verifies each token once.

    Raises:
        InvalidTokenError: the token or its signature is invalid.
    """
    claims: Mapping[str, Any] = jwt.decode(
        token,
        settings.SECRET_KEY,
        algorithms=["HS256"],
        options={"verify_exp": False, "verify_iat": False},
    )
    return claims


def is_api_page_request(request: HttpRequest) -> bool:
    """Return whether a browser without a bearer token requests an HTML page of the API.

    Calls of the storefront are never page requests, so a back-office session in the same browser
    does not apply to them.
    """
    return (
        bool(settings.BROWSABLE_API)
        and "Authorization" not in request.headers
        and "text/html" in request.headers.get("Accept", "")
    )


def get_staff(request: Any) -> Any:
    """Return the member of staff who opened the API as a page, or None.

    The tenant middleware sets the attribute.
    """
    return getattr(getattr(request, "_request", request), "staff", None)
