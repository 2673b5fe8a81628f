"""/report-mail/end/<key>: the one-click unsubscribe endpoint of RFC 8058. Mail programs post to
it when the reader clicks their 退订 button. It needs no sign-in and no cookie.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.reports.errors import LetterLinkUnknown
from apps.reports.services.letter_leave import PAGE, letters_end

ASKED = "List-Unsubscribe", "One-Click"


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def end_page(request: HttpRequest, key: str) -> HttpResponse:
    """Unsubscribe on a one-click POST. Redirect a browser to the 退订 page of the front end."""
    if request.method != "POST":
        return HttpResponseRedirect(PAGE)
    name, wanted = ASKED
    if request.POST.get(name) != wanted:
        return _said("请求不完整", 400)
    try:
        letters_end(key=key)
    except LetterLinkUnknown as unknown:
        return _said(unknown.text, 404)
    return _said("已退订", 200)


def _said(text: str, status: int) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)


urlpatterns = [path("end/<str:key>", end_page, name="report-mail-end")]
