"""Bearer authentication for DRF. TenantMiddleware has already resolved the token and opened the
tenant scope; this class passes its result to DRF.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from apps.common.api.access import access_of
from apps.common.errors import Forbidden, NotLoggedIn
from apps.common.staff_pages import staff_of


class BearerAuthentication(BaseAuthentication):
    """Return `request.account` for a valid token, and 401 for an invalid one. On public routes
    an invalid token counts as anonymous.

    Requests from the browsable API use the staff session. They need the CSRF token of the page for
    every write.
    """

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        if staff_of(request) is not None:
            try:
                SessionAuthentication().enforce_csrf(request)
            except PermissionDenied:
                # The error page reads request.user, which would authenticate again.
                request.user = AnonymousUser()
                raise Forbidden("页面已过期或请求来自其他网站，请刷新页面后重新提交") from None
        account = getattr(request._request, "account", None)
        if account is not None:
            return account, None
        if getattr(request._request, "bearer_refused", False) and not self._is_public(request):
            raise NotLoggedIn
        return None

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme, so that DRF answers anonymous calls with 401 instead of 403."""
        return "Bearer"

    @staticmethod
    def _is_public(request: Request) -> bool:
        view = (request.parser_context or {}).get("view")
        access = access_of(view, getattr(view, "action", None))
        return access is not None and access.kind == "public"
