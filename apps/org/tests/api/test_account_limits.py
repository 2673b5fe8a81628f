"""GET and PUT /api/Account/{id}/Limits."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from apps.common.testing import ApiClient
from apps.org.models import Account, OrganisationChange, PurchaseLimit

MONTH = {"Period": "month", "Amount": "2000.00", "Action": "approve"}
ORDER = {"Period": "order", "Amount": "300.00", "Action": "refuse"}


def path(account: Account) -> str:
    return f"/api/Account/{account.pk}/Limits"


def test_a_limit_of_the_account_replaces_that_of_its_role(ga: Account, buyer: Account) -> None:
    for period, amount in (("month", "9000.00"), ("order", "300.00")):
        PurchaseLimit.objects.create(
            role=buyer.roles.get(), period=period, amount=Decimal(amount), action="refuse"
        )

    saved = ApiClient(ga).put(path(buyer), {"Limits": [MONTH]})

    assert saved.message == "采购限额已保存，下一张订单起生效"
    assert saved.body == {"Limits": [MONTH], "InForce": [ORDER, MONTH]}
    assert ApiClient(ga).get(path(buyer)).body == saved.body


def test_the_change_is_in_the_history(ga: Account, buyer: Account) -> None:
    ApiClient(ga).put(path(buyer), {"Limits": [MONTH]})

    (change,) = OrganisationChange.objects.get(subject_type="account").changes
    assert (change["label"], change["after"]) == (
        "采购限额",
        "每月 2,000.00 元（超出需要审批）",
    )


def test_an_empty_list_removes_the_limits(ga: Account, buyer: Account) -> None:
    ApiClient(ga).put(path(buyer), {"Limits": [MONTH, ORDER]})

    empty: dict[str, Any] = ApiClient(ga).put(path(buyer), {"Limits": []}).body

    assert empty == {"Limits": [], "InForce": []}


def test_only_a_group_admin_sets_them(ga: Account, buyer: Account) -> None:
    ApiClient(ga).put(path(buyer), {"Limits": [MONTH]})

    answer = ApiClient(buyer).put(path(buyer), {"Limits": []})

    assert answer.message == "只有集团管理员可以设置采购限额，请联系集团管理员"
    assert PurchaseLimit.objects.count() == 1
