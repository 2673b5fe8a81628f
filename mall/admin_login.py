"""Sign-in to the back office: Django's view, and after a success a cookie for the known device."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponseBase

from apps.identity.known_device import remember_device
from mall.admin_second_factor import begin_second_step


def admin_login(request: HttpRequest) -> HttpResponseBase:
    """Return the sign-in page, or after a success a redirect: to the second step, or into the
    back office with the cookie of a known device.
    """
    answer: HttpResponseBase = admin.site.login(request)
    if request.method == "POST" and answer.status_code == 302 and request.user.is_authenticated:
        username = request.user.get_username()
        answer = begin_second_step(request, answer)
        # A second step remembers the device itself, after its success.
        if request.user.is_authenticated:
            remember_device(request=request, response=answer, username=username)
    return answer
