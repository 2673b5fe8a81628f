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
from apps.reports.services.unsubscribe import UNSUBSCRIBE_PAGE, unsubscribe_one_click

ONE_CLICK_FIELD, ONE_CLICK_VALUE = "List-Unsubscribe", "One-Click"


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def end_page(request: HttpRequest, key: str) -> HttpResponse:
    """Unsubscribe on a one-click POST. Redirect a browser to the 退订 page of the front end."""
    if request.method != "POST":
        return HttpResponseRedirect(UNSUBSCRIBE_PAGE)
    if request.POST.get(ONE_CLICK_FIELD) != ONE_CLICK_VALUE:
        return _text_response("请求不完整", 400)
    try:
        unsubscribe_one_click(key=key)
    except LetterLinkUnknown as unknown:
        return _text_response(unknown.text, 404)
    return _text_response("已退订", 200)


def _text_response(text: str, status: int) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)


urlpatterns = [path("end/<str:key>", end_page, name="report-mail-end")]
