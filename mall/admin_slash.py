"""An address of the back office without its last slash leads on to the one with it, as Django's APPEND_SLASH would.

The setting itself is off: outside the back office an address has one form.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve


def admin_slash(request: HttpRequest) -> HttpResponse:
    """Return the redirect to the page of the back office that is there under this address and a slash.

    Raises:
        Http404: there is none, or something is sent: a redirect would lose it.
    """
    if request.method in ("GET", "HEAD"):
        try:
            page = resolve(f"{request.path_info}/").func
        except Resolver404:
            raise Http404 from None
        # Django's own mark of a view that takes any address, as the back office's last one does.
        if getattr(page, "should_append_slash", True):
            return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
    raise Http404
