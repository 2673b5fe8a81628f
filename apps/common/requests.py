"""The type of a request with the attributes of the middleware, and the address of its client."""

from __future__ import annotations

import uuid
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Protocol, cast

from django.conf import settings
from django.http import HttpRequest

if TYPE_CHECKING:
    from apps.common.limits.clients import Client
    from apps.org.models import Account

UNKNOWN = "0.0.0.0"  # noqa: S104


class HasMeta(Protocol):
    """The part of a request that this module reads: its WSGI environment."""

    @property
    def META(self) -> dict[str, str]: ...  # noqa: N802


def _parsed(raw: str) -> str | None:
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


def client_address(request: HasMeta) -> str:
    """Return the client's IP address.

    With TRUSTED_PROXIES = n, it is the n-th entry of X-Forwarded-For from the right, because our
    own proxies wrote the last n entries. With 0 (default), or if the header has fewer entries, it
    is the address of the peer.
    """
    direct = _parsed(request.META.get("REMOTE_ADDR", "")) or UNKNOWN
    proxies: int = settings.TRUSTED_PROXIES
    if proxies < 1:
        return direct
    hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if len(hops) < proxies:
        return direct
    return _parsed(hops[-proxies]) or direct


def client_key(address: str) -> str:
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
    # ContentSecurityPolicyMiddleware
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


def mall_request(request: HttpRequest) -> MallRequest:
    """Return the same request, typed with these attributes."""
    return cast("MallRequest", request)
