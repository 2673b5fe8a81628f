"""The bearer authenticator. TenantMiddleware has already looked the token up and opened the scope; this hands its finding to DRF."""

from __future__ import annotations

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.common.api.access import access_of
from apps.common.errors import NotLoggedIn


class BearerAuthentication(BaseAuthentication):
    """`request.account` when the bearer is good; 401 when it is bad, except on public routes, where it counts as anonymous."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
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
