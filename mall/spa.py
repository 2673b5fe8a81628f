"""The HTML shell for every address that is not an API's. It contains the data that the page needs
at once, so that the page makes no call for it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from apps.common.redirects import list_allowed_origins
from apps.content.selectors.site import boot_content, read_preview_token
from mall.link_service import link_service_address

CHUNKS = Path(settings.BASE_DIR) / "static" / "app" / "chunk-groups.json"


@lru_cache(maxsize=4)
def _read_chunk_groups(_stamp: int) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(CHUNKS.read_text("utf-8"))
    return data


# Addresses whose identifier has a fixed format (spec section 2): route → format.
FORMS = {
    "/:code.html": re.compile(r"/[0-9]{1,18}\.html", re.IGNORECASE),
    "/help/detail/:number": re.compile(r"/help/detail/(?:[1-9]|1[0-5])", re.IGNORECASE),
}
NOWHERE = "*"


@dataclass(frozen=True, slots=True)
class Screen:
    """The chunks of the screen at an address, as recorded by the build."""

    scripts: list[str]
    stylesheets: list[str]
    preloads: list[str]
    is_there: bool


def find_screen(path: str) -> Screen:
    """Return the screen at `path`, or the not-found screen. Without a build every address counts as
    a screen.
    """
    try:
        groups = _read_chunk_groups(CHUNKS.stat().st_mtime_ns)
    except FileNotFoundError:
        return Screen([], [], [], is_there=True)
    entry, path = groups["entry"], path.rstrip("/") or "/"
    for route in groups["routes"]:
        if re.fullmatch(
            route["pattern"], path, re.IGNORECASE
        ):  # as the page's router reads addresses
            form = FORMS.get(route["path"])
            is_there = route["path"] != NOWHERE and (
                form is None or form.fullmatch(path) is not None
            )
            return Screen(
                entry["js"], [*entry["css"], *route["css"]], route["js"], is_there=is_there
            )
    return Screen(entry["js"], entry["css"], [], is_there=False)


def switches() -> dict[str, Any]:
    """Return the settings that the page needs (frontend/src/lib/boot.ts)."""
    return {
        "OldMallMethod": settings.OLD_MALL_METHOD,
        "RedirectOrigins": list_allowed_origins(),
        "TestPages": settings.TEST_PAGES,
    }


@never_cache
def spa(request: HttpRequest) -> HttpResponse:
    """Return the shell page, or a redirect for phones. An unknown address gets the shell with
    status 404.
    """
    elsewhere = link_service_address(request)
    if elsewhere:
        return HttpResponseRedirect(elsewhere)
    screen = find_screen(request.path)
    context = {
        "boot": {**boot_content(read_preview_token(request.GET.get("preview", ""))), **switches()},
        "csp_nonce": getattr(request, "csp_nonce", ""),
        "mall_name": settings.MALL_NAME,
        "screen": screen,
    }
    is_there = screen.is_there and (settings.TEST_PAGES or not request.path.startswith("/test/"))
    return render(request, "spa.html", context, status=200 if is_there else 404)
