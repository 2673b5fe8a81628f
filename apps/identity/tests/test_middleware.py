"""The middleware that opens the tenant scope of a request."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory
from django.utils import timezone

from apps.common.tenancy import Scope, no_scope, open_scope
from apps.common.testing import ApiClient, assert_queries
from apps.identity.middleware import TenantMiddleware
from apps.identity.models import TokenFamily
from apps.identity.tokens import create_access_token
from apps.org.models import Account


def sign_in_account(account: Account) -> str:
    return ApiClient(account).bearer


def get_scope_inside(path: str, token: str = "") -> tuple[Scope | None, Account | None, bool]:
    request: Any = RequestFactory().get(
        path, headers={"Authorization": f"Bearer {token}"} if token else {}
    )
    seen: list[Scope | None] = []

    def view(_: object) -> HttpResponse:
        seen.append(open_scope())
        return HttpResponse()

    TenantMiddleware(view)(request)
    return seen[0], request.account, request.bearer_refused


def test_a_good_bearer_opens_its_groups_scope(buyer: Account) -> None:
    token = sign_in_account(buyer)
    with no_scope():
        scope, account, refused = get_scope_inside("/api/Profile", token)

    assert scope == Scope(group_id=buyer.group_id)
    assert (account, refused) == (buyer, False)


def test_bearer_authentication_takes_one_query(buyer: Account) -> None:
    token = sign_in_account(buyer)
    with assert_queries(1):
        _, account, _ = get_scope_inside("/api/Profile", token)
        assert account
        assert account.group
        assert account.enterprise


def test_anonymous_request_has_no_scope_inside_another_scope(buyer: Account) -> None:
    assert get_scope_inside("/api/Profile") == (None, None, False)


@pytest.mark.parametrize("token", ["x", "a.b.c", "eyJhbGciOiJub25lIn0.eyJ1aWQiOiIxIn0."])
def test_a_bad_bearer_is_refused_and_has_no_scope(buyer: Account, token: str) -> None:
    assert get_scope_inside("/api/Profile", token) == (None, None, True)


@pytest.mark.parametrize("claims", [{"exp": int(time.time()) - 1}, {"token_type": "refresh"}])
def test_expired_or_foreign_bearer_token_is_refused(
    buyer: Account, claims: dict[str, object]
) -> None:
    valid = jwt.decode(sign_in_account(buyer), options={"verify_signature": False})
    token = jwt.encode({**valid, **claims}, settings.SECRET_KEY)

    assert get_scope_inside("/api/Profile", token) == (None, None, True)


def test_a_disabled_account_is_refused_at_once(buyer: Account) -> None:
    token = sign_in_account(buyer)
    buyer.is_active = False
    buyer.save()

    assert get_scope_inside("/api/Profile", token) == (None, None, True)


def test_an_account_of_a_disabled_group_is_refused(buyer: Account) -> None:
    token = sign_in_account(buyer)
    assert buyer.group
    buyer.group.is_active = False
    buyer.group.save()

    assert get_scope_inside("/api/Profile", token) == (None, None, True)


def test_a_revoked_sign_in_is_refused(buyer: Account) -> None:
    token = sign_in_account(buyer)
    TokenFamily.objects.update(revoked_at=timezone.now())

    assert get_scope_inside("/api/Profile", token) == (None, None, True)


def test_bearer_with_the_family_of_another_account_is_refused(buyer: Account, ga: Account) -> None:
    sign_in_account(buyer)
    forged = create_access_token(account=ga, family=TokenFamily.objects.get().public_id)

    assert get_scope_inside("/api/Profile", forged) == (None, None, True)


def test_the_bearers_account_is_whole(buyer: Account) -> None:
    token = sign_in_account(buyer)
    with no_scope():
        _, account, _ = get_scope_inside("/api/Profile", token)

    with assert_queries(0):
        assert account
        assert account.__dict__.keys() >= {field.attname for field in Account._meta.concrete_fields}
        assert (account.group, account.enterprise, account.department) == (
            buyer.group,
            buyer.enterprise,
            buyer.department,
        )


def test_the_admin_runs_in_the_platforms_scope(db: None) -> None:
    assert get_scope_inside("/admin/org/group/")[0] == Scope(group_id=None, platform_reason="admin")


def test_a_page_that_merely_begins_like_the_admin_does_not(db: None) -> None:
    assert get_scope_inside("/administrator")[0] is None


def test_a_streamed_answer_is_made_inside_the_scope_and_leaves_none_behind(buyer: Account) -> None:
    token = sign_in_account(buyer)

    def chunks() -> Iterator[bytes]:
        yield str(open_scope()).encode()
        yield str(Account.objects.count()).encode()

    request = RequestFactory().get("/api/Export", headers={"Authorization": f"Bearer {token}"})
    with no_scope():
        response = TenantMiddleware(lambda _: StreamingHttpResponse(chunks()))(request)
        assert isinstance(response, StreamingHttpResponse)
        first, second = list(response.streaming_content)
        assert open_scope() is None

    assert first == str(Scope(group_id=buyer.group_id)).encode()
    assert second == b"1"
