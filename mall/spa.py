"""The page for every address that is not an API's: the shell with what it needs at once, so that no call is made for it."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from apps.content.selectors.boot import boot_content

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


@never_cache
def spa(request: HttpRequest) -> HttpResponse:
    """Return the shell page; unknown addresses get it too, the page then shows its own 404."""
    context = {
        "boot": boot_content(),
        "csp_nonce": getattr(request, "csp_nonce", ""),
        "mall_name": settings.MALL_NAME,
        **chunks_for(request.path),
    }
    return render(request, "spa.html", context)
