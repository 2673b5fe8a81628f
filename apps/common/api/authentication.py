"""The bearer authenticator. TenantMiddleware has already looked the token up and opened the scope; this hands its finding to DRF."""

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
    """`request.account` when the bearer is good; 401 when it is bad, except on public routes, where it counts as anonymous.

    What a page of the staff asks comes with their session: of it no write is taken without the page's own token.
    """

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        if staff_of(request) is not None:
            try:
                SessionAuthentication().enforce_csrf(request)
            except PermissionDenied:
                request.user = AnonymousUser()  # the page that says so asks for him again
                raise Forbidden("页面已过期或请求来自其他网站，请刷新页面后重新提交") from None
        account = getattr(request._request, "account", None)
        if account is not None:
            return account, None
        if getattr(request._request, "bearer_refused", False) and not self._is_public(request):
            raise NotLoggedIn
        return None

    def authenticate_header(self, request: Request) -> str:
        """Make DRF answer 401 rather than 403 to anonymous."""
        return "Bearer"

    @staticmethod
    def _is_public(request: Request) -> bool:
        view = (request.parser_context or {}).get("view")
        access = access_of(view, getattr(view, "action", None))
        return access is not None and access.kind == "public"
