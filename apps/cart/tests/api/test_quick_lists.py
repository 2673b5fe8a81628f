"""Tests of /api/QuickList: private lists and lists that a department shares."""

from __future__ import annotations

from typing import Any

import pytest

from apps.cart.services.quick_list_save import MAX_LISTS, quick_list_create
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account, Enterprise
from apps.org.tests.factories import AccountFactory, DepartmentFactory

LISTS = "/api/QuickList"
BODY: dict[str, Any] = {"Name": "前台补货", "Items": [{"ProductCode": "110001", "Quantity": 2}]}


def create_list(buyer: Account, **given: Any) -> str:
    return str(
        quick_list_create(actor=buyer, name="前台补货", quantities={"110001": 2}, **given).pk
    )


def list_quantities(body: dict[str, Any]) -> list[tuple[str, int]]:
    return [(row["ProductCode"], row["Quantity"]) for row in body["Items"]]


def test_a_list_keeps_its_lines_in_their_order(buyer: Account) -> None:
    items = [{"ProductCode": "110002", "Quantity": 2}, {"ProductCode": "110001", "Quantity": 1}]
    answer = ApiClient(buyer).post(LISTS, {**BODY, "Items": items})
    assert (
        answer.message,
        list_quantities(answer.body),
        answer.body["LineCount"],
        answer.body["Mine"],
    ) == ("清单已保存", [("110002", 2), ("110001", 1)], 2, True)


def test_department_colleague_reads_a_shared_list_but_cannot_change_it(
    buyer: Account, approver: Account
) -> None:
    pk, api = create_list(buyer, is_shared=True), ApiClient(approver)
    (row,) = api.get(LISTS).body["Items"]
    assert (row["Owner"], row["Mine"], row["Shared"]) == ("小采", False, True)
    assert api.get(f"{LISTS}/{pk}").ok
    for refused in (api.patch(f"{LISTS}/{pk}", {"Name": "我的"}), api.delete(f"{LISTS}/{pk}")):
        assert (refused.status, refused.message) == (
            403,
            "只有所有人可以改名、共享、移交或删除此清单，您可以另存为自己的清单",
        )


def test_unshared_list_is_hidden_from_colleagues(buyer: Account, approver: Account) -> None:
    pk = create_list(buyer)
    assert ApiClient(approver).get(LISTS).body["Items"] == []
    assert ApiClient(approver).get(f"{LISTS}/{pk}").status == 404


def test_shared_list_is_hidden_from_another_department(
    buyer: Account, enterprise: Enterprise
) -> None:
    pk = create_list(buyer, is_shared=True)
    stranger = AccountFactory(
        department=DepartmentFactory(enterprise=enterprise, code="YF01-RND", name="研发部"),
        username="rnd",
    )
    assert ApiClient(stranger).get(f"{LISTS}/{pk}").status == 404


def test_list_of_another_group_answers_as_a_missing_list(buyer: Account, other_ga: Account) -> None:
    pk = create_list(buyer, is_shared=True)
    api = ApiClient(other_ga)
    assert (api.get(f"{LISTS}/{pk}").status, api.get(f"{LISTS}/{pk}").message) == (
        404,
        api.get(f"{LISTS}/999999").message,
    )
    assert api.delete(f"{LISTS}/{pk}").status == 404


def test_a_list_is_renamed_shared_and_deleted(buyer: Account) -> None:
    pk, api = create_list(buyer), ApiClient(buyer)
    body = api.patch(f"{LISTS}/{pk}", {"Name": "月度补货", "Shared": True}).body
    assert (body["Name"], body["Shared"], list_quantities(body)) == (
        "月度补货",
        True,
        [("110001", 2)],
    )
    assert api.delete(f"{LISTS}/{pk}").message == "清单已删除"
    assert api.get(LISTS).body["Total"] == 0


def test_a_name_is_taken_once(buyer: Account) -> None:
    create_list(buyer)
    assert ApiClient(buyer).post(LISTS, BODY).errors == {"Name": ["已有同名的清单，请换一个名称"]}


def test_the_hundred_and_first_list_is_refused(buyer: Account) -> None:
    for number in range(MAX_LISTS):
        quick_list_create(actor=buyer, name=f"清单{number}", quantities={"110001": 1})
    assert ApiClient(buyer).post(LISTS, BODY).code == "wrong_state"


@pytest.mark.parametrize(
    "body",
    [
        {**BODY, "Name": ""},
        {**BODY, "Items": []},
        {**BODY, "Name": "长" * 41},
        {**BODY, "More": 1},
        {"Name": "无"},
    ],
)
def test_a_wrong_body_is_refused(buyer: Account, body: dict[str, Any]) -> None:
    assert ApiClient(buyer).post(LISTS, body).code == "validation"


def test_the_list_of_lists_costs_four_queries(buyer: Account) -> None:
    api = ApiClient(buyer)
    for number in range(3):
        quick_list_create(actor=buyer, name=f"清单{number}", quantities={"110001": 1})
    with assert_queries(3):
        assert api.get(LISTS).body["Total"] == 3
