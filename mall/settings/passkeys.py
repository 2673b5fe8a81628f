"""The check of the addresses to which passkeys belong. A wrong one would lock people out later."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.http.request import validate_host
from fido2.rpid import verify_rp_id

OFF = "or set PASSKEY_RP_ID= to switch passkeys off"


def find_passkey_fault(*, rp_id: str, origins: list[str], allowed_hosts: list[str]) -> str:
    """Return what is wrong with the settings of passkeys, "" if nothing. An empty `rp_id`
    switches passkeys off.
    """
    if not rp_id:
        return ""
    if _is_ip(rp_id):
        return (
            f"PASSKEY_RP_ID must be a domain, not the IP address {rp_id}: set MALL_URL or "
            f"PASSKEY_RP_ID to the mall's name, {OFF}"
        )
    if not origins:
        return f"PASSKEY_ORIGINS must name the mall's addresses, {OFF}"
    for origin in origins:
        parts = urlsplit(origin)
        is_plain = origin == f"{parts.scheme}://{parts.netloc}"
        if not (is_plain and verify_rp_id(rp_id, origin)):
            return (
                f"PASSKEY_ORIGINS: {origin} is no https address of the domain {rp_id} "
                f"(PASSKEY_RP_ID): correct them, {OFF}"
            )
        if not validate_host(parts.hostname or "", allowed_hosts):
            return f"PASSKEY_ORIGINS: ALLOWED_HOSTS does not name {parts.hostname}"
    return ""


def _is_ip(text: str) -> bool:
    try:
        ip_address(text.strip("[]"))
    except ValueError:
        return False
    return True
