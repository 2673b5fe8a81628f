"""The origin of a sign-in: a device or an address from which the owner of the name has signed
in before, or any other client.

Each origin has its own counters, so that a stranger's failures do not block the owner.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from apps.common.limits.counters import forget, hit, peek
from apps.common.requests import client_key
from apps.identity.known_device import KnownDevice, name_hash

KNOWN_ADDRESS_SECONDS = 30 * 24 * 3600


class OriginKind(StrEnum):
    DEVICE = "device"
    ADDRESS = "place"
    UNKNOWN = "name"


@dataclass(frozen=True, slots=True)
class Origin:
    """`key` identifies the counters of failures. `known_address` is the counter that marks the
    address as known for the name.
    """

    kind: OriginKind
    key: str
    known_address: str


def find_origin(*, door: str, username: str, client: str, device: KnownDevice | None) -> Origin:
    """Return the origin of this try. All unknown devices and addresses share one origin per
    name.

    `door` is the sign-in page (storefront or back office). Each door has its own known devices and
    addresses.
    """
    name, place = name_hash(username), client_key(client)
    known_address = f"{door}-known:{name}:{place}"
    if device is not None and device.knows(username):
        return Origin(OriginKind.DEVICE, f"device:{device.key}:{name}", known_address)
    if peek(name=known_address):
        return Origin(OriginKind.ADDRESS, f"place:{name}:{place}", known_address)
    return unknown_origin(username=username, known_address=known_address)


def unknown_origin(*, username: str, known_address: str = "") -> Origin:
    """Return the shared origin of all strangers for a name."""
    return Origin(OriginKind.UNKNOWN, f"name:{name_hash(username)}", known_address)


def remember_address(origin: Origin) -> None:
    """Mark the address as known for 30 days, because the owner has signed in from it."""
    forget(name=origin.known_address)
    hit(name=origin.known_address, limit=1, window_seconds=KNOWN_ADDRESS_SECONDS)
