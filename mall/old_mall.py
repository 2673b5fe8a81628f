"""/old-mall/: the demo's stand-in for the old mall; it shows what it was sent. Server-rendered, no script."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.common.redirects import safe_target
from apps.common.tenancy import platform_scope
from apps.identity.services.old_mall import old_mall_ticket_use
from apps.org.models import Account

PATH = "/old-mall/"
TICKET = "token"
MOST_SHOWN = 20


@never_cache
@csrf_exempt  # the storefront may post a hidden form here as to any other system; nothing but the ticket in it is believed
@require_http_methods(["GET", "POST"])
def old_mall(request: HttpRequest) -> HttpResponse:
    """Use the ticket up, and show it and all else that came.

    Raises:
        Http404: the old mall is a system of its own here.
    """
    address = urlsplit(settings.OLD_MALL_URL)
    if address.netloc or address.path != PATH:
        raise Http404
    sent = request.POST if request.method == "POST" else request.GET
    ticket = sent.get(TICKET, "")
    # An account's enterprise belongs to its group, which nobody knows before the ticket is read.
    with platform_scope(reason="old mall demo page"):
        context = {
            "person": _person(ticket),
            "had_ticket": bool(ticket),
            "rows": _rows(sent),
            "method": request.method,
            "back": _back(request, sent.get("returnUrl", "")),
        }
        return render(request, "old_mall.html", context)


def _back(request: HttpRequest, return_url: str) -> str:
    """Return the page of this site that one came from, with the word that takes the cookie away; home for any other address."""
    own = return_url.removeprefix(f"{request.scheme}://{request.get_host()}")
    parts = urlsplit(safe_target(own if own.startswith("/") else None) or "/")
    query = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name != "MallVersion"]
    return urlunsplit(parts._replace(query=urlencode([*query, ("MallVersion", "new")])))


def _person(ticket: str) -> Account | None:
    return old_mall_ticket_use(ticket=ticket) if ticket else None


def _rows(sent: QueryDict) -> list[tuple[str, str]]:
    """Return what was sent, the ticket cut short: it is a secret until it is used."""
    rows = [(name, value) for name, values in sent.lists() for value in values][:MOST_SHOWN]
    return [(name[:60], f"{value[:6]}…（一次性票据）" if name == TICKET else value[:300]) for name, value in rows]
