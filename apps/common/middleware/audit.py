"""Set the actor and the address of audit entries. The address comes from `get_client_address`, the
only trusted source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.common.audit import request_scope
from apps.common.requests import get_client_address


class AuditMiddleware:
    """Replaces the middleware of auditlog. The original writes the first X-Forwarded-For, which a
    client can forge, and connects a receiver of pre_save for each request.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with request_scope(actor=get_actor(request), address=get_client_address(request)):
            return self.get_response(request)


def get_actor(request: HttpRequest) -> Any:
    """Return the account of the request, or None. Changes that staff make while signed in as a
    customer are attributed to the staff member.
    """
    user: Any = request.user
    if not user.is_authenticated:
        return None
    return getattr(user, "impersonator", None) or user
