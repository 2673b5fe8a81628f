"""Where a request comes from: the one function that says so."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Protocol

from django.conf import settings

UNKNOWN = "0.0.0.0"  # noqa: S104 - the address of nobody, not one to bind to


class HasMeta(Protocol):
    """What is needed of a request: its WSGI environment."""

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

    With TRUSTED_PROXIES = n the n-th entry of X-Forwarded-For from the right is believed, since only those were written by our own
    proxies; by default (0), or when the header is shorter than the chain, it is the peer's address.
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
    """Return what limits count by: the address, or the /64 of an IPv6 one, since a customer of a provider owns all of it."""
    if ":" not in address:
        return address
    return str(ip_network(f"{address}/64", strict=False).network_address)
