"""/old-mall/: the demo's stand-in for the old mall. It shows the data that it receives.
Server-rendered, no script.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.common.redirects import get_safe_target
from apps.common.tenancy import platform_scope
from apps.identity.services.session_key import old_mall_ticket_use
from apps.org.models import Account

PATH = "/old-mall/"
TICKET = "token"
MAX_FIELDS = 20


@never_cache
# The storefront posts a hidden form here, as to any other system. Only its ticket is trusted.
@csrf_exempt
@require_http_methods(["GET", "POST"])
def old_mall(request: HttpRequest) -> HttpResponse:
    """Consume the ticket, and show it together with all other received data.

    Raises:
        Http404: OLD_MALL_URL names a real old mall.
    """
    address = urlsplit(settings.OLD_MALL_URL)
    if address.netloc or address.path != PATH:
        raise Http404
    sent = request.POST if request.method == "POST" else request.GET
    ticket = sent.get(TICKET, "")
    # The group is unknown before the ticket is read, and an enterprise is in its group's scope.
    with platform_scope(reason="old mall demo page"):
        context = {
            "person": _use_ticket(ticket),
            "had_ticket": bool(ticket),
            "rows": _list_received_data(sent),
            "method": request.method,
            "back": _build_return_url(request, sent.get("returnUrl", "")),
        }
        return render(request, "old_mall.html", context)


def _build_return_url(request: HttpRequest, return_url: str) -> str:
    """Return the previous page of this site with the parameter that removes the cookie; the home
    page for any other address.
    """
    own = return_url.removeprefix(f"{request.scheme}://{request.get_host()}")
    parts = urlsplit(get_safe_target(own if own.startswith("/") else None) or "/")
    query = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if name != "MallVersion"
    ]
    return urlunsplit(parts._replace(query=urlencode([*query, ("MallVersion", "new")])))


def _use_ticket(ticket: str) -> Account | None:
    return old_mall_ticket_use(ticket=ticket) if ticket else None


def _list_received_data(sent: QueryDict) -> list[tuple[str, str]]:
    """Return the received data with a shortened ticket, because the ticket is a secret until it is
    consumed.
    """
    rows = [(name, value) for name, values in sent.lists() for value in values][:MAX_FIELDS]
    return [
        (name[:60], f"{value[:6]}…（一次性票据）" if name == TICKET else value[:300])
        for name, value in rows
    ]
