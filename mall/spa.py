"""The page for every address that is not an API's: the shell with what it needs at once, so that no call is made for it."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from apps.common.redirects import allowed_origins
from apps.content.selectors.boot import boot_content
from apps.content.selectors.preview import preview_of
from mall.link_service import link_service_address

CHUNKS = Path(settings.BASE_DIR) / "static" / "app" / "chunk-groups.json"


@lru_cache(maxsize=4)
def _chunk_groups(_stamp: int) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(CHUNKS.read_text("utf-8"))
    return data


def chunks_for(path: str) -> dict[str, list[str]]:
    """Return the scripts, stylesheets and preloads of the screen at `path` as the build wrote them down."""
    try:
        groups = _chunk_groups(CHUNKS.stat().st_mtime_ns)
    except FileNotFoundError:
        return {"scripts": [], "stylesheets": [], "preloads": []}
    for route in groups["routes"]:
        if re.fullmatch(route["pattern"], path):
            return {"scripts": groups["entry"]["js"], "stylesheets": [*groups["entry"]["css"], *route["css"]], "preloads": route["js"]}
    return {"scripts": groups["entry"]["js"], "stylesheets": groups["entry"]["css"], "preloads": []}


def switches() -> dict[str, Any]:
    """Return what the page must know of the settings (frontend/src/lib/boot.ts)."""
    return {"OldMallMethod": settings.OLD_MALL_METHOD, "RedirectOrigins": allowed_origins(), "TestPages": settings.TEST_PAGES}


@never_cache
def spa(request: HttpRequest) -> HttpResponse:
    """Return the shell page; unknown addresses get it too, the page then shows its own 404. Phones may be sent away."""
    elsewhere = link_service_address(request)
    if elsewhere:
        return HttpResponseRedirect(elsewhere)
    context = {
        "boot": {**boot_content(preview_of(request.GET.get("preview", ""))), **switches()},
        "csp_nonce": getattr(request, "csp_nonce", ""),
        "mall_name": settings.MALL_NAME,
        **chunks_for(request.path),
    }
    is_there = settings.TEST_PAGES or not request.path.startswith("/test/")
    return render(request, "spa.html", context, status=200 if is_there else 404)
