"""The client address of a request."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from apps.common.requests import build_client_key, get_client_address


def get_address(peer: str, forwarded: str | None = None) -> str:
    meta = {"REMOTE_ADDR": peer} | (
        {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    )
    return get_client_address(SimpleNamespace(META=meta))


def test_the_header_is_not_believed_by_default() -> None:
    assert get_address("10.0.0.1", "1.2.3.4") == "10.0.0.1"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (1, "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.9", "1.2.3.4"),
        (2, "1.2.3.4", "10.0.0.1"),
        (1, "", "10.0.0.1"),
        (1, "unknown", "10.0.0.1"),
        (1, "1.2.3.4:5678", "1.2.3.4"),
        (1, "[2001:db8::1]:443", "2001:db8::1"),
        (1, "::ffff:1.2.3.4", "1.2.3.4"),
    ],
)
def test_forwarded_address_is_taken_only_from_trusted_proxies(
    settings: Any, proxies: int, forwarded: str, client: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert get_address("10.0.0.1", forwarded) == client


def test_missing_peer_address_becomes_zero() -> None:
    assert get_address("") == "0.0.0.0"


def test_limits_count_an_ipv6_client_by_its_network() -> None:
    assert (
        build_client_key("2001:db8:1:2:3:4:5:6")
        == build_client_key("2001:db8:1:2::9")
        == "2001:db8:1:2::"
    )
    assert build_client_key("1.2.3.4") == "1.2.3.4"
