"""Opens the tenant's scope around the whole request, streamed answers included."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from apps.common.staff_pages import asks_for_page
from apps.common.tenancy import no_scope, platform_scope, tenant_scope
from apps.identity.selectors.sign_in import account_of_bearer, acting_bearer
from apps.identity.tokens import Bearer, read_access_token
from apps.org.models import Account

Scope = Callable[[], AbstractContextManager[None]]


class TenantMiddleware:
    """Sets `request.account`, `.token_family` and `.bearer_refused`; the admin runs in the platform's scope, anonymous in none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        bearer, account, refused = bearer_account(request)
        is_api = request.path.startswith("/api/")
        # But for a page that staff open, the API knows tokens only: a staff session in the same browser is nobody there.
        staff = staff_of_session(request) if is_api and asks_for_page(request) else None
        if staff is not None and (bearer := acting_bearer(staff)) is not None:
            account = account_of_bearer(bearer)
        request.staff = staff  # type: ignore[attr-defined]
        if is_api:
            request.user = account or AnonymousUser()
        request.account = account  # type: ignore[attr-defined]
        request.bearer_refused = refused  # type: ignore[attr-defined]
        request.token_family = bearer.family if bearer and account else None  # type: ignore[attr-defined]
        scope = scope_of(request, account)
        with scope():
            response = self.get_response(request)
        if isinstance(response, StreamingHttpResponse):
            response.streaming_content = in_scope(response.streaming_content, scope)
        return response


def bearer_account(request: HttpRequest) -> tuple[Bearer | None, Account | None, bool]:
    """Return (bearer, account, refused): refused where a bearer was sent that is not, or no longer, good."""
    header = request.headers.get("Authorization", "")
    if not header:
        return None, None, False
    kind, _, text = header.partition(" ")
    bearer = read_access_token(text.strip()) if kind.lower() == "bearer" else None
    account = account_of_bearer(bearer) if bearer else None
    return bearer, account, account is None


def staff_of_session(request: HttpRequest) -> Account | None:
    """Return the member of staff whom the session of the back office names, or None."""
    user = request.user
    return user if isinstance(user, Account) and user.is_staff and user.is_active else None


def scope_of(request: HttpRequest, account: Account | None) -> Scope:
    """Return what opens the request's scope."""
    if request.path == "/admin" or request.path.startswith("/admin/"):
        return lambda: platform_scope(reason="admin")
    if account is not None and account.group_id is not None:
        group_id = account.group_id
        return lambda: tenant_scope(group_id=group_id)
    return no_scope


def in_scope(chunks: Any, scope: Scope) -> Generator[Any]:
    """Yield the chunks of a streamed answer, each made inside the scope that its request had."""
    iterator = iter(chunks)
    while True:
        with scope():
            try:
                chunk = next(iterator)
            except StopIteration:
                return
        yield chunk
