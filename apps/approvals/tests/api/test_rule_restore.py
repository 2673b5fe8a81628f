"""Restoring an earlier version of a rule."""

from __future__ import annotations

from typing import Any

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.models import ApprovalRule, ApprovalRuleVersion
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.tests.factories import create_rule
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.org.enums import DataScope
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, RoleFactory

pytestmark = pytest.mark.django_db
LATER: dict[str, Any] = {"Name": "全部订单", "Steps": [{"ApproverKind": "head"}]}


def get_first(ga: Account, approver: Account, buyer: Account) -> dict[str, Any]:
    """Return the first version of a rule that names everything a rule can name."""
    product = ProductFactory(name="得力中性笔")
    body = {
        "Name": "大额采购",
        "DepartmentId": str(buyer.department_id),
        "ConditionMode": "any",
        "Conditions": [
            {"Kind": "amount", "Amount": "2000.00"},
            {"Kind": "line_quantity", "Quantity": 50},
            {"Kind": "product", "Ids": [product.code]},
            {"Kind": "category", "Ids": [str(product.l3_id)]},
            {"Kind": "requester", "Ids": [str(buyer.pk)]},
            {"Kind": "over_budget"},
            {"Kind": "payment", "Ids": ["credit"]},
        ],
        "Steps": [
            {"ApproverKind": "accounts", "AccountIds": [str(approver.pk)], "Mode": "all"},
            {"ApproverKind": "role", "RoleId": str(approver.roles.get().pk)},
            {"ApproverKind": "head_up", "LevelsUp": 1},
        ],
        "AllowsSelfApproval": True,
        "ValidFrom": "2026-01-01",
        "ValidUntil": "2028-02-29",
        "Anyway": True,
    }
    answer = ApiClient(ga).post("/api/ApprovalRule", body)
    assert answer.ok, answer.errors
    created: dict[str, Any] = answer.body
    return created


def change_rule(ga: Account, rule: dict[str, Any]) -> dict[str, Any]:
    answer = ApiClient(ga).patch(
        f"/api/ApprovalRule/{rule['Id']}", {**LATER, "UpdatedAt": rule["UpdatedAt"]}
    )
    assert answer.ok
    body: dict[str, Any] = answer.body
    return body


def test_restored_rule_equals_the_old_version_and_is_the_next_version(
    ga: Account, approver: Account, buyer: Account
) -> None:
    first = get_first(ga, approver, buyer)
    second = change_rule(ga, first)

    answer = ApiClient(ga).post(
        f"/api/ApprovalRule/{first['Id']}/Restore",
        {"Number": 1, "UpdatedAt": second["UpdatedAt"], "Anyway": True},
    )

    assert (answer.body["Version"], answer.message) == (
        3,
        "已恢复第 1 版的内容，审批中的订单仍按原版本审批",
    )
    unlike = {key for key, value in answer.body.items() if value != first[key]}
    assert unlike == {"Version", "UpdatedAt"}
    versions = ApiClient(ga).get(f"/api/ApprovalRule/{first['Id']}/Versions").body
    assert [(row["Number"], row["ActionText"], row["CanRestore"]) for row in versions] == [
        (3, "恢复历史版本", False),
        (2, "修改", True),
        (1, "新建", True),
    ]
    assert versions[0]["Words"] == versions[2]["Words"]
    history = (
        ApiClient(ga)
        .get("/api/Change", {"SubjectType": "rule", "SubjectId": first["Id"]})
        .body["Items"]
    )
    assert (history[0]["ActionText"], history[0]["By"]["Name"]) == ("恢复历史版本", "集管")


def test_restored_rule_stays_disabled(ga: Account, approver: Account, buyer: Account) -> None:
    first = get_first(ga, approver, buyer)
    change_rule(ga, first)
    off = ApiClient(ga).post(f"/api/ApprovalRule/{first['Id']}/Disable").body

    answer = ApiClient(ga).post(
        f"/api/ApprovalRule/{first['Id']}/Restore",
        {"Number": 1, "UpdatedAt": off["UpdatedAt"], "Anyway": True},
    )

    assert (answer.body["Name"], answer.body["IsActive"], answer.body["Version"]) == (
        "大额采购",
        False,
        4,
    )


def test_restore_with_an_older_timestamp_is_refused_as_stale(
    ga: Account, approver: Account, buyer: Account
) -> None:
    first = get_first(ga, approver, buyer)
    change_rule(ga, first)

    answer = ApiClient(ga).post(
        f"/api/ApprovalRule/{first['Id']}/Restore", {"Number": 1, "UpdatedAt": first["UpdatedAt"]}
    )

    assert (answer.code, answer.body["By"]["Name"], ApprovalRule.objects.get().version) == (
        "stale",
        "集管",
        2,
    )


def test_restore_of_a_rule_without_an_approver_requires_confirmation(
    ga: Account, approver: Account, department: Department
) -> None:
    steps = [StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))]
    rule = create_rule(group_id=ga.group_id, name="老审批", steps=steps)
    seen = ApiClient(ga).get(f"/api/ApprovalRule/{rule.pk}").body
    second = change_rule(ga, seen)
    Account.objects.filter(pk=approver.pk).update(is_active=False)
    client, path = ApiClient(ga), f"/api/ApprovalRule/{rule.pk}/Restore"

    refused = client.post(path, {"Number": 1, "UpdatedAt": second["UpdatedAt"]})
    assert (refused.code, list(refused.errors), ApprovalRule.objects.get().version) == (
        "validation",
        ["Problems"],
        2,
    )
    assert refused.errors["Problems"][0].startswith("第 1 步：")
    assert (
        client.post(path, {"Number": 1, "UpdatedAt": second["UpdatedAt"], "Anyway": True}).body[
            "Version"
        ]
        == 3
    )


def test_restore_outside_the_editors_data_scope_is_refused(
    ga: Account, approver: Account, department: Department
) -> None:
    role = RoleFactory(group=department.group, code="keeper", data_scope=DataScope.DEPARTMENT)
    keeper = AccountFactory(department=department, username="keeper", roles=[role])
    rule = create_rule(group_id=ga.group_id, name="集团的", steps=[StepSpec(ApproverKind.HEAD)])
    seen = ApiClient(ga).get(f"/api/ApprovalRule/{rule.pk}").body
    here = {**LATER, "DepartmentId": str(department.pk), "UpdatedAt": seen["UpdatedAt"]}
    second = ApiClient(ga).patch(f"/api/ApprovalRule/{rule.pk}", here).body

    answer = ApiClient(keeper).post(
        f"/api/ApprovalRule/{rule.pk}/Restore", {"Number": 1, "UpdatedAt": second["UpdatedAt"]}
    )

    assert list(answer.errors) == ["Place"]


def test_current_version_cannot_be_restored_and_a_missing_one_is_not_found(
    ga: Account, approver: Account, buyer: Account
) -> None:
    first = get_first(ga, approver, buyer)
    client, path = ApiClient(ga), f"/api/ApprovalRule/{first['Id']}/Restore"

    assert client.post(path, {"Number": 1, "UpdatedAt": first["UpdatedAt"]}).code == "wrong_state"
    assert client.post(path, {"Number": 9, "UpdatedAt": first["UpdatedAt"]}).status == 404


def test_version_without_stored_content_cannot_be_restored(
    ga: Account, approver: Account, buyer: Account
) -> None:
    first = get_first(ga, approver, buyer)
    second = change_rule(ga, first)
    ApprovalRuleVersion.objects.filter(number=1).update(content=None)

    answer = ApiClient(ga).post(
        f"/api/ApprovalRule/{first['Id']}/Restore", {"Number": 1, "UpdatedAt": second["UpdatedAt"]}
    )

    assert answer.code == "wrong_state"
    assert not ApiClient(ga).get(f"/api/ApprovalRule/{first['Id']}/Versions").body[1]["CanRestore"]
