"""Redirect back-office addresses without a final slash to the address with the slash.

The setting APPEND_SLASH is off, because addresses outside the back office have one form only.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve


def admin_slash(request: HttpRequest) -> HttpResponse:
    """Return a redirect to the back-office page at this address plus a slash.

    Raises:
        Http404: no such page exists, or the request has a body, which a redirect would lose.
    """
    if request.method in ("GET", "HEAD"):
        try:
            page = resolve(f"{request.path_info}/").func
        except Resolver404:
            raise Http404 from None
        # Django marks the admin's catch-all view with this attribute.
        if getattr(page, "should_append_slash", True):
            return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
    raise Http404
