"""The browsable API for staff: find the staff member by the back-office session
(docs/decisions.md, Staff open the API as pages).
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def is_api_page_request(request: HttpRequest) -> bool:
    """Return whether a browser without a bearer token requests an HTML page of the API.

    Calls of the storefront are never page requests, so a back-office session in the same browser
    does not apply to them.
    """
    return (
        bool(settings.BROWSABLE_API)
        and "Authorization" not in request.headers
        and "text/html" in request.headers.get("Accept", "")
    )


def staff_of(request: Any) -> Any:
    """Return the member of staff who opened the API as a page, or None.

    The tenant middleware sets the attribute.
    """
    return getattr(getattr(request, "_request", request), "staff", None)
