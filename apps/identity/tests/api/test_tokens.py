"""POST /api/Account/RefreshToken: rotation, grace period, reuse."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.common.testing import Answer, ApiClient, assert_queries
from apps.identity.models import TokenFamily
from apps.identity.tokens import RefreshToken, hash_text
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD

REFRESH = "/api/Account/RefreshToken"


@pytest.fixture
def tokens(api: ApiClient, buyer: Account) -> dict[str, Any]:
    body: dict[str, Any] = api.post(
        "/api/Account/Login", {"UserName": "buyer", "Password": PASSWORD}
    ).body
    return body


def refresh(token: str, account: Account) -> Answer:
    return ApiClient().post(REFRESH, {"RefreshToken": token, "UserId": str(account.pk)})


def let_grace_pass() -> None:
    """Make the last rotations 21 s old, so that the grace period is over."""
    for family in TokenFamily.objects.all():
        family.rotations = [[generation, at - 21] for generation, at in family.rotations]
        family.save()


def test_a_refresh_gives_a_new_pair_that_works(tokens: dict[str, Any], buyer: Account) -> None:
    answer = refresh(tokens["RefreshToken"], buyer)

    assert answer.body["RefreshToken"] != tokens["RefreshToken"]
    assert ApiClient(bearer=answer.body["Token"]).get("/api/Account/Profile").ok


def test_the_table_keeps_no_token(tokens: dict[str, Any]) -> None:
    family = TokenFamily.objects.get()

    assert family.token_hash == hash_text(tokens["RefreshToken"].split(".")[2])
    assert tokens["RefreshToken"].split(".")[2] not in str(TokenFamily.objects.values().get())


def test_within_the_grace_an_elder_gets_the_same_successor(
    tokens: dict[str, Any], buyer: Account
) -> None:
    first, second = refresh(tokens["RefreshToken"], buyer), refresh(tokens["RefreshToken"], buyer)

    assert first.body["RefreshToken"] == second.body["RefreshToken"]
    assert TokenFamily.objects.get().generation == 1


def test_an_elder_of_two_rotations_within_the_grace_gets_the_youngest(
    tokens: dict[str, Any], buyer: Account
) -> None:
    youngest = refresh(refresh(tokens["RefreshToken"], buyer).body["RefreshToken"], buyer).body[
        "RefreshToken"
    ]

    assert refresh(tokens["RefreshToken"], buyer).body["RefreshToken"] == youngest


def test_an_elder_after_the_grace_ends_the_family(tokens: dict[str, Any], buyer: Account) -> None:
    heir = refresh(tokens["RefreshToken"], buyer).body
    let_grace_pass()

    replayed = refresh(tokens["RefreshToken"], buyer)
    assert (replayed.status, replayed.ok, replayed.code, replayed.message) == (
        200,
        False,
        "not_logged_in",
        "登录已过期，请重新登录",
    )
    assert not refresh(heir["RefreshToken"], buyer).ok
    assert ApiClient(bearer=heir["Token"]).get("/api/Account/Profile").status == 401


def test_the_youngest_after_the_grace_rotates_on(tokens: dict[str, Any], buyer: Account) -> None:
    heir = refresh(tokens["RefreshToken"], buyer).body["RefreshToken"]
    let_grace_pass()

    assert refresh(heir, buyer).ok


def test_a_forged_elder_neither_refreshes_nor_ends_the_family(
    tokens: dict[str, Any], buyer: Account
) -> None:
    heir = refresh(tokens["RefreshToken"], buyer).body["RefreshToken"]
    let_grace_pass()
    forged = str(RefreshToken.create_first(TokenFamily.objects.get().public_id))

    assert not refresh(forged, buyer).ok
    assert refresh(heir, buyer).ok


def test_reuse_in_one_token_family_keeps_the_others(
    tokens: dict[str, Any], api: ApiClient, buyer: Account
) -> None:
    other = api.post("/api/Account/Login", {"UserName": "buyer", "Password": PASSWORD}).body
    refresh(tokens["RefreshToken"], buyer)
    let_grace_pass()
    refresh(tokens["RefreshToken"], buyer)

    assert refresh(other["RefreshToken"], buyer).ok


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        f"{uuid.UUID(int=1).hex}.0.{'A' * 43}",
        f"{uuid.UUID(int=2).hex}.999999.{'A' * 43}",
        "a" * 200,
    ],
)
def test_an_unknown_token_is_refused_at_200(buyer: Account, token: str) -> None:
    answer = refresh(token, buyer)

    assert (answer.status, answer.ok, answer.code) == (200, False, "not_logged_in")


def test_refresh_with_another_user_id_is_refused_and_keeps_the_token(
    tokens: dict[str, Any], buyer: Account, ga: Account
) -> None:
    assert refresh(tokens["RefreshToken"], ga).message == "用户信息不存在"
    assert refresh(tokens["RefreshToken"], buyer).ok


def test_refresh_without_a_user_id_is_refused(tokens: dict[str, Any]) -> None:
    assert (
        ApiClient().post(REFRESH, {"RefreshToken": tokens["RefreshToken"]}).message
        == "用户信息不存在"
    )


def test_a_disabled_account_is_refused_at_200(tokens: dict[str, Any], buyer: Account) -> None:
    buyer.is_active = False
    buyer.save()

    answer = refresh(tokens["RefreshToken"], buyer)
    assert (answer.status, answer.ok) == (200, False)


def test_a_deleted_account_is_refused_at_200(tokens: dict[str, Any], buyer: Account) -> None:
    pk = buyer.pk
    buyer.delete()

    answer = ApiClient().post(REFRESH, {"RefreshToken": tokens["RefreshToken"], "UserId": str(pk)})
    assert (answer.status, answer.ok) == (200, False)


def test_an_expired_family_is_refused(tokens: dict[str, Any], buyer: Account) -> None:
    TokenFamily.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert not refresh(tokens["RefreshToken"], buyer).ok


def test_a_refresh_with_a_bad_bearer_is_heard(tokens: dict[str, Any], buyer: Account) -> None:
    body = {"RefreshToken": tokens["RefreshToken"], "UserId": str(buyer.pk)}

    assert ApiClient(bearer="expired").post(REFRESH, body).ok


def test_a_refresh_costs_four_queries(tokens: dict[str, Any], buyer: Account) -> None:
    with assert_queries(4):  # family, account, rotation, roles
        refresh(tokens["RefreshToken"], buyer)


def test_a_bearer_that_was_read_before_ends_with_its_time(
    buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = ApiClient(buyer)
    assert api.get("/api/Account/Profile").status == 200
    later = timezone.now() + timedelta(minutes=10, seconds=1)
    monkeypatch.setattr("apps.identity.tokens.timezone.now", lambda: later)
    assert api.get("/api/Account/Profile").status == 401
