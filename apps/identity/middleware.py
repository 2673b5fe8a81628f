"""Opens the tenant's scope for the whole request, streamed answers included, ends sessions of the
back office without a required second factor, and asks for a proof before a dangerous act.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from apps.common.requests import MallRequest, is_api_page_request
from apps.common.tenancy import no_scope, platform_scope, tenant_scope
from apps.identity.selectors import find_account_of_bearer, get_acting_bearer
from apps.identity.services.second_factor import has_second_factor
from apps.identity.tokens import Bearer, read_access_token
from apps.office.proof import PROVED_AT, ask_for_proof, is_proof_needed
from apps.org.models import Account

Scope = Callable[[], AbstractContextManager[None]]


class TenantMiddleware:
    """Sets `request.account`, `.token_family` and `.bearer_refused`. The admin runs in the
    platform scope. Anonymous requests have no scope.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: MallRequest) -> HttpResponseBase:
        bearer, account, is_bearer_refused = get_bearer_account(request)
        is_api = request.path.startswith("/api/")
        # The API accepts only tokens, except for pages that staff open. Otherwise it ignores a
        # staff session in the same browser.
        staff = find_staff_of_session(request) if is_api and is_api_page_request(request) else None
        if staff is not None and (bearer := get_acting_bearer(staff)) is not None:
            account = find_account_of_bearer(bearer)
        request.staff = staff
        if is_api:
            request.user = account or AnonymousUser()
        request.account = account
        request.bearer_refused = is_bearer_refused
        request.token_family = bearer.family if bearer and account else None
        scope = build_scope(request, account)
        with scope():
            response = self.get_response(request)
        if isinstance(response, StreamingHttpResponse):
            response.streaming_content = iterate_in_scope(response.streaming_content, scope)
        return response


class SecondFactorMiddleware:
    """Ends a session of the back office that has no second factor where one is required, for
    example one that began before it was required. Asks for a fresh proof before each act of
    `DANGEROUS_ACTS` and `DANGEROUS_SAVES`, also in a session from before the person had a second
    factor.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if (
            settings.STAFF_SECOND_FACTOR
            and SESSION_KEY in request.session
            and PROVED_AT not in request.session
        ):
            logout(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: Any, _args: Any, _kwargs: Any
    ) -> HttpResponseBase | None:
        """Return the answer that asks for a proof, or None."""
        if not is_proof_needed(request):
            return None
        staff = find_staff_of_session(request)
        return ask_for_proof(request) if staff and has_second_factor(staff) else None


def get_bearer_account(request: HttpRequest) -> tuple[Bearer | None, Account | None, bool]:
    """Return (bearer, account, refused). `refused` is true if the request has an `Authorization`
    header without a bearer, or whose bearer is invalid, expired, revoked or of a disabled account.
    """
    header = request.headers.get("Authorization", "")
    if not header:
        return None, None, False
    kind, _, text = header.partition(" ")
    bearer = read_access_token(text.strip()) if kind.lower() == "bearer" else None
    account = find_account_of_bearer(bearer) if bearer else None
    return bearer, account, account is None


def find_staff_of_session(request: HttpRequest) -> Account | None:
    """Return the staff account of the back office session, or None."""
    user = request.user
    return user if isinstance(user, Account) and user.is_staff and user.is_active else None


def build_scope(request: HttpRequest, account: Account | None) -> Scope:
    """Return the context manager that opens the request's scope."""
    if request.path == "/admin" or request.path.startswith("/admin/"):
        return lambda: platform_scope(reason="admin")
    if account is not None and account.group_id is not None:
        group_id = account.group_id
        return lambda: tenant_scope(group_id=group_id)
    return no_scope


def iterate_in_scope(chunks: Any, scope: Scope) -> Generator[Any]:
    """Yield the chunks of a streamed answer. Each chunk is created inside the request's scope."""
    iterator = iter(chunks)
    while True:
        with scope():
            try:
                chunk = next(iterator)
            except StopIteration:
                return
        yield chunk
