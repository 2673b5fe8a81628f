"""Redirect phones to the link service, with path and query (spec, section 4)."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

PHONES = re.compile(
    (
        r"Android|webOS|iPhone|iPad|iPod|BlackBerry|BB10|IEMobile|Windows Phone|Opera Mini|"
        r"HarmonyOS|Mobile"
    ),
    re.IGNORECASE,
)
LOCAL = re.compile(r"localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]")


def link_service_address(request: HttpRequest) -> str | None:
    """Return the address to which a phone is redirected, or None for other devices and if the
    setting is off.

    The spec asks for the test host on non-local hosts, and the production host otherwise.
    """
    if not settings.MOBILE_REDIRECT or not PHONES.search(request.headers.get("User-Agent", "")):
        return None
    is_local = LOCAL.fullmatch(split_domain_port(request.get_host())[0]) is not None
    host = settings.LINK_SERVICE_URL if is_local else settings.LINK_SERVICE_TEST_URL
    return f"{host.rstrip('/')}{request.get_full_path()}"
