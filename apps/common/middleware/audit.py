"""Set the actor and the address of audit entries. The address comes from `client_address`, the
only trusted source.
"""

from __future__ import annotations

from typing import Any

from auditlog.middleware import AuditlogMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.common.audit import request_address_scope
from apps.common.requests import client_address


class AuditMiddleware(AuditlogMiddleware):
    """Auditlog's middleware with a trusted address. The original writes the first
    X-Forwarded-For, which a client can forge, and fails if it is not an address.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with request_address_scope(client_address(request)):
            answer: HttpResponseBase = super().__call__(request)
        return answer

    @staticmethod
    def _get_actor(request: HttpRequest) -> Any:
        """Changes that staff make while signed in as a customer are attributed to the staff
        member.
        """
        user = AuditlogMiddleware._get_actor(request)
        return getattr(user, "impersonator", None) or user

    @staticmethod
    def _get_remote_addr(request: HttpRequest) -> str:
        return client_address(request)

    @staticmethod
    def _get_remote_port(request: HttpRequest) -> None:
        """Return None: the port identifies nobody, and a client can forge X-Forwarded-Port."""
