"""GET and PUT /api/Account/{id}/Limits."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.catalog.tests.factories import create_category_path
from apps.common.testing import ApiClient
from apps.org.models import Account, OrganisationChange, PurchaseLimit

MONTH = {"Period": "month", "Amount": "2000.00", "Action": "approve"}
ORDER = {"Period": "order", "Amount": "300.00", "Action": "refuse"}
OF_ALL = {"CategoryId": None, "CategoryName": ""}
ALL_KINDS = ["credit", "cod", "transfer", "online"]
FREE_CHOICES = {
    "PaymentKinds": [],
    "PaymentKindsInForce": ALL_KINDS,
    "AddressScope": "all",
    "AddressScopeInForce": "all",
}


def get_path(account: Account) -> str:
    return f"/api/Account/{account.pk}/Limits"


def test_a_limit_of_the_account_replaces_that_of_its_role(ga: Account, buyer: Account) -> None:
    for period, amount in (("month", "9000.00"), ("order", "300.00")):
        PurchaseLimit.objects.create(
            role=buyer.roles.get(), period=period, amount=Decimal(amount), action="refuse"
        )

    saved = ApiClient(ga).put(get_path(buyer), {"Limits": [MONTH]})

    assert saved.message == "采购限额已保存，下一张订单起生效"
    limits = {"Limits": [MONTH | OF_ALL], "InForce": [ORDER | OF_ALL, MONTH | OF_ALL]}
    assert saved.body == limits | FREE_CHOICES
    assert ApiClient(ga).get(get_path(buyer)).body == saved.body


def test_the_change_is_in_the_history(ga: Account, buyer: Account) -> None:
    ApiClient(ga).put(get_path(buyer), {"Limits": [MONTH]})

    (change,) = OrganisationChange.objects.get(subject_type="account").changes
    assert (change["label"], change["after"]) == (
        "采购限额",
        "每月 ¥2,000.00（超出需要审批）",
    )


def test_an_empty_list_removes_the_limits(ga: Account, buyer: Account) -> None:
    ApiClient(ga).put(get_path(buyer), {"Limits": [MONTH, ORDER]})

    empty: dict[str, Any] = ApiClient(ga).put(get_path(buyer), {"Limits": []}).body

    assert empty == {"Limits": [], "InForce": []} | FREE_CHOICES


def test_only_a_group_admin_sets_account_limits(ga: Account, buyer: Account) -> None:
    ApiClient(ga).put(get_path(buyer), {"Limits": [MONTH]})

    answer = ApiClient(buyer).put(get_path(buyer), {"Limits": []})

    assert answer.message == "只有集团管理员可以设置采购限额，请联系集团管理员"
    assert PurchaseLimit.objects.count() == 1


def test_a_limit_may_name_a_category_of_any_level(ga: Account, buyer: Account) -> None:
    paper = create_category_path("办公用品", "办公用纸").parent
    assert paper is not None
    limit = MONTH | {"CategoryId": str(paper.pk), "Amount": "999999999.99"}

    saved = ApiClient(ga).put(get_path(buyer), {"Limits": [MONTH, limit]})

    shown = [MONTH | OF_ALL, limit | {"CategoryName": "办公用纸"}]
    assert saved.body == {"Limits": shown, "InForce": shown} | FREE_CHOICES
    # The page may send back what it has read.
    assert ApiClient(ga).put(get_path(buyer), {"Limits": shown}).body == saved.body
    change = OrganisationChange.objects.get(subject_type="account").changes[0]
    assert change["after"] == (
        "每月 ¥2,000.00（超出需要审批）、“办公用纸”每月 ¥999,999,999.99（超出需要审批）"
    )


@pytest.mark.parametrize(
    ("category_id", "text"),
    [
        ("987654321", "类目不存在，请重新选择"),
        ("0", "类目不存在，请重新选择"),
        ("九", "类目不存在，请重新选择"),
    ],
)
def test_an_unknown_category_is_refused_and_the_limits_stay(
    ga: Account, buyer: Account, category_id: str, text: str
) -> None:
    ApiClient(ga).put(get_path(buyer), {"Limits": [MONTH]})

    answer = ApiClient(ga).put(get_path(buyer), {"Limits": [ORDER | {"CategoryId": category_id}]})

    assert answer.errors == {"Limits": [text]}
    assert PurchaseLimit.objects.get().period == "month"


def test_a_category_and_period_is_limited_once(ga: Account, buyer: Account) -> None:
    limit = MONTH | {"CategoryId": str(create_category_path().pk)}

    answer = ApiClient(ga).put(get_path(buyer), {"Limits": [limit, limit]})

    assert answer.errors == {"Limits": ["每个类目的每个周期只能设置一个限额"]}


def test_an_amount_above_the_largest_is_refused(ga: Account, buyer: Account) -> None:
    limit = MONTH | {
        "CategoryId": str(create_category_path().pk),
        "Amount": "99999999999999999999.00",
    }

    answer = ApiClient(ga).put(get_path(buyer), {"Limits": [limit]})

    assert not answer.ok
    assert PurchaseLimit.objects.count() == 0


def test_choices_of_the_account_narrow_those_of_its_roles(ga: Account, buyer: Account) -> None:
    buyer.roles.update(payment_kinds=["credit", "online"], address_scope="department")

    saved = ApiClient(ga).put(
        get_path(buyer),
        {"Limits": [], "PaymentKinds": ["transfer", "online"], "AddressScope": "all"},
    )

    # 公司转账 is not added: the roles do not allow it. Nor does 全部可用地址 widen the role.
    choices = {
        "PaymentKinds": ["transfer", "online"],
        "PaymentKindsInForce": ["online"],
        "AddressScope": "all",
        "AddressScopeInForce": "department",
    }
    assert saved.body == {"Limits": [], "InForce": []} | choices
    # A client that does not know the choices leaves them as they are.
    assert ApiClient(ga).put(get_path(buyer), {"Limits": []}).body == saved.body


def test_the_change_of_choices_is_in_the_history(ga: Account, buyer: Account) -> None:
    choices = {"PaymentKinds": ["online"], "AddressScope": "own"}
    ApiClient(ga).put(get_path(buyer), {"Limits": [MONTH]} | choices)
    limit = PurchaseLimit.objects.get()
    ApiClient(ga).put(get_path(buyer), {"Limits": [MONTH]} | choices | {"AddressScope": "all"})

    second, first = OrganisationChange.objects.filter(subject_type="account").order_by("-pk")
    assert [(row["label"], row["before"], row["after"]) for row in first.changes] == [
        ("可用付款方式", "", "在线支付"),
        ("可用收货地址", "全部可用地址", "仅本人地址"),
        ("采购限额", "", "每月 ¥2,000.00（超出需要审批）"),
    ]
    assert [(row["label"], row["after"]) for row in second.changes] == [
        ("可用收货地址", "全部可用地址")
    ]
    # The limit did not change, so the books still compare the orders since it was set.
    assert PurchaseLimit.objects.get() == limit


def test_only_a_group_admin_sets_account_choices(ga: Account, buyer: Account) -> None:
    ApiClient(ga).put(get_path(buyer), {"Limits": [], "PaymentKinds": ["online"]})

    answer = ApiClient(buyer).put(get_path(buyer), {"Limits": [], "PaymentKinds": []})

    assert answer.message == "只有集团管理员可以设置采购限额，请联系集团管理员"
    assert Account.objects.get(pk=buyer.pk).own_payment_kinds == ["online"]


@pytest.mark.parametrize(
    "choices", [{"PaymentKinds": ["gold"]}, {"PaymentKinds": "online"}, {"AddressScope": "moon"}]
)
def test_unknown_choices_are_refused(
    ga: Account, buyer: Account, choices: dict[str, object]
) -> None:
    assert not ApiClient(ga).put(get_path(buyer), {"Limits": []} | choices).ok
    assert Account.objects.get(pk=buyer.pk).own_payment_kinds == []
