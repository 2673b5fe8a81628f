"""The API as pages for staff: who has opened one, by the session of the back office (docs/decisions.md, Staff open the API as pages)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def asks_for_page(request: HttpRequest) -> bool:
    """Return whether a browser asks for a page of the API, and nobody has said who he is by a token.

    What the storefront asks is no page: a session of the back office in the same browser is nobody there.
    """
    return bool(settings.BROWSABLE_API) and "Authorization" not in request.headers and "text/html" in request.headers.get("Accept", "")


def staff_of(request: Any) -> Any:
    """Return the member of staff who has opened the API as a page, or None; the tenant middleware has found him."""
    return getattr(getattr(request, "_request", request), "staff", None)
