"""Who did it, from where, in the back office's log: from the one address that client_address believes."""

from __future__ import annotations

from typing import Any

from auditlog.middleware import AuditlogMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.common.audit import request_from
from apps.common.client_address import client_address


class AuditMiddleware(AuditlogMiddleware):  # type: ignore[misc]
    """auditlog's own would write the first X-Forwarded-For, which anyone may invent, and fail on one that is no address."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with request_from(client_address(request)):
            answer: HttpResponseBase = super().__call__(request)
        return answer

    @staticmethod
    def _get_actor(request: HttpRequest) -> Any:
        """What staff change as a customer is theirs."""
        user = AuditlogMiddleware._get_actor(request)
        return getattr(user, "impersonator", None) or user

    @staticmethod
    def _get_remote_addr(request: HttpRequest) -> str:
        return client_address(request)

    @staticmethod
    def _get_remote_port(request: HttpRequest) -> None:
        """The port says nothing of a person, and X-Forwarded-Port is anyone's to invent."""
