"""Impersonation (以客户身份登录): staff act as a customer for half an hour.

The session is recorded in the log. Staff cannot pay or change the customer's contacts and password.
"""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.utils import timezone

from apps.common.errors import ValidationFailed
from apps.common.events import list_events
from apps.common.tenancy import platform_scope
from apps.common.testing import Answer, ApiClient, assert_queries
from apps.common.testing.client import make_key
from apps.identity.errors import NotImpersonated
from apps.identity.models import SessionKey, SessionKeyIssuer, TokenFamily
from apps.identity.selectors import find_account_of_bearer
from apps.identity.services.session_key import impersonation_begin, session_key_issue
from apps.identity.tokens import read_access_token
from apps.orders.models import Order
from apps.org.models import Account, OrganisationChange
from apps.org.tests.factories import PASSWORD
from apps.org.tests.office import create_staff

PROFILE = "/api/Account/Profile"
WHY = "客户来电，协助对账"


def sign_in(account: Account, staff: Account) -> Answer:
    key = impersonation_begin(actor=staff, account=account, reason=WHY)
    return ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key, "adminLogin": "1"})


@pytest.fixture
def tokens(buyer: Account, staff: Account) -> dict[str, Any]:
    body: dict[str, Any] = sign_in(buyer, staff).body
    return body


@pytest.fixture
def acting(tokens: dict[str, Any]) -> ApiClient:
    """Return a client that acts as `buyer` with the token of the impersonation."""
    return ApiClient(bearer=tokens["Token"])


def build_claims(token: str) -> dict[str, Any]:
    middle = token.split(".")[1]
    result: dict[str, Any] = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    return result


def dismiss_staff(staff: Account) -> None:
    with platform_scope(reason="test"):
        assert Account.objects.filter(pk=staff.pk).update(is_active=False) == 1


def let_half_an_hour_pass() -> None:
    TokenFamily.objects.update(expires_at=timezone.now())


def log() -> list[tuple[int | None, Any]]:
    entries = LogEntry.objects.filter(
        content_type__model="account", action=LogEntry.Action.ACCESS
    ).order_by("pk")
    return [(entry.actor_id, entry.changes_dict["以客户身份登录"][1]) for entry in entries]


def test_impersonating_staff_see_the_customer_profile(acting: ApiClient) -> None:
    assert acting.get(PROFILE).body["UserName"] == "buyer"


def test_impersonation_token_contains_the_actor_the_reason_and_its_seconds(
    tokens: dict[str, Any],
) -> None:
    texts = build_claims(tokens["Token"])["Acting"]

    assert (texts["By"], texts["Reason"]) == ("运营", WHY)
    assert 1795 <= texts["Seconds"] <= 1800


def test_customer_token_contains_no_impersonation_claim(api: ApiClient, buyer: Account) -> None:
    answer = api.post("/api/Account/Login", {"UserName": buyer.username, "Password": PASSWORD})

    assert "Acting" not in build_claims(answer.body["Token"])


def test_impersonation_ends_after_half_an_hour(acting: ApiClient) -> None:
    let_half_an_hour_pass()

    assert acting.get(PROFILE).status == 401


def test_refresh_does_not_prolong_the_impersonation(tokens: dict[str, Any], buyer: Account) -> None:
    ends = TokenFamily.objects.get().expires_at
    answer = ApiClient().post(
        "/api/Account/RefreshToken",
        {"RefreshToken": tokens["RefreshToken"], "UserId": str(buyer.pk)},
    )

    assert build_claims(answer.body["Token"])["Acting"]["By"] == "运营"
    assert TokenFamily.objects.get().expires_at == ends
    assert ends - TokenFamily.objects.get().created_at <= timedelta(minutes=30, seconds=1)


def test_a_refresh_after_half_an_hour_is_refused(tokens: dict[str, Any], buyer: Account) -> None:
    let_half_an_hour_pass()
    answer = ApiClient().post(
        "/api/Account/RefreshToken",
        {"RefreshToken": tokens["RefreshToken"], "UserId": str(buyer.pk)},
    )

    assert answer.message == "登录已过期，请重新登录"


def test_disabled_staff_member_loses_the_impersonation_at_once(
    acting: ApiClient, staff: Account
) -> None:
    dismiss_staff(staff)

    assert acting.get(PROFILE).status == 401


def test_staff_member_without_the_right_loses_the_impersonation_at_once(buyer: Account) -> None:
    person = create_staff("客服")
    tokens = sign_in(buyer, person).body
    assert ApiClient(bearer=tokens["Token"]).get(PROFILE).ok
    with platform_scope(reason="test"):
        person.groups.clear()

    assert ApiClient(bearer=tokens["Token"]).get(PROFILE).status == 401
    refreshed = ApiClient().post(
        "/api/Account/RefreshToken",
        {"RefreshToken": tokens["RefreshToken"], "UserId": str(buyer.pk)},
    )
    assert not refreshed.ok


def test_impersonation_key_of_a_disabled_staff_member_is_refused(
    buyer: Account, staff: Account
) -> None:
    key = impersonation_begin(actor=staff, account=buyer, reason=WHY)
    dismiss_staff(staff)

    assert (
        ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).code
        == "session_key_invalid"
    )


def test_a_staff_key_without_an_issuer_is_refused(buyer: Account) -> None:
    key = session_key_issue(account=buyer, issuer=SessionKeyIssuer.STAFF)

    assert (
        ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).code
        == "session_key_invalid"
    )


@pytest.mark.parametrize("reason", ["", "  "])
def test_impersonation_key_requires_a_reason(buyer: Account, staff: Account, reason: str) -> None:
    with pytest.raises(ValidationFailed, match="请填写代登录原因"):
        impersonation_begin(actor=staff, account=buyer, reason=reason)
    assert not SessionKey.objects.exists()


def test_impersonation_of_staff_or_a_disabled_account_is_refused(
    buyer: Account, staff: Account
) -> None:
    buyer.is_active = False
    buyer.save()
    for account in (staff, buyer):
        with pytest.raises(NotImpersonated):
            impersonation_begin(actor=staff, account=account, reason=WHY)


def test_impersonation_log_records_request_sign_in_and_end_with_the_reason(
    tokens: dict[str, Any], staff: Account
) -> None:
    ApiClient(bearer=tokens["Token"]).post(
        "/api/Account/Logout", {"RefreshToken": tokens["RefreshToken"]}
    )

    assert log() == [(staff.pk, f"{what}：{WHY}") for what in ("已申请", "已登录", "已结束")]


def test_logout_ends_the_impersonation_on_the_server(
    tokens: dict[str, Any], acting: ApiClient
) -> None:
    acting.post("/api/Account/Logout", {"RefreshToken": tokens["RefreshToken"]})

    assert acting.get(PROFILE).status == 401


def test_impersonated_action_records_the_staff_member_and_the_customer(
    placed_order: Order, staff: Account
) -> None:
    client = ApiClient(bearer=sign_in(placed_order.requester, staff).body["Token"])
    answer = client.post(
        f"/api/Order/{placed_order.order_no}/Cancel", {"Reason": "买错了"}, key=make_key()
    )

    last = list(list_events(placed_order))[-1]
    assert (last.actor, last.acting_for) == (staff, placed_order.requester)
    assert (answer.body["Timeline"][-1]["By"], answer.body["Timeline"][-1]["ActingFor"]) == (
        "平台客服",
        placed_order.requester.nickname,
    )


def test_a_logged_change_is_the_staffs_too(
    acting: ApiClient, buyer: Account, staff: Account
) -> None:
    address = {
        "Receiver": "王收",
        "Mobile": "13800000000",
        "Province": "上海市",
        "City": "上海市",
        "District": "浦东新区",
        "Street": "世纪大道 1 号",
    }
    assert acting.post("/api/Address", address, key=make_key()).ok

    assert LogEntry.objects.get(content_type__model="address").actor_id == staff.pk


def test_mail_mobile_and_password_stay_the_customers(acting: ApiClient, buyer: Account) -> None:
    answers = [
        acting.patch(PROFILE, {"Email": "ops@example.com"}),
        acting.post("/api/Account/ChangePassword", {"OldPassword": "a", "NewPassword": "b"}),
    ]

    assert [(answer.code, answer.message) for answer in answers] == [
        ("not_in_person", "代客户登录期间不能执行此操作，请由客户本人登录后办理")
    ] * 2
    buyer.refresh_from_db()
    assert buyer.email != "ops@example.com"


def test_paying_is_not_offered_and_refused(placed_order: Order, staff: Account) -> None:
    Order.objects.filter(pk=placed_order.pk).update(payment_kind="online")
    client = ApiClient(bearer=sign_in(placed_order.requester, staff).body["Token"])

    assert (
        "pay"
        in ApiClient(placed_order.requester)
        .get(f"/api/Order/{placed_order.order_no}")
        .body["AllowedActions"]
    )
    assert "pay" not in client.get(f"/api/Order/{placed_order.order_no}").body["AllowedActions"]
    assert client.post(f"/api/Order/{placed_order.order_no}/Pay").code == "not_in_person"


def test_impersonation_gets_no_ticket_for_the_old_mall(acting: ApiClient) -> None:
    assert acting.get("/api/Account/JumpOldLink", {"tag": "old"}).body == "/old-mall/?tag=old"


def test_impersonated_bearer_authentication_takes_one_query(tokens: dict[str, Any]) -> None:
    bearer = read_access_token(tokens["Token"])
    assert bearer is not None
    with assert_queries(1):
        account = find_account_of_bearer(bearer)

    assert account is not None
    assert account.impersonator is not None
    assert account.impersonator.nickname == "运营"


def test_change_history_names_the_staff_member_and_the_customer(
    ga: Account, staff: Account
) -> None:
    client = ApiClient(bearer=sign_in(ga, staff).body["Token"])
    body = {
        "Receiver": "李雷",
        "Mobile": "13812345678",
        "Province": "上海市",
        "City": "上海市",
        "District": "浦东新区",
        "Street": "张江路 1 号",
        "OwnerType": "group",
    }
    assert client.post("/api/Address", body).ok

    row = OrganisationChange.objects.get(subject_type="address")
    assert (row.actor_id, row.acting_for_id, row.group_id) == (staff.pk, ga.pk, ga.group_id)
    [shown] = ApiClient(ga).get("/api/Change", {"SubjectType": "address"}).body["Items"]
    assert shown["By"] == {"Id": "", "Name": "平台客服"}
    assert shown["ActingFor"] == {"Id": str(ga.pk), "Name": "集管"}
