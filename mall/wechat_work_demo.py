"""/wechat-work-demo/: the demo's stand-in for 企业微信's page, where the user chooses the person
who scans the code. Server-rendered, no script.
"""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods

from apps.identity.wechat_work import (
    MEMBERS,
    STRANGER,
    UNAVAILABLE,
    DemoWeChatWork,
    get_wechat_work_provider,
)

CALLBACK = "/wechat-work-auth"
WRONG_CALLBACK = "redirect_uri 与配置的可信域名不一致"
SUBJECTS = frozenset({STRANGER, UNAVAILABLE, *(member.user_id for member in MEMBERS)})


@never_cache
@csrf_protect
@require_http_methods(["GET", "POST"])
def wechat_work_demo(request: HttpRequest) -> HttpResponse:
    """Show the people who may scan. After a POST, redirect back with a code and the state, as
    企业微信 does after consent.

    Raises:
        Http404: the real 企业微信 is configured, or sign-in with it is off.
    """
    if settings.WECHAT_WORK_CORP_ID or not settings.DEMO_MODE:
        raise Http404
    provider = get_wechat_work_provider()
    callback, state = request.GET.get("redirect_uri", ""), request.GET.get("state", "")
    problem = _find_problem(request, callback, state)
    subject = request.POST.get("subject", "")
    if (
        not problem
        and isinstance(provider, DemoWeChatWork)
        and request.method == "POST"
        and subject in SUBJECTS
    ):
        return HttpResponseRedirect(
            f"{CALLBACK}?{urlencode({'code': provider.create_code(subject), 'state': state})}"
        )
    context = {"members": MEMBERS, "stranger": STRANGER, "away": UNAVAILABLE, "problem": problem}
    return render(request, "wechat_work_demo.html", context, status=400 if problem else 200)


def _find_problem(request: HttpRequest, callback: str, state: str) -> str:
    """Return the error that 企业微信 would report, or "": it redirects only to the trusted
    domain.
    """
    try:
        parts = urlsplit(callback)
    except ValueError:
        return WRONG_CALLBACK
    if parts.netloc != request.get_host() or parts.path != CALLBACK:
        return WRONG_CALLBACK
    return "" if state.isalnum() else "缺少 state 参数"
